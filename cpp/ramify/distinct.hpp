// The distinct numbers of a column, as long as they are few. Open addressing over the bits of the number.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramify {

class DistinctNumbers {
 public:
  // Up to so many; beyond that they are too many.
  explicit DistinctNumbers(std::uint32_t limit)
      : limit_(limit),
        shift_(64 - static_cast<int>(std::bit_width(std::size_t{4} * limit + 3))),
        keys_(std::size_t{1} << (64 - shift_)),
        places_(keys_.size(), kFree) {}

  // The number's place in order of appearance, or the limit when there are more than that many. Both zeros are
  // one number. No NaN.
  std::uint32_t place(double number) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(number + 0.0);
    std::size_t slot = (bits * 0x9E3779B97F4A7C15ull) >> shift_;
    while (places_[slot] != kFree) {
      if (keys_[slot] == bits) return places_[slot];
      slot = (slot + 1) & (keys_.size() - 1);
    }
    if (numbers_.size() == limit_) return limit_;
    keys_[slot] = bits;
    places_[slot] = static_cast<std::uint32_t>(numbers_.size());
    numbers_.push_back(number + 0.0);
    return places_[slot];
  }

  // In order of appearance.
  const std::vector<double>& numbers() const { return numbers_; }

 private:
  static constexpr std::uint32_t kFree = 0xFFFFFFFFu;

  std::uint32_t limit_;
  int shift_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint32_t> places_;
  std::vector<double> numbers_;
};

}  // namespace ramify
