#include "ramify/predict.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cmath>

#include "arrays.hpp"
#include "modules.hpp"
#include "ramify/finite.hpp"

namespace ramify::bindings {

namespace {

// The features of the blocks, once it is sure that the tree can be walked with them.
std::vector<Feature> features_for(const Tree& tree, const std::vector<Block>& blocks, std::size_t rows) {
  const std::vector<Feature> features = to_features(blocks, rows);
  std::vector<std::uint32_t> n_categories;
  for (const Feature& feature : features) n_categories.push_back(feature.n_categories);
  const std::string problem = tree.problem(n_categories);
  if (!problem.empty()) throw std::invalid_argument(problem);
  return features;
}

nb::ndarray<nb::numpy, std::int32_t> apply_tree(const Tree& tree, const std::vector<Block>& blocks,
                                                std::size_t rows, std::size_t n_jobs) {
  const std::vector<Feature> features = features_for(tree, blocks, rows);
  std::vector<std::int32_t> ends(rows);
  {
    const nb::gil_scoped_release no_gil;
    Pool pool(n_jobs, interrupted);
    apply(tree, features, rows, pool, ends.data());
  }
  return to_numpy(std::move(ends));
}

// None where every row ends in one node, which `apply` gives.
std::optional<nb::ndarray<nb::numpy, double>> spread_tree(const Tree& tree, const std::vector<Block>& blocks,
                                                          std::size_t rows, const Array<double, 2>& values,
                                                          const std::optional<Array<double, 1>>& given,
                                                          std::size_t n_jobs) {
  const std::vector<Feature> features = features_for(tree, blocks, rows);
  if (values.shape(0) != tree.size()) throw std::invalid_argument("values have one row a node");
  if (given && given->shape(0) != tree.size()) throw std::invalid_argument("one weight a node is needed");
  if (!may_part(tree, features)) return std::nullopt;
  const std::vector<double> weights =
      given ? std::vector<double>(given->data(), given->data() + tree.size()) : node_weights(tree);
  const std::size_t width = values.shape(1);
  std::vector<double> out(rows * width);
  {
    const nb::gil_scoped_release no_gil;
    Pool pool(n_jobs, interrupted);
    spread(tree, features, rows, weights, values.data(), width, pool, out.data());
  }
  return to_numpy(std::move(out), {rows, width});
}

nb::tuple paths_of(const Tree& tree, const std::vector<Block>& blocks, std::size_t rows) {
  const std::vector<Feature> features = features_for(tree, blocks, rows);
  Paths result = paths(tree, features, rows);
  return nb::make_tuple(to_numpy(std::move(result.starts)), to_numpy(std::move(result.nodes)));
}

// The place (row, column) of the first infinite number of a block, or (-1, -1), and that of the first NaN.
std::array<std::int64_t, 4> not_finite(const Block& block) {
  const auto& array = std::get<0>(block);
  const std::size_t rows = array.shape(0);
  const std::vector<Feature> features = to_features({block}, rows);
  const auto columns = static_cast<std::int64_t>(array.shape(1));
  const bool by_rows = array.stride(1) == 1 && array.stride(0) == columns;
  const bool by_columns = array.stride(0) == 1 && array.stride(1) == static_cast<std::int64_t>(array.shape(0));
  std::array<std::int64_t, 4> places{-1, -1, -1, -1};
  if (by_rows || by_columns) {
    const bool finite = array.dtype() == nb::dtype<float>()
                            ? all_finite(static_cast<const float*>(array.data()), array.size())
                            : all_finite(static_cast<const double*>(array.data()), array.size());
    if (finite) return places;
  }
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < features.size(); ++column) {
      const double number = features[column].number(row);
      if (std::isfinite(number)) continue;
      const std::size_t at = std::isnan(number) ? 2 : 0;
      if (places[at] >= 0) continue;
      places[at] = static_cast<std::int64_t>(row);
      places[at + 1] = static_cast<std::int64_t>(column);
    }
  }
  return places;
}

}  // namespace

void bind_predict(nb::module_& module) {
  module.def("apply", &apply_tree, nb::arg("tree"), nb::arg("blocks"), nb::arg("rows"), nb::arg("n_jobs"));
  module.def("spread", &spread_tree, nb::arg("tree"), nb::arg("blocks"), nb::arg("rows"),
             nb::arg("values").noconvert(), nb::arg("weights").none(), nb::arg("n_jobs"));
  module.def("paths", &paths_of, nb::arg("tree"), nb::arg("blocks"), nb::arg("rows"));
  module.def("not_finite", &not_finite, nb::arg("block"));
}

}  // namespace ramify::bindings
