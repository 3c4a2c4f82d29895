// Long runs, where the gain's scan passes over most cuts: it must find what looking at all of them finds.
#include <array>

#include "check.hpp"
#include "choices.hpp"
#include "invariants.hpp"
#include "ramify/scorebook.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

constexpr std::array<double, 12> kOrders{0.3, 1.0, 2.0, 5.0, 0.05, 0.9, 0.95, 1.1, 1.7, 3.3, 20.0, 60.0};

// Columns as the scan likes them least: flat, with a faint signal, with ties, with one sharp cut.
Field column(Random& random, const std::vector<std::uint32_t>& classes) {
  Field field;
  field.type = random.pick({ValueType::float32, ValueType::float64});
  const std::size_t kind = random.below(5);
  const std::size_t sharp = random.below(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    double value = random.uniform();
    if (kind == 1) value += 0.05 * classes[i];
    if (kind == 2) value = static_cast<double>(random.below(600)) + classes[i] % 3;
    if (kind == 3) value = static_cast<double>(i < sharp ? i : i + 10);
    if (kind == 4) value = (classes[i] == 0 ? 0.3 : 0.0) + 0.7 * value;
    field.values.push_back(static_cast<double>(static_cast<float>(value)));
  }
  return field;
}

// What a scan passes over because another column has reached more does not exceed what it says.
void check_passed_over(const Dataset& dataset, const GrowthSettings& settings, Random& random) {
  const Storage storage(dataset);
  const Labels& labels = storage.labels();
  Pool pool(1);
  Columns columns(storage.features(), labels, Cuts::exact, 0, false, pool);
  const Rows rows(columns, labels);
  const Scorebook book = make_scorebook(settings, labels, true, pool);
  const NodeSearch search(rows, labels, book, make_search_settings(settings, labels));
  const auto own = rows.weighted() ? rows.make_weighted_root() : nullptr;
  SearchedNode node;
  node.rows = rows.all();
  node.rows.own = own.get();
  const double entropy =
      book.order.weighted(labels.totals().data(), labels.n_classes(), 1, labels.total()) / labels.total();
  node.totals = {labels.totals().data(), labels.n_classes(), labels.rows(), labels.total(), entropy};
  node.admission.min_samples_leaf = settings.min_samples_leaf;
  SearchBuffers buffers;
  for (std::size_t column = 0; column < columns.size(); ++column) {
    node.reached = Best::kNone;
    const double best = search.search_column(node, column, buffers).score();
    for (std::size_t i = 0; i < 4; ++i) {
      node.reached = best + (entropy - best) * random.uniform() * random.uniform();
      const Finding finding = search.search_column(node, column, buffers);
      CHECK(finding.score() <= best + 1e-12 * entropy, "a score that no cut has");
      CHECK(finding.most() >= best - 1e-12 * entropy, "more than it says was passed over");
    }
  }
}

void run(std::uint64_t number) {
  Random random(number + 1'000'000);
  Dataset dataset;
  dataset.n_classes = random.pick<std::uint32_t>({2, 2, 3, 10, 50});
  // The longest have so many blocks that these are looked at in groups.
  const std::size_t rows = number % 5 == 4 ? random.log_between(16'500, 40'000) : random.log_between(512, 6000);
  const double purity = random.pick({0.0, 0.5, 0.99});
  const std::size_t sorted = random.chance(0.3) ? rows / dataset.n_classes + 1 : 0;
  for (std::size_t i = 0; i < rows; ++i) {
    std::size_t cls = random.chance(purity) ? 0 : random.below(dataset.n_classes);
    if (sorted > 0 && random.chance(0.9)) cls = i / sorted;  // blocks of one class
    dataset.classes.push_back(static_cast<std::uint32_t>(cls));
  }
  const std::size_t columns = random.between(1, 3);
  for (std::size_t i = 0; i < columns; ++i) dataset.fields.push_back(column(random, dataset.classes));
  if (random.chance(0.2)) dataset.fields.push_back(dataset.fields.front());

  GrowthSettings settings;
  settings.q = kOrders[number % kOrders.size()];
  settings.criterion =
      random.pick({"gain", "gain", "gain", "gain_ratio", "lopez_de_mantaras", "distance", "normalized_distance"});
  settings.max_depth = 2;
  if (random.chance(0.3)) settings.min_samples_leaf = random.log_between(2, rows / 3);
  set_case("scan " + std::to_string(number) + ": " + settings.criterion + " q " + std::to_string(settings.q) +
           ", " + std::to_string(rows) + " rows, " + std::to_string(dataset.n_classes) + " classes");
  const Storage storage(dataset);
  Pool pool(1 + number % 2);
  const Tree tree = grow(storage.features(), storage.labels(), settings, pool);
  check_invariants(tree, dataset, storage, settings, 1);
  check_choices(tree, dataset, settings, 3);
  if (settings.criterion != "gain") return;
  if (random.chance(0.3)) {
    for (std::size_t i = 0; i < rows; ++i) dataset.weights.push_back(0.1 + random.uniform());
  }
  check_passed_over(dataset, settings, random);
}

}  // namespace

Suite scan_suite() { return {"scan", 240, 36, run}; }

}  // namespace ramify::tests
