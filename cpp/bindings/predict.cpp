#include "ramify/predict.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arrays.hpp"
#include "modules.hpp"
#include "ramify/finite.hpp"

namespace ramify::bindings {

namespace {

nb::ndarray<nb::numpy, std::int32_t> apply_tree(const Tree& tree, const std::vector<Block>& blocks,
                                                std::size_t rows, std::size_t n_jobs) {
  const std::vector<Feature> features = to_features(blocks, rows);
  std::vector<std::uint32_t> n_categories;
  for (const Feature& feature : features) n_categories.push_back(feature.n_categories);
  const std::string problem = tree.problem(n_categories);
  if (!problem.empty()) throw std::invalid_argument(problem);
  std::vector<std::int32_t> ends(rows);
  {
    const nb::gil_scoped_release no_gil;
    Pool pool(n_jobs, interrupted);
    apply(tree, features, rows, pool, ends.data());
  }
  return to_numpy(std::move(ends));
}

nb::tuple paths_of(const Tree& tree, const Array<std::int32_t, 1>& ends) {
  for (std::size_t row = 0; row < ends.shape(0); ++row) {
    if (ends.data()[row] < 0 || static_cast<std::size_t>(ends.data()[row]) >= tree.size()) {
      throw std::invalid_argument("ends are nodes of the tree");
    }
  }
  Paths result = paths(tree, ends.data(), ends.shape(0));
  return nb::make_tuple(to_numpy(std::move(result.starts)), to_numpy(std::move(result.nodes)));
}

// The place (row, column) of the first number of a block that is not finite, or (-1, -1).
std::pair<std::int64_t, std::int64_t> first_not_finite(const Block& block) {
  const std::vector<Feature> features = to_features({block}, block.first.shape(0));
  const auto& array = block.first;
  const auto columns = static_cast<std::int64_t>(array.shape(1));
  const bool by_rows = array.stride(1) == 1 && array.stride(0) == columns;
  const bool by_columns = array.stride(0) == 1 && array.stride(1) == static_cast<std::int64_t>(array.shape(0));
  if (by_rows || by_columns) {
    const bool finite = array.dtype() == nb::dtype<float>()
                            ? all_finite(static_cast<const float*>(array.data()), array.size())
                            : all_finite(static_cast<const double*>(array.data()), array.size());
    if (finite) return {-1, -1};
  }
  const std::size_t rows = block.first.shape(0);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < features.size(); ++column) {
      if (!std::isfinite(features[column].number(row))) {
        return {static_cast<std::int64_t>(row), static_cast<std::int64_t>(column)};
      }
    }
  }
  return {-1, -1};
}

}  // namespace

void bind_predict(nb::module_& module) {
  module.def("apply", &apply_tree, nb::arg("tree"), nb::arg("blocks"), nb::arg("rows"), nb::arg("n_jobs"));
  module.def("paths", &paths_of, nb::arg("tree"), nb::arg("ends").noconvert());
  module.def("first_not_finite", &first_not_finite, nb::arg("block"));
}

}  // namespace ramify::bindings
