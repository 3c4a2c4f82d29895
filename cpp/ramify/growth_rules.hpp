// Which nodes may be split, by what, and what their splits must have: the settings' side of growing, the same for
// one tree and for a path of trees.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "ramify/grow.hpp"
#include "ramify/search/node_search.hpp"

namespace ramify {

// The impurity of a node, by definition.
inline double impurity_of(const Order& order, const double* counts, std::size_t classes, double weight,
                          std::size_t rows) {
  return rows == 0 ? 0.0 : order.weighted(counts, classes, 1, weight) / weight;
}

// A node as the rules see it.
struct NodeSize {
  const double* counts;  // one a class
  double weight;
  std::size_t rows;
  std::size_t depth;
  bool in_parts;  // some of its rows are there in part
};

class GrowthRules {
 public:
  GrowthRules(const GrowthSettings& settings, const Labels& labels, std::size_t columns)
      : settings_(settings), labels_(labels), columns_(columns) {}

  bool may_split(const NodeSize& node) const;
  Admission admission(const NodeSize& node) const;

  // Seeds: a number for each node that depends on the way to it alone.
  std::uint64_t root_seed() const;
  static std::uint64_t child_seed(std::uint64_t seed, std::size_t branch);
  // True if every node is searched in all columns, so that neither its seed nor its depth matters.
  bool all_columns() const { return settings_.max_features >= columns_ && settings_.split_order.empty(); }
  // True if a node's split depends on its rows alone, whatever the way to it.
  bool rows_decide() const { return all_columns() && !settings_.dialect.available_gain_gate; }
  // The columns that a node is to be searched in first: all (then it is empty), those drawn for it, or the one its
  // depth must have.
  std::vector<char> wanted(std::size_t depth, std::uint64_t seed) const;
  // All columns in the order in which they are tried where none of those wanted can be split, and how many of
  // them are tried together first.
  std::vector<std::size_t> order_of_others(std::uint64_t seed) const;
  std::size_t others_together(std::size_t depth) const;

 private:
  double least_of_parts() const;
  std::int32_t forced_column(std::size_t depth) const {
    return depth < settings_.split_order.size() ? settings_.split_order[depth] : -1;
  }

  const GrowthSettings& settings_;
  const Labels& labels_;
  std::size_t columns_;
};

// The split of a node by the findings of the columns that are wanted in it or, where these have no split to
// choose, of the columns that were left out: those drawn together if the wanted one was forced, then the others in
// the order of the draw until one can be split. Their findings are added to `findings`, which has one a column.
std::optional<Split> choose_split(const GrowthRules& rules, std::size_t depth, std::uint64_t seed,
                                  const NodeSearch& search, const SearchedNode& node, std::span<Finding> findings,
                                  SearchBuffers& buffers);

}  // namespace ramify
