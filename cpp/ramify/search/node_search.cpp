#include "ramify/search/node_search.hpp"

#include <algorithm>

#include "ramify/search/multiway.hpp"

namespace ramify {

NodeSearch::NodeSearch(const Rows& rows, const Labels& labels, const Scorebook& book, const ThresholdScans& scans,
                       Cuts cuts, bool multiway)
    : rows_(rows), labels_(labels), book_(book), scans_(scans), cuts_(cuts), multiway_(multiway) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < rows.columns().size(); ++i) {
    histogram_begin_.push_back(begin);
    const Column& column = rows.columns()[i];
    if (column.dense) begin += std::size_t{column.n_codes} * labels.n_classes();
  }
  histogram_begin_.push_back(begin);
}

namespace {

void raise(std::atomic<double>& highest, double score) {
  double known = highest.load(std::memory_order_relaxed);
  while (score > known && !highest.compare_exchange_weak(known, score, std::memory_order_relaxed)) {
  }
}

}  // namespace

bool NodeSearch::constant(const SearchedNode& node, const Column& column) const {
  if (column.dense) return column.n_codes < 2;
  const Entry* run = rows_.run(node.rows, column.slot);
  return run[0].code == run[node.rows.size - 1].code;
}

void NodeSearch::count(const SearchedNode& node, std::size_t i, SearchBuffers& buffers) const {
  const Column& column = rows_.columns()[i];
  buffers.counts.reset(labels_.n_classes());
  if (column.dense && node.histograms != nullptr) {
    read_histogram(node.histograms + histogram_begin_[i], column.n_codes, buffers.counts);
    return;
  }
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{labels_.tags()};
    if (column.dense) {
      const std::uint32_t* first = rows_.list(node.rows);
      buffers.counter.count(first, first + node.rows.size, rows_.columns().dense(column.slot), reader,
                            buffers.counts);
    } else {
      const Entry* first = rows_.run(node.rows, column.slot);
      count_run(first, first + node.rows.size, reader, buffers.counts);
    }
  });
}

Finding NodeSearch::search_column(const SearchedNode& node, std::size_t i, SearchBuffers& buffers) const {
  const Column& column = rows_.columns()[i];
  Finding finding;
  if (constant(node, column)) return finding;
  const Question question{book_, node.totals, node.admission, node.reached.load(std::memory_order_relaxed)};
  if (!column.nominal) {
    search_threshold(question, node, i, buffers, finding.best);
    if (book_.score_is_gain && finding.found() &&
        finding.score() < node.admission.min_gain - 1e-12 * node.totals.entropy) {
      return Finding{};
    }
    raise(node.reached, finding.score());
    return finding;
  }
  count(node, i, buffers);
  if (multiway_) {
    finding.best.offer(score_multiway(question, buffers.counts), 0);
  } else {
    buffers.subset.search(question, buffers.counts);
    finding.exact = is_exact(buffers.subset.method());
    if (buffers.subset.found()) finding.best.offer(buffers.subset.score(), 0);
  }
  raise(node.reached, finding.score());
  return finding;
}

void NodeSearch::search_threshold(const Question& question, const SearchedNode& node, std::size_t i,
                                  SearchBuffers& buffers, Best& best) const {
  const Column& column = rows_.columns()[i];
  if (column.dense) count(node, i, buffers);
  if (column.dense && buffers.counts.size() < 2) return;
  if (cuts_ == Cuts::gaussian) return search_gaussian(question, node, i, buffers, best);
  if (column.dense) return scans_.counts(question, buffers.counts, buffers.scan, best);
  const Entry* first = rows_.run(node.rows, column.slot);
  scans_.run(question, first, first + node.rows.size, labels_.tags(), buffers.scan, best);
}

double NodeSearch::gaussian_cut(const SearchedNode& node, std::size_t i, SearchBuffers& buffers) const {
  const Column& column = rows_.columns()[i];
  ClassNormals normals(labels_.n_classes());
  // Calls visit(class, value, weight) for all cases of the node.
  const auto each = [&](auto&& visit) {
    if (column.dense) {
      for (std::size_t c = 0; c < buffers.counts.size(); ++c) {
        for (std::size_t k = 0; k < labels_.n_classes(); ++k) {
          const double weight = buffers.counts.of(c)[k];
          if (weight > 0.0) visit(k, column.values[buffers.counts.code(c)], weight);
        }
      }
      return;
    }
    with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
      const TagReader<Mode> reader{labels_.tags()};
      const Entry* run = rows_.run(node.rows, column.slot);
      for (std::size_t r = 0; r < node.rows.size; ++r) {
        visit(std::size_t{reader.cls(run[r].tag)}, column.feature.number(reader.row(run[r].tag)),
              static_cast<double>(reader.weight(run[r].tag)));
      }
    });
  };
  each([&](std::size_t k, double value, double weight) { normals.add(k, value, weight); });
  normals.center();
  each([&](std::size_t k, double value, double weight) { normals.add_spread(k, value, weight); });
  normals.finish();
  return normals.best_cut(book_.order);
}

void NodeSearch::search_gaussian(const Question& question, const SearchedNode& node, std::size_t i,
                                 SearchBuffers& buffers, Best& best) const {
  const Column& column = rows_.columns()[i];
  const double cut = gaussian_cut(node, i, buffers);
  std::uint32_t where = 0;
  if (column.dense) {
    std::size_t right = 0;
    while (right < buffers.counts.size() && column.values[buffers.counts.code(right)] <= cut) ++right;
    if (right == 0 || right == buffers.counts.size()) return;
    where = static_cast<std::uint32_t>(right - 1);
  } else {
    const Entry* first = rows_.run(node.rows, column.slot);
    const Entry* last = first + node.rows.size;
    const Entry* right = std::partition_point(first, last, [&](const Entry& entry) {
      return column.feature.number(labels_.tags().row(entry.tag)) <= cut;
    });
    if (right == first || right == last) return;
    where = static_cast<std::uint32_t>(right - first);
  }
  const Split split = make_threshold(node, i, where, buffers);
  if (!question.admission.admits_sizes(split.rows[0], split.rows[1])) return;
  const TableBatch one{split.counts.data(), 1, 2, labels_.n_classes()};
  if (!question.gain_suffices(one)) return;
  double score = 0.0;
  book_.score(one, &score);
  best.offer(score, where);
}

