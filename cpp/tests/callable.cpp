// Criteria of the caller's own: good ones, ones that make no sense, and ones that throw.
#include <atomic>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "check.hpp"
#include "choices.hpp"
#include "equality.hpp"
#include "invariants.hpp"
#include "settings.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

using ScoreTable = std::function<double(const double* counts, std::size_t branches, std::size_t classes)>;

ScoreTables one_by_one(ScoreTable score) {
  return [score = std::move(score)](const TableBatch& batch, double* scores) {
    const std::size_t size = batch.branches * batch.classes;
    for (std::size_t t = 0; t < batch.tables; ++t) {
      scores[t] = score(batch.counts + t * size, batch.branches, batch.classes);
    }
  };
}

// Cases less sum of squares over sizes, of the parent and of the branches.
double gini_gain(const double* counts, std::size_t branches, std::size_t classes) {
  std::vector<double> parent(classes, 0.0);
  double n = 0.0;
  double of_branches = 0.0;
  for (std::size_t j = 0; j < branches; ++j) {
    double size = 0.0;
    double squares = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      const double count = counts[j * classes + k];
      size += count;
      squares += count * count;
      parent[k] += count;
    }
    n += size;
    if (size > 0.0) of_branches += squares / size;
  }
  double squares = 0.0;
  for (const double count : parent) squares += count * count;
  return (of_branches - squares / n) / n;
}

// A number for every table, without rhyme or reason: trees that no criterion would grow.
double nonsense(const double* counts, std::size_t branches, std::size_t classes) {
  std::uint64_t seed = branches;
  for (std::size_t i = 0; i < branches * classes; ++i) {
    seed = seed * 0x100000001B3ull + static_cast<std::uint64_t>(counts[i] * 64.0);
  }
  Random random(seed);
  const double score = 100.0 * random.uniform() - 50.0;
  if (random.chance(0.1)) return std::numeric_limits<double>::quiet_NaN();
  return random.chance(0.1) ? -std::numeric_limits<double>::infinity() : score;
}

Tree grow_with(const Storage& storage, const GrowthSettings& settings, std::size_t jobs) {
  Pool pool(jobs);
  return grow(storage.features(), storage.labels(), settings, pool);
}

GrowthSettings with_callable(GrowthSettings settings, ScoreTables callable) {
  settings.criterion.clear();
  settings.callable = std::move(callable);
  return settings;
}

// The Gini gain as a callable grows the tree of the built-in one.
void check_gini(const Dataset& dataset, const Trial& trial) {
  const Storage storage(dataset);
  GrowthSettings settings = trial.settings;
  settings.criterion = "gain";
  settings.q = 2.0;
  settings.min_support = 0.0;  // a callable is given the tables as they are
  const GrowthSettings own = with_callable(settings, one_by_one(gini_gain));
  const Tree tree = grow_with(storage, own, trial.jobs);
  check_invariants(tree, dataset, storage, own, trial.jobs);
  std::string what = difference_in_structure(grow_with(storage, settings, trial.jobs), tree);
  // The built-in gain knows orders of categories that are exact, a callable does not.
  if (what == "search" || what == "exact") what.clear();
  if (tree.exact == std::vector<std::uint8_t>(tree.size(), 1)) CHECK(what.empty(), "gini: " + what);
}

void check_nonsense(const Dataset& dataset, const Trial& trial) {
  const Storage storage(dataset);
  const GrowthSettings settings = with_callable(trial.settings, one_by_one(nonsense));
  const Tree tree = grow_with(storage, settings, trial.jobs);
  check_invariants(tree, dataset, storage, settings, trial.jobs);
  const std::string what = difference(tree, grow_with(storage, settings, trial.jobs % 4 + 1));
  CHECK(what.empty(), "nonsense, n_jobs: " + what);
  if (settings.cuts == Cuts::exact) check_choices(tree, dataset, settings, 3);
}

void check_constant(const Dataset& dataset, const Trial& trial, double score) {
  const Storage storage(dataset);
  const GrowthSettings settings = with_callable(
      trial.settings, one_by_one([score](const double*, std::size_t, std::size_t) { return score; }));
  // Whatever a criterion returns: either it is refused, or the tree can be stored and read again.
  try {
    const Tree tree = grow_with(storage, settings, trial.jobs);
    check_invariants(tree, dataset, storage, settings, trial.jobs);
    if (std::isnan(score)) CHECK(tree.size() == 1, std::string("no table is defined, so nothing is split"));
  } catch (const std::invalid_argument&) {
    CHECK(score == std::numeric_limits<double>::infinity(), std::string("all but infinite scores are taken"));
  }
}

struct Refusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws from the call of this number on; the exception must come out, whichever worker it was thrown in.
void check_throwing(const Dataset& dataset, const Trial& trial, std::size_t calls, std::size_t jobs) {
  const Storage storage(dataset);
  std::atomic<std::size_t> seen{0};
  const ScoreTables scorer = one_by_one(gini_gain);
  const GrowthSettings settings = with_callable(trial.settings, [&](const TableBatch& batch, double* scores) {
    if (seen++ >= calls) throw Refusal("enough");
    scorer(batch, scores);
  });
  Pool pool(jobs);
  bool thrown = false;
  try {
    grow(storage.features(), storage.labels(), settings, pool);
  } catch (const Refusal& refusal) {
    thrown = std::string(refusal.what()) == "enough";
  }
  CHECK(thrown == (seen > calls), "jobs " + std::to_string(jobs) + ", calls " + std::to_string(calls));
  // The pool is fit for use afterwards.
  std::atomic<std::size_t> done{0};
  pool.for_each(50, [&](std::size_t, std::size_t) { ++done; });
  CHECK(done == 50);
}

void run(std::uint64_t number) {
  Random random(number + 3'000'000);
  Trial trial = random_trial(random, number);
  trial.settings.criterion = "purity";  // for the size of the trial only
  trial.shape.n_classes = std::min<std::uint32_t>(trial.shape.n_classes, 10);
  trial.shape.rows = std::min<std::size_t>(trial.shape.rows, 400);
  const bool shared = number % 16 == 5;
  if (shared) {
    // Enough cells for all workers to be at one node when it throws.
    trial.shape = {6000, 24, 3, 20, 0.1, Weighting::unit};
    trial.settings = {};
    trial.settings.max_depth = 3;
  }
  const Dataset dataset = random_dataset(random, trial.shape);
  for (const std::size_t jobs : {1, 4}) {
    for (const std::size_t calls : {0, 1, 7, 100, 1000}) check_throwing(dataset, trial, calls, jobs);
  }
  if (shared) return;
  check_gini(dataset, trial);
  check_nonsense(dataset, trial);
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const double score : {0.0, -1e300, std::numeric_limits<double>::quiet_NaN(), -kInfinity, kInfinity}) {
    check_constant(dataset, trial, score);
  }
}

}  // namespace

Suite callable_suite() { return {"callable", 96, 24, run}; }

}  // namespace ramify::tests
