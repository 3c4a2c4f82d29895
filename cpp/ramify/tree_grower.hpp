// Grows one tree, or a part of one, for one order of the entropy.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "ramify/growing_node.hpp"
#include "ramify/growth_rules.hpp"
#include "ramify/rows.hpp"

namespace ramify {

// What the way to a node says about it.
struct Origin {
  std::size_t depth;
  std::uint64_t seed;  // of the draw of its columns
  std::size_t spent;   // columns that splits above it have used up
};

// A node that may still be split.
struct OpenNode {
  GrowingNode* node = nullptr;
  Stretch rows;
  std::size_t depth = 0;
  std::vector<std::uint32_t> histograms;  // of its dense columns; empty where they are counted when needed
  std::vector<Finding> findings;          // one a column; none of nodes that are searched at once
  std::unique_ptr<WeightedRows> own;      // its rows, where nodes own theirs
  bool in_parts = false;                  // some of its rows are there in part
  std::uint64_t seed = 0;                 // of the draw of its columns
  std::size_t spent = 0;                  // columns that splits above it have used up
  std::vector<std::size_t> class_rows;    // where rows may be there in part; else empty
};

// Buffers and nodes of one worker; they can be used for one tree after another.
struct GrowingWorker {
  SearchBuffers search;
  Branches branches;
  std::vector<Entry> entries;
  std::vector<std::uint32_t> tags;
  std::vector<OpenNode> stack;
  NodeStore store;
  // Of the node that is split: which of its branches may be split in turn, what they become, how they look.
  std::vector<char> alive;
  std::vector<OpenNode> children;
  std::vector<SearchedNode> views;
  // Of a node that is searched at once.
  std::vector<std::size_t> columns;
  std::vector<Finding> findings;
};

inline std::vector<GrowingWorker> make_growing_workers(Pool& pool) {
  std::vector<GrowingWorker> workers(pool.size());
  for (std::size_t worker = 0; worker < workers.size(); ++worker) poll_from(workers[worker].search, pool, worker);
  return workers;
}

class TreeGrower {
 public:
  // All that is given must outlive this; `workers` has one for each of the pool's.
  TreeGrower(Rows& rows, const Labels& labels, const GrowthSettings& settings, const NodeSearch& search,
             Pool& pool, std::vector<GrowingWorker>& workers);

  // The root of the grown nodes, which live as long as this; it may be a node further down in a larger tree.
  const GrowingNode& grow(const Origin& origin) { return grow(make_root(origin)); }
  const GrowingNode& grow() { return grow(Origin{0, rules_.root_seed(), 0}); }
  // The same from a node of some other tree, whose rows it may rearrange.
  const GrowingNode& grow(OpenNode root);

  // By one worker alone, while others grow other nodes. A node that is not split yet may be left to these: `leave`
  // takes it and returns true, or does not.
  using Leave = std::function<bool(OpenNode&)>;
  const GrowingNode& grow_alone(const Origin& origin, std::size_t worker) {
    return grow_alone(make_root(origin, worker), worker);
  }
  const GrowingNode& grow_alone(OpenNode root, std::size_t worker, const Leave& leave = {});
  // The same from a node that another has left.
  void go_on(OpenNode left, std::size_t worker, const Leave& leave);

  // Fills a node in, whose impurity may be known.
  void describe(GrowingNode& node, const double* counts, std::size_t rows,
                std::optional<double> impurity = std::nullopt) const;

 private:
  OpenNode make_root(const Origin& origin, std::size_t worker = 0);
  NodeSize size_of(const OpenNode& open) const;
  SearchedNode view(const OpenNode& open) const;
  // Whether all workers work at the node's columns, and calls task(index, worker) for all by them or by one.
  bool shared(const OpenNode& open) const;
  template <class Task>
  void for_each(const OpenNode& open, std::size_t worker, std::size_t count, Task&& task);

  void grow_depth_first(OpenNode root);
  void grow_subtree(OpenNode root, std::size_t worker, const Leave& leave = {});
  void grow_best_first(OpenNode root);

  // Searches the root; all other nodes are searched when their parent is split, or when it is their turn if they
  // are searched at once.
  void search_root(OpenNode& root, std::size_t worker);
  // Whether all columns of a node are searched by one worker, when it is the node's turn.
  bool at_once(const OpenNode& open, const SearchedNode& seen) const {
    return search_.searches_at_once(seen) && !shared(open);
  }
  // How the nodes that a worker has as children look to the search.
  void prepare_search(GrowingWorker& self) const;
  // Adds the findings of one column to those of its children that may be split.
  void search_column(GrowingWorker& self, std::size_t column, SearchBuffers& buffers) const;
  std::optional<Split> choose(OpenNode& open, std::size_t worker);

  void expand(OpenNode& open, std::size_t worker, std::vector<OpenNode>& out);
  // Carries a split out, and adds the children that may be split to `out`.
  void split(OpenNode& open, Split&& found, std::size_t worker, std::vector<OpenNode>& out);
  bool describe_children(const OpenNode& open, const Split& found, GrowingWorker& self) const;
  void part(OpenNode& open, const Split& found, std::size_t worker);
  void open_children(const OpenNode& open, const Split& found, GrowingWorker& self) const;

  bool keeps_histograms(const OpenNode& open) const;
  void fill_histograms(OpenNode& open, std::size_t worker);
  void hand_down_histograms(OpenNode& open, GrowingWorker& self, std::size_t worker);

  const Labels& labels_;
  const GrowthSettings& settings_;
  Pool& pool_;
  Rows& rows_;
  GrowthRules rules_;
  const NodeSearch& search_;
  std::vector<GrowingWorker>& workers_;
  bool alone_ = false;  // one worker only
};

// On all workers if the node is large.
template <class Task>
void TreeGrower::for_each(const OpenNode& open, std::size_t worker, std::size_t count, Task&& task) {
  if (shared(open)) return pool_.for_each(count, task);
  for (std::size_t i = 0; i < count; ++i) task(i, worker);
}

}  // namespace ramify
