// Whether a tree chose the splits that it had to choose.
#pragma once

#include "dataset.hpp"
#include "ramify/grow.hpp"
#include "ramify/tree.hpp"

namespace ramify::tests {

// Compares up to `most_nodes` nodes of a tree of exact cuts with the reference, the largest ones first.
void check_choices(const Tree& tree, const Dataset& dataset, const GrowthSettings& settings,
                   std::size_t most_nodes);

}  // namespace ramify::tests
