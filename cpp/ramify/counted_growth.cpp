#include "ramify/counted_growth.hpp"

#include <algorithm>
#include <queue>
#include <stdexcept>

#include "ramify/prune/rebuild.hpp"
#include "ramify/routing.hpp"
#include "ramify/scorebook.hpp"

namespace ramify {

namespace {

GrowthSettings without_leaf_limit(GrowthSettings settings) {
  settings.max_leaf_nodes = kUnlimited;
  return settings;
}

// Puts the last node of a tree, but for its parent and first child, in the place of another.
void move_last_to(Tree& tree, std::size_t node) {
  const auto move = [node](auto&... arrays) { ((arrays[node] = arrays.back(), arrays.pop_back()), ...); };
  move(tree.n_children, tree.column, tree.kind, tree.threshold, tree.routes_begin, tree.routes_size,
       tree.missing_route, tree.unknown, tree.n_rows, tree.impurity, tree.score, tree.gain, tree.search,
       tree.exact, tree.runner_begin, tree.runner_size);
  const auto classes = static_cast<std::ptrdiff_t>(tree.n_classes);
  std::copy(tree.counts.end() - classes, tree.counts.end(),
            tree.counts.begin() + static_cast<std::ptrdiff_t>(node) * classes);
  tree.counts.resize(tree.counts.size() - tree.n_classes);
}

}  // namespace

CountedGrowth::CountedGrowth(const GrowthSettings& settings, std::vector<Coding> codings, Population population,
                             Pool& pool)
    : max_leaf_nodes_(settings.max_leaf_nodes),
      settings_(without_leaf_limit(settings)),
      codings_(std::move(codings)),
      population_(std::move(population)),
      labels_(population_),
      layout_(codings_, population_.totals.size(), population_.weighting == Weighting::unit),
      columns_(codings_, {}, labels_),
      rows_(static_cast<const Columns&>(columns_), labels_),
      book_(make_scorebook(settings_, labels_, false, pool)),
      search_(rows_, labels_, book_, make_search_settings(settings_, labels_)),
      rules_(settings_, labels_, codings_.size()) {
  if (settings_.cuts == Cuts::gaussian || settings_.dialect.by_columns) {
    throw std::invalid_argument("trees are not grown from counts by these cuts, or in this dialect");
  }
  tree_.n_classes = labels_.n_classes();
  const std::vector<double>& counts = population_.totals;
  append_node(tree_, counts.data(), population_.rows,
              impurity_of(book_.order, counts.data(), counts.size(), labels_.total(), population_.rows), nullptr);
  tree_.parent.push_back(-1);
  tree_.first_child.push_back(-1);
  if (rules_.may_split(size_of(0, 0))) open_.push_back(0);
}

std::pair<Tree, std::vector<std::int32_t>> CountedGrowth::state() const {
  std::vector<std::size_t> order{0};  // level by level
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t node = order[i];
    for (std::int32_t child = 0; child < tree_.n_children[node]; ++child) {
      order.push_back(static_cast<std::size_t>(tree_.first_child[node] + child));
    }
  }
  std::vector<std::int32_t> number(tree_.size());
  for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = static_cast<std::int32_t>(i);
  std::vector<std::int32_t> open;
  for (const std::int32_t node : open_) open.push_back(number[static_cast<std::size_t>(node)]);
  return {rebuild(tree_, {}), open};
}

void CountedGrowth::restore(Tree tree, std::vector<std::int32_t> open) {
  for (const std::int32_t node : open) {
    if (node < 0 || static_cast<std::size_t>(node) >= tree.size() ||
        tree.n_children[static_cast<std::size_t>(node)] != 0) {
      throw std::invalid_argument("open nodes are leaves of the tree");
    }
  }
  tree_ = std::move(tree);
  open_ = std::move(open);
}

NodeSize CountedGrowth::size_of(std::size_t node, std::size_t depth) const {
  const double* counts = tree_.counts.data() + node * tree_.n_classes;
  double weight = 0.0;
  for (std::size_t k = 0; k < tree_.n_classes; ++k) weight += counts[k];
  return {counts, weight, static_cast<std::size_t>(tree_.n_rows[node]), depth, false};
}

