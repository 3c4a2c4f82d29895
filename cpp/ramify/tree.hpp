// A finished tree: a struct of arrays, one element a node.
//
// Nodes are numbered level by level, the root 0, the children of a node next to each other; so a child's
// number is always above its parent's. A node without children is a leaf. An empty leaf (a category that no
// case of its parent has) answers like its parent.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ramify/split.hpp"

namespace ramify {

struct Tree {
  std::size_t n_classes = 0;
  std::vector<std::int32_t> first_child;    // -1 in a leaf
  std::vector<std::int32_t> n_children;     // 0 in a leaf
  std::vector<std::int32_t> parent;         // -1 in the root
  std::vector<std::int32_t> column;         // -1 in a leaf
  std::vector<std::uint8_t> kind;           // SplitKind
  std::vector<double> threshold;            // a number goes left when it is <= threshold
  std::vector<std::int64_t> routes_begin;   // nominal: where the node's routes begin in `routes`
  std::vector<std::int32_t> routes_size;    // and how many, one a category
  std::vector<std::int32_t> routes;         // the branch of each category; -1: stays in the node
  std::vector<std::int32_t> missing_route;  // where a missing value goes: a branch, or a MissingRoute
  std::vector<double> unknown;              // weight of the training cases whose value was missing
  std::vector<double> counts;               // nodes x classes, sums of weights
  std::vector<std::int64_t> n_rows;         // rows that the node holds, if only in part
  std::vector<double> impurity;             // entropy of the order in use
  std::vector<double> score;                // of the split; 0 in a leaf
  std::vector<double> gain;                 // of the split, in the entropy of the order in use; 0 in a leaf
  std::vector<std::uint8_t> search;         // SearchMethod by which the split was found
  std::vector<std::uint8_t> exact;          // 1 if no column of the node was searched heuristically
  // The best splits of the columns that were not chosen, best first: those of node i begin at
  // runner_begin[i] in the arrays that follow, and there are runner_size[i] of them.
  std::vector<std::int64_t> runner_begin;
  std::vector<std::int32_t> runner_size;
  std::vector<std::int32_t> runner_column;
  std::vector<std::uint8_t> runner_kind;
  std::vector<double> runner_threshold;
  std::vector<std::int64_t> runner_routes_begin;  // their routes lie in `routes` too
  std::vector<std::int32_t> runner_routes_size;
  std::vector<double> runner_score;
  std::vector<double> runner_gain;

  // Makes room for so many nodes, routes and runner-ups left out.
  void reserve(std::size_t nodes);
  // Writes neighbouring nodes of another tree behind the last one: all but their parents and first children. Its
  // routes and runner-ups must be in the order of its nodes.
  void append(const Tree& from, std::size_t begin, std::size_t end);

  std::size_t size() const { return column.size(); }
  std::size_t max_depth() const;
  std::size_t n_leaves() const;
  std::size_t n_empty() const;

  // What is wrong with it, in words; empty if nothing is. After this no walk can leave the arrays or run in
  // circles. `n_categories`: for each column the number of categories, 0 for a numeric one.
  std::string problem(const std::vector<std::uint32_t>& n_categories) const;

 private:
  std::string problem_of_node(std::size_t node, std::size_t next_child,
                              const std::vector<std::uint32_t>& n_categories) const;
  std::string problem_of_split(std::size_t node, std::size_t next_child,
                               const std::vector<std::uint32_t>& n_categories) const;
  std::string problem_of_rule(std::size_t node, const std::vector<std::uint32_t>& n_categories) const;
  std::string problem_of_runners(std::size_t node, const std::vector<std::uint32_t>& n_categories) const;
  // What is wrong with the routes from `begin` on, which must be one a category, to branches below `branches`.
  std::string problem_of_routes(std::int64_t begin, std::int32_t size, std::uint32_t categories,
                                std::int32_t branches) const;
};

}  // namespace ramify
