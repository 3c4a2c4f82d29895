// The rules by which systems of the same idea differ: C4.5's own bundle, and what experiments did. All that is off
// by default is the plain dialect, in which a column is searched for the split with the best score and nothing
// else.
#pragma once

#include <cmath>
#include <string>

namespace ramify {

struct Dialect {
  // Columns are judged one after the other, as the rules below say, instead of all splits by their scores. Leaf
  // minima are weights then, a node needs twice the minimum, and two branches of a nominal column are one category
  // and all others.
  bool by_columns = false;
  std::string cut_criterion = "gain";  // by which a numeric column's cut is chosen: a comparison of entropies
  bool cut_minimum = false;        // a cut needs max(m, min(25, a tenth of the known weight a class)) on each side
  bool mdl_correction = false;     // a numeric column's gain loses log2(number of cuts) / weight
  bool average_gain_gate = false;  // only columns whose gain is at least the average of all compete
  bool unknown_is_outcome = false;  // the branches' entropy counts missing values as one more branch
  bool cut_at_value = false;        // the threshold is a value of the data, not a midpoint
  double tie_tolerance = 0.0;       // a later candidate must be better by more than this (in bits)
  double min_gap = 0.0;             // neighbouring values closer than this are not parted
  bool known_cases_only = false;    // a column is scored by its known cases alone, however few they are
  bool last_of_equal_cuts = false;  // of equally good cuts the last is taken, not the first

  // The next two go with columns that are judged one after the other, and without.
  // Only columns whose gain is at least the mean over all that are left compete; one that can't be split counts 0.
  bool available_gain_gate = false;
  // A cut that scores no more than one without information does not compete.
  bool cuts_must_improve = false;

  static constexpr double kGateSlack = 1e-3;  // in bits
  static constexpr double kManyValues =
      0.3;  // of the weight: columns with more categories don't count for the average
  static constexpr double kLargestCutMinimum = 25.0;

  double tolerance() const { return tie_tolerance * std::log(2.0); }
  // Whether columns with a split may be kept from competing, so that the best of each must be known.
  bool screens() const { return available_gain_gate || cuts_must_improve; }
};

}  // namespace ramify
