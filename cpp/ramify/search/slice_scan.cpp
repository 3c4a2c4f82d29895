#include "ramify/search/slice_scan.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "ramify/processors.hpp"

namespace ramify {

namespace {

// Counts of all classes in one word: they are read and raised without a detour through memory, which would wait
// for the last write whenever a class comes twice in a row.
class PackedCounts {
 public:
  explicit PackedCounts(std::size_t classes) : bits_(64 / classes), mask_((std::uint64_t{1} << bits_) - 1) {}

  static bool fit(std::size_t classes, std::size_t rows) {
    return classes >= 2 && classes <= 8 && rows < std::size_t{1} << (64 / classes);
  }

  // The count of a class before this case of it.
  std::size_t raise(std::uint32_t cls) {
    const std::uint64_t at = cls * bits_;
    const std::size_t count = (word_ >> at) & mask_;
    word_ += std::uint64_t{1} << at;
    return count;
  }

 private:
  std::uint64_t bits_;  // of each count
  std::uint64_t mask_;
  std::uint64_t word_ = 0;
};

// The same on top of others.
class RaisedCounts {
 public:
  RaisedCounts(std::size_t classes, const std::uint32_t* others) : counts_(classes), others_(others) {}

  std::size_t raise(std::uint32_t cls) { return others_[cls] + counts_.raise(cls); }

 private:
  PackedCounts counts_;
  const std::uint32_t* others_;
};

// The same for any number of classes.
struct ListedCounts {
  std::size_t raise(std::uint32_t cls) { return counts[cls]++; }

  std::uint32_t* counts;
};

template <class Counts>
RAMIFY_PART_OF_CALLER void add_up(const Slice& slice, std::uint32_t shift, const double* steps, Counts from_left,
                                  Counts from_right, SliceBuffers& buffers) {
  double* const left = buffers.left.data();
  double* const right = buffers.right.data();
  double left_sum = slice.left.sum;
  double right_sum = slice.right.sum;
  right[slice.rows] = right_sum;
  for (std::size_t i = 0, j = slice.rows; j-- > 0; ++i) {
    left[i] = left_sum;
    left_sum += steps[from_left.raise(slice.first[i].tag >> shift)];
    right_sum += steps[from_right.raise(slice.first[j].tag >> shift)];
    right[j] = right_sum;
  }
  left[slice.rows] = left_sum;
}

RAMIFY_PART_OF_CALLER void add_up_by_classes(const Slice& slice, std::size_t classes, std::uint32_t shift,
                                             const double* steps, SliceBuffers& buffers) {
  const std::uint32_t* const left = slice.left.counts;
  const std::uint32_t* const right = slice.right.counts;
  if (PackedCounts::fit(classes, slice.rows) && left == nullptr && right == nullptr) {
    const PackedCounts none(classes);
    return add_up(slice, shift, steps, none, none, buffers);
  }
  buffers.counts.assign(2 * classes, 0);
  std::uint32_t* const counts = buffers.counts.data();
  if (left != nullptr) std::copy_n(left, classes, counts);
  if (right != nullptr) std::copy_n(right, classes, counts + classes);
  if (PackedCounts::fit(classes, slice.rows)) {
    add_up(slice, shift, steps, RaisedCounts(classes, counts), RaisedCounts(classes, counts + classes), buffers);
  } else {
    add_up(slice, shift, steps, ListedCounts{counts}, ListedCounts{counts + classes}, buffers);
  }
}

#if defined(RAMIFY_FOR_AVX2)
// With shifts by any register: the loop is half as long.
RAMIFY_FOR_AVX2 void add_up(const Slice& slice, std::size_t classes, std::uint32_t shift, const double* steps,
                            SliceBuffers& buffers) {
  add_up_by_classes(slice, classes, shift, steps, buffers);
}

RAMIFY_FOR_OTHERS
#endif
void add_up(const Slice& slice, std::size_t classes, std::uint32_t shift, const double* steps,
            SliceBuffers& buffers) {
  add_up_by_classes(slice, classes, shift, steps, buffers);
}

// The admissible cuts of a slice, by the rows of it to their left.
struct CutRange {
  std::size_t begin;
  std::size_t end;
};

// What each cut promises, -infinity where the neighbours are equal; returns the most.
template <bool Plain>
RAMIFY_FOR_EACH_PROCESSOR double promise_all(const Slice& slice, const CutRange& cuts, std::uint32_t start,
                                             const PowerTable& table, SliceBuffers& buffers) {
  const double* const left = buffers.left.data();
  const double* const right = buffers.right.data();
  double* const promises = buffers.promises.data();
  const double* const scales = table.scales();
  const double* const powers = table.powers();
  const std::size_t n = slice.left.n + slice.rows + slice.right.n;
  std::size_t i = cuts.begin;
  double most = Best::kNone;
#if defined(__GNUC__)
  // Four cuts at a time.
  static_assert(sizeof(Entry) == sizeof(std::uint32_t));
  using Numbers = double __attribute__((vector_size(32)));
  using Words = std::uint32_t __attribute__((vector_size(16)));
  using Flags = std::int64_t __attribute__((vector_size(32)));
  const Numbers none = {Best::kNone, Best::kNone, Best::kNone, Best::kNone};
  Numbers most_of_each = none;
  for (; i + 4 <= cuts.end; i += 4) {
    const std::size_t ahead = slice.left.n + i;  // cases to the left of the first of the four
    const std::size_t behind = n - ahead - 3;    // and to the right of the last
    Words here;
    Numbers of_left;
    Numbers of_right;
    Numbers scale_left;
    Numbers backwards;  // what belongs to the right side, of which there is less from cut to cut
    std::memcpy(&here, slice.first + i, sizeof(here));
    std::memcpy(&of_left, left + i, sizeof(of_left));
    std::memcpy(&of_right, right + i, sizeof(of_right));
    std::memcpy(&scale_left, scales + ahead, sizeof(scale_left));
    std::memcpy(&backwards, scales + behind, sizeof(backwards));
    const Numbers scale_right = {backwards[3], backwards[2], backwards[1], backwards[0]};
    if constexpr (!Plain) {
      Numbers own_left;
      std::memcpy(&own_left, powers + ahead, sizeof(own_left));
      std::memcpy(&backwards, powers + behind, sizeof(backwards));
      of_left -= own_left;
      of_right -= Numbers{backwards[3], backwards[2], backwards[1], backwards[0]};
    }
    const Numbers both = scale_left * of_left + scale_right * of_right;
    const Numbers promise = __builtin_convertvector((here & start) != 0, Flags) ? both : none;
    most_of_each = promise > most_of_each ? promise : most_of_each;
    std::memcpy(promises + i, &promise, sizeof(promise));
  }
  for (std::size_t lane = 0; lane < 4; ++lane) most = std::max(most, most_of_each[lane]);
#endif
  for (; i < cuts.end; ++i) {
    const std::size_t n_left = slice.left.n + i;
    const std::size_t n_right = n - n_left;
    const double of_left = Plain ? left[i] : left[i] - powers[n_left];
    const double of_right = Plain ? right[i] : right[i] - powers[n_right];
    const bool apart = (slice.first[i].tag & start) != 0;
    promises[i] = apart ? scales[n_left] * of_left + scales[n_right] * of_right : Best::kNone;
    most = std::max(most, promises[i]);
  }
  return most;
}

// Whether some of these entries starts a value. Where values differ, the first one tells.
RAMIFY_FOR_EACH_PROCESSOR
bool any_starts(const Entry* entries, std::size_t count, std::uint32_t start) {
  if ((entries[0].tag & start) != 0) return true;
  std::uint32_t tags = 0;
  for (std::size_t i = 1; i < count; ++i) tags |= entries[i].tag;
  return (tags & start) != 0;
}

double largest(const double* numbers, std::size_t count) {
  double most[4] = {Best::kNone, Best::kNone, Best::kNone, Best::kNone};  // side by side: none waits for another
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (std::size_t lane = 0; lane < 4; ++lane) most[lane] = std::max(most[lane], numbers[i + lane]);
  }
  for (; i < count; ++i) most[0] = std::max(most[0], numbers[i]);
  return std::max(std::max(most[0], most[1]), std::max(most[2], most[3]));
}

}  // namespace

