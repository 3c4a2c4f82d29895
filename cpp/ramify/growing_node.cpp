#include "ramify/growing_node.hpp"

namespace ramify {

namespace {

void add_runner_ups(Tree& tree, const SplitRule& split) {
  tree.runner_begin.push_back(static_cast<std::int64_t>(tree.runner_column.size()));
  tree.runner_size.push_back(static_cast<std::int32_t>(split.runner_ups.size()));
  for (const SplitRule& runner : split.runner_ups) {
    tree.runner_column.push_back(static_cast<std::int32_t>(runner.column));
    tree.runner_kind.push_back(static_cast<std::uint8_t>(runner.kind));
    tree.runner_threshold.push_back(runner.threshold);
    tree.runner_routes_begin.push_back(static_cast<std::int64_t>(tree.routes.size()));
    tree.runner_routes_size.push_back(static_cast<std::int32_t>(runner.routes.size()));
    tree.routes.insert(tree.routes.end(), runner.routes.begin(), runner.routes.end());
    tree.runner_score.push_back(runner.score);
    tree.runner_gain.push_back(runner.gain);
  }
}

}  // namespace

void append_node(Tree& tree, const double* counts, std::size_t rows, double impurity, const SplitRule* rule) {
  static const SplitRule kNone;
  const bool leaf = rule == nullptr;
  const SplitRule& split = leaf ? kNone : *rule;
  tree.counts.insert(tree.counts.end(), counts, counts + tree.n_classes);
  tree.n_rows.push_back(static_cast<std::int64_t>(rows));
  tree.impurity.push_back(impurity);
  tree.n_children.push_back(leaf ? 0 : static_cast<std::int32_t>(split.n_branches));
  tree.column.push_back(leaf ? -1 : static_cast<std::int32_t>(split.column));
  tree.kind.push_back(static_cast<std::uint8_t>(leaf ? SplitKind::leaf : split.kind));
  tree.threshold.push_back(leaf ? 0.0 : split.threshold);
  tree.routes_begin.push_back(static_cast<std::int64_t>(tree.routes.size()));
  tree.routes_size.push_back(leaf ? 0 : static_cast<std::int32_t>(split.routes.size()));
  if (!leaf) tree.routes.insert(tree.routes.end(), split.routes.begin(), split.routes.end());
  tree.missing_route.push_back(leaf ? static_cast<std::int32_t>(kStays) : split.missing_route);
  tree.unknown.push_back(leaf ? 0.0 : split.unknown_weight);
  tree.score.push_back(leaf ? 0.0 : split.score);
  tree.gain.push_back(leaf ? 0.0 : split.gain);
  tree.search.push_back(static_cast<std::uint8_t>(leaf ? SearchMethod::every_cut : split.method));
  tree.exact.push_back(leaf || split.exact ? 1 : 0);
  add_runner_ups(tree, split);
}

std::vector<PlacedNode> by_levels(const GrowingNode& root) {
  std::vector<PlacedNode> nodes{{&root, -1}};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const GrowingNode* node = nodes[i].node;
    if (node->children == nullptr) continue;
    for (std::size_t branch = 0; branch < node->split->n_branches; ++branch) {
      nodes.push_back({node->children + branch, static_cast<std::int32_t>(i)});
    }
  }
  return nodes;
}

Tree finish(const GrowingNode& root, std::size_t n_classes) {
  const std::vector<PlacedNode> nodes = by_levels(root);
  Tree tree;
  tree.n_classes = n_classes;
  tree.reserve(nodes.size());
  std::int32_t next = 1;  // the number of the first child that has none
  for (const auto& [node, parent] : nodes) {
    const bool leaf = node->children == nullptr;
    tree.parent.push_back(parent);
    tree.first_child.push_back(leaf ? -1 : next);
    append_node(tree, node->counts, node->rows, node->impurity, leaf ? nullptr : node->split);
    if (!leaf) next += static_cast<std::int32_t>(node->split->n_branches);
  }
  return tree;
}

}  // namespace ramify
