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
#include "ramify/search/short_runs.hpp"
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
  ShortRunBuffers short_runs;
  TableScan tables;
};

// A cut of a run is known by the rows to its left, a cut of counted codes by the last entry to its left.
using ScanRun = void (*)(const Question&, const RunView&, const Tags&, ScanBuffers&, Best&);
using ScanCounts = void (*)(const Question&, const CodeCounts&, ScanBuffers&, Best&);
// The best scores of the cuts of several runs, kNone where there is no cut. Which cuts they are must be looked for
// again, by a goal.
using ScanSideBySide = void (*)(const Question&, std::span<const Entry* const>, const Tags&, ScanBuffers&,
                                double* scores);

struct ThresholdScans {
  ScanRun run;
  ScanCounts counts;
  ScanSideBySide side_by_side = nullptr;  // of nodes to which this applies; null if there is no such scan
  bool (*scans_side_by_side)(const Question&) = nullptr;
};

// The scans for any criterion and any weights.
ThresholdScans table_scans(TagMode mode);

// The fast scans of a criterion: for comparisons of entropies. Null for all others. For real weights they need no
// table of powers.
ThresholdScans entropy_scans(const std::string& criterion, TagMode mode);

}  // namespace ramify
