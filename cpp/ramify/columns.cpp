#include "ramify/columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "ramify/sort.hpp"

namespace ramify {

namespace {

constexpr std::uint32_t kMaxDenseCodes = 256;  // codes of dense columns are bytes

// The distinct numbers of a column, as long as there are few. Open addressing over the bits of the number.
class FewNumbers {
 public:
  // The number's place in order of appearance, or `limit` when there are more than that many.
  std::uint32_t place(double number, std::uint32_t limit) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(number + 0.0);
    std::size_t slot = (bits * 0x9E3779B97F4A7C15ull) >> (64 - kLogSlots);
    while (used_[slot]) {
      if (keys_[slot] == bits) return places_[slot];
      slot = (slot + 1) & (kSlots - 1);
    }
    if (numbers.size() == limit) return limit;
    used_[slot] = true;
    keys_[slot] = bits;
    places_[slot] = static_cast<std::uint16_t>(numbers.size());
    numbers.push_back(number + 0.0);
    return places_[slot];
  }

  std::vector<double> numbers;

 private:
  static constexpr std::size_t kLogSlots = 10;
  static constexpr std::size_t kSlots = 1 << kLogSlots;
  std::array<std::uint64_t, kSlots> keys_;
  std::array<std::uint16_t, kSlots> places_;
  std::array<bool, kSlots> used_{};
};

// Codes by value if there are few distinct ones; false, with `codes` unfinished, if there are more.
bool code_few_numbers(Column& column, std::size_t rows, std::uint8_t* codes) {
  // A column that takes a value only a few times is better off as a run.
  const std::uint32_t room = kMaxDenseCodes - (column.has_missing ? 1 : 0);
  const auto limit = static_cast<std::uint32_t>(std::min<std::size_t>(room, rows / 4));
  FewNumbers few;
  for (std::size_t row = 0; row < rows; ++row) {
    if (column.has_missing && column.feature.missing(row)) continue;
    const std::uint32_t place = few.place(column.feature.number(row), limit);
    if (place == limit) return false;
    codes[row] = static_cast<std::uint8_t>(place);
  }
  column.values = few.numbers;
  std::sort(column.values.begin(), column.values.end());
  std::array<std::uint8_t, kMaxDenseCodes> rank{};
  for (std::size_t i = 0; i < few.numbers.size(); ++i) {
    const auto found = std::lower_bound(column.values.begin(), column.values.end(), few.numbers[i]);
    rank[i] = static_cast<std::uint8_t>(found - column.values.begin());
  }
  column.n_codes = static_cast<std::uint32_t>(column.values.size());
  for (std::size_t row = 0; row < rows; ++row) {
    const bool missing = column.has_missing && column.feature.missing(row);
    codes[row] = missing ? static_cast<std::uint8_t>(column.n_codes) : rank[codes[row]];
  }
  return true;
}

bool any_missing(const Feature& feature, std::size_t rows) {
  for (std::size_t row = 0; feature.may_miss && row < rows; ++row) {
    if (feature.missing(row)) return true;
  }
  return false;
}

// Upper edges of bins of equal width, the last bin's left out. A bin is (lower edge, upper edge].
std::vector<double> equal_width_edges(const Feature& feature, std::size_t rows, std::uint32_t bins) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t row = 0; row < rows; ++row) {
    if (feature.missing(row)) continue;
    low = std::min(low, feature.number(row));
    high = std::max(high, feature.number(row));
  }
  std::vector<double> edges;
  for (std::uint32_t bin = 1; bin < bins && low < high; ++bin) {
    // As a mean of both ends, since high - low may overflow.
    const double share = static_cast<double>(bin) / bins;
    const double edge = low * (1.0 - share) + high * share;
    if (edge < high && edge >= low && (edges.empty() || edge > edges.back())) edges.push_back(edge);
  }
  return edges;
}

