// Grows one tree, or a part of one, for one order of the entropy.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <vector>

#include "ramify/growing_node.hpp"
#include "ramify/growth_rules.hpp"
#include "ramify/rows.hpp"

namespace ramify {

// What the way to a node says about it.
struct Origin {
  std::size_t depth;
  std::uint64_t seed;  // of the draw of its columns
  std::size_t spent;   // columns that splits above it have used up
};

// A node that may still be split.
struct OpenNode {
  GrowingNode* node = nullptr;
  Stretch rows;
  std::size_t depth = 0;
  std::vector<std::uint32_t> histograms;  // of its dense columns; empty where they are counted when needed
  std::vector<Finding> findings;          // one a column
  std::unique_ptr<WeightedRows> own;      // its rows, where nodes own theirs
  bool in_parts = false;                  // some of its rows are there in part
  std::uint64_t seed = 0;                 // of the draw of its columns
  std::size_t spent = 0;                  // columns that splits above it have used up
  std::vector<std::size_t> class_rows;    // where rows may be there in part; else empty
};

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

// Buffers and nodes of one worker; they can be used for one tree after another.
struct GrowingWorker {
  SearchBuffers search;
  Branches branches;
  std::vector<Entry> entries;
  std::vector<std::uint32_t> tags;
  std::vector<std::size_t> columns;
  std::vector<OpenNode> stack;
  NodeStore store;
};

inline std::vector<GrowingWorker> make_growing_workers(Pool& pool) {
  std::vector<GrowingWorker> workers(pool.size());
  for (std::size_t worker = 0; worker < workers.size(); ++worker) poll_from(workers[worker].search, pool, worker);
  return workers;
}

class TreeGrower {
 public:
  // All that is given must outlive this; `workers` has one for each of the pool's.
  TreeGrower(Rows& rows, const Labels& labels, const GrowthSettings& settings, const NodeSearch& search,
             Pool& pool, std::vector<GrowingWorker>& workers)
      : labels_(labels),
        settings_(settings),
        pool_(pool),
        rows_(rows),
        rules_(settings, labels, rows.columns().size()),
        search_(search),
        workers_(workers) {}

  // The root of the grown nodes, which live as long as this; it may be a node further down in a larger tree.
  const GrowingNode& grow(const Origin& origin) { return grow(make_root(origin)); }
  const GrowingNode& grow() { return grow(Origin{0, rules_.root_seed(), 0}); }

  // The same from a node of some other tree, whose rows it may rearrange.
  const GrowingNode& grow(OpenNode root) {
    const GrowingNode* const node = root.node;
    if (settings_.max_leaf_nodes != kUnlimited) {
      grow_best_first(std::move(root));
    } else {
      grow_depth_first(std::move(root));
    }
    return *node;
  }

  // By one worker alone, while others grow other nodes. A node that is not split yet may be left to these: `leave`
  // takes it and returns true, or does not.
  using Leave = std::function<bool(OpenNode&)>;
  const GrowingNode& grow_alone(const Origin& origin, std::size_t worker) {
    return grow_alone(make_root(origin, worker), worker);
  }
  const GrowingNode& grow_alone(OpenNode root, std::size_t worker, const Leave& leave = {}) {
    const GrowingNode* const node = root.node;
    alone_ = true;
    if (!rules_.may_split(size_of(root))) return *node;
    search_root(root, worker);
    grow_subtree(std::move(root), worker, leave);
    return *node;
  }
  // The same from a node that another has left.
  void go_on(OpenNode left, std::size_t worker, const Leave& leave) {
    alone_ = true;
    grow_subtree(std::move(left), worker, leave);
  }

  // Fills a node in, whose impurity may be known.
  void describe(GrowingNode& node, const double* counts, std::size_t rows,
                std::optional<double> impurity = std::nullopt) const {
    node.counts = counts;
    node.rows = rows;
    for (std::size_t k = 0; k < labels_.n_classes(); ++k) node.weight += counts[k];
    const Order& order = search_.book().order;
    node.impurity = impurity ? *impurity : impurity_of(order, counts, labels_.n_classes(), node.weight, rows);
  }

 private:
  // Below this many cells a node is not worth waking the other workers for.
  static constexpr std::size_t kSharedCells = 1 << 17;

  OpenNode make_root(const Origin& origin, std::size_t worker = 0) {
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

  NodeSize size_of(const OpenNode& open) const {
    const GrowingNode& node = *open.node;
    return {node.counts, node.weight, node.rows, open.depth, open.in_parts};
  }

  bool shared(const OpenNode& open) const {
    return !alone_ && pool_.size() > 1 && open.rows.size * rows_.columns().size() >= kSharedCells;
  }

  // Calls task(index, worker) for all, on all workers if the node is large.
  template <class Task>
  void for_each(const OpenNode& open, std::size_t worker, std::size_t count, Task&& task) {
    if (shared(open)) return pool_.for_each(count, task);
    for (std::size_t i = 0; i < count; ++i) task(i, worker);
  }

  SearchedNode view(const OpenNode& open) const {
    const GrowingNode& node = *open.node;
    SearchedNode view;
    view.rows = open.rows;
    view.totals = {node.counts, labels_.n_classes(), node.rows, node.weight, node.impurity};
    view.admission = rules_.admission(size_of(open));
    if (!open.histograms.empty()) view.histograms = open.histograms.data();
    view.spent = open.spent;
    if (!open.class_rows.empty()) view.class_rows = open.class_rows.data();
    return view;
  }

  // Adds the findings of one column to those of the nodes that may be split.
  void search_column(std::vector<OpenNode>& nodes, const std::vector<SearchedNode>& views, std::size_t column,
                     std::size_t worker) {
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!nodes[i].findings.empty() && !views[i].at_once && views[i].wants(column)) {
        nodes[i].findings[column] = search_.search_column(views[i], column, workers_[worker].search);
      }
    }
  }

