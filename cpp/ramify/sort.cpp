#include "ramify/sort.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ramify {

void sort_by_code(Entry* entries, Entry* scratch, std::size_t count) {
  constexpr std::size_t kSmall = 256;
  if (count < kSmall) {
    std::stable_sort(entries, entries + count, [](const Entry& a, const Entry& b) { return a.code < b.code; });
    return;
  }
  // Radix sort, a byte a pass from the lowest; a byte that all codes share takes no pass.
  std::array<std::array<std::uint32_t, 256>, 4> starts{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t code = entries[i].code;
    for (std::size_t byte = 0; byte < 4; ++byte) ++starts[byte][(code >> (8 * byte)) & 0xFF];
  }
  Entry* from = entries;
  Entry* to = scratch;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    auto& start = starts[byte];
    const std::size_t shift = 8 * byte;
    if (start[(from[0].code >> shift) & 0xFF] == count) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& next : start) sum += std::exchange(next, sum);
    for (std::size_t i = 0; i < count; ++i) to[start[(from[i].code >> shift) & 0xFF]++] = from[i];
    std::swap(from, to);
  }
  if (from != entries) std::copy(from, from + count, entries);
}

}  // namespace ramify
