// Criteria that compare the parent's entropy with the children's. To add one: the struct, and its name in the
// list at the end.
#pragma once

#include "ramify/criteria/criterion.hpp"

namespace ramify {

struct Gain {
  static constexpr CriterionInfo info{
      .name = "gain",
      .formula = "S_q(parent) - sum_j p_j S_q(branch j)",
      .meaning = "how much less mixed the branches are than the node they came from",
      .origin = "ID3 (q = 1), CART (q = 2), Wang and Xia 2016 (any q)",
      .takes_order = true,
      .default_order = 2.0,
      .share_order_is_exact = true};
  static constexpr bool uses_branches_given_classes = false;
  template <class Real>
  static Real compare(const SplitEntropiesOf<Real>& h) {
    return h.classes - h.classes_given_branches;
  }
};

struct GainRatio {
  static constexpr CriterionInfo info{
      .name = "gain_ratio",
      .formula = "gain / S_q(p_1, ..., p_M)",
      .meaning =
          "the gain for each bit that it takes to tell the branches apart, so that many small "
          "branches do not win by their number",
      .origin = "C4.5 (q = 1), Wang and Xia 2016 (any q)",
      .takes_order = true,
      .default_order = 1.0,
      .share_order_is_exact = true,
      .is_share = true};
  static constexpr bool uses_branches_given_classes = false;
  template <class Real>
  static Real compare(const SplitEntropiesOf<Real>& h) {
    return ratio(Gain::compare(h), h.branches);
  }
};

struct LopezDeMantaras {
  static constexpr CriterionInfo info{
      .name = "lopez_de_mantaras",
      .formula = "gain_1 / S_1(branch, class) = 1 - e_1",
      .meaning = "the share of all that branch and class tell that they tell in common",
      .origin = "Lopez de Mantaras 1991",
      .default_order = 1.0,
      .share_order_is_exact = true,
      .is_share = true};
  static constexpr bool uses_branches_given_classes = false;
  template <class Real>
  static Real compare(const SplitEntropiesOf<Real>& h) {
    // At order 1 the joint entropy is H(branch) + H(class | branch).
    return ratio(Gain::compare(h), h.branches + h.classes_given_branches);
  }
};

using Gains = CriterionList<Gain, GainRatio, LopezDeMantaras>;

}  // namespace ramify
