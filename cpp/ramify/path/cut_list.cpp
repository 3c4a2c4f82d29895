#include "ramify/path/cut_list.hpp"

#include <algorithm>

#include "ramify/processors.hpp"

namespace ramify {

namespace {

// The class of each row, and whether it has the value of the one before.
RAMIFY_FOR_EACH_PROCESSOR
void split_tags(const Entry* rows, std::uint32_t size, std::uint32_t shift, std::uint32_t start, std::uint8_t* cls,
                std::uint8_t* tie) {
  for (std::uint32_t i = 0; i < size; ++i) {
    cls[i] = static_cast<std::uint8_t>(rows[i].tag >> shift);
    tie[i] = (rows[i].tag & start) == 0 ? 1 : 0;
  }
}

// Marks the cuts that are kept, and the rows with which a move begins: those that follow a cut or are of another
// class than the row before.
RAMIFY_FOR_EACH_PROCESSOR
void mark_rows(const std::uint8_t* cls, const std::uint8_t* tie, std::uint32_t size, std::uint32_t first,
               std::uint32_t last, bool drop, std::uint8_t* kept, std::uint8_t* fresh) {
  const std::uint8_t dropped = drop ? 1 : 0;
  for (std::uint32_t i = 1; i < size; ++i) {
    const std::uint8_t other = cls[i] != cls[i - 1] ? 1 : 0;
    // Rows of one value may be of several classes: only between values that occur once a stretch surely goes on.
    const std::uint8_t edge = static_cast<std::uint8_t>(other | tie[i - 1] | tie[i + 1] | (dropped ^ 1));
    kept[i] = static_cast<std::uint8_t>(edge & (tie[i] ^ 1));
    fresh[i] = other;
  }
  std::fill(kept, kept + std::min(first, size), std::uint8_t{0});
  for (std::uint32_t i = last + 1; i < size; ++i) kept[i] = 0;
  if (first <= last) kept[first] = kept[last] = 1;
  for (std::uint32_t i = 1; i < size; ++i) fresh[i] = static_cast<std::uint8_t>(fresh[i] | kept[i]);
  fresh[0] = 1;
}

}  // namespace

void CutList::start(std::span<const double> counts, std::size_t min_samples_leaf, std::size_t stride,
                    std::size_t most, Keep keep) {
  keep_ = keep;
  stride_ = static_cast<std::uint32_t>(stride);
  stretch_ = -1;
  n_moves_ = 0;
  n_cuts_ = 0;
  if (moves_.size() < most) moves_.resize(most);
  if (cuts_.size() < most) cuts_.resize(most);
  cases_ = 0;
  totals_.resize(counts.size());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    cases_ += static_cast<std::size_t>(counts[k]);
    totals_[k] = static_cast<std::uint32_t>(counts[k]) * stride_;
  }
  left_.assign(counts.size(), 0);
  first_ = static_cast<std::uint32_t>(std::max<std::size_t>(min_samples_leaf, 1));
  last_ = cases_ <= first_ ? 0 : static_cast<std::uint32_t>(cases_) - first_;
}

inline void CutList::move(std::uint32_t cls, std::uint32_t count) {
  const std::uint32_t before = left_[cls];
  const std::uint32_t after = before + count * stride_;
  moves_[n_moves_++] = {totals_[cls], before, after};
  left_[cls] = after;
}

inline void CutList::move_alike(std::uint32_t cls, std::uint32_t begin, std::uint32_t end) {
  if (stretch_ == cls) {
    const bool cut_between = n_cuts_ > 0 && cuts_[n_cuts_ - 1].n_left == begin;
    const bool needless = keep_ == Keep::edges_of_stretches && n_cuts_ > 1 && end <= last_;
    if (!cut_between || needless) {
      if (cut_between) --n_cuts_;
      left_[cls] += (end - begin) * stride_;
      moves_[n_moves_ - 1].left_after = left_[cls];
      return;
    }
  }
  move(cls, end - begin);
  stretch_ = cls;
}

