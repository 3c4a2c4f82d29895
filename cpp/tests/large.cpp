// Data that are large enough for all workers to share a node, and for rows and classes not to fit in one tag.
#include "check.hpp"
#include "equality.hpp"
#include "invariants.hpp"
#include "ramify/grow.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

Field numbers(Random& random, const std::vector<std::uint32_t>& classes, ValueType type, double step) {
  Field field{type, 0, {}};
  for (const std::uint32_t cls : classes) {
    double value = random.uniform() + 0.2 * (cls % 3);
    if (step > 0.0) value = step * static_cast<double>(static_cast<std::int64_t>(value / step));
    field.values.push_back(static_cast<double>(static_cast<float>(value)));
  }
  return field;
}

Field categories(Random& random, const std::vector<std::uint32_t>& classes, std::uint32_t n_categories) {
  Field field{ValueType::category, n_categories, {}};
  for (const std::uint32_t cls : classes) {
    const std::size_t code = random.chance(0.2) ? cls % n_categories : random.below(n_categories);
    field.values.push_back(static_cast<double>(code));
  }
  return field;
}

// Two runs, a dense column and a nominal one, which is a run if it has more than 256 categories.
Dataset large_dataset(Random& random, std::uint32_t n_classes, std::uint32_t n_categories, Weighting weighting) {
  Dataset dataset;
  dataset.n_classes = n_classes;
  for (std::size_t i = 0; i < 200'000; ++i) {
    dataset.classes.push_back(static_cast<std::uint32_t>(random.below(n_classes)));
    if (weighting == Weighting::whole) dataset.weights.push_back(static_cast<double>(random.between(1, 3)));
    if (weighting == Weighting::real) dataset.weights.push_back(0.5 + random.uniform());
  }
  dataset.fields.push_back(numbers(random, dataset.classes, ValueType::float64, 0.0));
  dataset.fields.push_back(numbers(random, dataset.classes, ValueType::float32, 0.0));
  dataset.fields.push_back(numbers(random, dataset.classes, ValueType::float64, 0.05));
  dataset.fields.push_back(categories(random, dataset.classes, n_categories));
  return dataset;
}

void check_all_jobs(const Dataset& dataset, const GrowthSettings& settings) {
  const Storage storage(dataset);
  Pool one(1);
  const Tree tree = grow(storage.features(), storage.labels(), settings, one);
  CHECK(tree.size() > 1);
  check_invariants(tree, dataset, storage, settings, 3);
  for (const std::size_t jobs : {2u, 4u}) {
    Pool pool(jobs);
    const std::string what = difference(tree, grow(storage.features(), storage.labels(), settings, pool));
    CHECK(what.empty(), "n_jobs " + std::to_string(jobs) + ": " + what);
  }
}

// Unit weights, but more rows and classes than a tag of 32 bits can hold.
void run_without_packing() {
  Random random(7);
  Dataset dataset;
  dataset.n_classes = (1 << 14) + 1;
  for (std::size_t i = 0; i < (1 << 17) + 1; ++i) {
    dataset.classes.push_back(static_cast<std::uint32_t>(random.chance(0.1) ? random.below(1 << 14) : i % 2));
  }
  dataset.fields.push_back(numbers(random, dataset.classes, ValueType::float64, 0.0));
  dataset.fields.push_back(numbers(random, dataset.classes, ValueType::float32, 0.25));
  GrowthSettings settings;
  settings.q = 1.0;
  settings.max_leaf_nodes = 4;
  CHECK(Storage(dataset).labels().mode() == TagMode::looked_up);
  check_all_jobs(dataset, settings);
}

void run(std::uint64_t number) {
  Random random(number + 2'000'000);
  GrowthSettings settings;
  settings.max_depth = 5;
  switch (number) {
    case 0:
      settings.q = 1.7;
      return check_all_jobs(large_dataset(random, 3, 40, Weighting::unit), settings);
    case 1:
      settings.q = 1.0;
      settings.max_leaf_nodes = 12;
      return check_all_jobs(large_dataset(random, 2, 1000, Weighting::unit), settings);
    case 2:
      settings.q = 0.5;
      settings.multiway = true;
      settings.max_depth = 3;
      return check_all_jobs(large_dataset(random, 2, 300, Weighting::whole), settings);
    case 3:
      settings.criterion = "gain_ratio";
      settings.max_depth = 2;
      settings.min_samples_leaf = 1000;
      return check_all_jobs(large_dataset(random, 2, 20, Weighting::real), settings);
    case 4:
      return run_without_packing();
    default:
      settings.cuts = number % 2 == 0 ? Cuts::equal_width : Cuts::gaussian;
      return check_all_jobs(large_dataset(random, 4, 8, Weighting::unit), settings);
  }
}

}  // namespace

Suite large_suite() { return {"large", 7, 1, run}; }

}  // namespace ramify::tests
