#include "ramify/coded_rows.hpp"

#include "ramify/binning.hpp"

namespace ramify {

namespace {

// Writes the code that code_of(row) says for every value that is there; one that is too large ends it.
template <class Code, class CodeOf>
std::size_t write(const Feature& feature, const Coding& coding, std::size_t rows, Code* codes, CodeOf&& code_of) {
  const auto none = static_cast<std::uint32_t>(coding.n_dense_codes());
  const std::uint32_t of_missing = coding.has_missing ? coding.n_codes : none;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint32_t code = feature.missing(row) ? of_missing : code_of(row);
    if (code >= none) return row;
    codes[row] = static_cast<Code>(code);
  }
  return rows;
}

template <class Code>
std::size_t write(const Feature& feature, const Coding& coding, std::size_t rows, Code* codes) {
  const auto none = static_cast<std::uint32_t>(coding.n_dense_codes());
  if (coding.nominal) {
    return write(feature, coding, rows, codes, [&](std::size_t row) {
      const std::int32_t category = feature.category(row);
      const bool known = category >= 0 && static_cast<std::uint32_t>(category) < coding.n_codes;
      return known ? static_cast<std::uint32_t>(category) : none;
    });
  }
  if (coding.n_codes == 0) return write(feature, coding, rows, codes, [&](std::size_t) { return none; });
  if (coding.values.empty()) return write(feature, coding, rows, codes, Binning(feature, coding, rows));
  return write(feature, coding, rows, codes, [&](std::size_t row) {
    const std::uint32_t place = coding.place(feature.number(row));
    return place < coding.n_codes ? place : none;
  });
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
