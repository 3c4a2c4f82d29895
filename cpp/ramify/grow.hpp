// Growing a tree: one loop for all criteria, kinds of splits and orders of growth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "ramify/columns.hpp"
#include "ramify/dialect.hpp"
#include "ramify/scoring.hpp"
#include "ramify/search/node_search.hpp"
#include "ramify/tree.hpp"

namespace ramify {

inline constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

struct GrowthSettings {
  std::string criterion = "gain";  // a registered name, or empty: `callable` is used
  ScoreTables callable;
  double q = 2.0;  // order of the entropy in use
  bool multiway = false;
  Cuts cuts = Cuts::exact;
  std::uint32_t max_bins = 256;
  std::size_t max_depth = kUnlimited;
  std::size_t min_samples_split = 2;
  std::size_t min_samples_leaf = 1;
  std::size_t max_leaf_nodes = kUnlimited;  // if limited, the nodes that gain most are split first
  double min_support = 0.0;                 // a weight
  double min_impurity_decrease = 0.0;
  Missing missing = Missing::fractional;
  double one_case = 1.0;  // what a case weighs, where parts of cases must add up to some
  Dialect dialect;
  std::size_t n_runner_ups = 0;
  std::size_t max_features = kUnlimited;  // columns drawn for a node, more only if none of them can be split
  std::uint64_t seed = 0;                 // of the draws
  std::vector<std::int32_t> split_order;  // the column that each depth splits on, -1 for any
};

// Whether columns must keep a list of their values for the sake of the dialect.
inline bool keeps_values(const GrowthSettings& settings) {
  return settings.dialect.cut_at_value || settings.dialect.min_gap > 0.0;
}

// Grows a tree. Rows need numbers that are finite or missing, categories below n_categories or missing, and
// positive weights. Where values are missing and go down several branches, labels must be made for rows in parts.
Tree grow(const std::vector<Feature>& features, const Labels& labels, const GrowthSettings& settings, Pool& pool);

}  // namespace ramify
