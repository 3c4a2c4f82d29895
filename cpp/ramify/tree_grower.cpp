#include "ramify/tree_grower.hpp"

#include <algorithm>
#include <queue>

namespace ramify {

namespace {

// A node whose split is known, waiting for its turn in best-first growth.
struct Promise {
  OpenNode open;
  Split split;
  double gain;
  std::size_t number;  // of equal gains the older node is first
};

struct LessPromising {
  bool operator()(const Promise& a, const Promise& b) const {
    return a.gain != b.gain ? a.gain < b.gain : a.number > b.number;
  }
};

}  // namespace

TreeGrower::TreeGrower(Rows& rows, const Labels& labels, const GrowthSettings& settings, const NodeSearch& search,
                       Pool& pool, std::vector<GrowingWorker>& workers)
    : labels_(labels),
      settings_(settings),
      pool_(pool),
      rows_(rows),
      rules_(settings, labels, rows.columns().size()),
      search_(search),
      workers_(workers) {}

const GrowingNode& TreeGrower::grow(OpenNode root) {
  const GrowingNode* const node = root.node;
  if (settings_.max_leaf_nodes != kUnlimited) {
    grow_best_first(std::move(root));
  } else {
    grow_depth_first(std::move(root));
  }
  return *node;
}

const GrowingNode& TreeGrower::grow_alone(OpenNode root, std::size_t worker, const Leave& leave) {
  const GrowingNode* const node = root.node;
  alone_ = true;
  if (!rules_.may_split(size_of(root))) return *node;
  search_root(root, worker);
  grow_subtree(std::move(root), worker, leave);
  return *node;
}

void TreeGrower::go_on(OpenNode left, std::size_t worker, const Leave& leave) {
  alone_ = true;
  grow_subtree(std::move(left), worker, leave);
}

OpenNode TreeGrower::make_root(const Origin& origin, std::size_t worker) {
  NodeStore& store = workers_[worker].store;
  OpenNode root;
  root.node = store.make_nodes(1);
  root.rows = rows_.all();
  root.depth = origin.depth;
  root.seed = origin.seed;
  root.spent = origin.spent;
  if (rows_.weighted()) {
    root.own = rows_.make_weighted_root();
    rows_.give_up_runs();
    root.rows.own = root.own.get();
    root.class_rows = rows_.count_classes(root.rows);
  }
  double* counts = store.make_counts(labels_.n_classes());
  std::copy(labels_.totals().begin(), labels_.totals().end(), counts);
  describe(*root.node, counts, labels_.rows());
  return root;
}

void TreeGrower::describe(GrowingNode& node, const double* counts, std::size_t rows,
                          std::optional<double> impurity) const {
  node.counts = counts;
  node.rows = rows;
  for (std::size_t k = 0; k < labels_.n_classes(); ++k) node.weight += counts[k];
  const Order& order = search_.book().order;
  node.impurity = impurity ? *impurity : impurity_of(order, counts, labels_.n_classes(), node.weight, rows);
}

NodeSize TreeGrower::size_of(const OpenNode& open) const {
  const GrowingNode& node = *open.node;
  return {node.counts, node.weight, node.rows, open.depth, open.in_parts};
}

bool TreeGrower::shared(const OpenNode& open) const {
  // Below this many cells a node is not worth waking the other workers for.
  constexpr std::size_t kSharedCells = 1 << 17;
  return !alone_ && pool_.size() > 1 && open.rows.size * rows_.columns().size() >= kSharedCells;
}

// Large nodes first, one at a time, all workers on the columns of each; then small ones, a worker a subtree.
void TreeGrower::grow_depth_first(OpenNode root) {
  if (!rules_.may_split(size_of(root))) return;
  search_root(root, 0);
  std::vector<OpenNode> large;
  std::vector<OpenNode> small;
  large.push_back(std::move(root));
  while (!large.empty()) {
    OpenNode open = std::move(large.back());
    large.pop_back();
    if (!shared(open)) {
      small.push_back(std::move(open));
      continue;
    }
    expand(open, 0, large);
  }
  std::stable_sort(small.begin(), small.end(),
                   [](const OpenNode& a, const OpenNode& b) { return a.rows.size > b.rows.size; });
  pool_.for_each(small.size(),
                 [&](std::size_t i, std::size_t worker) { grow_subtree(std::move(small[i]), worker); });
}

void TreeGrower::grow_subtree(OpenNode root, std::size_t worker, const Leave& leave) {
  std::vector<OpenNode>& stack = workers_[worker].stack;
  stack.push_back(std::move(root));
  while (!stack.empty()) {
    // The one that waits longest is mostly the largest.
    if (leave && stack.size() > 1 && leave(stack.front())) stack.erase(stack.begin());
    OpenNode open = std::move(stack.back());
    stack.pop_back();
    expand(open, worker, stack);
  }
}

void TreeGrower::grow_best_first(OpenNode root) {
  std::priority_queue<Promise, std::vector<Promise>, LessPromising> queue;
  std::size_t number = 0;
  const auto consider = [&](OpenNode open) {
    std::optional<Split> found = choose(open, 0);
    if (!found) return;
    const double gain = found->gain * open.node->weight;
    queue.push({std::move(open), std::move(*found), gain, number++});
  };
  if (!rules_.may_split(size_of(root))) return;
  search_root(root, 0);
  consider(std::move(root));
  std::size_t leaves = 1;
  std::vector<OpenNode> children;
  while (!queue.empty() && leaves < settings_.max_leaf_nodes) {
    Promise promise = std::move(const_cast<Promise&>(queue.top()));
    queue.pop();
    // A split with more branches than there are leaves left to give is passed over.
    if (promise.split.n_branches - 1 > settings_.max_leaf_nodes - leaves) continue;
    leaves += promise.split.n_branches - 1;
    split(promise.open, std::move(promise.split), 0, children);
    while (!children.empty()) {
      OpenNode child = std::move(children.back());
      children.pop_back();
      consider(std::move(child));
    }
  }
}

void TreeGrower::expand(OpenNode& open, std::size_t worker, std::vector<OpenNode>& out) {
  std::optional<Split> found = choose(open, worker);
  if (found) split(open, std::move(*found), worker, out);
}

}  // namespace ramify
