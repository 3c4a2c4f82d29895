// The trees of a path are, order by order, those that are grown alone: on all rows and on folds, by any number of
// workers, with every setting. Sizes and answers of folds are those of these trees.
#include "ramify/path/path.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "check.hpp"
#include "equality.hpp"
#include "ramify/predict.hpp"
#include "settings.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

std::vector<double> random_orders(Random& random) {
  std::vector<double> qs;
  const std::size_t count = 1 + random.below(random.below(4) == 0 ? 40 : 9);
  for (std::size_t i = 0; i < count; ++i) {
    const double q = random.below(6) == 0 ? static_cast<double>(random.below(4))
                                          : 0.1 * (1.0 + static_cast<double>(random.below(99)));
    if (std::find(qs.begin(), qs.end(), q) == qs.end()) qs.push_back(q);
  }
  std::sort(qs.begin(), qs.end());
  return qs;
}

bool is_exact(const GrowthSettings& settings) {
  return settings.cuts == Cuts::exact || settings.cuts == Cuts::gaussian;
}

// Every row with about this chance.
std::vector<std::uint32_t> some_rows(Random& random, std::size_t rows, std::size_t chance_in_ten) {
  std::vector<std::uint32_t> some;
  for (std::uint32_t row = 0; row < rows; ++row) {
    if (random.below(10) < chance_in_ten) some.push_back(row);
  }
  if (some.empty()) some.push_back(0);
  return some;
}

struct Case {
  Dataset dataset;
  GrowthSettings settings;
  std::vector<double> qs;
  std::size_t jobs;
  bool in_parts;
};

// The tree of one order, grown alone from some rows.
Tree grow_alone(const Case& of, const std::vector<std::uint32_t>& rows, double q) {
  const Dataset taken = of.dataset.taken(std::vector<std::size_t>(rows.begin(), rows.end()));
  const Storage storage(taken, of.in_parts);
  GrowthSettings settings = of.settings;
  settings.q = q;
  Pool pool(1);
  return grow(storage.features(), storage.labels(), settings, pool);
}

void check_trees(const Case& of, Path& path, const std::vector<std::uint32_t>& rows) {
  Fold fold;
  fold.train = rows;
  fold.weights = of.dataset.weights;
  fold.settings = of.settings;
  Pool pool(of.jobs);
  const PathTrees every = path.trees(fold, of.qs, true, pool);
  const PathTrees shared = path.trees(fold, of.qs, false, pool);
  CHECK(every.trees.size() == of.qs.size(), "one tree an order");
  for (std::size_t i = 0; i < of.qs.size(); ++i) {
    const Tree alone = grow_alone(of, rows, of.qs[i]);
    const std::string what = difference(every.trees[every.which[i]], alone);
    CHECK(what.empty(), what + " at order " + std::to_string(of.qs[i]));
    const Tree& one = shared.trees[shared.which[i]];
    CHECK(one.column == alone.column && one.threshold == alone.threshold && one.first_child == alone.first_child &&
              one.counts == alone.counts && one.routes == alone.routes && one.missing_route == alone.missing_route,
          "shared tree at order " + std::to_string(of.qs[i]));
  }
}

void check_figures(const Case& of, Path& path, const Storage& storage, Random& random) {
  std::vector<std::vector<std::uint32_t>> trains;
  std::vector<std::vector<std::uint32_t>> tests;
  for (std::size_t i = 0; i < 1 + random.below(3); ++i) {
    trains.push_back(some_rows(random, of.dataset.rows(), 7));
    tests.push_back(some_rows(random, of.dataset.rows(), 3));
  }
  std::vector<Fold> folds(trains.size());
  for (std::size_t i = 0; i < folds.size(); ++i) {
    folds[i].train = trains[i];
    folds[i].test = tests[i];
    folds[i].weights = of.dataset.weights;
    folds[i].settings = of.settings;
  }
  Pool pool(of.jobs);
  const std::vector<Tally> tallies = path.evaluate(folds, nullptr, of.qs, pool);
  Pool one(1);
  const std::vector<Tally> by_one = path.evaluate(folds, nullptr, of.qs, one);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    for (std::size_t order = 0; order < of.qs.size(); ++order) {
      CHECK(tallies[i].log_loss[order].value() == by_one[i].log_loss[order].value(), "log-loss by one worker");
    }
  }
  const Answering plain;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    for (std::size_t order = 0; order < of.qs.size(); ++order) {
      const Tree tree = grow_alone(of, trains[i], of.qs[order]);
      const Tally& tally = tallies[i];
      CHECK(tally.n_nodes[order] == static_cast<double>(tree.size()), "nodes");
      CHECK(tally.n_leaves[order] == static_cast<double>(tree.n_leaves()), "leaves");
      CHECK(tally.depth[order] == static_cast<double>(tree.max_depth()), "depth");
      std::vector<std::int32_t> ends(of.dataset.rows());
      apply(tree, storage.features(), of.dataset.rows(), pool, ends.data());
      double correct = 0.0;
      double loss = 0.0;
      for (const std::uint32_t row : tests[i]) {
        auto node = static_cast<std::size_t>(ends[row]);
        while (tree.n_rows[node] == 0) node = static_cast<std::size_t>(tree.parent[node]);
        const double* counts = tree.counts.data() + node * tree.n_classes;
        std::vector<double> shares(tree.n_classes);
        voting_shares(plain, counts, tree.counts.data(), tree.n_classes, shares.data());
        if (vote_of(plain, shares.data(), tree.n_classes) == of.dataset.classes[row]) correct += 1.0;
        loss -= std::log(std::max(shares[of.dataset.classes[row]], std::numeric_limits<double>::epsilon()));
      }
      CHECK(tally.correct[order].value() == correct, "right answers");
      CHECK(std::abs(tally.log_loss[order].value() - loss) <= 1e-12 * (1.0 + loss), "log-loss");
    }
  }
}

