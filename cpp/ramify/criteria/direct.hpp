// Criteria that are not made of the four entropies: each is a function of the whole table. To add one: the
// struct, and its name in the list at the end. A table holds only branches with cases.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "ramify/criteria/criterion.hpp"

namespace ramify {

struct JensenShannon {
  static constexpr CriterionInfo info{
      .name = "jensen_shannon",
      .formula = "S_q(mean_k P_k) - mean_k S_q(P_k), P_k the branch distribution of class k",
      .meaning =
          "how differently the classes spread over the branches, each class counting the same however "
          "rare it is",
      .origin = "Jensen-Shannon divergence of the classes, equally weighted (Lin 1991)",
      .takes_order = true,
      .default_order = 1.0};
  static double score(const Table& table, const Order& order) {
    double present = 0.0;
    double mean_entropy = 0.0;
    for (std::size_t k = 0; k < table.classes(); ++k) {
      const double size = table.in_class(k);
      if (size <= 0.0) continue;
      present += 1.0;
      mean_entropy += order.weighted(table.row(0) + k, table.branches(), table.classes(), size) / size;
    }
    double entropy_of_mean = 0.0;
    for (std::size_t j = 0; j < table.branches(); ++j) {
      double share = 0.0;
      for (std::size_t k = 0; k < table.classes(); ++k) {
        if (table.in_class(k) > 0.0) share += table.count(j, k) / table.in_class(k);
      }
      share /= present;
      if (share > 0.0) entropy_of_mean += share * order.surprise(share);
    }
    return entropy_of_mean - mean_entropy / present;
  }
};

inline double largest_class(const Table& table, std::size_t branch) {
  return *std::max_element(table.row(branch), table.row(branch) + table.classes());
}

struct Purity {
  static constexpr CriterionInfo info{
      .name = "purity",
      .formula = "K = (1/N) sum_j max_k n_jk",
      .meaning = "the share of cases that are right when every branch answers with its most common class",
      .origin = "K and, with min_support, K' of Berzal et al. 2003",
      .judges_support = true};
  static double score(const Table& table, const Order&) {
    double right = 0.0;
    for (std::size_t j = 0; j < table.branches(); ++j) {
      if (table.supported(j)) right += largest_class(table, j);
    }
    return right / table.total();
  }
};

struct PurityFlat {
  static constexpr CriterionInfo info{
      .name = "purity_flat",
      .formula = "(number of supported branches) * K'",
      .meaning =
          "the share of right cases times the number of branches that have support, which favours "
          "flat trees",
      .origin = "K'' of Berzal et al. 2003",
      .judges_support = true};
  static double score(const Table& table, const Order& order) {
    double branches = 0.0;
    for (std::size_t j = 0; j < table.branches(); ++j) branches += table.supported(j) ? 1.0 : 0.0;
    return branches * Purity::score(table, order);
  }
};

struct MaxDif {
  static constexpr CriterionInfo info{
      .name = "maxdif",
      .formula = "D = (1/N) sum_j max_k (n_jk - (n_j - n_jk)) = 2 K - 1",
      .meaning = "right cases less wrong cases when every branch answers with its most common class",
      .origin = "MaxDif (D) of Berzal et al. 2003 as printed; ranks all splits as purity does",
      .judges_support = true};
  static double score(const Table& table, const Order& order) {
    // An unsupported branch counts as wholly wrong, which is what K' makes of it.
    return 2.0 * Purity::score(table, order) - 1.0;
  }
};

struct MaxDifClipped {
  static constexpr CriterionInfo info{
      .name = "maxdif_clipped",
      .formula = "(1/N) sum_j max(0, 2 max_k n_jk - n_j)",
      .meaning = "right cases less wrong cases, a branch with more wrong than right counting nothing",
      .origin = "what the published tables of Berzal et al. 2003 were made with",
      .judges_support = true};
  static double score(const Table& table, const Order&) {
    double sum = 0.0;
    for (std::size_t j = 0; j < table.branches(); ++j) {
      if (table.supported(j)) sum += std::max(0.0, 2.0 * largest_class(table, j) - table.in_branch(j));
    }
    return sum / table.total();
  }
};

struct GeneralizedGini {
  static constexpr CriterionInfo info{
      .name = "generalized_gini",
      .formula = "-(1/N) sum_j (n_j - max_k n_jk) = K - 1",
      .meaning =
          "the share of wrong cases when every branch answers with its most common class (fewer is "
          "better)",
      .origin = "GG of Berzal et al. 2003; ranks all splits as purity does",
      .judges_support = true};
  static double score(const Table& table, const Order& order) { return Purity::score(table, order) - 1.0; }
};

struct MeanPosteriorImprovement {
  static constexpr CriterionInfo info{
      .name = "mpi",
      .formula = "prod_j p_j * (1 - sum_k prod_j p(k|j) / p_k^(M-1))",
      .meaning = "how rarely the branches share a class, for branches of balanced size",
      .origin = "mean posterior improvement of Taylor and Silverman 1993, mended for more than two branches"};
  static double score(const Table& table, const Order&) {
    double sizes = 1.0;
    for (std::size_t j = 0; j < table.branches(); ++j) sizes *= table.in_branch(j) / table.total();
    double shared = 0.0;
    for (std::size_t k = 0; k < table.classes(); ++k) {
      const double p = table.in_class(k) / table.total();
      if (p <= 0.0) continue;
      // p(k|j) / p_k factor by factor: a plain power of p_k underflows for many branches.
      double product = p;
      for (std::size_t j = 0; j < table.branches(); ++j) product *= table.count(j, k) / table.in_branch(j) / p;
      shared += product;
    }
    return sizes * (1.0 - shared);
  }
};

struct Hellinger {
  static constexpr CriterionInfo info{
      .name = "hellinger",
      .formula = "mean over class pairs of sqrt(1/2 sum_j (sqrt P_a(j) - sqrt P_b(j))^2)",
      .meaning =
          "how differently two classes spread over the branches, on average over all pairs; blind to "
          "how rare a class is",
      .origin = "Hellinger distance (Cieslak and Chawla 2008)"};
  static double score(const Table& table, const Order&) {
    double sum = 0.0;
    double pairs = 0.0;
    for (std::size_t a = 0; a < table.classes(); ++a) {
      if (table.in_class(a) <= 0.0) continue;
      for (std::size_t b = a + 1; b < table.classes(); ++b) {
        if (table.in_class(b) <= 0.0) continue;
        sum += between(table, a, b);
        pairs += 1.0;
      }
    }
    return ratio(sum, pairs);
  }

