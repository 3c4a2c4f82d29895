// The native tests: ramify_tests [--quick] [--suite NAME [--case NUMBER]]
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "check.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

using Clock = std::chrono::steady_clock;

struct Options {
  bool quick = false;
  std::string suite;
  std::optional<std::uint64_t> number;
};

// Ends the process when a case hangs: a test that waits for ever says nothing.
class Watchdog {
 public:
  Watchdog() : thread_([this] { watch(); }) {}
  ~Watchdog() {
    done_ = true;
    thread_.join();
  }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  void enter(const char* suite, std::uint64_t number) {
    suite_ = suite;
    number_ = number;
    since_ = Clock::now().time_since_epoch().count();
  }

 private:
  static constexpr std::chrono::seconds kPatience{120};

  void watch() {
    while (!done_) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const Clock::time_point since{Clock::duration(since_.load())};
      if (Clock::now() - since < kPatience) continue;
      std::fprintf(stderr, "HANGS: %s %llu\n", suite_.load(), static_cast<unsigned long long>(number_.load()));
      std::_Exit(2);
    }
  }

  std::atomic<const char*> suite_{""};
  std::atomic<std::uint64_t> number_{0};
  std::atomic<Clock::rep> since_{Clock::now().time_since_epoch().count()};
  std::atomic<bool> done_{false};
  std::thread thread_;
};

void run_case(const Suite& suite, std::uint64_t number, Watchdog& watchdog) {
  set_case(std::string(suite.name) + " " + std::to_string(number));
  watchdog.enter(suite.name, number);
  try {
    suite.run(number);
  } catch (const std::exception& error) {
    CHECK(false, std::string("exception: ") + error.what());
  }
}

void run_suite(const Suite& suite, const Options& options, Watchdog& watchdog) {
  const Clock::time_point start = Clock::now();
  const std::size_t checks = n_checks();
  const std::size_t failures = n_failures();
  if (options.number) {
    run_case(suite, *options.number, watchdog);
  } else {
    const std::size_t cases = options.quick ? suite.quick_cases : suite.cases;
    for (std::uint64_t number = 0; number < cases; ++number) run_case(suite, number, watchdog);
  }
  std::printf("%-10s %9zu checks %5zu failed %7.2f s\n", suite.name, n_checks() - checks, n_failures() - failures,
              std::chrono::duration<double>(Clock::now() - start).count());
  std::fflush(stdout);
}

std::optional<Options> read_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--quick") {
      options.quick = true;
    } else if (word == "--suite" && i + 1 < argc) {
      options.suite = argv[++i];
    } else if (word == "--case" && i + 1 < argc) {
      options.number = std::strtoull(argv[++i], nullptr, 10);
    } else {
      return std::nullopt;
    }
  }
  return options;
}

int run(const Options& options) {
  Watchdog watchdog;
  bool any = false;
  // Hostile trees last: should one of them end the process, all else has been said.
  for (const Suite& suite :
       {pool_suite(),     deck_suite(),      answers_suite(),  scan_suite(),  short_runs_suite(), subsets_suite(),
        scaling_suite(),  orders_suite(),    ceilings_suite(), sums_suite(),  tapes_suite(),      pages_suite(),
        parting_suite(),  path_suite(),      stress_suite(),   large_suite(), missing_suite(),    counted_suite(),
        callable_suite(), interrupt_suite(), hostile_suite()}) {
    if (!options.suite.empty() && options.suite != suite.name) continue;
    any = true;
    run_suite(suite, options, watchdog);
  }
  if (!any) std::fprintf(stderr, "no such suite: %s\n", options.suite.c_str());
  std::printf("%zu checks, %zu failed\n", n_checks(), n_failures());
  return any && n_failures() == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

}  // namespace ramify::tests

int main(int argc, char** argv) {
  const auto options = ramify::tests::read_options(argc, argv);
  if (!options) {
    std::fprintf(stderr, "usage: ramify_tests [--quick] [--suite NAME [--case NUMBER]]\n");
    return EXIT_FAILURE;
  }
  return ramify::tests::run(*options);
}
