// Whether numbers are all finite.
#pragma once

#include <cstddef>

namespace ramify {

// T is float or double; the numbers lie next to each other.
template <class T>
bool all_finite(const T* numbers, std::size_t size);

}  // namespace ramify
