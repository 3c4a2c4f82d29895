#include "ramify/path/tally.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ramify {

namespace {

// No share counts as less, so that no row adds more than its weight times this.
constexpr double kLeastShare = std::numeric_limits<double>::epsilon();
constexpr double kLargestLoss = 37.0;

}  // namespace

SteadyTerms terms_of(std::span<const std::uint32_t> tested, const double* weights) {
  double largest = 1.0;
  if (weights != nullptr) {
    largest = 0.0;
    for (const std::uint32_t row : tested) largest = std::max(largest, weights[row]);
  }
  return {kLargestLoss * largest, tested.size()};
}

void Tally::add(const Tally& other) {
  for (std::size_t order = 0; order < correct.size(); ++order) {
    correct[order] += other.correct[order];
    log_loss[order] += other.log_loss[order];
    n_nodes[order] += other.n_nodes[order];
    n_leaves[order] += other.n_leaves[order];
    depth[order] = std::max(depth[order], other.depth[order]);
  }
}

void Tally::add_split(std::span<const std::uint16_t> orders, std::size_t branches, std::size_t depth_of_children) {
  const auto many = static_cast<double>(branches);
  const auto deep = static_cast<double>(depth_of_children);
  for (const std::uint16_t order : orders) {
    n_nodes[order] += many;
    n_leaves[order] += many - 1.0;
    depth[order] = std::max(depth[order], deep);
  }
}

void Tally::add_answers(const Exam& exam, std::span<const double> counts, std::span<const std::uint16_t> orders,
                        std::span<const std::uint32_t> rows) {
  if (orders.empty() || rows.empty()) return;
  const std::size_t classes = counts.size();
  shares_.resize(classes);
  voting_shares(exam.answering, counts.data(), exam.root.data(), classes, shares_.data());
  const std::size_t vote = vote_of(exam.answering, shares_.data(), classes);
  honest_shares(exam.answering, counts.data(), exam.root.data(), classes, shares_.data());
  SteadySum right;
  SteadySum loss;
  for (const std::uint32_t row : rows) {
    const double weight = exam.weights == nullptr ? 1.0 : exam.weights[row];
    const std::uint32_t cls = exam.classes[row];
    if (cls == vote) right += exam.terms(weight);
    loss += exam.terms(-weight * std::log(std::max(shares_[cls], kLeastShare)));
  }
  for (const std::uint16_t order : orders) {
    correct[order] += right;
    log_loss[order] += loss;
  }
}

}  // namespace ramify
