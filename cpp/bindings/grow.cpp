#include "ramify/grow.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "arrays.hpp"
#include "growth.hpp"
#include "modules.hpp"

namespace ramify::bindings {

namespace {

// A Python function of an array of tables (candidates, branches, classes), as the searches want it. Rows of
// branches without support are levelled first, as for every criterion.
ScoreTables python_scorer(nb::callable function, double min_support) {
  return [function = std::move(function), min_support](const TableBatch& batch, double* scores) {
    if (batch.tables == 0) return;
    std::vector<double> counts(batch.counts, batch.counts + batch.tables * batch.branches * batch.classes);
    if (min_support > 0.0) {
      Table table;
      const std::size_t size = batch.branches * batch.classes;
      for (std::size_t t = 0; t < batch.tables; ++t) {
        table.read(batch.counts + t * size, batch.branches, batch.classes, min_support, true);
        std::copy(table.row(0), table.row(0) + size, counts.begin() + static_cast<std::ptrdiff_t>(t * size));
      }
    }
    const nb::gil_scoped_acquire gil;
    const nb::object answer = function(to_numpy(std::move(counts), {batch.tables, batch.branches, batch.classes}));
    const auto values = nb::cast<Array<double, 1>>(answer);
    if (values.shape(0) != batch.tables) throw std::invalid_argument("one score a table is needed");
    std::copy(values.data(), values.data() + batch.tables, scores);
  };
}

Cuts cuts_named(const std::string& name) {
  if (name == "exact") return Cuts::exact;
  if (name == "quantile") return Cuts::quantile;
  if (name == "equal_width") return Cuts::equal_width;
  if (name == "gaussian") return Cuts::gaussian;
  throw std::invalid_argument("unknown cuts: " + name);
}

Missing missing_named(const std::string& name) {
  if (name == "best_branch") return Missing::best_branch;
  if (name == "own_branch") return Missing::own_branch;
  if (name == "fractional" || name == "error") return Missing::fractional;
  throw std::invalid_argument("unknown way with missing values: " + name);
}

template <class T>
T get(const nb::dict& settings, const char* name) {
  return nb::cast<T>(settings[name]);
}

std::size_t limit(const nb::dict& settings, const char* name) {
  return get<std::optional<std::size_t>>(settings, name).value_or(kUnlimited);
}

Dialect to_dialect(const nb::dict& given) {
  Dialect dialect;
  dialect.by_columns = get<bool>(given, "by_columns");
  dialect.cut_criterion = get<std::string>(given, "cut_criterion");
  dialect.cut_minimum = get<bool>(given, "cut_minimum");
  dialect.mdl_correction = get<bool>(given, "mdl_correction");
  dialect.average_gain_gate = get<bool>(given, "average_gain_gate");
  dialect.unknown_is_outcome = get<bool>(given, "unknown_is_outcome");
  dialect.cut_at_value = get<bool>(given, "cut_at_value");
  dialect.tie_tolerance = get<double>(given, "tie_tolerance");
  dialect.min_gap = get<double>(given, "min_gap");
  dialect.known_cases_only = get<bool>(given, "known_cases_only");
  dialect.last_of_equal_cuts = get<bool>(given, "last_of_equal_cuts");
  dialect.available_gain_gate = get<bool>(given, "available_gain_gate");
  dialect.cuts_must_improve = get<bool>(given, "cuts_must_improve");
  return dialect;
}

}  // namespace

GrowthSettings to_settings(const nb::dict& given, std::size_t columns) {
  GrowthSettings settings;
  settings.q = get<double>(given, "q");
  settings.min_support = get<double>(given, "min_support");
  settings.multiway = get<bool>(given, "multiway");
  settings.cuts = cuts_named(get<std::string>(given, "cuts"));
  settings.max_bins = get<std::uint32_t>(given, "max_bins");
  settings.max_depth = limit(given, "max_depth");
  settings.min_samples_split = get<std::size_t>(given, "min_samples_split");
  settings.min_samples_leaf = get<std::size_t>(given, "min_samples_leaf");
  settings.max_leaf_nodes = limit(given, "max_leaf_nodes");
  settings.min_impurity_decrease = get<double>(given, "min_impurity_decrease");
  settings.missing = missing_named(get<std::string>(given, "missing"));
  settings.one_case = get<double>(given, "one_case");
  settings.dialect = to_dialect(nb::cast<nb::dict>(given["dialect"]));
  settings.n_runner_ups = get<std::size_t>(given, "n_runner_ups");
  settings.max_features = limit(given, "max_features");
  settings.seed = get<std::uint64_t>(given, "seed");
  settings.split_order = get<std::vector<std::int32_t>>(given, "split_order");
  for (const std::int32_t column : settings.split_order) {
    if (column >= static_cast<std::int32_t>(columns)) throw std::invalid_argument("no such column");
  }
  const nb::object criterion = given["criterion"];
  if (nb::isinstance<nb::str>(criterion)) {
    settings.criterion = nb::cast<std::string>(criterion);
  } else {
    settings.criterion.clear();
    settings.callable = python_scorer(nb::cast<nb::callable>(criterion), settings.min_support);
  }
  return settings;
}

void check_training(const std::vector<Feature>& features, const Array<std::uint32_t, 1>& classes,
                    std::uint32_t n_classes) {
  const std::size_t rows = classes.shape(0);
  if (rows == 0 || features.empty() || n_classes == 0) throw std::invalid_argument("no rows, columns or classes");
  for (std::size_t row = 0; row < rows; ++row) {
    if (classes.data()[row] >= n_classes) throw std::invalid_argument("classes lie in 0..n_classes-1");
  }
  for (const Feature& feature : features) {
    if (!feature.nominal()) continue;
    for (std::size_t row = 0; row < rows; ++row) {
      const std::int32_t code = feature.category(row);
      if (code == kMissingCategory && feature.may_miss) continue;
      if (code < 0 || static_cast<std::uint32_t>(code) >= feature.n_categories) {
        throw std::invalid_argument("category codes lie in 0..n_categories-1");
      }
    }
  }
}

namespace {

Tree grow_tree(const std::vector<Block>& blocks, const Array<std::uint32_t, 1>& classes, std::uint32_t n_classes,
               const std::optional<Array<double, 1>>& weights, const nb::dict& given, std::size_t n_jobs) {
  const std::size_t rows = classes.shape(0);
  const std::vector<Feature> features = to_features(blocks, rows);
  if (weights && weights->shape(0) != rows) throw std::invalid_argument("one weight a row is needed");
  check_training(features, classes, n_classes);
  const GrowthSettings settings = to_settings(given, features.size());
  const bool in_parts = settings.missing == Missing::fractional &&
                        std::any_of(features.begin(), features.end(), [](const Feature& f) { return f.may_miss; });
  std::optional<Tree> tree;
  {
    const nb::gil_scoped_release no_gil;
    Pool pool(settings.callable ? 1 : n_jobs, interrupted);  // a Python function is called by one thread
    const Labels labels(classes.data(), rows, n_classes, weights ? weights->data() : nullptr, in_parts);
    tree = grow(features, labels, settings, pool);
  }
  return std::move(*tree);
}

}  // namespace

void bind_grow(nb::module_& module) {
  module.def("grow", &grow_tree, nb::arg("blocks"), nb::arg("classes").noconvert(), nb::arg("n_classes"),
             nb::arg("weights").none(), nb::arg("settings"), nb::arg("n_jobs"));
}

}  // namespace ramify::bindings
