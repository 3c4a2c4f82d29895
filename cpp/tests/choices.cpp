#include "choices.hpp"

#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "invariants.hpp"
#include "ramify/search/best.hpp"
#include "reference.hpp"

namespace ramify::tests {

namespace {

constexpr double kRounding = 1e-9;  // of a score that was found with running sums

// True if nothing but the lack of an admissible split can have kept the node from being split.
bool might_split(const Tree& tree, std::size_t node, const GrowthSettings& settings) {
  const double* counts = &tree.counts[node * tree.n_classes];
  if (std::count_if(counts, counts + tree.n_classes, [](double c) { return c > 0.0; }) < 2) return false;
  const auto rows = static_cast<std::size_t>(tree.n_rows[node]);
  if (rows < settings.min_samples_split || rows / 2 < settings.min_samples_leaf) return false;
  if (settings.max_leaf_nodes != kUnlimited) return false;
  std::size_t depth = 0;
  for (std::size_t at = node; at != 0; at = static_cast<std::size_t>(tree.parent[at])) ++depth;
  return depth < settings.max_depth;
}

std::string words(const Tree& tree, std::size_t node, const Choice& choice) {
  return "node " + std::to_string(node) + " of " + std::to_string(tree.n_rows[node]) + " rows: column " +
         std::to_string(tree.column[node]) + " at " + std::to_string(tree.threshold[node]) + " scores " +
         std::to_string(tree.score[node]) + ", expected column " + std::to_string(choice.column) + " at " +
         std::to_string(choice.threshold) + ", score " + std::to_string(choice.best) + ", off by " +
         std::to_string((choice.best - tree.score[node]) / choice.scale * 1e9) + "e-9";
}

void compare(const Tree& tree, std::size_t node, const Choice& choice) {
  const double slack = kRounding * choice.scale;
  CHECK(tree.score[node] <= choice.best + slack, words(tree, node, choice));
  if (tree.exact[node] == 0) return;  // a heuristic promises no more
  CHECK(tree.score[node] >= choice.best - kTieWidth * choice.scale - slack, words(tree, node, choice));
  if (choice.in_doubt || !choice.by_subsets) return;
  CHECK(static_cast<std::size_t>(tree.column[node]) == choice.column, words(tree, node, choice));
  if (static_cast<std::size_t>(tree.column[node]) != choice.column) return;
  if (choice.routes.empty()) {
    CHECK(tree.threshold[node] == choice.threshold, words(tree, node, choice));
  } else {
    const auto begin = tree.routes.begin() + tree.routes_begin[node];
    CHECK(std::equal(choice.routes.begin(), choice.routes.end(), begin, begin + tree.routes_size[node]),
          words(tree, node, choice));
  }
}

}  // namespace

void check_choices(const Tree& tree, const Dataset& dataset, const GrowthSettings& settings,
                   std::size_t most_nodes) {
  const auto rows = rows_by_node(tree, dataset);
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.n_children[node] != 0 || might_split(tree, node, settings)) nodes.push_back(node);
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](std::size_t a, std::size_t b) { return rows[a].size() > rows[b].size(); });
  nodes.resize(std::min(nodes.size(), most_nodes));
  const Reference reference(dataset, settings);
  for (const std::size_t node : nodes) {
    const std::optional<Choice> choice = reference.choose(rows[node]);
    if (!choice) continue;
    const bool split = tree.n_children[node] != 0;
    CHECK(split == choice->found, words(tree, node, *choice));
    if (split && choice->found) compare(tree, node, *choice);
  }
}

}  // namespace ramify::tests
