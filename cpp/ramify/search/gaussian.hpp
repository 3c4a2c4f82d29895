// The one cut of a numeric column that a parametric view of the node proposes: each class a normal
// distribution fitted to the node's cases, the cut where the gain computed from them is largest.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "ramify/search/question.hpp"

namespace ramify {

// Weight, mean and spread of each class, gathered in three passes over the values. They are kept as places between
// the smallest value, 0, and the largest, 1, so that no square of a value can overflow.
class ClassNormals {
 public:
  explicit ClassNormals(std::size_t classes) : normals_(classes) {}

  void widen(double value) {
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  void add(std::size_t cls, double value, double weight) {
    normals_[cls].weight += weight;
    normals_[cls].mean += weight * place(value);
  }
  void center() {
    for (Normal& normal : normals_) {
      if (normal.weight > 0.0) normal.mean /= normal.weight;
    }
  }
  void add_spread(std::size_t cls, double value, double weight) {
    const double distance = place(value) - normals_[cls].mean;
    normals_[cls].spread += weight * distance * distance;
  }
  void finish();

  // The cut with the largest gain, between the smallest and the largest value.
  double best_cut(const Order& order);

 private:
  struct Normal {
    double weight = 0.0;
    double mean = 0.0;
    double spread = 0.0;  // standard deviation once finished
  };

  // Halves first: the difference of both ends may overflow.
  double place(double value) const {
    const double width = high_ / 2.0 - low_ / 2.0;
    return width > 0.0 ? (value / 2.0 - low_ / 2.0) / width : 0.0;
  }
  double value(double place) const { return low_ * (1.0 - place) + high_ * place; }
  double gain_at(double place, const Order& order);

  std::vector<Normal> normals_;
  std::vector<double> table_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace ramify
