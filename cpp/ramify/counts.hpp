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

  // Takes the last entry away, its counts and rows being handed over.
  void drop_last(std::vector<double>& counts, std::size_t& rows) {
    counts.assign(counts_.end() - static_cast<std::ptrdiff_t>(classes_), counts_.end());
    rows = rows_.back();
    codes_.pop_back();
    rows_.pop_back();
    counts_.resize(counts_.size() - classes_);
  }
  // Adds cases to an entry, whatever their code.
  void add(std::size_t i, const std::vector<double>& counts, std::size_t rows) {
    for (std::size_t k = 0; k < classes_; ++k) counts_[i * classes_ + k] += counts[k];
    rows_[i] += static_cast<std::uint32_t>(rows);
  }

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
void count_run(const typename TagReader<Mode>::RunEntry* first, const typename TagReader<Mode>::RunEntry* last,
               const TagReader<Mode>& tags, CodeCounts& out) {
  for (const auto* entry = first; entry != last;) {
    const std::uint32_t code = entry->code;
    double* counts = out.open(code);
    const auto* start = entry;
    for (; entry != last && entry->code == code; ++entry) {
      counts[tags.cls(*entry)] += static_cast<double>(tags.weight(*entry));
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
  void count(const typename TagReader<Mode>::ListItem* first, const typename TagReader<Mode>::ListItem* last,
             const std::uint8_t* codes, const TagReader<Mode>& tags, CodeCounts& out);

 private:
  std::vector<double> counts_;       // all zero between calls
  std::vector<std::uint32_t> rows_;  // likewise
};

}  // namespace ramify
