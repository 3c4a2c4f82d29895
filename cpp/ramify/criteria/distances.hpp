// Distances between the partition into branches and the partition into classes; the papers minimise them, so
// they are negated. To add one: the struct, and its name in the list at the end.
#pragma once

#include "ramify/criteria/criterion.hpp"

namespace ramify {

struct Distance {
  static constexpr CriterionInfo info{
      .name = "distance",
      .formula = "-[S_q(class | branch) + S_q(branch | class)]",
      .meaning =
          "how far the branches are from being the classes themselves; small for a nearly constant "
          "column too, so used alone it likes lopsided splits",
      .origin = "d_beta of Simovici and Jaroszewicz 2003, beta = q",
      .takes_order = true,
      .default_order = 2.0};
  static constexpr bool uses_branches_given_classes = true;
  template <class Real>
  static Real magnitude(const SplitEntropiesOf<Real>& h) {
    return h.classes_given_branches + h.branches_given_classes;
  }
  template <class Real>
  static Real compare(const SplitEntropiesOf<Real>& h) {
    return -magnitude(h);
  }
};

struct NormalizedDistance {
  static constexpr CriterionInfo info{
      .name = "normalized_distance",
      .formula = "-2 d / (d + S_q(class) + S_q(branch))",
      .meaning = "the distance between branches and classes as a share of the largest that it could be",
      .origin = "e_beta of Simovici and Jaroszewicz 2003, beta = q",
      .takes_order = true,
      .default_order = 2.0,
      .is_share = true};
  static constexpr bool uses_branches_given_classes = true;
  template <class Real>
  static Real compare(const SplitEntropiesOf<Real>& h) {
    const Real d = Distance::magnitude(h);
    return -ratio(2.0 * d, d + h.classes + h.branches);
  }
};

using Distances = CriterionList<Distance, NormalizedDistance>;

}  // namespace ramify
