#include "ramify/growth_rules.hpp"

#include "ramify/mixing.hpp"

namespace ramify {

bool GrowthRules::may_split(const NodeSize& node) const {
  if (node.rows < settings_.min_samples_split || node.depth >= settings_.max_depth) return false;
  const double largest = *std::max_element(node.counts, node.counts + labels_.n_classes());
  if (settings_.dialect.by_columns) {
    const double least = 2.0 * static_cast<double>(settings_.min_samples_leaf);
    return node.weight >= least - kSlack && node.weight - largest > kSlack;
  }
  if (node.rows / 2 < settings_.min_samples_leaf) return false;
  if (node.in_parts && node.weight < 2.0 * least_of_parts()) return false;
  std::size_t present = 0;
  for (std::size_t k = 0; k < labels_.n_classes(); ++k) present += node.counts[k] > 0.0 ? 1 : 0;
  return present > 1;
}

Admission GrowthRules::admission(const NodeSize& node) const {
  Admission admission;
  const auto leaf = static_cast<double>(settings_.min_samples_leaf);
  admission.min_gain = settings_.min_impurity_decrease * labels_.total() / node.weight;
  if (settings_.dialect.by_columns) {
    admission.min_weight = leaf - kSlack;
    return admission;
  }
  admission.min_samples_leaf = settings_.min_samples_leaf;
  if (node.in_parts) admission.min_weight = least_of_parts();
  return admission;
}

// What a branch must weigh in a node that holds parts of cases. They must not add up to branches of next to
// nothing: the tree would never end.
double GrowthRules::least_of_parts() const {
  const double cases = std::max(2.0, static_cast<double>(settings_.min_samples_leaf));
  return cases * settings_.one_case * (1.0 - 1e-9);
}

std::uint64_t GrowthRules::root_seed() const { return mixed(settings_.seed); }

std::uint64_t GrowthRules::child_seed(std::uint64_t seed, std::size_t branch) { return mixed(seed + branch + 1); }

std::vector<char> GrowthRules::wanted(std::size_t depth, std::uint64_t seed) const {
  const std::int32_t forced = forced_column(depth);
  if (forced < 0 && settings_.max_features >= columns_) return {};
  std::vector<char> some(columns_, 0);
  if (forced >= 0) {
    some[static_cast<std::size_t>(forced)] = 1;
  } else {
    const std::vector<std::size_t> drawn = order_of_others(seed);
    for (std::size_t i = 0; i < settings_.max_features; ++i) some[drawn[i]] = 1;
  }
  return some;
}

std::vector<std::size_t> GrowthRules::order_of_others(std::uint64_t seed) const {
  std::vector<std::size_t> order(columns_);
  for (std::size_t i = 0; i < columns_; ++i) {
    seed = mixed(seed);
    const std::size_t j = seed % (i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  return order;
}

std::size_t GrowthRules::others_together(std::size_t depth) const {
  return forced_column(depth) >= 0 ? std::min(settings_.max_features, columns_) : 0;
}

std::optional<Split> choose_split(const GrowthRules& rules, std::size_t depth, std::uint64_t seed,
                                  const NodeSearch& search, const SearchedNode& node, std::span<Finding> findings,
                                  SearchBuffers& buffers) {
  std::optional<Split> split = search.choose(node, findings, buffers);
  if (split || rules.all_columns()) return split;
  const std::vector<char> tried = rules.wanted(depth, seed);
  if (std::find(tried.begin(), tried.end(), 0) == tried.end()) return split;
  const std::vector<std::size_t> order = rules.order_of_others(seed);
  const std::size_t together = rules.others_together(depth);
  for (std::size_t i = 0; i < order.size() && !split; ++i) {
    if (tried[order[i]] == 0) findings[order[i]] = search.search_column(node, order[i], buffers);
    if (i + 1 >= together) split = search.choose(node, findings, buffers);
  }
  return split;
}

}  // namespace ramify
