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
  if (!coding.edges.empty()) return coding.bin(feature.number(row));
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

std::string problem_of(const CodedRows& rows, const std::vector<Coding>& codings, std::uint32_t n_classes) {
  if (rows.columns.size() != codings.size()) return "there is one array of codes a column";
  for (std::size_t i = 0; i < codings.size(); ++i) {
    if (rows.columns[i].wide != is_wide(codings[i])) return "codes have the width that their coding says";
    for (std::size_t row = 0; row < rows.rows; ++row) {
      if (rows.code(i, row) >= codings[i].n_dense_codes()) return "codes are those of their coding";
    }
  }
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (rows.classes[row] >= n_classes) return "classes lie in 0..n_classes-1";
  }
  return {};
}

}  // namespace ramify