// Edges half way between neighbouring values, where the weight up to the lower one reaches the next share of all.
std::vector<double> quantile_edges(const Feature& feature, const Labels& labels, std::uint32_t bins) {
  std::vector<std::pair<double, double>> values;  // with their weights
  double total = 0.0;
  for (std::size_t row = 0; row < labels.rows(); ++row) {
    if (feature.missing(row)) continue;
    values.emplace_back(feature.number(row), labels.weight(row));
    total += labels.weight(row);
  }
  std::sort(values.begin(), values.end());
  std::vector<double> edges;
  double reached = 0.0;
  std::uint32_t bin = 1;
  for (std::size_t i = 0; i + 1 < values.size() && bin < bins; ++i) {
    reached += values[i].second;
    if (values[i].first == values[i + 1].first) continue;
    // The slack lets a share that is reached but for rounding count.
    const auto share = [&] { return total * bin / bins * (1.0 - 1e-12); };
    if (reached < share()) continue;
    edges.push_back(midpoint(values[i].first, values[i + 1].first));
    while (bin < bins && reached >= share()) ++bin;
  }
  return edges;
}

std::uint32_t bin_of(const std::vector<double>& edges, double number) {
  return static_cast<std::uint32_t>(std::lower_bound(edges.begin(), edges.end(), number) - edges.begin());
}

}  // namespace

double midpoint(double low, double high) {
  const double middle = low / 2.0 + high / 2.0;  // halves first: the sum may overflow
  return middle >= low && middle < high ? middle : low;
}

double Column::threshold(std::uint32_t left_code, std::uint32_t right_code, std::size_t left_row,
                         std::size_t right_row) const {
  if (!edges.empty()) return edges[left_code];
  if (dense) return midpoint(values[left_code], values[right_code]);
  return midpoint(feature.number(left_row), feature.number(right_row));
}

bool Columns::make_dense(Column& column, std::uint8_t* codes, const Labels& labels, Cuts cuts,
                         std::uint32_t max_bins) const {
  const Feature& feature = column.feature;
  const auto write = [&](auto&& code_of) {
    if (column.n_dense_codes() > kMaxDenseCodes) return false;
    for (std::size_t row = 0; row < rows_; ++row) {
      const bool missing = column.has_missing && feature.missing(row);
      codes[row] = static_cast<std::uint8_t>(missing ? column.n_codes : code_of(row));
    }
    return true;
  };
  if (column.nominal) {
    column.n_codes = feature.n_categories;
    return write([&](std::size_t row) { return static_cast<std::uint32_t>(feature.category(row)); });
  }
  if (cuts == Cuts::equal_width || cuts == Cuts::quantile) {
    column.edges = cuts == Cuts::quantile ? quantile_edges(feature, labels, max_bins)
                                          : equal_width_edges(feature, rows_, max_bins);
    column.n_codes = static_cast<std::uint32_t>(column.edges.size()) + 1;
    return write([&](std::size_t row) { return bin_of(column.edges, feature.number(row)); });
  }
  return code_few_numbers(column, rows_, codes);
}

Columns::Columns(const std::vector<Feature>& features, const Labels& labels, Cuts cuts, std::uint32_t max_bins,
                 bool keep_values, Pool& pool)
    : rows_(labels.rows()), row_mask_(labels.tags().mask), columns_(features.size()) {
  std::vector<std::unique_ptr<std::uint8_t[]>> codes(features.size());
  pool.for_each(features.size(), [&](std::size_t i, std::size_t) {
    columns_[i].feature = features[i];
    columns_[i].nominal = features[i].nominal();
    columns_[i].has_missing = any_missing(features[i], rows_);
    codes[i] = std::make_unique_for_overwrite<std::uint8_t[]>(rows_);
    columns_[i].dense = make_dense(columns_[i], codes[i].get(), labels, cuts, max_bins);
    if (!columns_[i].dense) codes[i].reset();
  });
  for (Column& column : columns_) column.slot = column.dense ? n_dense_++ : n_runs_++;

  dense_ = std::make_unique_for_overwrite<std::uint8_t[]>(n_dense_ * rows_);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!columns_[i].dense) continue;
    std::copy(codes[i].get(), codes[i].get() + rows_, dense_.get() + columns_[i].slot * rows_);
    codes[i].reset();
  }
  runs_ = std::make_unique_for_overwrite<Entry[]>(n_runs_ * rows_);
  fill_runs(labels, pool);
  std::vector<std::unique_ptr<Entry[]>> scratch(pool.size());
  pool.for_each(columns_.size(), [&](std::size_t i, std::size_t worker) {
    if (columns_[i].dense) return;
    if (!scratch[worker]) scratch[worker] = std::make_unique_for_overwrite<Entry[]>(rows_);
    sort_run(columns_[i], run(columns_[i].slot), scratch[worker].get());
    if (keep_values && !columns_[i].nominal) rank_run(columns_[i], run(columns_[i].slot));
  });
}

