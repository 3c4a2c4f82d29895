#include "ramify/prune/raising.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ramify/prune/case_set.hpp"
#include "ramify/prune/error_estimate.hpp"
#include "ramify/prune/rebuild.hpp"
#include "ramify/scoring.hpp"

namespace ramify {

namespace {

class Raiser {
 public:
  Raiser(Tree tree, const PessimisticSettings& settings, const TrainingCases& training, Pool& pool)
      : tree_(std::move(tree)),
        slack_(settings.slack),
        estimate_(settings.confidence, settings.z),
        order_(training.q),
        cases_(training),
        pool_(pool),
        estimates_(tree_.size(), 0.0) {}

  // Its own stack, since trees may be deeper than the machine's.
  Tree run() {
    std::vector<Frame> stack;
    stack.push_back({0, cases_.all(), {}, 0});
    while (!stack.empty()) {
      pool_.poll(0);
      Frame& frame = stack.back();
      if (is_leaf(frame.node)) {
        estimates_[frame.node] = as_leaf(frame.node);
        stack.pop_back();
        continue;
      }
      if (frame.next == 0) frame.sons = cases_.divide(frame.cases, tree_, frame.node).branches;
      if (frame.next < frame.sons.size()) {
        const std::size_t son = child(frame.node, frame.next);
        CaseSet cases = std::move(frame.sons[frame.next++]);
        stack.push_back({son, std::move(cases), {}, 0});
        continue;
      }
      if (decide(frame.node, frame.cases)) {
        frame.next = 0;  // a branch was raised: once more, from below
      } else {
        stack.pop_back();
      }
    }
    return rebuild(tree_, {});
  }

 private:
  struct Frame {
    std::size_t node;
    CaseSet cases;
    std::vector<CaseSet> sons;
    std::size_t next;  // the first son that is not pruned yet
  };

  bool is_leaf(std::size_t node) const { return tree_.n_children[node] == 0; }
  std::size_t child(std::size_t node, std::size_t branch) const {
    return static_cast<std::size_t>(tree_.first_child[node]) + branch;
  }
  double* counts(std::size_t node) { return tree_.counts.data() + node * tree_.n_classes; }
  double as_leaf(std::size_t node) { return estimate_.of(counts(node), tree_.n_classes); }

  // Decides about a node whose sons are pruned. True if a branch was raised into its place.
  bool decide(std::size_t node, const CaseSet& cases) {
    const auto branches = static_cast<std::size_t>(tree_.n_children[node]);
    double below = 0.0;
    std::vector<double> weights;
    for (std::size_t branch = 0; branch < branches; ++branch) {
      const double* sons = counts(child(node, branch));
      below += estimates_[child(node, branch)];
      weights.push_back(std::accumulate(sons, sons + tree_.n_classes, 0.0));
    }
    const double leaf = as_leaf(node);
    const std::size_t largest = child(node, largest_branch(weights));
    // Above this it does not matter by how much the largest branch is worse.
    const double enough = std::max(below + slack_, leaf - slack_) + 2.0 * kTolerance;
    const double raised = sent_down(largest, cases, enough);
    if (at_most(leaf, below + slack_) && at_most(leaf, raised + slack_)) {
      make_leaf(tree_, node);
      estimates_[node] = leaf;
      return false;
    }
    if (at_most(raised, below + slack_)) {
      take_place(node, largest);
      count_again(node, cases);
      return true;
    }
    estimates_[node] = below;
    return false;
  }

  // Estimated errors of a subtree if it had these cases; some number above `enough` if they are more than that.
  double sent_down(std::size_t root, const CaseSet& cases, double enough) {
    double errors = 0.0;
    std::vector<double> sums(tree_.n_classes);
    std::vector<std::pair<std::size_t, CaseSet>> stack{{root, cases}};
    while (!stack.empty() && errors <= enough) {
      const auto [node, set] = std::move(stack.back());
      stack.pop_back();
      if (set.rows() == 0) continue;
      if (is_leaf(node)) {
        std::fill(sums.begin(), sums.end(), 0.0);
        cases_.count(set, sums.data());
        errors += estimate_.of(sums.data(), tree_.n_classes);
        continue;
      }
      pool_.poll(0);
      Cases::Division division = cases_.divide(set, tree_, node);
      for (std::size_t branch = division.branches.size(); branch-- > 0;) {
        stack.emplace_back(child(node, branch), std::move(division.branches[branch]));
      }
    }
    return errors;
  }

  // Gives a node the split and the children of one of its sons. What it counts stays.
  void take_place(std::size_t node, std::size_t son) {
    const auto take = [&](auto& array) { array[node] = array[son]; };
    take(tree_.first_child);
    take(tree_.n_children);
    take(tree_.column);
    take(tree_.kind);
    take(tree_.threshold);
    take(tree_.routes_begin);
    take(tree_.routes_size);
    take(tree_.missing_route);
    take(tree_.score);
    take(tree_.search);
    take(tree_.exact);
    take(tree_.runner_begin);
    take(tree_.runner_size);
  }

  // Counts the subtree of a node anew, with these cases in the node. A leaf that was empty may stop being so. An
  // inner node may become empty, if it held only parts of cases; pruning again makes it a leaf.
  void count_again(std::size_t root, const CaseSet& cases) {
    std::vector<std::pair<std::size_t, CaseSet>> stack{{root, cases}};
    while (!stack.empty()) {
      pool_.poll(0);
      const auto [node, set] = std::move(stack.back());
      stack.pop_back();
      if (node != root) describe(node, set);
      if (is_leaf(node)) continue;
      Cases::Division division = cases_.divide(set, tree_, node);
      tree_.unknown[node] = division.unknown;
      tree_.gain[node] = gain(division);
      for (std::size_t branch = 0; branch < division.branches.size(); ++branch) {
        stack.emplace_back(child(node, branch), std::move(division.branches[branch]));
      }
    }
  }

  void describe(std::size_t node, const CaseSet& set) {
    double* sums = counts(node);
    std::fill(sums, sums + tree_.n_classes, 0.0);
    cases_.count(set, sums);
    const double weight = std::accumulate(sums, sums + tree_.n_classes, 0.0);
    tree_.n_rows[node] = static_cast<std::int64_t>(set.rows());
    tree_.impurity[node] = weight > 0.0 ? order_.weighted(sums, tree_.n_classes, 1, weight) / weight : 0.0;
  }

  // The gain of the cases whose value is known, times their share.
  double gain(const Cases::Division& division) const {
    const double known = std::accumulate(division.known.begin(), division.known.end(), 0.0);
    if (!(known > 0.0)) return 0.0;
    const TableBatch table{division.known.data(), 1, division.branches.size(), tree_.n_classes};
    return std::max(gain_of(table, order_), 0.0) * known / (known + division.unknown);
  }

  Tree tree_;  // worked on in place; raised nodes break its level order until it is rebuilt
  double slack_;
  ErrorEstimate estimate_;
  Order order_;
  Cases cases_;
  Pool& pool_;
  std::vector<double> estimates_;  // of the pruned subtree of each node
};

}  // namespace

Tree raise(Tree tree, const PessimisticSettings& settings, const TrainingCases& training, Pool& pool) {
  return Raiser(std::move(tree), settings, training, pool).run();
}

}  // namespace ramify
