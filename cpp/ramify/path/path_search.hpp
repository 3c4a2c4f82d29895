// How the orders that share a node split it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ramify/growth_rules.hpp"
#include "ramify/path/ceilings.hpp"
#include "ramify/path/choice.hpp"
#include "ramify/path/lane_scan.hpp"
#include "ramify/path/node_tape.hpp"
#include "ramify/path/open_path_node.hpp"
#include "ramify/path/orders.hpp"
#include "ramify/rows.hpp"
#include "ramify/search/node_search.hpp"

namespace ramify {

// Buffers of one worker. Tables of orders x columns are those of the orders of the node at hand.
struct PathBuffers {
  SearchBuffers search;
  LaneBuffers lanes;
  Branches branches;
  std::vector<double> scores;           // orders x columns, -infinity where there is no split
  std::vector<Finding> findings;        // likewise; empty if no column is searched order by order
  std::vector<SearchedNode> views;      // one an order, likewise
  std::vector<BlockBuffers> blocks;     // one a column: of long runs
  SearchedNode seen;                    // what all orders see; its entropy is none's
  std::vector<std::size_t> class_rows;  // of the node, where rows may be there in part
  std::vector<double> entropies;        // one an order
  std::vector<std::uint32_t> lane_of;   // likewise, where columns are scanned for all orders at once
  std::vector<double> reached;          // likewise: the best score of any column so far
  Ceilings ceilings;                    // of the columns
  std::vector<std::size_t> turns;       // the columns, in the order in which they are searched
  std::vector<std::size_t> together;    // some of them
  std::vector<std::int32_t> picked;     // the column that each order splits, -1 for none
  std::vector<std::uint32_t> where;     // and where
  std::vector<std::uint32_t> places;    // of some of the node's orders
  OrderList some;                       // those orders
  TapeWriter tape;                      // of what grew for one order
};

class PathSearch {
 public:
  // `tell`: what each order says of its split is wanted too.
  PathSearch(const Rows& rows, const Labels& labels, const GrowthSettings& settings, Orders& orders, bool tell);

  // The choices of a node's orders; an order that is in none of them has a leaf there.
  std::vector<Choice> choose(const OpenPathNode& node, PathBuffers& buffers);
  // Makes the tables of a node's orders go as far as all that grows from it asks.
  void reach(const OpenPathNode& node) { reach(node, 0, node.orders.size()); }

  // How one order searches and grows by itself; not where all is done by lanes.
  bool orders_can_part() const { return !lanes_only_; }
  const NodeSearch& search_of(std::size_t order) const { return searchers_[order]->search; }
  const GrowthSettings& settings_of(std::size_t order) const { return searchers_[order]->settings; }

  // True if no node of such a growth is searched order by order, so that the orders need no tables of their own.
  static bool by_lanes_only(const Columns& columns, const Labels& labels, const GrowthSettings& settings,
                            const Orders& orders);

 private:
  // One order's way of searching.
  struct Searcher {
    GrowthSettings settings;
    Scorebook book;
    NodeSearch search;

    Searcher(const GrowthSettings& with_order, const Rows& rows, const Labels& labels,
             std::shared_ptr<const PowerTable> powers);
  };

  const NodeSearch& any() const { return searchers_[0]->search; }
  const NodeSearch& of(const OpenPathNode& node, std::size_t place) const {
    return searchers_[node.orders[place]]->search;
  }
  // How far the tables of powers must go for a node. The gain takes no powers but those of classes.
  Reach reach_of(const OpenPathNode& node) const;
  // How many of its orders may have such tables at one time, and makes those of some.
  std::size_t at_once(const OpenPathNode& node) const;
  void reach(const OpenPathNode& node, std::size_t begin, std::size_t end);
  SearchedNode view(const OpenPathNode& node, double entropy, const PathBuffers& buffers) const;
  // Whether the column's cuts are scanned for all orders at once, and whether a cut is all that a split of it is.
  bool laned(const OpenPathNode& node) const;
  bool laned(const OpenPathNode& node, std::size_t column) const;
  bool plain(std::size_t column) const;
  double goal_of(double best, double entropy) const { return best - any().book().tie_width(best, entropy); }

  void measure_entropies(const OpenPathNode& node, PathBuffers& buffers) const;
  // Makes the buffers ready for a node; returns whether all its columns are scanned for all orders at once.
  bool prepare(const OpenPathNode& node, PathBuffers& buffers) const;
  // Searches all columns for all orders, and calls found(begin, end) for some of these at a time, by their places
  // in the node, while their tables of powers are there.
  void search_all(const OpenPathNode& node, PathBuffers& buffers,
                  const std::function<void(std::size_t, std::size_t)>& found);
  void search_column(const OpenPathNode& node, std::size_t column, std::size_t begin, std::size_t end,
                     PathBuffers& buffers) const;
  // The columns of a short node for one order, the likeliest first.
  void search_at_once(const OpenPathNode& node, std::size_t place, PathBuffers& buffers) const;
  void take_finding(const OpenPathNode& node, std::size_t place, std::size_t column, PathBuffers& buffers) const;
  void search_lanes(const OpenPathNode& node, std::size_t column, PathBuffers& buffers) const;
  // Whether an order need not search a column, whose splits are known to be worse than one that it has.
  bool passes_over(const OpenPathNode& node, std::size_t place, std::size_t column,
                   const PathBuffers& buffers) const;
  void read_cuts(const SearchedNode& node, std::size_t column, CutList::Keep keep, PathBuffers& buffers) const;

  void add_choices(const OpenPathNode& node, std::size_t begin, std::size_t end, PathBuffers& buffers,
                   std::vector<Choice>& choices) const;
  void pick_columns(std::size_t begin, std::size_t end, PathBuffers& buffers) const;
  void settle(const OpenPathNode& node, std::size_t begin, std::size_t end, PathBuffers& buffers) const;
  void locate(const OpenPathNode& node, std::size_t column, PathBuffers& buffers) const;
  std::optional<Split> choose_one(const OpenPathNode& node, std::size_t place, PathBuffers& buffers) const;
  void add_cut(const OpenPathNode& node, std::size_t place, PathBuffers& buffers,
               std::vector<Choice>& choices) const;
  void add_split(const OpenPathNode& node, std::size_t place, Split&& split, std::vector<Choice>& choices) const;
  void tell(const OpenPathNode& node, PathBuffers& buffers, std::vector<Choice>& choices) const;

  const Rows& rows_;
  const Labels& labels_;
  const GrowthSettings& settings_;
  Orders& orders_;
  bool tell_;
  GrowthRules rules_;
  LaneScans scans_;
  std::vector<std::unique_ptr<Searcher>> searchers_;
  bool one_by_one_;  // every order goes through the rules of its dialect, through draws of columns or runner-ups
  bool lanes_only_ = false;   // and there is nothing else to scan
  bool lanes_fit_;            // numeric columns of nodes that are small enough are scanned for all orders at once
  bool side_by_side_ = true;  // all columns of short nodes can be searched side by side
  bool ceilings_hold_;        // what a column gains at one order bounds what it gains at higher ones
};

}  // namespace ramify
