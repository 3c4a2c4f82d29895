#include <nanobind/stl/string.h>

#include "arrays.hpp"
#include "modules.hpp"
#include "ramify/criteria/registry.hpp"
#include "ramify/scoring.hpp"

namespace ramify::bindings {

namespace {

nb::list criteria() {
  nb::list all;
  for (const CriterionInfo& info : list_criteria()) {
    nb::dict entry;
    entry["name"] = info.name;
    entry["formula"] = info.formula;
    entry["meaning"] = info.meaning;
    entry["origin"] = info.origin;
    entry["takes_order"] = info.takes_order;
    entry["default_order"] = info.default_order;
    entry["two_branches_only"] = info.two_branches_only;
    entry["is_share"] = info.is_share;
    with_criterion(info.name, [&]<class C>() { entry["compares_entropies"] = Comparison<C>; });
    all.append(entry);
  }
  return all;
}

nb::ndarray<nb::numpy, double> score_tables(const std::string& name, double q, double min_support,
                                            const Array<double, 3>& tables) {
  const ScoreTables scorer = make_scorer(name, Order(q), nullptr, min_support);
  std::vector<double> scores(tables.shape(0));
  scorer({tables.data(), tables.shape(0), tables.shape(1), tables.shape(2)}, scores.data());
  return to_numpy(std::move(scores));
}

nb::ndarray<nb::numpy, double> entropies(double q, const Array<double, 2>& counts) {
  const Order order(q);
  const std::size_t classes = counts.shape(1);
  std::vector<double> result(counts.shape(0), 0.0);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double* row = counts.data() + i * classes;
    double n = 0.0;
    for (std::size_t k = 0; k < classes; ++k) n += row[k];
    if (n > 0.0) result[i] = order.weighted(row, classes, 1, n) / n;
  }
  return to_numpy(std::move(result));
}

}  // namespace

void bind_criteria(nb::module_& module) {
  module.def("list_criteria", &criteria);
  module.def("score_tables", &score_tables, nb::arg("name"), nb::arg("q"), nb::arg("min_support"),
             nb::arg("tables").noconvert());
  module.def("entropies", &entropies, nb::arg("q"), nb::arg("counts").noconvert());
}

}  // namespace ramify::bindings
