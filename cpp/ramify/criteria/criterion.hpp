// What a criterion says about itself. Parameter checks, error texts, command line choices, the documentation
// table and the tests are all made from it.
#pragma once

#include "ramify/criteria/entropies.hpp"
#include "ramify/table.hpp"

namespace ramify {

struct CriterionInfo {
  const char* name;
  const char* formula;  // in plain text, for the documentation
  const char* meaning;  // one sentence for people who have never heard of entropy
  const char* origin;
  bool takes_order = false;
  double default_order = 1.0;  // of q=None; without an order: that of the entropy by which gains are measured
  // Two classes: some split into a low and a high share of the first class is the best of all subsets
  // (for orders above 0, without a leaf minimum and without support).
  bool share_order_is_exact = false;
  // Knows itself what an unsupported branch is worth; for all others its row is levelled first.
  bool judges_support = false;
  // The score is a share of something, so that it has a scale of its own whatever the node's entropy.
  bool is_share = false;
  // Defined for two branches only; other splits are not admissible.
  bool two_branches_only = false;
};

// The four entropies of a table, by whichever form of the entropy is given.
template <class Entropy>
SplitEntropies split_entropies(const Table& table, const Entropy& entropy, bool with_branches_given_classes) {
  SplitEntropies h;
  const double n = table.total();
  const std::size_t classes = table.classes();
  h.classes = entropy.weighted(table.class_totals(), classes, 1, n) / n;
  h.branches = entropy.weighted(table.branch_totals(), table.branches(), 1, n) / n;
  for (std::size_t j = 0; j < table.branches(); ++j) {
    h.classes_given_branches += entropy.weighted(table.row(j), classes, 1, table.in_branch(j));
  }
  h.classes_given_branches /= n;
  if (with_branches_given_classes) {
    for (std::size_t k = 0; k < classes; ++k) {
      const double size = table.in_class(k);
      if (size > 0.0) {
        h.branches_given_classes += entropy.weighted(table.row(0) + k, table.branches(), classes, size);
      }
    }
    h.branches_given_classes /= n;
  }
  return h;
}

// A criterion is one of two kinds of struct:
//   a comparison, with   template <class Real> static Real compare(const SplitEntropiesOf<Real>&)
//   a direct one, with   static double score(const Table&, const Order&)
template <class C>
concept Comparison = requires(const SplitEntropies& entropies) { C::compare(entropies); };

// The score of a split of which only a share of the cases is known: that part of the way from a split without
// information, whose branches all have the class distribution of the node, to this one.
template <class C>
double in_part(const SplitEntropies& h, double share) {
  SplitEntropies none = h;
  none.classes_given_branches = h.classes;
  none.branches_given_classes = h.branches;
  const double nothing = C::compare(none);
  return nothing + share * (C::compare(h) - nothing);
}

template <class... Criteria>
struct CriterionList {};

}  // namespace ramify
