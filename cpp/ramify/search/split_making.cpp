// From the findings of a node's columns to the split that is made.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "ramify/search/node_search.hpp"

namespace ramify {

std::optional<std::size_t> NodeSearch::pick(std::span<const Finding> findings, double entropy) const {
  return first_as_good(
      findings.size(), [&](std::size_t i) { return findings[i].score(); },
      [&](double best) { return book_.tie_width(best, entropy); });
}

// The average gain that a column must reach; nothing if no column counts.
std::optional<double> NodeSearch::average_gain(std::span<const Finding> findings) const {
  const double many = Dialect::kManyValues * labels_.total();
  const auto has_many = [&](std::size_t i) {
    const Column& column = rows_.columns()[i];
    return column.nominal && !(static_cast<double>(column.n_codes) < many);
  };
  bool all_have_many = true;
  for (std::size_t i = 0; i < findings.size(); ++i) all_have_many = all_have_many && has_many(i);
  double total = 0.0;
  double counted = 0.0;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!findings[i].counts() || (has_many(i) && !all_have_many)) continue;
    total += findings[i].gain;
    counted += 1.0;
  }
  return counted > 0.0 ? std::optional(total / counted) : std::nullopt;
}

std::optional<std::size_t> NodeSearch::pick_by_rules(std::span<const Finding> findings) const {
  const Dialect& dialect = settings_.dialect;
  double least = Best::kNone;
  if (dialect.average_gain_gate) {
    const std::optional<double> average = average_gain(findings);
    if (!average) return std::nullopt;
    least = *average - Dialect::kGateSlack * std::log(2.0);
  }
  const double tolerance = book_.score_is_share ? dialect.tie_tolerance : dialect.tolerance();
  std::optional<std::size_t> winner;
  double best = Best::kNone;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (!finding.found() || finding.gain < least) continue;
    if (!(finding.score() > std::max(best, finding.nothing) + tolerance)) continue;
    best = finding.score();
    winner = i;
  }
  return winner;
}

// Whether a cut scores more than one that leaves both sides with the class distribution of the node.
bool NodeSearch::improves(const View& view, const Split& split, SearchBuffers& buffers) const {
  const std::size_t classes = labels_.n_classes();
  const TableBatch table{split.counts.data(), 1, split.n_branches, classes};
  std::vector<double> levelled(split.counts.size());
  level(table, levelled.data());
  const Admission any;
  const Question question{book_, view.known, any};
  const double nothing =
      question.score_by_definition({levelled.data(), 1, split.n_branches, classes}, buffers.scores);
  const double score = question.score_by_definition(table, buffers.scores);
  return score > nothing + book_.tie_width(score, view.known.entropy);
}

// The findings of the columns that the dialect lets compete; those of the others are empty.
std::vector<Finding> NodeSearch::screened(const SearchedNode& node, std::span<const Finding> findings,
                                          SearchBuffers& buffers) const {
  const Dialect& dialect = settings_.dialect;
  std::vector<Finding> left(findings.begin(), findings.end());
  std::vector<double> gains(findings.size(), 0.0);
  double total = 0.0;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (!left[i].found()) continue;
    const Split split = make_split(node, left[i], i, goal_of(left[i].score(), node), buffers);
    gains[i] = dialect.by_columns ? left[i].gain : split.gain;
    total += gains[i];
    if (!dialect.cuts_must_improve || split.kind != SplitKind::threshold) continue;
    if (!improves(look(node, i, buffers), split, buffers)) left[i] = Finding();
  }
  if (!dialect.available_gain_gate) return left;
  const double mean = total / static_cast<double>(std::max<std::size_t>(left.size() - node.spent, 1));
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (gains[i] < mean - kTieWidth * node.totals.entropy) left[i] = Finding();
  }
  return left;
}

std::optional<Split> NodeSearch::choose(const SearchedNode& node, std::span<const Finding> findings,
                                        SearchBuffers& buffers) const {
  if (!settings_.dialect.screens()) return choose_among(node, findings, buffers);
  return choose_among(node, screened(node, findings, buffers), buffers);
}

