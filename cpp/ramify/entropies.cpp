#include "ramify/criteria/entropies.hpp"

#include <algorithm>

namespace ramify {

PowerTable::PowerTable(const Order& order, std::size_t largest, Pool& pool)
    : power_(largest + 1, 0.0), scale_(largest + 1, 0.0), step_(largest + 1, 0.0) {
  const Powers powers(order);
  plain_ = powers.plain();
  constexpr std::size_t kChunk = 1 << 15;
  pool.for_each(largest / kChunk + 1, [&](std::size_t chunk, std::size_t) {
    const std::size_t end = std::min((chunk + 1) * kChunk, largest + 1);
    for (std::size_t n = std::max<std::size_t>(chunk * kChunk, 1); n < end; ++n) {
      power_[n] = powers.power(static_cast<double>(n));
      scale_[n] = powers.scale(static_cast<double>(n));
    }
  });
  for (std::size_t n = 0; n < largest; ++n) step_[n] = power_[n + 1] - power_[n];
}

}  // namespace ramify
