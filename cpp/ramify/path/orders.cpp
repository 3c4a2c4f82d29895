#include "ramify/path/orders.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace ramify {

namespace {

constexpr std::size_t kLargestInLanes = 1024;
constexpr std::size_t kLargestThatStays = 512;  // in the tables of single orders
// Numbers in tables that are longer: few workers share this, and each of many has the least.
constexpr std::size_t kRoomOfFew = (std::size_t{1} << 22) / sizeof(double);
constexpr std::size_t kLeastRoom = kRoomOfFew / 4;

// Of scales, powers and steps.
std::size_t numbers_for(const Reach& wanted) { return wanted.cases + 2 * wanted.of_class; }

}  // namespace

OrderList common(const OrderList& a, const OrderList& b) {
  OrderList both;
  both.reserve(std::min(a.size(), b.size()));
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

OrderList without(const OrderList& all, const OrderList& some) {
  OrderList rest;
  rest.reserve(all.size());
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest));
  return rest;
}

Orders::Orders(std::vector<double> qs, std::size_t largest, bool looked_up, std::size_t workers)
    : qs_(std::move(qs)),
      largest_(largest),
      looked_up_(looked_up),
      room_(std::max(kRoomOfFew / workers, kLeastRoom)) {
  lanes_ = std::make_shared<const LaneTables>(qs_, looked_up ? std::min(largest, kLargestInLanes) : 0);
  factors_ = std::make_shared<const Factors>(all_last() ? 0 : largest_);
  make_tables();
}

Orders Orders::for_another() const {
  Orders orders = *this;
  orders.make_tables();
  return orders;
}

// Whether powers stay in range is for those to ask who look them up: it depends on their rows.
void Orders::make_tables() {
  powers_.clear();
  for (const double q : qs_) powers_.push_back(looked_up_ ? std::make_shared<PowerTable>(Order(q)) : nullptr);
  last_demand_.assign(qs_.size(), 0);
}

std::size_t Orders::lasting() const {
  if (!looked_up_) return std::numeric_limits<std::size_t>::max();
  const bool all = numbers_for({largest_, largest_}) * qs_.size() <= room_;
  return all ? largest_ : std::min(largest_, kLargestThatStays);
}

void Orders::make_lasting() {
  if (!looked_up_) return;
  const Reach wanted{lasting(), lasting()};
  for (const std::shared_ptr<PowerTable>& table : powers_) {
    if (table->reaches(wanted)) continue;
    table->reach(wanted, *factors_);
    table->keep();
  }
}

void Orders::share_lasting(const Orders& others) {
  for (std::size_t order = 0; order < powers_.size(); ++order) {
    if (powers_[order] == nullptr) continue;
    *powers_[order] = *others.powers_[order];
    powers_[order]->drop_longer();
  }
}

std::size_t Orders::at_once(const Reach& wanted) const {
  if (!looked_up_ || wanted.cases <= lasting()) return qs_.size();
  return std::max<std::size_t>(1, room_ / numbers_for(wanted));
}

void Orders::reach(std::span<const std::uint16_t> orders, Reach wanted) {
  if (!looked_up_) return;
  wanted = {std::max(wanted.cases, lasting()), std::max(wanted.of_class, lasting())};
  ++demand_;
  std::vector<PowerTable*> short_ones;
  for (const std::uint16_t order : orders) {
    last_demand_[order] = demand_;
    PowerTable* const table = powers_[order].get();
    if (!table->reaches(wanted)) short_ones.push_back(table);
  }
  if (short_ones.empty()) return;
  make_room(wanted, short_ones);
  for (PowerTable* const table : short_ones) table->reach(wanted, *factors_);
}

// The room for longer tables is that of others: of orders that are not in demand, those first that were not for
// the longest time.
void Orders::make_room(const Reach& wanted, std::span<PowerTable* const> short_ones) {
  OrderList givers;
  std::size_t all = 0;
  for (std::size_t order = 0; order < powers_.size(); ++order) {
    const PowerTable& table = *powers_[order];
    all += table.room();
    const bool can_give = table.room() > 0 && last_demand_[order] < demand_;
    if (can_give) givers.push_back(static_cast<std::uint16_t>(order));
  }
  const auto lacks = [&](const PowerTable& table) {
    return table.has_room_for(wanted) ? 0
                                      : table.room_for(wanted) - std::min(table.room(), table.room_for(wanted));
  };
  for (const PowerTable* table : short_ones) all += lacks(*table);
  std::stable_sort(givers.begin(), givers.end(),
                   [&](std::uint16_t a, std::uint16_t b) { return last_demand_[a] < last_demand_[b]; });
  auto taker = short_ones.begin();
  for (const std::uint16_t order : givers) {
    if (all <= room_) return;
    PowerTable& giver = *powers_[order];
    while (taker != short_ones.end() && (*taker)->has_room_for(wanted)) ++taker;
    const std::size_t lacking = taker == short_ones.end() ? 0 : lacks(**taker);
    const std::size_t had = taker == short_ones.end() ? 0 : (*taker)->room();
    if (lacking > 0 && giver.give_room_to(**taker, wanted)) {
      all -= lacking + had;
    } else {
      all -= giver.room();
      giver.drop_longer();
    }
  }
}

}  // namespace ramify
