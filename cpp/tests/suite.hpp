// A suite is a row of numbered cases; each can be run on its own, and always does the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramify::tests {

struct Suite {
  const char* name;
  std::size_t cases;
  std::size_t quick_cases;  // of a quick run: the first ones
  void (*run)(std::uint64_t number);
};

// One a file.
Suite pool_suite();
Suite deck_suite();
Suite answers_suite();
Suite stress_suite();
Suite scan_suite();
Suite short_runs_suite();
Suite subsets_suite();
Suite scaling_suite();
Suite orders_suite();
Suite ceilings_suite();
Suite sums_suite();
Suite tapes_suite();
Suite pages_suite();
Suite parting_suite();
Suite path_suite();
Suite large_suite();
Suite missing_suite();
Suite counted_suite();
Suite callable_suite();
Suite interrupt_suite();
Suite hostile_suite();

}  // namespace ramify::tests
