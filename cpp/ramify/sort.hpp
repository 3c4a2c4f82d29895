// Sorting entries by code, and numbers as codes that sort alike.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "ramify/columns.hpp"

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

// Sorts by code; entries of one code keep their order. `scratch` holds as many entries.
void sort_by_code(Entry* entries, Entry* scratch, std::size_t count);

}  // namespace ramify
