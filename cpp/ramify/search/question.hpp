// What a search is asked: the node to split, and which splits of it may be chosen.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "ramify/scoring.hpp"

namespace ramify {

// The node's side of the question: of all its cases, or of those whose value is known. Counts are sums of weights;
// rows are rows.
struct NodeTotals {
  const double* counts;  // one a class
  std::size_t classes;
  std::size_t rows;
  double weight;
  double entropy;  // of all cases of the node, in the order in use; the scale of the tie rule
};

// The rules' side of it, the same for all nodes but for min_gain and min_weight.
struct Admission {
  std::size_t min_samples_leaf = 1;
  double min_weight = 0.0;  // of a branch
  double min_gain = 0.0;    // 0 asks nothing: a split without gain is admissible then

  bool admits_rows(std::size_t left, std::size_t right) const {
    return left >= min_samples_leaf && right >= min_samples_leaf;
  }
  bool admits_weights(double left, double right) const { return left >= min_weight && right >= min_weight; }
};

// Scores closer than this part of their scale are equal.
inline constexpr double kTieWidth = 1e-9;

// How splits are scored: the same for all nodes.
struct Scorebook {
  explicit Scorebook(const Order& order_in_use) : order(order_in_use) {}

  Order order;                                         // of the entropy in use
  ScoreTables score;                                   // by look-ups where it can be
  ScoreTables definition;                              // the same without; for a callable the callable
  std::shared_ptr<const PowerTable> powers;            // null where counts can't be looked up
  double (*compare)(const SplitEntropies&) = nullptr;  // of a comparison of entropies
  double min_support = 0.0;
  bool is_callable = false;
  bool in_range = true;  // powers of the counts stay in the range of a double
  bool score_is_gain = false;
  bool share_order_is_exact = false;
  bool two_branches_only = false;
  bool score_is_share = false;

  // Scores closer than this are equal; a score that is a share of something has a scale of its own.
  double tie_width(double best, double entropy) const {
    return kTieWidth * std::max({std::abs(best), entropy, score_is_share ? 1.0 : 0.0});
  }
};

// Room for the tables that a question makes of those it is asked about.
struct ScoreBuffers {
  std::vector<double> tables;
  std::vector<double> scores;
};

struct Question {
  const Scorebook& book;
  const NodeTotals& node;
  const Admission& admission;
  // A score that some column of the node has reached: what stays clearly below it need not be looked at.
  double reached = -std::numeric_limits<double>::infinity();
  // The share of the node's weight whose value is known. A split earns that part of what it would earn alone.
  double known_share = 1.0;
  // Class counts of one more branch, that of the missing values; null if there is none.
  const double* aside = nullptr;
  double aside_weight = 0.0;

  // Whether the cases it is about are all that the node has.
  bool none_missing() const { return known_share == 1.0 && aside == nullptr; }
  double all_weight() const { return node.weight / known_share + aside_weight; }

  // The scores of tables of the node's cases, in the light of those whose value is missing.
  void score(const TableBatch& batch, double* scores, ScoreBuffers& buffers) const;
  double score_one(const TableBatch& one, ScoreBuffers& buffers) const {
    double value = 0.0;
    score(one, &value, buffers);
    return value;
  }
  double score_by_definition(const TableBatch& one, ScoreBuffers& buffers) const;
  bool gain_suffices(const TableBatch& one, ScoreBuffers& buffers) const;

 private:
  TableBatch with_aside(const TableBatch& batch, std::vector<double>& tables) const;
  void scale_to_known(const TableBatch& batch, double* scores, ScoreBuffers& buffers) const;
};

// The table of which every branch has the class distribution of all: what a split without information makes.
void level(const TableBatch& one, double* out);

}  // namespace ramify
