// The class and the weight of every row, and how a row is tagged.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ramify {

// How much a row counts: once, a whole number of times, or any positive weight. Whole weights are copies of
// the row and stay integers throughout; real ones are summed as doubles.
enum class Weighting : std::uint8_t { unit, whole, real };

// What a tag must be read with. In `packed` mode (unit weights, and row and class fit in 32 bits) the class
// is in the tag itself; otherwise the tag is the row and class and weight are looked up.
struct Tags {
  std::uint32_t shift = 0;
  std::uint32_t mask = 0xFFFFFFFFu;
  const std::uint32_t* classes = nullptr;
  const std::uint32_t* whole = nullptr;
  const double* real = nullptr;

  std::uint32_t row(std::uint32_t tag) const { return tag & mask; }
};

enum class TagMode : std::uint8_t { packed, looked_up, weighted };

template <TagMode Mode>
struct TagReader {
  Tags tags;
  std::uint32_t row(std::uint32_t tag) const { return tags.row(tag); }
  std::uint32_t cls(std::uint32_t tag) const {
    if constexpr (Mode == TagMode::packed) return tag >> tags.shift;
    return tags.classes[tag];
  }
  auto weight(std::uint32_t tag) const {
    if constexpr (Mode == TagMode::packed) return std::uint32_t{1};
    if constexpr (Mode == TagMode::looked_up) return tags.whole == nullptr ? 1u : tags.whole[tag];
    if constexpr (Mode == TagMode::weighted) return tags.real[tag];
  }
};

class Labels {
 public:
  // `weights` may be null. Both arrays must outlive this.
  Labels(const std::uint32_t* classes, std::size_t rows, std::uint32_t n_classes, const double* weights);

  std::size_t rows() const { return rows_; }
  std::uint32_t n_classes() const { return n_classes_; }
  Weighting weighting() const { return weighting_; }
  TagMode mode() const;
  const Tags& tags() const { return tags_; }
  std::uint32_t tag(std::size_t row) const {
    const auto number = static_cast<std::uint32_t>(row);
    return packed_ ? (tags_.classes[row] << tags_.shift) | number : number;
  }
  // Weight of each class, and of all rows.
  const std::vector<double>& totals() const { return totals_; }
  double total() const { return total_; }
  // The smallest weight of a row.
  double smallest() const { return smallest_; }

 private:
  std::size_t rows_;
  std::uint32_t n_classes_;
  Weighting weighting_ = Weighting::unit;
  bool packed_ = false;
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