 private:
  static double between(const Table& table, std::size_t a, std::size_t b) {
    double squares = 0.0;
    for (std::size_t j = 0; j < table.branches(); ++j) {
      const double difference =
          std::sqrt(table.count(j, a) / table.in_class(a)) - std::sqrt(table.count(j, b) / table.in_class(b));
      squares += difference * difference;
    }
    return std::sqrt(squares / 2.0);
  }
};

struct Twoing {
  static constexpr CriterionInfo info{
      .name = "twoing",
      .formula = "p_L p_R / 4 * (sum_k |p(k|L) - p(k|R)|)^2",
      .meaning = "how differently the two branches are made up, for branches of balanced size",
      .origin = "Breiman et al. 1984; splits with two branches only",
      .two_branches_only = true};
  static double score(const Table& table, const Order&) {
    if (table.branches() != 2) return std::numeric_limits<double>::quiet_NaN();
    double difference = 0.0;
    for (std::size_t k = 0; k < table.classes(); ++k) {
      difference += std::abs(table.count(0, k) / table.in_branch(0) - table.count(1, k) / table.in_branch(1));
    }
    const double shares = table.in_branch(0) / table.total() * (table.in_branch(1) / table.total());
    return shares / 4.0 * difference * difference;
  }
};

using DirectCriteria = CriterionList<JensenShannon, MaxDif, MaxDifClipped, GeneralizedGini, Purity, PurityFlat,
                                     MeanPosteriorImprovement, Hellinger, Twoing>;

}  // namespace ramify
