// Scores the cuts of one column under a comparison of entropies, for weights that are no whole numbers.
//
// As EntropyScan, but powers are computed instead of looked up. A case that changes sides changes one class, so
// only that class's powers are computed anew; the sums over classes are added up for each cut, and lose nothing.
#pragma once

#include <cstddef>
#include <vector>

#include "ramify/criteria/criterion.hpp"
#include "ramify/search/question.hpp"

namespace ramify {

struct RealTerms {
  double left;
  double right;
  double crossed;  // n_k * S(branch | class k)
};

template <class C>
class RealScan {
 public:
  RealScan(const Question& question, std::vector<RealTerms>& terms)
      : powers_(question.book.order),
        totals_(question.node.counts),
        aside_(question.aside),
        known_share_(question.known_share),
        n_(question.node.weight + question.aside_weight) {
    classes_ = question.node.classes;
    terms.assign(classes_, {0.0, 0.0, 0.0});
    terms_ = terms.data();
    double sum = 0.0;
    double aside_sum = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      terms_[k].right = powers_.power(totals_[k]);
      sum += aside_ == nullptr ? terms_[k].right : powers_.power(totals_[k] + aside_[k]);
      if (aside_ != nullptr) aside_sum += powers_.power(aside_[k]);
      if (C::uses_branches_given_classes && totals_[k] > 0.0) set(k, 0.0, totals_[k]);
      if (C::uses_branches_given_classes && aside_ != nullptr && totals_[k] <= 0.0 && aside_[k] > 0.0) {
        set(k, 0.0, 0.0);
      }
    }
    scale_ = powers_.scale(n_);
    power_ = powers_.power(n_);
    class_entropy_ = scale_ * (power_ - sum) / n_;
    if (aside_ != nullptr) {
      aside_power_ = powers_.power(question.aside_weight);
      aside_given_ = powers_.scale(question.aside_weight) * (aside_power_ - aside_sum);
    }
  }

  // The weights of a class that the node holds, on both sides of the cut.
  void set(std::size_t cls, double left, double right) {
    RealTerms& terms = terms_[cls];
    terms.left = powers_.power(left);
    terms.right = powers_.power(right);
    if constexpr (C::uses_branches_given_classes) {
      const double aside = aside_ == nullptr ? 0.0 : aside_[cls];
      const double total = totals_[cls] + aside;
      terms.crossed = powers_.scale(total) * (powers_.power(total) - terms.left - terms.right -
                                              (aside > 0.0 ? powers_.power(aside) : 0.0));
    }
  }

  double score(double n_left, double n_right) const {
    double left = 0.0;
    double right = 0.0;
    double crossed = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      left += terms_[k].left;
      right += terms_[k].right;
      if constexpr (C::uses_branches_given_classes) crossed += terms_[k].crossed;
    }
    const double power_left = powers_.power(n_left);
    const double power_right = powers_.power(n_right);
    SplitEntropies h;
    h.classes = class_entropy_;
    h.branches = scale_ * (power_ - power_left - power_right - aside_power_) / n_;
    h.classes_given_branches = (powers_.scale(n_left) * (power_left - left) +
                                powers_.scale(n_right) * (power_right - right) + aside_given_) /
                               n_;
    h.branches_given_classes = crossed / n_;
    if (known_share_ >= 1.0) return C::compare(h);
    return in_part<C>(h, known_share_);
  }

 private:
  Powers powers_;
  const double* totals_;
  const double* aside_;
  double known_share_;
  double n_;
  std::size_t classes_;
  RealTerms* terms_;
  double scale_;
  double power_;
  double class_entropy_;
  double aside_power_ = 0.0;
  double aside_given_ = 0.0;  // what the branch of the missing values adds to n * H(class | branch)
};

}  // namespace ramify
