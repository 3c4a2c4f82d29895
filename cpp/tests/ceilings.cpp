// What one order knows of a column holds for higher ones: no split gains more than they are told.
#include "ramify/path/ceilings.hpp"

#include <cmath>

#include "check.hpp"
#include "ramify/scoring.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

double random_order(Random& random) {
  if (random.chance(0.2)) return random.pick({1e-12, 0.5, 1.0, 1.0 + 5e-10, 1.0 + 2e-9, 2.0, 3.0});
  return random.chance(0.5) ? random.uniform() * 3.0 : 30.0 * random.uniform();
}

std::vector<double> random_table(Random& random, std::size_t branches, std::size_t classes) {
  std::vector<double> counts(branches * classes);
  const std::size_t most = random.log_between(1, 1'000'000);
  for (double& count : counts) {
    if (random.chance(0.7)) count = static_cast<double>(random.log_between(1, most));
  }
  if (random.chance(0.3)) {
    for (double& count : counts) count *= 0.01 + random.uniform();
  }
  counts[random.below(counts.size())] += 1.0;
  return counts;
}

void run(std::uint64_t number) {
  Random random(number + 18'000'000);
  for (std::size_t i = 0; i < 1000; ++i) {
    const std::size_t branches = random.between(1, 4);
    const std::size_t classes = random.between(1, 6);
    const std::vector<double> counts = random_table(random, branches, classes);
    const TableBatch table{counts.data(), 1, branches, classes};
    const Order low(random_order(random));
    const Order high(random_order(random));
    set_case("ceilings " + std::to_string(number) + ": q = " + std::to_string(low.q()) + " and " +
             std::to_string(high.q()));
    Ceilings ceilings;
    ceilings.start(2);
    CHECK(std::isinf(ceilings.at(1, high)), "nothing is known of this column");
    ceilings.learn(1, low, gain_of(table, low), 0.0);
    CHECK(std::isinf(ceilings.at(0, high)), "nor of that one");
    const double most = ceilings.at(1, high);
    CHECK(high.q() >= low.q() || low.is_shannon() || high.is_shannon() || std::isinf(most),
          "a higher order says nothing of a lower one");
    CHECK(gain_of(table, high) <= most, "more than the ceiling");
  }
}

}  // namespace

Suite ceilings_suite() { return {"ceilings", 200, 40, run}; }

}  // namespace ramify::tests
