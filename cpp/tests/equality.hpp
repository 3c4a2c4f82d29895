// When two trees are the same.
#pragma once

#include <string>

#include "ramify/tree.hpp"

namespace ramify::tests {

// The name of the first array in which two trees differ; empty if they are the same bit by bit.
std::string difference(const Tree& a, const Tree& b);

// The same for trees grown from the same cases in another order or as copies: the numbers of a split may then
// differ by rounding, and with `copies` the rows of a node are counted differently.
std::string difference_in_structure(const Tree& a, const Tree& b, bool copies = false);

}  // namespace ramify::tests
