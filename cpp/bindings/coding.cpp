#include "ramify/coding.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "coded.hpp"
#include "modules.hpp"
#include "ramify/distinct.hpp"

namespace ramify::bindings {

CodedRows to_coded_rows(const std::vector<CodeColumn>& codes, const Array<std::uint32_t, 1>& classes,
                        const std::optional<Array<double, 1>>& weights, const std::vector<Coding>& codings,
                        std::uint32_t n_classes) {
  CodedRows rows;
  rows.rows = classes.shape(0);
  rows.classes = classes.data();
  if (weights && weights->shape(0) != rows.rows) throw std::invalid_argument("one weight a row is needed");
  rows.weights = weights ? weights->data() : nullptr;
  for (const CodeColumn& column : codes) {
    const bool wide = column.dtype() == nb::dtype<std::uint16_t>();
    if (!wide && column.dtype() != nb::dtype<std::uint8_t>())
      throw std::invalid_argument("codes are uint8 or uint16");
    if (column.shape(0) != rows.rows) throw std::invalid_argument("one code a row is needed");
    rows.columns.push_back({column.data(), wide});
  }
  const std::string problem = problem_of(rows, codings, n_classes);
  if (!problem.empty()) throw std::invalid_argument(problem);
  return rows;
}

namespace {

using State = std::tuple<bool, bool, std::uint32_t, std::vector<double>, std::vector<double>>;

Coding make_coding(std::uint32_t n_categories, const std::optional<Array<double, 1>>& values,
                   const std::optional<Array<double, 1>>& edges, bool has_missing) {
  const auto copy = [](const Array<double, 1>& from) {
    return std::vector<double>(from.data(), from.data() + from.shape(0));
  };
  Coding coding;
  if (values) {
    coding = coding_of_values(copy(*values), has_missing);
  } else if (edges) {
    coding = coding_of_edges(copy(*edges), has_missing);
  } else {
    coding.nominal = true;
    coding.has_missing = has_missing;
    coding.n_codes = n_categories;
  }
  const std::vector<double>& numbers = values ? coding.values : coding.edges;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!std::isfinite(numbers[i]) || (i > 0 && numbers[i] <= numbers[i - 1])) {
      throw std::invalid_argument("values and edges are finite and in order");
    }
  }
  if (coding.n_dense_codes() > 65536) throw std::invalid_argument("codes take at most 16 bits");
  return coding;
}

// The codes of all columns and, if some value has none, its column and row.
nb::tuple encode(const std::vector<Block>& blocks, std::size_t rows, const std::vector<Coding>& codings,
                 std::size_t n_jobs) {
  const std::vector<Feature> features = to_features(blocks, rows);
  if (features.size() != codings.size()) throw std::invalid_argument("one coding a column is needed");
  std::vector<std::vector<std::uint8_t>> narrow(codings.size());
  std::vector<std::vector<std::uint16_t>> wide(codings.size());
  std::vector<std::size_t> wrong(codings.size(), rows);
  for (std::size_t i = 0; i < codings.size(); ++i) {
    if (codings[i].nominal != features[i].nominal()) throw std::invalid_argument("codings suit their columns");
  }
  {
    const nb::gil_scoped_release no_gil;
    Pool pool(n_jobs, interrupted);
    pool.for_each(codings.size(), [&](std::size_t i, std::size_t) {
      void* codes = nullptr;
      if (is_wide(codings[i])) {
        wide[i].resize(rows);
        codes = wide[i].data();
      } else {
        narrow[i].resize(rows);
        codes = narrow[i].data();
      }
      wrong[i] = write_codes(features[i], codings[i], rows, codes);
    });
  }
  nb::list arrays;
  for (std::size_t i = 0; i < codings.size(); ++i) {
    if (wrong[i] < rows) return nb::make_tuple(nb::none(), i, wrong[i]);
    if (is_wide(codings[i])) {
      arrays.append(to_numpy(std::move(wide[i])));
    } else {
      arrays.append(to_numpy(std::move(narrow[i])));
    }
  }
  return nb::make_tuple(arrays, -1, -1);
}

}  // namespace

void bind_coding(nb::module_& module) {
  nb::class_<Coding>(module, "Coding")
      .def(
          "__init__",
          [](Coding* self, std::uint32_t n_categories, const std::optional<Array<double, 1>>& values,
             const std::optional<Array<double, 1>>& edges,
             bool has_missing) { new (self) Coding(make_coding(n_categories, values, edges, has_missing)); },
          nb::arg("n_categories") = 0, nb::kw_only(), nb::arg("values").none() = nb::none(),
          nb::arg("edges").none() = nb::none(), nb::arg("has_missing") = false)
      .def_ro("nominal", &Coding::nominal)
      .def_ro("has_missing", &Coding::has_missing)
      .def_ro("n_codes", &Coding::n_codes)
      .def_prop_ro(
          "values", [](const Coding& self) { return to_numpy(self.values); }, nb::rv_policy::move)
      .def_prop_ro(
          "edges", [](const Coding& self) { return to_numpy(self.edges); }, nb::rv_policy::move)
      .def("__getstate__",
           [](const Coding& c) { return State(c.nominal, c.has_missing, c.n_codes, c.values, c.edges); })
      .def("__setstate__", [](Coding& self, const State& state) {
        const auto& [nominal, has_missing, n_codes, values, edges] = state;
        new (&self) Coding{nominal, has_missing, n_codes, values, edges};
      });
  module.def(
      "equal_width_edges",
      [](double low, double high, std::uint32_t bins) { return to_numpy(equal_width_edges(low, high, bins)); },
      nb::arg("low"), nb::arg("high"), nb::arg("bins"));
  module.def("encode", &encode, nb::arg("blocks"), nb::arg("rows"), nb::arg("codings"), nb::arg("n_jobs"));
  module.def(
      "distinct",
      [](const std::vector<Block>& blocks, std::size_t rows, std::uint32_t limit) -> nb::object {
        const std::vector<Feature> features = to_features(blocks, rows);
        if (features.size() != 1) throw std::invalid_argument("one column is needed");
        DistinctNumbers distinct(limit);
        bool few = true;
        {
          const nb::gil_scoped_release no_gil;
          for (std::size_t row = 0; few && row < rows; ++row) {
            few = features[0].missing(row) || distinct.place(features[0].number(row)) < limit;
          }
        }
        if (!few) return nb::none();
        std::vector<double> numbers = distinct.numbers();
        std::sort(numbers.begin(), numbers.end());
        return nb::cast(to_numpy(std::move(numbers)));
      },
      nb::arg("blocks"), nb::arg("rows"), nb::arg("limit"));
}

}  // namespace ramify::bindings
