#include "ramify/criteria/entropies.hpp"

#include <algorithm>

namespace ramify {

PowerTable::PowerTable(const Order& order, std::size_t largest, Pool& pool)
    : power_(largest + 1, 0.0), scale_(largest + 1, 0.0), step_(largest + 1, 0.0) {
  const double excess = order.q() - 1.0;
  // Inside this distance of 1 the shifted form keeps more digits, outside it the plain one does.
  constexpr double kShiftedWidth = 0.1;
  plain_ = std::abs(excess) >= kShiftedWidth;

  const auto fill = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = std::max<std::size_t>(begin, 1); i < end; ++i) {
      const auto n = static_cast<double>(i);
      if (order.is_shannon()) {
        power_[i] = n * std::log(n);
        scale_[i] = 1.0;
      } else if (order.q() == 2.0) {
        power_[i] = n * n;
        scale_[i] = 1.0 / n;
      } else if (!plain_) {
        const double exponent = excess * std::log(n);
        power_[i] = n * std::expm1(exponent) / excess;
        scale_[i] = std::exp(-exponent);
      } else {
        const double raised = std::pow(n, excess);
        power_[i] = n * raised / std::abs(excess);
        scale_[i] = std::copysign(1.0 / raised, excess);
      }
    }
  };
  constexpr std::size_t kChunk = 1 << 15;
  const std::size_t chunks = largest / kChunk + 1;
  pool.for_each(chunks, [&](std::size_t chunk, std::size_t) {
    fill(chunk * kChunk, std::min((chunk + 1) * kChunk, largest + 1));
  });
  for (std::size_t i = 0; i < largest; ++i) step_[i] = power_[i + 1] - power_[i];
}

}  // namespace ramify
