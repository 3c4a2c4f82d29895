// Four numbers side by side: one an order of the entropy, or one a column.
#pragma once

#include <cstddef>
#include <cstring>

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

}  // namespace ramify
