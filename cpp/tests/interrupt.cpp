// Ctrl-C: the pool asks on the calling thread, and growing ends soon after the answer was yes.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <thread>

#include "check.hpp"
#include "dataset.hpp"
#include "ramify/grow.hpp"
#include "ramify/predict.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

using Clock = std::chrono::steady_clock;

// Sanitizers and busy machines are slow; a hang is what this is to find, and no one waits for seconds.
constexpr std::chrono::seconds kPromptly{3};

Dataset slow_dataset(std::size_t rows, std::size_t columns) {
  Random random(11);
  Dataset dataset;
  dataset.n_classes = 3;
  for (std::size_t i = 0; i < rows; ++i) dataset.classes.push_back(static_cast<std::uint32_t>(random.below(3)));
  for (std::size_t i = 0; i < columns; ++i) {
    Field field;
    for (std::size_t row = 0; row < rows; ++row) field.values.push_back(random.uniform());
    dataset.fields.push_back(field);
  }
  return dataset;
}

// Says yes at its n-th answer, and remembers when.
struct Impatience {
  std::size_t yes_at;
  std::thread::id caller = std::this_thread::get_id();
  std::size_t asked = 0;
  bool elsewhere = false;
  Clock::time_point said{};

  bool operator()() {
    elsewhere = elsewhere || std::this_thread::get_id() != caller;
    if (++asked < yes_at) return false;
    said = Clock::now();
    return true;
  }
};

// Runs the work, which takes longer than any patience, and checks that it ends by Interrupted.
template <class Work>
void check_interrupted(std::size_t jobs, std::size_t yes_at, Work&& work) {
  Impatience impatience{yes_at};
  bool interrupted = false;
  {
    Pool pool(jobs, std::ref(impatience));
    try {
      work(pool);
    } catch (const Interrupted&) {
      interrupted = true;
      CHECK(Clock::now() - impatience.said < kPromptly, "promptly, jobs " + std::to_string(jobs));
    }
  }
  CHECK(interrupted, "jobs " + std::to_string(jobs) + ", asked " + std::to_string(impatience.asked));
  CHECK(!impatience.elsewhere, std::string("asked on the calling thread only"));
}

// A criterion that takes its time, so that the test does not depend on the speed of the machine. `calls` are those
// since the last answer.
GrowthSettings slow_settings(std::atomic<std::size_t>* calls = nullptr) {
  GrowthSettings settings;
  settings.criterion.clear();
  settings.callable = [calls](const TableBatch& batch, double* scores) {
    if (calls != nullptr) ++*calls;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    for (std::size_t t = 0; t < batch.tables; ++t) {
      scores[t] = -std::abs(batch.counts[t * batch.branches * batch.classes] - 5.0);
    }
  };
  return settings;
}

// However many columns a node has, one worker asks between any two of them.
void check_patience() {
  constexpr std::size_t kRows = 2560;
  constexpr std::size_t kColumns = 60;
  constexpr std::size_t kCallsOfColumn = kRows / 256 + 1;  // a call scores up to 256 cuts
  constexpr std::size_t kCallsBeforeAsking = 50;           // the pool asks every 50 ms, and a call takes one
  const Dataset dataset = slow_dataset(kRows, kColumns);
  const Storage storage(dataset);
  std::atomic<std::size_t> calls{0};
  std::size_t most = 0;
  std::size_t asked = 0;
  Pool pool(1, [&] {
    most = std::max(most, calls.exchange(0));
    return ++asked == 8;
  });
  bool interrupted = false;
  try {
    grow(storage.features(), storage.labels(), slow_settings(&calls), pool);
  } catch (const Interrupted&) {
    interrupted = true;
  }
  CHECK(interrupted);
  CHECK(most <= kCallsBeforeAsking + 3 * kCallsOfColumn, std::to_string(most) + " calls without asking");
}

void run(std::uint64_t number) {
  if (number == 0) check_patience();
  constexpr std::size_t kJobs[] = {1, 2, 4};
  const std::size_t jobs = kJobs[number % 3];
  const std::size_t yes_at = 1 + number / 3 % 2;
  const bool shared = number / 6 % 2 == 1;
  const Dataset dataset = shared ? slow_dataset(20'000, 8) : slow_dataset(3000, 4);
  const Storage storage(dataset);
  check_interrupted(jobs, yes_at,
                    [&](Pool& pool) { grow(storage.features(), storage.labels(), slow_settings(), pool); });
  // Tasks of other workers than the caller's own: it asks while it waits for them.
  std::atomic<bool> started{false};
  check_interrupted(std::max<std::size_t>(jobs, 2), yes_at, [&](Pool& pool) {
    pool.for_each(2, [&](std::size_t, std::size_t worker) {
      while (worker == 0 && !started) std::this_thread::yield();
      started = true;
      for (int i = 0; worker != 0 && i < 2000; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        pool.poll(worker);
      }
    });
  });
}

}  // namespace

Suite interrupt_suite() { return {"interrupt", 12, 3, run}; }

}  // namespace ramify::tests
