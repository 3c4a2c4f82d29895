#include "ramify/counts.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace ramify {

void add_to_histogram(const std::uint32_t* first, const std::uint32_t* last, const std::uint8_t* codes,
                      const TagReader<TagMode::packed>& tags, std::size_t classes, std::uint32_t* histogram) {
  for (; first != last; ++first) ++histogram[codes[tags.row(*first)] * classes + tags.cls(*first)];
}

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

template <TagMode Mode>
void DenseCounter::count(const typename TagReader<Mode>::ListItem* first,
                         const typename TagReader<Mode>::ListItem* last, const std::uint8_t* codes,
                         const TagReader<Mode>& tags, CodeCounts& out) {
  constexpr std::size_t kCodes = 256;
  const std::size_t classes = out.classes();
  if (counts_.size() < kCodes * classes) counts_.resize(kCodes * classes, 0.0);
  rows_.resize(kCodes, 0);
  for (const auto* tag = first; tag != last; ++tag) {
    const std::uint8_t code = codes[tags.row(*tag)];
    ++rows_[code];
    counts_[code * classes + tags.cls(*tag)] += static_cast<double>(tags.weight(*tag));
  }
  // Small nodes hold few codes: find those by a bit each instead of looking at all 256.
  std::array<std::uint64_t, kCodes / 64> present{};
  if (static_cast<std::size_t>(last - first) < kCodes) {
    for (const auto* tag = first; tag != last; ++tag) {
      const std::uint8_t code = codes[tags.row(*tag)];
      present[code / 64] |= std::uint64_t{1} << (code % 64);
    }
  } else {
    for (std::size_t code = 0; code < kCodes; ++code) {
      if (rows_[code] != 0) present[code / 64] |= std::uint64_t{1} << (code % 64);
    }
  }
  for (std::size_t word = 0; word < present.size(); ++word) {
    for (std::uint64_t bits = present[word]; bits != 0; bits &= bits - 1) {
      const std::size_t code = word * 64 + static_cast<std::size_t>(std::countr_zero(bits));
      double* from = counts_.data() + code * classes;
      std::copy(from, from + classes, out.open(static_cast<std::uint32_t>(code)));
      out.add_rows(rows_[code]);
      std::fill(from, from + classes, 0.0);
      rows_[code] = 0;
    }
  }
}

template void DenseCounter::count(const std::uint32_t*, const std::uint32_t*, const std::uint8_t*,
                                  const TagReader<TagMode::packed>&, CodeCounts&);
template void DenseCounter::count(const std::uint32_t*, const std::uint32_t*, const std::uint8_t*,
                                  const TagReader<TagMode::looked_up>&, CodeCounts&);
template void DenseCounter::count(const WeightedEntry*, const WeightedEntry*, const std::uint8_t*,
                                  const TagReader<TagMode::weighted>&, CodeCounts&);

}  // namespace ramify
