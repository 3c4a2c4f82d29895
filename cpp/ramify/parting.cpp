#include "ramify/parting.hpp"

#include <array>
#include <bit>
#include <type_traits>

#include "ramify/processors.hpp"

#if defined(RAMIFY_FOR_AVX2)
#include <immintrin.h>
#endif

namespace ramify {

namespace {

// For each side 1 if a value has started since an item last went there, so that the next one starts it there;
// else 0.
struct Pending {
  std::uint32_t left;
  std::uint32_t right;
};

// Every item is written to both sides, and the end of one of them goes on behind it: no branch to foresee.
template <bool Left, bool Right, class Item>
Ends<Item> part_one_by_one(const Item* from, const Item* to, const Tags& tags, const std::uint8_t* sides,
                           Pending pending, Ends<Item> ends) {
  constexpr bool kInOrder = std::is_same_v<Item, Entry>;  // of values that start somewhere
  const auto place = static_cast<std::uint32_t>(std::countr_zero(tags.start));
  for (; from != to; ++from) {
    const std::uint32_t tag = TagReader<TagMode::packed>::tag_of(*from);
    const std::uint8_t side = sides[tag & tags.mask];
    const std::uint32_t start = kInOrder ? tag >> place & 1 : 0;
    if constexpr (Left) {
      pending.left |= start;
      *ends.left = {kInOrder ? tag | pending.left << place : tag};
      ends.left += side == kLeft ? 1 : 0;
      pending.left = side == kLeft ? 0 : pending.left;
    }
    if constexpr (Right) {
      pending.right |= start;
      *ends.right = {kInOrder ? tag | pending.right << place : tag};
      ends.right += side == kRight ? 1 : 0;
      pending.right = side == kRight ? 0 : pending.right;
    }
  }
  return ends;
}

template <class Item>
Ends<Item> part_all_one_by_one(const Item* items, std::size_t size, const Tags& tags, const std::uint8_t* sides,
                               Ends<Item> to) {
  const Item* const end = items + size;
  const Pending first{1, 1};
  if (to.right == nullptr) return part_one_by_one<true, false>(items, end, tags, sides, first, to);
  if (to.left == nullptr) return part_one_by_one<false, true>(items, end, tags, sides, first, to);
  return part_one_by_one<true, true>(items, end, tags, sides, first, to);
}

#if defined(RAMIFY_FOR_AVX2)

constexpr std::size_t kTogether = 8;
static_assert(kTogether <= kPartingRoom && sizeof(Entry) == sizeof(std::uint32_t));
constexpr std::uint32_t kAllTogether = (1u << kTogether) - 1;

// For each set of entries out of eight: their places, in order.
constexpr std::array<std::array<std::uint8_t, kTogether>, 1 << kTogether> make_fronts() {
  std::array<std::array<std::uint8_t, kTogether>, 1 << kTogether> fronts{};
  for (std::uint32_t set = 0; set < fronts.size(); ++set) {
    std::size_t next = 0;
    for (std::uint8_t entry = 0; entry < kTogether; ++entry) {
      if ((set >> entry & 1) != 0) fronts[set][next++] = entry;
    }
  }
  return fronts;
}

// For the sides of four entries, two bits each: the set of those that go to one.
constexpr std::array<std::uint8_t, 256> make_sets(std::uint8_t side) {
  std::array<std::uint8_t, 256> sets{};
  for (std::uint32_t four = 0; four < sets.size(); ++four) {
    for (std::uint32_t entry = 0; entry < 4; ++entry) {
      if ((four >> 2 * entry & 3) == side) sets[four] = static_cast<std::uint8_t>(sets[four] | 1 << entry);
    }
  }
  return sets;
}

constexpr auto kFronts = make_fronts();
constexpr auto kLeftSets = make_sets(kLeft);
constexpr auto kRightSets = make_sets(kRight);

// The sides of four entries as the digits of a number.
template <std::uint32_t Base>
RAMIFY_PART_FOR_AVX2 std::uint32_t sides_of_four(const Entry* from, std::uint32_t mask,
                                                 const std::uint8_t* sides) {
  std::uint32_t four = sides[from[3].tag & mask];
  for (std::size_t i = 3; i-- > 0;) four = Base * four + sides[from[i].tag & mask];
  return four;
}

struct Sets {
  std::uint32_t left;
  std::uint32_t right;
};

// Which of eight entries go to either side; `Some` may go to neither.
template <bool Some>
RAMIFY_PART_FOR_AVX2 Sets sets_of(const Entry* from, std::uint32_t mask, const std::uint8_t* sides) {
  if constexpr (Some) {
    const std::uint32_t low = sides_of_four<4>(from, mask, sides);
    const std::uint32_t high = sides_of_four<4>(from + 4, mask, sides);
    return {std::uint32_t{kLeftSets[low]} | std::uint32_t{kLeftSets[high]} << 4,
            std::uint32_t{kRightSets[low]} | std::uint32_t{kRightSets[high]} << 4};
  } else {
    static_assert(kLeft == 1 && kRight == 0);
    const std::uint32_t left = sides_of_four<2>(from, mask, sides) | sides_of_four<2>(from + 4, mask, sides) << 4;
    return {left, left ^ kAllTogether};
  }
}

// What is written too far is written over.
RAMIFY_PART_FOR_AVX2 void write_front(__m256i entries, std::uint32_t set, Entry*& end) {
  const __m128i places = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(kFronts[set].data()));
  const __m256i front = _mm256_permutevar8x32_epi32(entries, _mm256_cvtepu8_epi32(places));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(end), front);
  end += std::popcount(set);
}

