#include "ramify/path/lane_scan.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "ramify/criteria/registry.hpp"
#include "ramify/processors.hpp"

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wpsabi"  // vectors are never handed from one function to another
#endif

namespace ramify {

void CutList::start(std::span<const double> counts) {
  moves_.clear();
  cuts_.clear();
  cases_ = 0;
  totals_.resize(counts.size());
  for (std::size_t k = 0; k < counts.size(); ++k) {
    totals_[k] = static_cast<std::uint32_t>(counts[k]);
    cases_ += totals_[k];
  }
  left_.assign(counts.size(), 0);
}

void CutList::move(std::uint32_t cls, std::uint32_t count) {
  const std::uint32_t before = left_[cls];
  const std::uint32_t after = before + count;
  moves_.push_back({cls, before, after, totals_[cls] - after, totals_[cls] - before});
  left_[cls] = after;
}

void CutList::read(const RunView& run, const Tags& tags, std::span<const double> counts,
                   std::size_t min_samples_leaf) {
  start(counts);
  const TagReader<TagMode::packed> reader{tags};
  const Entry* const first = run.begin<TagMode::packed>();
  group_.assign(counts.size(), 0);
  const std::size_t last_cut = run.size < min_samples_leaf ? 0 : run.size - min_samples_leaf;
  for (std::size_t begin = 0; begin < run.size;) {
    const std::uint32_t code = first[begin].code;
    std::size_t end = begin + 1;
    if (end == run.size || first[end].code != code) {
      move(reader.cls(first[begin]), 1);
    } else {
      ++group_[reader.cls(first[begin])];
      for (; end < run.size && first[end].code == code; ++end) ++group_[reader.cls(first[end])];
      for (std::uint32_t k = 0; k < group_.size(); ++k) {
        if (group_[k] > 0) move(k, group_[k]);
        group_[k] = 0;
      }
    }
    if (end >= min_samples_leaf && end <= last_cut && end < run.size) {
      const auto n = static_cast<std::uint32_t>(end);
      cuts_.push_back({static_cast<std::uint32_t>(moves_.size()), n, n});
    }
    begin = end;
  }
}

void CutList::read(const CodeCounts& codes, std::span<const double> counts, std::size_t min_samples_leaf) {
  start(counts);
  std::uint32_t n = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double* of = codes.of(i);
    for (std::uint32_t k = 0; k < counts.size(); ++k) {
      if (of[k] > 0.0) move(k, static_cast<std::uint32_t>(of[k]));
    }
    n += codes.rows(i);
    if (i + 1 < codes.size() && n >= min_samples_leaf && cases_ - n >= min_samples_leaf) {
      cuts_.push_back({static_cast<std::uint32_t>(moves_.size()), n, static_cast<std::uint32_t>(i)});
    }
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
      : tables_(tables), list_(list), room_(room), n_(static_cast<double>(list.cases())) {
    for (std::size_t w = 0; w < W; ++w) window_[w] = windows[w];
  }

  // Sums of powers to the left and to the right of every cut. The two chains of additions don't wait for each
  // other.
  void add_up() {
    const std::vector<CutList::Cut>& cuts = list_.cuts();
    const CutList::Move* moves = list_.moves().data();
    Lanes left[W * kSums] = {};
    Lanes right[W * kSums] = {};
    std::size_t from_left = 0;
    std::size_t from_right = list_.moves().size();
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const std::size_t mirrored = cuts.size() - 1 - c;
      for (; from_left < cuts[c].moves; ++from_left) {
        const CutList::Move& move = moves[from_left];
        add(move.cls, move.left_before, move.left_after, left);
      }
      while (from_right > cuts[mirrored].moves) {
        const CutList::Move& move = moves[--from_right];
        add(move.cls, move.right_before, move.right_after, right);
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
  const double* at(const double* table, std::size_t n, std::size_t w) const {
    return table + n * tables_.stride() + window_[w];
  }
  Lanes power(std::size_t n, std::size_t w) const { return load(at(tables_.powers(), n, w)); }
  Lanes scale(std::size_t n, std::size_t w) const { return load(at(tables_.scales(), n, w)); }
  Lanes own(std::size_t n, std::size_t w) const { return load(at(tables_.owns(), n, w)); }
  Lanes left(std::size_t c, std::size_t i) const { return load(room_ + (2 * c * W * kSums + i) * kLanes); }
  Lanes right(std::size_t c, std::size_t i) const { return load(room_ + ((2 * c + 1) * W * kSums + i) * kLanes); }

  void add(std::uint32_t cls, std::size_t before, std::size_t after, Lanes* sums) const {
    for (std::size_t w = 0; w < W; ++w) {
      const Lanes step = power(after, w) - power(before, w);
      sums[w] += step;
      if constexpr (kCrossed) sums[W + w] += scale(list_.totals()[cls], w) * step;
    }
  }

  // What no cut changes.
  void prepare() {
    const std::size_t n = list_.cases();
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
    const std::size_t n_left = list_.cuts()[c].n_left;
    const std::size_t n_right = list_.cases() - n_left;
    if constexpr (kIsGain) {
      const Lanes both = scale(n_left, w) * left(c, w) + scale(n_right, w) * right(c, w);
      return plain_[w] ? both : both - own(n_left, w) - own(n_right, w);
    } else {
      const Lanes share = all_lanes(1.0 / n_);
      SplitEntropiesOf<Lanes> h;
      h.classes = classes_[w];
      h.branches =
          scale(list_.cases(), w) * (power(list_.cases(), w) - power(n_left, w) - power(n_right, w)) * share;
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

  const LaneTables& tables_;
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
    if constexpr (Comparison<C>) scans = {find_best<C>, find_first<C>};
  });
  return scans;
}

}  // namespace ramify
