// From what the orders of a node have found in its columns to the splits that they choose.
#include <algorithm>
#include <stdexcept>

#include "ramify/path/path_search.hpp"

namespace ramify {

// The column that each order from `begin` to `end` of the node's picks, or -1.
void PathSearch::pick_columns(std::size_t begin, std::size_t end, PathBuffers& buffers) const {
  const std::size_t columns = rows_.columns().size();
  buffers.picked.resize(end, -1);
  for (std::size_t place = begin; place < end; ++place) {
    const double* scores = buffers.scores.data() + place * columns;
    const double entropy = buffers.entropies[place];
    const std::optional<std::size_t> column = first_as_good(
        columns, [&](std::size_t i) { return scores[i]; },
        [&](double best) { return any().book().tie_width(best, entropy); });
    if (column) buffers.picked[place] = static_cast<std::int32_t>(*column);
  }
}

// The first cut of a column that is as good as the best, for the orders in buffers.places.
void PathSearch::locate(const OpenPathNode& node, std::size_t column, PathBuffers& buffers) const {
  const std::size_t columns = rows_.columns().size();
  const auto best_of = [&](std::size_t place) {
    const double* scores = buffers.scores.data() + place * columns;
    return *std::max_element(scores, scores + columns);
  };
  if (!laned(node, column)) {
    NodeSearch::View looked = any().look(buffers.seen, column, buffers.search);
    for (const std::uint32_t place : buffers.places) {
      looked.known.entropy = buffers.entropies[place];
      const Finding& finding = buffers.findings[place * columns + column];
      buffers.where[place] =
          of(node, place).settle(looked, buffers.views[place], finding, best_of(place), buffers.search);
    }
    return;
  }
  read_cuts(buffers.seen, column, CutList::Keep::every_cut, buffers);
  LaneBuffers& lanes = buffers.lanes;
  buffers.some.clear();
  for (const std::uint32_t place : buffers.places) buffers.some.push_back(node.orders[place]);
  lanes.windows.cover(buffers.some);
  lanes.windows.place(buffers.some, buffers.lane_of);
  lanes.goals.assign(lanes.windows.first.size() * kLanes, Best::kNone);  // which the first cut reaches
  for (std::size_t i = 0; i < buffers.some.size(); ++i) {
    const std::size_t place = buffers.places[i];
    lanes.goals[buffers.lane_of[i]] = goal_of(best_of(place), buffers.entropies[place]);
  }
  prepare_lanes(orders_.lanes(), node.counts, lanes);
  scans_.first(orders_.lanes(), lanes);
  for (std::size_t i = 0; i < buffers.some.size(); ++i) {
    const std::int64_t first = lanes.first[buffers.lane_of[i]];
    if (first < 0) throw std::logic_error("no cut reaches the best score");
    buffers.where[buffers.places[i]] = lanes.list.cuts()[static_cast<std::size_t>(first)].where;
  }
}

// Where plain columns are cut.
void PathSearch::settle(const OpenPathNode& node, std::size_t begin, std::size_t end, PathBuffers& buffers) const {
  buffers.where.resize(end, 0);
  std::vector<char> done(end, 0);
  for (std::size_t first = begin; first < end; ++first) {
    const std::int32_t column = buffers.picked[first];
    if (done[first] != 0 || column < 0 || !plain(static_cast<std::size_t>(column))) continue;
    buffers.places.clear();
    for (std::size_t place = first; place < end; ++place) {
      if (buffers.picked[place] != column) continue;
      buffers.places.push_back(static_cast<std::uint32_t>(place));
      done[place] = 1;
    }
    locate(node, static_cast<std::size_t>(column), buffers);
  }
}

// The split of one order, as it would choose it alone.
std::optional<Split> PathSearch::choose_one(const OpenPathNode& node, std::size_t place,
                                            PathBuffers& buffers) const {
  const std::size_t columns = rows_.columns().size();
  const SearchedNode& seen = buffers.views[place];
  const std::span<Finding> findings(buffers.findings.data() + place * columns, columns);
  return choose_split(rules_, node.depth, node.seed, of(node, place), seen, findings, buffers.search);
}

void PathSearch::add_split(const OpenPathNode& node, std::size_t place, Split&& split,
                           std::vector<Choice>& choices) const {
  const auto same = choice_of(split, choices);
  const bool fresh = same == choices.end();
  Choice& choice = fresh ? choices.emplace_back() : *same;
  choice.orders.push_back(node.orders[place]);
  if (tell_) choice.verdicts.push_back(split);
  if (tell_ && settings_.n_runner_ups > 0) choice.runner_ups.push_back(split.runner_ups);
  if (fresh) choice.split = std::move(split);
}

void PathSearch::add_cut(const OpenPathNode& node, std::size_t place, PathBuffers& buffers,
                         std::vector<Choice>& choices) const {
  const auto column = static_cast<std::size_t>(buffers.picked[place]);
  for (Choice& choice : choices) {
    if (choice.split.column != column || choice.place != buffers.where[place]) continue;
    choice.orders.push_back(node.orders[place]);
    return;
  }
  const NodeSearch::View looked = any().look(buffers.seen, column, buffers.search);
  Choice& choice = choices.emplace_back();
  choice.place = buffers.where[place];
  choice.orders.reserve(node.orders.size() - place);
  choice.orders.push_back(node.orders[place]);
  choice.split = any().cut(looked, buffers.where[place], buffers.search);
}

// What each order says of a cut that it shares with others.
void PathSearch::tell(const OpenPathNode& node, PathBuffers& buffers, std::vector<Choice>& choices) const {
  const std::size_t columns = rows_.columns().size();
  for (Choice& choice : choices) {
    if (!choice.verdicts.empty()) continue;
    NodeSearch::View looked{choice.split.column, rows_.columns()[choice.split.column], false};
    looked.known = {node.counts.data(), labels_.n_classes(), node.rows.size, node.weight, 0.0};
    for (const std::uint16_t order : choice.orders) {
      const auto place = static_cast<std::size_t>(std::lower_bound(node.orders.begin(), node.orders.end(), order) -
                                                  node.orders.begin());
      looked.known.entropy = buffers.entropies[place];
      searchers_[order]->search.measure(looked, choice.split, buffers.search);
      Verdict& verdict = choice.verdicts.emplace_back();
      verdict.score = choice.split.score;
      verdict.gain = choice.split.gain;
      for (std::size_t column = 0; column < columns && !buffers.findings.empty(); ++column) {
        verdict.exact = verdict.exact && buffers.findings[place * columns + column].exact;
      }
    }
  }
}

void PathSearch::add_choices(const OpenPathNode& node, std::size_t begin, std::size_t end, PathBuffers& buffers,
                             std::vector<Choice>& choices) const {
  if (!one_by_one_) {
    pick_columns(begin, end, buffers);
    settle(node, begin, end, buffers);
  }
  for (std::size_t place = begin; place < end; ++place) {
    if (!one_by_one_ && buffers.picked[place] < 0) continue;
    if (!one_by_one_ && plain(static_cast<std::size_t>(buffers.picked[place]))) {
      add_cut(node, place, buffers, choices);
    } else {
      std::optional<Split> split = choose_one(node, place, buffers);
      if (split) add_split(node, place, std::move(*split), choices);
    }
  }
}

std::vector<Choice> PathSearch::choose(const OpenPathNode& node, PathBuffers& buffers) {
  std::vector<Choice> choices;
  buffers.picked.clear();
  buffers.where.clear();
  search_all(node, buffers,
             [&](std::size_t begin, std::size_t end) { add_choices(node, begin, end, buffers, choices); });
  if (tell_) tell(node, buffers, choices);
  return choices;
}

}  // namespace ramify
