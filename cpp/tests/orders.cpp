// The tables of a path's orders: whatever is asked for, in whatever sequence, is there, and right, also what
// several workers share.
#include "ramify/path/orders.hpp"

#include <cmath>

#include "check.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

bool close(double a, double b) { return std::abs(a - b) <= 1e-11 * std::abs(b); }

void check_table(const Orders& orders, std::size_t order, const Reach& wanted, Random& random) {
  const PowerTable& table = *orders.powers(order);
  const Powers powers(Order(orders.qs()[order]));
  const auto power = [&](std::size_t n) { return powers.power(static_cast<double>(n)); };
  const std::size_t longest = table.plain() ? wanted.of_class : wanted.cases;
  for (std::size_t i = 0; i < 20; ++i) {
    const std::size_t n = i == 0 ? wanted.cases : random.between(1, wanted.cases);
    CHECK(close(table.scales()[n], powers.scale(static_cast<double>(n))), "scale");
    const std::size_t k = i == 0 ? longest : random.between(0, longest);
    CHECK(k == 0 || close(table.powers()[k], power(k)), "power");
    CHECK(table.steps()[k] == table.powers()[k + 1] - table.powers()[k], "step");
  }
}

void run(std::uint64_t number) {
  Random random(number + 17'000'000);
  std::vector<double> qs;
  for (std::size_t i = 0; i <= 40; ++i) qs.push_back(0.1 * static_cast<double>(i));
  const std::size_t largest = random.log_between(20'000, 60'000);
  set_case("orders " + std::to_string(number) + ": counts up to " + std::to_string(largest));
  std::vector<Orders> workers;
  workers.emplace_back(qs, largest, true, random.pick<std::size_t>({1, 2, 4}));
  workers.push_back(workers[0].for_another());
  workers[0].make_lasting();
  workers[1].share_lasting(workers[0]);
  const Reach lasting{workers[0].lasting(), workers[0].lasting()};
  for (std::size_t i = 0; i < 300; ++i) {
    Orders& orders = workers[i % 2];
    Reach wanted{random.log_between(1100, largest), 0};
    wanted.of_class = 1 + static_cast<std::size_t>(random.uniform() * static_cast<double>(wanted.cases - 1));
    OrderList some;
    for (std::uint16_t order = 0; order < qs.size() && some.size() < orders.at_once(wanted); ++order) {
      if (random.chance(0.1)) some.push_back(order);
    }
    orders.reach(some, wanted);
    for (const std::uint16_t order : some) check_table(orders, order, wanted, random);
    check_table(workers[(i + 1) % 2], random.below(qs.size()), lasting, random);
  }
}

}  // namespace

Suite orders_suite() { return {"orders", 60, 10, run}; }

}  // namespace ramify::tests
