#include "ramify/path/path_node.hpp"

#include <algorithm>

#include "ramify/growing_node.hpp"
#include "ramify/growth_rules.hpp"

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
// of a part that grew alone, which are next to each other in either.
struct Piece {
  const PathNode* shared;
  const Tree* part;
  std::size_t begin;  // of the part's nodes
  std::size_t end;
  std::int32_t parent;  // of the shared node, or how much higher the numbers of the part's parents are
};

// Writes one level of a part; returns the next, whose nodes will have the numbers from `next` on.
Piece append_level(const Piece& level, std::size_t next, Tree& tree) {
  const Tree& part = *level.part;
  const auto shift = static_cast<std::int32_t>(tree.size()) - static_cast<std::int32_t>(level.begin);
  const auto shift_of_children = static_cast<std::int32_t>(next) - static_cast<std::int32_t>(level.end);
  std::size_t children = 0;
  for (std::size_t i = level.begin; i < level.end; ++i) {
    tree.parent.push_back(part.parent[i] + level.parent);
    tree.first_child.push_back(part.n_children[i] == 0 ? -1 : part.first_child[i] + shift_of_children);
    children += static_cast<std::size_t>(part.n_children[i]);
  }
  tree.append(part, level.begin, level.end);
  return {nullptr, level.part, level.end, level.end + children, shift};
}

}  // namespace

Tree& LoneParts::room_for(std::size_t nodes, std::size_t n_classes) {
  constexpr std::size_t kSmall = 64;
  constexpr std::size_t kFewest = 32;  // nodes of small parts, to begin with: most orders have few
  constexpr std::size_t kMost = 512;
  const auto add = [&](std::size_t room) {
    Tree& tree = trees_.emplace_back();
    tree.n_classes = n_classes;
    tree.reserve(room);
    return &tree;
  };
  if (nodes > kSmall) return *add(nodes);
  if (open_ == nullptr || open_->size() + nodes > room_) {
    room_ = std::max(nodes, std::clamp(2 * room_, kFewest, kMost));
    open_ = add(room_);
  }
  return *open_;
}

Tree tree_of(const PathNode& root, std::size_t order, double q, std::size_t n_classes, std::size_t n_nodes) {
  const Order of(q);
  Tree tree;
  tree.n_classes = n_classes;
  tree.reserve(n_nodes);
  std::vector<Piece> queue{{&root, nullptr, 0, 0, -1}};
  std::size_t next = 1;  // the number of the first child that has none
  for (std::size_t i = 0; i < queue.size(); ++i) {
    Piece piece = queue[i];
    if (piece.part == nullptr && piece.shared->alone != nullptr) {
      const std::size_t top = piece.shared->alone_root;  // whose parent is -1 in its part
      piece = {nullptr, piece.shared->alone, top, top + 1, piece.parent + 1};
    }
    if (piece.part != nullptr) {
      const Piece below = append_level(piece, next, tree);
      next += below.end - below.begin;
      if (below.begin != below.end) queue.push_back(below);
      continue;
    }
    const PathNode& node = *piece.shared;
    const auto number = static_cast<std::int32_t>(tree.size());
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
    for (PathNode* child : fork->children) queue.push_back({child, nullptr, 0, 0, number});
    next += fork->children.size();
  }
  return tree;
}

}  // namespace ramify
