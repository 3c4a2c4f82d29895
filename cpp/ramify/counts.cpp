#include "ramify/counts.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace ramify {

void read_histogram(const std::uint32_t* histogram, std::size_t n_codes, CodeCounts& out) {
  const std::size_t classes = out.classes();
  for (std::size_t code = 0; code < n_codes; ++code) {
    const std::uint32_t* from = histogram + code * classes;
    std::uint32_t rows = 0;
    for (std::size_t k = 0; k < classes; ++k) rows += from[k];
    if (rows == 0) continue;
    double* counts = out.open(static_cast<std::uint32_t>(code));
    std::copy(from, from + classes, counts);
    out.add_rows(rows);
  }
}

void read_given(const GivenCounts& given, std::size_t begin, std::size_t n_codes, CodeCounts& out) {
  const std::size_t classes = out.classes();
  const bool with_rows = given.lanes > classes;
  for (std::size_t code = 0; code < n_codes; ++code) {
    const std::size_t from = begin + code * given.lanes;
    double rows = with_rows ? given.cell(from + classes) : 0.0;
    for (std::size_t k = 0; !with_rows && k < classes; ++k) rows += given.cell(from + k);
    if (rows == 0.0) continue;
    double* counts = out.open(static_cast<std::uint32_t>(code));
    for (std::size_t k = 0; k < classes; ++k) counts[k] = given.cell(from + k);
    out.add_rows(static_cast<std::size_t>(rows));
  }
}

template <TagMode Mode, class Code>
void DenseCounter::count(const typename TagReader<Mode>::ListItem* first,
                         const typename TagReader<Mode>::ListItem* last, const Code* codes, std::size_t n_codes,
                         const TagReader<Mode>& tags, CodeCounts& out) {
  const std::size_t classes = out.classes();
  if (counts_.size() < n_codes * classes) counts_.resize(n_codes * classes, 0.0);
  if (rows_.size() < n_codes) rows_.resize(n_codes, 0);
  const std::size_t words = (n_codes + 63) / 64;
  if (present_.size() < words) present_.resize(words, 0);
  for (const auto* tag = first; tag != last; ++tag) {
    const Code code = codes[tags.row(*tag)];
    ++rows_[code];
    counts_[code * classes + tags.cls(*tag)] += static_cast<double>(tags.weight(*tag));
  }
  // Small nodes hold few codes: find those by a bit each instead of looking at all.
  if (static_cast<std::size_t>(last - first) < n_codes) {
    for (const auto* tag = first; tag != last; ++tag) {
      const Code code = codes[tags.row(*tag)];
      present_[code / 64] |= std::uint64_t{1} << (code % 64);
    }
  } else {
    for (std::size_t code = 0; code < n_codes; ++code) {
      if (rows_[code] != 0) present_[code / 64] |= std::uint64_t{1} << (code % 64);
    }
  }
  for (std::size_t word = 0; word < words; ++word) {
    for (std::uint64_t bits = std::exchange(present_[word], 0); bits != 0; bits &= bits - 1) {
      const std::size_t code = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      double* from = counts_.data() + code * classes;
      std::copy(from, from + classes, out.open(static_cast<std::uint32_t>(code)));
      out.add_rows(rows_[code]);
      std::fill(from, from + classes, 0.0);
      rows_[code] = 0;
    }
  }
}

#define RAMIFY_COUNTER(ITEM, CODE, MODE)                                                \
  template void DenseCounter::count(const ITEM*, const ITEM*, const CODE*, std::size_t, \
                                    const TagReader<TagMode::MODE>&, CodeCounts&);
RAMIFY_COUNTER(std::uint32_t, std::uint8_t, packed)
RAMIFY_COUNTER(std::uint32_t, std::uint8_t, looked_up)
RAMIFY_COUNTER(WeightedEntry, std::uint8_t, weighted)
RAMIFY_COUNTER(std::uint32_t, std::uint16_t, packed)
RAMIFY_COUNTER(std::uint32_t, std::uint16_t, looked_up)
RAMIFY_COUNTER(WeightedEntry, std::uint16_t, weighted)
#undef RAMIFY_COUNTER

}  // namespace ramify