std::optional<Split> NodeSearch::choose_among(const SearchedNode& node, std::span<const Finding> findings,
                                              SearchBuffers& buffers) const {
  const std::optional<std::size_t> winner =
      settings_.dialect.by_columns ? pick_by_rules(findings) : pick(findings, node.totals.entropy);
  if (!winner) return std::nullopt;
  double best = Best::kNone;
  for (const Finding& finding : findings) best = std::max(best, finding.score());
  Split split = make_split(node, findings[*winner], *winner, goal_of(best, node), buffers);
  split.exact = std::all_of(findings.begin(), findings.end(), [](const Finding& f) { return f.exact; });
  if (settings_.n_runner_ups == 0) return split;

  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (i != *winner && findings[i].found()) others.push_back(i);
  }
  std::stable_sort(others.begin(), others.end(),
                   [&](std::size_t a, std::size_t b) { return findings[a].score() > findings[b].score(); });
  others.resize(std::min(others.size(), settings_.n_runner_ups));
  for (const std::size_t i : others) {
    const double goal = goal_of(findings[i].score(), node);
    split.runner_ups.push_back(static_cast<SplitRule&&>(make_split(node, findings[i], i, goal, buffers)));
  }
  return split;
}

// What a candidate must reach to be as good as the best.
double NodeSearch::goal_of(double best, const SearchedNode& node) const {
  return best - book_.tie_width(best, node.totals.entropy);
}

Split NodeSearch::make_split(const SearchedNode& node, const Finding& finding, std::size_t number, double goal,
                             SearchBuffers& buffers) const {
  const View view = look(node, number, buffers);
  Split split;
  split.column = number;
  split.score = finding.score();
  if (!settings_.dialect.by_columns && !(finding.first.score() >= goal) &&
      finding.second.where() == kKnownOrMissing) {
    make_known_or_missing(view, split, buffers);
  } else if (view.column.nominal) {
    make_nominal(view, node, finding, goal, split, buffers);
  } else {
    make_threshold(view, node, finding, goal, split, buffers);
  }
  split.unknown_weight = buffers.unknown.weight;
  measure(view, split, buffers);
  return split;
}

void NodeSearch::make_known_or_missing(const View& view, Split& split, const SearchBuffers& buffers) const {
  split.kind = SplitKind::known;
  split.counts.assign(view.known.counts, view.known.counts + labels_.n_classes());
  split.counts.insert(split.counts.end(), buffers.unknown.counts.begin(), buffers.unknown.counts.end());
  split.rows = {view.known_rows, buffers.unknown.rows};
  split.missing_route = 1;
}

void NodeSearch::make_threshold(const View& view, const SearchedNode& node, const Finding& finding, double goal,
                                Split& split, SearchBuffers& buffers) const {
  const bool rescan = !settings_.dialect.by_columns && settings_.cuts != Cuts::gaussian;
  const Question all{book_, node.totals, node.admission};
  const bool one_branch = buffers.unknown.rows > 0 && settings_.missing == Missing::best_branch;
  const bool missing_left = one_branch && finding.second.found() && !(finding.first.score() >= goal);
  const Best& best = missing_left ? finding.second : finding.first;
  std::uint32_t where = best.where();
  if (rescan && !best.is_first_reaching(goal)) {
    Best first = Best::first_reaching(goal);
    if (missing_left) {
      scan_missing_left(all, view, buffers, first);
    } else if (one_branch) {
      scan_missing_right(all, view, buffers, first);
    } else {
      Question known = ask(view, node, buffers);
      known.reached = Best::kNone;
      scan(known, view, {view.run.entries, view.known_rows}, buffers, first);
    }
    if (first.found()) where = first.where();
  }
  const bool at_end = view.counted ? where + 1 == buffers.counts.size() : where == view.known_rows;
  if (one_branch && !missing_left && at_end) return make_known_or_missing(view, split, buffers);
  if (missing_left && !view.counted) where -= static_cast<std::uint32_t>(buffers.unknown.rows);
  const std::size_t last = view.counted ? buffers.counts.size() - 1 : view.known_rows;
  if (where >= last || (!view.counted && where == 0))
    throw std::logic_error("a cut that parts nothing was chosen");
  fill_threshold(view, where, split, buffers);
  if (settings_.cuts == Cuts::gaussian) split.threshold = gaussian_cut(view, buffers);
  if (one_branch) split.missing_route = missing_left ? 0 : 1;
  send_unknown(view, split, buffers);
}

std::uint32_t NodeSearch::settle(const View& view, const SearchedNode& node, const Finding& finding, double best,
                                 SearchBuffers& buffers) const {
  const double goal = goal_of(best, node);
  if (finding.first.is_first_reaching(goal)) return finding.first.where();
  Best first = Best::first_reaching(goal);
  const Question question{book_, view.known, node.admission};
  scan(question, view, view.run, buffers, first);
  return first.found() ? first.where() : finding.first.where();
}

