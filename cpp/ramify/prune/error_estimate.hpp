// C4.5's pessimistic estimate of the errors of a leaf: what it gets wrong in training, and a bit more.
//
// The bit more is the upper limit of a confidence interval of a binomial proportion, by the normal approximation
// with continuity correction. See CRITERIA.md for the formula.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace ramify {

// What Weka takes for equal. Its J48 compares all weights and errors with this tolerance.
inline constexpr double kTolerance = 1e-6;

inline bool at_most(double a, double b) { return a - b < kTolerance || a <= b; }

// The z below which a standard normal number lies with this probability, 0 < p < 1.
double normal_quantile(double probability);

class ErrorEstimate {
 public:
  // `confidence` lies in (0, 0.5]; `z` replaces the normal quantile of 1 - confidence.
  explicit ErrorEstimate(double confidence, std::optional<double> z = {});

  // Estimated errors of a leaf with these class counts; 0 if it has no weight.
  double of(const double* counts, std::size_t classes) const;

  // What is added to the `wrong` errors among cases of this weight.
  double added(double weight, double wrong) const;

 private:
  double added_to_none(double weight) const;

  double confidence_;
  double z_;
  std::vector<double> whole_;  // added_to_none of small whole weights: most leaves are small and pure
};

}  // namespace ramify
