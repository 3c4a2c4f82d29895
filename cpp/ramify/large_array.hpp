// An array of plain items, not filled, that may be very long.
//
// A long one has pages of its own, large ones where the system has them: runs are sorted and parted to many places
// at once, and each small page is one more to look up. They are given back to the system as soon as the array
// goes, whereas in the heap long arrays of ever different sizes leave gaps between each other; or to a stock, for
// arrays that come and go all the time.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>

#include "ramify/pages.hpp"

namespace ramify {

template <class Item>
class LargeArray {
  static_assert(std::is_trivial_v<Item>);

 public:
  LargeArray() = default;
  // The stock, if there is one, must outlive this.
  explicit LargeArray(std::size_t size, PageStock* stock = nullptr) {
    const std::size_t bytes = size * sizeof(Item);
    const Pages pages = stock != nullptr ? stock->take(bytes) : take_pages(bytes, bytes);
    if (pages.first != nullptr) {
      items_ = {static_cast<Item*>(pages.first), Freer{pages, stock}};
    } else {
      items_ = {new Item[size], Freer{}};
    }
  }

  Item* get() { return items_.get(); }
  const Item* get() const { return items_.get(); }

 private:
  struct Freer {
    Pages pages;
    PageStock* stock = nullptr;

    void operator()(Item* items) const {
      if (pages.first == nullptr) {
        delete[] items;
      } else if (stock != nullptr) {
        stock->put(pages);
      } else {
        give_back_pages(pages);
      }
    }
  };

  std::unique_ptr<Item[], Freer> items_;
};

}  // namespace ramify
