// Short nodes, whose columns are searched side by side: each must reach, by definition, what its best cut gains.
#include <algorithm>
#include <array>
#include <cmath>

#include "check.hpp"
#include "dataset.hpp"
#include "ramify/lanes.hpp"
#include "ramify/scorebook.hpp"
#include "ramify/search/node_search.hpp"
#include "ramify/search/short_runs.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

constexpr std::array<double, 12> kOrders{0.3, 1.0, 2.0, 5.0, 0.05, 0.9, 1.1, 1.7, 3.3, 12.0, 60.0, 1.0 + 1e-8};

// Without ties, with some, with many, with some signal; those of few values are no runs.
Field column(Random& random, const std::vector<std::uint32_t>& classes) {
  Field field;
  field.type = random.pick({ValueType::float32, ValueType::float64});
  const std::size_t distinct = random.pick<std::size_t>({0, 0, 1000, 300, 3});
  const double signal = random.pick({0.0, 0.0, 0.5});
  for (const std::uint32_t cls : classes) {
    double value = random.uniform() + signal * (cls % 5);
    if (distinct > 0) value = static_cast<double>(static_cast<std::size_t>(value * static_cast<double>(distinct)));
    field.values.push_back(static_cast<double>(static_cast<float>(value)));
  }
  return field;
}

// What the best admissible cut of a column gains among some rows, by definition; Best::kNone if there is none.
double best_gain(const Field& field, const Dataset& dataset, std::vector<std::size_t> rows, const Order& order,
                 std::size_t leaf) {
  std::sort(rows.begin(), rows.end(),
            [&](std::size_t a, std::size_t b) { return field.values[a] < field.values[b]; });
  std::vector<double> left(dataset.n_classes, 0.0);
  std::vector<double> right(dataset.n_classes, 0.0);
  for (const std::size_t row : rows) right[dataset.classes[row]] += 1.0;
  const auto entropy_of = [&](const std::vector<double>& counts, std::size_t of) {
    return order.weighted(counts.data(), counts.size(), 1, static_cast<double>(of));
  };
  const double all = entropy_of(right, rows.size());
  double best = Best::kNone;
  for (std::size_t cut = 1; cut < rows.size(); ++cut) {
    const std::uint32_t cls = dataset.classes[rows[cut - 1]];
    left[cls] += 1.0;
    right[cls] -= 1.0;
    if (cut < leaf || rows.size() - cut < leaf) continue;
    if (field.values[rows[cut - 1]] == field.values[rows[cut]]) continue;
    const double given = entropy_of(left, cut) + entropy_of(right, rows.size() - cut);
    best = std::max(best, (all - given) / static_cast<double>(rows.size()));
  }
  return best;
}

Dataset random_rows(Random& random) {
  Dataset dataset;
  dataset.n_classes = random.pick<std::uint32_t>({2, 2, 3, 5, 5, 8, 9, 40, 256, 257});
  const std::size_t rows = random.between(2 * kLongestSideBySide, 3 * kLongestSideBySide);
  const double purity = random.pick({0.0, 0.5, 0.98});
  for (std::size_t i = 0; i < rows; ++i) {
    dataset.classes.push_back(random.chance(purity) ? 0
                                                    : static_cast<std::uint32_t>(random.below(dataset.n_classes)));
  }
  const std::size_t columns = random.between(1, 2 * kLanes + 1);
  for (std::size_t i = 0; i < columns; ++i) dataset.fields.push_back(column(random, dataset.classes));
  return dataset;
}

// The findings are what the definition says and, as exactly as sums can be, what each column reaches alone.
void check_findings(const Dataset& dataset, const std::vector<std::size_t>& rows, const NodeSearch& search,
                    const Scorebook& book, SearchedNode& node, Random& random) {
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < dataset.fields.size(); ++i) {
    if (i == 0 || random.chance(0.9)) wanted.push_back(i);
  }
  std::vector<Finding> findings(dataset.fields.size());
  SearchBuffers buffers;
  search.search_columns(node, wanted, findings, buffers);
  const double slack = 1e-9 * node.totals.entropy;
  double most = Best::kNone;
  for (const std::size_t i : wanted) {
    const double expected =
        best_gain(dataset.fields[i], dataset, rows, book.order, node.admission.min_samples_leaf);
    most = std::max(most, expected);
    const double score = findings[i].score();
    CHECK(findings[i].first.found() == (expected != Best::kNone), "column " + std::to_string(i));
    if (expected == Best::kNone) continue;
    CHECK(std::abs(score - expected) <= slack, "column " + std::to_string(i) + " reaches " +
                                                   std::to_string(score) + " instead of " +
                                                   std::to_string(expected));
    node.reached = Best::kNone;
    const double alone = search.search_column(node, i, buffers).score();
    CHECK(std::abs(alone - score) <= 1e-4 * slack, "alone and side by side");
  }
  const std::optional<Split> split = search.choose(node, findings, buffers);
  CHECK(split.has_value() == (most != Best::kNone), "a split is made");
  if (split) CHECK(split->score >= most - 2.0 * slack, "the best split is made");
}

void run(std::uint64_t number) {
  Random random(number + 23'000'000);
  const Dataset dataset = random_rows(random);
  std::vector<std::size_t> rows = random.permutation(dataset.rows());
  rows.resize(random.log_between(2, kLongestSideBySide + (number % 7 == 0 ? 1 : 0)));
  std::vector<std::uint8_t> chosen(dataset.rows(), 0);
  std::vector<double> counts(dataset.n_classes, 0.0);
  for (const std::size_t row : rows) {
    chosen[row] = 1;
    counts[dataset.classes[row]] += 1.0;
  }
  GrowthSettings settings;
  settings.q = kOrders[number % kOrders.size()];
  settings.min_samples_leaf = random.chance(0.5) ? 1 : random.log_between(2, rows.size());
  set_case("short " + std::to_string(number) + ": q " + std::to_string(settings.q) + ", " +
           std::to_string(rows.size()) + " rows, " + std::to_string(dataset.n_classes) + " classes, leaf " +
           std::to_string(settings.min_samples_leaf));

  const Storage storage(dataset);
  const Labels& labels = storage.labels();
  Pool pool(1);
  const Columns columns(storage.features(), labels, Cuts::exact, 0, false, pool);
  const Rows all(columns, labels);
  const Scorebook book = make_scorebook(settings, labels, true, pool);
  const NodeSearch search(all, labels, book, make_search_settings(settings, labels));
  const std::unique_ptr<PlainRows> plain = all.make_plain_root(chosen.data());
  const auto size = static_cast<double>(rows.size());
  SearchedNode node;
  node.rows = {0, 0, rows.size(), nullptr, plain.get()};
  node.totals = {counts.data(), dataset.n_classes, rows.size(), size,
                 book.order.weighted(counts.data(), dataset.n_classes, 1, size) / size};
  node.admission.min_samples_leaf = settings.min_samples_leaf;
  const bool at_once = rows.size() <= kLongestSideBySide && dataset.n_classes <= kMostClassesSideBySide;
  CHECK(search.searches_at_once(node) == at_once, "which nodes are searched at once");
  const bool pure = std::find(counts.begin(), counts.end(), size) != counts.end();  // never searched
  if (at_once && !pure) check_findings(dataset, rows, search, book, node, random);
}

}  // namespace

Suite short_runs_suite() { return {"short", 600, 100, run}; }

}  // namespace ramify::tests
