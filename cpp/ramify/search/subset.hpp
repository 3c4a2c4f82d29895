// The best two-way partition of the categories of a nominal column.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/counts.hpp"
#include "ramify/search/best.hpp"
#include "ramify/search/question.hpp"
#include "ramify/search/table_scan.hpp"

namespace ramify {

// How the split of a node was searched for. All but the last try every candidate that can win.
enum class SearchMethod : std::uint8_t {
  every_cut = 0,  // all thresholds, or the one multi-way split
  every_subset = 1,
  share_order = 2,  // two classes: the categories in order of their shares, where that is exact
  heuristic = 3,    // several orders, then moves of single categories
};

inline bool is_exact(SearchMethod method) { return method != SearchMethod::heuristic; }

class SubsetSearch {
 public:
  void set_poll(std::function<void()> poll) {
    poll_ = poll;
    tables_.set_poll(std::move(poll));
  }

  // Finds the best split of the counted categories. Of equal ones the first in the order of the search wins;
  // the left branch always holds the lowest category. `goal`: take the first candidate that reaches this
  // score instead of the best (exact searches only).
  void search(const Question& question, const CodeCounts& counts, const double* goal = nullptr);

  bool found() const { return found_; }
  double score() const { return score_; }
  SearchMethod method() const { return method_; }
  // One a counted category: whether it goes left.
  const std::vector<char>& left() const { return left_; }
  // False if an earlier candidate may reach this score. A heuristic stands by what it found.
  bool is_first_reaching(double score) const { return !is_exact(method_) || best_.is_first_reaching(score); }

 private:
  using Ordering = std::vector<std::uint32_t>;  // categories, as places in the counts

  bool share_order_is_exact() const;
  void try_every_subset(const double* goal);
  void try_share_order(const double* goal);
  void try_orders();
  void take(const Best& best);
  void offer_order(const Ordering& order, std::uint32_t first_where);
  void take_order(const Ordering& order, std::size_t cut);
  Ordering by_key(const std::vector<double>& key) const;
  std::vector<double> share_of(std::uint64_t group) const;
  std::vector<double> principal_component() const;
  std::vector<std::uint64_t> class_groups() const;
  void improve();
  void add_up_sides();
  void flip(std::size_t category);
  double score_of_sides();

  std::function<void()> poll_;
  const Question* question_ = nullptr;
  const CodeCounts* counts_ = nullptr;
  std::vector<std::uint32_t> present_;  // classes that occur in the node
  bool found_ = false;
  double score_ = 0.0;
  Best best_;
  SearchMethod method_ = SearchMethod::every_subset;
  std::vector<char> left_;
  std::vector<double> sides_;  // class counts left, then right
  std::size_t left_rows_ = 0;
  TableScan tables_;
  ScoreBuffers buffers_;
};

}  // namespace ramify
