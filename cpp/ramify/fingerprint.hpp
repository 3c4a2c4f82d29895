// A fingerprint of labelled rows: the same for the same rows in any order, another for others.
//
// It tells data apart that differ by mistake (another year's file, a row too few), not by intent: whoever wants to
// can make two tables of one fingerprint.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/threads.hpp"

namespace ramify {

using Fingerprint = std::array<std::uint64_t, 2>;

// A number is the same in single and double precision, and a missing value the same however it is written.
Fingerprint fingerprint(const std::vector<Feature>& features, const std::uint32_t* classes, std::size_t rows,
                        Pool& pool);

}  // namespace ramify
