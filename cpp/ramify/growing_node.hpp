// A node while its tree grows, and the store that owns such nodes.
//
// Nodes are made by many threads in no particular order; `finish` numbers them level by level, so the finished
// tree does not depend on how it came about.
#pragma once

#include <utility>
#include <vector>

#include "ramify/slab.hpp"
#include "ramify/tree.hpp"

namespace ramify {

struct GrowingNode {
  GrowingNode* children = nullptr;
  const double* counts = nullptr;  // one a class
  double weight = 0.0;
  double impurity = 0.0;
  std::size_t rows = 0;
  const SplitRule* split = nullptr;  // if there are children
};

// Owns nodes, with their counts and splits, until the tree is finished. One for each worker.
class NodeStore {
 public:
  GrowingNode* make_nodes(std::size_t count) { return nodes_.take(count).data(); }
  double* make_counts(std::size_t count) { return counts_.take(count).data(); }
  const SplitRule* hold(SplitRule&& rule) {
    SplitRule& held = rules_.take(1).front();
    held = std::move(rule);
    return &held;
  }

  // Hands all that it owns over.
  NodeStore take() { return std::exchange(*this, NodeStore()); }
  void clear() { *this = NodeStore(); }

 private:
  Slab<GrowingNode> nodes_;
  Slab<double> counts_;
  Slab<SplitRule> rules_;
};

// Writes a node behind the last one of a tree: all but its parent and first child. No rule: a leaf.
void append_node(Tree& tree, const double* counts, std::size_t rows, double impurity, const SplitRule* rule);

// A node and its parent's place among all nodes of a tree, level by level; -1 for the root.
struct PlacedNode {
  const GrowingNode* node;
  std::int32_t parent;
};
std::vector<PlacedNode> by_levels(const GrowingNode& root);

// The finished tree.
Tree finish(const GrowingNode& root, std::size_t n_classes);

}  // namespace ramify
