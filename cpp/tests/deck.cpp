// The deck on its own: what is begun with and what is left to others is taken once each, by any number of workers,
// and one that fails keeps none of the others waiting.
#include "ramify/path/deck.hpp"

#include <atomic>
#include <stdexcept>

#include "check.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

// A number to count down from: each step may be left to others.
struct Countdown {
  std::size_t from = 0;
  explicit operator bool() const { return from > 0; }
};

constexpr std::size_t kNever = 0;

// Counts down from all numbers, each a tree whose root has the halves of what is left below it; returns how many
// numbers were met. The worker that meets one fails there.
std::size_t count_down(Pool& pool, const std::vector<Countdown>& first, std::size_t room, std::size_t failing) {
  Deck<Countdown> deck(pool, first, room, 2);
  std::atomic<std::size_t> met{0};
  pool.for_each(pool.size(), [&](std::size_t, std::size_t worker) {
    while (const Countdown task = deck.take(worker)) {
      std::vector<Countdown> stack{task};
      while (!stack.empty()) {
        const Countdown top = stack.back();
        stack.pop_back();
        ++met;
        if (top.from == failing) throw std::out_of_range("failing");
        for (const std::size_t half : {top.from / 2, (top.from - 1) / 2}) {
          if (half == 0) continue;
          if (deck.wants(half)) {
            deck.add({half}, half);
          } else {
            stack.push_back({half});
          }
        }
      }
      deck.done(worker);
    }
  });
  return met;
}

void run(std::uint64_t number) {
  Random random(number + 19'000'000);
  Pool pool(1 + random.below(4));
  for (int round = 0; round < 10; ++round) {
    std::vector<Countdown> first;
    std::size_t all = 0;
    for (std::size_t i = random.below(4); i-- > 0;) {
      first.push_back({random.log_between(1, 3000)});
      all += first.back().from;  // a tree of as many nodes
    }
    const std::size_t room = random.log_between(1, 2000);
    CHECK(count_down(pool, first, room, kNever) == all, "everything is taken once");
    if (first.empty()) continue;
    bool thrown = false;
    try {
      count_down(pool, first, room, first[0].from);
    } catch (const std::out_of_range&) {
      thrown = true;
    }
    CHECK(thrown, "the first exception is thrown");
  }
}

}  // namespace

Suite deck_suite() { return {"deck", 100, 20, run}; }

}  // namespace ramify::tests
