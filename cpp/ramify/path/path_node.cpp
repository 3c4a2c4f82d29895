#include "ramify/path/path_node.hpp"

#include <algorithm>

#include "ramify/growing_node.hpp"

namespace ramify {

namespace {

// The split of the order, as a tree of its own would have it; null in a leaf.
std::unique_ptr<SplitRule> rule_of(const Fork& fork, std::size_t place) {
  auto rule = std::make_unique<SplitRule>(fork.rule);
  const Told& told = fork.told[place];
  rule->score = told.score;
  rule->gain = told.gain;
  rule->method = told.method;
  rule->exact = told.exact;
  rule->runner_ups = told.runner_ups;
  return rule;
}

}  // namespace

Tree tree_of(const PathNode& root, std::size_t order, double q, std::size_t n_classes) {
  const Order of(q);
  NodeStore store;
  GrowingNode* const top = store.make_nodes(1);
  std::vector<std::pair<const PathNode*, GrowingNode*>> stack{{&root, top}};
  while (!stack.empty()) {
    const auto [from, to] = stack.back();
    stack.pop_back();
    to->counts = from->counts.data();
    to->weight = from->weight;
    to->rows = from->rows;
    to->impurity = from->rows == 0 ? 0.0 : of.weighted(to->counts, n_classes, 1, to->weight) / to->weight;
    for (const Fork& fork : from->forks) {
      const auto place = std::lower_bound(fork.orders.begin(), fork.orders.end(), order);
      if (place == fork.orders.end() || *place != order) continue;
      to->split = rule_of(fork, static_cast<std::size_t>(place - fork.orders.begin()));
      to->children = store.make_nodes(fork.children.size());
      for (std::size_t i = 0; i < fork.children.size(); ++i)
        stack.emplace_back(fork.children[i], to->children + i);
    }
  }
  return finish(*top, n_classes);
}

}  // namespace ramify