// More orders and rows than there is room for tables at one time, and in the first column cuts that tie from both
// ends, so that the best has to be looked for again.
Case mirrored_case(Random& random, std::size_t jobs) {
  const std::size_t half = random.between(2500, 3500);
  Case of{Dataset(), GrowthSettings(), {}, jobs, false};
  of.dataset.n_classes = 2;
  for (std::size_t i = 0; i < half; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(half);
    of.dataset.classes.push_back(random.chance(share) ? 1 : 0);
  }
  for (std::size_t i = half; i-- > 0;) of.dataset.classes.push_back(of.dataset.classes[i]);
  of.dataset.fields.resize(2);
  for (std::size_t i = 0; i < 2 * half; ++i) {
    of.dataset.fields[0].values.push_back(static_cast<double>(i));
    of.dataset.fields[1].values.push_back(random.uniform());
  }
  of.settings.max_depth = 2;
  for (std::size_t i = 1; i <= 80; ++i) of.qs.push_back(0.12 * static_cast<double>(i));
  return of;
}

// Large nodes for several workers, who leave each other nodes and parts of trees.
Case crowded_case(Random& random, std::size_t jobs) {
  Case of{Dataset(), GrowthSettings(), {}, jobs, false};
  const std::size_t rows = random.between(8000, 16000);
  const std::size_t n_coarse = random.chance(0.4) ? 3 : 0;
  const bool weighted = random.chance(0.2);
  of.dataset.n_classes = 3;
  of.dataset.fields.resize(20);
  for (std::size_t i = 0; i < rows; ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < of.dataset.fields.size(); ++j) {
      const double value = random.uniform();
      // Some columns have few values, and are counted instead of sorted.
      of.dataset.fields[j].values.push_back(j < n_coarse ? std::floor(8.0 * value) / 8.0 : value);
      sum += value * random.uniform();
    }
    if (weighted)
      of.dataset.weights.push_back(0.25 * static_cast<double>(random.between(1, 8)));  // sums are exact
    of.dataset.classes.push_back(sum < 4.5 ? 0u : sum < 5.5 ? 1u : 2u);
  }
  of.settings.min_samples_leaf = 10;
  if (random.chance(0.3)) of.settings.max_depth = 6;
  // Many that share nodes, or fewer than there are workers.
  const bool many = random.chance(0.5);
  const std::size_t count = many ? 20 : std::max<std::size_t>(2, jobs - 1);
  for (std::size_t i = 1; i <= count; ++i) of.qs.push_back((many ? 0.4 : 2.3) * static_cast<double>(i));
  return of;
}

// On all rows, on some, and as folds, of which there are fewer than workers now and then.
void run_large(const Case& of, const std::string& what, Random& random) {
  set_case(what + ", " + std::to_string(of.dataset.rows()) + " rows");
  const Storage storage(of.dataset);
  Path path(storage.features(), of.dataset.classes.data(), of.dataset.rows(), of.dataset.n_classes);
  std::vector<std::uint32_t> all(of.dataset.rows());
  std::iota(all.begin(), all.end(), 0u);
  check_trees(of, path, all);
  check_trees(of, path, some_rows(random, of.dataset.rows(), 8));
  check_figures(of, path, storage, random);
}

void run(std::uint64_t number) {
  Random random(number + 11'000'000);
  const std::string name = "path " + std::to_string(number) + ": ";
  if (number % 30 == 1) return run_large(mirrored_case(random, 1 + number % 2), name + "mirrored", random);
  if (number % 30 == 2) return run_large(crowded_case(random, 1 + number / 30 % 4), name + "crowded", random);
  static constexpr const char* kFamilies[] = {"gain", "gain_ratio", "distance", "normalized_distance"};
  Trial trial = random_trial(random, number);
  trial.settings.criterion = kFamilies[number % 4];
  trial.shape.rows = std::min<std::size_t>(trial.shape.rows, number % 16 == 0 ? 4000 : 600);
  trial.shape.most_categories = std::min<std::uint32_t>(trial.shape.most_categories, 40);
  if (number % 3 == 0) trial.shape.weighting = Weighting::unit;
  if (number % 5 == 0) trial.settings.max_leaf_nodes = kUnlimited;
  Case of{random_dataset(random, trial.shape), trial.settings, random_orders(random), trial.jobs, false};
  of.in_parts = of.settings.missing == Missing::fractional &&
                std::any_of(of.dataset.fields.begin(), of.dataset.fields.end(),
                            [](const Field& field) { return field.may_miss(); });
  set_case(name + of.settings.criterion + ", " + std::to_string(of.qs.size()) + " orders, " +
           std::to_string(of.dataset.rows()) + " rows");
  const Storage storage(of.dataset, of.in_parts);
  Path path(storage.features(), of.dataset.classes.data(), of.dataset.rows(), of.dataset.n_classes);
  std::vector<std::uint32_t> all(of.dataset.rows());
  std::iota(all.begin(), all.end(), 0u);
  check_trees(of, path, all);
  const bool free_of_rows =
      is_exact(of.settings) && of.settings.max_leaf_nodes == kUnlimited && !keeps_values(of.settings);
  if (!free_of_rows) return;
  check_trees(of, path, some_rows(random, of.dataset.rows(), 8));
  if (!of.in_parts && of.settings.missing == Missing::fractional) check_figures(of, path, storage, random);
}

}  // namespace

Suite path_suite() { return {"path", 600, 60, run}; }

}  // namespace ramify::tests
