// A split of a node: the rule by which it sends cases on, and the branches that it makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ramify/search/subset.hpp"

namespace ramify {

enum class SplitKind : std::uint8_t {
  leaf = 0,
  threshold = 1,
  subset = 2,
  multiway = 3,
  known = 4,  // whether the value is there at all: branch 0 if it is, branch 1 if it is missing
};

// Where a case goes whose value is missing: down a branch, if not negative, or one of these.
enum MissingRoute : std::int32_t {
  kStays = -1,        // it stays in the node and gets the node's answer
  kEveryBranch = -2,  // down every branch, in parts as large as the branches' shares of the cases
};

// Which branch a case goes down.
struct BranchRule {
  std::size_t column = 0;
  double threshold = 0.0;
  std::vector<std::int32_t> routes;  // nominal: the branch of each category, -1 for those not in the node
  std::size_t n_branches = 2;
  double unknown_weight = 0.0;  // of the node's cases whose value is missing
  std::int32_t missing_route = kStays;
  // Threshold: the last code of a dense column that goes left, or how many of a run's entries do.
  std::uint32_t cut = 0;
  SplitKind kind = SplitKind::threshold;

  // Whether nothing is left to part in its column below it.
  bool uses_up_column() const { return kind == SplitKind::multiway; }

  // Of a code that is not missing, of a dense or nominal column.
  std::uint32_t branch_of(std::uint32_t code) const {
    if (kind == SplitKind::threshold) return code <= cut ? 0 : 1;
    if (kind == SplitKind::known) return 0;
    return static_cast<std::uint32_t>(routes[code]);
  }
};

// What a criterion says of a split.
struct Verdict {
  double score = 0.0;
  double gain = 0.0;  // in the entropy of the order in use
  SearchMethod method = SearchMethod::every_cut;
  bool exact = true;  // no column of the node was searched heuristically
};

// What a finished tree keeps of a split.
struct SplitRule : BranchRule, Verdict {
  std::vector<SplitRule> runner_ups;  // the best splits of other columns, best first
};

struct Split : SplitRule {
  std::vector<double> counts;     // branches x classes, of the cases that go down one branch
  std::vector<std::size_t> rows;  // one a branch, of the same cases
  std::vector<double> entropies;  // likewise, in the order in use, once it is measured
  // Of the cases that go down every branch in part: class counts (empty if there are none), rows, and the part
  // that each branch gets of them.
  std::vector<double> unknown;
  std::size_t unknown_rows = 0;
  std::vector<double> shares;

  std::size_t rows_in(std::size_t branch) const {
    return rows[branch] + (unknown_rows > 0 && shares[branch] > 0.0 ? unknown_rows : 0);
  }
};

}  // namespace ramify
