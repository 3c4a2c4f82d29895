// All orders of the entropy at once, on all rows of some data or on folds of them.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "ramify/grow.hpp"
#include "ramify/path/path_grower.hpp"

namespace ramify {

// The trees of a path, and which of them each order has.
struct PathTrees {
  std::vector<Tree> trees;
  std::vector<std::uint32_t> which;
};

// Rows to grow from and rows to test on.
struct Fold {
  std::span<const std::uint32_t> train;  // ascending
  std::span<const std::uint32_t> test;
  std::vector<double> weights;  // of all rows, read for those of `train`; empty: all count once
  GrowthSettings settings;      // their q is not read
  Answering answering;          // to the test rows
};

class Path {
 public:
  // The features and classes must outlive this.
  Path(std::vector<Feature> features, const std::uint32_t* classes, std::size_t rows, std::uint32_t n_classes);

  // Whether trees on some of the rows may be grown with such settings: not where bins or lists of values are made
  // from the rows that are trained on, nor where growth has no way down that could be shared (best first).
  static bool takes_some_rows(const GrowthSettings& settings);

  std::size_t rows() const { return rows_; }
  std::uint32_t n_classes() const { return n_classes_; }
  std::size_t columns() const { return features_.size(); }

  // One tree for each set of orders that have the same (its figures those of the first), or one for every order.
  // Where the settings take all rows only, the fold must be all of them.
  PathTrees trees(const Fold& fold, const std::vector<double>& qs, bool every, Pool& pool);

  // What the trees of each fold come to. Without pruning.
  std::vector<Tally> evaluate(const std::vector<Fold>& folds, const double* test_weights,
                              const std::vector<double>& qs, Pool& pool);

 private:
  bool in_parts(const GrowthSettings& settings) const;
  const Columns& shared_columns(Pool& pool);
  // The orders with their tables, which stay from one call to the next; one for each worker.
  std::span<Orders> orders_for(const std::vector<double>& qs, std::span<const Labels> labels, std::size_t workers);
  PathTrees trees_one_by_one(const Fold& fold, const Labels& labels, const std::vector<double>& qs, Pool& pool);
  Tally evaluate_fold(const Fold& fold, const Labels& labels, const double* test_weights, std::span<Orders> orders,
                      const std::function<void(PathGrower&)>& grow);

  std::vector<Feature> features_;
  const std::uint32_t* classes_;
  std::size_t rows_;
  std::uint32_t n_classes_;
  std::unique_ptr<Columns> columns_;
  std::vector<Orders> orders_;
};

}  // namespace ramify