// The same where not every entry starts a value. A sum carries each start that does not go this way on to the next
// entry that does, or to the next eight.
RAMIFY_PART_FOR_AVX2 void write_front_with_starts(__m256i entries, std::uint32_t set, std::uint32_t starts,
                                                  std::uint32_t bit, std::uint32_t& pending, Entry*& end) {
  const std::uint32_t others = set ^ kAllTogether;
  const std::uint32_t carried = others + (starts & others) + pending;
  pending = carried >> kTogether;
  const __m256i places = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
  const __m256i here = _mm256_and_si256(_mm256_set1_epi32(static_cast<int>(carried & set)), places);
  const __m256i bits =
      _mm256_and_si256(_mm256_cmpeq_epi32(here, places), _mm256_set1_epi32(static_cast<int>(bit)));
  write_front(_mm256_or_si256(entries, bits), set, end);
}

// Eight entries at a time: one write to each side instead of eight.
template <bool Left, bool Right, bool Some>
RAMIFY_PART_FOR_AVX2 Ends<Entry> part_in_eights(const Entry* from, std::size_t size, const Tags& all,
                                                const std::uint8_t* sides, Ends<Entry> ends) {
  const Tags tags = all;  // a copy that no write can change
  const Entry* const end = from + size;
  const __m128i to_sign = _mm_cvtsi32_si128(std::countl_zero(tags.start));
  Pending pending{1, 1};
  for (const Entry* const last = end - size % kTogether; from != last; from += kTogether) {
    const Sets sets = sets_of<Some>(from, tags.mask, sides);
    const __m256i entries = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i signs = _mm256_sll_epi32(entries, to_sign);
    const auto starts = static_cast<std::uint32_t>(_mm256_movemask_ps(_mm256_castsi256_ps(signs)));
    if (starts == kAllTogether) {
      if constexpr (Left) write_front(entries, sets.left, ends.left);
      if constexpr (Right) write_front(entries, sets.right, ends.right);
      pending = {sets.left >> (kTogether - 1) ^ 1, sets.right >> (kTogether - 1) ^ 1};
    } else {
      if constexpr (Left) write_front_with_starts(entries, sets.left, starts, tags.start, pending.left, ends.left);
      if constexpr (Right)
        write_front_with_starts(entries, sets.right, starts, tags.start, pending.right, ends.right);
    }
  }
  return part_one_by_one<Left, Right>(from, end, tags, sides, pending, ends);
}

template <bool Some>
RAMIFY_PART_FOR_AVX2 Ends<Entry> part_all_in_eights(const Entry* entries, std::size_t size, const Tags& tags,
                                                    const std::uint8_t* sides, Ends<Entry> to) {
  if (to.right == nullptr) return part_in_eights<true, false, Some>(entries, size, tags, sides, to);
  if (to.left == nullptr) return part_in_eights<false, true, Some>(entries, size, tags, sides, to);
  return part_in_eights<true, true, Some>(entries, size, tags, sides, to);
}

RAMIFY_FOR_AVX2
Ends<Entry> part(const Entry* entries, std::size_t size, const Tags& tags, const std::uint8_t* sides, bool some,
                 Ends<Entry> to) {
  if (some) return part_all_in_eights<true>(entries, size, tags, sides, to);
  return part_all_in_eights<false>(entries, size, tags, sides, to);
}

RAMIFY_FOR_OTHERS
#endif
Ends<Entry> part(const Entry* entries, std::size_t size, const Tags& tags, const std::uint8_t* sides, bool,
                 Ends<Entry> to) {
  return part_all_one_by_one(entries, size, tags, sides, to);
}

}  // namespace

Ends<Entry> part_to(const Entry* entries, std::size_t size, const Tags& tags, const std::uint8_t* sides,
                    Ends<Entry> to) {
  return part(entries, size, tags, sides, false, to);
}

Ends<Entry> part_some_to(const Entry* entries, std::size_t size, const Tags& tags, const std::uint8_t* sides,
                         Ends<Entry> to) {
  return part(entries, size, tags, sides, true, to);
}

Ends<std::uint32_t> part_to(const std::uint32_t* list, std::size_t size, const Tags& tags,
                            const std::uint8_t* sides, Ends<std::uint32_t> to) {
  return part_all_one_by_one(list, size, tags, sides, to);
}

Ends<std::uint32_t> part_some_to(const std::uint32_t* list, std::size_t size, const Tags& tags,
                                 const std::uint8_t* sides, Ends<std::uint32_t> to) {
  return part_all_one_by_one(list, size, tags, sides, to);
}

}  // namespace ramify
