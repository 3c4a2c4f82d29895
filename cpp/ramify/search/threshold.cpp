#include "ramify/search/threshold.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ramify/criteria/registry.hpp"

namespace ramify {

namespace {

// Moves the rows of a run to the left one by one; calls cut(rows to the left) where a cut is admissible.
template <class RunEntry, class Move, class Cut>
void walk_run(const RunEntry* first, std::size_t rows, std::uint32_t start, std::size_t min_samples_leaf,
              Move&& move, Cut&& cut) {
  if (rows < 2 * min_samples_leaf) return;
  std::size_t i = 0;
  for (; i + 1 < min_samples_leaf; ++i) move(first[i]);
  const std::size_t end = rows - min_samples_leaf;  // the last admissible cut has `end` rows to its left
  // Each entry is read once: what `move` writes might be anywhere, as far as the compiler can tell.
  RunEntry entry = first[i];
  for (; i < end; ++i) {
    const RunEntry next = first[i + 1];
    move(entry);
    if ((next.tag & start) != 0) cut(static_cast<std::uint32_t>(i + 1));
    entry = next;
  }
}

// The same for counted codes; cut(index of the last code to the left).
template <class Move, class Cut>
void walk_counts(const CodeCounts& counts, const Question& question, Move&& move, Cut&& cut) {
  std::size_t left = 0;
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    move(i);
    left += counts.rows(i);
    if (question.admission.admits_rows(left, question.node.rows - left)) cut(static_cast<std::uint32_t>(i));
  }
}

// Squares are whole numbers, and their sums exact, while they stay below 2^53.
bool sums_are_exact(const Question& question) {
  constexpr double kLargest = 9.0e7;
  return question.book.order.q() == 2.0 && question.all_weight() < kLargest;
}

// Calls visit(scan) with the scan of the criterion that the node's counts allow.
template <class C, class Numbers, class Visit>
void with_scan(const Question& question, ScanBuffers& buffers, Visit&& visit) {
  if (sums_are_exact(question)) {
    visit(EntropyScan<C, true, true, Numbers>(question, buffers.sides, buffers.class_scales));
  } else if (question.book.powers->plain()) {
    visit(EntropyScan<C, true, false, Numbers>(question, buffers.sides, buffers.class_scales));
  } else {
    visit(EntropyScan<C, false, false, Numbers>(question, buffers.sides, buffers.class_scales));
  }
}

// Keeps the best of the cuts by what they promise, and turns promises into scores when all are seen.
template <class Scale>
class PromiseBest {
 public:
  PromiseBest(const Scale& scale, Best& best) : scale_(scale), best_(best) {
    if (best.goal() != Best::kNone) promises_ = Best::first_reaching(scale.promise_of(best.goal()));
  }
  Best& promises() { return promises_; }
  void finish() {
    best_.take(promises_, [&](double promise) { return scale_.score_of(promise); });
  }

 private:
  const Scale& scale_;
  Best& best_;
  Best promises_;
};

// The gain of a long run: only the blocks whose bound reaches what is known already.
class BoundedRun {
 public:
  BoundedRun(const Question& question, const Entry* first, std::size_t rows, const Tags& tags,
             ScanBuffers& buffers, const PromiseScale& scale)
      : question_(question),
        first_(first),
        rows_(rows),
        reader_{tags},
        scale_(scale),
        slice_buffers_(buffers.slice),
        bounds_(question, block_size(rows_, question.node.classes), buffers.blocks) {
    bounds_.count(first, rows_, reader_);
  }

  void search(Best& promises) {
    double reached = std::max(promises.goal(), scale_.promise_of(question_.reached));
    if (promises.goal() == Best::kNone) reached = std::max(reached, look_around());
    const auto may_win = [&](std::size_t from, std::size_t to) {
      reached = std::max(reached, promises.score());
      const double bound = bounds_.bound(from, to);
      const bool may = bound >= reached - margin(reached);
      if (!may) promises.pass_over(bound);
      return may;
    };
    for (std::size_t from = 0; from < bounds_.blocks(); from = bounds_.next_group(from)) {
      const std::size_t to = bounds_.next_group(from);
      if (!may_win(from, to)) continue;
      if (bounds_.group() > 1) bounds_.add_up(from, to);
      for (std::size_t block = from; block < to; ++block) {
        if (bounds_.group() == 1 || may_win(block, block + 1)) score_block(block, promises);
      }
    }
  }

