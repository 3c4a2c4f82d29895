#include "ramify/predict.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ramify/routing.hpp"

namespace ramify {

namespace {

constexpr std::size_t kBlock = 1 << 14;  // rows that a worker takes at a time

// What a step of a walk needs, in one place. A leaf leads to itself, so walks need no test for one.
struct Step {
  double threshold;
  std::int32_t column;
  std::int32_t first_child;
};

std::vector<Step> steps_of(const Tree& tree) {
  std::vector<Step> steps(tree.size());
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const bool leaf = tree.n_children[node] == 0;
    steps[node] = {leaf ? std::numeric_limits<double>::infinity() : tree.threshold[node],
                   leaf ? 0 : tree.column[node], leaf ? static_cast<std::int32_t>(node) : tree.first_child[node]};
  }
  return steps;
}

// Trees of thresholds only: many rows at a time, since a single walk mostly waits for memory.
template <class NumberAt>
void walk_numbers(const std::vector<Step>& steps, std::size_t begin, std::size_t end, NumberAt&& number_at,
                  std::int32_t* ends) {
  constexpr std::size_t kLanes = 16;
  const Step* step = steps.data();
  for (std::size_t first = begin; first < end; first += kLanes) {
    const std::size_t lanes = std::min(kLanes, end - first);
    std::array<std::int32_t, kLanes> at{};
    std::int32_t moved = 1;
    while (moved != 0) {
      moved = 0;
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        const Step& here = step[at[lane]];
        const double number = number_at(first + lane, static_cast<std::size_t>(here.column));
        const std::int32_t next = here.first_child + static_cast<std::int32_t>(number > here.threshold);
        moved |= next ^ at[lane];
        at[lane] = next;
      }
    }
    std::copy(at.begin(), at.begin() + lanes, ends + first);
  }
}

struct Part {
  std::size_t node;
  double weight;
};

// Walks one row down, in parts where it must. The stack is the caller's, so that it need not be made anew.
class Walk {
 public:
  Walk(const Tree& tree, const std::vector<Feature>& features, const std::vector<double>& weights)
      : tree_(tree), features_(features), weights_(weights) {}

  // Calls pass(node) for every node that the row passes and end(node, part) for those where parts of it end.
  template <class Pass, class End>
  void operator()(std::size_t row, Pass&& pass, End&& end) {
    stack_.assign(1, {0, 1.0});
    while (!stack_.empty()) {
      const Part part = stack_.back();
      stack_.pop_back();
      pass(part.node);
      const std::int32_t branch =
          tree_.n_children[part.node] == 0 ? std::int32_t{kStays} : branch_of(tree_, features_, part.node, row);
      const auto first = static_cast<std::size_t>(tree_.first_child[part.node]);
      if (branch >= 0) {
        stack_.push_back({first + static_cast<std::size_t>(branch), part.weight});
      } else if (branch == kEveryBranch) {
        go_down_every_branch(part, first, end);
      } else {
        end(part.node, part.weight);
      }
    }
  }

 private:
  template <class End>
  void go_down_every_branch(const Part& part, std::size_t first, End&& end) {
    const auto children = static_cast<std::size_t>(tree_.n_children[part.node]);
    double all = 0.0;
    for (std::size_t child = first; child < first + children; ++child) all += weights_[child];
    if (!(all > 0.0)) return end(part.node, part.weight);  // no branch has a share: it stays
    for (std::size_t child = first; child < first + children; ++child) {
      if (weights_[child] > 0.0) stack_.push_back({child, part.weight * (weights_[child] / all)});
    }
  }

  const Tree& tree_;
  const std::vector<Feature>& features_;
  const std::vector<double>& weights_;
  std::vector<Part> stack_;
};

std::int32_t walk_any(Walk& walk, std::size_t row) {
  Part largest{0, -1.0};
  walk(
      row, [](std::size_t) {},
      [&](std::size_t node, double weight) {
        // Parts that differ by rounding only are equal.
        const double slack = 1e-12 * largest.weight;
        const bool equal = std::abs(weight - largest.weight) <= slack;
        if (weight > largest.weight + slack || (equal && node < largest.node)) largest = {node, weight};
      });
  return static_cast<std::int32_t>(largest.node);
}

