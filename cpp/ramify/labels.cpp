#include "ramify/labels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ramify {

namespace {

// Calls visit(row) for the chosen rows, or for all.
template <class Visit>
void for_each_row(std::size_t rows, std::span<const std::uint32_t> chosen, Visit&& visit) {
  if (chosen.empty()) {
    for (std::size_t row = 0; row < rows; ++row) visit(row);
  } else {
    for (const std::uint32_t row : chosen) visit(std::size_t{row});
  }
}

Weighting kind_of(const double* weights, std::size_t rows, std::span<const std::uint32_t> chosen) {
  if (weights == nullptr) return Weighting::unit;
  bool unit = true;
  bool whole = true;
  double total = 0.0;
  for_each_row(rows, chosen, [&](std::size_t row) {
    whole = whole && weights[row] == std::floor(weights[row]);
    unit = unit && weights[row] == 1.0;
    total += weights[row];
  });
  return weighting_of(unit, whole, total, chosen.empty() ? rows : chosen.size());
}

}  // namespace

Weighting weighting_of(bool unit, bool whole, double total, std::size_t rows) {
  // The tables are as long as the sum of all weights: no longer than what suits the rows.
  constexpr double kAlwaysFine = 1 << 20;
  constexpr double kPerRow = 16.0;
  constexpr double kLargestCount = 4294967295.0;
  if (total > kLargestCount) return Weighting::real;
  if (unit) return Weighting::unit;
  const double longest = std::max(kAlwaysFine, kPerRow * static_cast<double>(rows));
  return whole && total <= longest ? Weighting::whole : Weighting::real;
}

Labels::Labels(const std::uint32_t* classes, std::size_t rows, std::uint32_t n_classes, const double* weights,
               bool in_parts, std::span<const std::uint32_t> chosen)
    : rows_(rows),
      counted_(chosen.empty() ? rows : chosen.size()),
      n_classes_(n_classes),
      weights_(weights),
      in_parts_(in_parts),
      weighting_(in_parts ? Weighting::real : kind_of(weights, rows, chosen)),
      totals_(n_classes, 0.0) {
  tags_.classes = classes;
  make_tags(chosen);
  if (weighting_ == Weighting::real && weights != nullptr) {
    smallest_ = weights[chosen.empty() ? 0 : chosen[0]];
    for_each_row(rows, chosen, [&](std::size_t row) { smallest_ = std::min(smallest_, weights[row]); });
  }
  for_each_row(rows, chosen, [&](std::size_t row) { totals_[classes[row]] += weight(row); });
  for (const double count : totals_) total_ += count;
}

Labels::Labels(const std::uint32_t* classes, std::size_t rows, const double* weights, const Population& population)
    : rows_(rows),
      counted_(rows),
      n_classes_(static_cast<std::uint32_t>(population.totals.size())),
      weights_(weights),
      in_parts_(false),
      weighting_(population.weighting),
      totals_(n_classes_, 0.0),
      smallest_(population.smallest) {
  tags_.classes = classes;
  make_tags({});
  for (std::size_t row = 0; row < rows; ++row) totals_[classes[row]] += weight(row);
  for (const double count : population.totals) total_ += count;
}

void Labels::make_tags(std::span<const std::uint32_t> chosen) {
  if (weighting_ == Weighting::whole) {
    whole_.resize(rows_);
    for_each_row(rows_, chosen, [&](std::size_t row) { whole_[row] = static_cast<std::uint32_t>(weight(row)); });
    tags_.whole = whole_.data();
    return;
  }
  const auto row_bits = static_cast<std::uint32_t>(std::bit_width(rows_ == 0 ? 0 : rows_ - 1));
  const auto class_bits = static_cast<std::uint32_t>(std::bit_width(n_classes_ - 1));
  packed_ = row_bits + 1 + class_bits <= 32 && row_bits < 31 && row_bits > 0;
  if (packed_) {
    tags_.shift = row_bits + 1;
    tags_.start = std::uint32_t{1} << row_bits;
    tags_.mask = tags_.start - 1;
  }
}

TagMode Labels::mode() const {
  if (weighting_ == Weighting::real) return TagMode::weighted;
  return packed_ ? TagMode::packed : TagMode::looked_up;
}

}  // namespace ramify
