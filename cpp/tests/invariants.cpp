#include "invariants.hpp"

#include <algorithm>

#include "check.hpp"
#include "ramify/predict.hpp"

namespace ramify::tests {

namespace {

constexpr double kRounding = 1e-9;

bool is_leaf(const Tree& tree, std::size_t node) { return tree.n_children[node] == 0; }

double count(const Tree& tree, std::size_t node, std::size_t cls) {
  return tree.counts[node * tree.n_classes + cls];
}

double weight_of(const Tree& tree, std::size_t node) {
  double weight = 0.0;
  for (std::size_t k = 0; k < tree.n_classes; ++k) weight += count(tree, node, k);
  return weight;
}

// The branch of a row, -1 if the split has none for it.
std::int32_t branch_of(const Tree& tree, std::size_t node, double value) {
  if (tree.kind[node] == static_cast<std::uint8_t>(SplitKind::threshold)) {
    return value <= tree.threshold[node] ? 0 : 1;
  }
  return tree.routes[static_cast<std::size_t>(tree.routes_begin[node]) + static_cast<std::size_t>(value)];
}

void check_children(const Tree& tree, std::size_t node, const GrowthSettings& settings) {
  const auto first = static_cast<std::size_t>(tree.first_child[node]);
  const auto children = static_cast<std::size_t>(tree.n_children[node]);
  std::int64_t rows = 0;
  std::size_t large = 0;
  std::size_t filled = 0;
  for (std::size_t child = first; child < first + children; ++child) {
    rows += tree.n_rows[child];
    filled += tree.n_rows[child] > 0 ? 1 : 0;
    large += static_cast<std::size_t>(tree.n_rows[child]) >= settings.min_samples_leaf ? 1 : 0;
  }
  CHECK(rows == tree.n_rows[node]);
  CHECK(filled >= 2, std::string("a split parts the rows"));
  // A multi-way split needs two branches of that size, any other has no more than two.
  CHECK(large >= 2, std::string("min_samples_leaf"));
  const double weight = weight_of(tree, node);
  for (std::size_t k = 0; k < tree.n_classes; ++k) {
    double sum = 0.0;
    for (std::size_t child = first; child < first + children; ++child) sum += count(tree, child, k);
    CHECK(close(sum, count(tree, node, k), kRounding, weight), std::string("children's counts"));
  }
}

// Impurity and gain by the definition.
void check_entropies(const Tree& tree, std::size_t node, const GrowthSettings& settings, double total) {
  const Order order(settings.q);
  const auto impurity = [&](std::size_t of) {
    const double weight = weight_of(tree, of);
    if (weight <= 0.0) return 0.0;
    return order.weighted(&tree.counts[of * tree.n_classes], tree.n_classes, 1, weight) / weight;
  };
  CHECK(close(tree.impurity[node], impurity(node), kRounding));
  if (is_leaf(tree, node)) {
    CHECK(tree.score[node] == 0.0 && tree.gain[node] == 0.0);
    return;
  }
  const double weight = weight_of(tree, node);
  double gain = impurity(node);
  for (std::int32_t branch = 0; branch < tree.n_children[node]; ++branch) {
    const auto child = static_cast<std::size_t>(tree.first_child[node] + branch);
    gain -= weight_of(tree, child) / weight * impurity(child);
  }
  // A share of nearly 1 is known to 1e-16 only, however small the entropy is that is made of it.
  CHECK(close(tree.gain[node], gain, kRounding, std::max(impurity(node), 1e-6)));
  if (settings.min_impurity_decrease > 0.0) {
    CHECK(gain * weight / total >= settings.min_impurity_decrease - kRounding, std::string("too small a gain"));
  }
}

void check_limits(const Tree& tree, const GrowthSettings& settings) {
  CHECK(tree.max_depth() <= settings.max_depth);
  CHECK(tree.n_leaves() <= std::max<std::size_t>(settings.max_leaf_nodes, 1));
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (is_leaf(tree, node)) continue;
    CHECK(static_cast<std::size_t>(tree.n_rows[node]) >= settings.min_samples_split);
    const double* counts = &tree.counts[node * tree.n_classes];
    const auto present = std::count_if(counts, counts + tree.n_classes, [](double c) { return c > 0.0; });
    CHECK(present > 1, std::string("a pure node is a leaf"));
  }
}

// The walk of the core ends where an independent one does, in leaves that hold what the tree says.
void check_walks(const Tree& tree, const Dataset& dataset, const Storage& storage, std::size_t jobs) {
  Pool pool(jobs);
  std::vector<std::int32_t> ends(dataset.rows());
  apply(tree, storage.features(), dataset.rows(), pool, ends.data());
  const auto rows = rows_by_node(tree, dataset);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    CHECK(rows[node].size() == static_cast<std::size_t>(tree.n_rows[node]), std::string("rows of a node"));
    std::vector<double> counts(tree.n_classes, 0.0);
    bool ends_agree = true;
    for (const std::size_t row : rows[node]) {
      counts[dataset.classes[row]] += dataset.weight(row);
      if (is_leaf(tree, node)) ends_agree = ends_agree && ends[row] == static_cast<std::int32_t>(node);
    }
    CHECK(ends_agree, std::string("apply ends in the leaf of the row"));
    const bool exact = storage.labels().weighting() != Weighting::real;
    const double weight = weight_of(tree, node);
    for (std::size_t k = 0; k < tree.n_classes; ++k) {
      CHECK(exact ? counts[k] == count(tree, node, k) : close(counts[k], count(tree, node, k), kRounding, weight),
            std::string("counts of a node"));
      CHECK((counts[k] > 0.0) == (count(tree, node, k) > 0.0), std::string("classes of a node"));
    }
  }
}

