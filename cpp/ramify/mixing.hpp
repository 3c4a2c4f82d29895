// Numbers that look random, each made from another: for draws, and for sums that tell sets apart.
#pragma once

#include <cstdint>

namespace ramify {

// The finaliser of splitmix64.
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

}  // namespace ramify
