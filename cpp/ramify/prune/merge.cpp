#include "ramify/prune/merge.hpp"

#include <algorithm>
#include <numeric>

#include "ramify/criteria/entropies.hpp"
#include "ramify/prune/rebuild.hpp"

namespace ramify {

namespace {

class Merger {
 public:
  Merger(const Tree& tree, const std::vector<std::uint32_t>& answers, double q, bool join)
      : tree_(tree), answers_(answers), order_(q), join_(join), first_of_class_(tree.n_classes, -1) {
    made_.leaf.resize(tree.size(), 0);
    made_.joined.resize(tree.size());
    std::iota(made_.joined.begin(), made_.joined.end(), 0);
    made_.joined_counts = tree.counts;
    made_.joined_rows = tree.n_rows;
    made_.joined_impurity = tree.impurity;
  }

  Tree run() {
    for (std::size_t node = tree_.size(); node-- > 0;) {
      if (tree_.n_children[node] == 0 || all_agree(node)) {
        made_.leaf[node] = 1;
      } else if (join_ && tree_.kind[node] == static_cast<std::uint8_t>(SplitKind::multiway)) {
        join_children(node);
      }
    }
    return rebuild(tree_, made_);
  }

 private:
  std::size_t first(std::size_t node) const { return static_cast<std::size_t>(tree_.first_child[node]); }
  std::size_t last(std::size_t node) const {
    return first(node) + static_cast<std::size_t>(tree_.n_children[node]);
  }

  bool all_agree(std::size_t node) const {
    for (std::size_t child = first(node); child < last(node); ++child) {
      if (made_.leaf[child] == 0 || answers_[child] != answers_[node]) return false;
    }
    return true;
  }

  // Joins the leaves of each class, but never all children: a split has at least two. (They could only all be
  // leaves of one class here if the node itself had another answer, because cases stay in it.)
  void join_children(std::size_t node) {
    const std::uint32_t answer = answers_[first(node)];
    bool alike = true;
    for (std::size_t child = first(node); child < last(node) && alike; ++child) {
      alike = made_.leaf[child] != 0 && answers_[child] == answer;
    }
    if (alike) return;
    for (std::size_t child = first(node); child < last(node); ++child) {
      if (made_.leaf[child] == 0) continue;
      std::int32_t& head = first_of_class_[answers_[child]];
      if (head < 0) {
        head = static_cast<std::int32_t>(child);
      } else {
        join(child, static_cast<std::size_t>(head), node);
      }
    }
    for (std::size_t child = first(node); child < last(node); ++child) first_of_class_[answers_[child]] = -1;
  }

  void join(std::size_t child, std::size_t head, std::size_t node) {
    const std::size_t classes = tree_.n_classes;
    double* counts = made_.joined_counts.data() + head * classes;
    for (std::size_t k = 0; k < classes; ++k) counts[k] += tree_.counts[child * classes + k];
    made_.joined[child] = static_cast<std::int32_t>(head);
    // A row that is in both in part is one row, but which rows those are is not known here.
    made_.joined_rows[head] = std::min(made_.joined_rows[head] + tree_.n_rows[child], tree_.n_rows[node]);
    const double weight = std::accumulate(counts, counts + classes, 0.0);
    made_.joined_impurity[head] = weight > 0.0 ? order_.weighted(counts, classes, 1, weight) / weight : 0.0;
  }

  const Tree& tree_;
  const std::vector<std::uint32_t>& answers_;
  Order order_;
  bool join_;
  Decisions made_;
  std::vector<std::int32_t> first_of_class_;  // among the children of one node; -1 between nodes
};

}  // namespace

Tree merge_leaves(const Tree& tree, const std::vector<std::uint32_t>& answers, double q, bool join) {
  return Merger(tree, answers, q, join).run();
}

}  // namespace ramify
