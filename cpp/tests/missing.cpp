// Random trees from data with gaps, grown in every way and dialect, walked and pruned: whatever comes out must be
// a tree, the same for any number of threads, and every case must end somewhere as a whole.
#include <cmath>
#include <limits>
#include <numeric>

#include "check.hpp"
#include "equality.hpp"
#include "ramify/predict.hpp"
#include "ramify/prune/cost_complexity.hpp"
#include "ramify/prune/merge.hpp"
#include "ramify/prune/pessimistic.hpp"
#include "ramify/prune/reduced_error.hpp"
#include "settings.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

void make_gaps(Random& random, Dataset& dataset) {
  for (Field& field : dataset.fields) {
    const double share = random.pick({0.0, 0.01, 0.1, 0.5, 1.0});
    for (double& value : field.values) {
      if (!random.chance(share)) continue;
      value = field.nominal() ? static_cast<double>(kMissingCategory) : std::numeric_limits<double>::quiet_NaN();
    }
  }
}

Dialect c45_dialect(Random& random) {
  Dialect dialect;
  dialect.by_columns = true;
  dialect.cut_criterion = random.pick<std::string>({"gain", "gain", "distance", "gain_ratio"});
  dialect.cut_minimum = random.chance(0.7);
  dialect.mdl_correction = random.chance(0.7);
  dialect.average_gain_gate = random.chance(0.7);
  dialect.available_gain_gate = !dialect.average_gain_gate && random.chance(0.5);
  dialect.known_cases_only = random.chance(0.3);
  dialect.last_of_equal_cuts = random.chance(0.3);
  dialect.unknown_is_outcome = random.chance(0.7);
  dialect.cut_at_value = random.chance(0.7);
  dialect.tie_tolerance = random.pick({0.0, 1e-6});
  dialect.min_gap = random.pick({0.0, 1e-5});
  return dialect;
}

void choose_ways(Random& random, std::size_t columns, GrowthSettings& settings) {
  settings.missing = random.pick({Missing::fractional, Missing::best_branch, Missing::own_branch});
  if (random.chance(0.3)) {
    settings.dialect = c45_dialect(random);
    settings.missing = Missing::fractional;
    settings.cuts = Cuts::exact;
    settings.q = random.pick({1.0, 1.5, 2.0});  // whose powers suit all counts
  }
  if (random.chance(0.2)) settings.dialect.available_gain_gate = !settings.dialect.average_gain_gate;
  if (random.chance(0.2)) settings.dialect.cuts_must_improve = true;
  if (random.chance(0.3)) settings.n_runner_ups = random.between(1, 4);
  if (random.chance(0.3)) settings.max_features = random.between(1, columns);
  if (random.chance(0.3)) {
    settings.split_order.resize(random.between(1, 3));
    for (std::int32_t& column : settings.split_order) {
      column = static_cast<std::int32_t>(random.below(columns + 1)) - 1;
    }
  }
  settings.seed = random.below(1000);
}

void check_walks(const Tree& tree, const Storage& storage, std::size_t rows) {
  Pool pool(2);
  std::vector<std::int32_t> ends(rows);
  apply(tree, storage.features(), rows, pool, ends.data());
  const std::vector<double> ones(tree.size(), 1.0);
  std::vector<double> whole(rows);
  spread(tree, storage.features(), rows, node_weights(tree), ones.data(), 1, pool, whole.data());
  const Paths passed = paths(tree, storage.features(), rows);
  for (std::size_t row = 0; row < rows; ++row) {
    CHECK(std::abs(whole[row] - 1.0) < 1e-9, "the parts of a case add up to it");
    const auto begin = passed.nodes.begin() + passed.starts[row];
    const auto end = passed.nodes.begin() + passed.starts[row + 1];
    CHECK(std::binary_search(begin, end, ends[row]), "a case passes its end");
  }
}

void check_weights(const Tree& tree) {
  const auto weight = [&](std::size_t node) {
    const auto first = tree.counts.begin() + static_cast<std::ptrdiff_t>(node * tree.n_classes);
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(tree.n_classes), 0.0);
  };
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.n_children[node] == 0) continue;
    double below = 0.0;
    for (std::int32_t i = 0; i < tree.n_children[node]; ++i) {
      below += weight(static_cast<std::size_t>(tree.first_child[node] + i));
    }
    CHECK(std::abs(below - weight(node)) <= 1e-4 * weight(node), "children weigh what their node weighs");
  }
}

void check_pruned(const Tree& tree, const Storage& storage, const Dataset& dataset, double q) {
  const double* weights = dataset.weights.empty() ? nullptr : dataset.weights.data();
  const std::vector<std::uint32_t> answers = majority_classes(tree);
  PessimisticSettings settings;
  settings.collapse = true;
  Pool pool(1);
  const auto& features = storage.features();
  const std::size_t rows = dataset.rows();
  const std::uint32_t* classes = dataset.classes.data();
  for (const Tree& pruned : {collapse(tree), prune_pessimistic(tree, settings),
                             prune_pessimistic(tree, settings, {features, classes, weights, rows, q}, pool),
                             prune_reduced_error(tree, {features, classes, weights, rows}, answers),
                             merge_leaves(tree, answers, q, true), prune_cost_complexity(tree, 1e-3)}) {
    const std::string problem = pruned.problem(dataset.n_categories());
    CHECK(problem.empty(), "pruned: " + problem);
    CHECK(pruned.size() <= tree.size());
    if (problem.empty()) check_walks(pruned, storage, rows);
  }
}

void run(std::uint64_t number) {
  Random random(number + 77);
  Trial trial = random_trial(random, number);
  trial.shape.rows = std::min<std::size_t>(trial.shape.rows, 600);
  choose_ways(random, trial.shape.columns, trial.settings);
  Dataset dataset = random_dataset(random, trial.shape);
  make_gaps(random, dataset);
  const Storage storage(dataset, trial.settings.missing == Missing::fractional);
  const auto grow_with = [&](std::size_t jobs) {
    Pool pool(jobs);
    return grow(storage.features(), storage.labels(), trial.settings, pool);
  };
  const Tree tree = grow_with(1);
  const std::string problem = tree.problem(dataset.n_categories());
  CHECK(problem.empty(), problem);
  if (!problem.empty()) return;
  const std::string what = difference(tree, grow_with(trial.jobs));
  CHECK(what.empty(), "n_jobs: " + what);
  check_weights(tree);
  check_walks(tree, storage, dataset.rows());
  if (tree.size() < 5000) check_pruned(tree, storage, dataset, trial.settings.q);
}

}  // namespace

Suite missing_suite() { return {"missing", 700, 100, run}; }

}  // namespace ramify::tests
