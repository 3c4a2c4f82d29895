#include "ramify/answers.hpp"

#include <algorithm>
#include <limits>

namespace ramify {

namespace {

// The counts are as they are, or without class weights.
struct AsCounted {
  double operator()(const double* counts, std::size_t k) const { return counts[k]; }
};

struct Honest {
  const double* weight;
  double operator()(const double* counts, std::size_t k) const {
    return weight[k] > 0.0 ? counts[k] / weight[k] : 0.0;
  }
};

template <class Count>
double sum_of(const Count& count, const double* counts, std::size_t classes) {
  double sum = 0.0;
  for (std::size_t k = 0; k < classes; ++k) sum += count(counts, k);
  return sum;
}

template <class Count>
void shares_of(const Count& count, const Smoothing& smoothing, const double* counts, const double* root,
               std::size_t classes, double* out) {
  const double total = sum_of(count, counts, classes);
  if (smoothing.kind == Smoothing::Kind::laplace) {
    const double all = total + static_cast<double>(classes);
    for (std::size_t k = 0; k < classes; ++k) out[k] = (count(counts, k) + 1.0) / all;
    return;
  }
  for (std::size_t k = 0; k < classes; ++k) out[k] = total > 0.0 ? count(counts, k) / total : 0.0;
  if (smoothing.kind == Smoothing::Kind::none) return;
  const double cases = sum_of(count, root, classes);
  // The part of the added cases, written so that no m is too large; without a case it is all.
  const double added = 1.0 / (1.0 + total / smoothing.m);
  for (std::size_t k = 0; k < classes; ++k) {
    out[k] = (1.0 - added) * out[k] + added * (cases > 0.0 ? count(root, k) / cases : 0.0);
  }
}

// The first class whose worth no other surpasses by more than the tolerance, taken in order.
template <class Worth>
std::size_t first_best(std::size_t classes, double tolerance, const Worth& worth) {
  std::size_t winner = 0;
  double best = worth(0);
  for (std::size_t k = 1; k < classes; ++k) {
    const double here = worth(k);
    if (here > best + tolerance) {
      winner = k;
      best = here;
    }
  }
  return winner;
}

}  // namespace

std::vector<double> in_units_of_the_largest(std::vector<double> costs) {
  double unit = std::numeric_limits<double>::min();  // all may be 0
  for (const double cost : costs) unit = std::max(unit, cost);
  for (double& cost : costs) cost /= unit;
  return costs;
}

void honest_counts(const Answering& how, const double* counts, std::size_t classes, double* out) {
  if (how.class_weight.empty()) {
    std::copy(counts, counts + classes, out);
    return;
  }
  const Honest honest{how.class_weight.data()};
  for (std::size_t k = 0; k < classes; ++k) out[k] = honest(counts, k);
}

void honest_shares(const Answering& how, const double* counts, const double* root, std::size_t classes,
                   double* out) {
  if (how.class_weight.empty()) {
    shares_of(AsCounted{}, how.smoothing, counts, root, classes, out);
  } else {
    shares_of(Honest{how.class_weight.data()}, how.smoothing, counts, root, classes, out);
  }
}

void voting_shares(const Answering& how, const double* counts, const double* root, std::size_t classes,
                   double* out) {
  shares_of(AsCounted{}, how.voting, counts, root, classes, out);
}

std::size_t vote_of(const Answering& how, const double* shares, std::size_t classes) {
  if (how.costs.empty()) {
    return first_best(classes, how.tolerance, [&](std::size_t k) { return shares[k]; });
  }
  const double* costs = how.costs.data();
  return first_best(classes, how.tolerance, [&](std::size_t k) {
    double expected = 0.0;
    for (std::size_t truth = 0; truth < classes; ++truth) expected += shares[truth] * costs[truth * classes + k];
    return -expected;
  });
}

}  // namespace ramify
