// Reduced-error pruning: a subtree goes where a leaf in its place errs no more on cases that did not grow it.
#pragma once

#include "ramify/prune/validation.hpp"

namespace ramify {

// From the leaves up. A subtree that no validation case reaches becomes a leaf.
Tree prune_reduced_error(const Tree& tree, const ValidationCases& cases,
                         const std::vector<std::uint32_t>& answers);

}  // namespace ramify
