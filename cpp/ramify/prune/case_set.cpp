#include "ramify/prune/case_set.hpp"

#include <algorithm>
#include <numeric>

#include "ramify/prune/error_estimate.hpp"
#include "ramify/routing.hpp"

namespace ramify {

std::size_t largest_branch(const std::vector<double>& weights) {
  std::size_t largest = 0;
  double most = 0.0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (!at_most(most, weights[i])) continue;
    most = weights[i];
    largest = i;
  }
  return largest;
}

Cases::Cases(const TrainingCases& training)
    : features_(training.features), classes_(training.classes), weights_(training.weights) {
  for (std::size_t row = 0; row < training.rows; ++row) {
    const auto number = static_cast<std::uint32_t>(row);
    if (weight(number) > 0.0) order_.push_back(number);
  }
}

void Cases::count(const CaseSet& set, double* counts) const {
  for (std::size_t i = set.begin; i < set.end; ++i) counts[classes_[order_[i]]] += weight(order_[i]);
  for (const CaseSet::Part& part : set.parts) counts[classes_[part.row]] += part.weight;
}

std::int32_t Cases::route_of(const Tree& tree, std::size_t node, std::uint32_t row, bool& missing) const {
  missing = features_[static_cast<std::size_t>(tree.column[node])].missing(row);
  const std::int32_t branch = branch_of(tree, features_, node, row);
  if (branch == kEveryBranch) return kEverywhere;
  return branch == kStays ? kAstray : branch;
}

Cases::Division Cases::divide(const CaseSet& set, const Tree& tree, std::size_t node) {
  const auto branches = static_cast<std::size_t>(tree.n_children[node]);
  Division division;
  division.branches.resize(branches);
  division.known.resize(branches * tree.n_classes, 0.0);
  routes_.resize(set.rows());
  std::vector<double> shares(branches, 0.0);
  std::size_t place = 0;
  const auto route = [&](std::uint32_t row, double amount) {
    bool missing = false;
    const std::int32_t branch = route_of(tree, node, row, missing);
    routes_[place++] = branch;
    if (missing) division.unknown += amount;
    if (branch < 0) return;
    shares[static_cast<std::size_t>(branch)] += amount;
    if (!missing) division.known[static_cast<std::size_t>(branch) * tree.n_classes + classes_[row]] += amount;
  };
  for (std::size_t i = set.begin; i < set.end; ++i) route(order_[i], weight(order_[i]));
  for (const CaseSet::Part& part : set.parts) route(part.row, part.weight);

  // A value that the split never saw (its node had no such case before a branch was raised) goes where most
  // cases go, so that no case is lost to the estimate. In the C4.5 dialect every declared value has a branch, and
  // this does not happen.
  const auto most = static_cast<std::int32_t>(largest_branch(shares));
  std::replace(routes_.begin(), routes_.end(), kAstray, most);

  const double known = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) {
    share = known < kTolerance ? 1.0 / static_cast<double>(branches) : share / known;
  }
  place_whole(set, shares, division);
  place_parts(set, shares, division);
  return division;
}

// A stable counting sort of the stretch by branch; the cases that go everywhere stand behind all branches.
void Cases::place_whole(const CaseSet& set, const std::vector<double>& shares, Division& division) {
  const std::size_t size = set.end - set.begin;
  const std::size_t branches = shares.size();
  std::vector<std::size_t> next(branches + 2, 0);
  const auto slot = [&](std::size_t i) {
    return routes_[i] == kEverywhere ? branches : static_cast<std::size_t>(routes_[i]);
  };
  for (std::size_t i = 0; i < size; ++i) ++next[slot(i) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (std::size_t branch = 0; branch < branches; ++branch) {
    division.branches[branch].begin = set.begin + next[branch];
    division.branches[branch].end = set.begin + next[branch + 1];
  }
  moved_.resize(std::max(moved_.size(), size));
  for (std::size_t i = 0; i < size; ++i) moved_[next[slot(i)]++] = order_[set.begin + i];
  std::copy(moved_.begin(), moved_.begin() + static_cast<std::ptrdiff_t>(size),
            order_.begin() + static_cast<std::ptrdiff_t>(set.begin));
  for (std::size_t i = branches == 0 ? set.begin : division.branches.back().end; i < set.end; ++i) {
    for (std::size_t branch = 0; branch < branches; ++branch) {
      if (shares[branch] > kTolerance) {
        division.branches[branch].parts.push_back({order_[i], weight(order_[i]) * shares[branch]});
      }
    }
  }
}

void Cases::place_parts(const CaseSet& set, const std::vector<double>& shares, Division& division) const {
  const std::size_t size = set.end - set.begin;
  for (std::size_t i = 0; i < set.parts.size(); ++i) {
    const CaseSet::Part& part = set.parts[i];
    const std::int32_t branch = routes_[size + i];
    if (branch != kEverywhere) {
      division.branches[static_cast<std::size_t>(branch)].parts.push_back(part);
      continue;
    }
    for (std::size_t j = 0; j < shares.size(); ++j) {
      // A part halved often enough is nothing; a node must not hold rows without weight.
      const double amount = part.weight * shares[j];
      if (shares[j] > kTolerance && amount > 0.0) division.branches[j].parts.push_back({part.row, amount});
    }
  }
}

}  // namespace ramify
