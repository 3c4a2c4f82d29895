// Where the cases of a validation set end, and what the nodes of a tree get wrong about them.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/tree.hpp"

namespace ramify {

struct ValidationCases {
  const std::vector<Feature>& features;
  const std::uint32_t* classes;
  const double* weights;  // may be null
  std::size_t rows;
};

// Weights of errors, one element a node. A case that goes down several branches errs in parts: each part errs if
// the node where it ends has another class for its answer.
struct NodeErrors {
  std::vector<double> ending;   // of the cases that end in the node, be it a leaf or not
  std::vector<double> as_leaf;  // of all cases that come to the node, if it were a leaf
};

// `answers`: the class that each node predicts.
NodeErrors node_errors(const Tree& tree, const ValidationCases& cases, const std::vector<std::uint32_t>& answers);

// The class of the largest count in each node, the first of equal ones; an empty node answers like its parent.
std::vector<std::uint32_t> majority_classes(const Tree& tree);

}  // namespace ramify
