#include "ramify/search/short_scan.hpp"

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

// The same for any number of classes.
struct ListedCounts {
  std::size_t raise(std::uint32_t cls) { return counts[cls]++; }

  std::uint32_t* counts;
};

struct ShortRun {
  const Entry* first;
  std::size_t rows;
  std::size_t begin;  // the first admissible cut, by the rows to its left
  std::size_t end;    // behind the last one
};

template <class Counts>
void add_up(const ShortRun& run, std::uint32_t shift, const double* steps, Counts from_left, Counts from_right,
            ShortBuffers& buffers) {
  double* const left = buffers.left.data();
  double* const right = buffers.right.data();
  double left_sum = 0.0;
  double right_sum = 0.0;
  for (std::size_t i = 0, j = run.rows; j-- > 0; ++i) {
    left[i] = left_sum;
    left_sum += steps[from_left.raise(run.first[i].tag >> shift)];
    right_sum += steps[from_right.raise(run.first[j].tag >> shift)];
    right[j] = right_sum;
  }
}

// What each cut promises, -infinity where the neighbours are equal; returns the most.
template <bool Plain>
RAMIFY_FOR_EACH_PROCESSOR double promise_all(const ShortRun& run, const double* scales, const double* powers,
                                             ShortBuffers& buffers) {
  const double* const left = buffers.left.data();
  const double* const right = buffers.right.data();
  double* const promises = buffers.promises.data();
  std::size_t i = run.begin;
  double most = Best::kNone;
#if defined(__GNUC__)
  // Four cuts at a time. An entry is a word whose lower half is the code.
  static_assert(sizeof(Entry) == 8 && std::endian::native == std::endian::little);
  using Numbers = double __attribute__((vector_size(32)));
  using Words = std::int64_t __attribute__((vector_size(32)));
  const Numbers none = {Best::kNone, Best::kNone, Best::kNone, Best::kNone};
  Numbers most_of_each = none;
  for (; i + 4 <= run.end; i += 4) {
    const std::size_t behind = run.rows - i - 3;  // cases to the right of the last of the four
    Words here;
    Words before;
    Numbers of_left;
    Numbers of_right;
    Numbers scale_left;
    Numbers backwards;  // what belongs to the right side, of which there is less from cut to cut
    std::memcpy(&here, run.first + i, sizeof(here));
    std::memcpy(&before, run.first + i - 1, sizeof(before));
    std::memcpy(&of_left, left + i, sizeof(of_left));
    std::memcpy(&of_right, right + i, sizeof(of_right));
    std::memcpy(&scale_left, scales + i, sizeof(scale_left));
    std::memcpy(&backwards, scales + behind, sizeof(backwards));
    const Numbers scale_right = {backwards[3], backwards[2], backwards[1], backwards[0]};
    if constexpr (!Plain) {
      Numbers own_left;
      std::memcpy(&own_left, powers + i, sizeof(own_left));
      std::memcpy(&backwards, powers + behind, sizeof(backwards));
      of_left -= own_left;
      of_right -= Numbers{backwards[3], backwards[2], backwards[1], backwards[0]};
    }
    const Numbers both = scale_left * of_left + scale_right * of_right;
    const Numbers promise = ((here ^ before) << 32) != 0 ? both : none;
    most_of_each = promise > most_of_each ? promise : most_of_each;
    std::memcpy(promises + i, &promise, sizeof(promise));
  }
  for (std::size_t lane = 0; lane < 4; ++lane) most = std::max(most, most_of_each[lane]);
#endif
  for (; i < run.end; ++i) {
    const std::size_t n_right = run.rows - i;
    const double of_left = Plain ? left[i] : left[i] - powers[i];
    const double of_right = Plain ? right[i] : right[i] - powers[n_right];
    const bool apart = run.first[i].code != run.first[i - 1].code;
    promises[i] = apart ? scales[i] * of_left + scales[n_right] * of_right : Best::kNone;
    most = std::max(most, promises[i]);
  }
  return most;
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

void scan_short_run(const Question& question, const Entry* first, std::size_t rows, const Tags& tags,
                    ShortBuffers& buffers, Best& promises) {
  const std::size_t leaf = question.admission.min_samples_leaf;
  if (rows < 2 * leaf) return;
  if (buffers.left.size() < rows) {
    for (std::vector<double>* numbers : {&buffers.left, &buffers.right, &buffers.promises}) numbers->resize(rows);
  }
  const ShortRun run{first, rows, leaf, rows - leaf + 1};
  const PowerTable& powers = *question.book.powers;
  const std::size_t classes = question.node.classes;
  if (PackedCounts::fit(classes, rows)) {
    const PackedCounts none(classes);
    add_up(run, tags.shift, powers.steps(), none, none, buffers);
  } else {
    buffers.counts.assign(2 * classes, 0);
    std::uint32_t* const counts = buffers.counts.data();
    add_up(run, tags.shift, powers.steps(), ListedCounts{counts}, ListedCounts{counts + classes}, buffers);
  }
  const auto promise = powers.plain() ? promise_all<true> : promise_all<false>;
  const double most = promise(run, powers.scales(), powers.powers(), buffers);
  if (most == Best::kNone) return;
  const double* const all = buffers.promises.data();
  if (promises.goal() != Best::kNone) {
    for (std::size_t i = run.begin; i < run.end && !promises.found(); ++i) {
      promises.offer(all[i], static_cast<std::uint32_t>(i));
    }
    return;
  }
  // The best, after the best of those before it.
  const auto where = static_cast<std::size_t>(std::find(all + run.begin, all + run.end, most) - all);
  promises.offer(largest(all + run.begin, where - run.begin), static_cast<std::uint32_t>(run.begin));
  promises.offer(most, static_cast<std::uint32_t>(where));
}

}  // namespace ramify
