// Rows as codes, the way they are kept and sent where not all of them are in memory: a part of the training data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ramify/columns.hpp"

namespace ramify {

struct CodedRows {
  std::size_t rows = 0;
  std::vector<CodeArray> columns;
  const std::uint32_t* classes = nullptr;
  const double* weights = nullptr;  // null: all rows count once

  std::uint32_t code(std::size_t column, std::size_t row) const {
    const CodeArray& array = columns[column];
    return array.wide ? static_cast<const std::uint16_t*>(array.codes)[row]
                      : static_cast<const std::uint8_t*>(array.codes)[row];
  }
  double weight(std::size_t row) const { return weights == nullptr ? 1.0 : weights[row]; }
};

// Whether codes of a coding take two bytes.
inline bool is_wide(const Coding& coding) { return coding.n_dense_codes() > 256; }

// Writes the codes of a feature, one or two bytes each. Returns the first row whose value the coding does not
// have, or `rows` if it has all.
std::size_t write_codes(const Feature& feature, const Coding& coding, std::size_t rows, void* codes);

// What is wrong with such rows; empty if nothing is.
std::string problem_of(const CodedRows& rows, const std::vector<Coding>& codings, std::uint32_t n_classes);

}  // namespace ramify
