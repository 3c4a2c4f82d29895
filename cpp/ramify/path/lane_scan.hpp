// The cuts of one column scored under many orders of the entropy at once.
//
// What a scan of a column does is the same for all orders but for the tables that it looks its powers up in. So
// the column is read once, into a list of moves (some cases of one class change sides) and of cuts between them,
// and the moves are carried out for four orders in one go. The sum of powers on the left is added up from the
// left, the one on the right from the right: nothing is ever taken away, so nothing is lost at any order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ramify/counts.hpp"
#include "ramify/path/lanes.hpp"
#include "ramify/search/run_view.hpp"

namespace ramify {

// The moves and cuts of one column of one node.
class CutList {
 public:
  struct Move {
    std::uint32_t cls;
    std::uint32_t left_before;  // cases of the class to the left
    std::uint32_t left_after;
    std::uint32_t right_before;  // and to the right, seen from the right: before they come over
    std::uint32_t right_after;
  };
  struct Cut {
    std::uint32_t moves;   // to its left
    std::uint32_t n_left;  // cases to its left
    std::uint32_t where;   // as the scans of one order name it
  };

  // Reads the sorted cases of a node, or counted codes. `counts`: the node's classes.
  void read(const RunView& run, const Tags& tags, std::span<const double> counts, std::size_t min_samples_leaf);
  void read(const CodeCounts& codes, std::span<const double> counts, std::size_t min_samples_leaf);

  std::size_t cases() const { return cases_; }
  const std::vector<Move>& moves() const { return moves_; }
  const std::vector<Cut>& cuts() const { return cuts_; }
  const std::vector<std::uint32_t>& totals() const { return totals_; }

 private:
  void start(std::span<const double> counts);
  void move(std::uint32_t cls, std::uint32_t count);

  std::size_t cases_ = 0;
  std::vector<Move> moves_;
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> totals_;
  std::vector<std::uint32_t> left_;
  std::vector<std::uint32_t> group_;
};

// Orders of the same node that are scored together: windows of four neighbouring ones that cover all that are
// asked for (and some that are not).
struct Windows {
  std::vector<std::uint32_t> first;  // order of each window

  void cover(std::span<const std::uint16_t> orders);
};

// Buffers of one worker.
struct LaneBuffers {
  CutList list;
  Windows windows;
  std::vector<double> sums;         // cuts x windows x lanes, of either side
  std::vector<double> best;         // windows x lanes
  std::vector<double> goals;        // likewise
  std::vector<std::int32_t> first;  // likewise: the first cut that reaches the goal, -1 for none
};

// The best score of the cuts in buffers.list for each lane of each window, into buffers.best; -infinity if there
// is no cut.
using ScanLanes = void (*)(const LaneTables&, LaneBuffers&);
// The first cut whose score reaches buffers.goals, into buffers.first.
using LocateLanes = void (*)(const LaneTables&, LaneBuffers&);

struct LaneScans {
  ScanLanes best = nullptr;
  LocateLanes first = nullptr;
};

// Null for criteria that are no comparison of entropies.
LaneScans lane_scans(const std::string& criterion);

}  // namespace ramify