 private:
  // Cuts this close to the best may tie with it, or seem worse by rounding only.
  double margin(double reached) const {
    const double entropy = question_.node.entropy;
    return 2.0 * question_.book.tie_width(0.0, entropy) * question_.all_weight() + 1e-12 * std::abs(reached);
  }

  // The best promise of some edges and of the blocks beside the best of them: a good start.
  double look_around() {
    double reached = Best::kNone;
    std::size_t at = best_edge(bounds_.group(), bounds_.blocks(), bounds_.group(), reached);
    if (at == 0 || reached < scale_.promise_of(question_.reached)) return reached;
    if (bounds_.group() > 1) {
      const std::size_t from = at - bounds_.group();
      const std::size_t to = bounds_.next_group(at);
      bounds_.add_up(from, to);
      const std::size_t closer = best_edge(from + 1, to, 1, reached);
      if (closer != 0) at = closer;
    }
    Best beside;
    score_block(at - 1, beside);
    score_block(at, beside);
    return std::max(reached, beside.score());
  }

  // Of the edges from one on to before another, every so many: the one where a cut promises more than was reached,
  // and the most; 0 for none.
  std::size_t best_edge(std::size_t begin, std::size_t end, std::size_t step, double& reached) const {
    const std::size_t leaf = question_.admission.min_samples_leaf;
    std::size_t at = 0;
    for (std::size_t edge = begin; edge < end; edge += step) {
      const std::size_t cut = bounds_.rows_left(edge);
      if (cut < leaf || rows_ - cut < leaf) continue;
      const double promise = bounds_.promise(edge);
      if (promise > reached && reader_.starts(first_[cut])) {
        reached = promise;
        at = edge;
      }
    }
    return at;
  }

  void score_block(std::size_t block, Best& promises) {
    scan_slice(question_, bounds_.slice(first_, block), reader_.tags, slice_buffers_, promises);
  }

  const Question& question_;
  const Entry* first_;
  std::size_t rows_;
  TagReader<TagMode::packed> reader_;
  const PromiseScale& scale_;
  SliceBuffers& slice_buffers_;
  BlockBounds bounds_;
};

void scan_short_run(const Question& question, const RunView& run, const Tags& tags, ScanBuffers& buffers,
                    const PromiseScale& scale, Best& best) {
  PromiseBest<PromiseScale> cuts(scale, best);
  const Slice whole{run.begin<TagMode::packed>(), run.size, {nullptr, 0, 0.0}, {nullptr, 0, 0.0}};
  scan_slice(question, whole, tags, buffers.slice, cuts.promises());
  cuts.finish();
}

// What cuts promise where the node's entropy is that of the cases in question, so that it need not be worked out
// for each column.
PromiseScale promise_scale(const Question& question) {
  const PowerTable& powers = *question.book.powers;
  const std::size_t n = question.node.rows;
  return {question.node.entropy, 1.0 / question.node.weight,
          powers.plain() ? powers.scale(n) * powers.power(n) : 0.0};
}

// Runs of which all cuts are scored.
bool is_short(const Question& question, std::size_t rows) {
  return rows <= kLongestShortRun && !bounds_pay(question, rows);
}

bool scans_side_by_side(const Question& question) {
  return question.node.rows <= kLongestSideBySide && question.node.classes <= kMostClassesSideBySide;
}

void scan_side_by_side(const Question& question, std::span<const Entry* const> runs, const Tags& tags,
                       ScanBuffers& buffers, double* scores) {
  scan_short_runs(question, runs, tags, buffers.short_runs, scores);
  const PromiseScale scale = promise_scale(question);
  for (double* score = scores; score != scores + runs.size(); ++score) {
    if (*score != Best::kNone) *score = scale.score_of(*score);
  }
}

template <class C, TagMode Mode>
void scan_run_by_entropies(const Question& question, const RunView& run, const Tags& tags, ScanBuffers& buffers,
                           Best& best) {
  const TagReader<Mode> reader{tags};
  const Entry* const first = run.begin<Mode>();
  if constexpr (std::is_same_v<C, Gain> && Mode == TagMode::packed) {
    if (question.none_missing() && is_short(question, run.size)) {
      return scan_short_run(question, run, tags, buffers, promise_scale(question), best);
    }
  }
  with_scan<C, TabledPowers>(question, buffers, [&]<class Scan>(const Scan& start) {
    PromiseBest<Scan> cuts(start, best);
    if constexpr (std::is_same_v<C, Gain> && Mode == TagMode::packed) {
      if (is_short(question, run.size))
        return scan_short_run(question, run, tags, buffers, start.promises(), best);
      if (bounds_pay(question, run.size)) {
        BoundedRun(question, first, run.size, tags, buffers, start.promises()).search(cuts.promises());
        return cuts.finish();
      }
    }
    // A copy that nothing else refers to can live in registers throughout the loop.
    Scan scan = start;
    Best promises = cuts.promises();
    walk_run(
        first, run.size, tags.start, question.admission.min_samples_leaf,
        [&](const Entry& entry) {
          if constexpr (Mode == TagMode::packed) {
            scan.move_one_left(reader.cls(entry));
          } else {
            scan.move_left(reader.cls(entry), reader.weight(entry));
          }
        },
        [&](std::uint32_t rows) { promises.offer(scan.promise(), rows); });
    cuts.promises() = promises;
    cuts.finish();
  });
}

template <class C>
void scan_counts_by_entropies(const Question& question, const CodeCounts& counts, ScanBuffers& buffers,
                              Best& best) {
  with_scan<C, AnyPowers>(question, buffers, [&]<class Scan>(Scan scan) {
    const auto move = [&](std::size_t i) {
      const double* of = counts.of(i);
      for (std::uint32_t k = 0; k < counts.classes(); ++k) {
        if (of[k] > 0.0) scan.move_left(k, static_cast<std::uint32_t>(of[k]));
      }
    };
    PromiseBest<Scan> cuts(scan, best);
    walk_counts(counts, question, move,
                [&](std::uint32_t where) { cuts.promises().offer(scan.promise(), where); });
    cuts.finish();
  });
}

// The two sides of a cut that moves along a run, with weights of any kind. A class that has left the right side
// must leave nothing behind, not a rounding error that small orders would take for a class that is present: rows
// are counted beside weights.
template <TagMode Mode>
class RunSides {
 public:
  using RunEntry = typename TagReader<Mode>::RunEntry;