inline void CutList::cut(std::uint32_t n_left, std::uint32_t where) {
  if (n_left < first_ || n_left > last_) return;
  cuts_[n_cuts_++] = {static_cast<std::uint32_t>(n_moves_), n_left, where};
}

// Without a branch of the program that depends on the data: classes and ties come in no order that a processor
// could foresee, and a wrong guess costs more than a row. Flags are bytes, of which many fit into a vector.
void CutList::read_rows(const Entry* rows, std::uint32_t size, const Tags& tags) {
  if (classes_.size() <= size) {
    for (std::vector<std::uint8_t>* bytes : {&classes_, &ties_, &cuts_here_, &fresh_}) {
      bytes->resize(size + std::size_t{1});
    }
    starts_.resize(size + std::size_t{1});
  }
  split_tags(rows, size, tags.shift, tags.start, classes_.data(), ties_.data());
  ties_[size] = 0;
}

void CutList::read(const RunView& run, const Tags& tags, std::span<const double> counts,
                   std::size_t min_samples_leaf, std::size_t stride, Keep keep) {
  const auto size = static_cast<std::uint32_t>(run.size);
  start(counts, min_samples_leaf, stride, size, keep);
  read_rows(run.begin<TagMode::packed>(), size, tags);
  std::uint32_t first = first_;
  std::uint32_t last = last_;
  while (first <= last && ties_[first] != 0) ++first;
  while (last > first && ties_[last] != 0) --last;
  mark_rows(classes_.data(), ties_.data(), size, first, last, keep == Keep::edges_of_stretches, cuts_here_.data(),
            fresh_.data());
  std::uint32_t* const starts = starts_.data();
  const std::uint8_t* const fresh = fresh_.data();
  std::uint32_t n_moves = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    starts[n_moves] = i;
    n_moves += fresh[i];
  }
  starts[n_moves] = size;
  Move* const moves = moves_.data();
  Cut* const cuts = cuts_.data();
  std::uint32_t* const lefts = left_.data();
  const std::uint32_t* const totals = totals_.data();
  const std::uint8_t* const classes = classes_.data();
  const std::uint8_t* const cut_here = cuts_here_.data();
  std::uint32_t n_cuts = 0;
  for (std::uint32_t m = 0; m < n_moves; ++m) {
    const std::uint32_t begin = starts[m];
    cuts[n_cuts] = {m, begin, begin};
    n_cuts += cut_here[begin];
    const std::uint32_t cls = classes[begin];
    const std::uint32_t before = lefts[cls];
    const std::uint32_t after = before + (starts[m + 1] - begin) * stride_;
    moves[m] = {totals[cls], before, after};
    lefts[cls] = after;
  }
  n_moves_ = n_moves;
  n_cuts_ = n_cuts;
}

void CutList::read(const CodeCounts& codes, std::span<const double> counts, std::size_t min_samples_leaf,
                   std::size_t stride, Keep keep) {
  start(counts, min_samples_leaf, stride, codes.size() * counts.size(), keep);
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double* of = codes.of(i);
    const std::uint32_t end = begin + static_cast<std::uint32_t>(codes.rows(i));
    std::uint32_t last = 0;
    std::size_t present = 0;
    for (std::uint32_t k = 0; k < counts.size(); ++k) {
      if (of[k] > 0.0) last = k;
      present += of[k] > 0.0 ? 1 : 0;
    }
    if (present == 1) {
      move_alike(last, begin, end);
    } else {
      for (std::uint32_t k = 0; k < counts.size(); ++k) {
        if (of[k] > 0.0) move(k, static_cast<std::uint32_t>(of[k]));
      }
      stretch_ = -1;
    }
    if (i + 1 < codes.size()) cut(end, static_cast<std::uint32_t>(i));
    begin = end;
  }
}

}  // namespace ramify
