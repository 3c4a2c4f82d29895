// Weights have no unit: multiplied by any factor they are the same weights. Factors are powers of two, so that
// nothing is rounded, and make real weights out of whole ones.
#include <algorithm>
#include <cmath>

#include "check.hpp"
#include "equality.hpp"
#include "invariants.hpp"
#include "settings.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

Tree grow_with(const Dataset& dataset, const GrowthSettings& settings, std::size_t jobs) {
  const Storage storage(dataset);
  Pool pool(jobs);
  const Tree tree = grow(storage.features(), storage.labels(), settings, pool);
  check_invariants(tree, dataset, storage, settings, jobs);
  return tree;
}

void run(std::uint64_t number) {
  Random random(number + 7'000'000);
  Trial trial = random_trial(random, number);
  trial.shape.weighting = Weighting::whole;
  trial.shape.rows = std::min<std::size_t>(trial.shape.rows, 1000);
  if (trial.settings.min_support <= 1.0) trial.settings.min_support = 0.0;
  // A normal that is fitted to numbers near the ends of a double's range overflows sooner or later.
  if (trial.settings.cuts == Cuts::gaussian) trial.settings.cuts = Cuts::exact;
  // The tables of a criterion without look-ups cost more.
  trial.shape.n_classes = std::min<std::uint32_t>(trial.shape.n_classes, 10);
  const Dataset dataset = random_dataset(random, trial.shape);
  const Tree whole = grow_with(dataset, trial.settings, trial.jobs);
  for (const int exponent : {-1, -30, -70, 40}) {
    set_case("scaling " + std::to_string(number) + ": " + trial.settings.criterion + " q " +
             std::to_string(trial.settings.q) + ", weights times 2^" + std::to_string(exponent));
    Dataset scaled = dataset;
    for (double& weight : scaled.weights) weight = std::ldexp(weight, exponent);
    GrowthSettings settings = trial.settings;
    settings.min_support = std::ldexp(settings.min_support, exponent);
    Tree real = grow_with(scaled, settings, trial.jobs);
    for (double& count : real.counts) count = std::ldexp(count, -exponent);
    const std::string what = difference_in_structure(whole, real);
    CHECK(what.empty(), what);
  }
}

}  // namespace

Suite scaling_suite() { return {"scaling", 200, 30, run}; }

}  // namespace ramify::tests
