// Random numbers that are the same on every platform, which those of <random>'s distributions are not.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace ramify::tests {

// splitmix64.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0xD1342543DE82EF95ull + 0x632BE59BD9B4E019ull) {}

  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }

  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(bits() % limit); }
  std::size_t between(std::size_t low, std::size_t high) { return low + below(high - low + 1); }
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  bool chance(double probability) { return uniform() < probability; }

  // Roughly normal: a sum of twelve uniforms has variance one, and no tails are needed here.
  double normal() {
    double sum = -6.0;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return sum;
  }

  // Small numbers as likely as large ones.
  std::size_t log_between(std::size_t low, std::size_t high) {
    const double share = uniform();
    const double value = std::exp(std::log(static_cast<double>(low)) * (1.0 - share) +
                                  std::log(static_cast<double>(high) + 1.0) * share);
    return std::min(static_cast<std::size_t>(value), high);
  }

  template <class T>
  T pick(std::initializer_list<T> from) {
    return from.begin()[below(from.size())];
  }

  std::vector<std::size_t> permutation(std::size_t size) {
    std::vector<std::size_t> order(size);
    for (std::size_t i = 0; i < size; ++i) order[i] = i;
    for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    return order;
  }

 private:
  std::uint64_t state_;
};

}  // namespace ramify::tests
