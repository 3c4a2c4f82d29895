#include "ramify/path/path_node.hpp"

#include <algorithm>

#include "ramify/growing_node.hpp"

namespace ramify {

namespace {

// The fork that an order takes, and its place among the orders there; null in a leaf.
std::pair<const Fork*, std::size_t> fork_of(const PathNode& node, std::size_t order) {
  for (const Fork& fork : node.forks) {
    const auto place = std::lower_bound(fork.orders.begin(), fork.orders.end(), order);
    if (place != fork.orders.end() && *place == order) {
      return {&fork, static_cast<std::size_t>(place - fork.orders.begin())};
    }
  }
  return {nullptr, 0};
}

// The split of the order, as a tree of its own would have it.
SplitRule rule_of(const Fork& fork, std::size_t place) {
  SplitRule rule{fork.rule, fork.verdicts[place], {}};
  if (!fork.runner_ups.empty()) rule.runner_ups = fork.runner_ups[place];
  return rule;
}

// A node of the tree that is being put together: one that is shared, or one of a part that grew alone.
struct Piece {
  const PathNode* shared;
  const Tree* part;
  std::size_t node;  // of the part
  std::int32_t parent;
};

}  // namespace

Tree tree_of(const PathNode& root, std::size_t order, double q, std::size_t n_classes, std::size_t n_nodes) {
  const Order of(q);
  Tree tree;
  tree.n_classes = n_classes;
  tree.reserve(n_nodes);
  std::vector<Piece> queue{{&root, nullptr, 0, -1}};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    Piece piece = queue[i];
    if (piece.part == nullptr && piece.shared->alone != nullptr) {
      piece = {nullptr, piece.shared->alone, piece.shared->alone_root, piece.parent};
    }
    const auto number = static_cast<std::int32_t>(i);
    const auto next = static_cast<std::int32_t>(queue.size());
    tree.parent.push_back(piece.parent);
    if (piece.part != nullptr) {
      const Tree& part = *piece.part;
      const std::int32_t children = part.n_children[piece.node];
      tree.first_child.push_back(children == 0 ? -1 : next);
      tree.append(part, piece.node);
      for (std::int32_t branch = 0; branch < children; ++branch) {
        queue.push_back({nullptr, &part, static_cast<std::size_t>(part.first_child[piece.node] + branch), number});
      }
      continue;
    }
    const PathNode& node = *piece.shared;
    const auto [fork, place] = fork_of(node, order);
    double weight = 0.0;
    for (std::size_t k = 0; k < n_classes; ++k) weight += node.counts[k];
    const double impurity = node.rows == 0 ? 0.0 : of.weighted(node.counts, n_classes, 1, weight) / weight;
    tree.first_child.push_back(fork == nullptr ? -1 : next);
    if (fork == nullptr) {
      append_node(tree, node.counts, node.rows, impurity, nullptr);
      continue;
    }
    const SplitRule rule = rule_of(*fork, place);
    append_node(tree, node.counts, node.rows, impurity, &rule);
    for (PathNode* child : fork->children) queue.push_back({child, nullptr, 0, number});
  }
  return tree;
}

}  // namespace ramify
