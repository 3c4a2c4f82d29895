#include "ramify/path/orders.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

namespace ramify {

namespace {

constexpr std::size_t kLargestInLanes = 1024;
constexpr std::size_t kLargestThatStays = 1024;  // in the tables of single orders
constexpr std::size_t kRoom = std::size_t{4} << 20;
constexpr std::size_t kBytesACount = 3 * sizeof(double);

}  // namespace

OrderList common(const OrderList& a, const OrderList& b) {
  OrderList both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

OrderList without(const OrderList& all, const OrderList& some) {
  OrderList rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest));
  return rest;
}

Orders::Orders(std::vector<double> qs, std::size_t largest, bool looked_up)
    : qs_(std::move(qs)), largest_(largest), looked_up_(looked_up) {
  lanes_ = std::make_unique<LaneTables>(qs_, looked_up ? std::min(largest, kLargestInLanes) : 0);
  for (const double q : qs_) {
    const bool fits = looked_up && PowerTable::fits(Order(q), static_cast<double>(largest), 1.0);
    powers_.push_back(fits ? std::make_shared<PowerTable>(Order(q)) : nullptr);
  }
}

std::size_t Orders::lasting() const {
  if (!looked_up_) return std::numeric_limits<std::size_t>::max();
  const bool all = largest_ * qs_.size() * kBytesACount <= kRoom;
  return all ? largest_ : std::min(largest_, kLargestThatStays);
}

void Orders::make_lasting(Pool& pool) {
  OrderList all(qs_.size());
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  reach(all, lasting(), pool);
}

std::size_t Orders::at_once(std::size_t n) const {
  if (!looked_up_ || n <= lasting()) return qs_.size();
  return std::max<std::size_t>(1, kRoom / (n * kBytesACount));
}

void Orders::reach(std::span<const std::uint16_t> orders, std::size_t n, Pool& pool) {
  if (!looked_up_) return;
  const std::size_t needed = std::max(n, lasting());
  std::vector<PowerTable*> short_ones;
  for (const std::uint16_t order : orders) {
    if (powers_[order] != nullptr && powers_[order]->length() <= needed)
      short_ones.push_back(powers_[order].get());
  }
  if (short_ones.empty()) return;
  std::size_t all = short_ones.size() * needed;
  for (const auto& table : powers_) all += table == nullptr ? 0 : table->length();
  for (std::size_t order = 0; order < powers_.size() && all * kBytesACount > kRoom; ++order) {
    if (powers_[order] == nullptr) continue;
    if (std::binary_search(orders.begin(), orders.end(), static_cast<std::uint16_t>(order))) continue;
    const std::size_t had = powers_[order]->length();
    powers_[order]->cut_down(lasting());
    all -= had - powers_[order]->length();
  }
  if (factors_.size() <= needed) factors_ = PowerTable::smallest_factors(largest_);
  pool.for_each(short_ones.size(),
                [&](std::size_t i, std::size_t) { short_ones[i]->reach(needed, factors_.data()); });
}

}  // namespace ramify
