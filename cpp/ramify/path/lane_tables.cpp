#include "ramify/path/lane_tables.hpp"

#include "ramify/criteria/entropies.hpp"

namespace ramify {

LaneTables::LaneTables(const std::vector<double>& qs, std::size_t largest)
    : largest_(largest),
      stride_((qs.size() + 2 * kLanes - 1) / kLanes * kLanes),  // any window of lanes stays inside
      power_((largest + 1) * stride_, 0.0),
      scale_((largest + 1) * stride_, 0.0),
      leaves_out_(stride_, 0.0) {
  for (std::size_t i = 0; i < qs.size(); ++i) {
    const Powers powers{Order(qs[i])};
    leaves_out_[i] = powers.plain() ? 0.0 : 1.0;
    for (std::size_t n = 1; n <= largest; ++n) {
      const std::size_t at = n * stride_ + i;
      power_[at] = powers.power(static_cast<double>(n));
      scale_[at] = powers.scale(static_cast<double>(n));
    }
  }
}

}  // namespace ramify
