// Checks that say what failed and in which case, and go on: one run shows all that is wrong.
#pragma once

#include <cstddef>
#include <string>

namespace ramify::tests {

// What the failures that follow are about, e.g. "stress 17".
void set_case(const std::string& name);

void note_check();
void note_failure(const char* file, int line, const std::string& what);

std::size_t n_checks();
std::size_t n_failures();

// True if two numbers are equal but for this part of the larger of `scale` and their own size.
bool close(double a, double b, double relative, double scale = 0.0);

}  // namespace ramify::tests

// CHECK(condition) or CHECK(condition, "words for the reader"). For the main thread only.
#define CHECK(condition, ...)                                                                    \
  do {                                                                                           \
    ::ramify::tests::note_check();                                                               \
    if (!(condition)) {                                                                          \
      ::ramify::tests::note_failure(__FILE__, __LINE__,                                          \
                                    std::string(#condition) __VA_OPT__(+" | " + (__VA_ARGS__))); \
    }                                                                                            \
  } while (false)
