#include "ramify/path/path_node.hpp"

#include <algorithm>

#include "ramify/growing_node.hpp"
#include "ramify/growth_rules.hpp"
#include "ramify/path/node_tape.hpp"
#include "ramify/processors.hpp"

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

// What comes next in a tree that is put together level by level: a node that is shared, or all nodes of one level
// of a part that grew alone, which are next to each other in the tree too.
struct Piece {
  const PathNode* shared;
  const std::uint8_t* tape;  // from this level on
  std::size_t nodes;         // of the level
  std::int32_t parent;  // of the shared node; or the first node of the level above, whether it has children or not
};

// Shared nodes lie all over the memory, and the next ones are known long before. They are asked for when they join
// the queue, and what they point to in two more steps, as it points on.
void look_ahead(const std::vector<Piece>& queue, std::size_t at) {
  constexpr std::size_t kFar = 16;
  constexpr std::size_t kNear = 8;
  const auto shared = [&](std::size_t i) { return i < queue.size() ? queue[i].shared : nullptr; };
  if (const PathNode* node = shared(at + kFar); node != nullptr) {
    RAMIFY_FETCH(node->counts);
    RAMIFY_FETCH(node->forks.data());
    RAMIFY_FETCH(node->alone);
  }
  if (const PathNode* node = shared(at + kNear); node != nullptr && !node->forks.empty()) {
    const Fork& likeliest = node->forks[0];
    RAMIFY_FETCH(likeliest.orders.data());
    RAMIFY_FETCH(likeliest.verdicts.data());
    RAMIFY_FETCH(likeliest.children.data());
  }
}

void append_taped(const TapedNode& node, std::int32_t parent, std::size_t first_child, Tree& tree) {
  tree.parent.push_back(parent);
  tree.first_child.push_back(node.leaf ? -1 : static_cast<std::int32_t>(first_child));
  append_node(tree, node.counts.data(), node.rows, node.impurity, node.leaf ? nullptr : &node.rule);
}

// Writes one level of a part; returns the next, whose nodes will have the numbers from `next` on.
Piece append_level(const Piece& level, std::size_t next, TapedNode& node, Tree& tree) {
  const auto first = static_cast<std::int32_t>(tree.size());
  const std::uint8_t* tape = level.tape;
  std::size_t below = 0;
  std::int32_t parent = level.parent;
  std::int32_t siblings = 0;  // that are written
  for (std::size_t i = 0; i < level.nodes; ++i) {
    while (siblings == tree.n_children[static_cast<std::size_t>(parent)]) {
      ++parent;
      siblings = 0;
    }
    ++siblings;
    read_node(tape, tree.n_classes, node);
    append_taped(node, parent, next + below, tree);
    below += node.leaf ? 0 : node.rule.n_branches;
  }
  return {nullptr, tape, below, first};
}

}  // namespace

Tree tree_of(const PathNode& root, std::size_t order, double q, std::size_t n_classes, std::size_t n_nodes) {
  const Order of(q);
  Tree tree;
  tree.n_classes = n_classes;
  tree.reserve(n_nodes);
  std::vector<Piece> queue{{&root, nullptr, 0, -1}};
  TapedNode taped;
  std::size_t next = 1;  // the number of the first child that has none
  for (std::size_t i = 0; i < queue.size(); ++i) {
    look_ahead(queue, i);
    const Piece piece = queue[i];
    const auto number = static_cast<std::int32_t>(tree.size());
    if (piece.shared == nullptr) {
      const Piece below = append_level(piece, next, taped, tree);
      next += below.nodes;
      if (below.nodes > 0) queue.push_back(below);
      continue;
    }
    const PathNode& node = *piece.shared;
    if (node.alone != nullptr) {
      const std::uint8_t* tape = node.alone;
      read_node(tape, n_classes, taped);
      append_taped(taped, piece.parent, next, tree);
      if (taped.leaf) continue;
      queue.push_back({nullptr, tape, taped.rule.n_branches, number});
      next += taped.rule.n_branches;
      continue;
    }
    const auto [fork, place] = fork_of(node, order);
    double weight = 0.0;
    for (std::size_t k = 0; k < n_classes; ++k) weight += node.counts[k];
    const double impurity = impurity_of(of, node.counts, n_classes, weight, node.rows);
    tree.parent.push_back(piece.parent);
    tree.first_child.push_back(fork == nullptr ? -1 : static_cast<std::int32_t>(next));
    if (fork == nullptr) {
      append_node(tree, node.counts, node.rows, impurity, nullptr);
      continue;
    }
    const SplitRule rule = rule_of(*fork, place);
    append_node(tree, node.counts, node.rows, impurity, &rule);
    for (PathNode* child : fork->children) {
      RAMIFY_FETCH(child);
      queue.push_back({child, nullptr, 0, number});
    }
    next += fork->children.size();
  }
  return tree;
}

}  // namespace ramify
