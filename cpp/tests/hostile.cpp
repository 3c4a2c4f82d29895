// Trees that no one grew: whatever their arrays hold, `problem` reads inside of them, and what it lets pass can
// be walked safely.
#include <array>
#include <functional>
#include <limits>

#include "check.hpp"
#include "ramify/grow.hpp"
#include "ramify/predict.hpp"
#include "settings.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

template <class T>
T strange_number(Random& random, std::size_t size) {
  constexpr T kLow = std::numeric_limits<T>::lowest();
  constexpr T kHigh = std::numeric_limits<T>::max();
  if constexpr (std::is_floating_point_v<T>) {
    constexpr T kInfinity = std::numeric_limits<T>::infinity();
    return random.pick<T>({0.0, -1.0, kLow, kHigh, kInfinity, -kInfinity, std::numeric_limits<T>::quiet_NaN()});
  } else {
    const T near = static_cast<T>(random.below(size + 2));
    return random.pick<T>({static_cast<T>(-1), T{0}, T{1}, T{2}, T{3}, kLow, kHigh, near, near});
  }
}

// Calls visit(array) for one array of the tree.
template <class Visit>
void with_array(Tree& tree, std::size_t which, Visit&& visit) {
  switch (which) {
    case 0:
      return visit(tree.first_child);
    case 1:
      return visit(tree.n_children);
    case 2:
      return visit(tree.parent);
    case 3:
      return visit(tree.column);
    case 4:
      return visit(tree.kind);
    case 5:
      return visit(tree.threshold);
    case 6:
      return visit(tree.routes_begin);
    case 7:
      return visit(tree.routes_size);
    case 8:
      return visit(tree.routes);
    case 9:
      return visit(tree.counts);
    case 10:
      return visit(tree.n_rows);
    case 11:
      return visit(tree.impurity);
    case 12:
      return visit(tree.score);
    case 13:
      return visit(tree.gain);
    case 14:
      return visit(tree.search);
    case 15:
      return visit(tree.exact);
    case 16:
      return visit(tree.missing_route);
    case 17:
      return visit(tree.unknown);
    case 18:
      return visit(tree.runner_begin);
    case 19:
      return visit(tree.runner_size);
    case 20:
      return visit(tree.runner_column);
    case 21:
      return visit(tree.runner_kind);
    case 22:
      return visit(tree.runner_routes_begin);
    default:
      return visit(tree.runner_routes_size);
  }
}
constexpr std::size_t kArrays = 24;
constexpr std::size_t kMostTelling = 9;  // those before shape the tree

void mutate(Random& random, Tree& tree) {
  if (random.chance(0.03)) {
    tree.n_classes = random.pick<std::size_t>({0, 1, tree.n_classes + 1, std::size_t{1} << 40});
    return;
  }
  const std::size_t size = tree.size();
  const std::size_t which = random.below(random.chance(0.8) ? kMostTelling : kArrays);
  with_array(tree, which, [&]<class T>(std::vector<T>& array) {
    if (random.chance(0.05)) {
      array.resize(random.below(array.size() + 3));
    } else if (!array.empty()) {
      // The root and its children first: everything depends on them.
      const std::size_t at = random.chance(0.3) ? 0 : random.below(array.size());
      array[at] = strange_number<T>(random, size);
    }
  });
}

// Follows every parent and every branch with all indices checked: the walk that the core does without checks.
bool walks_are_safe(const Tree& tree, const std::vector<std::uint32_t>& n_categories) {
  const auto inside = [&](std::int64_t node) { return node >= 0 && static_cast<std::size_t>(node) < tree.size(); };
  for (std::size_t node = 0; node < tree.size(); ++node) {
    std::size_t steps = 0;
    for (auto at = static_cast<std::int32_t>(node); at >= 0; at = tree.parent[static_cast<std::size_t>(at)]) {
      if (!inside(at) || ++steps > tree.size()) return false;
    }
    if (tree.n_children[node] == 0) continue;
    const std::int64_t first = tree.first_child[node];
    if (first <= static_cast<std::int64_t>(node) || !inside(first + tree.n_children[node] - 1)) return false;
    if (tree.column[node] < 0 || static_cast<std::size_t>(tree.column[node]) >= n_categories.size()) return false;
    if (tree.kind[node] == static_cast<std::uint8_t>(SplitKind::threshold)) continue;
    for (std::int64_t i = 0; i < tree.routes_size[node]; ++i) {
      const std::int64_t place = tree.routes_begin[node] + i;
      if (place < 0 || static_cast<std::size_t>(place) >= tree.routes.size()) return false;
      if (tree.routes[static_cast<std::size_t>(place)] >= tree.n_children[node]) return false;
    }
  }
  return true;
}

