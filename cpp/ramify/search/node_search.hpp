// The best split of a node over all its columns.
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <vector>

#include "ramify/rows.hpp"
#include "ramify/search/gaussian.hpp"
#include "ramify/search/stepwise.hpp"
#include "ramify/search/threshold.hpp"

namespace ramify {

// What happens to cases whose value of the split column is missing.
enum class Missing : std::uint8_t {
  fractional,   // they go down every branch in part; scores count known cases, and are worth their share
  best_branch,  // all go down the branch that makes the score best
  own_branch,   // they are a branch of their own
};

// What the search of one column came to. A column with missing values is searched twice where these go to one
// branch: `second` is the search with the missing ones on the left, or the split into known and missing.
struct Finding {
  Best first;
  Best second;
  bool exact = true;
  double gain = 0.0;     // in dialects that judge by columns
  double nothing = 0.0;  // there, the score of a split without information

  bool for_nothing =
      false;  // there, it can be split, but for nothing: it counts for the average gain all the same

  bool found() const { return first.found() || second.found(); }
  bool counts() const { return found() || for_nothing; }
  double score() const { return std::max(first.score(), second.score()); }
  // No split of the column scores more, where the search was exact.
  double most() const { return std::max(first.most(), second.most()); }
};

// The place of the split into known and missing among the cuts of a column.
inline constexpr std::uint32_t kKnownOrMissing = 0xFFFFFFFFu;

// What comparisons of weights in dialects tolerate.
inline constexpr double kSlack = 1e-6;

// The cases of a node whose value of a column is missing.
struct Unknown {
  std::vector<double> counts;
  std::vector<std::size_t> class_rows;  // where entries carry weights
  std::size_t rows = 0;
  double weight = 0.0;
};

// Buffers of one worker.
struct SearchBuffers {
  ScanBuffers scan;
  SubsetSearch subset;
  CodeCounts counts;
  DenseCounter counter;
  ScoreBuffers scores;
  Unknown unknown;
  std::vector<double> known_counts;
  std::vector<Entry> turned;                   // a run with its missing values in front
  std::vector<WeightedEntry> turned_weighted;  // likewise
  std::vector<const Entry*> runs;              // that are searched side by side
  std::vector<std::size_t> run_columns;        // whose they are
  std::vector<double> run_scores;
};

// Lets long searches ask the pool now and then whether to go on.
inline void poll_from(SearchBuffers& buffers, Pool& pool, std::size_t worker) {
  const auto poll = [&pool, worker] { pool.poll(worker); };
  buffers.scan.tables.set_poll(poll);
  buffers.subset.set_poll(poll);
}

// A node as the search sees it.
struct SearchedNode {
  Stretch rows;
  NodeTotals totals;
  Admission admission;
  const std::uint32_t* histograms = nullptr;  // of the dense columns, where kept
  GivenCounts given;                          // or of all columns, made elsewhere: no rows are looked at then
  std::vector<char> wanted;                   // one a column: whether it is to be searched; empty: all are
  std::size_t spent = 0;                      // columns that splits above have used up
  const std::size_t* class_rows = nullptr;    // where rows may be there in part: how many of each class
  // The best score of any column so far. What others skip because of it can't win, so it does not matter
  // who gets there first.
  mutable std::atomic<double> reached{Best::kNone};
  void raise(double score) const {
    double known = reached.load(std::memory_order_relaxed);
    while (score > known && !reached.compare_exchange_weak(known, score, std::memory_order_relaxed)) {
    }
  }

  bool wants(std::size_t column) const { return wanted.empty() || wanted[column] != 0; }

  SearchedNode() = default;
  SearchedNode& operator=(SearchedNode&& other) noexcept {  // likewise
    rows = other.rows;
    totals = other.totals;
    admission = other.admission;
    histograms = other.histograms;
    given = other.given;
    wanted = std::move(other.wanted);
    spent = other.spent;
    class_rows = other.class_rows;
    reached.store(Best::kNone);
    return *this;
  }
  SearchedNode(SearchedNode&& other) noexcept  // before the search only
      : rows(other.rows),
        totals(other.totals),
        admission(other.admission),
        histograms(other.histograms),
        given(other.given),
        wanted(std::move(other.wanted)),
        spent(other.spent),
        class_rows(other.class_rows) {}
};

struct SearchSettings {
  ThresholdScans scans;
  StepScans steps;  // of dialects that judge by columns
  Dialect dialect;
  Cuts cuts = Cuts::exact;
  bool multiway = false;
  Missing missing = Missing::fractional;
  std::size_t n_runner_ups = 0;
};

class NodeSearch {
 public:
  NodeSearch(const Rows& rows, const Labels& labels, const Scorebook& book, const SearchSettings& settings);

  // A column of a node, its cases parted into known and missing. Dense and nominal columns are in
  // buffers.counts, the known ones only; runs in `run`, the known ones in front.
  struct View {
    std::size_t number;
    const Column& column;
    bool counted;
    RunView run{nullptr, 0};  // all cases
    std::size_t known_rows = 0;
    NodeTotals known{};
  };

  Finding search_column(const SearchedNode& node, std::size_t column, SearchBuffers& buffers) const;

