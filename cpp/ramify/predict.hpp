// Walking rows down a tree.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/routing.hpp"
#include "ramify/threads.hpp"
#include "ramify/tree.hpp"

namespace ramify {

// Writes for each row the node in which it ends: a leaf, or the node whose split has no branch for its category
// (never seen, or not in the node's training cases) or for its missing value. Of a row that goes down several
// branches in parts, the end that takes the largest part, the first such node. The tree must be without problems
// for these features.
void apply(const Tree& tree, const std::vector<Feature>& features, std::size_t rows, Pool& pool,
           std::int32_t* ends);

// True if some row may end in several nodes: what `apply` says is not all then.
bool may_part(const Tree& tree, const std::vector<Feature>& features);

// Writes for each row the sum over its ends of `values`, width numbers a node, times the part that ends there. The
// parts are shares of the nodes' weights, one a node: those of the tree's counts, or others.
void spread(const Tree& tree, const std::vector<Feature>& features, std::size_t rows,
            const std::vector<double>& weights, const double* values, std::size_t width, Pool& pool, double* out);

// The nodes that each row passes, those of row i being nodes[starts[i]] up to nodes[starts[i + 1]], in order of
// their numbers, so parents before children.
struct Paths {
  std::vector<std::int64_t> starts;
  std::vector<std::int32_t> nodes;
};
Paths paths(const Tree& tree, const std::vector<Feature>& features, std::size_t rows);

}  // namespace ramify
