// C4.5's pruning: a subtree goes where a leaf in its place is not estimated to err more.
#pragma once

#include <optional>

#include "ramify/columns.hpp"
#include "ramify/threads.hpp"
#include "ramify/tree.hpp"

namespace ramify {

struct PessimisticSettings {
  double confidence = 0.25;  // in (0, 0.5]
  double slack = 0.1;        // errors by which a replacement may be worse
  std::optional<double> z;   // instead of the normal quantile of 1 - confidence
  bool collapse = false;     // first drop subtrees that are no better than a leaf in training
};

// The tree without the subtrees whose training errors are not below those of their roots as leaves, from the
// root down. This is what J48 does before it prunes, and without pruning too.
Tree collapse(const Tree& tree);

// Subtree replacement, from the leaves up. Linear in the nodes.
Tree prune_pessimistic(const Tree& tree, const PessimisticSettings& settings);

// The training cases that raising must look at again. All arrays must outlive it. Rows of weight 0 are nothing.
struct TrainingCases {
  const std::vector<Feature>& features;
  const std::uint32_t* classes;
  const double* weights;  // may be null
  std::size_t rows;
  double q;  // order of the entropy in which the tree's impurity is
};

// Subtree replacement and subtree raising, as in J48: a node may also be replaced by its largest branch.
// `cases` must be those that the tree was grown from.
Tree prune_pessimistic(const Tree& tree, const PessimisticSettings& settings, const TrainingCases& cases,
                       Pool& pool);

}  // namespace ramify
