#include "ramify/search/subset.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "ramify/search/best.hpp"

namespace ramify {

namespace {

constexpr std::size_t kExhaustive = 10;         // categories up to which all subsets are tried
constexpr std::size_t kAllClassGroups = 5;      // classes up to which every group of classes gives an order
constexpr std::size_t kMostSingleClasses = 32;  // beyond, the most frequent classes against the rest
constexpr std::size_t kMostSweeps = 100;

}  // namespace

void SubsetSearch::search(const Question& question, const CodeCounts& counts, const double* goal) {
  question_ = &question;
  counts_ = &counts;
  found_ = false;
  score_ = -std::numeric_limits<double>::infinity();
  left_.assign(counts.size(), 0);
  method_ = SearchMethod::every_subset;
  if (counts.size() < 2) return;
  present_.clear();
  for (std::uint32_t k = 0; k < counts.classes(); ++k) {
    if (question.node.counts[k] > 0.0) present_.push_back(k);
  }
  if (counts.size() <= kExhaustive) {
    try_every_subset(goal);
  } else if (share_order_is_exact()) {
    method_ = SearchMethod::share_order;
    try_share_order(goal);
  } else {
    method_ = SearchMethod::heuristic;
    try_orders();
    if (found_) improve();
  }
  if (found_ && left_[0] == 0) {
    for (char& side : left_) side = static_cast<char>(side == 0);
  }
}

bool SubsetSearch::share_order_is_exact() const {
  const Admission& admission = question_->admission;
  return present_.size() == 2 && question_->book.share_order_is_exact && question_->book.order.q() > 0.0 &&
         admission.min_samples_leaf <= 1 && admission.min_weight <= 0.0 &&
         (question_->aside == nullptr || question_->book.score_is_gain) &&
         (admission.min_gain <= 0.0 || question_->book.score_is_gain);
}

// Subsets in the order of their numbers: bit i - 1 stands for category i; category 0 is always left.
void SubsetSearch::try_every_subset(const double* goal) {
  const std::size_t classes = counts_->classes();
  const std::uint32_t all = (std::uint32_t{1} << (counts_->size() - 1)) - 1;
  // Sums over every set of the categories above 0, each from a set with one category less.
  std::vector<double> sums((std::size_t{all} + 1) * classes, 0.0);
  std::vector<std::size_t> rows(std::size_t{all} + 1, 0);
  for (std::uint32_t set = 1; set <= all; ++set) {
    const std::uint32_t rest = set & (set - 1);
    const auto category = static_cast<std::size_t>(std::countr_zero(set)) + 1;
    rows[set] = rows[rest] + counts_->rows(category);
    for (std::size_t k = 0; k < classes; ++k) {
      sums[set * classes + k] = sums[rest * classes + k] + counts_->of(category)[k];
    }
  }
  Best best = goal == nullptr ? Best() : Best::first_reaching(*goal);
  std::vector<double> left(classes);
  tables_.start(*question_, best);
  for (std::uint32_t set = 0; set < all; ++set) {
    const std::uint32_t others = all ^ set;
    if (!question_->admission.admits_rows(counts_->rows(0) + rows[set], rows[others])) continue;
    for (std::size_t k = 0; k < classes; ++k) left[k] = counts_->of(0)[k] + sums[set * classes + k];
    tables_.put(left.data(), sums.data() + others * classes, set);
  }
  tables_.flush();
  take(best);
  if (!found_) return;
  left_[0] = 1;
  for (std::size_t i = 1; i < left_.size(); ++i) left_[i] = static_cast<char>((best.where() >> (i - 1)) & 1);
}

void SubsetSearch::try_share_order(const double* goal) {
  Best best = goal == nullptr ? Best() : Best::first_reaching(*goal);
  const Ordering order = by_key(share_of(std::uint64_t{1} << 0));
  tables_.start(*question_, best);
  offer_order(order, 0);
  tables_.flush();
  take(best);
  if (found_) take_order(order, best.where());
}

void SubsetSearch::try_orders() {
  std::vector<Ordering> orders;
  for (const std::uint64_t group : class_groups()) orders.push_back(by_key(share_of(group)));
  orders.push_back(by_key(principal_component()));
  const std::size_t size = counts_->size();
  const auto offer_all = [&](Best best) {
    tables_.start(*question_, best);
    for (std::size_t i = 0; i < orders.size(); ++i) {
      offer_order(orders[i], static_cast<std::uint32_t>(i * size));
    }
    tables_.flush();
    return best;
  };
  Best best = offer_all(Best());
  const double goal = best.score() - question_->book.tie_width(best.score(), question_->node.entropy);
  // Of cuts that are as good the first, not the one that rounding prefers.
  if (best.found() && !best.is_first_reaching(goal)) best = offer_all(Best::first_reaching(goal));
  take(best);
  if (found_) take_order(orders[best.where() / size], best.where() % size);
}

void SubsetSearch::take(const Best& best) {
  found_ = best.found();
  if (found_) score_ = best.score();
  best_ = best;
}

// Offers every cut of the categories in this order; a cut is known by the last category to its left.
void SubsetSearch::offer_order(const Ordering& order, std::uint32_t first_where) {
  const std::size_t classes = counts_->classes();
  // Sums from the right, so that real weights leave no rests.
  std::vector<double> right(order.size() * classes, 0.0);
  for (std::size_t i = order.size() - 1; i-- > 0;) {
    const double* next = counts_->of(order[i + 1]);
    for (std::size_t k = 0; k < classes; ++k) {
      right[i * classes + k] = right[(i + 1) * classes + k] + next[k];
    }
  }
  std::vector<double> left(classes, 0.0);
  std::size_t rows = 0;
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    for (std::size_t k = 0; k < classes; ++k) left[k] += counts_->of(order[i])[k];
    rows += counts_->rows(order[i]);
    if (!question_->admission.admits_rows(rows, question_->node.rows - rows)) continue;
    tables_.put(left.data(), right.data() + i * classes, first_where + static_cast<std::uint32_t>(i));
  }
}

