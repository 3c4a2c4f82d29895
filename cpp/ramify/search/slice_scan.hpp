// The cuts of a slice of a run under the gain, all of them scored: short runs as a whole, where bounds do not pay,
// and of long ones the blocks that bounds leave over.
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

// Cases of a node to one side of a slice.
struct SliceSide {
  const std::uint32_t* counts;  // by class; null if there are none
  std::size_t n;
  double sum;  // of powers
};

struct Slice {
  const Entry* first;
  std::size_t rows;
  SliceSide left;
  SliceSide right;
};

struct SliceBuffers {
  std::vector<std::uint32_t> counts;  // of the classes from the left, then from the right
  std::vector<double> left;           // sums of powers of the cases to the left of each cut
  std::vector<double> right;
  std::vector<double> promises;
};

// Runs of up to so many rows are scanned as one slice; longer ones have better ways, or would need much room.
inline constexpr std::size_t kLongestShortRun = 2048;

// Offers the cuts of a slice in packed mode, each behind one of its cases and known by the rows to its left, and
// what EntropyScan says that they promise.
void scan_slice(const Question& question, const Slice& slice, const Tags& tags, SliceBuffers& buffers,
                Best& promises);

}  // namespace ramify
