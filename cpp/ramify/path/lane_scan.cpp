#include "ramify/path/lane_scan.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "ramify/criteria/registry.hpp"
#include "ramify/processors.hpp"

namespace ramify {

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
  const std::uint32_t total = totals_[cls];
  const std::uint32_t before = left_[cls];
  const std::uint32_t after = before + count * stride_;
  moves_[n_moves_++] = {before, after, total - after, total - before, total};
  left_[cls] = after;
}

inline void CutList::move_alike(std::uint32_t cls, std::uint32_t begin, std::uint32_t end) {
  if (stretch_ == cls) {
    const bool cut_between = n_cuts_ > 0 && cuts_[n_cuts_ - 1].n_left == begin;
    const bool needless = keep_ == Keep::edges_of_stretches && n_cuts_ > 1 && end <= last_;
    if (!cut_between || needless) {
      if (cut_between) --n_cuts_;
      left_[cls] += (end - begin) * stride_;
      Move& last = moves_[n_moves_ - 1];
      last.left_after = left_[cls];
      last.right_before = last.total - left_[cls];
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

void CutList::read(const RunView& run, const Tags& tags, std::span<const double> counts,
                   std::size_t min_samples_leaf, std::size_t stride, Keep keep) {
  const auto size = static_cast<std::uint32_t>(run.size);
  start(counts, min_samples_leaf, stride, size, keep);
  const TagReader<TagMode::packed> reader{tags};
  const Entry* const first = run.begin<TagMode::packed>();
  group_.assign(counts.size(), 0);
  for (std::uint32_t begin = 0; begin < size;) {
    const std::uint32_t code = first[begin].code;
    const std::uint32_t cls = reader.cls(first[begin]);
    std::uint32_t end = begin + 1;
    bool alike = true;
    for (; end < size && first[end].code == code; ++end) alike = alike && reader.cls(first[end]) == cls;
    if (alike) {
      move_alike(cls, begin, end);
    } else {
      for (std::uint32_t i = begin; i < end; ++i) ++group_[reader.cls(first[i])];
      for (std::uint32_t k = 0; k < group_.size(); ++k) {
        if (group_[k] > 0) move(k, group_[k]);
        group_[k] = 0;
      }
      stretch_ = -1;
    }
    cut(end, end);
    begin = end;
  }
}

void CutList::read(const CodeCounts& codes, std::span<const double> counts, std::size_t min_samples_leaf,
                   std::size_t stride, Keep keep) {
  start(counts, min_samples_leaf, stride, codes.size() * counts.size(), keep);
  std::uint32_t begin = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double* of = codes.of(i);
    const std::uint32_t end = begin + codes.rows(i);
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

void Windows::cover(std::span<const std::uint16_t> orders) {
  first.clear();
  for (const std::uint16_t order : orders) {
    if (first.empty() || order >= first.back() + kLanes) first.push_back(order);
  }
}

namespace {

// One column under W windows of orders.
template <class C, std::size_t W>
class Scan {
 public:
  static constexpr bool kIsGain = std::is_same_v<C, Gain>;
  static constexpr bool kCrossed = C::uses_branches_given_classes;
  static constexpr std::size_t kSums = kCrossed ? 2 : 1;

  Scan(const LaneTables& tables, const CutList& list, const std::uint32_t* windows, double* room)
      : powers_(tables.powers()),
        scales_(tables.scales()),
        owns_(tables.owns()),
        stride_(tables.stride()),
        list_(list),
        room_(room),
        n_(static_cast<double>(list.cases())) {
    for (std::size_t w = 0; w < W; ++w) window_[w] = windows[w];
  }

  // Sums of powers to the left and to the right of every cut. The two chains of additions don't wait for each
  // other.
  void add_up() {
    const std::span<const CutList::Cut> cuts = list_.cuts();
    const CutList::Move* const moves = list_.moves().data();
    Lanes left[W * kSums] = {};
    Lanes right[W * kSums] = {};
    std::size_t from_left = 0;
    std::size_t from_right = list_.moves().size();
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const std::size_t mirrored = cuts.size() - 1 - c;
      for (; from_left < cuts[c].moves; ++from_left) {
        const CutList::Move& move = moves[from_left];
        add(move.total, move.left_before, move.left_after, left);
      }
      while (from_right > cuts[mirrored].moves) {
        const CutList::Move& move = moves[--from_right];
        add(move.total, move.right_before, move.right_after, right);
      }
      for (std::size_t i = 0; i < W * kSums; ++i) {
        store(left[i], room_ + (2 * c * W * kSums + i) * kLanes);
        store(right[i], room_ + ((2 * mirrored + 1) * W * kSums + i) * kLanes);
      }
    }
  }

  void find_best(double* out) {
    prepare();
    Lanes best[W];
    for (std::size_t w = 0; w < W; ++w) best[w] = all_lanes(-std::numeric_limits<double>::infinity());
    for (std::size_t c = 0; c < list_.cuts().size(); ++c) {
      for (std::size_t w = 0; w < W; ++w) best[w] = larger(promise(c, w), best[w]);
    }
    for (std::size_t w = 0; w < W; ++w) store(score_of(best[w], w), out + w * kLanes);
  }

  void find_first(const double* goals, std::int32_t* out) {
    prepare();
    std::size_t open = W * kLanes;
    std::fill(out, out + open, -1);
    for (std::size_t c = 0; c < list_.cuts().size() && open > 0; ++c) {
      for (std::size_t w = 0; w < W; ++w) {
        double scores[kLanes];
        store(score_of(promise(c, w), w), scores);
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          std::int32_t& first = out[w * kLanes + lane];
          if (first >= 0 || !(scores[lane] >= goals[w * kLanes + lane])) continue;
          first = static_cast<std::int32_t>(c);
          --open;
        }
      }
    }
  }

 private:
  std::size_t place_of(std::size_t n) const { return n * stride_; }
  // By places in the tables.
  Lanes power(std::size_t place, std::size_t w) const { return load(powers_ + place + window_[w]); }
  Lanes scale(std::size_t place, std::size_t w) const { return load(scales_ + place + window_[w]); }
  Lanes own(std::size_t place, std::size_t w) const { return load(owns_ + place + window_[w]); }
  Lanes left(std::size_t c, std::size_t i) const { return load(room_ + (2 * c * W * kSums + i) * kLanes); }
  Lanes right(std::size_t c, std::size_t i) const { return load(room_ + ((2 * c + 1) * W * kSums + i) * kLanes); }

  void add(std::size_t total, std::size_t before, std::size_t after, Lanes* sums) const {
    for (std::size_t w = 0; w < W; ++w) {
      const Lanes step = power(after, w) - power(before, w);
      sums[w] += step;
      if constexpr (kCrossed) sums[W + w] += scale(total, w) * step;
    }
  }

  // What no cut changes.
  void prepare() {
    const std::size_t n = place_of(list_.cases());
    for (std::size_t w = 0; w < W; ++w) {
      Lanes sum = all_lanes(0.0);
      crossed_[w] = all_lanes(0.0);
      plain_[w] = true;
      for (const std::uint32_t total : list_.totals()) {
        sum += power(total, w);
        if (kCrossed && total > 0) crossed_[w] += scale(total, w) * power(total, w);
      }
      classes_[w] = scale(n, w) * (power(n, w) - sum) * all_lanes(1.0 / n_);
      offset_[w] = scale(n, w) * power(n, w) - own(n, w);
      for (std::size_t lane = 0; lane < kLanes; ++lane) plain_[w] = plain_[w] && own(n, w)[lane] == 0.0;
    }
  }

  // Rises and falls with the score and, for the gain, is cheaper to get.
  Lanes promise(std::size_t c, std::size_t w) const {
    const std::size_t n_left = place_of(list_.cuts()[c].n_left);
    const std::size_t n = place_of(list_.cases());
    const std::size_t n_right = n - n_left;
    if constexpr (kIsGain) {
      const Lanes both = scale(n_left, w) * left(c, w) + scale(n_right, w) * right(c, w);
      return plain_[w] ? both : both - own(n_left, w) - own(n_right, w);
    } else {
      const Lanes share = all_lanes(1.0 / n_);
      SplitEntropiesOf<Lanes> h;
      h.classes = classes_[w];
      h.branches = scale(n, w) * (power(n, w) - power(n_left, w) - power(n_right, w)) * share;
      h.classes_given_branches = (scale(n_left, w) * (power(n_left, w) - left(c, w)) +
                                  scale(n_right, w) * (power(n_right, w) - right(c, w))) *
                                 share;
      if constexpr (kCrossed) {
        h.branches_given_classes = (crossed_[w] - left(c, W + w) - right(c, W + w)) * share;
      }
      return C::compare(h);
    }
  }

  Lanes score_of(const Lanes& promise, std::size_t w) const {
    if constexpr (!kIsGain) return promise;
    return classes_[w] + (promise - offset_[w]) * all_lanes(1.0 / n_);
  }

  const double* powers_;
  const double* scales_;
  const double* owns_;
  std::size_t stride_;
  const CutList& list_;
  double* room_;
  double n_;
  std::size_t window_[W];
  bool plain_[W];
  Lanes classes_[W];  // entropy of the node
  Lanes offset_[W];   // what the promise leaves out
  Lanes crossed_[W];
};

// Calls visit.operator()<W>(first window) for groups of windows.
template <class Visit>
void by_groups(std::size_t windows, Visit&& visit) {
  std::size_t w = 0;
  for (; w + 4 <= windows; w += 4) visit.template operator()<4>(w);
  if (w + 2 <= windows) {
    visit.template operator()<2>(w);
    w += 2;
  }
  if (w < windows) visit.template operator()<1>(w);
}

template <class C>
void make_room(LaneBuffers& buffers) {
  const std::size_t needed = buffers.list.cuts().size() * 2 * 2 * 4 * kLanes;
  if (buffers.sums.size() < needed) buffers.sums.resize(needed);
}

template <class C>
RAMIFY_WITH_ALL_ITS_CALLS RAMIFY_FOR_EACH_PROCESSOR void find_best(const LaneTables& tables,
                                                                   LaneBuffers& buffers) {
  make_room<C>(buffers);
  buffers.best.resize(buffers.windows.first.size() * kLanes);
  by_groups(buffers.windows.first.size(), [&]<std::size_t W>(std::size_t w) {
    Scan<C, W> scan(tables, buffers.list, buffers.windows.first.data() + w, buffers.sums.data());
    scan.add_up();
    scan.find_best(buffers.best.data() + w * kLanes);
  });
}

template <class C>
RAMIFY_WITH_ALL_ITS_CALLS RAMIFY_FOR_EACH_PROCESSOR void find_first(const LaneTables& tables,
                                                                    LaneBuffers& buffers) {
  make_room<C>(buffers);
  buffers.first.resize(buffers.windows.first.size() * kLanes);
  by_groups(buffers.windows.first.size(), [&]<std::size_t W>(std::size_t w) {
    Scan<C, W> scan(tables, buffers.list, buffers.windows.first.data() + w, buffers.sums.data());
    scan.add_up();
    scan.find_first(buffers.goals.data() + w * kLanes, buffers.first.data() + w * kLanes);
  });
}

}  // namespace

LaneScans lane_scans(const std::string& criterion) {
  LaneScans scans;
  with_criterion(criterion, [&]<class C>() {
    if constexpr (Comparison<C>) {
      constexpr bool convex = std::is_same_v<C, Gain>;
      scans = {find_best<C>, find_first<C>, convex ? CutList::Keep::edges_of_stretches : CutList::Keep::every_cut};
    }
  });
  return scans;
}

}  // namespace ramify
