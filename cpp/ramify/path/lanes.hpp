// Four numbers side by side, one an order of the entropy, and the tables that they are looked up in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ramify/criteria/entropies.hpp"
#include "ramify/processors.hpp"

namespace ramify {

inline constexpr std::size_t kLanes = 4;

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are never handed from one function to another
using Lanes = double __attribute__((vector_size(32)));

RAMIFY_PART_OF_CALLER Lanes all_lanes(double value) { return Lanes{value, value, value, value}; }
RAMIFY_PART_OF_CALLER Lanes larger(const Lanes& a, const Lanes& b) { return a > b ? a : b; }
RAMIFY_PART_OF_CALLER bool any_reaches(const Lanes& a, const Lanes& goals) {
  const auto reached = a >= goals;
  return (reached[0] | reached[1] | reached[2] | reached[3]) != 0;
}
RAMIFY_PART_OF_CALLER Lanes ratio(const Lanes& numerator, const Lanes& denominator) {
  return denominator == 0.0 ? all_lanes(0.0) : numerator / denominator;
}
#else
struct Lanes {
  double values[kLanes];
  double& operator[](std::size_t i) { return values[i]; }
  double operator[](std::size_t i) const { return values[i]; }
};

template <class Combine>
Lanes by_lane(const Lanes& a, const Lanes& b, Combine&& combine) {
  Lanes out{};
  for (std::size_t i = 0; i < kLanes; ++i) out[i] = combine(a[i], b[i]);
  return out;
}
RAMIFY_PART_OF_CALLER Lanes all_lanes(double value) { return Lanes{{value, value, value, value}}; }
RAMIFY_PART_OF_CALLER Lanes operator+(const Lanes& a, const Lanes& b) {
  return by_lane(a, b, [](double x, double y) { return x + y; });
}
RAMIFY_PART_OF_CALLER Lanes operator-(const Lanes& a, const Lanes& b) {
  return by_lane(a, b, [](double x, double y) { return x - y; });
}
RAMIFY_PART_OF_CALLER Lanes operator*(const Lanes& a, const Lanes& b) {
  return by_lane(a, b, [](double x, double y) { return x * y; });
}
RAMIFY_PART_OF_CALLER Lanes operator*(double a, const Lanes& b) { return all_lanes(a) * b; }
RAMIFY_PART_OF_CALLER Lanes operator-(const Lanes& a) { return all_lanes(0.0) - a; }
RAMIFY_PART_OF_CALLER Lanes& operator+=(Lanes& a, const Lanes& b) { return a = a + b; }
RAMIFY_PART_OF_CALLER Lanes larger(const Lanes& a, const Lanes& b) {
  return by_lane(a, b, [](double x, double y) { return x > y ? x : y; });
}
RAMIFY_PART_OF_CALLER bool any_reaches(const Lanes& a, const Lanes& goals) {
  return a[0] >= goals[0] || a[1] >= goals[1] || a[2] >= goals[2] || a[3] >= goals[3];
}
RAMIFY_PART_OF_CALLER Lanes ratio(const Lanes& numerator, const Lanes& denominator) {
  return by_lane(numerator, denominator, [](double x, double y) { return y == 0.0 ? 0.0 : x / y; });
}
#endif

RAMIFY_PART_OF_CALLER Lanes load(const double* from) {
  Lanes lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  return lanes;
}
RAMIFY_PART_OF_CALLER void store(const Lanes& lanes, double* to) { std::memcpy(to, &lanes, sizeof(lanes)); }

// Powers and scales of counts up to some, for many orders: those of one count lie next to each other, so that any
// four neighbouring orders can be read at once.
class LaneTables {
 public:
  LaneTables(const std::vector<double>& qs, std::size_t largest);

  std::size_t largest() const { return largest_; }
  std::size_t stride() const { return stride_; }  // from one count to the next
  const double* powers() const { return power_.data(); }
  const double* scales() const { return scale_.data(); }
  // scale(n) * power(n) where a promise must leave it out, 0 for orders of the plain form.
  const double* owns() const { return own_.data(); }
  bool plain(std::size_t order) const { return plain_[order] != 0; }

 private:
  std::size_t largest_;
  std::size_t stride_;
  std::vector<double> power_;
  std::vector<double> scale_;
  std::vector<double> own_;
  std::vector<char> plain_;
};

}  // namespace ramify