Origin CountedGrowth::origin(std::size_t node) const {
  std::vector<std::size_t> way;  // up to the root
  for (std::size_t at = node; at != 0; at = static_cast<std::size_t>(tree_.parent[at])) way.push_back(at);
  Origin origin{way.size(), rules_.root_seed(), 0};
  for (std::size_t i = way.size(); i-- > 0;) {
    const auto parent = static_cast<std::size_t>(tree_.parent[way[i]]);
    origin.seed =
        GrowthRules::child_seed(origin.seed, way[i] - static_cast<std::size_t>(tree_.first_child[parent]));
    origin.spent += static_cast<SplitKind>(tree_.kind[parent]) == SplitKind::multiway ? 1 : 0;
  }
  return origin;
}

std::optional<Split> CountedGrowth::find_split(std::size_t node, const GivenCounts& counts,
                                               SearchBuffers& buffers) const {
  const Origin origin = this->origin(node);
  const NodeSize size = size_of(node, origin.depth);
  SearchedNode seen;
  seen.rows.size = size.rows;
  seen.totals = {size.counts, tree_.n_classes, size.rows, size.weight, tree_.impurity[node]};
  seen.admission = rules_.admission(size);
  seen.given = counts;
  seen.spent = origin.spent;
  seen.wanted = rules_.wanted(origin.depth, origin.seed);
  std::vector<Finding> findings(codings_.size());
  for (std::size_t column = 0; column < findings.size(); ++column) {
    if (seen.wants(column)) findings[column] = search_.search_column(seen, column, buffers);
  }
  return choose_split(rules_, origin.depth, origin.seed, search_, seen, findings, buffers);
}

void CountedGrowth::split(const std::vector<std::int32_t>& nodes, const std::vector<GivenCounts>& counts,
                          Pool& pool) {
  std::vector<std::optional<Split>> found(nodes.size());
  std::vector<SearchBuffers> buffers(pool.size());
  for (std::size_t worker = 0; worker < buffers.size(); ++worker) poll_from(buffers[worker], pool, worker);
  pool.for_each(nodes.size(), [&](std::size_t i, std::size_t worker) {
    found[i] = find_split(static_cast<std::size_t>(nodes[i]), counts[i], buffers[worker]);
  });
  close(nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (found[i]) carry_out(static_cast<std::size_t>(nodes[i]), *found[i]);
  }
}

void CountedGrowth::carry_out(std::size_t node, const Split& split) {
  if (split.unknown_rows > 0) throw std::logic_error("rows in parts can't be counted");
  const std::size_t classes = tree_.n_classes;
  const std::vector<double> own(tree_.counts.begin() + static_cast<std::ptrdiff_t>(node * classes),
                                tree_.counts.begin() + static_cast<std::ptrdiff_t>((node + 1) * classes));
  append_node(tree_, own.data(), static_cast<std::size_t>(tree_.n_rows[node]), tree_.impurity[node], &split);
  move_last_to(tree_, node);
  const std::size_t first = tree_.size();
  const std::size_t depth = origin(node).depth + 1;
  tree_.first_child[node] = static_cast<std::int32_t>(first);
  for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
    const double* counts = split.counts.data() + branch * classes;
    double weight = 0.0;
    for (std::size_t k = 0; k < classes; ++k) weight += counts[k];
    append_node(tree_, counts, split.rows[branch],
                impurity_of(book_.order, counts, classes, weight, split.rows[branch]), nullptr);
    tree_.parent.push_back(static_cast<std::int32_t>(node));
    tree_.first_child.push_back(-1);
    if (rules_.may_split(size_of(first + branch, depth)))
      open_.push_back(static_cast<std::int32_t>(first + branch));
  }
}

void CountedGrowth::close(const std::vector<std::int32_t>& nodes) {
  std::vector<char> closed(tree_.size(), 0);
  for (const std::int32_t node : nodes) closed[static_cast<std::size_t>(node)] = 1;
  std::erase_if(open_, [&](std::int32_t node) { return closed[static_cast<std::size_t>(node)] != 0; });
}

Tree CountedGrowth::grow_rows(const CodedRows& rows, const Origin& origin, Pool& pool,
                              std::vector<GrowingWorker>& workers, std::size_t worker, bool alone) const {
  const Labels labels(rows.classes, rows.rows, rows.weights, population_);
  Columns columns(codings_, rows.columns, labels);
  Rows parted(columns, labels);
  const NodeSearch search(parted, labels, book_, make_search_settings(settings_, labels));
  TreeGrower grower(parted, labels, settings_, search, pool, workers);
  const GrowingNode& root = alone ? grower.grow_alone(origin, worker) : grower.grow(origin);
  return finish(root, labels.n_classes());
}

