// The best cuts of the runs of one short node under the gain, of several columns side by side.
//
// All columns of a node have the same cases, so that what a cut behind i of them promises differs from column to
// column by nothing but the sums of powers on either side. A case that goes to the left adds step(c) there, c
// cases of its class being there already, and leaves step(t - 1 - c) less on the right, where t is how many the
// node has. These two lie next to each other in a table that is made once for the node: a case of a column costs
// one look-up. The left sums are added up from the left and the right ones from the right, as `slice_scan` does
// it: nothing is ever taken away, and the promises are the same numbers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ramify/labels.hpp"
#include "ramify/search/question.hpp"

namespace ramify {

struct ShortRunBuffers {
  std::vector<double> steps;          // two for each case of a class, one class after the other
  std::vector<std::uint32_t> begins;  // of each class in them
  std::vector<double> sums;           // one on the left and one step on the right: cases x 2 x lanes
};

// What the best admissible cut of each run promises, as EntropyScan has it; Best::kNone if there is none. The
// node's powers must be looked up, and all its cases in each run, in packed mode.
void scan_short_runs(const Question& question, std::span<const Entry* const> runs, const Tags& tags,
                     ShortRunBuffers& buffers, double* promises);

// Runs of up to so many rows are scanned side by side: bounds pass over most cuts of longer ones.
inline constexpr std::size_t kLongestSideBySide = 2048;

// More classes are scanned column by column.
inline constexpr std::size_t kMostClassesSideBySide = 256;

}  // namespace ramify
