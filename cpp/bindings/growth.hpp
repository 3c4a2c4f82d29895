// What growing one tree and growing many have in common, as Python says it.
#pragma once

#include <nanobind/nanobind.h>

#include "arrays.hpp"
#include "ramify/grow.hpp"

namespace ramify::bindings {

// From a dict of all parameters of growth. Throws if a column that is named is not there.
GrowthSettings to_settings(const nanobind::dict& given, std::size_t columns);

// Throws unless there is something to grow from, and classes and category codes are in range.
void check_training(const std::vector<Feature>& features, const Array<std::uint32_t, 1>& classes,
                    std::uint32_t n_classes);

}  // namespace ramify::bindings