Split NodeSearch::make_threshold(const SearchedNode& node, std::size_t i, std::uint32_t where,
                                 SearchBuffers& buffers) const {
  const Column& column = rows_.columns()[i];
  const std::size_t classes = labels_.n_classes();
  Split split;
  split.column = i;
  split.counts.assign(2 * classes, 0.0);
  split.rows.assign(2, 0);
  if (column.dense) {
    const CodeCounts& counts = buffers.counts;
    for (std::size_t c = 0; c < counts.size(); ++c) {
      const std::size_t branch = c <= where ? 0 : 1;
      split.rows[branch] += counts.rows(c);
      for (std::size_t k = 0; k < classes; ++k) split.counts[branch * classes + k] += counts.of(c)[k];
    }
    split.cut_code = counts.code(where);
    split.threshold = column.threshold(split.cut_code, counts.code(where + 1), 0, 0);
    return split;
  }
  const Entry* run = rows_.run(node.rows, column.slot);
  split.rows = {where, node.rows.size - where};
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{labels_.tags()};
    const auto add = [&](std::size_t begin, std::size_t end, double* counts) {
      for (std::size_t r = begin; r < end; ++r) {
        counts[reader.cls(run[r].tag)] += static_cast<double>(reader.weight(run[r].tag));
      }
    };
    double* const left = split.counts.data();
    double* const right = left + classes;
    // Real weights are added up on both sides: a difference would leave a rest of classes that are not there.
    const bool left_is_smaller = where <= node.rows.size - where;
    if (Mode == TagMode::weighted || left_is_smaller) add(0, where, left);
    if (Mode == TagMode::weighted || !left_is_smaller) add(where, node.rows.size, right);
    if (Mode == TagMode::weighted) return;
    double* const smaller = left_is_smaller ? left : right;
    double* const larger = left_is_smaller ? right : left;
    for (std::size_t k = 0; k < classes; ++k) larger[k] = node.totals.counts[k] - smaller[k];
  });
  split.cut_code = run[where - 1].code;
  split.threshold = column.threshold(split.cut_code, run[where].code, labels_.tags().row(run[where - 1].tag),
                                     labels_.tags().row(run[where].tag));
  return split;
}

Split NodeSearch::make_nominal(const SearchedNode& node, std::size_t i, double goal,
                               SearchBuffers& buffers) const {
  const Column& column = rows_.columns()[i];
  const std::size_t classes = labels_.n_classes();
  const CodeCounts& counts = buffers.counts;
  Split split;
  split.column = i;
  split.routes.assign(column.n_codes, -1);
  if (multiway_) {
    // One branch a declared category; those that hold no case become leaves that answer like this node.
    split.kind = SplitKind::multiway;
    split.n_branches = column.n_codes;
    for (std::size_t code = 0; code < column.n_codes; ++code) {
      split.routes[code] = static_cast<std::int32_t>(code);
    }
  } else {
    const Question question{book_, node.totals, node.admission};
    buffers.subset.search(question, counts);
    if (!buffers.subset.is_first_reaching(goal)) buffers.subset.search(question, counts, &goal);
    split.kind = SplitKind::subset;
    split.method = buffers.subset.method();
    for (std::size_t c = 0; c < counts.size(); ++c) {
      split.routes[counts.code(c)] = buffers.subset.left()[c] != 0 ? 0 : 1;
    }
  }
  split.counts.assign(split.n_branches * classes, 0.0);
  split.rows.assign(split.n_branches, 0);
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const std::size_t branch = split.branch_of(counts.code(c));
    split.rows[branch] += counts.rows(c);
    for (std::size_t k = 0; k < classes; ++k) split.counts[branch * classes + k] += counts.of(c)[k];
  }
  return split;
}

std::optional<Split> NodeSearch::choose(const SearchedNode& node, const std::vector<Finding>& findings,
                                        SearchBuffers& buffers) const {
  bool any = false;
  bool exact = true;
  double best = 0.0;
  for (const Finding& finding : findings) {
    exact = exact && finding.exact;
    if (finding.found() && (!any || finding.score() > best)) best = finding.score();
    any = any || finding.found();
  }
  if (!any) return std::nullopt;

  const double goal = best - tie_width(best, node.totals.entropy);
  std::size_t winner = 0;
  while (!findings[winner].found() || findings[winner].score() < goal) ++winner;
  const Column& column = rows_.columns()[winner];
  if (column.nominal || column.dense) count(node, winner, buffers);

  Split split;
  if (column.nominal) {
    split = make_nominal(node, winner, goal, buffers);
  } else {
    std::uint32_t where = findings[winner].best.where();
    if (!findings[winner].best.is_first_reaching(goal) && cuts_ != Cuts::gaussian) {
      Best first = Best::first_reaching(goal);
      search_threshold({book_, node.totals, node.admission}, node, winner, buffers, first);
      if (first.found()) where = first.where();
    }
    split = make_threshold(node, winner, where, buffers);
    if (cuts_ == Cuts::gaussian) split.threshold = gaussian_cut(node, winner, buffers);
  }
  split.score = findings[winner].score();
  split.exact = exact;
  return split;
}

}  // namespace ramify
