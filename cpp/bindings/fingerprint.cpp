#include "ramify/fingerprint.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "modules.hpp"

namespace ramify::bindings {

namespace {

Fingerprint fingerprint_of(const std::vector<Block>& blocks, const Array<std::uint32_t, 1>& classes,
                           std::size_t n_jobs) {
  const std::size_t rows = classes.shape(0);
  const std::vector<Feature> features = to_features(blocks, rows);
  const nb::gil_scoped_release no_gil;
  Pool pool(n_jobs, interrupted);
  return fingerprint(features, classes.data(), rows, pool);
}

}  // namespace

void bind_fingerprint(nb::module_& module) {
  module.def("fingerprint", &fingerprint_of, nb::arg("blocks"), nb::arg("classes").noconvert(), nb::arg("n_jobs"));
}

}  // namespace ramify::bindings