  // Whether the columns of a node are searched at once, several side by side: it is so short that its runs need
  // not be at hand.
  bool searches_at_once(const SearchedNode& node) const;
  // Whether a column is one of those that lie side by side then; others are looked at one by one.
  bool lies_beside_others(std::size_t column) const;
  // Some of its columns then; findings are one a column of all.
  void search_columns(const SearchedNode& node, std::span<const std::size_t> columns, std::span<Finding> findings,
                      SearchBuffers& buffers) const;

  // The same in steps, so that what does not depend on the order of the entropy can be done once for many orders.
  bool constant(const SearchedNode& node, std::size_t column) const;
  View look(const SearchedNode& node, std::size_t column, SearchBuffers& buffers) const;
  Finding search(const View& view, const SearchedNode& node, SearchBuffers& buffers) const;

  // Picks among the findings, one a column, by the tie rule; nothing if no column has an admissible split.
  std::optional<Split> choose(const SearchedNode& node, std::span<const Finding> findings,
                              SearchBuffers& buffers) const;
  // The column that is picked where no dialect has rules of its own.
  std::optional<std::size_t> pick(std::span<const Finding> findings, double entropy) const;
  // Where a numeric column without missing values is cut: the first cut that is as good as the best of all
  // columns.
  std::uint32_t settle(const View& view, const SearchedNode& node, const Finding& finding, double best,
                       SearchBuffers& buffers) const;
  // Its split there, not yet measured.
  Split cut(const View& view, std::uint32_t where, SearchBuffers& buffers) const;
  // Gain and score by definition.
  void measure(const View& view, Split& split, SearchBuffers& buffers) const;

  const Scorebook& book() const { return book_; }
  const SearchSettings& settings() const { return settings_; }

  // Where the histogram of a dense column begins in a node's histograms, and the size of all.
  std::size_t histogram_begin(std::size_t column) const { return histogram_begin_[column]; }
  std::size_t histogram_size() const { return histogram_begin_.back(); }

 private:
  void count(const SearchedNode& node, const Column& column, std::size_t number, SearchBuffers& buffers) const;
  void count_unknown(View& view, const SearchedNode& node, SearchBuffers& buffers) const;
  void search_side_by_side(const SearchedNode& node, std::span<Finding> findings, SearchBuffers& buffers) const;
  void give_up_small_gains(const SearchedNode& node, Finding& finding) const;
  bool take_away_unknown(const SearchedNode& node, SearchBuffers& buffers) const;

  // The question about the known cases of a column.
  Question ask(const View& view, const SearchedNode& node, const SearchBuffers& buffers) const;
  void search_numeric(const View& view, const SearchedNode& node, SearchBuffers& buffers, Finding& finding) const;
  void search_nominal(const View& view, const SearchedNode& node, SearchBuffers& buffers, Finding& finding) const;
  Finding search_by_rules(const View& view, const SearchedNode& node, SearchBuffers& buffers) const;
  void search_one_against_rest(const View& view, const Admission& admission, SearchBuffers& buffers,
                               Finding& finding) const;
  void scan(const Question& question, const View& view, const RunView& run, SearchBuffers& buffers,
            Best& best) const;
  void scan_missing_right(const Question& question, const View& view, SearchBuffers& buffers, Best& best) const;
  void scan_missing_left(const Question& question, const View& view, SearchBuffers& buffers, Best& best) const;
  RunView turn(const View& view, SearchBuffers& buffers) const;
  void offer_joined(const Question& all, SearchBuffers& buffers, Best& best) const;
  void offer_known_or_missing(const View& view, const SearchedNode& node, SearchBuffers& buffers,
                              Best& best) const;

  double gaussian_cut(const View& view, const SearchBuffers& buffers) const;
  void offer_gaussian(const View& view, const SearchedNode& node, SearchBuffers& buffers, Finding& finding) const;

  std::vector<Finding> screened(const SearchedNode& node, std::span<const Finding> findings,
                                SearchBuffers& buffers) const;
  bool improves(const View& view, const Split& split, SearchBuffers& buffers) const;
  std::optional<Split> choose_among(const SearchedNode& node, std::span<const Finding> findings,
                                    SearchBuffers& buffers) const;
  std::optional<std::size_t> pick_by_rules(std::span<const Finding> findings) const;
  std::optional<double> average_gain(std::span<const Finding> findings) const;
  double goal_of(double best, const SearchedNode& node) const;
  Split make_split(const SearchedNode& node, const Finding& finding, std::size_t column, double goal,
                   SearchBuffers& buffers) const;
  void make_threshold(const View& view, const SearchedNode& node, const Finding& finding, double goal,
                      Split& split, SearchBuffers& buffers) const;
  void make_nominal(const View& view, const SearchedNode& node, const Finding& finding, double goal, Split& split,
                    SearchBuffers& buffers) const;
  void make_subset(const View& view, const SearchedNode& node, double goal, Split& split,
                   SearchBuffers& buffers) const;
  void make_known_or_missing(const View& view, Split& split, const SearchBuffers& buffers) const;
  void fill_threshold(const View& view, std::uint32_t where, Split& split, const SearchBuffers& buffers) const;
  void send_unknown(const View& view, Split& split, const SearchBuffers& buffers) const;
  double cut_value(const Column& column, double threshold) const;

  const Rows& rows_;
  const Labels& labels_;
  const Scorebook& book_;
  SearchSettings settings_;
  std::vector<std::size_t> histogram_begin_;
};

}  // namespace ramify