void SubsetSearch::take_order(const Ordering& order, std::size_t cut) {
  for (std::size_t i = 0; i < order.size(); ++i) left_[order[i]] = static_cast<char>(i <= cut);
}

SubsetSearch::Ordering SubsetSearch::by_key(const std::vector<double>& key) const {
  Ordering order(counts_->size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  return order;
}

// The share that a group of classes (bits over the present ones) has in each category.
std::vector<double> SubsetSearch::share_of(std::uint64_t group) const {
  std::vector<double> key(counts_->size());
  for (std::size_t i = 0; i < key.size(); ++i) {
    double inside = 0.0;
    double size = 0.0;
    for (std::size_t p = 0; p < present_.size(); ++p) {
      const double count = counts_->of(i)[present_[p]];
      size += count;
      if (p < 64 && ((group >> p) & 1) != 0) inside += count;
    }
    key[i] = inside / size;
  }
  return key;
}

// Every group of classes while there are few (a group and its complement give the same order), else single
// classes against the rest.
std::vector<std::uint64_t> SubsetSearch::class_groups() const {
  std::vector<std::uint64_t> groups;
  const std::size_t n = present_.size();
  if (n <= kAllClassGroups) {
    for (std::uint64_t group = 1; group < (std::uint64_t{1} << (n - 1)); ++group) groups.push_back(group);
    return groups;
  }
  std::vector<std::uint32_t> by_size(std::min<std::size_t>(n, 64));
  std::iota(by_size.begin(), by_size.end(), 0u);
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::uint32_t a, std::uint32_t b) {
    return question_->node.counts[present_[a]] > question_->node.counts[present_[b]];
  });
  by_size.resize(std::min(by_size.size(), kMostSingleClasses));
  for (const std::uint32_t p : by_size) groups.push_back(std::uint64_t{1} << p);
  return groups;
}

