// Columns as integer codes: the only data that growing reads.
//
// Glossary
//   feature   a column of the caller's data, read in place: numbers, or category codes.
//   code      an integer for each distinct number (or bin), in the order of the numbers, so nothing is lost; for
//             a nominal column the category.
//   tag       a row's number and, where both fit in 32 bits, its class: the class travels with the row.
//   dense     few codes: one byte a row, counted by node; binned columns two bytes, where one is not enough.
//   run       many codes: the tags of all rows in the order of their values, each with a bit that says whether its
//             value is another than that of the row before. It is partitioned as the tree grows. There are no
//             codes in it: the few that are ever asked for can be looked up.
//   missing   a value that is not there: a NaN, or the category kMissingCategory. It has a code of its own, above
//             all others, so that in a run the missing ones come last.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ramify/coding.hpp"
#include "ramify/labels.hpp"
#include "ramify/large_array.hpp"
#include "ramify/sort.hpp"
#include "ramify/threads.hpp"

namespace ramify {

enum class ValueType : std::uint8_t { float32, float64, category };

// Categories that are none, in a feature's data.
inline constexpr std::int32_t kUnseenCategory = -1;  // never declared; only in prediction
inline constexpr std::int32_t kMissingCategory = -2;

struct Feature {
  const std::byte* data = nullptr;
  std::ptrdiff_t stride = 0;  // bytes from one row to the next
  ValueType type = ValueType::float64;
  std::uint32_t n_categories = 0;  // of a nominal feature, whose data are int32 codes below it
  bool may_miss = false;           // values may be missing

  bool nominal() const { return type == ValueType::category; }
  const std::byte* at(std::size_t row) const { return data + static_cast<std::ptrdiff_t>(row) * stride; }
  double number(std::size_t row) const {
    return type == ValueType::float32 ? *reinterpret_cast<const float*>(at(row))
                                      : *reinterpret_cast<const double*>(at(row));
  }
  std::int32_t category(std::size_t row) const { return *reinterpret_cast<const std::int32_t*>(at(row)); }
  bool missing(std::size_t row) const {
    if (!may_miss) return false;
    return nominal() ? category(row) == kMissingCategory : std::isnan(number(row));
  }
};

// How the cuts of numeric columns are made.
enum class Cuts : std::uint8_t {
  exact,        // every midpoint between neighbouring values
  quantile,     // edges of bins of equal weight over all rows
  equal_width,  // edges of bins of equal width over all rows
  gaussian,     // one cut a node and column, where class-conditional normals gain most
};

// The code of missing values in runs, and their key there before these are sorted.
inline constexpr std::uint32_t kMissingInRun = 0xFFFFFFFFu;

struct Column : Coding {
  Feature feature;
  bool dense = false;
  bool wide = false;     // dense, with codes of two bytes
  std::size_t slot = 0;  // which of the dense arrays or of the runs

  std::uint32_t missing_code() const { return dense ? n_codes : kMissingInRun; }
  // The code of a row of a nominal run.
  std::uint32_t category_code(std::size_t row) const {
    return feature.missing(row) ? kMissingInRun : static_cast<std::uint32_t>(feature.category(row));
  }

  // The threshold that parts two neighbouring codes of a dense column, or two rows of a run.
  double threshold_of_codes(std::uint32_t left_code, std::uint32_t right_code) const;
  double threshold_of_rows(std::size_t left_row, std::size_t right_row) const;
};

// How many entries of a run have a value: the missing ones are last.
template <TagMode Mode>
std::size_t known_entries(const Column& column, const typename TagReader<Mode>::RunEntry* run, std::size_t size,
                          const TagReader<Mode>& reader) {
  if (!column.has_missing) return size;
  const auto* const first = std::partition_point(
      run, run + size, [&](const auto& entry) { return !column.feature.missing(reader.row(entry)); });
  return static_cast<std::size_t>(first - run);
}

// Codes of rows that were encoded before: an array a column, of bytes or of two bytes a row. Read in place.
struct CodeArray {
  const void* codes = nullptr;
  bool wide = false;
};

class Columns {
 public:
  // `keep_values`: every numeric column gets a table of its values; dense codes are places in it.
  Columns(const std::vector<Feature>& features, const Labels& labels, Cuts cuts, std::uint32_t max_bins,
          bool keep_values, Pool& pool);

  // From codes, all columns dense. Without arrays there are no rows, and nothing but counts can be searched.
  Columns(const std::vector<Coding>& codings, const std::vector<CodeArray>& arrays, const Labels& labels);

  std::size_t rows() const { return rows_; }
  std::size_t size() const { return columns_.size(); }
  std::size_t n_runs() const { return n_runs_; }
  // The row of an entry of a run, and the bit of starts, by the tags of the labels that the runs were made with.
  std::uint32_t row_mask() const { return row_mask_; }
  std::uint32_t start_bit() const { return start_bit_; }
  std::size_t n_dense() const { return n_dense_; }
  const Column& operator[](std::size_t i) const { return columns_[i]; }

  // Calls visit with the codes of a dense column.
  template <class Visit>
  decltype(auto) with_codes(const Column& column, Visit&& visit) const {
    const void* codes = dense_[column.slot];
    if (column.wide) return visit(static_cast<const std::uint16_t*>(codes));
    return visit(static_cast<const std::uint8_t*>(codes));
  }
  Entry* run(std::size_t slot) { return runs_.get() + slot * rows_; }
  const Entry* run(std::size_t slot) const { return runs_.get() + slot * rows_; }

  // Frees the runs, or all; they may not be read after.
  void give_up_runs() { runs_ = {}; }
  void give_up() {
    codes_.clear();
    dense_.clear();
    give_up_runs();
  }

 private:
  using Codes = std::unique_ptr<std::byte[]>;

  void encode(Column& column, Codes& codes, const Labels& labels, Cuts cuts, std::uint32_t max_bins) const;
  template <class Place>
  bool encode_few(Column& column, Codes& codes, std::uint32_t most, std::uint32_t limit) const;
  template <class CodeOf>
  Codes write_codes(Column& column, std::uint32_t most, CodeOf&& code_of) const;
  void fill_runs(Pool& pool);
  void sort_run(const Column& column, const Labels& labels, Entry* run, KeyedTag* scratch) const;
  void sort_halves(const Column& column, Entry* run) const;
  void list_values(Column& column, const Entry* run) const;

  std::size_t rows_;
  std::uint32_t row_mask_;
  std::uint32_t start_bit_;
  std::vector<Column> columns_;
  std::size_t n_runs_ = 0;
  std::size_t n_dense_ = 0;
  // Raw arrays, because a vector would write every byte once more for nothing.
  std::vector<Codes> codes_;        // of dense columns, by slot, unless others own them
  std::vector<const void*> dense_;  // likewise, to be read
  LargeArray<Entry> runs_;
};

}  // namespace ramify
