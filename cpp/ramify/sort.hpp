// Sorting entries by code.
#pragma once

#include <cstddef>

#include "ramify/columns.hpp"

namespace ramify {

// Sorts by code; entries of one code keep their order. `scratch` holds as many entries.
void sort_by_code(Entry* entries, Entry* scratch, std::size_t count);

}  // namespace ramify
