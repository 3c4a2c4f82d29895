#include "ramify/search/node_search.hpp"

#include <algorithm>

#include "ramify/search/multiway.hpp"

namespace ramify {

NodeSearch::NodeSearch(const Rows& rows, const Labels& labels, const Scorebook& book,
                       const SearchSettings& settings)
    : rows_(rows), labels_(labels), book_(book), settings_(settings) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < rows.columns().size(); ++i) {
    histogram_begin_.push_back(begin);
    const Column& column = rows.columns()[i];
    if (column.dense) begin += column.n_dense_codes() * labels.n_classes();
  }
  histogram_begin_.push_back(begin);
}

namespace {

double sum(const double* values, std::size_t count) {
  double total = 0.0;
  for (std::size_t i = 0; i < count; ++i) total += values[i];
  return total;
}

}  // namespace

bool NodeSearch::constant(const SearchedNode& node, std::size_t number) const {
  const Column& column = rows_.columns()[number];
  if (column.dense) return column.n_dense_codes() < 2;
  bool same = false;
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{labels_.tags()};
    const auto* run = rows_.run<Mode>(node.rows, column.slot);
    // Most columns tell at their first or last entries.
    same = true;
    for (std::size_t low = 1, high = node.rows.size; same && low < high; ++low, --high) {
      same = !reader.starts(run[low]) && !reader.starts(run[high - 1]);
    }
  });
  return same;
}

void NodeSearch::count(const SearchedNode& node, const Column& column, std::size_t number,
                       SearchBuffers& buffers) const {
  buffers.counts.reset(labels_.n_classes());
  if (node.given.lanes > 0) {
    const std::size_t begin = histogram_begin_[number] / labels_.n_classes() * node.given.lanes;
    return read_given(node.given, begin, column.n_dense_codes(), buffers.counts);
  }
  if (column.dense && node.histograms != nullptr) {
    read_histogram(node.histograms + histogram_begin_[number], column.n_dense_codes(), buffers.counts);
    return;
  }
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{labels_.tags()};
    if (column.dense) {
      const auto* first = rows_.list<Mode>(node.rows);
      rows_.columns().with_codes(column, [&](const auto* codes) {
        buffers.counter.count(first, first + node.rows.size, codes, column.n_dense_codes(), reader,
                              buffers.counts);
      });
    } else {
      const auto* first = rows_.run<Mode>(node.rows, column.slot);
      count_run<Mode>(
          first, first + node.rows.size, reader, [&](std::uint32_t row) { return column.category_code(row); },
          buffers.counts);
    }
  });
}

NodeSearch::View NodeSearch::look(const SearchedNode& node, std::size_t number, SearchBuffers& buffers) const {
  const Column& column = rows_.columns()[number];
  View view{number, column, column.dense || column.nominal};
  view.known = node.totals;
  view.known_rows = node.rows.size;
  buffers.unknown.rows = 0;
  buffers.unknown.weight = 0.0;
  buffers.scan.blocks.counted = nullptr;
  if (view.counted) count(node, column, number, buffers);
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    if (!column.dense) view.run = {rows_.run<Mode>(node.rows, column.slot), node.rows.size};
  });
  if (column.has_missing) count_unknown(view, node, buffers);
  return view;
}

void NodeSearch::count_unknown(View& view, const SearchedNode& node, SearchBuffers& buffers) const {
  Unknown& unknown = buffers.unknown;
  const std::size_t classes = labels_.n_classes();
  std::vector<double>& known = buffers.known_counts;
  if (view.counted) {
    CodeCounts& counts = buffers.counts;
    if (counts.size() == 0 || counts.code(counts.size() - 1) != view.column.missing_code()) return;
    counts.drop_last(unknown.counts, unknown.rows);
    known.assign(classes, 0.0);
    for (std::size_t c = 0; c < counts.size(); ++c) {
      for (std::size_t k = 0; k < classes; ++k) known[k] += counts.of(c)[k];
    }
  } else {
    with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
      const TagReader<Mode> reader{labels_.tags()};
      const auto* first = view.run.begin<Mode>();
      const auto* last = first + view.run.size;
      const auto* missing = first + known_entries(view.column, first, view.run.size, reader);
      unknown.rows = static_cast<std::size_t>(last - missing);
      if (unknown.rows == 0) return;
      unknown.counts.assign(classes, 0.0);
      unknown.class_rows.assign(classes, 0);
      for (const auto* entry = missing; entry != last; ++entry) {
        unknown.counts[reader.cls(*entry)] += static_cast<double>(reader.weight(*entry));
        ++unknown.class_rows[reader.cls(*entry)];
      }
      known.assign(classes, 0.0);
      if constexpr (Mode == TagMode::weighted) {
        if (take_away_unknown(node, buffers)) return;
        for (const auto* entry = first; entry != missing; ++entry) known[reader.cls(*entry)] += entry->weight;
      } else {
        for (std::size_t k = 0; k < classes; ++k) known[k] = node.totals.counts[k] - unknown.counts[k];
      }
    });
    if (unknown.rows == 0) return;
  }
  unknown.weight = sum(unknown.counts.data(), classes);
  view.known_rows = node.rows.size - unknown.rows;
  view.known = {known.data(), classes, view.known_rows, sum(known.data(), classes), node.totals.entropy};
}

