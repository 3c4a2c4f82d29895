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
  void add_rows(std::size_t rows) { rows_.back() += rows; }

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
    rows_[i] += rows;
  }

  std::size_t size() const { return codes_.size(); }
  std::size_t classes() const { return classes_; }
  std::uint32_t code(std::size_t i) const { return codes_[i]; }
  std::size_t rows(std::size_t i) const { return rows_[i]; }
  const double* of(std::size_t i) const { return counts_.data() + i * classes_; }
  const double* all() const { return counts_.data(); }

 private:
  std::size_t classes_ = 0;
  std::vector<std::uint32_t> codes_;
  std::vector<std::size_t> rows_;
  std::vector<double> counts_;
};

// The counts of a sorted run, the code of whose rows code_of(row) is.
template <TagMode Mode, class CodeOf>
void count_run(const typename TagReader<Mode>::RunEntry* first, const typename TagReader<Mode>::RunEntry* last,
               const TagReader<Mode>& tags, CodeOf&& code_of, CodeCounts& out) {
  for (const auto* entry = first; entry != last;) {
    double* counts = out.open(code_of(tags.row(*entry)));
    const auto* start = entry;
    do {
      counts[tags.cls(*entry)] += static_cast<double>(tags.weight(*entry));
    } while (++entry != last && !tags.starts(*entry));
    out.add_rows(static_cast<std::size_t>(entry - start));
  }
}

// Class counts of every code of a dense column, as a plain array of n_codes x classes.
template <class Code>
void add_to_histogram(const std::uint32_t* first, const std::uint32_t* last, const Code* codes,
                      const TagReader<TagMode::packed>& tags, std::size_t classes, std::uint32_t* histogram) {
  for (; first != last; ++first) ++histogram[codes[tags.row(*first)] * classes + tags.cls(*first)];
}

// The codes that occur in such an array.
void read_histogram(const std::uint32_t* histogram, std::size_t n_codes, CodeCounts& out);

// Counts that were made elsewhere, of one node and all its columns, each n_dense_codes x lanes: weights of the
// classes and, unless all rows weigh 1, the rows. Whole numbers are integers, others doubles.
struct GivenCounts {
  const std::int64_t* whole = nullptr;
  const double* real = nullptr;
  std::size_t lanes = 0;

  double cell(std::size_t i) const { return whole != nullptr ? static_cast<double>(whole[i]) : real[i]; }
};

// The codes that occur in those of a column, which begin at a cell.
void read_given(const GivenCounts& given, std::size_t begin, std::size_t n_codes, CodeCounts& out);

// The counts of a dense column over the tagged rows, touching only the codes that occur.
class DenseCounter {
 public:
  template <TagMode Mode, class Code>
  void count(const typename TagReader<Mode>::ListItem* first, const typename TagReader<Mode>::ListItem* last,
             const Code* codes, std::size_t n_codes, const TagReader<Mode>& tags, CodeCounts& out);

 private:
  std::vector<double> counts_;          // all zero between calls
  std::vector<std::uint32_t> rows_;     // likewise
  std::vector<std::uint64_t> present_;  // a bit a code, likewise
};

}  // namespace ramify
