#include "ramify/parting.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "ramify/processors.hpp"

namespace ramify {

namespace {

struct Ends {
  Entry* left;
  Entry* right;
};

// Every entry is written to both sides, and the end of one of them goes on behind it: no branch to foresee.
Ends part_one_by_one(const Entry* from, const Entry* to, std::uint32_t mask, const std::uint8_t* left, Ends ends) {
  for (; from != to; ++from) {
    const Entry entry = *from;
    const std::size_t to_left = left[entry.tag & mask];
    *ends.left = entry;
    *ends.right = entry;
    ends.left += to_left;
    ends.right += 1 - to_left;
  }
  return ends;
}

constexpr std::size_t kTogether = 4;

#if defined(RAMIFY_FOR_AVX2)

using Words = std::uint32_t __attribute__((vector_size(kTogether * sizeof(Entry))));

// For each set of entries out of four: their words in front.
struct Front {
  alignas(sizeof(Words)) std::array<std::array<std::uint32_t, 2 * kTogether>, 1 << kTogether> words;
};

constexpr Front make_front(bool of_members) {
  Front front{};
  for (std::uint32_t set = 0; set < front.words.size(); ++set) {
    std::size_t next = 0;
    for (std::uint32_t entry = 0; entry < kTogether; ++entry) {
      if (((set >> entry & 1) != 0) != of_members) continue;
      front.words[set][next++] = 2 * entry;
      front.words[set][next++] = 2 * entry + 1;
    }
  }
  return front;
}

constexpr Front kMembers = make_front(true);
constexpr Front kOthers = make_front(false);

// Four entries at a time: one write to each side instead of four. What is written too far is written over.
RAMIFY_FOR_AVX2
Ends part_together(const Entry* from, std::size_t count, std::uint32_t mask, const std::uint8_t* left, Ends ends) {
  static_assert(sizeof(Entry) == 2 * sizeof(std::uint32_t));
  for (const Entry* const to = from + count; from != to; from += kTogether) {
    std::uint32_t set = 0;
    std::size_t members = 0;
    for (std::uint32_t i = 0; i < kTogether; ++i) {
      const std::uint32_t to_left = left[from[i].tag & mask];
      set |= to_left << i;
      members += to_left;
    }
    Words entries;
    Words in_set;
    Words others;
    std::memcpy(&entries, from, sizeof(Words));
    std::memcpy(&in_set, kMembers.words[set].data(), sizeof(Words));
    std::memcpy(&others, kOthers.words[set].data(), sizeof(Words));
    in_set = __builtin_shuffle(entries, in_set);
    others = __builtin_shuffle(entries, others);
    std::memcpy(ends.left, &in_set, sizeof(Words));
    std::memcpy(ends.right, &others, sizeof(Words));
    ends.left += members;
    ends.right += kTogether - members;
  }
  return ends;
}

RAMIFY_FOR_OTHERS
#endif
Ends part_together(const Entry* from, std::size_t count, std::uint32_t mask, const std::uint8_t* left, Ends ends) {
  return part_one_by_one(from, from + count, mask, left, ends);
}

}  // namespace

void part_entries(Entry* entries, std::size_t size, std::uint32_t mask, const std::uint8_t* left,
                  std::vector<Entry>& scratch) {
  if (scratch.size() < size + kTogether) scratch.resize(size + kTogether);
  const std::size_t together = size - size % kTogether;
  Ends ends = part_together(entries, together, mask, left, {entries, scratch.data()});
  ends = part_one_by_one(entries + together, entries + size, mask, left, ends);
  std::copy(scratch.data(), ends.right, ends.left);
}

}  // namespace ramify