// The known weights of a node as what the unknown ones leave over; false if they must be added up. A class without
// a row leaves nothing, and one of which at least half is left loses no digit.
bool NodeSearch::take_away_unknown(const SearchedNode& node, SearchBuffers& buffers) const {
  if (node.class_rows == nullptr) return false;
  const Unknown& unknown = buffers.unknown;
  const double* totals = node.totals.counts;
  for (std::size_t k = 0; k < labels_.n_classes(); ++k) {
    if (node.class_rows[k] == unknown.class_rows[k]) continue;
    if (unknown.counts[k] > 0.5 * totals[k]) {
      std::fill(buffers.known_counts.begin(), buffers.known_counts.end(), 0.0);
      return false;
    }
    buffers.known_counts[k] = totals[k] - unknown.counts[k];
  }
  return true;
}

Question NodeSearch::ask(const View& view, const SearchedNode& node, const SearchBuffers& buffers) const {
  // Where a column that is not the best may be wanted too, none is passed over.
  const bool all_wanted = settings_.n_runner_ups > 0 || settings_.dialect.screens();
  const double reached = all_wanted ? Best::kNone : node.reached.load(std::memory_order_relaxed);
  Question question{book_, view.known, node.admission, reached};
  if (buffers.unknown.rows == 0) return question;
  if (settings_.missing == Missing::own_branch) {
    question.aside = buffers.unknown.counts.data();
    question.aside_weight = buffers.unknown.weight;
  } else {
    question.known_share = view.known.weight / (view.known.weight + buffers.unknown.weight);
  }
  return question;
}

Finding NodeSearch::search_column(const SearchedNode& node, std::size_t number, SearchBuffers& buffers) const {
  if (constant(node, number)) return {};
  return search(look(node, number, buffers), node, buffers);
}

Finding NodeSearch::search(const View& view, const SearchedNode& node, SearchBuffers& buffers) const {
  if (view.known_rows == 0) return {};
  Finding finding;
  if (settings_.dialect.by_columns) {
    finding = search_by_rules(view, node, buffers);
  } else {
    if (view.column.nominal) {
      search_nominal(view, node, buffers, finding);
    } else {
      search_numeric(view, node, buffers, finding);
    }
    node.raise(finding.score());
  }
  return finding;
}

// One pass over the cuts of the cases in `run` (or in the counts), known or all.
void NodeSearch::scan(const Question& question, const View& view, const RunView& run, SearchBuffers& buffers,
                      Best& best) const {
  if (view.counted) {
    if (buffers.counts.size() >= 2) settings_.scans.counts(question, buffers.counts, buffers.scan, best);
  } else if (run.size >= 2) {
    settings_.scans.run(question, run, labels_.tags(), buffers.scan, best);
  }
}

// All cases, the missing ones last: they are to the right of every cut, and the last cut is known | missing.
void NodeSearch::scan_missing_right(const Question& question, const View& view, SearchBuffers& buffers,
                                    Best& best) const {
  if (!view.counted) return scan(question, view, view.run, buffers, best);
  buffers.counts.open(view.column.missing_code());
  buffers.counts.add(buffers.counts.size() - 1, buffers.unknown.counts, buffers.unknown.rows);
  scan(question, view, view.run, buffers, best);
  buffers.counts.drop_last(buffers.unknown.counts, buffers.unknown.rows);
}

// All cases, the missing ones as if they had the lowest value.
void NodeSearch::scan_missing_left(const Question& question, const View& view, SearchBuffers& buffers,
                                   Best& best) const {
  if (!view.counted) return scan(question, view, turn(view, buffers), buffers, best);
  if (buffers.counts.size() < 2) return;
  CodeCounts known = buffers.counts;
  buffers.counts.add(0, buffers.unknown.counts, buffers.unknown.rows);
  scan(question, view, view.run, buffers, best);
  std::swap(buffers.counts, known);
}

