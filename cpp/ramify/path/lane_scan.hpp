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
  // Some cases of a class change sides. All numbers are places in tables: counts times the tables' stride.
  struct Move {
    std::uint32_t total;        // of all cases of the class
    std::uint32_t left_before;  // of those to the left
    std::uint32_t left_after;

    // And to the right, seen from the right: before they come over.
    std::uint32_t right_before() const { return total - left_after; }
    std::uint32_t right_after() const { return total - left_before; }
  };
  struct Cut {
    std::uint32_t moves;   // to its left
    std::uint32_t n_left;  // cases to its left
    std::uint32_t where;   // as the scans of one order name it
  };
  // Which cuts are listed. Under the gain a cut inside a stretch of one class is never better than those at the
  // ends of the stretch (or, where these are not admissible, the first and the last admissible cut).
  enum class Keep : std::uint8_t { every_cut, edges_of_stretches };

  static constexpr std::size_t kMostClasses = 255;

  // Reads the sorted cases of a node, or counted codes. `counts`: the node's classes.
  void read(const RunView& run, const Tags& tags, std::span<const double> counts, std::size_t min_samples_leaf,
            std::size_t stride, Keep keep);
  void read(const CodeCounts& codes, std::span<const double> counts, std::size_t min_samples_leaf,
            std::size_t stride, Keep keep);

  std::size_t cases() const { return cases_; }
  std::span<const Move> moves() const { return {moves_.data(), n_moves_}; }
  std::span<const Cut> cuts() const { return {cuts_.data(), n_cuts_}; }

 private:
  void start(std::span<const double> counts, std::size_t min_samples_leaf, std::size_t stride, std::size_t most,
             Keep keep);
  void read_rows(const Entry* rows, std::uint32_t size, const Tags& tags);
  void move(std::uint32_t cls, std::uint32_t count);
  // All that comes before `begin` was read; a group of cases of one class, with equal values, reaches to `end`.
  void move_alike(std::uint32_t cls, std::uint32_t begin, std::uint32_t end);
  void cut(std::uint32_t n_left, std::uint32_t where);

  std::size_t cases_ = 0;
  std::uint32_t stride_ = 0;
  std::uint32_t first_ = 0;  // the first and the last number of cases to the left that is admissible
  std::uint32_t last_ = 0;
  Keep keep_ = Keep::every_cut;
  std::int64_t stretch_ = -1;  // the class of all of the last move's group, if it has one class
  std::size_t n_moves_ = 0;
  std::size_t n_cuts_ = 0;
  std::vector<Move> moves_;
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> totals_;
  std::vector<std::uint32_t> left_;
  // Of the rows of a run:
  std::vector<std::uint8_t> classes_;
  std::vector<std::uint8_t> ties_;       // whether a row has the value of the one before
  std::vector<std::uint8_t> cuts_here_;  // whether a cut before it is listed
  std::vector<std::uint8_t> fresh_;      // whether a move begins with it
  std::vector<std::uint32_t> starts_;    // of moves
};

// Orders of the same node that are scored together: windows of four neighbouring ones that cover all that are
// asked for (and some that are not).
struct Windows {
  std::vector<std::uint32_t> first;  // order of each window

  void cover(std::span<const std::uint16_t> orders);
  // The lane of each order, counted through all windows, which cover these orders.
  void place(std::span<const std::uint16_t> orders, std::vector<std::uint32_t>& lanes) const;
};

// What no cut of a node changes, for each lane of each window.
struct LaneNode {
  std::vector<double> classes;  // the entropy of the node
  std::vector<double> offset;   // what a promise leaves out
  std::vector<double> crossed;  // n * H(branch | class) and the parts that the sides take from it
  std::vector<char> plain;      // of each window: all its orders have the plain form
};

// Buffers of one worker.
struct LaneBuffers {
  CutList list;
  Windows windows;
  LaneNode node;
  std::vector<double> sums;         // cuts x windows x lanes, of either side
  std::vector<double> best;         // windows x lanes
  std::vector<double> goals;        // likewise
  std::vector<std::int32_t> first;  // likewise: the first cut that reaches the goal, -1 for none
};

// What is the same for all columns of a node with these class counts, into buffers.node. To be called first.
void prepare_lanes(const LaneTables& tables, std::span<const double> counts, LaneBuffers& buffers);

// The best score of the cuts in buffers.list for each lane of each window, into buffers.best; -infinity if there
// is no cut.
using ScanLanes = void (*)(const LaneTables&, LaneBuffers&);
// The first cut whose score reaches buffers.goals, into buffers.first.
using LocateLanes = void (*)(const LaneTables&, LaneBuffers&);

struct LaneScans {
  ScanLanes best = nullptr;
  LocateLanes first = nullptr;
  CutList::Keep keep = CutList::Keep::every_cut;  // that the best is among
};

// Null for criteria that are no comparison of entropies.
LaneScans lane_scans(const std::string& criterion);

}  // namespace ramify
