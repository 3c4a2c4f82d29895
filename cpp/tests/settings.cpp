#include "settings.hpp"

#include <algorithm>
#include <array>

#include "ramify/criteria/registry.hpp"

namespace ramify::tests {

namespace {

constexpr std::array<double, 13> kOrders{0.0, 0.1, 0.5, 0.95, 1.0,  1.0 + 1e-7, 1.05,
                                         1.7, 2.0, 3.3, 7.0,  20.0, 60.0};

Shape random_shape(Random& random) {
  Shape shape;
  shape.rows = random.chance(0.1) ? random.between(1, 8) : random.log_between(1, 5000);
  shape.columns = random.between(1, 6);
  shape.n_classes = random.pick<std::uint32_t>({1, 2, 2, 2, 3, 3, 5, 10, 65, 300});
  shape.nominal_share = random.pick({0.0, 0.0, 0.3, 1.0});
  shape.weighting = random.pick({Weighting::unit, Weighting::unit, Weighting::whole, Weighting::real});
  if (random.chance(0.05)) {  // wide enough for all workers to share a node
    shape.rows = 5000;
    shape.columns = 30;
    shape.nominal_share = 0.0;
    shape.n_classes = random.pick<std::uint32_t>({2, 5});
  }
  return shape;
}

void set_limits(Random& random, const Shape& shape, GrowthSettings& settings) {
  if (random.chance(0.2)) settings.max_depth = random.below(6);
  if (random.chance(0.15)) settings.min_samples_split = random.log_between(2, 100);
  if (random.chance(0.3)) settings.min_samples_leaf = random.log_between(1, 1 + shape.rows / 4);
  if (random.chance(0.25)) settings.max_leaf_nodes = random.log_between(1, 200);
  if (random.chance(0.25)) settings.min_support = random.pick({0.3, 1.0, 1.5, 2.0, 5.0, 30.0});
  if (random.chance(0.2)) settings.min_impurity_decrease = random.pick({1e-12, 1e-6, 1e-3, 0.02});
}

// Roughly how many operations a column costs for each row and level of the tree.
double cost_of_row(const Shape& shape, const GrowthSettings& settings) {
  constexpr double kSubsetsOfRow = 100.0;   // that a search for subsets tries
  constexpr double kGaussianOfRow = 100.0;  // about as many tables as for a node of a few rows
  const double classes = shape.n_classes;
  const bool fast = shape.weighting != Weighting::real && with_criterion(settings.criterion, []<class C>() {}) &&
                    settings.min_support <= 1.0;
  const double table = settings.criterion == "hellinger" ? classes * classes : classes;
  double numeric = fast && settings.criterion != "hellinger" ? 2.0 : 2.0 * table;
  if (settings.cuts == Cuts::gaussian) numeric = std::max(numeric, kGaussianOfRow * classes);
  const double subsets = settings.multiway ? table : kSubsetsOfRow * table;
  return shape.nominal_share > 0.0 ? std::max(numeric, subsets) : numeric;
}

// Makes the trial small enough for thousands of its kind.
void fit(Shape& shape, GrowthSettings& settings) {
  constexpr double kBudget = 6e6;
  constexpr double kMostCells = 1e6;  // counts of all nodes
  constexpr std::size_t kUsualLevels = 12;
  const double cost = cost_of_row(shape, settings) * static_cast<double>(shape.columns) * kUsualLevels;
  shape.rows = std::min(shape.rows, static_cast<std::size_t>(kBudget / cost) + 1);
  if (settings.multiway && shape.nominal_share > 0.0) {
    // Every split may make a node for each declared category.
    const double room = kMostCells / shape.n_classes / static_cast<double>(shape.rows);
    shape.most_categories = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(room), 3, 2000);
  }
  // Some criteria cut one row off at a time, and a level for each row would take for ever.
  constexpr std::size_t kFewRows = 300;
  if (shape.rows > kFewRows) settings.max_depth = std::min(settings.max_depth, kUsualLevels);
}

}  // namespace

Trial random_trial(Random& random, std::uint64_t number) {
  const std::vector<CriterionInfo> criteria = list_criteria();
  Trial trial;
  trial.shape = random_shape(random);
  trial.settings.criterion = criteria[number % criteria.size()].name;
  trial.settings.q = kOrders[number / criteria.size() % kOrders.size()];
  trial.settings.multiway = random.chance(0.4);
  trial.settings.cuts =
      random.pick({Cuts::exact, Cuts::exact, Cuts::exact, Cuts::quantile, Cuts::equal_width, Cuts::gaussian});
  trial.settings.max_bins = random.pick<std::uint32_t>({1, 2, 10, 255, 256, 257, 1000});
  set_limits(random, trial.shape, trial.settings);
  fit(trial.shape, trial.settings);
  trial.jobs = random.between(1, 4);
  return trial;
}

}  // namespace ramify::tests
