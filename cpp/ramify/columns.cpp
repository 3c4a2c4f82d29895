#include "ramify/columns.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "ramify/binning.hpp"
#include "ramify/distinct.hpp"
#include "ramify/keys.hpp"
#include "ramify/quantiles.hpp"

namespace ramify {

namespace {

constexpr std::uint32_t kByteCodes = 256;
constexpr std::uint32_t kWideCodes = 65536;

bool any_missing(const Feature& feature, std::size_t rows) {
  for (std::size_t row = 0; feature.may_miss && row < rows; ++row) {
    if (feature.missing(row)) return true;
  }
  return false;
}

// The least and the largest number of a column; none if `low` is above `high`.
struct Span {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

Span span_of(const Feature& feature, std::size_t rows) {
  Span span;
  for (std::size_t row = 0; row < rows; ++row) {
    if (feature.missing(row)) continue;
    span.low = std::min(span.low, feature.number(row));
    span.high = std::max(span.high, feature.number(row));
  }
  return span;
}

}  // namespace

double Column::threshold_of_codes(std::uint32_t left_code, std::uint32_t right_code) const {
  return edges.empty() ? midpoint(values[left_code], values[right_code]) : edges[left_code];
}

double Column::threshold_of_rows(std::size_t left_row, std::size_t right_row) const {
  return midpoint(feature.number(left_row), feature.number(right_row));
}

// The codes of a column as bytes, or as two bytes each where `most` allows for it; null if there are too many.
template <class CodeOf>
Columns::Codes Columns::write_codes(Column& column, std::uint32_t most, CodeOf&& code_of) const {
  const std::size_t needed = column.n_dense_codes();
  if (needed > most) return nullptr;
  column.dense = true;
  column.wide = needed > kByteCodes;
  const auto write = [&](auto* codes) {
    using Code = std::remove_pointer_t<decltype(codes)>;
    for (std::size_t row = 0; row < rows_; ++row) {
      const bool missing = column.has_missing && column.feature.missing(row);
      codes[row] = static_cast<Code>(missing ? column.n_codes : code_of(row));
    }
  };
  Codes codes = std::make_unique_for_overwrite<std::byte[]>(rows_ * (column.wide ? 2 : 1));
  if (column.wide) {
    write(reinterpret_cast<std::uint16_t*>(codes.get()));
  } else {
    write(reinterpret_cast<std::uint8_t*>(codes.get()));
  }
  return codes;
}

// Codes by value if there are at most `limit` distinct ones; false if there are more.
template <class Place>
bool Columns::encode_few(Column& column, Codes& codes, std::uint32_t most, std::uint32_t limit) const {
  const Feature& feature = column.feature;
  DistinctNumbers distinct(limit);
  const auto places = std::make_unique_for_overwrite<Place[]>(rows_);
  for (std::size_t row = 0; row < rows_; ++row) {
    if (column.has_missing && feature.missing(row)) continue;
    const std::uint32_t place = distinct.place(feature.number(row));
    if (place == limit) return false;
    places[row] = static_cast<Place>(place);
  }
  std::vector<double> values = distinct.numbers();
  std::sort(values.begin(), values.end());
  static_cast<Coding&>(column) = coding_of_values(std::move(values), column.has_missing);
  std::vector<std::uint32_t> rank;
  for (const double number : distinct.numbers()) rank.push_back(column.place(number));
  codes = write_codes(column, most, [&](std::size_t row) { return rank[places[row]]; });
  return true;
}

// Makes the column dense if it has few codes.
void Columns::encode(Column& column, Codes& codes, const Labels& labels, Cuts cuts, std::uint32_t max_bins) const {
  const Feature& feature = column.feature;
  const bool binned = cuts == Cuts::equal_width || cuts == Cuts::quantile;
  const std::uint32_t most = binned ? kWideCodes : kByteCodes;
  if (column.nominal) {
    column.n_codes = feature.n_categories;
    codes = write_codes(column, most,
                        [&](std::size_t row) { return static_cast<std::uint32_t>(feature.category(row)); });
    return;
  }
  if (cuts == Cuts::equal_width) {
    const Span span = span_of(feature, rows_);
    static_cast<Coding&>(column) =
        coding_of_edges(equal_width_edges(span.low, span.high, max_bins), column.has_missing);
  } else {
    // Where all cuts are wanted, a column that takes a value only a few times is better off as a run.
    const std::uint32_t room = kByteCodes - (column.has_missing ? 1 : 0);
    const auto limit = binned ? max_bins : static_cast<std::uint32_t>(std::min<std::size_t>(room, rows_ / 4));
    if (limit <= kByteCodes ? encode_few<std::uint8_t>(column, codes, most, limit)
                            : encode_few<std::uint16_t>(column, codes, most, limit)) {
      return;
    }
    if (!binned) return;
    const auto visit = [&](auto&& take) {
      for (std::size_t row = 0; row < rows_; ++row) {
        if (!feature.missing(row)) take(feature.number(row), labels.weight(row));
      }
    };
    static_cast<Coding&>(column) = coding_of_edges(quantile_edges(max_bins, visit), column.has_missing);
  }
  codes = write_codes(column, most, Binning(feature, column, rows_));
}

Columns::Columns(const std::vector<Feature>& features, const Labels& labels, Cuts cuts, std::uint32_t max_bins,
                 bool keep_values, Pool& pool)
    : rows_(labels.rows()),
      row_mask_(labels.tags().mask),
      start_bit_(labels.tags().start),
      columns_(features.size()) {
  std::vector<Codes> codes(features.size());
  pool.for_each(features.size(), [&](std::size_t i, std::size_t) {
    columns_[i].feature = features[i];
    columns_[i].nominal = features[i].nominal();
    columns_[i].has_missing = any_missing(features[i], rows_);
    encode(columns_[i], codes[i], labels, cuts, max_bins);
  });
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    Column& column = columns_[i];
    column.slot = column.dense ? n_dense_++ : n_runs_++;
    if (!column.dense) continue;
    dense_.push_back(codes[i].get());
    codes_.push_back(std::move(codes[i]));
  }
  runs_ = LargeArray<Entry>(n_runs_ * rows_);
  fill_runs(pool);
  std::vector<std::unique_ptr<KeyedTag[]>> scratch(pool.size());
  pool.for_each(columns_.size(), [&](std::size_t i, std::size_t worker) {
    if (columns_[i].dense) return;
    if (!scratch[worker]) scratch[worker] = std::make_unique_for_overwrite<KeyedTag[]>(2 * rows_);
    sort_run(columns_[i], labels, run(columns_[i].slot), scratch[worker].get());
    if (keep_values && !columns_[i].nominal) list_values(columns_[i], run(columns_[i].slot));
  });
}

Columns::Columns(const std::vector<Coding>& codings, const std::vector<CodeArray>& arrays, const Labels& labels)
    : rows_(labels.rows()),
      row_mask_(labels.tags().mask),
      start_bit_(labels.tags().start),
      columns_(codings.size()) {
  for (std::size_t i = 0; i < codings.size(); ++i) {
    static_cast<Coding&>(columns_[i]) = codings[i];
    columns_[i].dense = true;
    columns_[i].slot = n_dense_++;
    if (arrays.empty()) continue;
    columns_[i].wide = arrays[i].wide;
    dense_.push_back(arrays[i].codes);
  }
}

// Writes keys, not yet tags, a block of rows at a time: the caller's rows are read once, in order.
void Columns::fill_runs(Pool& pool) {
  constexpr std::size_t kBlock = 256;
  pool.for_each(n_runs_ == 0 ? 0 : (rows_ + kBlock - 1) / kBlock, [&](std::size_t block, std::size_t) {
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(begin + kBlock, rows_);
    for (const Column& column : columns_) {
      if (column.dense) continue;
      const Feature& feature = column.feature;
      Entry* out = run(column.slot);
      const auto write = [&](auto key_of) {
        for (std::size_t row = begin; row < end; ++row) out[row].tag = key_of(row);
        if (!column.has_missing) return;
        for (std::size_t row = begin; row < end; ++row) {
          if (feature.missing(row)) out[row].tag = kMissingInRun;
        }
      };
      if (column.nominal) {
        write([&](std::size_t row) { return static_cast<std::uint32_t>(feature.category(row)); });
      } else if (feature.type == ValueType::float32) {
        write([&](std::size_t row) { return ordered_bits(*reinterpret_cast<const float*>(feature.at(row))); });
      } else {
        // The upper half of a double's bits: nearly the whole order; sort_run settles the rest.
        write(
            [&](std::size_t row) { return static_cast<std::uint32_t>(ordered_bits(feature.number(row)) >> 32); });
      }
    }
  });
}

// Puts the rows in the order of their values.
void Columns::sort_run(const Column& column, const Labels& labels, Entry* run, KeyedTag* scratch) const {
  for (std::size_t row = 0; row < rows_; ++row) scratch[row] = {run[row].tag, labels.tag(row)};
  KeyedTag* const sorted = sort_by_key(scratch, scratch + rows_, rows_);
  for (std::size_t i = 0; i < rows_; ++i) {
    const bool starts = i == 0 || sorted[i].key != sorted[i - 1].key;
    run[i].tag = sorted[i].tag | (starts ? start_bit_ : 0);
  }
  if (column.feature.type == ValueType::float64) sort_halves(column, run);
}

// The keys of doubles are only the upper half of the number: rows of one key are put in order by their numbers.
void Columns::sort_halves(const Column& column, Entry* run) const {
  const auto number = [&](const Entry& entry) { return column.feature.number(entry.tag & row_mask_); };
  const auto below = [&](const Entry& a, const Entry& b) { return number(a) < number(b); };
  const auto starts = [&](const Entry& entry) { return (entry.tag & start_bit_) != 0; };
  Entry* const end = run + rows_;
  for (Entry* first = run; first != end;) {
    Entry* const last = std::find_if(first + 1, end, starts);
    if (last - first > 1 && !column.feature.missing(first->tag & row_mask_)) {
      if (!std::is_sorted(first, last, below)) std::stable_sort(first, last, below);
      for (Entry* entry = first; entry != last; ++entry) {
        const bool first_of_number = entry == first || number(*entry) != number(*(entry - 1));
        entry->tag = (entry->tag & ~start_bit_) | (first_of_number ? start_bit_ : 0);
      }
    }
    first = last;
  }
}

void Columns::list_values(Column& column, const Entry* run) const {
  for (std::size_t i = 0; i < rows_; ++i) {
    const std::uint32_t row = run[i].tag & row_mask_;
    if (column.has_missing && column.feature.missing(row)) break;
    if ((run[i].tag & start_bit_) != 0) column.values.push_back(column.feature.number(row));
  }
  column.n_codes = static_cast<std::uint32_t>(column.values.size());
}

}  // namespace ramify
