// One function a noun; each binds its own.
#pragma once

#include <nanobind/nanobind.h>

namespace ramify::bindings {

void bind_answers(nanobind::module_& module);
void bind_coding(nanobind::module_& module);
void bind_counted_growth(nanobind::module_& module);
void bind_criteria(nanobind::module_& module);
void bind_fingerprint(nanobind::module_& module);
void bind_frontier(nanobind::module_& module);
void bind_tree(nanobind::module_& module);
void bind_grow(nanobind::module_& module);
void bind_path(nanobind::module_& module);
void bind_predict(nanobind::module_& module);
void bind_prune(nanobind::module_& module);
void bind_quantiles(nanobind::module_& module);

}  // namespace ramify::bindings
