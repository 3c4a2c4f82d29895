#include "ramify/search/bounded_scan.hpp"

#include <algorithm>
#include <cmath>

namespace ramify {

bool bounds_pay(const Question& question, std::size_t rows) {
  constexpr std::size_t kShortest = 512;
  const Order& order = question.book.order;
  // Near q = 1 the powers are shifted and their slopes lose their digits; at 1 itself they are logarithms.
  return rows >= kShortest && order.q() > 0.0 && (question.book.powers->plain() || order.is_shannon());
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
      weight_(std::abs(question.book.order.q() - 1.0)),
      steepest_(question.book.order.is_shannon() ? 0.0 : 1.0 / (question.book.order.q() - 1.0)),
      plain_(question.book.powers->plain()) {
  std::transform(question.node.counts, question.node.counts + classes_, totals_.begin(),
                 [](double count) { return static_cast<std::uint32_t>(count); });
}

void BlockBounds::count(const Entry* first, std::size_t rows, const TagReader<TagMode::packed>& tags) {
  rows_ = rows;
  blocks_ = (rows + size_ - 1) / size_;
  buffers_.counts.resize((blocks_ + 1) * classes_);
  buffers_.left_sum.resize(blocks_ + 1);
  buffers_.right_sum.resize(blocks_ + 1);
  std::uint32_t* counts = buffers_.counts.data();
  std::fill(counts, counts + classes_, 0u);
  // Neighbours often share a class, and counting one on top of the other would wait for the first: four sets
  // of counts in turn.
  constexpr std::size_t kSets = 4;
  std::vector<std::uint32_t>& sets = buffers_.sets;
  sets.assign(kSets * classes_, 0);
  std::uint32_t* const set = sets.data();
  const std::size_t classes = classes_;
  for (std::size_t block = 0; block < blocks_; ++block, counts += classes) {
    const Entry* entry = first + begin(block);
    const Entry* const last = first + end(block);
    for (; last - entry >= 4; entry += 4) {
      ++set[tags.cls(entry[0].tag)];
      ++set[classes + tags.cls(entry[1].tag)];
      ++set[2 * classes + tags.cls(entry[2].tag)];
      ++set[3 * classes + tags.cls(entry[3].tag)];
    }
    for (; entry != last; ++entry) ++set[tags.cls(entry->tag)];
    for (std::size_t k = 0; k < classes; ++k) {
      counts[classes + k] = counts[k] + set[k] + set[classes + k] + set[2 * classes + k] + set[3 * classes + k];
    }
    std::fill(sets.begin(), sets.end(), 0u);
  }
  counts = buffers_.counts.data();
  for (std::size_t edge = 0; edge <= blocks_; ++edge, counts += classes_) {
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
  const std::size_t n_left = std::min(edge * size_, rows_);
  return side(n_left, left_sum(edge)) + side(rows_ - n_left, right_sum(edge));
}

// Slopes are bounded by the steps of the tables: power(n + 1) - power(n) is at least the derivative of a convex
// power at n, and at most that of a concave one, whose scale is negative.
BlockBounds::Slopes BlockBounds::slopes(std::size_t n_low, std::size_t n_high, double sum_low) const {
  if (n_low == 0) return {0.0, steepest_};
  if (!plain_) return {1.0, -steps_[n_low - 1]};
  return {scales_[n_low], -weight_ * sum_low * std::abs(scales_[n_high]) / static_cast<double>(n_high)};
}

double BlockBounds::bound(std::size_t block) const {
  const std::size_t n_i = begin(block);
  const std::size_t n_j = end(block);
  const std::uint32_t* l_i = left_counts(block);
  const std::uint32_t* l_j = left_counts(block + 1);
  const Slopes left = slopes(n_i, n_j, left_sum(block));
  const Slopes right = slopes(rows_ - n_j, rows_ - n_i, right_sum(block + 1));
  double bound = side(n_i, left_sum(block)) + side(rows_ - n_j, right_sum(block + 1));
  for (std::size_t k = 0; k < classes_; ++k) {
    const std::uint32_t r_i = totals_[k] - l_i[k];
    const double on_left = left.scale * steps_[l_j[k]] + left.offset;
    const double on_right = right.scale * steps_[r_i] + right.offset;
    bound += (l_j[k] - l_i[k]) * std::min(std::max(on_left, on_right), steepest_);
  }
  return bound;
}

}  // namespace ramify
