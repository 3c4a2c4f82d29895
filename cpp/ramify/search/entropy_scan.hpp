// Scores the cuts of one column under a comparison of entropies, from running sums of looked-up powers.
//
// A case that changes sides touches two counts, so a cut costs a handful of operations whatever the number of
// classes and whatever q. The left sum only grows. The right sum shrinks, and a sum that is kept by
// subtraction loses its digits as it does (at q = 5 after a few cuts), so it is added up afresh each time
// that it has fallen to a small part: at most two of its sixteen digits are ever lost.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "ramify/criteria/gains.hpp"
#include "ramify/search/question.hpp"

namespace ramify {

struct Sides {
  std::uint32_t left;
  std::uint32_t right;
};

// Powers that are looked up, in a table that has all counts that are asked for.
struct TabledPowers {
  explicit TabledPowers(const PowerTable& table)
      : powers(table.powers()), scales(table.scales()), steps(table.steps()) {}

  double power(std::size_t n) const { return powers[n]; }
  double scale(std::size_t n) const { return scales[n]; }
  double step(std::size_t n) const { return steps[n]; }

  const double* powers;
  const double* scales;
  const double* steps;
};

// The same numbers, of which those of large counts are computed: for scans of few steps, from counts.
struct AnyPowers {
  explicit AnyPowers(const PowerTable& of) : table(of) {}

  double power(std::size_t n) const { return table.power(n); }
  double scale(std::size_t n) const { return table.scale(n); }
  double step(std::size_t n) const { return table.power(n + 1) - table.power(n); }

  const PowerTable& table;
};

// What cuts promise under the gain, and their scores: both rise and fall together. With plain powers the promise
// leaves out an offset that is the same for all cuts, since scale(n) * power(n) is linear in n then.
struct PromiseScale {
  double entropy = 0.0;  // of the node
  double share = 0.0;    // of a case
  double offset = 0.0;

  double score_of(double promise) const { return entropy + (promise - offset) * share; }
  double promise_of(double score) const { return (score - entropy) / share + offset; }
};

// Exact: the sums are exact (squares of whole numbers are), so nothing is lost by subtraction.
template <class C, bool Plain, bool Exact, class Numbers = TabledPowers>
class EntropyScan {
 public:
  EntropyScan(const Question& question, std::vector<Sides>& sides, std::vector<double>& class_scales)
      : numbers_(*question.book.powers) {
    const NodeTotals& node = question.node;
    n_ = static_cast<std::uint32_t>(node.weight);
    n_all_ = n_ + static_cast<std::uint32_t>(question.aside_weight);
    share_ = 1.0 / n_all_;
    sides.resize(node.classes);
    sides_ = sides.data();
    classes_ = node.classes;
    for (std::size_t k = 0; k < classes_; ++k) sides_[k] = {0, static_cast<std::uint32_t>(node.counts[k])};
    add_up_right();
    // Of all cases together there may be no power in the table.
    const PowerTable& table = *question.book.powers;
    double sum = right_sum_;
    if (question.aside != nullptr) sum = put_aside(question, table);
    class_entropy_ = numbers_.scale(n_all_) * (table.power(n_all_) - sum) * share_;
    if constexpr (kIsGain) {
      promises_ = {class_entropy_, share_, aside_given_ + (Plain ? numbers_.scale(n_) * table.power(n_) : 0.0)};
    }
    if constexpr (C::uses_branches_given_classes) start_crossed(question, class_scales);
  }

  void move_one_left(std::uint32_t cls) {
    Sides& side = sides_[cls];
    const double gained = numbers_.step(side.left++);
    const double lost = numbers_.step(--side.right);
    ++n_left_;
    account(cls, gained, lost);
  }

  void move_left(std::uint32_t cls, std::uint32_t weight) {
    Sides& side = sides_[cls];
    const double gained = numbers_.power(side.left + weight) - numbers_.power(side.left);
    const double lost = numbers_.power(side.right) - numbers_.power(side.right - weight);
    side.left += weight;
    side.right -= weight;
    n_left_ += weight;
    account(cls, gained, lost);
  }

