#include "ramify/prune/cost_complexity.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>

#include "ramify/prune/rebuild.hpp"

namespace ramify {

namespace {

// Sums over stretches of numbers of which some change (a Fenwick tree).
template <class T>
class Sums {
 public:
  explicit Sums(std::vector<T> values) : sums_(std::move(values)) {
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const std::size_t above = i | (i + 1);
      if (above < sums_.size()) sums_[above] += sums_[i];
    }
  }
  void add(std::size_t place, T amount) {
    for (; place < sums_.size(); place |= place + 1) sums_[place] += amount;
  }
  T between(std::size_t begin, std::size_t end) const { return before(end) - before(begin); }

 private:
  T before(std::size_t end) const {
    T sum{};
    for (; end > 0; end &= end - 1) sum += sums_[end - 1];
    return sum;
  }
  std::vector<T> sums_;
};

// Cuts weakest links. A subtree is a stretch of the nodes in depth-first order, so what its leaves add up to is a
// sum over a stretch, and cutting a link changes one number: no walk up to the root, however deep the tree.
//
// Cutting a link never makes those above it weaker (their alpha is a mean of alphas, and the smallest drops out).
// So an alpha in the queue may be out of date but never too large; the first one is computed again before it is
// believed.
class LinkCutter {
 public:
  explicit LinkCutter(const Tree& tree, const NodeErrors* errors)
      : tree_(tree),
        errors_(errors),
        begin_(tree.size()),
        end_(tree.size()),
        risks_(node_risks(tree)),
        gone_(tree.size(), 0),
        risk_sums_({}),
        leaf_sums_({}),
        error_sums_({}) {
    lay_out();
    const auto by_place = [&]<class T>(auto&& value) {
      std::vector<T> values(tree.size());
      for (std::size_t node = 0; node < tree.size(); ++node) values[begin_[node]] = value(node);
      return values;
    };
    const auto leaf = [&](std::size_t node) { return tree.n_children[node] == 0; };
    risk_sums_ = Sums(
        by_place.template operator()<double>([&](std::size_t node) { return leaf(node) ? risks_[node] : 0.0; }));
    leaf_sums_ = Sums(by_place.template operator()<std::int64_t>(
        [&](std::size_t node) { return leaf(node) ? std::int64_t{1} : std::int64_t{0}; }));
    if (errors_ != nullptr) {
      error_sums_ =
          Sums(by_place.template operator()<double>([&](std::size_t node) { return errors_->ending[node]; }));
    }
  }

  PruningPath run(double last_alpha) {
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      if (tree_.n_children[node] != 0) queue_.emplace(alpha(node), node);
    }
    PruningPath path;
    note(path, 0.0, -1);
    while (!queue_.empty()) {
      const auto [old_alpha, node] = queue_.top();
      if (gone_[node] != 0) {
        queue_.pop();
        continue;
      }
      const double now = alpha(node);
      if (now > old_alpha) {
        queue_.pop();
        queue_.emplace(now, node);
        continue;
      }
      if (old_alpha > last_alpha) break;
      queue_.pop();
      cut(node);
      note(path, std::max(old_alpha, path.alphas.back()), static_cast<std::int32_t>(node));
    }
    return path;
  }

 private:
  using Link = std::pair<double, std::size_t>;  // of equal alphas the lower node is first

  static std::vector<double> node_risks(const Tree& tree) {
    std::vector<double> risks(tree.size());
    double all = 0.0;
    for (std::size_t node = 0; node < tree.size(); ++node) {
      const double* counts = tree.counts.data() + node * tree.n_classes;
      const double weight = std::accumulate(counts, counts + tree.n_classes, 0.0);
      if (node == 0) all = weight;
      risks[node] = weight / all * tree.impurity[node];
    }
    return risks;
  }

  // Places of the nodes in depth-first order: a parent before its children, subtrees in one piece.
  void lay_out() {
    std::vector<std::size_t> sizes(tree_.size(), 1);
    for (std::size_t node = tree_.size(); node-- > 1;)
      sizes[static_cast<std::size_t>(tree_.parent[node])] += sizes[node];
    end_[0] = tree_.size();
    for (std::size_t node = 0; node < tree_.size(); ++node) {
      std::size_t next = begin_[node] + 1;
      for (std::int32_t i = 0; i < tree_.n_children[node]; ++i) {
        const auto child = static_cast<std::size_t>(tree_.first_child[node] + i);
        begin_[child] = next;
        end_[child] = next += sizes[child];
      }
    }
  }

  double alpha(std::size_t node) const {
    const double below = risk_sums_.between(begin_[node], end_[node]);
    const auto leaves = static_cast<double>(leaf_sums_.between(begin_[node], end_[node]));
    return (risks_[node] - below) / (leaves - 1.0);
  }

  void cut(std::size_t root) {
    const std::size_t begin = begin_[root];
    const std::size_t end = end_[root];
    risk_sums_.add(begin, risks_[root] - risk_sums_.between(begin, end));
    leaf_sums_.add(begin, 1 - leaf_sums_.between(begin, end));
    if (errors_ != nullptr) error_sums_.add(begin, errors_->as_leaf[root] - error_sums_.between(begin, end));
    // Every node goes only once: what is below a node that is gone is gone already.
    std::vector<std::size_t> stack{root};
    while (!stack.empty()) {
      const std::size_t node = stack.back();
      stack.pop_back();
      gone_[node] = 1;
      for (std::int32_t i = 0; i < tree_.n_children[node]; ++i) {
        const auto child = static_cast<std::size_t>(tree_.first_child[node] + i);
        if (gone_[child] == 0) stack.push_back(child);
      }
    }
  }

  void note(PruningPath& path, double alpha, std::int32_t node) const {
    path.alphas.push_back(alpha);
    path.impurities.push_back(risk_sums_.between(0, tree_.size()));
    path.n_leaves.push_back(leaf_sums_.between(0, tree_.size()));
    path.nodes.push_back(node);
    if (errors_ != nullptr) path.errors.push_back(error_sums_.between(0, tree_.size()));
  }

  const Tree& tree_;
  const NodeErrors* errors_;
  std::vector<std::size_t> begin_;  // the stretch of each subtree in depth-first order
  std::vector<std::size_t> end_;
  std::vector<double> risks_;  // R of each node
  std::vector<char> gone_;     // a leaf now, or below one
  Sums<double> risk_sums_;
  Sums<std::int64_t> leaf_sums_;
  Sums<double> error_sums_;
  std::priority_queue<Link, std::vector<Link>, std::greater<Link>> queue_;
};

}  // namespace

PruningPath cost_complexity_path(const Tree& tree, double last_alpha, const NodeErrors* errors) {
  return LinkCutter(tree, errors).run(last_alpha);
}

Tree prune_cost_complexity(const Tree& tree, double alpha) {
  const PruningPath path = cost_complexity_path(tree, alpha, nullptr);
  Decisions decisions;
  decisions.leaf.resize(tree.size(), 0);
  for (const std::int32_t node : path.nodes) {
    if (node >= 0) decisions.leaf[static_cast<std::size_t>(node)] = 1;
  }
  return rebuild(tree, decisions);
}

}  // namespace ramify
