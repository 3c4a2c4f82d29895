#include "ramify/path/path_search.hpp"

#include <algorithm>
#include <iterator>

#include "ramify/scorebook.hpp"
#include "ramify/search/bounded_scan.hpp"

namespace ramify {

namespace {

GrowthSettings with_order(const GrowthSettings& settings, double q) {
  GrowthSettings own = settings;
  own.q = q;
  return own;
}

// Whether more is asked of a column than its best score.
bool goes_one_by_one(const GrowthSettings& settings) {
  return settings.dialect.by_columns || settings.dialect.screens() || settings.n_runner_ups > 0;
}

// Whether numeric columns without missing values may be scanned for all orders at once.
bool lanes_fit(const Labels& labels, const GrowthSettings& settings, const Orders& orders) {
  if (labels.mode() != TagMode::packed || labels.n_classes() > CutList::kMostClasses) return false;
  if (goes_one_by_one(settings)) return false;
  if (settings.cuts == Cuts::gaussian || lane_scans(settings.criterion).best == nullptr) return false;
  return std::all_of(orders.qs().begin(), orders.qs().end(), [&](double q) {
    return looks_up_powers(q, labels) && scans_by_entropies(with_order(settings, q), labels);
  });
}

}  // namespace

PathSearch::Searcher::Searcher(const GrowthSettings& with_order, const Rows& rows, const Labels& labels,
                               std::shared_ptr<const PowerTable> powers)
    : settings(with_order),
      book(make_scorebook(settings, labels, std::move(powers))),
      search(rows, labels, book, make_search_settings(settings, labels)) {}

PathSearch::PathSearch(const Rows& rows, const Labels& labels, const GrowthSettings& settings, Orders& orders,
                       bool tell)
    : rows_(rows),
      labels_(labels),
      settings_(settings),
      orders_(orders),
      tell_(tell),
      rules_(settings, labels, rows.columns().size()),
      scans_(lane_scans(settings.criterion)),
      searchers_(orders.size()) {
  one_by_one_ = goes_one_by_one(settings) || !rules_.all_columns();
  const auto make = [&](std::size_t order) {
    const double q = orders.qs()[order];
    searchers_[order] = std::make_unique<Searcher>(with_order(settings, q), rows, labels,
                                                   looks_up_powers(q, labels) ? orders.powers(order) : nullptr);
  };
  make(0);
  lanes_fit_ = !one_by_one_ && lanes_fit(labels, settings, orders);
  // Candidates that gain too little are not looked at any further, and gaussian cuts are not the best ones.
  ceilings_hold_ = !one_by_one_ && any().book().score_is_gain && settings.cuts != Cuts::gaussian &&
                   settings.min_impurity_decrease <= 0.0;
  for (std::size_t column = 0; column < rows.columns().size(); ++column) {
    side_by_side_ = side_by_side_ && any().lies_beside_others(column);
  }
  lanes_only_ = by_lanes_only(rows.columns(), labels, settings, orders) && !tell;
  if (lanes_only_) return;
  for (std::size_t order = 1; order < orders.size(); ++order) make(order);
}

bool PathSearch::by_lanes_only(const Columns& columns, const Labels& labels, const GrowthSettings& settings,
                               const Orders& orders) {
  if (!GrowthRules(settings, labels, columns.size()).all_columns()) return false;
  bool all = lanes_fit(labels, settings, orders) && labels.counted() <= orders.lanes().largest();
  for (std::size_t i = 0; i < columns.size(); ++i) all = all && !columns[i].nominal && !columns[i].has_missing;
  return all;
}

Reach PathSearch::reach_of(const OpenPathNode& node) const {
  const auto all = static_cast<std::size_t>(node.weight);
  const bool of_classes_only = settings_.criterion == Gain::info.name && !settings_.dialect.by_columns;
  if (!of_classes_only) return {all, all};
  return {all, static_cast<std::size_t>(*std::max_element(node.counts.begin(), node.counts.end()))};
}

// Where rows have weights of their own nothing is looked up, and the tables need not go as far as these add up to.
std::size_t PathSearch::at_once(const OpenPathNode& node) const {
  return rows_.weighted() ? node.orders.size() : std::min(node.orders.size(), orders_.at_once(reach_of(node)));
}

void PathSearch::reach(const OpenPathNode& node, std::size_t begin, std::size_t end) {
  if (!rows_.weighted()) orders_.reach({node.orders.data() + begin, end - begin}, reach_of(node));
}

bool PathSearch::plain(std::size_t column) const {
  const Column& of = rows_.columns()[column];
  return !one_by_one_ && !of.nominal && !of.has_missing && settings_.cuts != Cuts::gaussian;
}

bool PathSearch::laned(const OpenPathNode& node) const {
  if (!lanes_fit_ || node.rows.size > orders_.lanes().largest()) return false;
  if (lanes_only_) return true;
  // Few orders are better off one by one where columns lie side by side, and so are long runs, most of which
  // bounds pass over.
  const std::size_t few = side_by_side_ ? 5 : 2;
  constexpr std::size_t kManyOrders = 8;
  return node.orders.size() >= (node.rows.size < kShortestForBounds ? few : kManyOrders);
}

bool PathSearch::laned(const OpenPathNode& node, std::size_t column) const { return plain(column) && laned(node); }

SearchedNode PathSearch::view(const OpenPathNode& node, double entropy, const PathBuffers& buffers) const {
  SearchedNode seen;
  seen.rows = node.rows;
  seen.totals = {node.counts.data(), labels_.n_classes(), node.rows.size, node.weight, entropy};
  seen.admission = rules_.admission(node.size());
  seen.spent = node.spent;
  if (!buffers.class_rows.empty()) seen.class_rows = buffers.class_rows.data();
  return seen;
}

void PathSearch::measure_entropies(const OpenPathNode& node, PathBuffers& buffers) const {
  buffers.entropies.resize(node.orders.size());
  if (laned(node)) {
    buffers.lanes.windows.cover(node.orders);
    buffers.lanes.windows.place(node.orders, buffers.lane_of);
    prepare_lanes(orders_.lanes(), node.counts, buffers.lanes);
  }
  if (laned(node) && !tell_) {  // looked up, since they are the scale of ties only
    for (std::size_t place = 0; place < node.orders.size(); ++place) {
      buffers.entropies[place] = buffers.lanes.node.classes[buffers.lane_of[place]];
    }
    return;
  }
  for (std::size_t place = 0; place < node.orders.size(); ++place) {
    const Order of(orders_.qs()[node.orders[place]]);
    buffers.entropies[place] = of.weighted(node.counts.data(), labels_.n_classes(), 1, node.weight) / node.weight;
  }
}

void PathSearch::read_cuts(const SearchedNode& node, std::size_t column, CutList::Keep keep,
                           PathBuffers& buffers) const {
  const std::size_t leaf = settings_.min_samples_leaf;
  const std::size_t stride = orders_.lanes().stride();
  const std::span<const double> counts(node.totals.counts, node.totals.classes);
  const Column& of = rows_.columns()[column];
  if (of.dense) {
    any().look(node, column, buffers.search);
    buffers.lanes.list.read(buffers.search.counts, counts, leaf, stride, keep);
  } else {
    const RunView run{rows_.run<TagMode::packed>(node.rows, of.slot), node.rows.size};
    buffers.lanes.list.read(run, labels_.tags(), counts, leaf, stride, keep);
  }
}

bool PathSearch::passes_over(const OpenPathNode& node, std::size_t place, std::size_t column,
                             const PathBuffers& buffers) const {
  if (!ceilings_hold_) return false;
  const double reached = buffers.reached[place];
  // What is this close may tie with it, or seem worse by rounding only.
  const double entropy = buffers.entropies[place];
  const double margin = 2.0 * any().book().tie_width(reached, entropy) + Ceilings::slack(entropy);
  return buffers.ceilings.at(column, of(node, place).book().order) < reached - margin;
}

void PathSearch::search_lanes(const OpenPathNode& node, std::size_t column, PathBuffers& buffers) const {
  read_cuts(buffers.seen, column, scans_.keep, buffers);
  if (buffers.lanes.list.cuts().empty()) return;
  scans_.best(orders_.lanes(), buffers.lanes);
  const std::size_t columns = rows_.columns().size();
  const bool gain_is_score = any().book().score_is_gain;
  const double min_gain = buffers.seen.admission.min_gain;
  const double* const best = buffers.lanes.best.data();
  for (std::size_t place = 0; place < node.orders.size(); ++place) {
    const double score = best[buffers.lane_of[place]];
    if (gain_is_score && score < min_gain - 1e-12 * buffers.entropies[place]) continue;
    buffers.scores[place * columns + column] = score;
    if (buffers.findings.empty()) continue;
    buffers.reached[place] = std::max(buffers.reached[place], score);
    buffers.findings[place * columns + column].first.offer(score, 0);
  }
}

void PathSearch::take_finding(const OpenPathNode& node, std::size_t place, std::size_t column,
                              PathBuffers& buffers) const {
  const std::size_t at = place * rows_.columns().size() + column;
  const Finding& finding = buffers.findings[at];
  buffers.scores[at] = finding.score();
  buffers.reached[place] = std::max(buffers.reached[place], finding.score());
  if (ceilings_hold_ && finding.exact) {
    buffers.ceilings.learn(column, of(node, place).book().order, finding.most(), buffers.entropies[place]);
  }
}

void PathSearch::search_at_once(const OpenPathNode& node, std::size_t place, PathBuffers& buffers) const {
  const std::size_t columns = rows_.columns().size();
  const std::span<Finding> findings(buffers.findings.data() + place * columns, columns);
  const auto search = [&] {
    of(node, place).search_columns(buffers.views[place], buffers.together, findings, buffers.search);
    for (const std::size_t column : buffers.together) take_finding(node, place, column, buffers);
  };
  // What the order before has found lets columns be passed over, once the likeliest have shown what is reached.
  const std::size_t likeliest = place == 0 || !ceilings_hold_ ? buffers.turns.size() : kLanes;
  const auto begin = buffers.turns.begin();
  const auto first = begin + static_cast<std::ptrdiff_t>(std::min(buffers.turns.size(), likeliest));
  buffers.together.assign(begin, first);
  search();
  buffers.together.clear();
  std::copy_if(first, buffers.turns.end(), std::back_inserter(buffers.together),
               [&](std::size_t column) { return !passes_over(node, place, column, buffers); });
  if (!buffers.together.empty()) search();
}

// One column, for the orders from `begin` to `end` of the node's.
void PathSearch::search_column(const OpenPathNode& node, std::size_t column, std::size_t begin, std::size_t end,
                               PathBuffers& buffers) const {
  const std::size_t columns = rows_.columns().size();
  if (laned(node, column)) {
    const bool first = begin == 0;  // for all orders
    if (first && !any().constant(buffers.seen, column)) search_lanes(node, column, buffers);
    return;
  }
  while (begin < end && passes_over(node, begin, column, buffers)) ++begin;
  if (begin == end || any().constant(buffers.seen, column)) return;
  NodeSearch::View looked = any().look(buffers.seen, column, buffers.search);
  // The classes of a run's blocks are counted once for all orders.
  BlockBuffers& blocks = buffers.search.scan.blocks;
  std::swap(blocks, buffers.blocks[column]);
  for (std::size_t place = begin; place < end; ++place) {
    if (passes_over(node, place, column, buffers)) continue;
    looked.known.entropy = buffers.entropies[place];
    buffers.findings[place * columns + column] =
        of(node, place).search(looked, buffers.views[place], buffers.search);
    take_finding(node, place, column, buffers);
  }
  std::swap(blocks, buffers.blocks[column]);
}

bool PathSearch::prepare(const OpenPathNode& node, PathBuffers& buffers) const {
  const std::size_t columns = rows_.columns().size();
  const std::size_t orders = node.orders.size();
  buffers.class_rows = rows_.count_classes(node.rows);
  buffers.seen = view(node, 0.0, buffers);
  measure_entropies(node, buffers);
  buffers.scores.assign(orders * columns, Best::kNone);
  buffers.reached.assign(orders, Best::kNone);
  buffers.ceilings.start(columns);
  buffers.findings.clear();
  buffers.views.clear();
  buffers.blocks.resize(columns);
  if (node.rows.size >= kShortestForBounds) {
    for (BlockBuffers& blocks : buffers.blocks) blocks.counted = nullptr;
  }
  const std::vector<char> wanted = one_by_one_ ? rules_.wanted(node.depth, node.seed) : std::vector<char>();
  buffers.turns.clear();
  for (std::size_t column = 0; column < columns; ++column) {
    if (wanted.empty() || wanted[column] != 0) buffers.turns.push_back(column);
  }
  bool every_laned = laned(node);
  for (std::size_t column = 0; every_laned && column < columns; ++column) every_laned = plain(column);
  if (!every_laned) {
    buffers.findings.resize(orders * columns);
    buffers.views.reserve(orders);
    for (std::size_t place = 0; place < orders; ++place) {
      buffers.views.push_back(view(node, buffers.entropies[place], buffers));
    }
  }
  return every_laned;
}

void PathSearch::search_all(const OpenPathNode& node, PathBuffers& buffers,
                            const std::function<void(std::size_t, std::size_t)>& found) {
  const std::size_t orders = node.orders.size();
  const bool every_laned = prepare(node, buffers);
  // What is counted of other columns is counted for all orders.
  const bool by_order = side_by_side_ && !laned(node) && any().searches_at_once(buffers.seen);
  const auto search = [&](std::size_t from, std::size_t to) {
    if (by_order) {
      for (std::size_t place = from; place < to; ++place) search_at_once(node, place, buffers);
      return;
    }
    for (const std::size_t column : buffers.turns) search_column(node, column, from, to, buffers);
  };
  if (every_laned) {
    search(0, orders);
    return found(0, orders);
  }
  const std::size_t step = at_once(node);
  for (std::size_t begin = 0; begin < orders; begin += step) {
    const std::size_t end = std::min(begin + step, orders);
    reach(node, begin, end);
    if (begin == 0) {
      search(0, 1);
      // Where one order finds its best split the next mostly finds its own, or one nearly as good: in these
      // columns first, so that what is clearly worse need not be looked at in the others.
      const auto turns = buffers.turns.begin();
      const std::size_t likeliest = by_order ? std::min(buffers.turns.size(), kLanes) : buffers.turns.size();
      std::partial_sort(turns, turns + static_cast<std::ptrdiff_t>(likeliest), buffers.turns.end(),
                        [&](std::size_t a, std::size_t b) {
                          return buffers.scores[a] != buffers.scores[b] ? buffers.scores[a] > buffers.scores[b]
                                                                        : a < b;
                        });
    }
    search(std::max<std::size_t>(begin, 1), end);
    found(begin, end);
  }
}

}  // namespace ramify
