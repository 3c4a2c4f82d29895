#include "ramify/labels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ramify {

namespace {

// Whole weights are looked up in tables of n^q as long as their sum: no longer than what suits the rows.
double largest_whole_total(std::size_t rows) {
  constexpr double kAlwaysFine = 1 << 20;
  constexpr double kPerRow = 16.0;
  return std::max(kAlwaysFine, kPerRow * static_cast<double>(rows));
}

Weighting kind_of(const double* weights, std::size_t rows) {
  if (weights == nullptr) return Weighting::unit;
  bool unit = true;
  double total = 0.0;
  for (std::size_t i = 0; i < rows; ++i) {
    if (weights[i] != std::floor(weights[i])) return Weighting::real;
    unit = unit && weights[i] == 1.0;
    total += weights[i];
  }
  if (unit) return Weighting::unit;
  return total <= largest_whole_total(rows) ? Weighting::whole : Weighting::real;
}

}  // namespace

Labels::Labels(const std::uint32_t* classes, std::size_t rows, std::uint32_t n_classes, const double* weights,
               bool in_parts)
    : rows_(rows),
      n_classes_(n_classes),
      weights_(weights),
      in_parts_(in_parts),
      weighting_(in_parts ? Weighting::real : kind_of(weights, rows)),
      totals_(n_classes, 0.0) {
  tags_.classes = classes;
  if (weighting_ == Weighting::whole) {
    whole_.assign(weights, weights + rows);
    tags_.whole = whole_.data();
  } else {
    const auto row_bits = static_cast<std::uint32_t>(std::bit_width(rows == 0 ? 0 : rows - 1));
    const auto class_bits = static_cast<std::uint32_t>(std::bit_width(n_classes - 1));
    packed_ = row_bits + class_bits <= 32 && row_bits < 32 && row_bits > 0;
    if (packed_) {
      tags_.shift = row_bits;
      tags_.mask = (std::uint32_t{1} << row_bits) - 1;
    }
  }
  if (weighting_ == Weighting::real && weights != nullptr) {
    smallest_ = *std::min_element(weights, weights + rows);
  }
  for (std::size_t i = 0; i < rows; ++i) totals_[classes[i]] += weight(i);
  for (const double count : totals_) total_ += count;
}

TagMode Labels::mode() const {
  if (weighting_ == Weighting::real) return TagMode::weighted;
  return packed_ ? TagMode::packed : TagMode::looked_up;
}

}  // namespace ramify
