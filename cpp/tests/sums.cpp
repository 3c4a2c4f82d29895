// Sums whose terms may come in any order.
#include "check.hpp"
#include "ramify/path/steady_sum.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

void run(std::uint64_t number) {
  Random random(number + 19'000'000);
  const std::size_t count = random.log_between(1, 20'000);
  const double most = random.pick({37.0, 1e-300, 3.7e-12, 5e8, 1e300});
  const std::size_t spread = random.below(40);
  std::vector<double> numbers;
  for (std::size_t i = 0; i < count; ++i) {
    numbers.push_back(std::ldexp(most * random.uniform(), -static_cast<int>(random.below(spread + 1))));
  }
  set_case("sums " + std::to_string(number) + ": " + std::to_string(count) + " up to " + std::to_string(most));
  const SteadyTerms terms(most, count);
  SteadySum sum;
  long double exact = 0.0L;
  for (const double term : numbers) {
    sum += terms(term);
    exact += term;
  }
  // In another order, and in parts.
  SteadySum parts[3];
  for (const std::size_t i : random.permutation(count)) parts[random.below(3)] += terms(numbers[i]);
  parts[2] += parts[0];
  parts[2] += parts[1];
  CHECK(parts[2].coarse == sum.coarse && parts[2].fine == sum.fine, "another sum");
  CHECK(std::abs(sum.value() - static_cast<double>(exact)) <= 1e-15 * static_cast<double>(exact) + 1e-22 * most,
        "not the sum");
}

}  // namespace

Suite sums_suite() { return {"sums", 2000, 400, run}; }

}  // namespace ramify::tests