// Writes keys, not yet codes, a block of rows at a time: the caller's rows are read once, in order.
void Columns::fill_runs(const Labels& labels, Pool& pool) {
  constexpr std::size_t kBlock = 256;
  pool.for_each(n_runs_ == 0 ? 0 : (rows_ + kBlock - 1) / kBlock, [&](std::size_t block, std::size_t) {
    const std::size_t begin = block * kBlock;
    const std::size_t end = std::min(begin + kBlock, rows_);
    for (const Column& column : columns_) {
      if (column.dense) continue;
      const Feature& feature = column.feature;
      Entry* out = run(column.slot);
      const auto write = [&](auto key_of) {
        for (std::size_t row = begin; row < end; ++row) out[row] = {key_of(row), labels.tag(row)};
        if (!column.has_missing) return;
        for (std::size_t row = begin; row < end; ++row) {
          if (feature.missing(row)) out[row].code = kMissingInRun;
        }
      };
      if (column.nominal) {
        write([&](std::size_t row) { return static_cast<std::uint32_t>(feature.category(row)); });
      } else if (!column.edges.empty()) {
        write([&](std::size_t row) { return bin_of(column.edges, feature.number(row)); });
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

// Sorts a run by its keys. The keys of floats, bins and categories are codes already. Those of doubles are only
// the upper half of the number, so entries of one key are put in order by their numbers, and all are ranked.
void Columns::sort_run(const Column& column, Entry* run, Entry* scratch) const {
  sort_by_code(run, scratch, rows_);
  const Feature& feature = column.feature;
  if (feature.type != ValueType::float64 || !column.edges.empty()) return;
  const auto number = [&](const Entry& entry) { return feature.number(entry.tag & row_mask_); };
  const auto below = [&](const Entry& a, const Entry& b) { return number(a) < number(b); };
  std::uint32_t rank = 0;
  for (std::size_t begin = 0; begin < rows_ && run[begin].code != kMissingInRun;) {
    std::size_t end = begin + 1;
    while (end < rows_ && run[end].code == run[begin].code) ++end;
    if (end - begin > 1) {
      if (!std::is_sorted(run + begin, run + end, below)) std::stable_sort(run + begin, run + end, below);
      double last = number(run[begin]);
      for (std::size_t i = begin; i < end; ++i) {
        const double next = number(run[i]);
        if (next != last) ++rank;
        last = next;
        run[i].code = rank;
      }
    } else {
      run[begin].code = rank;
    }
    ++rank;
    begin = end;
  }
}

void Columns::rank_run(Column& column, Entry* run) const {
  std::uint32_t last = 0;
  for (std::size_t i = 0; i < rows_ && run[i].code != kMissingInRun; ++i) {
    const std::uint32_t code = run[i].code;
    if (i == 0 || code != last) column.values.push_back(column.feature.number(run[i].tag & row_mask_));
    last = code;
    run[i].code = static_cast<std::uint32_t>(column.values.size()) - 1;
  }
  column.n_codes = static_cast<std::uint32_t>(column.values.size());
}

}  // namespace ramify