  RunSides(const Question& question, const RunEntry* first, std::size_t rows, const Tags& tags,
           ScanBuffers& buffers)
      : reader_{tags}, left_(buffers.left), right_(buffers.right), right_rows_(buffers.right_rows) {
    const std::size_t classes = question.node.classes;
    left_.assign(classes, 0.0);
    right_.assign(question.node.counts, question.node.counts + classes);
    right_rows_.assign(classes, 0);
    for (std::size_t i = 0; i < rows; ++i) ++right_rows_[reader_.cls(first[i])];
  }

  // Moves a row to the left and returns its class.
  std::uint32_t move(const RunEntry& entry) {
    const std::uint32_t k = reader_.cls(entry);
    const auto weight = static_cast<double>(reader_.weight(entry));
    left_[k] += weight;
    n_left_ += weight;
    right_[k] = --right_rows_[k] == 0 ? 0.0 : std::max(right_[k] - weight, 0.0);
    return k;
  }

  const double* left() const { return left_.data(); }
  const double* right() const { return right_.data(); }
  double n_left() const { return n_left_; }

 private:
  TagReader<Mode> reader_;
  std::vector<double>& left_;
  std::vector<double>& right_;
  std::vector<std::uint32_t>& right_rows_;
  double n_left_ = 0.0;
};

template <TagMode Mode>
void scan_run_by_tables(const Question& question, const RunView& run, const Tags& tags, ScanBuffers& buffers,
                        Best& best) {
  const auto* first = run.begin<Mode>();
  RunSides<Mode> sides(question, first, run.size, tags, buffers);
  buffers.tables.start(question, best);
  walk_run(
      first, run.size, tags.start, question.admission.min_samples_leaf,
      [&](const auto& entry) { sides.move(entry); },
      [&](std::uint32_t rows) { buffers.tables.put(sides.left(), sides.right(), rows); });
  buffers.tables.flush();
}

template <class C>
void scan_run_by_real_entropies(const Question& question, const RunView& run, const Tags& tags,
                                ScanBuffers& buffers, Best& best) {
  const TagReader<TagMode::weighted> reader{tags};
  const WeightedEntry* first = run.begin<TagMode::weighted>();
  with_real_scan<C>(question, buffers.real_sides, [&]<class Scan>(Scan scan) {
    if constexpr (std::is_same_v<C, Gain>) {
      using Blocks = RealBlocks<Scan::kForm>;
      if (Blocks::pay(run) && question.book.order.q() > 0.0) {
        return Blocks(question, run, reader, buffers.real_blocks).search(scan, best);
      }
    }
    for (std::size_t i = 0; i < run.size; ++i) scan.expect(reader.cls(first[i]));
    Best found = best;  // a copy can live in registers
    walk_run(
        first, run.size, tags.start, question.admission.min_samples_leaf,
        [&](const WeightedEntry& entry) { scan.move_left(reader.cls(entry), entry.weight); },
        [&](std::uint32_t rows) {
          if (question.admission.admits_weights(scan.n_left(), scan.n_right())) found.offer(scan.score(), rows);
        });
    best = found;
  });
}

// Calls cut(left counts, right counts, index of the last code to the left) for the admissible cuts of counted
// codes. Right sides are summed from the right, so that real weights leave no rests.
template <class Cut>
void walk_sides(const Question& question, const CodeCounts& counts, ScanBuffers& buffers, Cut&& cut) {
  const std::size_t classes = counts.classes();
  std::vector<double>& right = buffers.right;
  right.assign(counts.size() * classes, 0.0);
  for (std::size_t i = counts.size() - 1; i-- > 0;) {
    for (std::size_t k = 0; k < classes; ++k) {
      right[i * classes + k] = right[(i + 1) * classes + k] + counts.of(i + 1)[k];
    }
  }
  buffers.left.assign(classes, 0.0);
  walk_counts(
      counts, question,
      [&](std::size_t i) {
        for (std::size_t k = 0; k < classes; ++k) buffers.left[k] += counts.of(i)[k];
      },
      [&](std::uint32_t i) { cut(buffers.left.data(), right.data() + i * classes, i); });
}

void scan_counts_by_tables(const Question& question, const CodeCounts& counts, ScanBuffers& buffers, Best& best) {
  buffers.tables.start(question, best);
  walk_sides(question, counts, buffers, [&](const double* left, const double* right, std::uint32_t i) {
    buffers.tables.put(left, right, i);
  });
  buffers.tables.flush();
}

template <class C>
void scan_counts_by_real_entropies(const Question& question, const CodeCounts& counts, ScanBuffers& buffers,
                                   Best& best) {
  with_real_scan<C>(question, buffers.real_sides, [&](auto scan) {
    const auto each = [&](std::size_t i, auto&& visit) {
      for (std::size_t k = 0; k < counts.classes(); ++k) {
        if (counts.of(i)[k] > 0.0) visit(k, counts.of(i)[k]);
      }
    };
    for (std::size_t i = 0; i < counts.size(); ++i) {
      each(i, [&](std::size_t k, double) { scan.expect(k); });
    }
    walk_counts(
        counts, question,
        [&](std::size_t i) { each(i, [&](std::size_t k, double weight) { scan.move_left(k, weight); }); },
        [&](std::uint32_t i) {
          if (question.admission.admits_weights(scan.n_left(), scan.n_right())) best.offer(scan.score(), i);
        });
  });
}

}  // namespace

ThresholdScans table_scans(TagMode mode) {
  ThresholdScans scans{nullptr, scan_counts_by_tables};
  with_tag_mode(mode, [&]<TagMode Mode>() { scans.run = scan_run_by_tables<Mode>; });
  return scans;
}

ThresholdScans entropy_scans(const std::string& criterion, TagMode mode) {
  ThresholdScans scans{nullptr, nullptr};
  with_criterion(criterion, [&]<class C>() {
    if constexpr (Comparison<C>) {
      if (mode == TagMode::packed) scans.run = scan_run_by_entropies<C, TagMode::packed>;
      if (mode == TagMode::packed && std::is_same_v<C, Gain>) {
        scans.side_by_side = scan_side_by_side;
        scans.scans_side_by_side = scans_side_by_side;
      }
      if (mode == TagMode::looked_up) scans.run = scan_run_by_entropies<C, TagMode::looked_up>;
      if (mode == TagMode::weighted) scans.run = scan_run_by_real_entropies<C>;
      scans.counts = mode == TagMode::weighted ? scan_counts_by_real_entropies<C> : scan_counts_by_entropies<C>;
    }
  });
  return scans;
}

}  // namespace ramify
