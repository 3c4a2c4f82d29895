#include "ramify/quantiles.hpp"

#include <stdexcept>

#include "ramify/coding.hpp"

namespace ramify {

KeyHistogram::KeyHistogram() : of_all_(true), place_(std::size_t{1} << (64 - kPageShift), -1) {}

KeyHistogram::KeyHistogram(const std::vector<KeyStretch>& stretches) : of_all_(false) {
  for (const KeyStretch& stretch : stretches) {
    const std::uint32_t finer = std::min(stretch.shift, kLogFinerBuckets);
    pages_.push_back({stretch.first, stretch.shift - finer, std::vector<KeyBucket>(std::size_t{1} << finer)});
  }
}

void KeyHistogram::insert(Page page) {
  const auto at = std::lower_bound(pages_.begin(), pages_.end(), page.first,
                                   [](const Page& p, std::uint64_t first) { return p.first < first; });
  pages_.insert(at, std::move(page));
  for (std::size_t i = 0; of_all_ && i < pages_.size(); ++i) {
    place_[pages_[i].first >> kPageShift] = static_cast<std::int32_t>(i);
  }
}

KeyHistogram::Page* KeyHistogram::page_of(std::uint64_t key) {
  if (of_all_) {
    const std::size_t upper = key >> kPageShift;
    if (place_[upper] < 0) {
      insert({std::uint64_t{upper} << kPageShift, kBucketShift,
              std::vector<KeyBucket>(std::size_t{1} << kLogBuckets)});
    }
    return &pages_[static_cast<std::size_t>(place_[upper])];
  }
  const auto behind = std::upper_bound(pages_.begin(), pages_.end(), key,
                                       [](std::uint64_t k, const Page& page) { return k < page.first; });
  if (behind == pages_.begin()) return nullptr;
  Page& page = *(behind - 1);
  return (key - page.first) >> page.shift < page.buckets.size() ? &page : nullptr;
}

void KeyHistogram::add(std::span<const double> numbers, std::span<const double> weights) {
  // Buckets lie far apart: some are asked for before the first of them is written to. Their memory stays where it
  // is when further pages come.
  constexpr std::size_t kAsked = 16;
  std::array<KeyBucket*, kAsked> buckets;
  std::array<std::uint64_t, kAsked> keys;
  for (std::size_t begin = 0; begin < numbers.size(); begin += kAsked) {
    const std::size_t count = std::min(kAsked, numbers.size() - begin);
    for (std::size_t i = 0; i < count; ++i) {
      keys[i] = ordered_bits(numbers[begin + i]);
      Page* const page = page_of(keys[i]);
      buckets[i] = page == nullptr ? nullptr : page->buckets.data() + ((keys[i] - page->first) >> page->shift);
      __builtin_prefetch(buckets[i], 1);
    }
    for (std::size_t i = 0; i < count; ++i) {
      if (buckets[i] != nullptr) buckets[i]->add({weights[begin + i], 1.0, keys[i], keys[i]});
    }
  }
}

void KeyHistogram::Page::widen(std::uint32_t to_shift) {
  const std::uint32_t together = to_shift - shift;
  std::vector<KeyBucket> wide(std::max<std::size_t>(buckets.size() >> together, 1));
  for (std::size_t i = 0; i < buckets.size(); ++i) wide[i >> together].add(buckets[i]);
  buckets = std::move(wide);
  shift = to_shift;
}

void KeyHistogram::add(const KeyHistogram& other) {
  if (other.of_all_ != of_all_) throw std::invalid_argument("histograms of other stretches can't be added");
  for (const Page& theirs : other.pages_) {
    Page* const mine = page_of(theirs.first);
    const bool alike = mine != nullptr && mine->first == theirs.first;
    if (!alike || (!of_all_ && mine->buckets.size() != theirs.buckets.size())) {
      throw std::invalid_argument("histograms of other stretches can't be added");
    }
    if (mine->shift < theirs.shift) mine->widen(theirs.shift);
    const std::uint32_t together = mine->shift - theirs.shift;
    for (std::size_t i = 0; i < theirs.buckets.size(); ++i) mine->buckets[i >> together].add(theirs.buckets[i]);
  }
}

KeyHistogram KeyHistogram::thinned() const {
  KeyHistogram thin = *this;
  if (!of_all_) return thin;
  double rows = 0.0;
  std::vector<double> rows_of;
  for (const Page& page : pages_) {
    rows_of.push_back(0.0);
    for (const KeyBucket& bucket : page.buckets) rows_of.back() += bucket.rows;
    rows += rows_of.back();
  }
  for (std::size_t i = 0; i < pages_.size(); ++i) {
    // Twice as wide as long as the page has more than its share.
    std::uint32_t shift = pages_[i].shift;
    double buckets = static_cast<double>(pages_[i].buckets.size());
    for (; buckets > 1.0 && buckets > kSentBuckets * rows_of[i] / rows; buckets /= 2.0) ++shift;
    if (shift > pages_[i].shift) thin.pages_[i].widen(shift);
  }
  return thin;
}

StretchSet::StretchSet(std::vector<KeyStretch> stretches) : stretches_(std::move(stretches)) {
  constexpr std::uint32_t kShift = KeyHistogram::kBucketShift;
  const auto has_buckets = [](const KeyStretch& stretch) { return stretch.shift >= kShift; };
  if (!std::all_of(stretches_.begin(), stretches_.end(), has_buckets)) return;
  bits_.assign(std::size_t{1} << (64 - kShift - 6), 0);
  for (const KeyStretch& stretch : stretches_) {
    const std::uint64_t first = stretch.first >> kShift;
    const std::uint64_t end = first + (std::uint64_t{1} << (stretch.shift - kShift));
    for (std::uint64_t bucket = first; bucket < end; ++bucket) {
      bits_[bucket / 64] |= std::uint64_t{1} << (bucket % 64);
    }
  }
}

bool StretchSet::search(std::uint64_t key) const {
  const auto behind = std::upper_bound(stretches_.begin(), stretches_.end(), key,
                                       [](std::uint64_t k, const KeyStretch& s) { return k < s.first; });
  return behind != stretches_.begin() && (key - (behind - 1)->first) >> (behind - 1)->shift == 0;
}

void QuantileSearch::look(const KeyHistogram& histogram) {
  std::vector<Target> targets = std::move(targets_);
  targets_.clear();
  if (!begun_) {
    begun_ = true;
    double total = 0.0;
    for (const KeyHistogram::Page& page : histogram.pages()) {
      for (const KeyBucket& bucket : page.buckets) total += bucket.weight;
    }
    Target all;
    // The slack lets a share that is reached but for rounding count.
    for (std::uint32_t bin = 1; bin < bins_; ++bin) all.shares.push_back(total * bin / bins_ * (1.0 - 1e-12));
    all.stretch = {0, 64};
    targets.push_back(std::move(all));
  }
  for (const Target& target : targets) part(target, histogram, targets_);
}

// Finds the bucket of each share of a target: a bucket of one number is a find, others are new targets.
void QuantileSearch::part(const Target& target, const KeyHistogram& histogram, std::vector<Target>& out) {
  struct Place {
    const KeyHistogram::Page* page;
    std::size_t bucket;
    const KeyBucket& at() const { return page->buckets[bucket]; }
  };
  std::vector<Place> places;
  for (const KeyHistogram::Page& page : histogram.pages()) {
    const bool inside =
        target.stretch.shift == 64 || (page.first - target.stretch.first) >> target.stretch.shift == 0;
    for (std::size_t i = 0; inside && i < page.buckets.size(); ++i) {
      if (!page.buckets[i].empty()) places.push_back({&page, i});
    }
  }
  double reached = target.below;
  std::size_t share = 0;
  for (std::size_t i = 0; i < places.size() && share < target.shares.size(); ++i) {
    const KeyBucket& bucket = places[i].at();
    const bool last = i + 1 == places.size();
    Target inner;
    inner.below = reached;
    reached += bucket.weight;
    // Behind the last number there is nothing to cut, so it takes all shares that are left.
    while (share < target.shares.size() && (reached >= target.shares[share] || last)) {
      inner.shares.push_back(target.shares[share++]);
    }
    if (inner.shares.empty()) continue;
    inner.rows = bucket.rows;
    inner.stretch = {places[i].page->key_of(places[i].bucket), places[i].page->shift};
    inner.has_next = !last || target.has_next;
    inner.next = last ? target.next : places[i + 1].at().least;
    if (bucket.single()) {
      note(bucket.least, inner.next, inner.has_next);
    } else {
      out.push_back(std::move(inner));
    }
  }
}

void QuantileSearch::note(std::uint64_t key, std::uint64_t next, bool has_next) {
  if (has_next) found_.emplace_back(key, next);
}

std::vector<KeyStretch> QuantileSearch::open() const {
  std::vector<KeyStretch> stretches;
  for (const Target& target : targets_) stretches.push_back(target.stretch);
  return stretches;
}

double QuantileSearch::rows_open() const {
  double rows = 0.0;
  for (const Target& target : targets_) rows += target.rows;
  return rows;
}

void QuantileSearch::settle(const std::vector<double>& numbers, const std::vector<double>& weights) {
  if (weights.size() != numbers.size()) throw std::invalid_argument("one weight a number is needed");
  std::size_t i = 0;
  for (const Target& target : targets_) {
    const auto key = [&](std::size_t at) { return ordered_bits(numbers[at]); };
    const auto inside = [&](std::size_t at) {
      return at < numbers.size() && (key(at) - target.stretch.first) >> target.stretch.shift == 0;
    };
    if (!inside(i)) throw std::invalid_argument("the numbers are not those that were counted");
    double reached = target.below;
    std::size_t share = 0;
    while (inside(i)) {
      const std::uint64_t here = key(i);
      for (; inside(i) && key(i) == here; ++i) reached += weights[i];
      const bool last = !inside(i);
      const std::size_t before = share;
      while (share < target.shares.size() && (reached >= target.shares[share] || last)) ++share;
      if (share > before) note(here, last ? target.next : key(i), !last || target.has_next);
    }
  }
  if (i != numbers.size()) throw std::invalid_argument("the numbers are not those that were counted");
  targets_.clear();
}

std::vector<double> QuantileSearch::edges() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> cuts = found_;
  std::sort(cuts.begin(), cuts.end());
  std::vector<double> edges;
  for (const auto& [key, next] : cuts) {
    const double edge = midpoint(number_of_bits(key), number_of_bits(next));
    if (edges.empty() || edge > edges.back()) edges.push_back(edge);
  }
  return edges;
}

}  // namespace ramify