void CountedGrowth::grow_below(const std::vector<std::int32_t>& nodes, const FetchedRows& rows, Pool& pool) {
  // Below this many cells a node is not worth waking the other workers for: they grow other nodes meanwhile.
  constexpr std::size_t kSharedCells = 1 << 20;
  if (rows.size() != nodes.size() || !rows.complete()) {
    throw std::invalid_argument("a node has fewer rows than were counted: the data have changed");
  }
  std::vector<GrowingWorker> workers = make_growing_workers(pool);
  std::vector<Tree> grown(nodes.size());
  std::vector<std::size_t> small;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const CodedRows of = rows.of(i);
    if (pool.size() > 1 && of.rows * codings_.size() < kSharedCells) {
      small.push_back(i);
      continue;
    }
    grown[i] = grow_rows(of, origin(static_cast<std::size_t>(nodes[i])), pool, workers, 0, false);
    for (GrowingWorker& worker : workers) worker.store.clear();
  }
  std::stable_sort(small.begin(), small.end(),
                   [&](std::size_t a, std::size_t b) { return rows.of(a).rows > rows.of(b).rows; });
  pool.for_each(small.size(), [&](std::size_t place, std::size_t worker) {
    const std::size_t i = small[place];
    grown[i] = grow_rows(rows.of(i), origin(static_cast<std::size_t>(nodes[i])), pool, workers, worker, true);
    workers[worker].store.clear();
  });
  close(nodes);
  for (std::size_t i = 0; i < nodes.size(); ++i) graft(static_cast<std::size_t>(nodes[i]), grown[i]);
}

void CountedGrowth::graft(std::size_t node, const Tree& subtree) {
  const auto at = static_cast<std::ptrdiff_t>(node * tree_.n_classes);
  if (!std::equal(subtree.counts.begin(), subtree.counts.begin() + static_cast<std::ptrdiff_t>(tree_.n_classes),
                  tree_.counts.begin() + at) &&
      population_.weighting != Weighting::real) {
    throw std::invalid_argument("a node has other rows than were counted: the data have changed");
  }
  if (subtree.n_children[0] == 0) return;
  // A node of the subtree gets this number more than it has there; the root is in its place already.
  const auto shift = static_cast<std::int32_t>(tree_.size()) - 1;
  tree_.append(subtree, 0, 1);
  move_last_to(tree_, node);
  tree_.first_child[node] = subtree.first_child[0] + shift;
  tree_.append(subtree, 1, subtree.size());
  for (std::size_t i = 1; i < subtree.size(); ++i) {
    tree_.parent.push_back(subtree.parent[i] == 0 ? static_cast<std::int32_t>(node) : subtree.parent[i] + shift);
    tree_.first_child.push_back(subtree.n_children[i] == 0 ? -1 : subtree.first_child[i] + shift);
  }
}

Tree CountedGrowth::finished() const {
  if (!open_.empty()) throw std::logic_error("some nodes are still open");
  return max_leaf_nodes_ == kUnlimited ? rebuild(tree_, {}) : keep_best_leaves(tree_, max_leaf_nodes_);
}

Tree keep_best_leaves(const Tree& tree, std::size_t max_leaf_nodes) {
  const std::vector<double> weights = node_weights(tree);
  struct Turn {
    double gain;
    std::size_t number;  // of equal gains the older node is first
    std::size_t node;
    bool operator<(const Turn& other) const {
      return gain != other.gain ? gain < other.gain : number > other.number;
    }
  };
  std::priority_queue<Turn> queue;
  std::size_t number = 0;
  const auto consider = [&](std::size_t node) {
    if (tree.n_children[node] > 0) queue.push({tree.gain[node] * weights[node], number++, node});
  };
  Decisions decisions;
  decisions.leaf.assign(tree.size(), 1);
  std::size_t leaves = 1;
  consider(0);
  while (!queue.empty() && leaves < max_leaf_nodes) {
    const std::size_t node = queue.top().node;
    queue.pop();
    const auto branches = static_cast<std::size_t>(tree.n_children[node]);
    // A split with more branches than there are leaves left to give is passed over.
    if (branches - 1 > max_leaf_nodes - leaves) continue;
    leaves += branches - 1;
    decisions.leaf[node] = 0;
    for (std::size_t i = 0; i < branches; ++i) consider(static_cast<std::size_t>(tree.first_child[node]) + i);
  }
  return rebuild(tree, decisions);
}

}  // namespace ramify
