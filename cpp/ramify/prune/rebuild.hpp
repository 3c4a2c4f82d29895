// A new tree from an old one and what pruning decided about its nodes.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/tree.hpp"

namespace ramify {

// Decisions about the nodes of a tree. An empty array decides nothing.
struct Decisions {
  std::vector<char> leaf;             // 1: the node becomes a leaf, and all below it goes
  std::vector<std::int32_t> joined;   // the sibling that a node is merged into, itself if into none; that sibling
                                      // comes first among those merged, and all of them are leaves by then
  std::vector<double> joined_counts;  // nodes x classes, what a node counts after others were merged into it;
  std::vector<std::int64_t> joined_rows;  // its rows then,
  std::vector<double> joined_impurity;    // and its impurity
};

// The tree after the decisions, numbered level by level, with nothing in its pools that no node uses. Only the
// children of `tree` are read, not the parents: a tree that is being worked on need not be in level order.
Tree rebuild(const Tree& tree, const Decisions& decisions);

// Makes a node of a tree that is being worked on a leaf.
void make_leaf(Tree& tree, std::size_t node);

}  // namespace ramify
