// Scores the cuts of one column under a comparison of entropies, for weights that are no whole numbers.
//
// As EntropyScan, but powers are computed instead of looked up. A case that changes sides changes one class, so
// only that class's powers are computed anew. The left sum only grows; the right one is added up afresh each time
// that it has fallen to a small part, so that no more than two digits are ever lost by subtraction.
#pragma once

#include <cstddef>
#include <vector>

#include "ramify/criteria/criterion.hpp"
#include "ramify/criteria/gains.hpp"
#include "ramify/search/question.hpp"

namespace ramify {

// The weight of one class on both sides of the cut, its powers, and the rows on the right. A class that has left a
// side must leave nothing behind, not a rounding error that small orders would take for a class that is present.
struct RealSide {
  double left;
  double right;
  double left_power;
  double right_power;
  std::size_t right_rows;
};

template <class C, PowerForm Form>
class RealScan {
 public:
  static constexpr PowerForm kForm = Form;

  RealScan(const Question& question, std::vector<RealSide>& sides)
      : powers_(question.book.order),
        known_share_(question.known_share),
        n_(question.node.weight + question.aside_weight),
        aside_(question.aside) {
    const double* totals = question.node.counts;
    classes_ = question.node.classes;
    sides.resize(classes_);
    sides_ = sides.data();
    double sum = 0.0;
    double aside_sum = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      const double aside = aside_ == nullptr ? 0.0 : aside_[k];
      sides_[k] = {0.0, totals[k], 0.0, powers_.power<Form>(totals[k]), 0};
      sum += aside_ == nullptr ? sides_[k].right_power : powers_.power<Form>(totals[k] + aside);
      aside_sum += powers_.power<Form>(aside);
      if constexpr (C::uses_branches_given_classes) crossed_ += crossed(k);
    }
    add_up_right();
    class_entropy_ = powers_.entropy<Form>(n_, sum) / n_;
    if (aside_ != nullptr) {
      aside_power_ = powers_.power<Form>(question.aside_weight);
      aside_given_ = powers_.entropy<Form>(question.aside_weight, aside_sum);
    }
  }

  // Puts the scan at a place of the run by what lies on both sides of it.
  void start_at(const double* left, const double* right, const std::size_t* right_rows) {
    static_assert(!C::uses_branches_given_classes);
    n_left_ = 0.0;
    left_sum_ = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      sides_[k] = {left[k], right[k], powers_.template power<Form>(left[k]),
                   powers_.template power<Form>(right[k]), right_rows[k]};
      n_left_ += left[k];
      left_sum_ += sides_[k].left_power;
    }
    add_up_right();
  }

  // The gain by -n * S_q of both sides, added up.
  double score_of(double promise) const { return known_share_ * (class_entropy_ - (aside_given_ - promise) / n_); }

  // Every row that will be moved must be announced first.
  void expect(std::size_t cls, std::size_t rows = 1) { sides_[cls].right_rows += rows; }

  void move_left(std::size_t cls, double weight, std::size_t rows = 1) {
    RealSide& side = sides_[cls];
    if constexpr (C::uses_branches_given_classes) crossed_ -= crossed(cls);
    side.left += weight;
    side.right_rows -= rows;
    side.right = side.right_rows == 0 ? 0.0 : std::max(side.right - weight, 0.0);
    n_left_ += weight;
    n_right_ = std::max(n_right_ - weight, 0.0);
    const double left_power = powers_.power<Form>(side.left);
    const double right_power = powers_.power<Form>(side.right);
    left_sum_ += left_power - side.left_power;
    right_sum_ -= side.right_power - right_power;
    side.left_power = left_power;
    side.right_power = right_power;
    if constexpr (C::uses_branches_given_classes) crossed_ += crossed(cls);
    // Negated, so that a sum below zero, as it may be for logarithms, is added up each time.
    if (!(right_sum_ > floor_) || n_right_ < n_floor_) add_up_right();
  }

  double n_left() const { return n_left_; }
  double n_right() const { return n_right_; }
  const RealSide* sides() const { return sides_; }

  double score() const {
    const double n_left = n_left_;
    const double n_right = n_right_;
    SplitEntropies h;
    h.classes = class_entropy_;
    h.classes_given_branches =
        (powers_.entropy<Form>(n_left, left_sum_) + powers_.entropy<Form>(n_right, right_sum_) + aside_given_) /
        n_;
    if constexpr (std::is_same_v<C, Gain>) return known_share_ * C::compare(h);
    h.branches =
        powers_.entropy<Form>(n_, powers_.power<Form>(n_left) + powers_.power<Form>(n_right) + aside_power_) / n_;
    h.branches_given_classes = crossed_ / n_;
    return known_share_ >= 1.0 ? C::compare(h) : in_part<C>(h, known_share_);
  }

 private:
  static constexpr double kRefresh = 1.0 / 64.0;

  // n_k * S(branch | class k)
  double crossed(std::size_t cls) const {
    const RealSide& side = sides_[cls];
    const double aside = aside_ == nullptr ? 0.0 : aside_[cls];
    const double total = side.left + side.right + aside;
    if (total <= 0.0) return 0.0;
    return powers_.entropy<Form>(total, side.left_power + side.right_power + powers_.power<Form>(aside));
  }

  void add_up_right() {
    right_sum_ = 0.0;
    n_right_ = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      right_sum_ += sides_[k].right_power;
      n_right_ += sides_[k].right;
    }
    floor_ = right_sum_ * kRefresh;
    n_floor_ = n_right_ * kRefresh;
  }

  Powers powers_;
  double known_share_;
  double n_;
  const double* aside_;
  std::size_t classes_;
  RealSide* sides_;
  double n_left_ = 0.0;
  double n_right_ = 0.0;  // kept like the sum: a branch that holds rows must not seem to weigh nothing
  double n_floor_ = 0.0;
  double left_sum_ = 0.0;
  double right_sum_ = 0.0;
  double floor_ = 0.0;
  double crossed_ = 0.0;  // n * H(branch | class)
  double class_entropy_;
  double aside_power_ = 0.0;
  double aside_given_ = 0.0;  // what the branch of the missing values adds to n * H(class | branch)
};

// Calls visit(scan) with the scan for the order of the question.
template <class C, class Visit>
void with_real_scan(const Question& question, std::vector<RealSide>& sides, Visit&& visit) {
  Powers(question.book.order).with_form([&]<PowerForm Form>() { visit(RealScan<C, Form>(question, sides)); });
}

}  // namespace ramify
