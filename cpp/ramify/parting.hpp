// Rows that go two ways.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"

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
inline constexpr std::size_t kPartingRoom = 4;

// Copies entries of a run, or bare tags, to two places, each side in the order that it had: those for whose row,
// the tag under a mask, `sides` says kLeft, and those for which it says kRight; others nowhere. One of the places
// may be null, and one may be where the items are. Returns where the sides end.
Ends<Entry> part_to(const Entry* entries, std::size_t size, std::uint32_t mask, const std::uint8_t* sides,
                    Ends<Entry> to);
Ends<std::uint32_t> part_to(const std::uint32_t* tags, std::size_t size, std::uint32_t mask,
                            const std::uint8_t* sides, Ends<std::uint32_t> to);

// The same in place, the left side first, for items that all have one.
template <class Item>
void part_in_place(Item* items, std::size_t size, std::uint32_t mask, const std::uint8_t* sides,
                   std::vector<Item>& scratch) {
  if (scratch.size() < size + kPartingRoom) scratch.resize(size + kPartingRoom);
  const Ends<Item> ends = part_to(items, size, mask, sides, {items, scratch.data()});
  std::copy(scratch.data(), ends.right, ends.left);
}

}  // namespace ramify
