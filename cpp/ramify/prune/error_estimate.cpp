#include "ramify/prune/error_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ramify {

// Halley's steps from a rough start on the tail below -|z|, where erfc loses no digits.
double normal_quantile(double probability) {
  if (probability == 0.5) return 0.0;
  const double tail = std::min(probability, 1.0 - probability);
  // The tail is about exp(-z^2 / 2) / 2, a start that is never too near to zero.
  double z = -std::sqrt(-2.0 * std::log(2.0 * tail));
  for (int step = 0; step < 50; ++step) {
    const double below = 0.5 * std::erfc(-z / std::numbers::sqrt2);
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
    if (density == 0.0) break;
    const double newton = (below - tail) / density;
    const double change = newton / (1.0 + 0.5 * z * newton);
    z -= change;
    if (std::abs(change) <= 1e-16 * std::abs(z)) break;
  }
  return probability < 0.5 ? z : -z;
}

ErrorEstimate::ErrorEstimate(double confidence, std::optional<double> z)
    : confidence_(confidence), z_(z ? *z : -normal_quantile(confidence)) {
  constexpr std::size_t kWhole = 256;
  whole_.resize(kWhole, 0.0);
  for (std::size_t weight = 1; weight < kWhole; ++weight) {
    const auto n = static_cast<double>(weight);
    whole_[weight] = n * (1.0 - std::pow(confidence_, 1.0 / n));
  }
}

double ErrorEstimate::added_to_none(double weight) const {
  const auto whole = static_cast<std::size_t>(std::min(weight, static_cast<double>(whole_.size())));
  if (whole < whole_.size() && static_cast<double>(whole) == weight) return whole_[whole];
  return weight * (1.0 - std::pow(confidence_, 1.0 / weight));
}

double ErrorEstimate::added(double weight, double wrong) const {
  if (wrong <= 0.0) return added_to_none(weight);
  if (wrong < 1.0) {
    const double none = added_to_none(weight);
    return none + wrong * (added(weight, 1.0) - none);
  }
  if (wrong + 0.5 >= weight) return std::max(weight - wrong, 0.0);
  const double f = (wrong + 0.5) / weight;
  const double z2 = z_ * z_;
  const double root = std::sqrt(f / weight - f * f / weight + z2 / (4.0 * weight * weight));
  const double limit = (f + z2 / (2.0 * weight) + z_ * root) / (1.0 + z2 / weight);
  return limit * weight - wrong;
}

double ErrorEstimate::of(const double* counts, std::size_t classes) const {
  double weight = 0.0;
  double most = 0.0;
  for (std::size_t k = 0; k < classes; ++k) {
    weight += counts[k];
    most = std::max(most, counts[k]);
  }
  if (weight < kTolerance) return 0.0;
  return weight - most + added(weight, weight - most);
}

}  // namespace ramify
