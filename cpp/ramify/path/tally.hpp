// What the trees of a path come to, order by order: their sizes, and how they answer for rows that they were not
// grown from. Trees need not be kept for it: the test rows ride along as nodes are split.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ramify/answers.hpp"
#include "ramify/columns.hpp"
#include "ramify/path/orders.hpp"
#include "ramify/path/steady_sum.hpp"
#include "ramify/split.hpp"

namespace ramify {

// Test rows in a node, and the orders whose trees brought them there. Orders may come to the same training rows by
// different ways, and so with different test rows.
struct Riders {
  OrderList orders;
  std::vector<std::uint32_t> rows;
};

// The rows that are tested, and how nodes answer.
struct Exam {
  const std::vector<Feature>& features;
  const std::uint32_t* classes;
  const double* weights;  // of the test rows; null: all count once
  const Answering& answering;
  const std::vector<double>& root;  // class counts of the training rows
  SteadyTerms terms;                // what the test rows add to sums over them
};

// The terms of sums over these test rows.
SteadyTerms terms_of(std::span<const std::uint32_t> tested, const double* weights);

class Tally {
 public:
  // `nodes`: 1 for trees that have a root already.
  explicit Tally(std::size_t orders, double nodes = 0.0)
      : correct(orders), log_loss(orders), n_nodes(orders, nodes), n_leaves(orders, nodes), depth(orders, 0.0) {}

  // Adds what was found in other parts of the same trees.
  void add(const Tally& other);

  // A node at this depth was split into so many branches.
  void add_split(std::span<const std::uint16_t> orders, std::size_t branches, std::size_t depth_of_children);
  // Riders end in a node with these class counts.
  void add_answers(const Exam& exam, std::span<const double> counts, std::span<const std::uint16_t> orders,
                   std::span<const std::uint32_t> rows);

  std::vector<SteadySum> correct;   // weight of test rows that are answered rightly
  std::vector<SteadySum> log_loss;  // summed over test rows
  std::vector<double> n_nodes;
  std::vector<double> n_leaves;
  std::vector<double> depth;

 private:
  std::vector<double> shares_;
};

}  // namespace ramify
