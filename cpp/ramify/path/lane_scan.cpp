#include "ramify/path/lane_scan.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "ramify/criteria/registry.hpp"
#include "ramify/processors.hpp"

namespace ramify {

void Windows::cover(std::span<const std::uint16_t> orders) {
  first.clear();
  for (const std::uint16_t order : orders) {
    if (first.empty() || order >= first.back() + kLanes) first.push_back(order);
  }
}

void Windows::place(std::span<const std::uint16_t> orders, std::vector<std::uint32_t>& lanes) const {
  lanes.resize(orders.size());
  std::uint32_t window = 0;
  for (std::size_t i = 0; i < orders.size(); ++i) {
    while (orders[i] >= first[window] + kLanes) ++window;
    lanes[i] = window * std::uint32_t{kLanes} + orders[i] - first[window];
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

  Scan(const LaneTables& tables, const CutList& list, const LaneNode& node, const std::uint32_t* windows,
       std::size_t first, double* room)
      : stride_(tables.stride()), list_(list), room_(room), n_(static_cast<double>(list.cases())) {
    for (std::size_t w = 0; w < W; ++w) {
      const std::size_t order = windows[first + w];
      powers_[w] = tables.powers() + order;
      scales_[w] = tables.scales() + order;
      leaves_out_[w] = load(tables.leaves_out() + order);
      plain_[w] = node.plain[first + w] != 0;
      classes_[w] = load(node.classes.data() + (first + w) * kLanes);
      offset_[w] = load(node.offset.data() + (first + w) * kLanes);
      crossed_[w] = load(node.crossed.data() + (first + w) * kLanes);
    }
  }

  // Sums of powers to the left and to the right after every move. The two chains of additions don't wait for each
  // other.
  void add_up() {
    const std::span<const CutList::Move> moves = list_.moves();
    Lanes left[W * kSums] = {};
    Lanes right[W * kSums] = {};
    for (std::size_t i = 0, j = moves.size(); i < moves.size(); ++i) {
      --j;
      add(moves[i].total, moves[i].left_before, moves[i].left_after, left);
      add(moves[j].total, moves[j].right_before(), moves[j].right_after(), right);
      RAMIFY_UNROLLED
      for (std::size_t sum = 0; sum < W * kSums; ++sum) {
        store(left[sum], room_ + (2 * i * W * kSums + sum) * kLanes);
        store(right[sum], room_ + ((2 * j + 1) * W * kSums + sum) * kLanes);
      }
    }
  }

  void find_best(double* out) {
    Lanes best[W];
    for (std::size_t w = 0; w < W; ++w) best[w] = all_lanes(-std::numeric_limits<double>::infinity());
    for (std::size_t c = 0; c < list_.cuts().size(); ++c) {
      for (std::size_t w = 0; w < W; ++w) best[w] = larger(promise(c, w), best[w]);
    }
    for (std::size_t w = 0; w < W; ++w) store(score_of(best[w], w), out + w * kLanes);
  }

  void find_first(const double* goals, std::int32_t* out) {
    std::size_t open = W * kLanes;
    std::fill(out, out + open, -1);
    Lanes goal[W];
    for (std::size_t w = 0; w < W; ++w) goal[w] = load(goals + w * kLanes);
    for (std::size_t c = 0; c < list_.cuts().size() && open > 0; ++c) {
      for (std::size_t w = 0; w < W; ++w) {
        const Lanes score = score_of(promise(c, w), w);
        if (!any_reaches(score, goal[w])) continue;
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
          if (!(score[lane] >= goal[w][lane])) continue;
          out[w * kLanes + lane] = static_cast<std::int32_t>(c);
          goal[w][lane] = std::numeric_limits<double>::infinity();  // found
          --open;
        }
      }
    }
  }

 private:
  std::size_t place_of(std::size_t n) const { return n * stride_; }
  // By places in the tables.
  Lanes power(std::size_t place, std::size_t w) const { return load(powers_[w] + place); }
  Lanes scale(std::size_t place, std::size_t w) const { return load(scales_[w] + place); }
  Lanes own(std::size_t place, std::size_t w) const { return scale(place, w) * power(place, w) * leaves_out_[w]; }
  // Of the side of a cut: after the last move to its left, and the first to its right.
  Lanes left(std::size_t c, std::size_t sum) const {
    return load(room_ + (2 * (list_.cuts()[c].moves - std::size_t{1}) * W * kSums + sum) * kLanes);
  }
  Lanes right(std::size_t c, std::size_t sum) const {
    return load(room_ + ((2 * std::size_t{list_.cuts()[c].moves} + 1) * W * kSums + sum) * kLanes);
  }

  void add(std::size_t total, std::size_t before, std::size_t after, Lanes* sums) const {
    for (std::size_t w = 0; w < W; ++w) {
      const Lanes step = power(after, w) - power(before, w);
      sums[w] += step;
      if constexpr (kCrossed) sums[W + w] += scale(total, w) * step;
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

  const double* powers_[W];
  const double* scales_[W];
  std::size_t stride_;
  const CutList& list_;
  double* room_;
  double n_;
  bool plain_[W];
  Lanes classes_[W];  // entropy of the node
  Lanes offset_[W];   // what the promise leaves out
  Lanes crossed_[W];
  Lanes leaves_out_[W];
};

// Calls visit.operator()<W>(first window) for groups of windows.
template <class Visit>
void by_groups(std::size_t windows, Visit&& visit) {
  std::size_t w = 0;
  for (; w + 4 <= windows; w += 4) visit.template operator()<4>(w);
  if (windows - w == 3) visit.template operator()<3>(w);
  if (windows - w == 2) visit.template operator()<2>(w);
  if (windows - w == 1) visit.template operator()<1>(w);
}

// Calls visit(scan, first lane) for groups of windows, their sums added up.
template <class C, class Visit>
void with_scans(const LaneTables& tables, LaneBuffers& buffers, Visit&& visit) {
  const std::size_t room = buffers.list.moves().size() * 2 * 2 * 4 * kLanes;
  if (buffers.sums.size() < room) buffers.sums.resize(room);
  by_groups(buffers.windows.first.size(), [&]<std::size_t W>(std::size_t w) {
    Scan<C, W> scan(tables, buffers.list, buffers.node, buffers.windows.first.data(), w, buffers.sums.data());
    scan.add_up();
    visit(scan, w * kLanes);
  });
}

template <class C>
RAMIFY_WITH_ALL_ITS_CALLS RAMIFY_FOR_EACH_PROCESSOR void find_best(const LaneTables& tables,
                                                                   LaneBuffers& buffers) {
  buffers.best.resize(buffers.windows.first.size() * kLanes);
  with_scans<C>(tables, buffers,
                [&](auto& scan, std::size_t lane) { scan.find_best(buffers.best.data() + lane); });
}

template <class C>
RAMIFY_WITH_ALL_ITS_CALLS RAMIFY_FOR_EACH_PROCESSOR void find_first(const LaneTables& tables,
                                                                    LaneBuffers& buffers) {
  buffers.first.resize(buffers.windows.first.size() * kLanes);
  with_scans<C>(tables, buffers, [&](auto& scan, std::size_t lane) {
    scan.find_first(buffers.goals.data() + lane, buffers.first.data() + lane);
  });
}

}  // namespace

RAMIFY_WITH_ALL_ITS_CALLS RAMIFY_FOR_EACH_PROCESSOR void prepare_lanes(const LaneTables& tables,
                                                                       std::span<const double> counts,
                                                                       LaneBuffers& buffers) {
  LaneNode& node = buffers.node;
  const std::size_t windows = buffers.windows.first.size();
  for (std::vector<double>* values : {&node.classes, &node.offset, &node.crossed})
    values->resize(windows * kLanes);
  node.plain.resize(windows);
  double n = 0.0;
  for (const double count : counts) n += count;
  const auto place = [&](double count) { return static_cast<std::size_t>(count) * tables.stride(); };
  for (std::size_t window = 0; window < windows; ++window) {
    const std::size_t order = buffers.windows.first[window];
    const double* const powers = tables.powers() + order;
    const double* const scales = tables.scales() + order;
    Lanes sum{};
    Lanes crossed{};
    for (const double count : counts) {
      const Lanes power = load(powers + place(count));
      sum += power;
      crossed += load(scales + place(count)) * power;
    }
    const Lanes scale = load(scales + place(n));
    const Lanes power = load(powers + place(n));
    const Lanes leaves_out = load(tables.leaves_out() + order);
    store(scale * (power - sum) * all_lanes(1.0 / n), node.classes.data() + window * kLanes);
    store(scale * power - scale * power * leaves_out, node.offset.data() + window * kLanes);
    store(crossed, node.crossed.data() + window * kLanes);
    bool plain = true;
    for (std::size_t lane = 0; lane < kLanes; ++lane) plain = plain && leaves_out[lane] == 0.0;
    node.plain[window] = plain ? 1 : 0;
  }
}

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
