// Class counts per code, for one node and one column: codes that occur there, in order.
//
// This is all that a search of a nominal or coarse column needs, wherever the counts came from; counts of two
// sets of rows may be added, and a child's are its parent's less its siblings'.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/labels.hpp"

namespace ramify {

class CodeCounts {
 public:
  void reset(std::size_t classes) {
    classes_ = classes;
    codes_.clear();
    rows_.clear();
    counts_.clear();
  }

  // Opens the entry of a code, which must be above all before it; its counts are zero.
  double* open(std::uint32_t code) {
    codes_.push_back(code);
    rows_.push_back(0);
    counts_.resize(counts_.size() + classes_, 0.0);
    return counts_.data() + counts_.size() - classes_;
  }
  void add_rows(std::uint32_t rows) { rows_.back() += rows; }

  std::size_t size() const { return codes_.size(); }
  std::size_t classes() const { return classes_; }
  std::uint32_t code(std::size_t i) const { return codes_[i]; }
  std::uint32_t rows(std::size_t i) const { return rows_[i]; }
  const double* of(std::size_t i) const { return counts_.data() + i * classes_; }
  const double* all() const { return counts_.data(); }

 private:
  std::size_t classes_ = 0;
  std::vector<std::uint32_t> codes_;
  std::vector<std::uint32_t> rows_;
  std::vector<double> counts_;
};

// The counts of a sorted run.
template <TagMode Mode>
void count_run(const Entry* first, const Entry* last, const TagReader<Mode>& tags, CodeCounts& out) {
  for (const Entry* entry = first; entry != last;) {
    const std::uint32_t code = entry->code;
    double* counts = out.open(code);
    const Entry* start = entry;
    for (; entry != last && entry->code == code; ++entry) {
      counts[tags.cls(entry->tag)] += static_cast<double>(tags.weight(entry->tag));
    }
    out.add_rows(static_cast<std::uint32_t>(entry - start));
  }
}

// Class counts of every code of a dense column, as a plain array of n_codes x classes.
void add_to_histogram(const std::uint32_t* first, const std::uint32_t* last, const std::uint8_t* codes,
                      const TagReader<TagMode::packed>& tags, std::size_t classes, std::uint32_t* histogram);

// The codes that occur in such an array.
void read_histogram(const std::uint32_t* histogram, std::size_t n_codes, CodeCounts& out);

// The counts of a dense column over the tagged rows, touching only the codes that occur.
class DenseCounter {
 public:
  template <TagMode Mode>
  void count(const std::uint32_t* first, const std::uint32_t* last, const std::uint8_t* codes,
             const TagReader<Mode>& tags, CodeCounts& out);

 private:
  std::vector<double> counts_;       // all zero between calls
  std::vector<std::uint32_t> rows_;  // likewise
};

}  // namespace ramify
