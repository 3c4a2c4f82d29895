// The best cut of a numeric column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "ramify/counts.hpp"
#include "ramify/search/best.hpp"
#include "ramify/search/bounded_scan.hpp"
#include "ramify/search/entropy_scan.hpp"
#include "ramify/search/question.hpp"
#include "ramify/search/real_blocks.hpp"
#include "ramify/search/real_scan.hpp"
#include "ramify/search/run_view.hpp"
#include "ramify/search/slice_scan.hpp"
#include "ramify/search/table_scan.hpp"

namespace ramify {

// Buffers that a worker uses over and over.
struct ScanBuffers {
  std::vector<Sides> sides;
  std::vector<double> class_scales;
  std::vector<double> left;
  std::vector<double> right;
  std::vector<std::uint32_t> right_rows;
  std::vector<RealSide> real_sides;
  RealBlockBuffers real_blocks;
  BlockBuffers blocks;
  SliceBuffers slice;
  TableScan tables;
};

// A cut of a run is known by the rows to its left, a cut of counted codes by the last entry to its left.
using ScanRun = void (*)(const Question&, const RunView&, const Tags&, ScanBuffers&, Best&);
using ScanCounts = void (*)(const Question&, const CodeCounts&, ScanBuffers&, Best&);

struct ThresholdScans {
  ScanRun run;
  ScanCounts counts;
};

// The scans for any criterion and any weights.
ThresholdScans table_scans(TagMode mode);

// The fast scans of a criterion: for comparisons of entropies. Null for all others. For real weights they need no
// table of powers.
ThresholdScans entropy_scans(const std::string& criterion, TagMode mode);

}  // namespace ramify