  // And those of all columns, for nodes that are searched at once.
  void search_at_once(std::vector<OpenNode>& nodes, const std::vector<SearchedNode>& views, std::size_t worker) {
    std::vector<std::size_t>& columns = workers_[worker].columns;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (!views[i].at_once) continue;
      columns.clear();
      for (std::size_t column = 0; column < nodes[i].findings.size(); ++column) {
        if (views[i].wants(column)) columns.push_back(column);
      }
      search_.search_columns(views[i], columns, nodes[i].findings, workers_[worker].search);
    }
  }

  std::vector<SearchedNode> prepare_search(std::vector<OpenNode>& nodes, const std::vector<char>& alive) const {
    std::vector<SearchedNode> views;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      views.push_back(view(nodes[i]));
      if (alive[i] == 0) continue;
      nodes[i].findings.resize(rows_.columns().size());
      views[i].wanted = rules_.wanted(nodes[i].depth, nodes[i].seed);
      views[i].at_once = search_.searches_at_once(views[i]);
    }
    return views;
  }

  // Carries a split out, searches the children that may be split and adds them to `out`.
  void split(OpenNode& open, Split&& found, std::size_t worker, std::vector<OpenNode>& out) {
    GrowingWorker& self = workers_[worker];
    const std::size_t classes = labels_.n_classes();
    GrowingNode& node = *open.node;
    node.children = self.store.make_nodes(found.n_branches);
    double* counts = self.store.make_counts(found.n_branches * classes);
    std::copy(found.counts.begin(), found.counts.end(), counts);
    std::vector<char> alive(found.n_branches, 0);
    bool any = false;
    for (std::size_t branch = 0; branch < found.n_branches; ++branch) {
      double* of = counts + branch * classes;
      for (std::size_t k = 0; k < found.unknown.size(); ++k) of[k] += found.unknown[k] * found.shares[branch];
      if (found.unknown.empty()) {
        describe(node.children[branch], of, found.rows_in(branch), found.entropies[branch]);
      } else {
        describe(node.children[branch], of, found.rows_in(branch));
      }
      const GrowingNode& child = node.children[branch];
      const NodeSize size{child.counts, child.weight, child.rows, open.depth + 1, found.unknown_rows > 0};
      alive[branch] = rules_.may_split(size) ? 1 : 0;
      any = any || alive[branch] != 0;
    }
    if (any) {
      std::vector<OpenNode> children = part(open, found, alive, worker);
      for (std::size_t branch = found.n_branches; branch-- > 0;) {
        if (alive[branch] != 0) out.push_back(std::move(children[branch]));
      }
    }
    node.split = self.store.hold(std::move(static_cast<SplitRule&>(found)));
  }

  // Rearranges the rows by branch and searches the children on the way: a run that was just written is still
  // at hand, and reading it again later would cost more than all the arithmetic.
  std::vector<OpenNode> part(OpenNode& open, const Split& found, const std::vector<char>& alive,
                             std::size_t worker) {
    Branches& branches = workers_[worker].branches;
    rows_.mark(open.rows, found, branches);
    const bool dense = rows_.columns().n_dense() > 0;
    if (dense && !rows_.weighted()) rows_.part_list(open.rows, found, branches, workers_[worker].tags);
    std::vector<std::unique_ptr<WeightedRows>> own;
    if (rows_.weighted()) {
      own = rows_.make_children(found, alive);
    }
    const std::vector<char> parts = open.in_parts || found.unknown_rows > 0
                                        ? rows_.parted(open.rows, found, branches)
                                        : std::vector<char>(found.n_branches, 0);
    std::vector<OpenNode> children = open_children(open, found, alive, parts, std::move(own));
    const std::vector<std::size_t> class_rows = rows_.count_classes(open.rows, found, branches);
    for (std::size_t branch = 0; branch < children.size() && !class_rows.empty(); ++branch) {
      const auto begin = class_rows.begin() + static_cast<std::ptrdiff_t>(branch * labels_.n_classes());
      children[branch].class_rows.assign(begin, begin + labels_.n_classes());
    }
    std::vector<WeightedRows*> targets;
    for (const OpenNode& child : children) targets.push_back(child.own.get());
    if (dense && rows_.weighted()) {
      rows_.part_weighted(open.rows, found, branches, rows_.columns().n_runs(), targets);
    }
    hand_down_histograms(open, children, alive, worker);
    const std::vector<SearchedNode> views = prepare_search(children, alive);
    for_each(open, worker, rows_.columns().size(), [&](std::size_t i, std::size_t by) {
      const Column& column = rows_.columns()[i];
      if (!column.dense && rows_.weighted()) {
        rows_.part_weighted(open.rows, found, branches, column.slot, targets);
      } else if (!column.dense) {
        rows_.part_run(open.rows, found, alive, branches, column.slot, workers_[by].entries);
      }
      search_column(children, views, i, by);
    });
    search_at_once(children, views, worker);
    return children;
  }

  std::vector<OpenNode> open_children(const OpenNode& open, const Split& found, const std::vector<char>& alive,
                                      const std::vector<char>& parts,
                                      std::vector<std::unique_ptr<WeightedRows>> own) const {
    const std::vector<Stretch> places = Rows::place(open.rows, found, alive);
    std::vector<OpenNode> children(found.n_branches);
    for (std::size_t branch = 0; branch < found.n_branches; ++branch) {
      OpenNode& child = children[branch];
      child.node = open.node->children + branch;
      child.rows = places[branch];
      child.depth = open.depth + 1;
      child.in_parts = parts[branch] != 0;
      child.seed = GrowthRules::child_seed(open.seed, branch);
      child.spent = open.spent + (found.uses_up_column() ? 1 : 0);
      if (own.empty()) continue;
      child.own = std::move(own[branch]);
      child.rows = {0, 0, found.rows_in(branch), child.own.get(), nullptr};
    }
    return children;
  }

  // Dense columns of large nodes: count all children but the largest, whose counts are what is left of the
  // parent's. Pays only while a node has more rows than its histograms have cells.
  bool keeps_histograms(const OpenNode& open) const {
    const std::size_t dense = rows_.columns().n_dense();
    return dense > 0 && labels_.mode() == TagMode::packed && open.rows.size * dense > search_.histogram_size();
  }

  void fill_histograms(OpenNode& open, std::size_t worker) {
    open.histograms.assign(search_.histogram_size(), 0);
    for_each(open, worker, rows_.columns().size(), [&](std::size_t i, std::size_t) {
      const Column& column = rows_.columns()[i];
      if (!column.dense) return;
      const std::uint32_t* list = rows_.list<TagMode::packed>(open.rows);
      rows_.columns().with_codes(column, [&](const auto* codes) {
        add_to_histogram(list, list + open.rows.size, codes, {labels_.tags()}, labels_.n_classes(),
                         open.histograms.data() + search_.histogram_begin(i));
      });
    });
  }

  void hand_down_histograms(OpenNode& open, std::vector<OpenNode>& children, const std::vector<char>& alive,
                            std::size_t worker) {
    if (open.histograms.empty()) return;
    std::size_t largest = 0;
    for (std::size_t i = 1; i < children.size(); ++i) {
      if (children[i].rows.size > children[largest].rows.size) largest = i;
    }
    if (alive[largest] == 0 || !keeps_histograms(children[largest])) return;
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (i == largest || children[i].rows.size == 0) continue;
      fill_histograms(children[i], worker);
      for (std::size_t cell = 0; cell < open.histograms.size(); ++cell) {
        open.histograms[cell] -= children[i].histograms[cell];
      }
      if (alive[i] == 0 || !keeps_histograms(children[i]))
        std::vector<std::uint32_t>().swap(children[i].histograms);
    }
    children[largest].histograms = std::move(open.histograms);
  }

  // Searches the root; all other nodes are searched when their parent is split.
  void search_root(OpenNode& root, std::size_t worker) {
    if (keeps_histograms(root)) fill_histograms(root, worker);
    std::vector<OpenNode> nodes;
    nodes.push_back(std::move(root));
    const std::vector<SearchedNode> views = prepare_search(nodes, {1});
    for_each(nodes[0], worker, rows_.columns().size(),
             [&](std::size_t i, std::size_t by) { search_column(nodes, views, i, by); });
    search_at_once(nodes, views, worker);
    root = std::move(nodes[0]);
  }

  std::optional<Split> choose(OpenNode& open, std::size_t worker) {
    pool_.poll(worker);
    return choose_split(rules_, open.depth, open.seed, search_, view(open), open.findings,
                        workers_[worker].search);
  }

  void expand(OpenNode& open, std::size_t worker, std::vector<OpenNode>& out) {
    std::optional<Split> found = choose(open, worker);
    if (found) split(open, std::move(*found), worker, out);
  }

  // Large nodes first, one at a time, all workers on the columns of each; then small ones, a worker a subtree.
  void grow_depth_first(OpenNode root) {
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

  void grow_subtree(OpenNode root, std::size_t worker, const Leave& leave = {}) {
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

  void grow_best_first(OpenNode root) {
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

  const Labels& labels_;
  const GrowthSettings& settings_;
  Pool& pool_;
  Rows& rows_;
  GrowthRules rules_;
  const NodeSearch& search_;
  std::vector<GrowingWorker>& workers_;
  bool alone_ = false;  // one worker only
};

}  // namespace ramify
