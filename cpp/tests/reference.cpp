#include "reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "ramify/criteria/registry.hpp"
#include "ramify/search/question.hpp"

namespace ramify::tests {

namespace {

constexpr std::size_t kMostCategories = 12;  // 2^11 subsets
constexpr std::size_t kCoreTriesAll = 10;    // up to here the core tries all subsets too, in the same order
constexpr double kDoubt = 1e-11;             // of the scale of scores: what rounding may do to one

// The categories that occur among the rows, with the rows and the class counts of each.
struct Group {
  std::size_t rows = 0;
  std::vector<double> counts;
};

using Groups = std::map<double, Group>;

Groups groups_of(const Dataset& dataset, const Field& field, const std::vector<std::size_t>& rows) {
  Groups groups;
  for (const std::size_t row : rows) {
    Group& group = groups[field.values[row]];  // both zeros are one key
    group.counts.resize(dataset.n_classes, 0.0);
    group.rows += 1;
    group.counts[dataset.classes[row]] += dataset.weight(row);
  }
  return groups;
}

void add(const std::vector<double>& counts, double* to) {
  for (std::size_t k = 0; k < counts.size(); ++k) to[k] += counts[k];
}

}  // namespace

Reference::Reference(const Dataset& dataset, const GrowthSettings& settings)
    : dataset_(dataset), settings_(settings), order_(settings.q), scorer_(settings.callable), total_(0.0) {
  for (std::size_t row = 0; row < dataset.rows(); ++row) total_ += dataset.weight(row);
  if (settings.criterion.empty()) return;
  scorer_ = make_scorer(settings.criterion, order_, nullptr, settings.min_support);
  with_criterion(settings.criterion, [&]<class C>() {
    two_branches_only_ = C::info.two_branches_only;
    is_share_ = C::info.is_share;
  });
}

double Reference::gain(const std::vector<double>& tables, std::size_t branches) const {
  const std::size_t classes = dataset_.n_classes;
  std::vector<double> parent(classes, 0.0);
  double children = 0.0;
  for (std::size_t j = 0; j < branches; ++j) {
    const double* row = tables.data() + j * classes;
    const double size = std::accumulate(row, row + classes, 0.0);
    if (size > 0.0) children += order_.weighted(row, classes, 1, size);
    for (std::size_t k = 0; k < classes; ++k) parent[k] += row[k];
  }
  const double n = std::accumulate(parent.begin(), parent.end(), 0.0);
  return (order_.weighted(parent.data(), classes, 1, n) - children) / n;
}

double Reference::score(const std::vector<double>& tables, std::size_t branches) const {
  if (settings_.criterion == "gain" && settings_.min_support <= 0.0) return gain(tables, branches);
  double score = 0.0;
  scorer_({tables.data(), 1, branches, dataset_.n_classes}, &score);
  return score;
}

void Reference::offer(const Node& node, std::size_t left_rows, const std::vector<double>& tables,
                      std::size_t branches, Candidate candidate, std::vector<Candidate>& out) const {
  if (std::min(left_rows, node.rows.size() - left_rows) < settings_.min_samples_leaf) return;
  if (settings_.min_impurity_decrease > 0.0) {
    const double least = settings_.min_impurity_decrease * total_ / node.weight;
    if (gain(tables, branches) < least - 1e-12 * node.entropy) return;
  }
  candidate.score = score(tables, branches);
  if (candidate.score > -std::numeric_limits<double>::infinity()) out.push_back(std::move(candidate));
}

void Reference::numeric(const Node& node, const Field& field, std::vector<Candidate>& out) const {
  const auto groups = groups_of(dataset_, field, node.rows);
  const std::size_t classes = dataset_.n_classes;
  // Both sides are sums of their own: with real weights a difference is not as good.
  std::vector<std::vector<double>> right{std::vector<double>(classes, 0.0)};
  for (auto group = groups.rbegin(); group != groups.rend(); ++group) {
    right.push_back(right.back());
    add(group->second.counts, right.back().data());
  }
  std::vector<double> table(2 * classes, 0.0);
  std::size_t rows = 0;
  std::size_t place = groups.size();
  for (auto group = groups.begin(); std::next(group) != groups.end(); ++group) {
    rows += group->second.rows;
    add(group->second.counts, table.data());
    const std::vector<double>& others = right[--place];
    std::copy(others.begin(), others.end(), table.begin() + static_cast<std::ptrdiff_t>(classes));
    offer(node, rows, table, 2, {0.0, midpoint(group->first, std::next(group)->first), {}}, out);
  }
}

void Reference::nominal(const Node& node, const Field& field, std::vector<Candidate>& out,
                        bool& by_subsets) const {
  const auto groups = groups_of(dataset_, field, node.rows);
  const std::size_t classes = dataset_.n_classes;
  if (groups.size() < 2) return;
  std::vector<std::int32_t> routes(field.n_categories, -1);
  if (settings_.multiway) {
    std::vector<double> table;
    std::size_t large = 0;
    for (const auto& [code, group] : groups) {
      table.insert(table.end(), group.counts.begin(), group.counts.end());
      large += group.rows >= settings_.min_samples_leaf ? 1 : 0;
    }
    std::iota(routes.begin(), routes.end(), 0);
    if (large < 2 || (two_branches_only_ && groups.size() != 2)) return;
    // Both sides are large enough by another rule, so any number of rows that passes will do here.
    offer(node, node.rows.size() / 2, table, groups.size(), {0.0, 0.0, routes}, out);
    return;
  }
  by_subsets = by_subsets && groups.size() <= kCoreTriesAll;
  // Bit i - 1 stands for the category i of those present; the first is always left.
  const std::uint32_t all = (std::uint32_t{1} << (groups.size() - 1)) - 1;
  for (std::uint32_t set = 0; set < all; ++set) {
    std::vector<double> table(2 * classes, 0.0);
    std::size_t left_rows = 0;
    std::uint32_t rest = set * 2 + 1;
    for (const auto& [code, group] : groups) {
      const bool left = (rest & 1) != 0;
      rest >>= 1;
      add(group.counts, table.data() + (left ? 0 : classes));
      left_rows += left ? group.rows : 0;
      routes[static_cast<std::size_t>(code)] = left ? 0 : 1;
    }
    offer(node, left_rows, table, 2, {0.0, 0.0, routes}, out);
  }
}

std::optional<Choice> Reference::choose(const std::vector<std::size_t>& rows) const {
  Node node{rows, std::vector<double>(dataset_.n_classes, 0.0), 0.0, 0.0};
  for (const std::size_t row : rows) node.counts[dataset_.classes[row]] += dataset_.weight(row);
  node.weight = std::accumulate(node.counts.begin(), node.counts.end(), 0.0);
  node.entropy = order_.weighted(node.counts.data(), node.counts.size(), 1, node.weight) / node.weight;

  Choice choice;
  std::vector<std::vector<Candidate>> candidates(dataset_.fields.size());
  choice.best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Field& field = dataset_.fields[i];
    if (!field.nominal()) {
      numeric(node, field, candidates[i]);
    } else {
      const bool many = field.n_categories > kMostCategories && !settings_.multiway;
      if (many && groups_of(dataset_, field, rows).size() > kMostCategories) return std::nullopt;
      nominal(node, field, candidates[i], choice.by_subsets);
    }
    for (const Candidate& candidate : candidates[i]) choice.best = std::max(choice.best, candidate.score);
  }
  choice.scale = std::max({std::abs(choice.best), node.entropy, is_share_ ? 1.0 : 0.0});
  const double goal = choice.best - kTieWidth * choice.scale;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    for (const Candidate& candidate : candidates[i]) {
      choice.in_doubt = choice.in_doubt || std::abs(candidate.score - goal) < kDoubt * choice.scale;
      if (choice.found || candidate.score < goal) continue;
      choice.found = true;
      choice.column = i;
      choice.threshold = candidate.threshold;
      choice.routes = candidate.routes;
    }
  }
  return choice;
}

}  // namespace ramify::tests
