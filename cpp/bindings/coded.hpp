// Coded rows as Python has them.
#pragma once

#include <optional>
#include <vector>

#include "arrays.hpp"
#include "ramify/coded_rows.hpp"

namespace ramify::bindings {

using CodeColumn = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Read in place. Throws if the arrays are not what the codings say: nothing in them is believed.
CodedRows to_coded_rows(const std::vector<CodeColumn>& codes, const Array<std::uint32_t, 1>& classes,
                        const std::optional<Array<double, 1>>& weights, const std::vector<Coding>& codings,
                        std::uint32_t n_classes);

}  // namespace ramify::bindings
