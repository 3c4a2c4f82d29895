#include "ramify/search/gaussian.hpp"

#include <cmath>

namespace ramify {

void ClassNormals::finish() {
  for (Normal& normal : normals_) {
    if (normal.weight > 0.0) normal.spread = std::sqrt(normal.spread / normal.weight);
  }
}

double ClassNormals::gain_at(double cut, const Order& order) {
  const std::size_t classes = normals_.size();
  table_.assign(2 * classes, 0.0);
  for (std::size_t k = 0; k < classes; ++k) {
    const Normal& normal = normals_[k];
    if (normal.weight <= 0.0) continue;
    const double distance = cut - normal.mean;
    // A class of one value is a step there.
    const double below = normal.spread > 0.0 ? 0.5 * std::erfc(-distance / (normal.spread * std::sqrt(2.0)))
                                             : (distance >= 0.0 ? 1.0 : 0.0);
    table_[k] = normal.weight * below;
    table_[classes + k] = normal.weight * (1.0 - below);
  }
  return gain_of({table_.data(), 1, 2, classes}, order);
}

double ClassNormals::best_cut(const Order& order) {
  // The gain has a few hills; a grid finds the highest one, a golden section its top.
  constexpr int kGrid = 256;
  const auto at = [&](int i) { return static_cast<double>(i) / kGrid; };
  int best = 1;
  double best_gain = -1.0;
  for (int i = 1; i < kGrid; ++i) {
    const double gain = gain_at(at(i), order);
    if (gain > best_gain) {
      best_gain = gain;
      best = i;
    }
  }
  const double golden = (std::sqrt(5.0) - 1.0) / 2.0;
  double a = at(best - 1);
  double b = at(best + 1);
  double c = b - golden * (b - a);
  double d = a + golden * (b - a);
  double gain_c = gain_at(c, order);
  double gain_d = gain_at(d, order);
  constexpr int kSteps = 40;  // the interval shrinks by 4e-9, about what the flat top of a hill resolves
  for (int step = 0; step < kSteps; ++step) {
    if (gain_c >= gain_d) {
      b = d;
      d = c;
      gain_d = gain_c;
      c = b - golden * (b - a);
      gain_c = gain_at(c, order);
    } else {
      a = c;
      c = d;
      gain_c = gain_d;
      d = a + golden * (b - a);
      gain_d = gain_at(d, order);
    }
  }
  const double cut = a / 2.0 + b / 2.0;
  return value(gain_at(cut, order) >= best_gain ? cut : at(best));
}

}  // namespace ramify
