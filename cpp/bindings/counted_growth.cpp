#include "ramify/counted_growth.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "coded.hpp"
#include "growth.hpp"
#include "modules.hpp"

namespace ramify::bindings {

namespace {

using Counts = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// A growth, with what its settings refer to.
class Growth {
 public:
  Growth(const nb::dict& given, const std::vector<Coding>& codings, const std::vector<double>& totals,
         std::size_t rows, bool unit, bool whole, double smallest)
      : settings_(to_settings(given, codings.size())) {
    if (codings.empty() || totals.empty() || rows == 0) throw std::invalid_argument("no rows, columns or classes");
    Population population{rows, totals, Weighting::unit, smallest};
    double total = 0.0;
    for (const double count : totals) total += count;
    population.weighting = weighting_of(unit, whole, total, rows);
    for (const Coding& coding : codings) n_categories_.push_back(coding.nominal ? coding.n_codes : 0);
    const nb::gil_scoped_release no_gil;
    Pool pool(1, interrupted);
    growth_.emplace(settings_, codings, std::move(population), pool);
  }

  bool real() const { return growth_->population().weighting == Weighting::real; }
  bool unit() const { return growth_->population().weighting == Weighting::unit; }
  const CountedGrowth& growth() const { return *growth_; }

  void split(const std::vector<std::int32_t>& nodes, const std::vector<Counts>& counts, std::size_t n_jobs) {
    check(nodes);
    if (counts.size() != nodes.size()) throw std::invalid_argument("the counts of each node are needed");
    std::vector<GivenCounts> given;
    for (const Counts& of : counts) {
      GivenCounts one;
      one.lanes = growth_->layout().lanes;
      const bool whole = of.dtype() == nb::dtype<std::int64_t>();
      if (!whole && of.dtype() != nb::dtype<double>()) throw std::invalid_argument("counts are int64 or float64");
      if (of.shape(0) != growth_->layout().size()) throw std::invalid_argument("counts have one number a cell");
      if (whole) {
        one.whole = static_cast<const std::int64_t*>(of.data());
      } else {
        one.real = static_cast<const double*>(of.data());
      }
      given.push_back(one);
    }
    run(n_jobs, [&](Pool& pool) { growth_->split(nodes, given, pool); });
  }

  void grow_below(const std::vector<std::int32_t>& nodes, const FetchedRows& rows, std::size_t n_jobs) {
    check(nodes);
    run(n_jobs, [&](Pool& pool) { growth_->grow_below(nodes, rows, pool); });
  }

  void restore(const Tree& tree, const std::vector<std::int32_t>& open) {
    const std::string problem = tree.problem(n_categories_);
    if (!problem.empty()) throw std::invalid_argument(problem);
    if (tree.n_classes != growth_->tree().n_classes) throw std::invalid_argument("the tree has other classes");
    growth_->restore(tree, open);
  }

 private:
  void check(const std::vector<std::int32_t>& nodes) const {
    for (const std::int32_t node : nodes) {
      const auto& open = growth_->open();
      if (std::find(open.begin(), open.end(), node) == open.end()) throw std::invalid_argument("no open node");
    }
  }

  // A Python function is called by one thread.
  template <class Work>
  void run(std::size_t n_jobs, Work&& work) {
    const nb::gil_scoped_release no_gil;
    Pool pool(settings_.callable ? 1 : n_jobs, interrupted);
    work(pool);
  }

  GrowthSettings settings_;
  std::vector<std::uint32_t> n_categories_;
  std::optional<CountedGrowth> growth_;
};

}  // namespace

void bind_counted_growth(nb::module_& module) {
  nb::class_<Growth>(module, "CountedGrowth")
      .def(nb::init<const nb::dict&, const std::vector<Coding>&, const std::vector<double>&, std::size_t, bool,
                    bool, double>(),
           nb::arg("settings"), nb::arg("codings"), nb::arg("totals"), nb::arg("rows"), nb::arg("unit"),
           nb::arg("whole"), nb::arg("smallest"))
      .def_prop_ro("cells", [](const Growth& self) { return self.growth().layout().size(); })
      .def_prop_ro("real", &Growth::real)
      .def_prop_ro("unit", &Growth::unit)
      .def_prop_ro("open", [](const Growth& self) { return self.growth().open(); })
      .def_prop_ro("node_count", [](const Growth& self) { return self.growth().tree().size(); })
      .def_prop_ro(
          "n_rows", [](const Growth& self) { return to_numpy(self.growth().tree().n_rows); }, nb::rv_policy::move)
      .def_prop_ro(
          "parent", [](const Growth& self) { return to_numpy(self.growth().tree().parent); }, nb::rv_policy::move)
      .def_prop_ro(
          "first_child", [](const Growth& self) { return to_numpy(self.growth().tree().first_child); },
          nb::rv_policy::move)
      .def_prop_ro(
          "n_children", [](const Growth& self) { return to_numpy(self.growth().tree().n_children); },
          nb::rv_policy::move)
      .def(
          "frontier",
          [](const Growth& self, const std::vector<std::int32_t>& nodes) {
            for (const std::int32_t node : nodes) {
              if (node < 0 || static_cast<std::size_t>(node) >= self.growth().tree().size()) {
                throw std::invalid_argument("no such node");
              }
            }
            return Frontier(self.growth().tree(), self.growth().codings(), nodes);
          },
          nb::arg("nodes"))
      .def("split", &Growth::split, nb::arg("nodes"), nb::arg("counts"), nb::arg("n_jobs"))
      .def("grow_below", &Growth::grow_below, nb::arg("nodes"), nb::arg("rows"), nb::arg("n_jobs"))
      .def("state", [](const Growth& self) { return self.growth().state(); })
      .def("restore", &Growth::restore, nb::arg("tree"), nb::arg("open"))
      .def("finished", [](const Growth& self) { return self.growth().finished(); });
}

}  // namespace ramify::bindings
