// The best cut of a run with real weights under the gain, without scoring most of its cuts.
//
// The promise of a cut is V(l) = g(l) + g(t - l): l and t the class weights to its left and of the node, and
// g(c) = -n S_q(c / n), n the sum of c. g is convex, homogeneous and never positive, so g(a + b) <= g(a) + g(b) <=
// g(a). Along a block of the run, whose ends have l_i and l_j to their left, no cut therefore promises more than
// g(l_i) + g(t - l_j): as if the cases of the block had gone for nothing. Only blocks whose bound reaches the best
// score known so far are scored; no cut that could win, or tie with the winner, is passed over.
#pragma once

#include <algorithm>
#include <vector>

#include "ramify/search/best.hpp"
#include "ramify/search/real_scan.hpp"
#include "ramify/search/run_view.hpp"

namespace ramify {

// Class weights and rows on both sides of the edges of the blocks of one run, and g of these.
struct RealBlockBuffers {
  std::vector<double> left;   // edges x classes
  std::vector<double> right;  // likewise; added up from the right, so that a class that has gone leaves nothing
  std::vector<std::size_t> right_rows;
  std::vector<double> left_value;  // g, one an edge
  std::vector<double> right_value;
};

template <PowerForm Form>
class RealBlocks {
 public:
  using Scan = RealScan<Gain, Form>;

  static bool pay(const RunView& run) { return run.size >= kShortest; }

  RealBlocks(const Question& question, const RunView& run, const TagReader<TagMode::weighted>& reader,
             RealBlockBuffers& buffers)
      : question_(question),
        entries_(run.begin<TagMode::weighted>()),
        rows_(run.size),
        reader_(reader),
        classes_(question.node.classes),
        blocks_((run.size + kBlock - 1) / kBlock),
        buffers_(buffers) {
    add_up();
    const Powers powers(question.book.order);
    for (std::size_t edge = 0; edge <= blocks_; ++edge) {
      buffers_.left_value[edge] = value(powers, left(edge));
      buffers_.right_value[edge] = value(powers, right(edge));
    }
  }

  void search(Scan& scan, Best& best) const {
    double reached = std::max(best.goal(), question_.reached);
    if (best.goal() == Best::kNone) reached = std::max(reached, best_edge(scan));
    const double margin = 2.0 * question_.book.tie_width(0.0, question_.node.entropy);
    for (std::size_t block = 0; block < blocks_; ++block) {
      reached = std::max(reached, best.score());
      const double bound = scan.score_of(buffers_.left_value[block] + buffers_.right_value[block + 1]);
      if (bound >= reached - margin - 1e-12 * std::abs(reached)) {
        score_block(block, scan, best);
      } else {
        best.pass_over(bound);
      }
    }
  }

 private:
  // Squares are cheap, so that blocks pay only if they are long.
  static constexpr std::size_t kBlock = Form == PowerForm::gini ? 32 : 16;
  static constexpr std::size_t kShortest = 4 * kBlock;

  const double* left(std::size_t edge) const { return buffers_.left.data() + edge * classes_; }
  const double* right(std::size_t edge) const { return buffers_.right.data() + edge * classes_; }
  std::size_t begin(std::size_t block) const { return block * kBlock; }
  std::size_t end(std::size_t block) const { return std::min((block + 1) * kBlock, rows_); }

  void add_up() {
    const std::size_t edges = blocks_ + 1;
    buffers_.left.assign(edges * classes_, 0.0);
    buffers_.right.assign(edges * classes_, 0.0);
    buffers_.right_rows.assign(edges * classes_, 0);
    buffers_.left_value.resize(edges);
    buffers_.right_value.resize(edges);
    // The weights of each block first, kept at its left edge.
    for (std::size_t i = 0; i < rows_; ++i) {
      const std::size_t at = i / kBlock * classes_ + reader_.cls(entries_[i]);
      buffers_.right[at] += entries_[i].weight;
      ++buffers_.right_rows[at];
    }
    for (std::size_t at = classes_; at < edges * classes_; ++at) {
      buffers_.left[at] = buffers_.left[at - classes_] + buffers_.right[at - classes_];
    }
    for (std::size_t at = blocks_ * classes_; at-- > 0;) {
      buffers_.right[at] += buffers_.right[at + classes_];
      buffers_.right_rows[at] += buffers_.right_rows[at + classes_];
    }
  }

  double value(const Powers& powers, const double* weights) const {
    double n = 0.0;
    double sum = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      n += weights[k];
      sum += powers.power<Form>(weights[k]);
    }
    return n > 0.0 ? -powers.entropy<Form>(n, sum) : 0.0;
  }

  bool admits(std::size_t cut, double left, double right) const {
    if (!reader_.starts(entries_[cut])) return false;
    return question_.admission.admits_rows(cut, rows_ - cut) && question_.admission.admits_weights(left, right);
  }

  // The best score of the edges that are admissible cuts: a good start.
  double best_edge(const Scan& scan) const {
    double best = Best::kNone;
    for (std::size_t edge = 1; edge < blocks_; ++edge) {
      const double score = scan.score_of(buffers_.left_value[edge] + buffers_.right_value[edge]);
      if (score <= best) continue;
      double n_left = 0.0;
      double n_right = 0.0;
      for (std::size_t k = 0; k < classes_; ++k) {
        n_left += left(edge)[k];
        n_right += right(edge)[k];
      }
      if (admits(begin(edge), n_left, n_right)) best = score;
    }
    return best;
  }

  void score_block(std::size_t block, Scan& scan, Best& best) const {
    scan.start_at(left(block), right(block), buffers_.right_rows.data() + block * classes_);
    for (std::size_t i = begin(block); i < std::min(end(block), rows_ - 1); ++i) {
      scan.move_left(reader_.cls(entries_[i]), entries_[i].weight);
      if (admits(i + 1, scan.n_left(), scan.n_right()))
        best.offer(scan.score(), static_cast<std::uint32_t>(i + 1));
    }
  }

  const Question& question_;
  const WeightedEntry* entries_;
  std::size_t rows_;
  TagReader<TagMode::weighted> reader_;
  std::size_t classes_;
  std::size_t blocks_;
  RealBlockBuffers& buffers_;
};

}  // namespace ramify
