// What a search is asked: the node to split, and which splits of it may be chosen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

#include "ramify/scoring.hpp"

namespace ramify {

// The node's side of the question. Counts are sums of weights; rows are rows.
struct NodeTotals {
  const double* counts;  // one a class
  std::size_t classes;
  std::size_t rows;
  double weight;
  double entropy;  // of the order in use; the scale of the tie rule
};

// The rules' side of it, the same for all nodes but for min_gain.
struct Admission {
  std::size_t min_samples_leaf = 1;
  double min_gain = 0.0;  // 0 asks nothing: a split without gain is admissible then

  // Splits between the first `left` of the node's rows and the others.
  bool admits_sizes(std::size_t left, std::size_t right) const {
    return left >= min_samples_leaf && right >= min_samples_leaf;
  }
};

// How splits are scored: the same for all nodes.
struct Scorebook {
  explicit Scorebook(const Order& order_in_use) : order(order_in_use) {}

  Order order;                               // of the entropy in use
  ScoreTables score;                         // by look-ups where it can be
  ScoreTables definition;                    // the same without; empty for a callable
  std::shared_ptr<const PowerTable> powers;  // null where counts can't be looked up
  bool score_is_gain = false;
  bool share_order_is_exact = false;
  bool two_branches_only = false;
};

struct Question {
  const Scorebook& book;
  const NodeTotals& node;
  const Admission& admission;
  // A score that some column of the node has reached: what stays clearly below it need not be looked at.
  double reached = -std::numeric_limits<double>::infinity();

  bool gain_suffices(const TableBatch& one) const {
    // The slack lets a split whose gain is the minimum, but for rounding, pass.
    return admission.min_gain <= 0.0 || gain_of(one, book.order) >= admission.min_gain - 1e-12 * node.entropy;
  }
};

}  // namespace ramify
