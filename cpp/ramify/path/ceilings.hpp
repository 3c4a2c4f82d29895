// What the splits of a node's columns gain at most, known from lower orders of the entropy.
//
// For 0 < p <= q no split gains more at q than q / p times what it gains at p. For in each share x of a class the
// second derivative of (q / p) S_p - S_q is q (x^(q-2) - x^(p-2)) <= 0; so this is concave, and no split makes the
// mean of something concave larger. An order that has searched a column thus tells a higher one whether it must.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

#include "ramify/criteria/entropies.hpp"

namespace ramify {

class Ceilings {
 public:
  // Of a node of which nothing is known yet.
  void start(std::size_t columns) { known_.assign(columns, {}); }

  // What gains may be wrong by, and more: they are differences of numbers about as large as the node's entropy, or
  // as 1, so that rounding does not get smaller with them.
  static double slack(double entropy) { return 1e-9 * (1.0 + entropy); }

  // No split of the column gains more than `most` at this order, but for rounding.
  void learn(std::size_t column, const Order& order, double most, double entropy) {
    known_[column] = {in_use(order), std::max(most, 0.0) + slack(entropy)};
  }

  // Nor more than this at that one.
  double at(std::size_t column, const Order& order) const {
    const Known& known = known_[column];
    const double q = in_use(order);
    if (!(known.q > 0.0) || q < known.q) return std::numeric_limits<double>::infinity();
    return q / known.q * known.most;
  }

 private:
  struct Known {
    double q = 0.0;
    double most = 0.0;
  };

  static double in_use(const Order& order) { return order.is_shannon() ? 1.0 : order.q(); }

  std::vector<Known> known_;
};

}  // namespace ramify
