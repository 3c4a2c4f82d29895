#include "ramify/coded_rows.hpp"

namespace ramify {

namespace {

// The code of a value, or one above all of them if the coding does not have it.
std::uint32_t code_of(const Feature& feature, const Coding& coding, std::size_t row) {
  const auto none = static_cast<std::uint32_t>(coding.n_dense_codes());
  if (feature.missing(row)) return coding.has_missing ? coding.n_codes : none;
  if (coding.nominal) {
    const std::int32_t category = feature.category(row);
    return category >= 0 && static_cast<std::uint32_t>(category) < coding.n_codes
               ? static_cast<std::uint32_t>(category)
               : none;
  }
  if (coding.n_codes == 0) return none;
  if (coding.values.empty()) return coding.bin(feature.number(row));  // one bin, if there is no edge
  const std::uint32_t place = coding.place(feature.number(row));
  return place < coding.n_codes ? place : none;
}

template <class Code>
std::size_t write(const Feature& feature, const Coding& coding, std::size_t rows, Code* codes) {
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t code = code_of(feature, coding, row);
    if (code >= coding.n_dense_codes()) return row;
    codes[row] = static_cast<Code>(code);
  }
  return rows;
}

}  // namespace

std::size_t write_codes(const Feature& feature, const Coding& coding, std::size_t rows, void* codes) {
  if (is_wide(coding)) return write(feature, coding, rows, static_cast<std::uint16_t*>(codes));
  return write(feature, coding, rows, static_cast<std::uint8_t*>(codes));
}

namespace {

template <class Item>
Item largest(const void* items, std::size_t count) {
  const Item* const first = static_cast<const Item*>(items);
  Item most = 0;
  for (std::size_t i = 0; i < count; ++i) most = std::max(most, first[i]);
  return most;
}

}  // namespace

std::string problem_of(const CodedRows& rows, const std::vector<Coding>& codings, std::uint32_t n_classes) {
  if (rows.columns.size() != codings.size()) return "there is one array of codes a column";
  for (std::size_t i = 0; i < codings.size() && rows.rows > 0; ++i) {
    const CodeArray& array = rows.columns[i];
    if (array.wide != is_wide(codings[i])) return "codes have the width that their coding says";
    const std::size_t most = array.wide ? largest<std::uint16_t>(array.codes, rows.rows)
                                        : std::size_t{largest<std::uint8_t>(array.codes, rows.rows)};
    if (most >= codings[i].n_dense_codes()) return "codes are those of their coding";
  }
  if (rows.rows > 0 && largest<std::uint32_t>(rows.classes, rows.rows) >= n_classes) {
    return "classes lie in 0..n_classes-1";
  }
  return {};
}

}  // namespace ramify