void check_paths(const Tree& tree, const Dataset& dataset, const Storage& storage) {
  Pool pool(1);
  const std::size_t rows = std::min<std::size_t>(dataset.rows(), 200);
  std::vector<std::int32_t> ends(rows);
  apply(tree, storage.features(), rows, pool, ends.data());
  const Paths found = paths(tree, storage.features(), rows);
  CHECK(found.starts.size() == rows + 1 && found.starts.front() == 0);
  CHECK(static_cast<std::size_t>(found.starts.back()) == found.nodes.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = static_cast<std::size_t>(found.starts[row]);
    const auto end = static_cast<std::size_t>(found.starts[row + 1]);
    CHECK(begin < end && found.nodes[begin] == 0 && found.nodes[end - 1] == ends[row]);
    for (std::size_t i = begin + 1; i < end; ++i) {
      CHECK(tree.parent[static_cast<std::size_t>(found.nodes[i])] == found.nodes[i - 1]);
    }
  }
}

}  // namespace

std::vector<std::vector<std::size_t>> rows_by_node(const Tree& tree, const Dataset& dataset) {
  std::vector<std::vector<std::size_t>> rows(tree.size());
  for (std::size_t row = 0; row < dataset.rows(); ++row) rows[0].push_back(row);
  // Children come after their parents, so every node is filled before it is handed on.
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (is_leaf(tree, node)) continue;
    const Field& field = dataset.fields[static_cast<std::size_t>(tree.column[node])];
    for (const std::size_t row : rows[node]) {
      const std::int32_t branch = branch_of(tree, node, field.values[row]);
      CHECK(branch >= 0, std::string("a category of the training rows has a branch"));
      if (branch >= 0) rows[static_cast<std::size_t>(tree.first_child[node] + branch)].push_back(row);
    }
  }
  return rows;
}

void check_invariants(const Tree& tree, const Dataset& dataset, const Storage& storage,
                      const GrowthSettings& settings, std::size_t jobs) {
  const std::string problem = tree.problem(dataset.n_categories());
  CHECK(problem.empty(), problem);
  if (!problem.empty()) return;
  const double total = weight_of(tree, 0);
  check_limits(tree, settings);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (!is_leaf(tree, node)) check_children(tree, node, settings);
    check_entropies(tree, node, settings, total);
  }
  check_walks(tree, dataset, storage, jobs);
  check_paths(tree, dataset, storage);
}

}  // namespace ramify::tests
