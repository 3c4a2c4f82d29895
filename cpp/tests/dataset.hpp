// Data to grow trees from, and the memory in which the core reads them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/labels.hpp"
#include "random.hpp"

namespace ramify::tests {

// One column, its values exactly as they are stored: a float32 field holds only numbers that a float can. A NaN
// or, as a category, kMissingCategory is a missing value.
struct Field {
  ValueType type = ValueType::float64;
  std::uint32_t n_categories = 0;
  std::vector<double> values;

  bool nominal() const { return type == ValueType::category; }
  bool may_miss() const;
};

// How the columns lie in memory. The core reads all of NumPy's layouts in place.
enum class Layout : std::uint8_t {
  columns,   // each on its own
  matrix,    // row by row; all columns need one numeric type
  padded,    // with as much rubbish between the values
  reversed,  // last row first: a negative stride
};

struct Dataset {
  std::vector<Field> fields;
  std::vector<std::uint32_t> classes;
  std::uint32_t n_classes = 1;
  std::vector<double> weights;  // empty: all rows count once
  Layout layout = Layout::columns;

  std::size_t rows() const { return classes.size(); }
  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }
  std::vector<std::uint32_t> n_categories() const;

  // The rows of these numbers, in this order; numbers may come more than once.
  Dataset taken(const std::vector<std::size_t>& numbers) const;
};

// The memory of a dataset. Arrays are as long as they must be and no longer, so that a sanitizer sees every
// step beyond their ends.
class Storage {
 public:
  // `in_parts`: rows with missing values will go down several branches.
  explicit Storage(const Dataset& dataset, bool in_parts = false);
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;

  const std::vector<Feature>& features() const { return features_; }
  const Labels& labels() const { return labels_; }

 private:
  void store_matrix(const Dataset& dataset);
  void store_column(const Field& field, Layout layout);

  std::vector<std::unique_ptr<std::byte[]>> memory_;
  std::vector<Feature> features_;
  std::vector<std::uint32_t> classes_;
  std::vector<double> weights_;
  Labels labels_;
};

// What a random dataset is to be like.
struct Shape {
  std::size_t rows = 100;
  std::size_t columns = 3;
  std::uint32_t n_classes = 2;
  std::uint32_t most_categories = 2000;
  double nominal_share = 0.3;  // of the columns
  Weighting weighting = Weighting::unit;
};

Dataset random_dataset(Random& random, const Shape& shape);

}  // namespace ramify::tests
