#include "ramify/tree.hpp"

#include <algorithm>
#include <cmath>

namespace ramify {

std::size_t Tree::max_depth() const {
  std::vector<std::size_t> depth(size(), 0);
  std::size_t deepest = 0;
  for (std::size_t node = 1; node < size(); ++node) {
    depth[node] = depth[static_cast<std::size_t>(parent[node])] + 1;
    deepest = std::max(deepest, depth[node]);
  }
  return deepest;
}

std::size_t Tree::n_leaves() const {
  return static_cast<std::size_t>(std::count(n_children.begin(), n_children.end(), 0));
}

std::size_t Tree::n_empty() const { return static_cast<std::size_t>(std::count(n_rows.begin(), n_rows.end(), 0)); }

std::string Tree::problem(const std::vector<std::uint32_t>& n_categories) const {
  const std::size_t nodes = size();
  if (nodes == 0) return "a tree has at least one node";
  if (n_classes == 0) return "a tree has at least one class";
  for (const std::size_t length : {first_child.size(), n_children.size(), parent.size(), kind.size(),
                                   threshold.size(), routes_begin.size(), routes_size.size(), n_rows.size(),
                                   impurity.size(), score.size(), gain.size(), search.size(), exact.size()}) {
    if (length != nodes) return "the arrays of a tree have one element a node";
  }
  // By division: a hostile number of classes could wrap a product around to the right size.
  if (counts.size() % nodes != 0 || counts.size() / nodes != n_classes)
    return "counts has one row a node and one column a class";
  std::size_t next_child = 1;
  for (std::size_t node = 0; node < nodes; ++node) {
    const std::string problem = problem_of_node(node, next_child, n_categories);
    if (!problem.empty()) return "node " + std::to_string(node) + ": " + problem;
    next_child += static_cast<std::size_t>(n_children[node]);
  }
  if (next_child != nodes) return "every node but the root is the child of one node";
  return {};
}

std::string Tree::problem_of_node(std::size_t node, std::size_t next_child,
                                  const std::vector<std::uint32_t>& n_categories) const {
  double weight = 0.0;
  for (std::size_t k = 0; k < n_classes; ++k) {
    const double count = counts[node * n_classes + k];
    if (!(count >= 0.0) || !std::isfinite(count)) return "counts are finite and not negative";
    weight += count;
  }
  if (n_rows[node] < 0) return "n_rows is not negative";
  if ((n_rows[node] == 0) != (weight == 0.0)) return "a node has counts if and only if it has rows";
  if (node == 0 && parent[node] != -1) return "the root has no parent";
  if (!std::isfinite(impurity[node]) || !std::isfinite(score[node]) || !std::isfinite(gain[node])) {
    return "impurity, score and gain are finite";
  }
  if (search[node] > 3 || exact[node] > 1) return "search is 0 to 3 and exact 0 or 1";
  if (n_children[node] != 0) return problem_of_split(node, next_child, n_categories);
  if (column[node] != -1 || kind[node] != 0 || first_child[node] != -1) {
    return "a leaf has column -1, kind 0 and first_child -1";
  }
  return node == 0 && n_rows[node] == 0 ? "the root is not empty" : "";
}

std::string Tree::problem_of_split(std::size_t node, std::size_t next_child,
                                   const std::vector<std::uint32_t>& n_categories) const {
  if (n_rows[node] == 0) return "an empty node is a leaf";
  const auto children = static_cast<std::size_t>(n_children[node]);
  if (n_children[node] < 2) return "a split has at least two children";
  if (first_child[node] < 0 || static_cast<std::size_t>(first_child[node]) != next_child ||
      children > size() - std::min(size(), next_child)) {
    return "children follow each other, level by level";
  }
  for (std::size_t child = next_child; child < next_child + children; ++child) {
    if (parent[child] != static_cast<std::int32_t>(node)) return "its children name it as their parent";
  }
  if (column[node] < 0 || static_cast<std::size_t>(column[node]) >= n_categories.size()) {
    return "column is one of the schema's";
  }
  const std::uint32_t categories = n_categories[static_cast<std::size_t>(column[node])];
  if (kind[node] == static_cast<std::uint8_t>(SplitKind::threshold)) {
    if (categories != 0) return "a threshold splits a numeric column";
    if (!std::isfinite(threshold[node])) return "threshold is finite";
    return children == 2 ? std::string{} : "a threshold has two children";
  }
  if (kind[node] != 2 && kind[node] != 3) return "kind is 0 to 3";
  if (categories == 0 || routes_size[node] < 0 || static_cast<std::uint32_t>(routes_size[node]) != categories) {
    return "a nominal split has one route a category";
  }
  if (kind[node] == 2 && children != 2) return "a subset split has two children";
  if (routes_begin[node] < 0 || static_cast<std::size_t>(routes_begin[node]) > routes.size() ||
      categories > routes.size() - static_cast<std::size_t>(routes_begin[node])) {
    return "routes lie inside the pool";
  }
  for (std::size_t i = 0; i < categories; ++i) {
    const std::int32_t route = routes[static_cast<std::size_t>(routes_begin[node]) + i];
    if (route < -1 || route >= n_children[node]) return "routes name a child or -1";
  }
  return {};
}

}  // namespace ramify
