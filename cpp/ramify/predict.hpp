// Walking rows down a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/threads.hpp"
#include "ramify/tree.hpp"

namespace ramify {

// Writes for each row the node in which it ends: a leaf, or the node whose split has no branch for its
// category (a code of -1 is a category never seen). The tree must be without problems for these features.
void apply(const Tree& tree, const std::vector<Feature>& features, std::size_t rows, Pool& pool,
           std::int32_t* ends);

// The nodes on the way from the root to each end, root first: those of row i are nodes[starts[i]] up to
// nodes[starts[i + 1]].
struct Paths {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> nodes;
};
Paths paths(const Tree& tree, const std::int32_t* ends, std::size_t rows);

}  // namespace ramify
