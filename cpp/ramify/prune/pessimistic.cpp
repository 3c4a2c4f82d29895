#include "ramify/prune/pessimistic.hpp"

#include <algorithm>
#include <numeric>

#include "ramify/prune/error_estimate.hpp"
#include "ramify/prune/raising.hpp"
#include "ramify/prune/rebuild.hpp"

namespace ramify {

namespace {

double training_errors(const Tree& tree, std::size_t node) {
  const double* counts = tree.counts.data() + node * tree.n_classes;
  return std::accumulate(counts, counts + tree.n_classes, 0.0) -
         *std::max_element(counts, counts + tree.n_classes);
}

// Adds up over the leaves below each node; a child's number is above its parent's, so one pass is enough.
template <class OfLeaf>
std::vector<double> sums_of_leaves(const Tree& tree, OfLeaf&& of_leaf) {
  std::vector<double> sums(tree.size(), 0.0);
  for (std::size_t node = tree.size(); node-- > 0;) {
    if (tree.n_children[node] == 0) sums[node] = of_leaf(node);
    if (node > 0) sums[static_cast<std::size_t>(tree.parent[node])] += sums[node];
  }
  return sums;
}

Tree replace(const Tree& tree, const PessimisticSettings& settings) {
  const ErrorEstimate estimate(settings.confidence, settings.z);
  Decisions decisions;
  decisions.leaf.resize(tree.size(), 0);
  std::vector<double> sums(tree.size(), 0.0);
  for (std::size_t node = tree.size(); node-- > 0;) {
    const double as_leaf = estimate.of(tree.counts.data() + node * tree.n_classes, tree.n_classes);
    if (tree.n_children[node] == 0 || at_most(as_leaf, sums[node] + settings.slack)) {
      decisions.leaf[node] = 1;
      sums[node] = as_leaf;
    }
    if (node > 0) sums[static_cast<std::size_t>(tree.parent[node])] += sums[node];
  }
  return rebuild(tree, decisions);
}

}  // namespace

Tree collapse(const Tree& tree) {
  constexpr double kWorthIt = 1e-3;  // a subtree must save this many errors
  const std::vector<double> below =
      sums_of_leaves(tree, [&](std::size_t node) { return training_errors(tree, node); });
  Decisions decisions;
  decisions.leaf.resize(tree.size(), 0);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.n_children[node] != 0) {
      decisions.leaf[node] = below[node] >= training_errors(tree, node) - kWorthIt ? 1 : 0;
    }
  }
  return rebuild(tree, decisions);
}

Tree prune_pessimistic(const Tree& tree, const PessimisticSettings& settings) {
  return settings.collapse ? replace(collapse(tree), settings) : replace(tree, settings);
}

Tree prune_pessimistic(const Tree& tree, const PessimisticSettings& settings, const TrainingCases& cases,
                       Pool& pool) {
  return raise(settings.collapse ? collapse(tree) : tree, settings, cases, pool);
}

}  // namespace ramify
