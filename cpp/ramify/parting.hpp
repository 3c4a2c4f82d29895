// Rows that go two ways.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"

namespace ramify {

// Parts entries in place, each side in the order that it had: first those for whose row, the tag under a mask,
// `left` says 1, then those for which it says 0.
void part_entries(Entry* entries, std::size_t size, std::uint32_t mask, const std::uint8_t* left,
                  std::vector<Entry>& scratch);

}  // namespace ramify
