// Numbers as keys that sort alike.
#pragma once

#include <bit>
#include <cstdint>

namespace ramify {

// Bits whose unsigned order is the order of the numbers. Both zeros get the same bits. No NaN.
inline std::uint32_t ordered_bits(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number + 0.0f);
  return bits ^ ((~(bits >> 31) + 1) | 0x80000000u);  // all bits of a negative number, else the sign's
}

inline std::uint64_t ordered_bits(double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number + 0.0);
  return bits ^ ((~(bits >> 63) + 1) | std::uint64_t{1} << 63);
}

// The number of such a key.
inline double number_of_bits(std::uint64_t key) {
  return std::bit_cast<double>(key ^ ((key >> 63) != 0 ? std::uint64_t{1} << 63 : ~std::uint64_t{0}));
}

}  // namespace ramify
