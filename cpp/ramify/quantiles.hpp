// The exact quantiles of numbers that are seen in parts, in any order, in two or three passes.
//
// The keys of numbers (their bits, in the order of the numbers) are counted in buckets. Counts of parts are added,
// so it does not matter how the rows are parted. A quantile lies in one bucket, and the next pass looks into those
// buckets alone: it counts them in finer ones, or collects their numbers if these are few. What comes out is the
// quantile by its definition, whatever the buckets were.
//
// Glossary
//   share   bin / bins of all weight; the cut behind it is half way between the first number up to which that
//           weight is reached and the next larger one.
//   page    neighbouring buckets of one width.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "ramify/keys.hpp"

namespace ramify {

struct KeyBucket {
  double weight = 0.0;
  double rows = 0.0;
  std::uint64_t least = ~std::uint64_t{0};  // of the keys in it
  std::uint64_t greatest = 0;

  bool empty() const { return rows == 0.0; }
  bool single() const { return least == greatest; }
  void add(const KeyBucket& other) {
    weight += other.weight;
    rows += other.rows;
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
  }
};

// A stretch of keys: 2^shift of them, from `first` on.
struct KeyStretch {
  std::uint64_t first;
  std::uint32_t shift;
};

class KeyHistogram {
 public:
  static constexpr std::uint32_t kBucketShift = 40;  // of the buckets of a histogram of all keys

  // Of all keys; pages come into being where there are numbers: one for each sign and exponent.
  KeyHistogram();
  // Of these stretches only, which are in order and do not overlap.
  explicit KeyHistogram(const std::vector<KeyStretch>& stretches);

  // Numbers and their weights. No NaN.
  void add(std::span<const double> numbers, std::span<const double> weights);
  // Of the same stretches, or both of all keys; buckets are then as wide as the wider ones of the two.
  void add(const KeyHistogram& other);
  // The same in fewer buckets where numbers are few, to be sent: about kSentBuckets, if it is of all keys.
  KeyHistogram thinned() const;

  struct Page {
    std::uint64_t first;
    std::uint32_t shift;  // of its buckets
    std::vector<KeyBucket> buckets;

    std::uint64_t key_of(std::size_t bucket) const { return first + (std::uint64_t{bucket} << shift); }
    // Joins neighbours until they are so wide.
    void widen(std::uint32_t to_shift);
  };
  // In order of their keys.
  const std::vector<Page>& pages() const { return pages_; }
  bool of_all() const { return of_all_; }
  // Puts a page in; pages of one histogram must not overlap.
  void insert(Page page);

 private:
  static constexpr std::uint32_t kPageShift = 52;  // below sign and exponent
  static constexpr std::uint32_t kLogBuckets = kPageShift - kBucketShift;
  static constexpr std::uint32_t kLogFinerBuckets = 8;
  static constexpr double kSentBuckets = 8192;

  Page* page_of(std::uint64_t key);

  bool of_all_;
  std::vector<Page> pages_;
  std::vector<std::int32_t> place_;  // of the page of each sign and exponent, -1 if there is none
};

class QuantileSearch {
 public:
  explicit QuantileSearch(std::uint32_t bins) : bins_(bins) {}

  // The first histogram, of all numbers; then finer ones, of the stretches that are open.
  void look(const KeyHistogram& histogram);

  // Where quantiles are still sought, and how many rows lie there.
  std::vector<KeyStretch> open() const;
  double rows_open() const;

  // Numbers and weights of all rows in the open stretches, the numbers in order; equal ones may come in several
  // entries. Closes them all.
  void settle(const std::vector<double>& numbers, const std::vector<double>& weights);

  // The cuts, when nothing is open.
  std::vector<double> edges() const;

 private:
  // Some neighbouring shares that lie in one stretch.
  struct Target {
    std::vector<double> shares;  // as weights, to be reached
    double below = 0.0;          // weight in front of the stretch
    double rows = 0.0;           // in it
    KeyStretch stretch{};
    std::uint64_t next = 0;  // the least key behind it, if there is one
    bool has_next = false;
  };

  void part(const Target& target, const KeyHistogram& histogram, std::vector<Target>& out);
  void note(std::uint64_t key, std::uint64_t next, bool has_next);

  std::uint32_t bins_;
  bool begun_ = false;
  std::vector<Target> targets_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found_;  // keys on both sides of a cut
};

// Tells whether keys lie in one of some stretches, which are in order.
class StretchSet {
 public:
  explicit StretchSet(std::vector<KeyStretch> stretches);

  bool has(std::uint64_t key) const {
    if (bits_.empty()) return search(key);
    const std::uint64_t bucket = key >> KeyHistogram::kBucketShift;
    return ((bits_[bucket / 64] >> (bucket % 64)) & 1) != 0;
  }

 private:
  bool search(std::uint64_t key) const;

  std::vector<KeyStretch> stretches_;
  std::vector<std::uint64_t> bits_;  // one a bucket of a first histogram, if the stretches are made of such
};

// Numbers that come one by one, to be counted some at a time.
class KeyCounter {
 public:
  explicit KeyCounter(KeyHistogram& histogram) : histogram_(histogram) {}

  void add(double number, double weight) {
    numbers_[size_] = number;
    weights_[size_] = weight;
    if (++size_ == kTogether) flush();
  }
  // To be called behind the last one.
  void flush() {
    histogram_.add({numbers_.data(), size_}, {weights_.data(), size_});
    size_ = 0;
  }

 private:
  static constexpr std::size_t kTogether = 64;

  KeyHistogram& histogram_;
  std::array<double, kTogether> numbers_;
  std::array<double, kTogether> weights_;
  std::size_t size_ = 0;
};

// The cuts of numbers that are all at hand: visit(take) calls take(number, weight) for each, twice if need be.
template <class Visit>
std::vector<double> quantile_edges(std::uint32_t bins, Visit&& visit) {
  KeyHistogram histogram;
  KeyCounter counter(histogram);
  visit([&](double number, double weight) { counter.add(number, weight); });
  counter.flush();
  QuantileSearch search(bins);
  search.look(histogram);
  if (search.open().empty()) return search.edges();
  const StretchSet open(search.open());
  std::vector<std::pair<double, double>> found;
  found.reserve(static_cast<std::size_t>(search.rows_open()));
  visit([&](double number, double weight) {
    if (open.has(ordered_bits(number))) found.emplace_back(number, weight);
  });
  std::sort(found.begin(), found.end());
  std::vector<double> numbers;
  std::vector<double> weights;
  for (const auto& [number, weight] : found) {
    numbers.push_back(number);
    weights.push_back(weight);
  }
  search.settle(numbers, weights);
  return search.edges();
}

}  // namespace ramify
