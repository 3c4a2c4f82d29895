#include "ramify/search/bounded_scan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "ramify/processors.hpp"

namespace ramify {

namespace {

// Counts of up to 255 cases of up to 8 classes, each a byte of one word.
RAMIFY_FOR_EACH_PROCESSOR
std::uint64_t count_by_bytes(const Entry* entries, std::size_t count, std::uint32_t shift) {
  std::uint64_t sum = 0;
  std::size_t i = 0;
#if defined(__GNUC__)
  // Eight entries at a time, two to a word: a vector that shifts each lane by its own amount.
  static_assert(sizeof(Entry) == sizeof(std::uint32_t));
  using Words = std::uint64_t __attribute__((vector_size(32)));
  const std::uint64_t to_class = 32 + std::uint64_t{shift};
  const Words one = {1, 1, 1, 1};
  Words counts = {0, 0, 0, 0};
  for (; i + 8 <= count; i += 8) {
    Words words;
    std::memcpy(&words, entries + i, sizeof(words));
    counts += one << ((words >> to_class) << 3);
    counts += one << ((words << 32 >> to_class) << 3);
  }
  sum = counts[0] + counts[1] + counts[2] + counts[3];
#endif
  for (; i < count; ++i) sum += std::uint64_t{1} << ((entries[i].tag >> shift) << 3);
  return sum;
}

}  // namespace

bool bounds_pay(const Question& question, std::size_t rows) {
  return rows >= kShortestForBounds && question.book.order.q() > 0.0;
}

std::size_t block_size(std::size_t rows, std::size_t classes) {
  const std::size_t cheap_enough = 8 * classes;  // a bound costs about as much as this many cases
  return std::clamp<std::size_t>(rows / 32, std::max<std::size_t>(32, cheap_enough),
                                 std::max<std::size_t>(128, cheap_enough));
}

BlockBounds::BlockBounds(const Question& question, std::size_t block, BlockBuffers& buffers)
    : powers_(question.book.powers->powers()),
      scales_(question.book.powers->scales()),
      steps_(question.book.powers->steps()),
      totals_(question.node.classes),
      buffers_(buffers),
      classes_(question.node.classes),
      size_(block),
      excess_(question.book.order.q() - 1.0),
      steepest_(question.book.powers->plain() ? 1.0 / excess_ : 0.0),
      plain_(question.book.powers->plain()) {
  std::transform(question.node.counts, question.node.counts + classes_, totals_.begin(),
                 [](double count) { return static_cast<std::uint32_t>(count); });
}

void BlockBounds::count_classes(const Entry* first, const TagReader<TagMode::packed>& tags) {
  buffers_.counts.resize((blocks_ + 1) * classes_);
  std::uint32_t* counts = buffers_.counts.data();
  std::fill(counts, counts + classes_, 0u);
  for (std::size_t block = 0; block < blocks_; ++block, counts += classes_) {
    const Entry* const from = first + rows_left(block);
    const Entry* const to = first + rows_left(block + 1);
    std::copy(counts, counts + classes_, counts + classes_);
    if (classes_ <= 8 && size_ <= 255) {
      const std::uint64_t bytes = count_by_bytes(from, static_cast<std::size_t>(to - from), tags.tags.shift);
      for (std::size_t k = 0; k < classes_; ++k)
        counts[classes_ + k] += static_cast<std::uint32_t>((bytes >> (8 * k)) & 0xFF);
    } else {
      for (const Entry* entry = from; entry != to; ++entry) ++counts[classes_ + tags.cls(entry->tag)];
    }
  }
  buffers_.counted = first;
}

void BlockBounds::count(const Entry* first, std::size_t rows, const TagReader<TagMode::packed>& tags) {
  constexpr std::size_t kFewestToGroup = 128;
  constexpr std::size_t kGroup = 16;
  rows_ = rows;
  blocks_ = (rows + size_ - 1) / size_;
  group_ = blocks_ < kFewestToGroup ? 1 : kGroup;
  if (buffers_.counted != first) count_classes(first, tags);
  buffers_.left_sum.resize(blocks_ + 1);
  buffers_.right_sum.resize(blocks_ + 1);
  if (group_ == 1) return add_up(0, blocks_);
  for (std::size_t edge = 0; edge < blocks_; edge += group_) add_up(edge, edge);
  add_up(blocks_, blocks_);
}

void BlockBounds::add_up(std::size_t from, std::size_t to) {
  const std::uint32_t* counts = left_counts(from);
  for (std::size_t edge = from; edge <= to; ++edge, counts += classes_) {
    double left = 0.0;
    double right = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      left += powers_[counts[k]];
      right += powers_[totals_[k] - counts[k]];
    }
    buffers_.left_sum[edge] = left;
    buffers_.right_sum[edge] = right;
  }
}

