// Sorting rows by a key.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ramify {

struct KeyedTag {
  std::uint32_t key;
  std::uint32_t tag;
};

// Sorts by key; those of one key keep their order. Returns where they are then: in their own place, or in
// `scratch`, which holds as many.
KeyedTag* sort_by_key(KeyedTag* tags, KeyedTag* scratch, std::size_t count);

}  // namespace ramify
