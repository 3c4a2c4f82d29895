// What must hold of every grown tree, whatever the data and the settings.
#pragma once

#include "dataset.hpp"
#include "ramify/grow.hpp"
#include "ramify/tree.hpp"

namespace ramify::tests {

void check_invariants(const Tree& tree, const Dataset& dataset, const Storage& storage,
                      const GrowthSettings& settings, std::size_t jobs);

// The rows of each node, found by walking the rows down the tree by its arrays, independently of `apply`.
std::vector<std::vector<std::size_t>> rows_by_node(const Tree& tree, const Dataset& dataset);

}  // namespace ramify::tests
