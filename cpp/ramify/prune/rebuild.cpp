#include "ramify/prune/rebuild.hpp"

namespace ramify {

namespace {

class Rebuilder {
 public:
  Rebuilder(const Tree& old, const Decisions& decisions) : old_(old), decisions_(decisions) {
    made_.n_classes = old.n_classes;
  }

  Tree run() {
    queue_.emplace_back(0);
    parents_.emplace_back(-1);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
      const std::size_t node = queue_[i];
      add_cases(node, parents_[i]);
      if (is_leaf(node)) {
        add_leaf();
      } else {
        add_split(node, static_cast<std::int32_t>(i));
      }
    }
    return std::move(made_);
  }

 private:
  bool is_leaf(std::size_t node) const {
    return old_.n_children[node] == 0 || (!decisions_.leaf.empty() && decisions_.leaf[node] != 0);
  }
  bool is_joined(std::size_t node) const {
    return !decisions_.joined.empty() && decisions_.joined[node] != static_cast<std::int32_t>(node);
  }

  void add_cases(std::size_t node, std::int32_t parent) {
    const bool merged = !decisions_.joined.empty();
    const auto at = static_cast<std::ptrdiff_t>(node * old_.n_classes);
    const auto counts = (merged ? decisions_.joined_counts : old_.counts).begin() + at;
    made_.counts.insert(made_.counts.end(), counts, counts + static_cast<std::ptrdiff_t>(old_.n_classes));
    made_.n_rows.push_back((merged ? decisions_.joined_rows : old_.n_rows)[node]);
    made_.impurity.push_back((merged ? decisions_.joined_impurity : old_.impurity)[node]);
    made_.parent.push_back(parent);
    made_.routes_begin.push_back(static_cast<std::int64_t>(made_.routes.size()));
    made_.runner_begin.push_back(static_cast<std::int64_t>(made_.runner_column.size()));
  }

  void add_leaf() {
    made_.first_child.push_back(-1);
    made_.n_children.push_back(0);
    made_.column.push_back(-1);
    made_.kind.push_back(static_cast<std::uint8_t>(SplitKind::leaf));
    made_.threshold.push_back(0.0);
    made_.routes_size.push_back(0);
    made_.missing_route.push_back(kStays);
    made_.unknown.push_back(0.0);
    made_.score.push_back(0.0);
    made_.gain.push_back(0.0);
    made_.search.push_back(0);
    made_.exact.push_back(1);
    made_.runner_size.push_back(0);
  }

  void add_split(std::size_t node, std::int32_t number) {
    made_.first_child.push_back(static_cast<std::int32_t>(queue_.size()));
    const std::int32_t branches = add_children(node, number);
    made_.n_children.push_back(branches);
    made_.column.push_back(old_.column[node]);
    made_.kind.push_back(old_.kind[node]);
    made_.threshold.push_back(old_.threshold[node]);
    made_.routes_size.push_back(old_.routes_size[node]);
    for (std::int32_t i = 0; i < old_.routes_size[node]; ++i) {
      made_.routes.push_back(branch(old_.routes[static_cast<std::size_t>(old_.routes_begin[node] + i)]));
    }
    made_.missing_route.push_back(branch(old_.missing_route[node]));
    made_.unknown.push_back(old_.unknown[node]);
    made_.score.push_back(old_.score[node]);
    made_.gain.push_back(old_.gain[node]);
    made_.search.push_back(old_.search[node]);
    made_.exact.push_back(old_.exact[node]);
    add_runner_ups(node);
  }

  // Queues the children that stay and notes the new number of each branch. Returns how many stay.
  std::int32_t add_children(std::size_t node, std::int32_t number) {
    const auto first = static_cast<std::size_t>(old_.first_child[node]);
    const auto children = static_cast<std::size_t>(old_.n_children[node]);
    branches_.resize(children);
    std::int32_t kept = 0;
    for (std::size_t i = 0; i < children; ++i) {
      const std::size_t child = first + i;
      if (is_joined(child)) {
        branches_[i] = branches_[static_cast<std::size_t>(decisions_.joined[child]) - first];
        continue;
      }
      branches_[i] = kept++;
      queue_.push_back(child);
      parents_.push_back(number);
    }
    return kept;
  }

  std::int32_t branch(std::int32_t route) const {
    return route < 0 ? route : branches_[static_cast<std::size_t>(route)];
  }

  // Runner-ups are splits that were not made: they keep their routes as they are.
  void add_runner_ups(std::size_t node) {
    made_.runner_size.push_back(old_.runner_size[node]);
    const auto begin = static_cast<std::size_t>(old_.runner_begin[node]);
    for (std::size_t i = begin; i < begin + static_cast<std::size_t>(old_.runner_size[node]); ++i) {
      made_.runner_column.push_back(old_.runner_column[i]);
      made_.runner_kind.push_back(old_.runner_kind[i]);
      made_.runner_threshold.push_back(old_.runner_threshold[i]);
      made_.runner_score.push_back(old_.runner_score[i]);
      made_.runner_gain.push_back(old_.runner_gain[i]);
      const auto kind = static_cast<SplitKind>(old_.runner_kind[i]);
      // Routes of other kinds mean nothing, and nobody has checked that they lie inside the pool.
      const bool nominal = kind == SplitKind::subset || kind == SplitKind::multiway;
      made_.runner_routes_begin.push_back(static_cast<std::int64_t>(made_.routes.size()));
      made_.runner_routes_size.push_back(nominal ? old_.runner_routes_size[i] : 0);
      if (!nominal) continue;
      const auto routes = old_.routes.begin() + static_cast<std::ptrdiff_t>(old_.runner_routes_begin[i]);
      made_.routes.insert(made_.routes.end(), routes,
                          routes + static_cast<std::ptrdiff_t>(old_.runner_routes_size[i]));
    }
  }

  const Tree& old_;
  const Decisions& decisions_;
  Tree made_;
  std::vector<std::size_t> queue_;     // old nodes in the order of the new numbers,
  std::vector<std::int32_t> parents_;  // and the new numbers of their parents
  std::vector<std::int32_t> branches_;
};

}  // namespace

Tree rebuild(const Tree& tree, const Decisions& decisions) { return Rebuilder(tree, decisions).run(); }

void make_leaf(Tree& tree, std::size_t node) {
  tree.first_child[node] = -1;
  tree.n_children[node] = 0;
}

}  // namespace ramify
