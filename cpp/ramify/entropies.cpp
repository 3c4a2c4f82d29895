#include "ramify/criteria/entropies.hpp"

#include <algorithm>

namespace ramify {

void PowerTable::fill(std::size_t begin, std::size_t end) {
  for (std::size_t n = std::max<std::size_t>(begin, 1); n < end; ++n) {
    power_[n] = powers_.power(static_cast<double>(n));
    scale_[n] = powers_.scale(static_cast<double>(n));
  }
}

PowerTable::PowerTable(const Order& order, std::size_t largest, Pool& pool)
    : powers_(order), power_(largest + 1, 0.0), scale_(largest + 1, 0.0), step_(largest + 1, 0.0) {
  constexpr std::size_t kChunk = 1 << 15;
  pool.for_each(largest / kChunk + 1, [&](std::size_t chunk, std::size_t) {
    fill(chunk * kChunk, std::min((chunk + 1) * kChunk, largest + 1));
  });
  for (std::size_t n = 0; n < largest; ++n) step_[n] = power_[n + 1] - power_[n];
}

void PowerTable::reach(std::size_t largest) {
  const std::size_t had = power_.size();
  if (largest + 1 <= had) return;
  for (std::vector<double>* table : {&power_, &scale_, &step_}) {
    table->reserve(largest + 1);
    table->resize(largest + 1, 0.0);
  }
  fill(had, largest + 1);
  for (std::size_t n = had == 0 ? 0 : had - 1; n < largest; ++n) step_[n] = power_[n + 1] - power_[n];
}

void PowerTable::cut_down(std::size_t largest) {
  if (largest + 1 >= power_.size()) return;
  for (std::vector<double>* table : {&power_, &scale_, &step_}) {
    table->resize(largest + 1);
    table->shrink_to_fit();
  }
  step_.back() = 0.0;
}

}  // namespace ramify
