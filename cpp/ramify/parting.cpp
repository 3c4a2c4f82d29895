#include "ramify/parting.hpp"

#include <array>
#include <bit>
#include <cstring>

#include "ramify/processors.hpp"

namespace ramify {

namespace {

// Every item is written to both sides, and the end of one of them goes on behind it: no branch to foresee.
template <bool Left, bool Right, class Item>
Ends<Item> part_one_by_one(const Item* from, const Item* to, std::uint32_t mask, const std::uint8_t* sides,
                           Ends<Item> ends) {
  for (; from != to; ++from) {
    const Item item = *from;
    const std::uint8_t side = sides[TagReader<TagMode::packed>::tag_of(item) & mask];
    if constexpr (Left) {
      *ends.left = item;
      ends.left += side == kLeft ? 1 : 0;
    }
    if constexpr (Right) {
      *ends.right = item;
      ends.right += side == kRight ? 1 : 0;
    }
  }
  return ends;
}

template <class Item>
Ends<Item> part_all_one_by_one(const Item* items, std::size_t size, std::uint32_t mask, const std::uint8_t* sides,
                               Ends<Item> to) {
  const Item* const end = items + size;
  if (to.right == nullptr) return part_one_by_one<true, false>(items, end, mask, sides, to);
  if (to.left == nullptr) return part_one_by_one<false, true>(items, end, mask, sides, to);
  return part_one_by_one<true, true>(items, end, mask, sides, to);
}

#if defined(RAMIFY_FOR_AVX2)

constexpr std::size_t kTogether = 4;
static_assert(kTogether <= kPartingRoom);
using Words = std::uint32_t __attribute__((vector_size(kTogether * sizeof(Entry))));

// For each set of entries out of four: their words in front.
struct Front {
  alignas(sizeof(Words)) std::array<std::array<std::uint32_t, 2 * kTogether>, 1 << kTogether> words;
};

constexpr Front make_front() {
  Front front{};
  for (std::uint32_t set = 0; set < front.words.size(); ++set) {
    std::size_t next = 0;
    for (std::uint32_t entry = 0; entry < kTogether; ++entry) {
      if ((set >> entry & 1) == 0) continue;
      front.words[set][next++] = 2 * entry;
      front.words[set][next++] = 2 * entry + 1;
    }
  }
  return front;
}

// For the sides of four entries, two bits each: the set of those that go to one.
constexpr std::array<std::uint8_t, 1 << 2 * kTogether> make_sets(std::uint8_t side) {
  std::array<std::uint8_t, 1 << 2 * kTogether> sets{};
  for (std::uint32_t four = 0; four < sets.size(); ++four) {
    for (std::uint32_t entry = 0; entry < kTogether; ++entry) {
      if ((four >> 2 * entry & 3) == side) sets[four] = static_cast<std::uint8_t>(sets[four] | 1 << entry);
    }
  }
  return sets;
}

constexpr Front kFront = make_front();
constexpr auto kLeftSets = make_sets(kLeft);
constexpr auto kRightSets = make_sets(kRight);

// What is written too far is written over.
RAMIFY_PART_OF_CALLER void write_front(const Words& entries, std::uint8_t set, Entry*& end) {
  Words front;
  std::memcpy(&front, kFront.words[set].data(), sizeof(Words));
  front = __builtin_shuffle(entries, front);
  std::memcpy(end, &front, sizeof(Words));
  end += std::popcount(set);
}

// Four entries at a time: one write to each side instead of four.
template <bool Left, bool Right>
RAMIFY_PART_OF_CALLER Ends<Entry> part_in_fours(const Entry* from, std::size_t size, std::uint32_t mask,
                                                const std::uint8_t* sides, Ends<Entry> ends) {
  static_assert(sizeof(Entry) == 2 * sizeof(std::uint32_t));
  const Entry* const end = from + size;
  for (const Entry* const last = end - size % kTogether; from != last; from += kTogether) {
    std::uint32_t four = 0;
    for (std::uint32_t i = 0; i < kTogether; ++i) {
      four |= static_cast<std::uint32_t>(sides[from[i].tag & mask]) << 2 * i;
    }
    Words entries;
    std::memcpy(&entries, from, sizeof(Words));
    if constexpr (Left) write_front(entries, kLeftSets[four], ends.left);
    if constexpr (Right) write_front(entries, kRightSets[four], ends.right);
  }
  return part_one_by_one<Left, Right>(from, end, mask, sides, ends);
}

RAMIFY_FOR_AVX2
Ends<Entry> part(const Entry* entries, std::size_t size, std::uint32_t mask, const std::uint8_t* sides,
                 Ends<Entry> to) {
  if (to.right == nullptr) return part_in_fours<true, false>(entries, size, mask, sides, to);
  if (to.left == nullptr) return part_in_fours<false, true>(entries, size, mask, sides, to);
  return part_in_fours<true, true>(entries, size, mask, sides, to);
}

RAMIFY_FOR_OTHERS
#endif
Ends<Entry> part(const Entry* entries, std::size_t size, std::uint32_t mask, const std::uint8_t* sides,
                 Ends<Entry> to) {
  return part_all_one_by_one(entries, size, mask, sides, to);
}

}  // namespace

Ends<Entry> part_to(const Entry* entries, std::size_t size, std::uint32_t mask, const std::uint8_t* sides,
                    Ends<Entry> to) {
  return part(entries, size, mask, sides, to);
}

Ends<std::uint32_t> part_to(const std::uint32_t* tags, std::size_t size, std::uint32_t mask,
                            const std::uint8_t* sides, Ends<std::uint32_t> to) {
  return part_all_one_by_one(tags, size, mask, sides, to);
}

}  // namespace ramify
