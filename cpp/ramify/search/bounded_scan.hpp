// The best cut of a long run under the gain, without looking at most of its cuts.
//
// The promise of a cut is V(l) = g(l) + g(t - l): l and t the class counts to its left and of the node,
// g(c) = scale(n) * sum_k power(c_k), n = sum_k c_k. g is convex, so along a block of the run, whose ends have
// l_i and l_j to their left and D = l_j - l_i between them, no cut promises more than
//
//     g(l_i) + g(t - l_j) + sum_k D_k max(GL_k, GR_k),
//
// GL_k and GR_k being the largest slopes of g in class k that the block allows on either side. Counting the
// classes of a block is far cheaper than scoring its cuts, and only blocks whose bound reaches the best score
// known so far, in this column or another, are scored: a few in a hundred. No cut that could win, or tie with
// the winner, is passed over.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/search/entropy_scan.hpp"
#include "ramify/search/slice_scan.hpp"

namespace ramify {

// Class counts and sums at the edges of the blocks of one run.
struct BlockBuffers {
  // The run whose classes are in `counts`, if any: they are the same for all orders of the entropy.
  const Entry* counted = nullptr;
  std::vector<std::uint32_t> counts;  // edges x classes: to the left of the edge
  std::vector<double> left_sum;       // sums of powers to the left of each edge
  std::vector<double> right_sum;
  std::vector<std::uint32_t> right_counts;  // of the classes, to the right of the block at hand
};

class BlockBounds {
 public:
  BlockBounds(const Question& question, std::size_t block, BlockBuffers& buffers);

  // Counts the classes of the run block by block, unless they are counted, and adds up their powers at the edges
  // of groups.
  void count(const Entry* first, std::size_t rows, const TagReader<TagMode::packed>& tags);
  // Adds them up at the edges from one to another.
  void add_up(std::size_t from, std::size_t to);

  std::size_t blocks() const { return blocks_; }
  // Long runs have groups of blocks, most of which need not be looked into.
  std::size_t group() const { return group_; }
  std::size_t next_group(std::size_t edge) const { return std::min(edge + group_, blocks_); }
  // Rows to the left of an edge; a block lies between its edge and the next.
  std::size_t rows_left(std::size_t edge) const { return std::min(edge * size_, rows_); }
  const std::uint32_t* left_counts(std::size_t edge) const { return buffers_.counts.data() + edge * classes_; }
  double left_sum(std::size_t edge) const { return buffers_.left_sum[edge]; }
  double right_sum(std::size_t edge) const { return buffers_.right_sum[edge]; }

  // A block as a slice of the run.
  Slice slice(const Entry* first, std::size_t block);

  // What a cut at this edge promises, and what no cut between these two exceeds; both as EntropyScan has it. The
  // powers at the edges must have been added up.
  double promise(std::size_t edge) const;
  double bound(std::size_t from, std::size_t to) const;

 private:
  void count_classes(const Entry* first, const TagReader<TagMode::packed>& tags);
  // g of one side by its size and sum of powers.
  double side(std::size_t n, double sum) const { return scales_[n] * (plain_ ? sum : sum - powers_[n]); }
  // One side at the end of a block where it is smaller, or larger.
  struct End {
    std::size_t n;
    double sum;
  };
  // The largest slope of g in a class that has at most c cases is scale * step(c) + offset between two ends.
  struct Slopes {
    double scale;
    double offset;
  };
  Slopes slopes(const End& low, const End& high) const;

  const double* powers_;
  const double* scales_;
  const double* steps_;
  std::vector<std::uint32_t> totals_;
  BlockBuffers& buffers_;
  std::size_t classes_;
  std::size_t size_;
  std::size_t rows_ = 0;
  std::size_t blocks_ = 0;
  std::size_t group_ = 1;
  double excess_;    // q - 1
  double steepest_;  // no slope of g exceeds it
  bool plain_;
};

// Shorter runs are sooner scored as a whole.
inline constexpr std::size_t kShortestForBounds = 768;

// True if bounds are known for the order and pay for a run of this length.
bool bounds_pay(const Question& question, std::size_t rows);

// The size of the blocks that suits the run.
std::size_t block_size(std::size_t rows, std::size_t classes);

}  // namespace ramify
