#include "ramify/criteria/entropies.hpp"

#include <algorithm>

namespace ramify {

void PowerTable::fill(std::size_t begin, std::size_t end) {
  if (begin == 0) power_[0] = scale_[0] = 0.0;
  for (std::size_t n = std::max<std::size_t>(begin, 1); n < end; ++n) {
    power_[n] = powers_.power(static_cast<double>(n));
    scale_[n] = powers_.scale(static_cast<double>(n));
  }
}

// (ab)^x = a^x b^x: of composite numbers the powers are products of powers that are there, and ten times cheaper
// to get than by a call of pow. A product of as many factors as a number has is off by as many roundings at most.
void PowerTable::fill_by_factors(std::size_t begin, std::size_t end, const std::uint32_t* smallest_factor) {
  if (powers_.form() != PowerForm::plain || begin == 0) return fill(begin, end);
  const double weight = std::abs(powers_.excess());
  const double sign = powers_.excess() < 0.0 ? -1.0 : 1.0;
  for (std::size_t n = begin; n < end; ++n) {
    const std::size_t factor = smallest_factor[n];
    if (factor == n) {
      fill(n, n + 1);
    } else {
      power_[n] = power_[factor] * power_[n / factor] * weight;
      scale_[n] = scale_[factor] * scale_[n / factor] * sign;
    }
  }
}

std::vector<std::uint32_t> PowerTable::smallest_factors(std::size_t largest) {
  std::vector<std::uint32_t> factor(largest + 1, 0);
  for (std::size_t n = 0; n <= largest; ++n) {
    if (factor[n] != 0) continue;
    factor[n] = static_cast<std::uint32_t>(n);
    for (std::size_t multiple = n * n; n > 1 && multiple <= largest; multiple += n) {
      if (factor[multiple] == 0) factor[multiple] = static_cast<std::uint32_t>(n);
    }
  }
  return factor;
}

PowerTable::PowerTable(const Order& order, std::size_t largest, Pool& pool) : powers_(order) {
  constexpr std::size_t kChunk = 1 << 15;
  set_length(largest + 1);
  pool.for_each(largest / kChunk + 1, [&](std::size_t chunk, std::size_t) {
    fill(chunk * kChunk, std::min((chunk + 1) * kChunk, largest + 1));
  });
  fill_steps(0);
}

void PowerTable::reach(std::size_t largest, const std::uint32_t* smallest_factor) {
  const std::size_t had = length_;
  if (largest + 1 <= had) return;
  set_length(largest + 1);
  fill_by_factors(had, largest + 1, smallest_factor);
  fill_steps(had == 0 ? 0 : had - 1);
}

void PowerTable::cut_down(std::size_t largest) {
  if (largest + 1 >= length_) return;
  set_length(largest + 1);
  step_[largest] = 0.0;
}

void PowerTable::set_length(std::size_t length) {
  for (std::unique_ptr<double[]>* table : {&power_, &scale_, &step_}) {
    auto fresh = std::make_unique_for_overwrite<double[]>(length);
    std::copy_n(table->get(), std::min(length, length_), fresh.get());
    *table = std::move(fresh);
  }
  length_ = length;
}

void PowerTable::fill_steps(std::size_t begin) {
  for (std::size_t n = begin; n + 1 < length_; ++n) step_[n] = power_[n + 1] - power_[n];
  step_[length_ - 1] = 0.0;
}

}  // namespace ramify
