// What nodes answer, against the definitions.
#include "ramify/answers.hpp"

#include <numeric>
#include <vector>

#include "check.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

using Numbers = std::vector<double>;

Numbers draw_counts(Random& random, std::size_t classes, bool empty) {
  Numbers counts(classes, 0.0);
  if (empty) return counts;
  const bool whole = random.chance(0.5);
  for (double& count : counts) {
    if (random.chance(0.3)) continue;
    count = whole ? static_cast<double>(random.below(50)) : 9.0 * random.uniform();
  }
  counts[random.below(classes)] += 1.0;
  return counts;
}

Smoothing draw_smoothing(Random& random) {
  using Kind = Smoothing::Kind;
  const Kind kind = random.pick({Kind::none, Kind::laplace, Kind::m_estimate});
  return {kind, kind == Kind::m_estimate ? random.pick({1e-3, 1.0, 2.5, 1e6}) : 0.0};
}

Answering draw_answering(Random& random, std::size_t classes) {
  Answering how;
  if (random.chance(0.5)) {
    for (std::size_t k = 0; k < classes; ++k) how.class_weight.push_back(random.pick({0.0, 0.5, 1.0, 7.0}));
  }
  how.smoothing = draw_smoothing(random);
  how.voting = draw_smoothing(random);
  if (random.chance(0.5)) {
    Numbers costs(classes * classes);
    for (std::size_t i = 0; i < costs.size(); ++i) {
      costs[i] = i % (classes + 1) == 0 ? 0.0 : static_cast<double>(random.below(9));
    }
    how.costs = in_units_of_the_largest(std::move(costs));
  }
  return how;
}

// Shares by the textbook: added cases, divided by the sum.
Numbers shares_by_definition(Numbers counts, const Numbers& root, const Smoothing& smoothing) {
  const double cases = std::accumulate(root.begin(), root.end(), 0.0);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (smoothing.kind == Smoothing::Kind::laplace) counts[k] += 1.0;
    if (smoothing.kind == Smoothing::Kind::m_estimate && cases > 0.0) counts[k] += smoothing.m * root[k] / cases;
  }
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (double& count : counts) count = total > 0.0 ? count / total : 0.0;
  return counts;
}

void check_equal(const Numbers& found, const Numbers& expected, const char* what) {
  bool equal = true;
  for (std::size_t k = 0; k < found.size(); ++k) equal = equal && close(found[k], expected[k], 1e-12, 1.0);
  CHECK(equal, std::string(what));
}

// No later class may be worth more than the winner by more than the tolerance, and no earlier one as much.
void check_vote(const Answering& how, const Numbers& shares) {
  const std::size_t classes = shares.size();
  const std::size_t winner = vote_of(how, shares.data(), classes);
  Numbers worth = shares;
  for (std::size_t k = 0; k < classes && !how.costs.empty(); ++k) {
    worth[k] = 0.0;
    for (std::size_t j = 0; j < classes; ++j) worth[k] -= shares[j] * how.costs[j * classes + k];
  }
  CHECK(winner < classes);
  for (std::size_t k = 0; k < classes; ++k) {
    CHECK(k < winner ? worth[k] < worth[winner] : worth[k] <= worth[winner] + how.tolerance,
          std::string("of equal classes the first is voted for"));
  }
}

void run(std::uint64_t number) {
  Random random(number + 11'000'000);
  const std::size_t classes = random.between(1, 12);
  const Answering how = draw_answering(random, classes);
  const Numbers counts = draw_counts(random, classes, random.chance(0.1));
  Numbers root = draw_counts(random, classes, false);
  for (std::size_t k = 0; k < classes; ++k) root[k] += counts[k];  // it holds all cases
  const auto honest = [&](const Numbers& given) {
    Numbers result(classes);
    honest_counts(how, given.data(), classes, result.data());
    return result;
  };
  for (std::size_t k = 0; k < classes; ++k) {
    const double weight = how.class_weight.empty() ? 1.0 : how.class_weight[k];
    CHECK(honest(counts)[k] == (weight > 0.0 ? counts[k] / weight : 0.0));
  }
  Numbers shares(classes);
  honest_shares(how, counts.data(), root.data(), classes, shares.data());
  check_equal(shares, shares_by_definition(honest(counts), honest(root), how.smoothing), "honest shares");
  Numbers in_place = counts;
  voting_shares(how, in_place.data(), root.data(), classes, in_place.data());
  check_equal(in_place, shares_by_definition(counts, root, how.voting), "voting shares, in place");
  check_vote(how, in_place);
  check_vote(how, shares);
}

}  // namespace

Suite answers_suite() { return {"answers", 3000, 500, run}; }

}  // namespace ramify::tests
