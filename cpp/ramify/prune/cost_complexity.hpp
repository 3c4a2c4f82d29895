// Cost-complexity pruning (Breiman et al. 1984): the weakest link goes first.
//
// Glossary
//   R(t)   the impurity of a node times its share of all cases; of a subtree, the sum over its leaves.
//   link   an inner node t. It is as weak as (R(t) - R(subtree of t)) / (leaves of that subtree - 1) is small.
//   path   the trees that come of cutting the weakest link again and again, until only the root is left.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/prune/validation.hpp"

namespace ramify {

// One element for the whole tree (alpha 0, node -1), and one for each link that is cut, in this order.
struct PruningPath {
  std::vector<double> alphas;          // of the link that was cut; they never fall
  std::vector<double> impurities;      // R of the tree that is left
  std::vector<std::int64_t> n_leaves;  // and its leaves
  std::vector<std::int32_t> nodes;     // the node that became a leaf
  std::vector<double> errors;          // validation errors of the tree that is left, if errors were given
};

// The path up to the first link whose alpha is above `last_alpha`. `errors` may be null. In O(n log n): see the
// source for why.
PruningPath cost_complexity_path(const Tree& tree, double last_alpha, const NodeErrors* errors);

// The smallest tree of the path whose alpha is at most that (scikit-learn's rule).
Tree prune_cost_complexity(const Tree& tree, double alpha);

}  // namespace ramify
