// A node of many trees at once: those of all orders that came to it share it, and part where they split it in
// different ways.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ramify/path/orders.hpp"
#include "ramify/slab.hpp"
#include "ramify/split.hpp"
#include "ramify/tree.hpp"

namespace ramify {

struct PathNode;

// The orders that split a node in one way.
struct Fork {
  std::span<std::uint16_t> orders;
  std::span<Verdict> verdicts;                   // one an order
  std::span<std::vector<SplitRule>> runner_ups;  // likewise, if any are kept
  BranchRule rule;
  std::span<PathNode*> children;
};

struct PathNode {
  const double* counts = nullptr;  // one a class
  std::size_t rows = 0;
  std::span<Fork> forks;  // an order that is in none of them has a leaf here
  // Or a tape of all that grows from here, this node first, level by level, if one order only came here.
  const std::uint8_t* alone = nullptr;
};

// Owns nodes and all that they point to. They are many and outlive the rows by far: if each had its own place in
// the heap, the heap could not be used for rows again.
struct PathStore {
  Slab<PathNode> nodes;
  Slab<PathNode*> children;
  Slab<double> counts;
  Slab<Fork> forks;
  Slab<std::uint16_t> orders;
  Slab<Verdict> verdicts;
  Slab<std::vector<SplitRule>> runner_ups;
  Slab<std::uint8_t> tapes;
};

// The tree of one order, of so many nodes.
Tree tree_of(const PathNode& root, std::size_t order, double q, std::size_t n_classes, std::size_t n_nodes);

}  // namespace ramify
