// What lanes of orders are looked up in.
#pragma once

#include <cstddef>
#include <vector>

#include "ramify/lanes.hpp"

namespace ramify {

// Powers and scales of counts up to some, for many orders: those of one count lie next to each other, so that any
// four neighbouring orders can be read at once.
class LaneTables {
 public:
  LaneTables(const std::vector<double>& qs, std::size_t largest);

  std::size_t largest() const { return largest_; }
  std::size_t stride() const { return stride_; }  // from one count to the next
  const double* powers() const { return power_.data(); }
  const double* scales() const { return scale_.data(); }
  // One an order: 1 where a promise must leave scale(n) * power(n) out, 0 for orders of the plain form.
  const double* leaves_out() const { return leaves_out_.data(); }

 private:
  std::size_t largest_;
  std::size_t stride_;
  std::vector<double> power_;
  std::vector<double> scale_;
  std::vector<double> leaves_out_;
};

}  // namespace ramify
