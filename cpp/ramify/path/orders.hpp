// The orders of a path: the values of q, and the tables of powers of each.
//
// Tables as long as the data, for every order, would be many times the data themselves. Small counts, which most
// nodes have, are in tables that stay, and that all workers share; longer ones are made when a large node asks for
// them, and dropped again when others need the room. These each worker has for itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ramify/criteria/entropies.hpp"
#include "ramify/path/lane_tables.hpp"

namespace ramify {

// Some orders of a path, by their places in it, ascending.
using OrderList = std::vector<std::uint16_t>;
inline constexpr std::size_t kMostOrders = 0xFFFF;

// Those that are in both lists; those of one that are not in the other.
OrderList common(const OrderList& a, const OrderList& b);
OrderList without(const OrderList& all, const OrderList& some);

class Orders {
 public:
  // `largest`: the largest count that can occur; `looked_up`: whether powers are looked up at all; `workers`: how
  // many share the memory for tables.
  Orders(std::vector<double> qs, std::size_t largest, bool looked_up, std::size_t workers);
  // The same orders for another worker: without tables yet, but for those that no one changes.
  Orders for_another() const;

  const std::vector<double>& qs() const { return qs_; }
  std::size_t size() const { return qs_.size(); }
  const LaneTables& lanes() const { return *lanes_; }
  // Null where powers are not looked up.
  std::shared_ptr<const PowerTable> powers(std::size_t order) const { return powers_[order]; }
  std::size_t largest() const { return largest_; }
  bool looked_up() const { return looked_up_; }

  // How many orders may have tables that go this far at one time.
  std::size_t at_once(const Reach& wanted) const;
  // Makes the tables that stay: all of them where there is room for all, else those of small counts.
  void make_lasting();
  // Takes them from others, who have made them.
  void share_lasting(const Orders& others);
  // The largest count of those; and whether it is the largest of all.
  std::size_t lasting() const;
  bool all_last() const { return lasting() >= largest_; }
  // Makes the tables of these orders go this far.
  void reach(std::span<const std::uint16_t> orders, Reach wanted);

 private:
  void make_tables();
  void make_room(const Reach& wanted, std::span<PowerTable* const> short_ones);

  std::vector<double> qs_;
  std::size_t largest_;
  bool looked_up_;
  std::size_t room_;  // numbers, in all tables
  std::shared_ptr<const LaneTables> lanes_;
  std::shared_ptr<const Factors> factors_;           // of all counts; of none if all tables stay
  std::vector<std::shared_ptr<PowerTable>> powers_;  // null where powers are not looked up
  // How often tables were asked for, and which time was the last for each order.
  std::uint64_t demand_ = 0;
  std::vector<std::uint64_t> last_demand_;
};

}  // namespace ramify
