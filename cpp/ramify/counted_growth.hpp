// Growing a tree whose rows are elsewhere, from the counts of its nodes.
//
// Searches, rules of growth and splits are those of rows in memory; only where the counts come from differs. A
// node whose rows are few enough is fetched, and all below it grown in memory.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/frontier.hpp"
#include "ramify/grow.hpp"
#include "ramify/growth_rules.hpp"
#include "ramify/tree_grower.hpp"

namespace ramify {

class CountedGrowth {
 public:
  // No missing values that go down several branches, and no cuts but binned or exact ones.
  CountedGrowth(const GrowthSettings& settings, std::vector<Coding> codings, Population population, Pool& pool);
  CountedGrowth(const CountedGrowth&) = delete;
  CountedGrowth& operator=(const CountedGrowth&) = delete;

  // The tree as far as it has grown. Nodes keep their numbers; they are not in level order.
  const Tree& tree() const { return tree_; }
  // Its nodes that may still be split.
  const std::vector<std::int32_t>& open() const { return open_; }
  // The same in level order, as trees are kept; and growth goes on from it. The tree must have no problem.
  std::pair<Tree, std::vector<std::int32_t>> state() const;
  void restore(Tree tree, std::vector<std::int32_t> open);

  const CellLayout& layout() const { return layout_; }
  const std::vector<Coding>& codings() const { return codings_; }
  const Population& population() const { return population_; }

  // Splits open nodes, or makes leaves of them, by their counts, one a node.
  void split(const std::vector<std::int32_t>& nodes, const std::vector<GivenCounts>& counts, Pool& pool);
  // Grows all that is below open nodes from their rows, one slot a node.
  void grow_below(const std::vector<std::int32_t>& nodes, const FetchedRows& rows, Pool& pool);

  // The finished tree, when nothing is open.
  Tree finished() const;

 private:
  NodeSize size_of(std::size_t node, std::size_t depth) const;
  Origin origin(std::size_t node) const;
  std::optional<Split> find_split(std::size_t node, const GivenCounts& counts, SearchBuffers& buffers) const;
  void carry_out(std::size_t node, const Split& split);
  Tree grow_rows(const CodedRows& rows, const Origin& origin, Pool& pool, std::vector<GrowingWorker>& workers,
                 std::size_t worker, bool alone) const;
  void graft(std::size_t node, const Tree& subtree);
  void close(const std::vector<std::int32_t>& nodes);

  std::size_t max_leaf_nodes_;
  GrowthSettings settings_;  // without a limit of leaves: the best are kept in the end
  std::vector<Coding> codings_;
  Population population_;
  Labels labels_;
  CellLayout layout_;
  Columns columns_;
  Rows rows_;
  Scorebook book_;
  NodeSearch search_;
  GrowthRules rules_;
  Tree tree_;
  std::vector<std::int32_t> open_;
};

// What growth that splits the best node first would have made of a tree grown without a limit of leaves.
Tree keep_best_leaves(const Tree& tree, std::size_t max_leaf_nodes);

}  // namespace ramify
