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

#include "ramify/path/cut_list.hpp"
#include "ramify/path/lane_tables.hpp"

namespace ramify {

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