Split NodeSearch::cut(const View& view, std::uint32_t where, SearchBuffers& buffers) const {
  Split split;
  split.column = view.number;
  fill_threshold(view, where, split, buffers);
  send_unknown(view, split, buffers);
  return split;
}

// Parts the known cases at a cut: the rows to its left, or the last entry of the counts to its left.
void NodeSearch::fill_threshold(const View& view, std::uint32_t where, Split& split,
                                const SearchBuffers& buffers) const {
  const Column& column = view.column;
  const std::size_t classes = labels_.n_classes();
  split.counts.assign(2 * classes, 0.0);
  split.rows.assign(2, 0);
  if (view.counted) {
    const CodeCounts& counts = buffers.counts;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      const std::size_t branch = c <= where ? 0 : 1;
      split.rows[branch] += counts.rows(c);
      for (std::size_t k = 0; k < classes; ++k) split.counts[branch * classes + k] += counts.of(c)[k];
    }
    split.cut = counts.code(where);
    split.threshold = cut_value(column, column.threshold_of_codes(split.cut, counts.code(where + 1)));
    return;
  }
  split.rows = {where, view.known_rows - where};
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{labels_.tags()};
    const auto* run = view.run.begin<Mode>();
    const auto add = [&](std::size_t begin, std::size_t end, double* counts) {
      for (std::size_t r = begin; r < end; ++r) {
        counts[reader.cls(run[r])] += static_cast<double>(reader.weight(run[r]));
      }
    };
    double* const left = split.counts.data();
    double* const right = left + classes;
    // Real weights are added up on both sides: a difference would leave a rest of classes that are not there.
    const bool left_is_smaller = where <= view.known_rows - where;
    if (Mode == TagMode::weighted || left_is_smaller) add(0, where, left);
    if (Mode == TagMode::weighted || !left_is_smaller) add(where, view.known_rows, right);
    if constexpr (Mode != TagMode::weighted) {
      double* const smaller = left_is_smaller ? left : right;
      double* const larger = left_is_smaller ? right : left;
      for (std::size_t k = 0; k < classes; ++k) larger[k] = view.known.counts[k] - smaller[k];
    }
    split.cut = where;
    split.threshold =
        cut_value(column, column.threshold_of_rows(reader.row(run[where - 1]), reader.row(run[where])));
  });
}

// The threshold itself or, in a dialect that wants it so, the largest value of the data up to it, give or take the
// slack that is far below the gap between values that are parted.
double NodeSearch::cut_value(const Column& column, double threshold) const {
  if (!settings_.dialect.cut_at_value || column.values.empty()) return threshold;
  const auto above = std::lower_bound(column.values.begin(), column.values.end(), threshold + kSlack);
  return above == column.values.begin() ? threshold : *(above - 1);
}

void NodeSearch::make_nominal(const View& view, const SearchedNode& node, const Finding& finding, double goal,
                              Split& split, SearchBuffers& buffers) const {
  const std::size_t classes = labels_.n_classes();
  const std::uint32_t n_codes = view.column.n_codes;
  split.routes.assign(n_codes, -1);
  const bool one_branch = buffers.unknown.rows > 0 && settings_.missing == Missing::best_branch;
  if (settings_.multiway) {
    // One branch a declared category; those that hold no case become leaves that answer like this node.
    split.kind = SplitKind::multiway;
    split.n_branches = n_codes;
    std::iota(split.routes.begin(), split.routes.end(), 0);
    if (one_branch) {
      Best first = finding.first;
      if (!settings_.dialect.by_columns && !first.is_first_reaching(goal)) {
        first = Best::first_reaching(goal);
        offer_joined({book_, node.totals, node.admission}, buffers, first);
      }
      split.missing_route = static_cast<std::int32_t>(buffers.counts.code(first.where()));
    }
  } else if (settings_.dialect.by_columns) {
    split.kind = SplitKind::subset;
    std::fill(split.routes.begin(), split.routes.end(), 1);
    split.routes[buffers.counts.code(finding.first.where())] = 0;
  } else {
    make_subset(view, node, goal, split, buffers);
  }
  split.counts.assign(split.n_branches * classes, 0.0);
  split.rows.assign(split.n_branches, 0);
  for (std::size_t c = 0; c < buffers.counts.size(); ++c) {
    const std::size_t branch = split.branch_of(buffers.counts.code(c));
    split.rows[branch] += buffers.counts.rows(c);
    for (std::size_t k = 0; k < classes; ++k) split.counts[branch * classes + k] += buffers.counts.of(c)[k];
  }
  send_unknown(view, split, buffers);
}