bool any_may_miss(const std::vector<Feature>& features) {
  return std::any_of(features.begin(), features.end(), [](const Feature& feature) { return feature.may_miss; });
}

// True if the features are the columns of one matrix of T.
template <class T>
bool is_matrix(const std::vector<Feature>& features, ValueType type) {
  for (std::size_t i = 0; i < features.size(); ++i) {
    if (features[i].type != type || features[i].stride != features[0].stride) return false;
    if (features[i].data != features[0].data + i * sizeof(T)) return false;
  }
  return true;
}

}  // namespace

void apply(const Tree& tree, const std::vector<Feature>& features, std::size_t rows, Pool& pool,
           std::int32_t* ends) {
  const bool thresholds_only =
      !any_may_miss(features) && std::none_of(tree.kind.begin(), tree.kind.end(), [](std::uint8_t kind) {
        return kind > static_cast<std::uint8_t>(SplitKind::threshold);
      });
  const bool floats = is_matrix<float>(features, ValueType::float32);
  const bool doubles = is_matrix<double>(features, ValueType::float64);
  const std::vector<double> weights = thresholds_only ? std::vector<double>{} : node_weights(tree);
  const std::vector<Step> steps = thresholds_only ? steps_of(tree) : std::vector<Step>{};
  pool.for_each((rows + kBlock - 1) / kBlock, [&](std::size_t block, std::size_t) {
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(begin + kBlock, rows);
    if (thresholds_only && floats) {
      walk_numbers(
          steps, begin, end,
          [&](std::size_t row, std::size_t column) {
            return static_cast<double>(reinterpret_cast<const float*>(features[0].at(row))[column]);
          },
          ends);
    } else if (thresholds_only && doubles) {
      walk_numbers(
          steps, begin, end,
          [&](std::size_t row, std::size_t column) {
            return reinterpret_cast<const double*>(features[0].at(row))[column];
          },
          ends);
    } else {
      Walk walk(tree, features, weights);
      for (std::size_t row = begin; row < end; ++row) ends[row] = walk_any(walk, row);
    }
  });
}

bool may_part(const Tree& tree, const std::vector<Feature>& features) {
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.n_children[node] == 0 || tree.missing_route[node] != kEveryBranch) continue;
    if (features[static_cast<std::size_t>(tree.column[node])].may_miss) return true;
  }
  return false;
}

void spread(const Tree& tree, const std::vector<Feature>& features, std::size_t rows,
            const std::vector<double>& weights, const double* values, std::size_t width, Pool& pool, double* out) {
  constexpr std::size_t kRows = 1 << 10;  // rows in parts take longer
  pool.for_each((rows + kRows - 1) / kRows, [&](std::size_t block, std::size_t) {
    Walk walk(tree, features, weights);
    for (std::size_t row = block * kRows; row < std::min((block + 1) * kRows, rows); ++row) {
      double* sums = out + row * width;
      std::fill(sums, sums + width, 0.0);
      walk(
          row, [](std::size_t) {},
          [&](std::size_t node, double weight) {
            for (std::size_t k = 0; k < width; ++k) sums[k] += weight * values[node * width + k];
          });
    }
  });
}

Paths paths(const Tree& tree, const std::vector<Feature>& features, std::size_t rows) {
  Paths result;
  result.starts.push_back(0);
  const std::vector<double> weights = node_weights(tree);
  Walk walk(tree, features, weights);
  for (std::size_t row = 0; row < rows; ++row) {
    const auto begin = static_cast<std::ptrdiff_t>(result.nodes.size());
    walk(
        row, [&](std::size_t node) { result.nodes.push_back(static_cast<std::int32_t>(node)); },
        [](std::size_t, double) {});
    std::sort(result.nodes.begin() + begin, result.nodes.end());
    result.starts.push_back(static_cast<std::int64_t>(result.nodes.size()));
  }
  return result;
}

}  // namespace ramify
