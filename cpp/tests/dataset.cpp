#include "dataset.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ramify::tests {

namespace {

std::size_t item_size(ValueType type) { return type == ValueType::float64 ? sizeof(double) : sizeof(float); }

void store(ValueType type, double value, std::byte* to) {
  if (type == ValueType::float64) {
    std::memcpy(to, &value, sizeof value);
  } else if (type == ValueType::float32) {
    const auto number = static_cast<float>(value);
    std::memcpy(to, &number, sizeof number);
  } else {
    const auto code = static_cast<std::int32_t>(value);
    std::memcpy(to, &code, sizeof code);
  }
}

}  // namespace

std::vector<std::uint32_t> Dataset::n_categories() const {
  std::vector<std::uint32_t> result;
  for (const Field& field : fields) result.push_back(field.n_categories);
  return result;
}

Dataset Dataset::taken(const std::vector<std::size_t>& numbers) const {
  Dataset result = *this;
  const auto take = [&](auto& values) {
    auto taken = values;
    taken.clear();
    for (const std::size_t row : numbers) taken.push_back(values[row]);
    values = std::move(taken);
  };
  for (Field& field : result.fields) take(field.values);
  take(result.classes);
  if (!weights.empty()) take(result.weights);
  return result;
}

bool Field::may_miss() const {
  return std::any_of(values.begin(), values.end(),
                     [&](double value) { return nominal() ? value == kMissingCategory : std::isnan(value); });
}

Storage::Storage(const Dataset& dataset, bool in_parts)
    : classes_(dataset.classes),
      weights_(dataset.weights),
      labels_(classes_.data(), classes_.size(), dataset.n_classes, weights_.empty() ? nullptr : weights_.data(),
              in_parts) {
  if (dataset.layout == Layout::matrix) {
    store_matrix(dataset);
  } else {
    for (const Field& field : dataset.fields) store_column(field, dataset.layout);
  }
}

void Storage::store_matrix(const Dataset& dataset) {
  const ValueType type = dataset.fields.front().type;
  const std::size_t item = item_size(type);
  const std::size_t columns = dataset.fields.size();
  const std::size_t rows = dataset.rows();
  memory_.push_back(std::make_unique<std::byte[]>(rows * columns * item));
  std::byte* const data = memory_.back().get();
  for (std::size_t i = 0; i < columns; ++i) {
    for (std::size_t row = 0; row < rows; ++row) {
      store(type, dataset.fields[i].values[row], data + (row * columns + i) * item);
    }
    features_.push_back(
        {data + i * item, static_cast<std::ptrdiff_t>(columns * item), type, 0, dataset.fields[i].may_miss()});
  }
}

void Storage::store_column(const Field& field, Layout layout) {
  const std::size_t item = item_size(field.type);
  const std::size_t rows = field.values.size();
  const std::size_t step = layout == Layout::padded ? 2 * item : item;
  const std::size_t size = (rows - 1) * step + item;
  memory_.push_back(std::make_unique<std::byte[]>(size));
  std::byte* const data = memory_.back().get();
  std::fill(data, data + size, std::byte{0xFF});  // as a number a NaN, as a code -1
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t place = layout == Layout::reversed ? rows - 1 - row : row;
    store(field.type, field.values[row], data + place * step);
  }
  const auto stride = static_cast<std::ptrdiff_t>(step);
  if (layout == Layout::reversed) {
    features_.push_back({data + (rows - 1) * step, -stride, field.type, field.n_categories, field.may_miss()});
  } else {
    features_.push_back({data, stride, field.type, field.n_categories, field.may_miss()});
  }
}

}  // namespace ramify::tests
