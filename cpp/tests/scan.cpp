// Long runs, where the gain's scan passes over most cuts: it must find what looking at all of them finds.
#include <array>

#include "check.hpp"
#include "choices.hpp"
#include "invariants.hpp"
#include "ramify/scorebook.hpp"
#include "ramify/search/bounded_scan.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

constexpr std::array<double, 16> kOrders{0.3, 1.0, 2.0,  5.0,  0.05,   0.9,  0.95,  1.1,
                                         1.7, 3.3, 20.0, 60.0, 0.9999, 1.05, 1.001, 1.0 + 1e-8};

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

// No cut of a block promises more than the bound that is known for it. Classes in whole stretches come near it.
void check_bounds(double q, Random& random) {
  const std::uint32_t n_classes = random.pick<std::uint32_t>({2, 3, 5, 10});
  const std::size_t rows = random.log_between(1000, 6000);
  const double purity = random.pick({0.0, 0.5, 0.9});
  Dataset dataset;
  dataset.n_classes = n_classes;
  while (dataset.classes.size() < rows) {
    const std::uint32_t cls = random.chance(purity) ? 0 : static_cast<std::uint32_t>(random.below(n_classes));
    dataset.classes.resize(std::min(rows, dataset.classes.size() + random.between(1, 40)), cls);
  }
  Field& field = dataset.fields.emplace_back();
  field.type = ValueType::float64;
  for (std::size_t i = 0; i < rows; ++i) field.values.push_back(static_cast<double>(i));
  const Storage storage(dataset);
  const Labels& labels = storage.labels();
  Pool pool(1);
  Columns columns(storage.features(), labels, Cuts::exact, 0, false, pool);
  GrowthSettings settings;
  settings.q = q;
  const Scorebook book = make_scorebook(settings, labels, true, pool);
  const NodeTotals node{labels.totals().data(), n_classes, rows, labels.total(), 0.0};
  const Admission admission;
  const Question question{book, node, admission};
  BlockBuffers buffers;
  BlockBounds bounds(question, block_size(rows, n_classes), buffers);
  bounds.count(columns.run(0), rows, {labels.tags()});
  bounds.add_up(0, bounds.blocks());

  // By definition, but for the part that promises of the plain form leave out.
  const double left_out = book.powers->plain() ? static_cast<double>(rows) / (q - 1.0) : 0.0;
  std::vector<double> left(n_classes, 0.0);
  std::vector<double> right = labels.totals();
  const auto promise = [&](std::size_t cut) {
    const double n = static_cast<double>(cut);
    const double given = (cut == 0 ? 0.0 : book.order.weighted(left.data(), n_classes, 1, n)) +
                         book.order.weighted(right.data(), n_classes, 1, static_cast<double>(rows) - n);
    return left_out - given;
  };
  for (std::size_t block = 0; block < bounds.blocks(); ++block) {
    const double bound = bounds.bound(block, block + 1);
    for (std::size_t cut = bounds.rows_left(block); cut < bounds.rows_left(block + 1); ++cut) {
      CHECK(promise(cut) <= bound + 1e-9 * static_cast<double>(rows),
            "a cut promises more than its block's bound");
      left[dataset.classes[cut]] += 1.0;
      right[dataset.classes[cut]] -= 1.0;
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
  check_bounds(kOrders[number % kOrders.size()], random);
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
