// The one cut of a numeric column that a parametric view of the node proposes: each class a normal
// distribution fitted to the node's cases, the cut where the gain computed from them is largest.
#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include "ramify/search/question.hpp"

namespace ramify {

// Weight, mean and spread of each class, gathered in two passes over (class, value, weight).
class ClassNormals {
 public:
  explicit ClassNormals(std::size_t classes) : normals_(classes) {}

  void add(std::size_t cls, double value, double weight) {
    normals_[cls].weight += weight;
    normals_[cls].mean += weight * value;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  void center() {
    for (Normal& normal : normals_) {
      if (normal.weight > 0.0) normal.mean /= normal.weight;
    }
  }
  void add_spread(std::size_t cls, double value, double weight) {
    const double distance = value - normals_[cls].mean;
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

  double gain_at(double cut, const Order& order);

  std::vector<Normal> normals_;
  std::vector<double> table_;
  double low_ = std::numeric_limits<double>::infinity();
  double high_ = -std::numeric_limits<double>::infinity();
};

}  // namespace ramify
