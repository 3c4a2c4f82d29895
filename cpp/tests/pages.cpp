// Arrays with pages out of a stock have these for themselves, and stock and arrays together are never more than
// the arrays have been. Under sanitizers there is only the heap, and nothing to see but that.
#include "ramify/pages.hpp"

#include <algorithm>
#include <cstdint>

#include "check.hpp"
#include "ramify/large_array.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

using Numbers = LargeArray<std::uint64_t>;

// An array that knows what was written into it.
struct Written {
  Numbers numbers;
  std::size_t size;
  std::uint64_t first;

  Written(std::size_t of_size, std::uint64_t from, PageStock& stock)
      : numbers(of_size, &stock), size(of_size), first(from) {
    for (std::size_t i = 0; i < size; ++i) numbers.get()[i] = first + i;
  }
  // That it takes of the system's pages, up to `rounding` more: short arrays lie in the heap.
  std::size_t in_pages(std::size_t rounding) const {
    const std::size_t bytes = size * sizeof(std::uint64_t);
    return bytes < std::size_t{1} << 19 ? 0 : bytes + rounding;
  }
  bool as_it_was() const {
    for (std::size_t i = 0; i < size; ++i) {
      if (numbers.get()[i] != first + i) return false;
    }
    return true;
  }
};

void run(std::uint64_t number) {
  Random random(number + 21'000'000);
  set_case("pages " + std::to_string(number));
  PageStock stock;
  std::vector<Written> arrays;
  std::size_t most = 0;
  const auto in_use = [&](std::size_t rounding) {
    std::size_t all = 0;
    for (const Written& array : arrays) all += array.in_pages(rounding);
    return all;
  };
  for (std::size_t step = 0; step < 60; ++step) {
    if (!arrays.empty() && random.below(5) < 2) {
      const auto gone = arrays.begin() + static_cast<std::ptrdiff_t>(random.below(arrays.size()));
      CHECK(gone->as_it_was(), "an array was written over");
      arrays.erase(gone);
    } else {
      arrays.emplace_back(random.log_between(1000, std::size_t{1} << 19), random.bits(), stock);
      constexpr std::size_t kLargestSmallPage = std::size_t{1} << 16;
      most = std::max(most, in_use(kLargestSmallPage));
    }
    CHECK(stock.filled() + in_use(0) <= most, "the stock is larger than need be");
  }
  for (const Written& array : arrays) CHECK(array.as_it_was(), "an array was written over");
  arrays.clear();
  stock.clear();
  CHECK(stock.filled() == 0, "the stock is empty");
}

}  // namespace

Suite pages_suite() { return {"pages", 200, 40, run}; }

}  // namespace ramify::tests
