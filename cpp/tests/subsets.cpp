// Nominal columns of up to a dozen categories: what the core calls exact must be the best of all subsets.
#include "check.hpp"
#include "choices.hpp"
#include "invariants.hpp"
#include "ramify/criteria/registry.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

Field categories(Random& random, const std::vector<std::uint32_t>& classes, std::uint32_t n_categories) {
  Field field{ValueType::category, n_categories, {}};
  for (std::size_t i = 0; i < classes.size(); ++i) {
    const std::size_t code = random.chance(0.3) ? 3 * classes[i] + random.below(3) : random.below(n_categories);
    field.values.push_back(static_cast<double>(code % n_categories));
  }
  return field;
}

void run(std::uint64_t number) {
  Random random(number + 6'000'000);
  Dataset dataset;
  dataset.n_classes = random.pick<std::uint32_t>({2, 2, 2, 3});
  // Weights so small that hardly a branch reaches a support of one.
  const bool light = random.chance(0.3);
  const std::size_t rows = random.log_between(12, light ? 40 : 300);
  // Of the weights; 0: all rows count once. Sums of sixteenths are exact, so no support hangs on rounding.
  const double step = light ? 0.0625 : random.pick({0.0, 0.0625, 1.0});
  for (std::size_t i = 0; i < rows; ++i) {
    dataset.classes.push_back(static_cast<std::uint32_t>(random.below(dataset.n_classes)));
    if (step > 0.0) dataset.weights.push_back(step * static_cast<double>(random.between(1, 6)));
  }
  const std::size_t columns = random.between(1, 2);
  for (std::size_t i = 0; i < columns; ++i) {
    const auto n_categories = random.pick<std::uint32_t>({9, 10, 11, 12, 12, 12});
    dataset.fields.push_back(categories(random, dataset.classes, n_categories));
    // The same values as numbers: what is admissible is decided elsewhere then.
    if (random.chance(0.4)) dataset.fields.back() = {ValueType::float64, 0, dataset.fields.back().values};
  }
  const std::vector<CriterionInfo> criteria = list_criteria();
  GrowthSettings settings;
  settings.criterion = random.chance(0.6) ? random.pick({"gain", "gain_ratio", "lopez_de_mantaras"})
                                          : criteria[number % criteria.size()].name;
  settings.q = random.pick({0.0, 0.1, 0.5, 1.0, 1.7, 2.0, 5.0, 20.0});
  settings.max_depth = 2;
  if (random.chance(light ? 0.9 : 0.3)) settings.min_support = random.pick({0.5, 1.0, 1.0, 3.0});
  if (random.chance(0.2)) settings.min_samples_leaf = random.between(2, 4);
  if (random.chance(light ? 0.5 : 0.2)) settings.min_impurity_decrease = random.pick({1e-3, 0.01, 0.05});
  set_case("subsets " + std::to_string(number) + ": " + settings.criterion + " q " + std::to_string(settings.q) +
           ", min_support " + std::to_string(settings.min_support) + ", min_impurity_decrease " +
           std::to_string(settings.min_impurity_decrease) + ", weights of " + std::to_string(step));
  const Storage storage(dataset);
  Pool pool(1);
  const Tree tree = grow(storage.features(), storage.labels(), settings, pool);
  check_invariants(tree, dataset, storage, settings, 1);
  check_choices(tree, dataset, settings, 2);
}

}  // namespace

Suite subsets_suite() { return {"subsets", 1000, 100, run}; }

}  // namespace ramify::tests
