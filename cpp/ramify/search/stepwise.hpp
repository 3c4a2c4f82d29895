// The search of one column under a dialect that judges columns one after the other, as C4.5 does: a numeric
// column's cut is the first that no later one beats by more than the tolerance, and only then is the column's
// split scored, in the light of its missing values.
#pragma once

#include "ramify/dialect.hpp"
#include "ramify/search/threshold.hpp"

namespace ramify {

// What a walk over the cuts of a column came to.
struct StepCut {
  bool found = false;
  double gain = 0.0;        // under the cut criterion, in the known share
  std::uint32_t where = 0;  // rows, or the last entry, to the left
  std::size_t cuts = 0;     // admissible ones
};

struct StepRules {
  double tolerance;
  double min_weight;  // of each side
  double min_gap;     // between the values beside the cut, if the column has a table of these
  const Column& column;
  bool last_of_equal = false;
};

using StepRun = StepCut (*)(const Question&, const RunView&, const Tags&, const StepRules&, ScanBuffers&);
using StepCounts = StepCut (*)(const Question&, const CodeCounts&, const StepRules&, ScanBuffers&);

struct StepScans {
  StepRun run = nullptr;
  StepCounts counts = nullptr;
};

// Null where the cut criterion is no comparison of entropies.
StepScans step_scans(const std::string& cut_criterion, TagMode mode);

// What a split is worth under a dialect: the gain by which it may compete, and the score by which it wins.
struct Worth {
  double gain;
  double score;
  double nothing;  // the score of a split without information
};

// Of a table of known cases. `penalty` is what the gain loses (the price of having had many cuts to choose from).
Worth worth_of(const Scorebook& book, const Dialect& dialect, const TableBatch& known, double unknown_weight,
               double penalty);

}  // namespace ramify
