// The best split of a node over all its columns.
#pragma once

#include <atomic>
#include <optional>
#include <vector>

#include "ramify/rows.hpp"
#include "ramify/search/gaussian.hpp"
#include "ramify/search/threshold.hpp"

namespace ramify {

// What the search of one column came to.
struct Finding {
  Best best;
  bool exact = true;

  bool found() const { return best.found(); }
  double score() const { return best.score(); }
};

// Buffers of one worker.
struct SearchBuffers {
  ScanBuffers scan;
  SubsetSearch subset;
  CodeCounts counts;
  DenseCounter counter;
};

// A node as the search sees it.
struct SearchedNode {
  Stretch rows;
  NodeTotals totals;
  Admission admission;
  const std::uint32_t* histograms = nullptr;  // of the dense columns, where kept
  // The best score of any column so far. What others skip because of it can't win, so it does not matter
  // who gets there first.
  mutable std::atomic<double> reached{Best::kNone};

  SearchedNode() = default;
  SearchedNode(SearchedNode&& other) noexcept  // before the search only
      : rows(other.rows), totals(other.totals), admission(other.admission), histograms(other.histograms) {}
};

class NodeSearch {
 public:
  NodeSearch(const Rows& rows, const Labels& labels, const Scorebook& book, const ThresholdScans& scans, Cuts cuts,
             bool multiway);

  Finding search_column(const SearchedNode& node, std::size_t column, SearchBuffers& buffers) const;

  // Picks among the findings, one a column, by the tie rule; nothing if no column has an admissible split.
  std::optional<Split> choose(const SearchedNode& node, const std::vector<Finding>& findings,
                              SearchBuffers& buffers) const;

  // Where the histogram of a dense column begins in a node's histograms, and the size of all.
  std::size_t histogram_begin(std::size_t column) const { return histogram_begin_[column]; }
  std::size_t histogram_size() const { return histogram_begin_.back(); }

 private:
  void count(const SearchedNode& node, std::size_t column, SearchBuffers& buffers) const;
  double gaussian_cut(const SearchedNode& node, std::size_t column, SearchBuffers& buffers) const;
  // Offers the gaussian cut, as rows to its left or as the last code to its left.
  void search_gaussian(const Question& question, const SearchedNode& node, std::size_t column,
                       SearchBuffers& buffers, Best& best) const;
  void search_threshold(const Question& question, const SearchedNode& node, std::size_t column,
                        SearchBuffers& buffers, Best& best) const;
  Split make_threshold(const SearchedNode& node, std::size_t column, std::uint32_t where,
                       SearchBuffers& buffers) const;
  Split make_nominal(const SearchedNode& node, std::size_t column, double goal, SearchBuffers& buffers) const;
  bool constant(const SearchedNode& node, const Column& column) const;

  const Rows& rows_;
  const Labels& labels_;
  const Scorebook& book_;
  ThresholdScans scans_;
  Cuts cuts_;
  bool multiway_;
  std::vector<std::size_t> histogram_begin_;
};

}  // namespace ramify
