// The pool on its own: every task once, on workers that exist, round after round, with and without exceptions.
#include <atomic>
#include <stdexcept>
#include <vector>

#include "check.hpp"
#include "ramify/threads.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

void check_round(Pool& pool, std::size_t count) {
  std::vector<std::atomic<int>> calls(count);
  std::atomic<bool> known{true};
  pool.for_each(count, [&](std::size_t index, std::size_t worker) {
    ++calls[index];
    if (worker >= pool.size()) known = false;
  });
  bool once = true;
  for (const std::atomic<int>& n : calls) once = once && n == 1;
  CHECK(once, std::string("every task is done once"));
  CHECK(known, std::string("by a worker of the pool"));
}

void check_throwing_round(Pool& pool, std::size_t count, std::size_t bad) {
  bool thrown = false;
  try {
    pool.for_each(count, [&](std::size_t index, std::size_t) {
      if (index == bad) throw std::out_of_range("bad");
    });
  } catch (const std::out_of_range&) {
    thrown = true;
  }
  CHECK(thrown);
}

void run(std::uint64_t number) {
  Random random(number + 4'000'000);
  Pool pool(random.below(6));
  for (int round = 0; round < 30; ++round) {
    const std::size_t count = random.below(60);
    check_round(pool, count);
    if (count > 0 && random.chance(0.3)) check_throwing_round(pool, count, random.below(count));
  }
}

}  // namespace

Suite pool_suite() { return {"pool", 100, 20, run}; }

}  // namespace ramify::tests