RunView NodeSearch::turn(const View& view, SearchBuffers& buffers) const {
  RunView turned = view.run;
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const std::uint32_t start = labels_.tags().start;
    const auto* first = view.run.begin<Mode>();
    auto& out = [&]() -> auto& {
      if constexpr (Mode == TagMode::weighted) {
        return buffers.turned_weighted;
      } else {
        return buffers.turned;
      }
    }();
    if (out.size() < view.run.size) out.resize(view.run.size);
    const std::size_t missing = view.run.size - view.known_rows;
    std::copy(first + view.known_rows, first + view.run.size, out.data());
    std::copy(first, first + view.known_rows, out.data() + missing);
    // As if they were of one value with the lowest that is known.
    for (const std::size_t i : {std::size_t{0}, missing}) out[i].tag &= ~start;
    turned.entries = out.data();
  });
  return turned;
}

void NodeSearch::search_numeric(const View& view, const SearchedNode& node, SearchBuffers& buffers,
                                Finding& finding) const {
  const bool any_unknown = buffers.unknown.rows > 0;
  const bool one_branch = any_unknown && settings_.missing == Missing::best_branch;
  const Question known = ask(view, node, buffers);
  const Question all{book_, node.totals, node.admission, known.reached};
  if (settings_.cuts == Cuts::gaussian) {
    offer_gaussian(view, node, buffers, finding);
  } else if (one_branch) {
    scan_missing_right(all, view, buffers, finding.first);
    scan_missing_left(all, view, buffers, finding.second);
  } else {
    scan(known, view, {view.run.entries, view.known_rows}, buffers, finding.first);
  }
  if (any_unknown && settings_.missing == Missing::own_branch) {
    offer_known_or_missing(view, node, buffers, finding.second);
  }
  give_up_small_gains(node, finding);
}

void NodeSearch::give_up_small_gains(const SearchedNode& node, Finding& finding) const {
  if (!book_.score_is_gain) return;
  const double least = node.admission.min_gain - 1e-12 * node.totals.entropy;
  if (finding.first.score() < least) finding.first.give_up();
  if (finding.second.score() < least) finding.second.give_up();
}

void NodeSearch::offer_known_or_missing(const View& view, const SearchedNode& node, SearchBuffers& buffers,
                                        Best& best) const {
  const Admission& admission = node.admission;
  if (!admission.admits_rows(view.known_rows, buffers.unknown.rows)) return;
  if (!admission.admits_weights(view.known.weight, buffers.unknown.weight)) return;
  std::vector<double> table(view.known.counts, view.known.counts + labels_.n_classes());
  table.insert(table.end(), buffers.unknown.counts.begin(), buffers.unknown.counts.end());
  const Question all{book_, node.totals, admission};
  const TableBatch one{table.data(), 1, 2, labels_.n_classes()};
  if (all.gain_suffices(one, buffers.scores)) best.offer(all.score_one(one, buffers.scores), kKnownOrMissing);
}

// Offers every category as the one whose branch the missing values join.
void NodeSearch::offer_joined(const Question& all, SearchBuffers& buffers, Best& best) const {
  if (buffers.counts.size() < 2) return;
  for (std::size_t c = 0; c < buffers.counts.size(); ++c) {
    CodeCounts joined = buffers.counts;
    joined.add(c, buffers.unknown.counts, buffers.unknown.rows);
    best.offer(score_multiway(all, joined, buffers.scores), static_cast<std::uint32_t>(c));
  }
}

void NodeSearch::search_nominal(const View& view, const SearchedNode& node, SearchBuffers& buffers,
                                Finding& finding) const {
  Unknown& unknown = buffers.unknown;
  const bool apart = unknown.rows > 0 && settings_.missing != Missing::fractional;
  const Question known = ask(view, node, buffers);
  const Question all{book_, node.totals, node.admission};
  const auto with_missing = [&](auto&& visit) {
    buffers.counts.open(view.column.missing_code());
    buffers.counts.add(buffers.counts.size() - 1, unknown.counts, unknown.rows);
    visit();
    buffers.counts.drop_last(unknown.counts, unknown.rows);
  };
  const auto search_subsets = [&](const Question& question) {
    buffers.subset.search(question, buffers.counts);
    finding.exact = is_exact(buffers.subset.method());
    if (buffers.subset.found()) finding.first.offer(buffers.subset.score(), 0);
  };
  if (settings_.multiway && !apart) {
    finding.first.offer(score_multiway(known, buffers.counts, buffers.scores), 0);
  } else if (settings_.multiway && settings_.missing == Missing::own_branch) {
    with_missing([&] { finding.first.offer(score_multiway(all, buffers.counts, buffers.scores), 0); });
  } else if (settings_.multiway) {
    offer_joined(all, buffers, finding.first);
  } else if (apart && settings_.missing == Missing::best_branch) {
    with_missing([&] { search_subsets(all); });  // a missing value is one more category, which joins the others
  } else {
    search_subsets(known);
  }
  if (apart && (settings_.multiway || settings_.missing == Missing::own_branch)) {
    offer_known_or_missing(view, node, buffers, finding.second);
  }
}

}  // namespace ramify