void NodeSearch::make_subset(const View& view, const SearchedNode& node, double goal, Split& split,
                             SearchBuffers& buffers) const {
  const Question all{book_, node.totals, node.admission};
  Question question = ask(view, node, buffers);
  question.reached = Best::kNone;
  const bool joined = buffers.unknown.rows > 0 && settings_.missing == Missing::best_branch;
  if (joined) {
    buffers.counts.open(view.column.missing_code());
    buffers.counts.add(buffers.counts.size() - 1, buffers.unknown.counts, buffers.unknown.rows);
  }
  SubsetSearch& subset = buffers.subset;
  subset.search(joined ? all : question, buffers.counts);
  if (!subset.is_first_reaching(goal)) subset.search(joined ? all : question, buffers.counts, &goal);
  if (joined) buffers.counts.drop_last(buffers.unknown.counts, buffers.unknown.rows);
  split.kind = SplitKind::subset;
  split.method = subset.method();
  bool any_right = false;
  for (std::size_t c = 0; c < buffers.counts.size(); ++c) {
    const bool left = subset.left()[c] != 0;
    any_right = any_right || !left;
    split.routes[buffers.counts.code(c)] = left ? 0 : 1;
  }
  if (!joined) return;
  split.missing_route = subset.left().back() != 0 ? 0 : 1;
  if (any_right) return;
  split.kind = SplitKind::known;  // nothing but the missing ones went right
  split.routes.clear();
}

// Sends the missing ones where they go, once the known ones are parted.
void NodeSearch::send_unknown(const View& view, Split& split, const SearchBuffers& buffers) const {
  const std::size_t classes = labels_.n_classes();
  const Unknown& unknown = buffers.unknown;
  std::vector<double> weights(split.n_branches, 0.0);
  for (std::size_t i = 0; i < split.counts.size(); ++i) weights[i / classes] += split.counts[i];
  switch (settings_.missing) {
    case Missing::fractional:
      split.missing_route = kEveryBranch;
      if (unknown.rows == 0) return;
      split.unknown = unknown.counts;
      split.unknown_rows = unknown.rows;
      for (const double weight : weights) {
        const double share = weight / view.known.weight;
        split.shares.push_back(settings_.dialect.by_columns && share <= kSlack ? 0.0 : share);
      }
      return;
    case Missing::best_branch:
      if (unknown.rows == 0) {  // none to learn from: to the branch where most cases go
        const double most = *std::max_element(weights.begin(), weights.end()) * (1.0 - kTieWidth);
        const auto first = std::find_if(weights.begin(), weights.end(), [&](double w) { return w >= most; });
        split.missing_route = static_cast<std::int32_t>(first - weights.begin());
        return;
      }
      for (std::size_t k = 0; k < classes; ++k) {
        split.counts[static_cast<std::size_t>(split.missing_route) * classes + k] += unknown.counts[k];
      }
      split.rows[static_cast<std::size_t>(split.missing_route)] += unknown.rows;
      return;
    case Missing::own_branch:
      split.missing_route = kStays;
      if (unknown.rows == 0) return;
      split.missing_route = static_cast<std::int32_t>(split.n_branches++);
      split.counts.insert(split.counts.end(), unknown.counts.begin(), unknown.counts.end());
      split.rows.push_back(unknown.rows);
  }
}

// Gain and score by definition, not from the running sums of the search: the same numbers however it was found.
void NodeSearch::measure(const View& view, Split& split, SearchBuffers& buffers) const {
  const TableBatch table{split.counts.data(), 1, split.n_branches, labels_.n_classes()};
  // Cases whose value is missing are not in the table if they go down every branch.
  const bool all = split.unknown.empty();
  const NodeTotals& known = view.known;
  const double share = all ? 1.0 : known.weight / (known.weight + buffers.unknown.weight);
  const double before =
      all ? known.entropy : book_.order.weighted(known.counts, known.classes, 1, known.weight) / known.weight;
  split.entropies.resize(split.n_branches);
  const double gain = before - entropy_left(table, book_.order, split.entropies);
  // Below 0 is rounding: for q >= 0 no split loses.
  split.gain = std::max(share * gain, 0.0);
  if (settings_.dialect.by_columns || book_.is_callable) return;
  if (book_.score_is_gain && share == 1.0) {
    split.score = gain;  // by the same definition, which is all powers and takes time
    return;
  }
  const Admission any;
  const Question question{book_, view.known, any, Best::kNone, share};
  split.score = question.score_by_definition(table, buffers.scores);
}

}  // namespace ramify
