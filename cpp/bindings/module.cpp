#include "modules.hpp"
#include "ramify/threads.hpp"

NB_MODULE(_core, module) {
  namespace nb = nanobind;
  module.doc() = "The core of ramify: codes, counts, splits and trees.";
  // Models that others still hold when Python ends (a worker of Dask, a traceback) are no leak to tell users of.
  nb::set_leak_warnings(false);
  // The signal that stopped the work has set Python's own exception already.
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const ramify::Interrupted&) {
      if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
  });
  ramify::bindings::bind_answers(module);
  ramify::bindings::bind_criteria(module);
  ramify::bindings::bind_fingerprint(module);
  ramify::bindings::bind_tree(module);
  ramify::bindings::bind_grow(module);
  ramify::bindings::bind_coding(module);
  ramify::bindings::bind_quantiles(module);
  ramify::bindings::bind_frontier(module);
  ramify::bindings::bind_counted_growth(module);
  ramify::bindings::bind_path(module);
  ramify::bindings::bind_predict(module);
  ramify::bindings::bind_prune(module);
}
