// Rows that go two ways.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ramify/labels.hpp"

namespace ramify {

// The side that a row goes to, as bytes say it.
inline constexpr std::uint8_t kRight = 0;
inline constexpr std::uint8_t kLeft = 1;
inline constexpr std::uint8_t kNeither = 2;

// Where the items of either side go on.
template <class Item>
struct Ends {
  Item* left;
  Item* right;
};

// Items are written some at a time, so that what they are written to needs room for this many more.
inline constexpr std::size_t kPartingRoom = 8;

// Copies entries of a run, or bare tags, to two places, each side in the order that it had, by what `sides` says
// of their rows: kLeft or kRight. One of the places may be null, and one may be where the items are. Returns where
// the sides end.
Ends<Entry> part_to(const Entry* entries, std::size_t size, const Tags& tags, const std::uint8_t* sides,
                    Ends<Entry> to);
Ends<std::uint32_t> part_to(const std::uint32_t* list, std::size_t size, const Tags& tags,
                            const std::uint8_t* sides, Ends<std::uint32_t> to);

// The same where some are of kNeither, and go nowhere.
Ends<Entry> part_some_to(const Entry* entries, std::size_t size, const Tags& tags, const std::uint8_t* sides,
                         Ends<Entry> to);
Ends<std::uint32_t> part_some_to(const std::uint32_t* list, std::size_t size, const Tags& tags,
                                 const std::uint8_t* sides, Ends<std::uint32_t> to);

// The former in place, the left side first.
template <class Item>
void part_in_place(Item* items, std::size_t size, const Tags& tags, const std::uint8_t* sides,
                   std::vector<Item>& scratch) {
  if (scratch.size() < size + kPartingRoom) scratch.resize(size + kPartingRoom);
  const Ends<Item> ends = part_to(items, size, tags, sides, {items, scratch.data()});
  std::copy(scratch.data(), ends.right, ends.left);
}

// Says of the entries of a run, one after the other, whether they start a value among those that go the same way,
// which may be one of several.
class Starts {
 public:
  Starts(std::size_t ways, std::uint32_t bit) : last_(ways, 0), bit_(bit) {}

  // Goes on to the next entry, whose tag this is.
  void pass(std::uint32_t tag) { value_ += (tag & bit_) != 0 ? 1 : 0; }
  // The bit for it, if it goes this way.
  std::uint32_t take(std::size_t way) {
    const bool starts = last_[way] != value_;
    last_[way] = value_;
    return starts ? bit_ : 0;
  }

 private:
  std::uint64_t value_ = 0;          // that the entry has, counted from 1
  std::vector<std::uint64_t> last_;  // that went each way
  std::uint32_t bit_;
};

}  // namespace ramify
