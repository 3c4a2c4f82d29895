#include "ramify/prune/reduced_error.hpp"

#include "ramify/prune/rebuild.hpp"

namespace ramify {

Tree prune_reduced_error(const Tree& tree, const ValidationCases& cases,
                         const std::vector<std::uint32_t>& answers) {
  // Sums of parts may differ by rounding where the errors are the same.
  constexpr double kRounding = 1e-9;
  const NodeErrors errors = node_errors(tree, cases, answers);
  std::vector<double> below = errors.ending;
  Decisions decisions;
  decisions.leaf.resize(tree.size(), 0);
  for (std::size_t node = tree.size(); node-- > 0;) {
    const double as_leaf = errors.as_leaf[node];
    if (tree.n_children[node] == 0 || as_leaf <= below[node] + kRounding * (1.0 + as_leaf)) {
      decisions.leaf[node] = 1;
      below[node] = as_leaf;
    }
    if (node > 0) below[static_cast<std::size_t>(tree.parent[node])] += below[node];
  }
  return rebuild(tree, decisions);
}

}  // namespace ramify
