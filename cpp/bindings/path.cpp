#include "ramify/path/path.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>

#include "answering.hpp"
#include "growth.hpp"
#include "modules.hpp"

namespace ramify::bindings {

namespace {

using RowNumbers = Array<std::uint32_t, 1>;
using Numbers = Array<double, 1>;

// Keeps the arrays that a path reads in place.
struct OwnedPath {
  std::vector<Block> blocks;
  Array<std::uint32_t, 1> classes;
  Path path;
  std::mutex in_use;  // a path keeps what its calls share, and Python may call it from several threads

  OwnedPath(std::vector<Block> of, Array<std::uint32_t, 1> labels, std::uint32_t n_classes)
      : blocks(std::move(of)),
        classes(std::move(labels)),
        path(features(n_classes), classes.data(), classes.shape(0), n_classes) {}

 private:
  std::vector<Feature> features(std::uint32_t n_classes) const {
    std::vector<Feature> all = to_features(blocks, classes.shape(0));
    check_training(all, classes, n_classes);
    return all;
  }
};

std::span<const std::uint32_t> to_rows(const RowNumbers& rows, std::size_t all, bool ascending) {
  const std::span<const std::uint32_t> numbers(rows.data(), rows.shape(0));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] >= all) throw std::invalid_argument("no such row");
    if (ascending && i > 0 && numbers[i] <= numbers[i - 1]) throw std::invalid_argument("rows must ascend");
  }
  return numbers;
}

std::vector<double> to_orders(const Numbers& qs) {
  std::vector<double> orders(qs.data(), qs.data() + qs.shape(0));
  if (orders.empty() || orders.size() > kMostOrders) throw std::invalid_argument("no orders, or too many");
  for (const double q : orders) {
    if (!(q >= 0.0 && q <= std::numeric_limits<double>::max())) throw std::invalid_argument("orders are >= 0");
  }
  return orders;
}

Fold to_fold(const Path& path, const RowNumbers& train, const std::optional<Numbers>& weights,
             const nb::dict& settings) {
  Fold fold;
  fold.train = to_rows(train, path.rows(), true);
  if (fold.train.empty()) throw std::invalid_argument("no rows to grow from");
  fold.settings = to_settings(settings, path.columns());
  if (fold.settings.callable) throw std::invalid_argument("a callable has no order");
  if (!weights) return fold;
  if (weights->shape(0) != fold.train.size()) throw std::invalid_argument("one weight a row is needed");
  fold.weights.assign(path.rows(), 1.0);
  for (std::size_t i = 0; i < fold.train.size(); ++i) fold.weights[fold.train[i]] = weights->data()[i];
  return fold;
}

nb::tuple trees(OwnedPath& owned, const RowNumbers& train, const std::optional<Numbers>& weights,
                const nb::dict& settings, const Numbers& qs, bool every, std::size_t n_jobs) {
  const Fold fold = to_fold(owned.path, train, weights, settings);
  const std::vector<double> orders = to_orders(qs);
  PathTrees path;
  {
    const nb::gil_scoped_release no_gil;
    const std::scoped_lock lock(owned.in_use);
    Pool pool(n_jobs, interrupted);
    path = owned.path.trees(fold, orders, every, pool);
  }
  nb::list list;
  for (Tree& tree : path.trees) list.append(nb::cast(std::move(tree)));
  return nb::make_tuple(list, to_numpy(std::move(path.which)));
}

nb::dict evaluate(OwnedPath& owned, const std::vector<RowNumbers>& train, const std::vector<RowNumbers>& test,
                  const std::vector<std::optional<Numbers>>& weights, const std::optional<Numbers>& test_weights,
                  const std::vector<nb::dict>& settings, const Numbers& qs, const std::vector<nb::dict>& answering,
                  std::size_t n_jobs) {
  const std::size_t n_folds = train.size();
  if (test.size() != n_folds || weights.size() != n_folds || settings.size() != n_folds ||
      answering.size() != n_folds) {
    throw std::invalid_argument("all lists have one entry a fold");
  }
  if (test_weights && test_weights->shape(0) != owned.path.rows()) {
    throw std::invalid_argument("one test weight a row is needed");
  }
  std::vector<Fold> folds;
  for (std::size_t i = 0; i < n_folds; ++i) {
    folds.push_back(to_fold(owned.path, train[i], weights[i], settings[i]));
    folds.back().test = to_rows(test[i], owned.path.rows(), false);
    folds.back().answering = to_answering(answering[i], owned.path.n_classes());
  }
  const std::vector<double> orders = to_orders(qs);
  std::vector<Tally> tallies;
  {
    const nb::gil_scoped_release no_gil;
    const std::scoped_lock lock(owned.in_use);
    Pool pool(n_jobs, interrupted);
    tallies = owned.path.evaluate(folds, test_weights ? test_weights->data() : nullptr, orders, pool);
  }
  nb::dict result;
  const auto put = [&](const char* name, auto member) {
    std::vector<double> values;
    for (const Tally& tally : tallies) {
      for (const auto& figure : tally.*member) {
        if constexpr (std::is_same_v<std::decay_t<decltype(figure)>, SteadySum>) {
          values.push_back(figure.value());
        } else {
          values.push_back(figure);
        }
      }
    }
    result[name] = to_numpy(std::move(values), {n_folds, orders.size()});
  };
  put("correct", &Tally::correct);
  put("log_loss", &Tally::log_loss);
  put("n_nodes", &Tally::n_nodes);
  put("n_leaves", &Tally::n_leaves);
  put("depth", &Tally::depth);
  return result;
}

}  // namespace

void bind_path(nb::module_& module) {
  nb::class_<OwnedPath>(module, "Path")
      .def(nb::init<std::vector<Block>, Array<std::uint32_t, 1>, std::uint32_t>(), nb::arg("blocks"),
           nb::arg("classes").noconvert(), nb::arg("n_classes"))
      .def(
          "takes_some_rows",
          [](const OwnedPath& owned, const nb::dict& settings) {
            return Path::takes_some_rows(to_settings(settings, owned.path.columns()));
          },
          nb::arg("settings"))
      .def("trees", &trees, nb::arg("rows").noconvert(), nb::arg("weights").none(), nb::arg("settings"),
           nb::arg("qs").noconvert(), nb::arg("every"), nb::arg("n_jobs"))
      .def("evaluate", &evaluate, nb::arg("train"), nb::arg("test"), nb::arg("weights"),
           nb::arg("test_weights").none(), nb::arg("settings"), nb::arg("qs").noconvert(), nb::arg("answering"),
           nb::arg("n_jobs"));
}

}  // namespace ramify::bindings
