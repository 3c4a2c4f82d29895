// The bins of a column's numbers, row after row.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "ramify/columns.hpp"

namespace ramify {

// Looks some rows up side by side: each step of a search waits for the one before, so that one row at a time would
// leave the processor idle. A step is a sum instead of a choice, since no processor could foresee which way it
// goes.
class Binning {
 public:
  Binning(const Feature& feature, const Coding& coding, std::size_t rows)
      : feature_(feature), coding_(coding), rows_(rows) {}

  // Rows are asked for in order; some may be left out. The number must not be missing.
  std::uint32_t operator()(std::size_t row) {
    if (row >= end_) look_up(row);
    return bins_[row - begin_];
  }

 private:
  static constexpr std::size_t kTogether = 8;  // what registers hold

  void look_up(std::size_t row) {
    begin_ = row;
    end_ = std::min(row + kTogether, rows_);
    std::array<double, kTogether> numbers{};
    for (std::size_t i = 0; i < end_ - begin_; ++i) numbers[i] = feature_.number(begin_ + i);
    const double* const edges = coding_.edges.data();
    std::array<const double*, kTogether> first;  // edge that may not be below the number
    first.fill(edges);
    for (std::size_t size = coding_.edges.size(); size > 0;) {
      const std::size_t half = (size + 1) / 2;
      for (std::size_t i = 0; i < kTogether; ++i) {
        first[i] += half * static_cast<std::size_t>(first[i][half - 1] < numbers[i]);
      }
      size -= half;
    }
    for (std::size_t i = 0; i < kTogether; ++i) bins_[i] = static_cast<std::uint32_t>(first[i] - edges);
  }

  const Feature& feature_;
  const Coding& coding_;
  std::size_t rows_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::array<std::uint32_t, kTogether> bins_{};
};

}  // namespace ramify
