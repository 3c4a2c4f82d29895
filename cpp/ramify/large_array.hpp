// An array of plain items, not filled, that may be very long.
//
// A long one has pages of its own, large ones where the system has them: runs are sorted and parted to many places
// at once, and each small page is one more to look up. They are given back to the system as soon as the array
// goes, whereas in the heap long arrays of ever different sizes leave gaps between each other.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

namespace ramify {

// Memory of its own for a long array; null if it is not long enough, or the system has none to give.
void* take_pages(std::size_t bytes);
void give_back_pages(void* pages, std::size_t bytes);

template <class Item>
class LargeArray {
  static_assert(std::is_trivial_v<Item>);

 public:
  LargeArray() = default;
  explicit LargeArray(std::size_t size) {
    const std::size_t bytes = size * sizeof(Item);
    if (void* const pages = take_pages(bytes); pages != nullptr) {
      items_ = {static_cast<Item*>(pages), Freer{bytes}};
    } else {
      items_ = {new Item[size], Freer{}};
    }
  }

  Item* get() { return items_.get(); }
  const Item* get() const { return items_.get(); }

 private:
  struct Freer {
    std::size_t paged = 0;  // bytes

    void operator()(Item* items) const {
      if (paged > 0) {
        give_back_pages(items, paged);
      } else {
        delete[] items;
      }
    }
  };

  std::unique_ptr<Item[], Freer> items_;
};

}  // namespace ramify
