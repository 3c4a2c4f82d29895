#include "ramify/sort.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace ramify {

KeyedTag* sort_by_key(KeyedTag* tags, KeyedTag* scratch, std::size_t count) {
  constexpr std::size_t kSmall = 256;
  if (count < kSmall) {
    std::stable_sort(tags, tags + count, [](const KeyedTag& a, const KeyedTag& b) { return a.key < b.key; });
    return tags;
  }
  // Radix sort, a byte a pass from the lowest; a byte that all keys share takes no pass.
  std::array<std::array<std::uint32_t, 256>, 4> starts{};
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t key = tags[i].key;
    for (std::size_t byte = 0; byte < 4; ++byte) ++starts[byte][(key >> (8 * byte)) & 0xFF];
  }
  KeyedTag* from = tags;
  KeyedTag* to = scratch;
  for (std::size_t byte = 0; byte < 4; ++byte) {
    auto& start = starts[byte];
    const std::size_t shift = 8 * byte;
    if (start[(from[0].key >> shift) & 0xFF] == count) continue;
    std::uint32_t sum = 0;
    for (std::uint32_t& next : start) sum += std::exchange(next, sum);
    for (std::size_t i = 0; i < count; ++i) to[start[(from[i].key >> shift) & 0xFF]++] = from[i];
    std::swap(from, to);
  }
  return from;
}

}  // namespace ramify
