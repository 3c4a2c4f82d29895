// Where a row goes from a node: the one rule for prediction and for pruning.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/tree.hpp"

namespace ramify {

// A split as the rule reads it.
struct Routes {
  std::size_t column;
  SplitKind kind;
  double threshold;
  std::int32_t missing_route;
  const std::int32_t* of_category;
  std::int32_t n_categories;
};

// The branch of a row, or a MissingRoute; a category without a branch stays.
inline std::int32_t branch_of(const Routes& routes, const std::vector<Feature>& features, std::size_t row) {
  const Feature& feature = features[routes.column];
  if (feature.missing(row)) return routes.missing_route;
  switch (routes.kind) {
    case SplitKind::threshold:
      return feature.number(row) > routes.threshold ? 1 : 0;
    case SplitKind::known:
      return 0;
    default: {
      const std::int32_t category = feature.category(row);
      if (category < 0 || category >= routes.n_categories) return kStays;
      const std::int32_t route = routes.of_category[category];
      return route < 0 ? std::int32_t{kStays} : route;
    }
  }
}

// In a node of a tree that has children.
inline std::int32_t branch_of(const Tree& tree, const std::vector<Feature>& features, std::size_t node,
                              std::size_t row) {
  const auto kind = static_cast<SplitKind>(tree.kind[node]);
  // Only nominal splits have routes; where those of others begin means nothing.
  const bool nominal = kind == SplitKind::subset || kind == SplitKind::multiway;
  return branch_of(
      {static_cast<std::size_t>(tree.column[node]), kind, tree.threshold[node], tree.missing_route[node],
       nominal ? tree.routes.data() + tree.routes_begin[node] : nullptr, nominal ? tree.routes_size[node] : 0},
      features, row);
}

// By a split that is not in a tree yet.
inline std::int32_t branch_of(const SplitRule& rule, const std::vector<Feature>& features, std::size_t row) {
  return branch_of({rule.column, rule.kind, rule.threshold, rule.missing_route, rule.routes.data(),
                    static_cast<std::int32_t>(rule.routes.size())},
                   features, row);
}

// The weight of the training cases of each node.
inline std::vector<double> node_weights(const Tree& tree) {
  std::vector<double> weights(tree.size(), 0.0);
  for (std::size_t i = 0; i < tree.counts.size(); ++i) weights[i / tree.n_classes] += tree.counts[i];
  return weights;
}

}  // namespace ramify