// Scores of the categories on the first principal component of their class shares, weighted by size
// (Coppersmith, Hong and Hosking 1999), by power iteration.
std::vector<double> SubsetSearch::principal_component() const {
  const std::size_t n = present_.size();
  const std::size_t size = counts_->size();
  std::vector<double> shares(size * n);
  std::vector<double> weight(size, 0.0);
  for (std::size_t i = 0; i < size; ++i) {
    for (const std::uint32_t k : present_) weight[i] += counts_->of(i)[k];
    for (std::size_t p = 0; p < n; ++p) {
      const double mean = question_->node.counts[present_[p]] / question_->node.weight;
      shares[i * n + p] = counts_->of(i)[present_[p]] / weight[i] - mean;
    }
  }
  std::vector<double> direction(n);
  for (std::size_t p = 0; p < n; ++p) direction[p] = 1.0 / static_cast<double>(p + 1);
  std::vector<double> key(size, 0.0);
  constexpr int kIterations = 50;
  for (int iteration = 0; iteration <= kIterations; ++iteration) {
    std::vector<double> next(n, 0.0);
    for (std::size_t i = 0; i < size; ++i) {
      key[i] =
          std::inner_product(direction.begin(), direction.end(), shares.begin() + static_cast<long>(i * n), 0.0);
      for (std::size_t p = 0; p < n; ++p) next[p] += weight[i] * key[i] * shares[i * n + p];
    }
    const double length = std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
    if (!(length > 0.0)) break;
    for (std::size_t p = 0; p < n; ++p) direction[p] = next[p] / length;
  }
  return key;
}

// Moves single categories to the other side for as long as that helps.
void SubsetSearch::improve() {
  add_up_sides();
  for (std::size_t sweep = 0; sweep < kMostSweeps; ++sweep) {
    bool moved = false;
    for (std::size_t category = 0; category < left_.size(); ++category) {
      if (poll_ && category % 256 == 0) poll_();
      flip(category);
      const double score = score_of_sides();
      if (score > score_ + question_->book.tie_width(score, question_->node.entropy)) {
        score_ = score;
        moved = true;
      } else {
        flip(category);
      }
    }
    if (!moved) return;
    add_up_sides();  // a fresh start for each sweep: no rounding piles up
  }
}

void SubsetSearch::add_up_sides() {
  const std::size_t classes = counts_->classes();
  sides_.assign(2 * classes, 0.0);
  left_rows_ = 0;
  for (std::size_t i = 0; i < left_.size(); ++i) {
    double* side = sides_.data() + (left_[i] != 0 ? 0 : classes);
    for (std::size_t k = 0; k < classes; ++k) side[k] += counts_->of(i)[k];
    if (left_[i] != 0) left_rows_ += counts_->rows(i);
  }
}

void SubsetSearch::flip(std::size_t category) {
  const std::size_t classes = counts_->classes();
  const bool was_left = left_[category] != 0;
  double* from = sides_.data() + (was_left ? 0 : classes);
  double* to = sides_.data() + (was_left ? classes : 0);
  for (std::size_t k = 0; k < classes; ++k) {
    const double count = counts_->of(category)[k];
    from[k] -= count;
    to[k] += count;
    // What rounding leaves of a class that has gone would pass for a class that is present.
    if (from[k] < 1e-12 * question_->node.counts[k]) from[k] = 0.0;
  }
  if (was_left) {
    left_rows_ -= counts_->rows(category);
  } else {
    left_rows_ += counts_->rows(category);
  }
  left_[category] = static_cast<char>(!was_left);
}

double SubsetSearch::score_of_sides() {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  if (left_rows_ == 0 || left_rows_ == question_->node.rows) return kNone;
  if (!question_->admission.admits_rows(left_rows_, question_->node.rows - left_rows_)) return kNone;
  const TableBatch one{sides_.data(), 1, 2, counts_->classes()};
  const std::size_t classes = counts_->classes();
  const double left = std::accumulate(sides_.begin(), sides_.begin() + static_cast<long>(classes), 0.0);
  const double right = std::accumulate(sides_.begin() + static_cast<long>(classes), sides_.end(), 0.0);
  if (!question_->admission.admits_weights(left, right)) return kNone;
  const double score = question_->score_one(one, buffers_);
  return question_->gain_suffices(one, buffers_) ? score : kNone;
}

}  // namespace ramify
