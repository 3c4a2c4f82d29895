// Random trees over all criteria, orders, kinds of columns, weights and limits.
#include "check.hpp"
#include "choices.hpp"
#include "equality.hpp"
#include "invariants.hpp"
#include "settings.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

Tree grow_with(const Storage& storage, const GrowthSettings& settings, std::size_t jobs) {
  Pool pool(jobs);
  return grow(storage.features(), storage.labels(), settings, pool);
}

std::string words(const Trial& trial) {
  return trial.settings.criterion + " q " + std::to_string(trial.settings.q) + ", " +
         std::to_string(trial.shape.rows) + " rows, " + std::to_string(trial.shape.columns) + " columns, " +
         std::to_string(trial.shape.n_classes) + " classes, jobs " + std::to_string(trial.jobs);
}

// Rows in another order are the same cases.
void check_shuffled(Random& random, const Dataset& dataset, const Trial& trial, const Tree& tree) {
  const Storage storage(dataset.taken(random.permutation(dataset.rows())));
  const Tree other = grow_with(storage, trial.settings, random.between(1, 4));
  const std::string what = difference_in_structure(tree, other);
  CHECK(what.empty(), "shuffled rows: " + what);
}

// A whole weight is that many copies of the row.
void check_copies(const Dataset& dataset, const Trial& trial, const Tree& tree) {
  std::vector<std::size_t> numbers;
  for (std::size_t row = 0; row < dataset.rows(); ++row) {
    numbers.insert(numbers.end(), static_cast<std::size_t>(dataset.weight(row)), row);
  }
  Dataset copies = dataset.taken(numbers);
  copies.weights.clear();
  const Storage storage(copies);
  const std::string what = difference_in_structure(tree, grow_with(storage, trial.settings, trial.jobs), true);
  CHECK(what.empty(), "copies of rows: " + what);
}

void run(std::uint64_t number) {
  Random random(number);
  const Trial trial = random_trial(random, number);
  set_case("stress " + std::to_string(number) + ": " + words(trial));
  const Dataset dataset = random_dataset(random, trial.shape);
  const Storage storage(dataset);
  const Tree tree = grow_with(storage, trial.settings, trial.jobs);
  check_invariants(tree, dataset, storage, trial.settings, trial.jobs);
  if (n_failures() > 0 && !tree.problem(dataset.n_categories()).empty()) return;

  const std::string what = difference(tree, grow_with(storage, trial.settings, trial.jobs % 4 + 1));
  CHECK(what.empty(), "n_jobs: " + what);
  const Weighting weighting = storage.labels().weighting();
  if (weighting == Weighting::unit) check_shuffled(random, dataset, trial, tree);
  // Limits that count rows tell a weight from copies; and a normal fitted to copies differs by rounding.
  const bool counts_rows = trial.settings.min_samples_leaf > 1 || trial.settings.min_samples_split > 2;
  if (weighting == Weighting::whole && !counts_rows && trial.settings.cuts != Cuts::gaussian) {
    check_copies(dataset, trial, tree);
  }
  if (trial.settings.cuts == Cuts::exact) check_choices(tree, dataset, trial.settings, 6);
}

}  // namespace

Suite stress_suite() { return {"stress", 1500, 200, run}; }

}  // namespace ramify::tests