double BlockBounds::promise(std::size_t edge) const {
  const std::size_t n_left = rows_left(edge);
  return side(n_left, left_sum(edge)) + side(rows_ - n_left, right_sum(edge));
}

Slice BlockBounds::slice(const Entry* first, std::size_t block) {
  const std::size_t begin = rows_left(block);
  const std::size_t end = rows_left(block + 1);
  const std::uint32_t* const left = left_counts(block);
  const std::uint32_t* const left_of_next = left_counts(block + 1);
  buffers_.right_counts.resize(classes_);
  for (std::size_t k = 0; k < classes_; ++k) buffers_.right_counts[k] = totals_[k] - left_of_next[k];
  return {first + begin,
          end - begin,
          {left, begin, left_sum(block)},
          {buffers_.right_counts.data(), rows_ - end, right_sum(block + 1)}};
}

// Slopes are bounded by the steps of the tables: power(n + 1) - power(n) is at least the derivative of a convex
// power at n, and at most that of a concave one, whose scale is negative.
//
// Powers that are not plain are convex, and g(c) is -n S, S being the entropy of c. Its slope in class k is
//
//     scale(n) * (power'(c_k) - power'(n)) + (q - 1) S,
//
// whose first part is never positive, so that the smallest scale bounds it; and as n S never falls from end to
// end, S is known from below and from above.
BlockBounds::Slopes BlockBounds::slopes(const End& low, const End& high) const {
  if (low.n == 0) return {0.0, steepest_};
  if (plain_) {
    const double spread = low.sum * std::abs(scales_[high.n]) / static_cast<double>(high.n);
    return {scales_[low.n], -std::abs(excess_) * spread};
  }
  const bool falls = excess_ > 0.0;  // the scale; and the most that S can be is asked for
  const End& of_entropy = falls ? high : low;
  const double entropy = -side(of_entropy.n, of_entropy.sum) / static_cast<double>(falls ? low.n : high.n);
  const double scale = scales_[falls ? high.n : low.n];
  return {scale, excess_ * entropy - scale * steps_[low.n - 1]};
}

double BlockBounds::bound(std::size_t from, std::size_t to) const {
  const std::size_t n_i = rows_left(from);
  const std::size_t n_j = rows_left(to);
  const std::uint32_t* l_i = left_counts(from);
  const std::uint32_t* l_j = left_counts(to);
  const Slopes left = slopes({n_i, left_sum(from)}, {n_j, left_sum(to)});
  const Slopes right = slopes({rows_ - n_j, right_sum(to)}, {rows_ - n_i, right_sum(from)});
  double bound = side(n_i, left_sum(from)) + side(rows_ - n_j, right_sum(to));
  for (std::size_t k = 0; k < classes_; ++k) {
    const std::uint32_t r_i = totals_[k] - l_i[k];
    const double on_left = left.scale * steps_[l_j[k]] + left.offset;
    const double on_right = right.scale * steps_[r_i] + right.offset;
    bound += (l_j[k] - l_i[k]) * std::min(std::max(on_left, on_right), steepest_);
  }
  return bound;
}

}  // namespace ramify
