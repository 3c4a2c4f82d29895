#include "check.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace ramify::tests {

namespace {

constexpr std::size_t kMostShown = 40;  // a defect often fails in hundreds of cases; the first ones will do

std::string current_case;
std::size_t checks = 0;
std::size_t failures = 0;

}  // namespace

void set_case(const std::string& name) { current_case = name; }
void note_check() { ++checks; }
std::size_t n_checks() { return checks; }
std::size_t n_failures() { return failures; }

void note_failure(const char* file, int line, const std::string& what) {
  if (++failures > kMostShown) return;
  std::fprintf(stderr, "FAILED %s:%d [%s] %s\n", file, line, current_case.c_str(), what.c_str());
}

bool close(double a, double b, double relative, double scale) {
  if (a == b) return true;
  return std::abs(a - b) <= relative * std::max({std::abs(a), std::abs(b), scale});
}

}  // namespace ramify::tests