void scan_slice(const Question& question, const Slice& slice, const Tags& tags, SliceBuffers& buffers,
                Best& promises) {
  const std::size_t leaf = question.admission.min_samples_leaf;
  const std::size_t n = slice.left.n + slice.rows + slice.right.n;
  if (n < 2 * leaf) return;
  const std::size_t begin = std::max(leaf, slice.left.n + 1);
  const std::size_t end = std::min(n - leaf, slice.left.n + slice.rows) + 1;
  if (begin >= end) return;
  const CutRange cuts{begin - slice.left.n, end - slice.left.n};
  // Of a value that most rows have, as the zeros of sparse columns, whole blocks are without a cut.
  if (!any_starts(slice.first + cuts.begin, cuts.end - cuts.begin, tags.start)) return;
  if (buffers.left.size() <= slice.rows) {
    for (std::vector<double>* numbers : {&buffers.left, &buffers.right, &buffers.promises}) {
      numbers->resize(slice.rows + 1);
    }
  }
  const PowerTable& powers = *question.book.powers;
  add_up(slice, question.node.classes, tags.shift, powers.steps(), buffers);
  const auto promise = powers.plain() ? promise_all<true> : promise_all<false>;
  const double most = promise(slice, cuts, tags.start, powers, buffers);
  if (!(most > promises.score())) return;
  const double* const all = buffers.promises.data();
  const auto place = [&](std::size_t cut) { return static_cast<std::uint32_t>(slice.left.n + cut); };
  if (promises.goal() != Best::kNone) {
    for (std::size_t i = cuts.begin; i < cuts.end && !promises.found(); ++i) promises.offer(all[i], place(i));
    return;
  }
  // In a run that is short as a whole the best is sooner looked for again, if its column wins, than placed in
  // each.
  if (slice.left.n + slice.right.n == 0) return promises.offer_best_of(most);
  // The best, after the best of those before it.
  const auto where = static_cast<std::size_t>(std::find(all + cuts.begin, all + cuts.end, most) - all);
  promises.offer(largest(all + cuts.begin, where - cuts.begin), place(cuts.begin));
  promises.offer(most, place(where));
}

}  // namespace ramify
