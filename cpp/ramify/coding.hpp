// How the values of a column become codes: made once from all rows, and the same wherever rows are encoded.
//
// Glossary
//   values   numeric, few distinct numbers: a code for each, in their order. Nothing is lost.
//   edges    numeric, many: a code for each bin (lower edge, upper edge].
//   missing  a value that is not there. It has a code of its own, above all others.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ramify {

// The point half way between two numbers, always at least `low` and below `high`.
double midpoint(double low, double high);

struct Coding {
  bool nominal = false;
  bool has_missing = false;
  std::uint32_t n_codes = 0;   // without the one of missing values
  std::vector<double> values;  // the value of each code, where they are few, or kept
  std::vector<double> edges;   // binned: the upper edge of each bin but the last

  std::size_t n_dense_codes() const { return n_codes + (has_missing ? 1 : 0); }

  // The bin of a number: the first whose upper edge is not below it. `Binning` finds those of many.
  std::uint32_t bin(double number) const {
    return static_cast<std::uint32_t>(std::lower_bound(edges.begin(), edges.end(), number) - edges.begin());
  }
  // The place of a number among the values, or n_codes if it is none of them.
  std::uint32_t place(double number) const {
    const auto found = std::lower_bound(values.begin(), values.end(), number);
    return found != values.end() && *found == number ? static_cast<std::uint32_t>(found - values.begin())
                                                     : n_codes;
  }
  // The last code to the left of a threshold of this coding.
  std::uint32_t last_code_up_to(double threshold) const {
    if (!edges.empty()) return bin(threshold);
    const auto above = std::upper_bound(values.begin(), values.end(), threshold);
    return static_cast<std::uint32_t>(above - values.begin()) - 1;
  }
};

// Upper edges of bins of equal width from `low` to `high`, the last bin's left out. None if there is no such span.
std::vector<double> equal_width_edges(double low, double high, std::uint32_t bins);

// The coding of a numeric column by its distinct numbers, which are in order, or by bins.
Coding coding_of_values(std::vector<double> values, bool has_missing);
Coding coding_of_edges(std::vector<double> edges, bool has_missing);

}  // namespace ramify
