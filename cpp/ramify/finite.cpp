#include "ramify/finite.hpp"

#include <array>

namespace ramify {

// Zero times a number that is not finite is a NaN, and a NaN stays in a sum: no branch, so the compiler can take
// many numbers at a time.
template <class T>
bool all_finite(const T* numbers, std::size_t size) {
  constexpr std::size_t kLanes = 16;
  std::array<T, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) sums[lane] += numbers[i + lane] * T{0};
  }
  for (; i < size; ++i) sums[0] += numbers[i] * T{0};
  T sum{0};
  for (const T lane : sums) sum += lane;
  return sum == T{0};
}

template bool all_finite(const float*, std::size_t);
template bool all_finite(const double*, std::size_t);

}  // namespace ramify
