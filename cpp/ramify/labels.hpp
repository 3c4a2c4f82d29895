// The class and the weight of every row, and how a row is tagged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace ramify {

// How much a row counts: once, a whole number of times, or any positive weight. Whole weights are copies of
// the row and stay integers throughout; real ones are summed as doubles.
enum class Weighting : std::uint8_t { unit, whole, real };

// How rows count whose weights are all 1 (unit), or all whole, and add up to `total`. Whole weights are looked up
// in tables of n^q and counted in 32 bits.
Weighting weighting_of(bool unit, bool whole, double total, std::size_t rows);

// All rows of the training data, wherever they are. Scores, ties and stop rules look at them, so a part of the
// rows is searched as it would be among all.
struct Population {
  std::size_t rows = 0;
  std::vector<double> totals;  // weight of each class
  Weighting weighting = Weighting::unit;
  double smallest = 1.0;  // weight of a row
};

// A row of a column's run: its tag, and in it a bit that says whether a value starts there, which is to say that
// the entry before it has another. The first entry of a node always starts one. A row may be in a node in part (a
// case whose value was missing further up), so where weights are real an entry carries its own.
struct Entry {
  std::uint32_t tag;
};
struct WeightedEntry {
  std::uint32_t tag;
  double weight;
};

// What a tag must be read with. In `packed` mode (unit weights, and row, class and the bit of starts fit in 32
// bits) the class is in the tag itself; in `looked_up` mode the tag is the row, and class and whole weight are
// looked up; in `weighted` mode entries carry their weights, and the class is in the tag where it fits.
struct Tags {
  std::uint32_t shift = 0;            // of the class
  std::uint32_t mask = 0x7FFFFFFFu;   // of the row
  std::uint32_t start = 0x80000000u;  // the bit of entries that start a value
  const std::uint32_t* classes = nullptr;
  const std::uint32_t* whole = nullptr;

  std::uint32_t row(std::uint32_t tag) const { return tag & mask; }
};

enum class TagMode : std::uint8_t { packed, looked_up, weighted };

template <TagMode Mode>
struct TagReader {
  using RunEntry = std::conditional_t<Mode == TagMode::weighted, WeightedEntry, Entry>;
  // The rows of a node, in no order of any column: bare tags, or entries for the sake of their weights.
  using ListItem = std::conditional_t<Mode == TagMode::weighted, WeightedEntry, std::uint32_t>;

  Tags tags;

  static std::uint32_t tag_of(std::uint32_t tag) { return tag; }
  template <class Item>
  static std::uint32_t tag_of(const Item& item) {
    return item.tag;
  }
  template <class Item>
  std::uint32_t row(const Item& item) const {
    return tags.row(tag_of(item));
  }
  bool starts(const RunEntry& entry) const { return (entry.tag & tags.start) != 0; }
  template <class Item>
  std::uint32_t cls(const Item& item) const {
    if constexpr (Mode == TagMode::packed) return tag_of(item) >> tags.shift;
    if constexpr (Mode == TagMode::weighted) {
      if (tags.shift != 0) return tag_of(item) >> tags.shift;
    }
    return tags.classes[row(item)];
  }
  template <class Item>
  auto weight(const Item& item) const {
    if constexpr (Mode == TagMode::packed) return std::uint32_t{1};
    if constexpr (Mode == TagMode::looked_up) return tags.whole == nullptr ? 1u : tags.whole[row(item)];
    if constexpr (Mode == TagMode::weighted) return item.weight;
  }
};

class Labels {
 public:
  // `weights` may be null. Both arrays must outlive this. `in_parts`: rows may be in a node in part, so that
  // entries must carry their weights whatever these are.
  // `chosen`: the only rows that count, such as those of a fold; rows keep their numbers all the same. Empty: all.
  Labels(const std::uint32_t* classes, std::size_t rows, std::uint32_t n_classes, const double* weights,
         bool in_parts = false, std::span<const std::uint32_t> chosen = {});

  // Some rows of a population, in one node of its tree; or none at all, where only counts are looked at.
  Labels(const std::uint32_t* classes, std::size_t rows, const double* weights, const Population& population);
  explicit Labels(const Population& population) : Labels(nullptr, 0, nullptr, population) {}

  std::size_t rows() const { return rows_; }
  // How many rows count.
  std::size_t counted() const { return counted_; }
  std::uint32_t n_classes() const { return n_classes_; }
  Weighting weighting() const { return weighting_; }
  TagMode mode() const;
  bool in_parts() const { return in_parts_; }
  const Tags& tags() const { return tags_; }
  std::uint32_t tag(std::size_t row) const {
    const auto number = static_cast<std::uint32_t>(row);
    return packed_ ? (tags_.classes[row] << tags_.shift) | number : number;
  }
  double weight(std::size_t row) const { return weights_ == nullptr ? 1.0 : weights_[row]; }
  // Weight of each class; and of all rows, those of the population if these are some of them.
  const std::vector<double>& totals() const { return totals_; }
  double total() const { return total_; }
  // The smallest weight of a row, likewise.
  double smallest() const { return smallest_; }

 private:
  void make_tags(std::span<const std::uint32_t> chosen);

  std::size_t rows_;
  std::size_t counted_;
  std::uint32_t n_classes_;
  const double* weights_;
  bool in_parts_;
  Weighting weighting_;
  bool packed_ = false;  // the class is in the tag
  Tags tags_;
  std::vector<std::uint32_t> whole_;
  std::vector<double> totals_;
  double total_ = 0.0;
  double smallest_ = 1.0;
};

// Calls visit.operator()<Mode>() for the mode of the labels.
template <class Visit>
void with_tag_mode(TagMode mode, Visit&& visit) {
  switch (mode) {
    case TagMode::packed:
      return visit.template operator()<TagMode::packed>();
    case TagMode::looked_up:
      return visit.template operator()<TagMode::looked_up>();
    case TagMode::weighted:
      return visit.template operator()<TagMode::weighted>();
  }
}

}  // namespace ramify
