#include "ramify/tree.hpp"

#include <algorithm>
#include <cmath>

namespace ramify {

void Tree::reserve(std::size_t nodes) {
  const auto make_room = [&](auto&... arrays) { (arrays.reserve(nodes), ...); };
  make_room(first_child, n_children, parent, column, kind, threshold, routes_begin, routes_size, missing_route,
            unknown, n_rows, impurity, score, gain, search, exact, runner_begin, runner_size);
  counts.reserve(nodes * n_classes);
}

void Tree::append(const Tree& from, std::size_t begin, std::size_t end) {
  const auto copy = [&](auto member, std::size_t first, std::size_t last) {
    const auto start = (from.*member).begin();
    (this->*member)
        .insert((this->*member).end(), start + static_cast<std::ptrdiff_t>(first),
                start + static_cast<std::ptrdiff_t>(last));
  };
  const auto copy_all = [&](std::size_t first, std::size_t last, auto... members) {
    (copy(members, first, last), ...);
  };
  // Places in arrays that neighbours have one behind the other: from those of the first on, they are as far apart
  // as they were.
  const auto copy_places = [&](auto member, std::size_t first, std::size_t last, std::size_t to) {
    if (first == last) return;
    const std::int64_t moved = static_cast<std::int64_t>(to) - (from.*member)[first];
    for (std::size_t i = first; i < last; ++i) (this->*member).push_back((from.*member)[i] + moved);
  };
  // Where the items of a node begin, or those of one behind the last end.
  const auto place = [](const std::vector<std::int64_t>& places, std::size_t node, std::size_t all) {
    return node < places.size() ? static_cast<std::size_t>(places[node]) : all;
  };
  const std::size_t first_runner = place(from.runner_begin, begin, from.runner_column.size());
  const std::size_t last_runner = place(from.runner_begin, end, from.runner_column.size());
  // A node's routes come before those of its runner-ups.
  const std::size_t first_route = place(from.routes_begin, begin, from.routes.size());
  const std::size_t last_route = place(from.routes_begin, end, from.routes.size());
  const std::size_t had_routes = routes.size();
  copy_places(&Tree::routes_begin, begin, end, had_routes);
  copy_places(&Tree::runner_begin, begin, end, runner_column.size());
  for (std::size_t i = first_runner; i < last_runner; ++i) {
    const auto within = static_cast<std::size_t>(from.runner_routes_begin[i]) - first_route;
    runner_routes_begin.push_back(static_cast<std::int64_t>(had_routes + within));
  }
  copy_all(begin, end, &Tree::n_children, &Tree::column, &Tree::kind, &Tree::threshold, &Tree::routes_size,
           &Tree::missing_route, &Tree::unknown, &Tree::n_rows, &Tree::impurity, &Tree::score, &Tree::gain,
           &Tree::search, &Tree::exact, &Tree::runner_size);
  copy_all(begin * n_classes, end * n_classes, &Tree::counts);
  copy_all(first_route, last_route, &Tree::routes);
  copy_all(first_runner, last_runner, &Tree::runner_column, &Tree::runner_kind, &Tree::runner_threshold,
           &Tree::runner_routes_size, &Tree::runner_score, &Tree::runner_gain);
}

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
  for (const std::size_t length :
       {first_child.size(), n_children.size(), parent.size(), kind.size(), threshold.size(), routes_begin.size(),
        routes_size.size(), n_rows.size(), impurity.size(), score.size(), gain.size(), search.size(), exact.size(),
        missing_route.size(), unknown.size(), runner_begin.size(), runner_size.size()}) {
    if (length != nodes) return "the arrays of a tree have one element a node";
  }
  for (const std::size_t length : {runner_kind.size(), runner_threshold.size(), runner_routes_begin.size(),
                                   runner_routes_size.size(), runner_score.size(), runner_gain.size()}) {
    if (length != runner_column.size()) return "the arrays of runner-ups have one element a runner-up";
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
  const std::string runners = problem_of_runners(node, n_categories);
  if (!runners.empty()) return runners;
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
  if (!(unknown[node] >= 0.0) || !std::isfinite(unknown[node])) return "unknown is finite and not negative";
  if (missing_route[node] < kEveryBranch || missing_route[node] >= n_children[node]) {
    return "missing_route names a child, -1 or -2";
  }
  return problem_of_rule(node, n_categories);
}

std::string Tree::problem_of_rule(std::size_t node, const std::vector<std::uint32_t>& n_categories) const {
  const std::uint32_t categories = n_categories[static_cast<std::size_t>(column[node])];
  const std::int32_t children = n_children[node];
  const bool own_branch = children == 3 && missing_route[node] == 2;
  switch (static_cast<SplitKind>(kind[node])) {
    case SplitKind::threshold:
      if (categories != 0) return "a threshold splits a numeric column";
      if (!std::isfinite(threshold[node])) return "threshold is finite";
      return children == 2 || own_branch ? std::string{}
                                         : "a threshold has two children, and one for missing values";
    case SplitKind::known:
      return children == 2 && missing_route[node] == 1 ? std::string{}
                                                       : "a split into known and missing has these two children";
    case SplitKind::subset:
      if (children != 2 && !own_branch) return "a subset split has two children, and one for missing values";
      break;
    case SplitKind::multiway:
      break;
    default:
      return "kind is 0 to 4";
  }
  if (categories == 0) return "a nominal split splits a nominal column";
  return problem_of_routes(routes_begin[node], routes_size[node], categories, children);
}

std::string Tree::problem_of_routes(std::int64_t begin, std::int32_t size, std::uint32_t categories,
                                    std::int32_t branches) const {
  if (size < 0 || static_cast<std::uint32_t>(size) != categories)
    return "a nominal split has one route a category";
  if (begin < 0 || static_cast<std::size_t>(begin) > routes.size() ||
      categories > routes.size() - static_cast<std::size_t>(begin)) {
    return "routes lie inside the pool";
  }
  for (std::size_t i = 0; i < categories; ++i) {
    const std::int32_t route = routes[static_cast<std::size_t>(begin) + i];
    if (route < -1 || route >= branches) return "routes name a child or -1";
  }
  return {};
}

std::string Tree::problem_of_runners(std::size_t node, const std::vector<std::uint32_t>& n_categories) const {
  if (runner_size[node] < 0 || runner_begin[node] < 0 ||
      static_cast<std::size_t>(runner_begin[node]) > runner_column.size() ||
      static_cast<std::size_t>(runner_size[node]) >
          runner_column.size() - static_cast<std::size_t>(runner_begin[node])) {
    return "runner-ups lie inside their arrays";
  }
  const auto begin = static_cast<std::size_t>(runner_begin[node]);
  for (std::size_t i = begin; i < begin + static_cast<std::size_t>(runner_size[node]); ++i) {
    if (runner_column[i] < 0 || static_cast<std::size_t>(runner_column[i]) >= n_categories.size()) {
      return "a runner-up's column is one of the schema's";
    }
    if (!std::isfinite(runner_threshold[i]) || !std::isfinite(runner_score[i]) || !std::isfinite(runner_gain[i])) {
      return "threshold, score and gain of a runner-up are finite";
    }
    const std::uint32_t categories = n_categories[static_cast<std::size_t>(runner_column[i])];
    const auto rule = static_cast<SplitKind>(runner_kind[i]);
    if (rule == SplitKind::known || (rule == SplitKind::threshold && categories == 0)) continue;
    if (categories == 0 || (rule != SplitKind::subset && rule != SplitKind::multiway)) {
      return "a runner-up's kind suits its column";
    }
    const auto most = static_cast<std::int32_t>(categories);
    const std::string problem =
        problem_of_routes(runner_routes_begin[i], runner_routes_size[i], categories, std::max(most, 2));
    if (!problem.empty()) return "a runner-up: " + problem;
  }
  return {};
}

}  // namespace ramify
