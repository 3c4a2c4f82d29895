// The best cut of a short run under the gain: every cut is scored, since bounds do not pay here.
//
// The sums of powers are added up from both ends at once: neither side is ever kept by subtraction, and the two
// chains of additions do not wait for each other. Then all cuts are scored, four at a time, without a branch that
// depends on what was found before.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/labels.hpp"
#include "ramify/search/best.hpp"
#include "ramify/search/question.hpp"

namespace ramify {

struct ShortBuffers {
  std::vector<std::uint32_t> counts;  // of the classes from the left, then from the right
  std::vector<double> left;           // sums of powers of the cases to the left of each cut
  std::vector<double> right;
  std::vector<double> promises;
};

// Runs that are longer have better ways, or would need much room.
inline constexpr std::size_t kLongestShortRun = 2048;

// Offers the cuts of a run in packed mode, each known by the rows to its left, and what EntropyScan says that they
// promise.
void scan_short_run(const Question& question, const Entry* first, std::size_t rows, const Tags& tags,
                    ShortBuffers& buffers, Best& promises);

}  // namespace ramify
