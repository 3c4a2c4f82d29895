// How nodes answer, as Python says it.
#pragma once

#include <nanobind/nanobind.h>

#include "ramify/answers.hpp"

namespace ramify::bindings {

// From a dict of class_weight and costs (arrays or None), smoothing and voting (None, "laplace" or the m of an
// m-estimate) and tolerance. Throws unless it is of so many classes.
Answering to_answering(const nanobind::dict& given, std::size_t classes);

}  // namespace ramify::bindings
