// A node of many trees at once: those of all orders that came to it share it, and part where they split it in
// different ways.
#pragma once

#include <cstdint>
#include <deque>
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
  // Or all that grows from here, if one order only came here: a part of a tree, and the node of it.
  const Tree* alone = nullptr;
  std::size_t alone_root = 0;
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
};

// Parts of one order's tree that grew alone. They stay where they are: to make them longer would be to copy them
// again and again.
class LoneParts {
 public:
  // A part's place: its nodes are written behind the last of this tree.
  Tree& room_for(std::size_t nodes, std::size_t n_classes);

 private:
  std::deque<Tree> trees_;
  Tree* open_ = nullptr;  // the one of them that takes small parts
  std::size_t room_ = 0;  // nodes for which it has room
};

// The tree of one order, of so many nodes.
Tree tree_of(const PathNode& root, std::size_t order, double q, std::size_t n_classes, std::size_t n_nodes);

}  // namespace ramify