// Rows that were never trained on: unseen and unknown categories, and numbers that are none.
Dataset strange_rows(Random& random, const Dataset& dataset) {
  Dataset strange = dataset;
  for (Field& field : strange.fields) {
    for (double& value : field.values) {
      if (random.chance(0.5)) continue;
      if (field.nominal()) {
        value = random.pick({-1.0, -2.0, -2147483648.0, 2147483647.0, static_cast<double>(field.n_categories)});
      } else if (field.type == ValueType::float64) {
        value = strange_number<double>(random, 1);
      } else {
        value = static_cast<double>(strange_number<float>(random, 1));
      }
    }
  }
  return strange;
}

void check_walks(const Tree& tree, const Storage& rows) {
  Pool pool(2);
  const std::size_t n_rows = rows.labels().rows();
  std::vector<std::int32_t> ends(n_rows, -1);
  apply(tree, rows.features(), n_rows, pool, ends.data());
  bool inside = true;
  for (const std::int32_t end : ends) inside = inside && end >= 0 && static_cast<std::size_t>(end) < tree.size();
  CHECK(inside, std::string("apply ends at a node"));
  const Paths found = paths(tree, rows.features(), n_rows);
  bool from_root = true;
  for (std::size_t row = 0; row < n_rows; ++row) {
    from_root = from_root && found.nodes[static_cast<std::size_t>(found.starts[row])] == 0;
  }
  CHECK(from_root, std::string("paths begin at the root"));
  const std::vector<double> ones(tree.size(), 1.0);
  std::vector<double> parts(n_rows);
  spread(tree, rows.features(), n_rows, node_weights(tree), ones.data(), 1, pool, parts.data());
}

// A product of sizes that wraps around must not pass for the size of an array.
void check_wrapping(const Tree& grown, const std::vector<std::uint32_t>& n_categories) {
  if (grown.size() % 2 == 1) return;
  Tree tree = grown;
  tree.n_classes = std::size_t{1} << 63;
  tree.counts.clear();
  CHECK(!tree.problem(n_categories).empty(), std::string("2^63 classes"));
}

void run(std::uint64_t number) {
  Random random(number + 5'000'000);
  Trial trial = random_trial(random, number);
  trial.shape.rows = std::min<std::size_t>(trial.shape.rows, 150);
  trial.shape.n_classes = std::min<std::uint32_t>(trial.shape.n_classes, 4);
  trial.shape.most_categories = 20;
  trial.settings.n_runner_ups = random.below(3);
  const Dataset dataset = random_dataset(random, trial.shape);
  const std::vector<std::uint32_t> n_categories = dataset.n_categories();
  const Storage storage(dataset);
  const Storage strange(strange_rows(random, dataset));
  Pool pool(1);
  const Tree grown = grow(storage.features(), storage.labels(), trial.settings, pool);
  for (int round = 0; round < 150; ++round) {
    Tree mutant = grown;
    for (std::size_t i = random.between(1, 3); i > 0; --i) mutate(random, mutant);
    const Tree tree = mutant;  // a copy has no room to spare, so reading beyond its arrays is seen
    if (!tree.problem(n_categories).empty()) continue;
    const bool safe = walks_are_safe(tree, n_categories);
    CHECK(safe, std::string("no problem, but a walk leaves the arrays or never ends"));
    if (safe) check_walks(tree, strange);
  }
  check_wrapping(grown, n_categories);
}

}  // namespace

Suite hostile_suite() { return {"hostile", 150, 25, run}; }

}  // namespace ramify::tests
