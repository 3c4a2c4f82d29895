#include "ramify/prune/validation.hpp"

#include <algorithm>
#include <utility>

#include "ramify/routing.hpp"

namespace ramify {

namespace {

// Calls end(row, node, weight) wherever a row ends, in part or as a whole.
template <class End>
void walk(const Tree& tree, const ValidationCases& cases, End&& end) {
  const std::vector<double> weights = node_weights(tree);
  std::vector<std::pair<std::size_t, double>> stack;
  for (std::size_t row = 0; row < cases.rows; ++row) {
    stack.emplace_back(0, cases.weights == nullptr ? 1.0 : cases.weights[row]);
    while (!stack.empty()) {
      auto [node, weight] = stack.back();
      stack.pop_back();
      std::int32_t branch = kStays;
      while (tree.n_children[node] != 0) {
        branch = branch_of(tree, cases.features, node, row);
        if (branch < 0) break;
        node = static_cast<std::size_t>(tree.first_child[node] + branch);
      }
      const auto first = static_cast<std::size_t>(tree.n_children[node] == 0 ? 0 : tree.first_child[node]);
      const std::size_t last = first + static_cast<std::size_t>(tree.n_children[node]);
      double below = 0.0;
      if (branch == kEveryBranch) {
        for (std::size_t child = first; child < last; ++child) below += weights[child];
      }
      if (!(below > 0.0)) {  // it stays, or there is no branch with a share
        end(row, node, weight);
        continue;
      }
      for (std::size_t child = first; child < last; ++child) {
        if (weights[child] > 0.0) stack.emplace_back(child, weight * (weights[child] / below));
      }
    }
  }
}

}  // namespace

NodeErrors node_errors(const Tree& tree, const ValidationCases& cases, const std::vector<std::uint32_t>& answers) {
  std::vector<double> counts(tree.counts.size(), 0.0);
  walk(tree, cases, [&](std::size_t row, std::size_t node, double weight) {
    counts[node * tree.n_classes + cases.classes[row]] += weight;
  });
  NodeErrors errors{std::vector<double>(tree.size()), std::vector<double>(tree.size())};
  const auto wrong = [&](std::size_t node) {
    double sum = 0.0;
    for (std::size_t k = 0; k < tree.n_classes; ++k) {
      if (k != answers[node]) sum += counts[node * tree.n_classes + k];
    }
    return sum;
  };
  for (std::size_t node = 0; node < tree.size(); ++node) errors.ending[node] = wrong(node);
  for (std::size_t node = tree.size(); node-- > 0;) {
    errors.as_leaf[node] = wrong(node);
    if (node == 0) break;
    const auto parent = static_cast<std::size_t>(tree.parent[node]);
    for (std::size_t k = 0; k < tree.n_classes; ++k) {
      counts[parent * tree.n_classes + k] += counts[node * tree.n_classes + k];
    }
  }
  return errors;
}

std::vector<std::uint32_t> majority_classes(const Tree& tree) {
  std::vector<std::uint32_t> classes(tree.size());
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const double* counts = tree.counts.data() + node * tree.n_classes;
    classes[node] = tree.n_rows[node] == 0
                        ? classes[static_cast<std::size_t>(tree.parent[node])]
                        : static_cast<std::uint32_t>(std::max_element(counts, counts + tree.n_classes) - counts);
  }
  return classes;
}

}  // namespace ramify