  // Rises and falls with the score and, for the gain, is cheaper to get.
  double promise() const {
    if constexpr (!kIsGain) return score();
    const std::uint32_t n_right = n_ - n_left_;
    if constexpr (Plain) return numbers_.scale(n_left_) * left_sum_ + numbers_.scale(n_right) * right_sum_;
    return numbers_.scale(n_left_) * (left_sum_ - numbers_.power(n_left_)) +
           numbers_.scale(n_right) * (right_sum_ - numbers_.power(n_right));
  }
  double score_of(double promise) const {
    if constexpr (!kIsGain) return promise;
    return promises_.score_of(promise);
  }
  double promise_of(double score) const {
    if constexpr (!kIsGain) return score;
    return promises_.promise_of(score);
  }

  // Of the gain.
  const PromiseScale& promises() const { return promises_; }

  std::uint32_t n_left() const { return n_left_; }
  std::uint32_t n_right() const { return n_ - n_left_; }

  double score() const {
    const std::uint32_t n_right = n_ - n_left_;
    SplitEntropies h;
    h.classes = class_entropy_;
    h.branches = numbers_.scale(n_all_) *
                 (numbers_.power(n_all_) - numbers_.power(n_left_) - numbers_.power(n_right) - aside_power_) *
                 share_;
    h.classes_given_branches = (numbers_.scale(n_left_) * (numbers_.power(n_left_) - left_sum_) +
                                numbers_.scale(n_right) * (numbers_.power(n_right) - right_sum_) + aside_given_) *
                               share_;
    h.branches_given_classes = crossed_ * share_;
    return C::compare(h);
  }

 private:
  static constexpr double kRefresh = 1.0 / 64.0;
  static constexpr bool kIsGain = std::is_same_v<C, Gain>;

  // The branch of the missing values, which no cut changes. Returns the sum of powers of all cases by class.
  double put_aside(const Question& question, const PowerTable& table) {
    const auto n = static_cast<std::uint32_t>(question.aside_weight);
    double sum = 0.0;
    double aside_sum = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      const auto aside = static_cast<std::uint32_t>(question.aside[k]);
      sum += numbers_.power(sides_[k].right + aside);
      aside_sum += numbers_.power(aside);
    }
    aside_power_ = table.power(n);
    aside_given_ = numbers_.scale(n) * (aside_power_ - aside_sum);
    return sum;
  }

  void start_crossed(const Question& question, std::vector<double>& class_scales) {
    class_scales.resize(classes_);
    for (std::size_t k = 0; k < classes_; ++k) {
      const std::uint32_t aside = question.aside == nullptr ? 0 : static_cast<std::uint32_t>(question.aside[k]);
      const std::uint32_t all = sides_[k].right + aside;
      class_scales[k] = numbers_.scale(all);
      if (all > 0)
        crossed_ +=
            numbers_.scale(all) * (numbers_.power(all) - numbers_.power(sides_[k].right) - numbers_.power(aside));
    }
    class_scales_ = class_scales.data();
  }

  void account(std::uint32_t cls, double gained, double lost) {
    if constexpr (C::uses_branches_given_classes) crossed_ += class_scales_[cls] * (lost - gained);
    left_sum_ += gained;
    right_sum_ -= lost;
    if constexpr (!Exact) {
      if (right_sum_ < floor_) add_up_right();
    }
  }

  void add_up_right() {
    right_sum_ = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) right_sum_ += numbers_.power(sides_[k].right);
    floor_ = right_sum_ * kRefresh;
  }

  Numbers numbers_;
  Sides* sides_;
  std::size_t classes_;
  const double* class_scales_ = nullptr;
  std::uint32_t n_;      // cases that the cuts part
  std::uint32_t n_all_;  // and those of the branch of missing values
  std::uint32_t n_left_ = 0;
  double share_;
  double class_entropy_;
  PromiseScale promises_;  // of the gain
  double left_sum_ = 0.0;
  double right_sum_ = 0.0;
  double floor_ = 0.0;
  double crossed_ = 0.0;  // n * H(branch | class)
  double aside_power_ = 0.0;
  double aside_given_ = 0.0;  // what the branch of missing values adds to n * H(class | branch)
};

}  // namespace ramify
