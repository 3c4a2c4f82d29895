// Merging of sibling leaves that predict the same class.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/tree.hpp"

namespace ramify {

// A node whose children are all leaves of its own class becomes a leaf. In a multi-way split the leaves of one
// class become one branch, which stands where the first of them stood. From the leaves up. What the tree predicts
// does not change. `answers`: the class that each node predicts; `q`: the order of the entropy of its impurity.
// A split that loses branches keeps the score and the gain by which it was chosen. `join`: false leaves multi-way
// branches apart, where the answer to joined counts may not be that to each of them.
Tree merge_leaves(const Tree& tree, const std::vector<std::uint32_t>& answers, double q, bool join);

}  // namespace ramify
