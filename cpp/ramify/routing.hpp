// Where a row goes from a node: the one rule for prediction and for pruning.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/tree.hpp"

namespace ramify {

// The branch of a row in a node that has children, or a MissingRoute; a category without a branch stays.
inline std::int32_t branch_of(const Tree& tree, const std::vector<Feature>& features, std::size_t node,
                              std::size_t row) {
  const Feature& feature = features[static_cast<std::size_t>(tree.column[node])];
  if (feature.missing(row)) return tree.missing_route[node];
  switch (static_cast<SplitKind>(tree.kind[node])) {
    case SplitKind::threshold:
      return feature.number(row) > tree.threshold[node] ? 1 : 0;
    case SplitKind::known:
      return 0;
    default: {
      const std::int32_t category = feature.category(row);
      if (category < 0 || category >= tree.routes_size[node]) return kStays;
      const std::int32_t route = tree.routes[static_cast<std::size_t>(tree.routes_begin[node] + category)];
      return route < 0 ? std::int32_t{kStays} : route;
    }
  }
}

// The weight of the training cases of each node.
inline std::vector<double> node_weights(const Tree& tree) {
  std::vector<double> weights(tree.size(), 0.0);
  for (std::size_t i = 0; i < tree.counts.size(); ++i) weights[i / tree.n_classes] += tree.counts[i];
  return weights;
}

}  // namespace ramify
