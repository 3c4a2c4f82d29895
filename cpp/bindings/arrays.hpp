// NumPy arrays in and out.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "ramify/columns.hpp"

namespace ramify::bindings {

namespace nb = nanobind;

template <class T, std::size_t Dimensions>
using Array = nb::ndarray<const T, nb::ndim<Dimensions>, nb::c_contig, nb::device::cpu>;

// The one helper that hands C++ memory to NumPy, which frees it.
template <class T>
nb::ndarray<nb::numpy, T> to_numpy(std::vector<T> values, std::vector<std::size_t> shape = {}) {
  auto owned = std::make_unique<std::vector<T>>(std::move(values));
  if (shape.empty()) shape = {owned->size()};
  T* data = owned->data();
  nb::capsule owner(owned.release(), [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return nb::ndarray<nb::numpy, T>(data, shape.size(), shape.data(), owner);
}

// Columns that lie in one array: a matrix of numbers, or with n_categories > 0 one column of category codes; and
// whether values may be missing.
using Block = std::tuple<nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>, std::uint32_t, bool>;

// The features of the blocks, read in place. Throws if the blocks are not what the core reads.
inline std::vector<Feature> to_features(const std::vector<Block>& blocks, std::size_t rows) {
  std::vector<Feature> features;
  for (const auto& [array, n_categories, may_miss] : blocks) {
    if (array.shape(0) != rows) throw std::invalid_argument("all blocks need one row a label");
    ValueType type = ValueType::float64;
    if (n_categories > 0 && array.dtype() == nb::dtype<std::int32_t>()) {
      type = ValueType::category;
    } else if (n_categories == 0 && array.dtype() == nb::dtype<float>()) {
      type = ValueType::float32;
    } else if (n_categories > 0 || array.dtype() != nb::dtype<double>()) {
      throw std::invalid_argument("blocks are float32 or float64, or int32 codes with n_categories");
    }
    const auto item = static_cast<std::ptrdiff_t>(array.itemsize());
    const auto* data = static_cast<const std::byte*>(array.data());
    for (std::size_t column = 0; column < array.shape(1); ++column) {
      features.push_back({data + static_cast<std::ptrdiff_t>(column) * array.stride(1) * item,
                          array.stride(0) * item, type, n_categories, may_miss});
    }
  }
  return features;
}

// Asks Python whether Ctrl-C was pressed; to be called without the GIL.
inline bool interrupted() {
  const nb::gil_scoped_acquire gil;
  return PyErr_CheckSignals() != 0;
}

}  // namespace ramify::bindings
