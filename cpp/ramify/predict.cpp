#include "ramify/predict.hpp"

#include <algorithm>
#include <array>
#include <limits>

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

std::int32_t walk_any(const Tree& tree, const std::vector<Feature>& features, std::size_t row) {
  std::size_t node = 0;
  while (tree.n_children[node] != 0) {
    const Feature& feature = features[static_cast<std::size_t>(tree.column[node])];
    std::int32_t branch = 0;
    if (tree.kind[node] == static_cast<std::uint8_t>(SplitKind::threshold)) {
      branch = feature.number(row) > tree.threshold[node] ? 1 : 0;
    } else {
      const std::int32_t category = feature.category(row);
      if (category < 0 || category >= tree.routes_size[node]) break;
      branch = tree.routes[static_cast<std::size_t>(tree.routes_begin[node] + category)];
      if (branch < 0) break;
    }
    node = static_cast<std::size_t>(tree.first_child[node] + branch);
  }
  return static_cast<std::int32_t>(node);
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
  const bool thresholds_only = std::none_of(tree.kind.begin(), tree.kind.end(), [](std::uint8_t kind) {
    return kind > static_cast<std::uint8_t>(SplitKind::threshold);
  });
  const bool floats = is_matrix<float>(features, ValueType::float32);
  const bool doubles = is_matrix<double>(features, ValueType::float64);
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
      for (std::size_t row = begin; row < end; ++row) ends[row] = walk_any(tree, features, row);
    }
  });
}

Paths paths(const Tree& tree, const std::int32_t* ends, std::size_t rows) {
  std::vector<std::int64_t> length(tree.size(), 1);
  for (std::size_t node = 1; node < tree.size(); ++node) {
    length[node] = length[static_cast<std::size_t>(tree.parent[node])] + 1;
  }
  Paths result;
  result.starts.resize(rows + 1, 0);
  for (std::size_t row = 0; row < rows; ++row) {
    result.starts[row + 1] = result.starts[row] + length[static_cast<std::size_t>(ends[row])];
  }
  result.nodes.resize(static_cast<std::size_t>(result.starts[rows]));
  for (std::size_t row = 0; row < rows; ++row) {
    auto place = static_cast<std::size_t>(result.starts[row + 1]);
    for (std::int32_t node = ends[row]; node >= 0; node = tree.parent[static_cast<std::size_t>(node)]) {
      result.nodes[--place] = node;
    }
  }
  return result;
}

}  // namespace ramify
