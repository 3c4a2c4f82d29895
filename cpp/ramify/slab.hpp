// Arrays that are made often, and live as long as what owns them: many to a block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace ramify {

template <class Item>
class Slab {
 public:
  std::span<Item> take(std::size_t count) {
    if (count == 0) return {};
    if (used_ + count > room_) {
      // Small at first: there may be many slabs that never hold much.
      room_ = std::max(count, std::clamp(2 * room_, kFirstBytes / sizeof(Item), kBlockBytes / sizeof(Item)));
      used_ = 0;
      blocks_.push_back(std::make_unique_for_overwrite<Item[]>(room_));
    }
    used_ += count;
    return {blocks_.back().get() + (used_ - count), count};
  }
  // A copy of a range; its items are moved if it is handed over.
  template <class Range>
  std::span<Item> hold(Range&& range) {
    const std::span<Item> items = take(range.size());
    if constexpr (std::is_lvalue_reference_v<Range>) {
      std::copy(range.begin(), range.end(), items.begin());
    } else {
      std::move(range.begin(), range.end(), items.begin());
    }
    return items;
  }

 private:
  static constexpr std::size_t kFirstBytes = std::size_t{1} << 10;
  static constexpr std::size_t kBlockBytes = std::size_t{1} << 16;

  std::vector<std::unique_ptr<Item[]>> blocks_;
  std::size_t used_ = 0;
  std::size_t room_ = 0;
};

}  // namespace ramify
