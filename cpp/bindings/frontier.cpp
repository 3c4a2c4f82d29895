#include "ramify/frontier.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "coded.hpp"
#include "modules.hpp"

namespace ramify::bindings {

namespace {

using Counts = nb::ndarray<nb::ndim<2>, nb::c_contig, nb::device::cpu>;

// The frontier must be of a tree over these codings.
void check(const Frontier& frontier, const std::vector<Coding>& codings) {
  for (const Frontier::Step& step : frontier.steps()) {
    if (step.first_child >= 0 && step.column >= codings.size()) throw std::invalid_argument("no such column");
  }
}

void count(const Frontier& frontier, const std::vector<CodeColumn>& codes, const Array<std::uint32_t, 1>& classes,
           const std::optional<Array<double, 1>>& weights, const std::vector<Coding>& codings,
           std::uint32_t n_classes, Counts counts, std::size_t n_jobs) {
  check(frontier, codings);
  const CodedRows rows = to_coded_rows(codes, classes, weights, codings, n_classes);
  const CellLayout layout(codings, n_classes, !weights);
  if (counts.shape(0) != frontier.size() || counts.shape(1) != layout.size()) {
    throw std::invalid_argument("counts are slots x cells");
  }
  const bool whole = counts.dtype() == nb::dtype<std::int64_t>();
  if (!whole && counts.dtype() != nb::dtype<double>()) throw std::invalid_argument("counts are int64 or float64");
  void* cells = counts.data();
  const nb::gil_scoped_release no_gil;
  Pool pool(n_jobs, interrupted);
  const std::vector<std::int32_t> slots = frontier.slots(rows, pool);
  if (whole) {
    add_counts(rows, slots, frontier.size(), layout, n_classes, static_cast<std::int64_t*>(cells), pool);
  } else {
    add_counts(rows, slots, frontier.size(), layout, n_classes, static_cast<double*>(cells), pool);
  }
}

nb::ndarray<nb::numpy, std::int32_t> slots(const Frontier& frontier, const std::vector<CodeColumn>& codes,
                                           const Array<std::uint32_t, 1>& classes,
                                           const std::vector<Coding>& codings, std::uint32_t n_classes,
                                           std::size_t n_jobs) {
  check(frontier, codings);
  const CodedRows rows = to_coded_rows(codes, classes, std::nullopt, codings, n_classes);
  std::vector<std::int32_t> found;
  {
    const nb::gil_scoped_release no_gil;
    Pool pool(n_jobs, interrupted);
    found = frontier.slots(rows, pool);
  }
  return to_numpy(std::move(found));
}

}  // namespace

void bind_frontier(nb::module_& module) {
  nb::class_<Frontier>(module, "Frontier")
      .def_prop_ro("size", &Frontier::size)
      .def("count", &count, nb::arg("codes"), nb::arg("classes").noconvert(), nb::arg("weights").none(),
           nb::arg("codings"), nb::arg("n_classes"), nb::arg("counts").noconvert(), nb::arg("n_jobs"))
      .def("slots", &slots, nb::arg("codes"), nb::arg("classes").noconvert(), nb::arg("codings"),
           nb::arg("n_classes"), nb::arg("n_jobs"))
      .def("__getstate__",
           [](const Frontier& self) {
             const auto& steps = self.steps();
             return nb::make_tuple(self.size(), nb::bytes(steps.data(), steps.size() * sizeof(Frontier::Step)),
                                   self.routes());
           })
      .def("__setstate__", [](Frontier& self, const nb::tuple& state) {
        const auto bytes = nb::cast<nb::bytes>(state[1]);
        std::vector<Frontier::Step> steps(bytes.size() / sizeof(Frontier::Step));
        std::copy(bytes.c_str(), bytes.c_str() + steps.size() * sizeof(Frontier::Step),
                  reinterpret_cast<char*>(steps.data()));
        new (&self) Frontier(nb::cast<std::size_t>(state[0]), std::move(steps),
                             nb::cast<std::vector<std::int32_t>>(state[2]));
      });
  nb::class_<FetchedRows>(module, "FetchedRows")
      .def(nb::init<const std::vector<Coding>&, const std::vector<std::size_t>&, bool>(), nb::arg("codings"),
           nb::arg("sizes"), nb::arg("weighted"))
      .def_prop_ro("complete", &FetchedRows::complete)
      .def(
          "add",
          [](FetchedRows& self, const std::vector<CodeColumn>& codes, const Array<std::uint32_t, 1>& classes,
             const std::optional<Array<double, 1>>& weights, const Array<std::int32_t, 1>& slots,
             const std::vector<Coding>& codings, std::uint32_t n_classes) {
            const CodedRows rows = to_coded_rows(codes, classes, weights, codings, n_classes);
            if (slots.shape(0) != rows.rows) throw std::invalid_argument("one slot a row is needed");
            self.add(rows, slots.data());
          },
          nb::arg("codes"), nb::arg("classes").noconvert(), nb::arg("weights").none(),
          nb::arg("slots").noconvert(), nb::arg("codings"), nb::arg("n_classes"));
}

}  // namespace ramify::bindings
