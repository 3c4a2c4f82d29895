// From the choices of a node of a path to its children.
#include <algorithm>

#include "ramify/mixing.hpp"
#include "ramify/path/path_grower.hpp"
#include "ramify/routing.hpp"

namespace ramify {

namespace {

OrderList joined(const OrderList& a, const OrderList& b) {
  OrderList all;
  all.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

std::vector<PathGrower::NodePtr> PathGrower::open_children(const Node& node, const Choice& choice) const {
  const Split& split = choice.split;
  const std::size_t classes = labels_.n_classes();
  std::vector<NodePtr> children;
  children.reserve(split.n_branches);
  for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
    auto child = std::make_unique<Node>();
    const double* counts = split.counts.data() + branch * classes;
    child->counts.assign(counts, counts + classes);
    for (std::size_t k = 0; k < split.unknown.size(); ++k) {
      child->counts[k] += split.unknown[k] * split.shares[branch];
    }
    for (const double count : child->counts) child->weight += count;
    child->rows.size = split.rows_in(branch);
    child->depth = node.depth + 1;
    child->seed = GrowthRules::child_seed(node.seed, branch);
    child->spent = node.spent + (split.uses_up_column() ? 1 : 0);
    child->in_parts = split.unknown_rows > 0;
    child->orders = choice.orders;
    children.push_back(std::move(child));
  }
  return children;
}

void PathGrower::send_riders(Node& node, const Choice& choice, std::vector<NodePtr>& children, Hand& hand) {
  std::vector<std::uint32_t> staying;
  for (const Riders& riders : node.riders) {
    OrderList orders = common(riders.orders, choice.orders);
    if (orders.empty()) continue;
    staying.clear();
    for (const NodePtr& child : children) {
      child->riders.reserve(node.riders.size());
      child->riders.push_back({orders, {}});
      child->riders.back().rows.reserve(riders.rows.size());
    }
    for (const std::uint32_t row : riders.rows) {
      const std::int32_t branch = branch_of(choice.split, wishes_.exam->features, row);
      (branch < 0 ? staying : children[static_cast<std::size_t>(branch)]->riders.back().rows).push_back(row);
    }
    for (const NodePtr& child : children) {
      if (child->riders.back().rows.empty()) child->riders.pop_back();
    }
    hand.tally.add_answers(*wishes_.exam, node.counts, orders, staying);
  }
}

void PathGrower::keep_fork(Node& node, Choice& choice, const std::vector<PathNode*>& children, Hand& hand) {
  Fork& fork = node.kept->forks[static_cast<std::size_t>(&choice - node.choices.data())];
  PathStore& store = hand.store_for(node.orders);
  fork.orders = store.orders.hold(choice.orders);
  fork.verdicts = store.verdicts.hold(choice.verdicts);
  fork.runner_ups = store.runner_ups.hold(std::move(choice.runner_ups));
  fork.rule = std::move(static_cast<BranchRule&>(choice.split));
  fork.children = store.children.hold(children);
  const std::uint64_t number = mixed(++hand.last_fork);
  for (const std::uint16_t order : fork.orders) hand.signatures[order] += number;
}

// Children whose rows are waiting already, at the same depth, become one with them.
void PathGrower::merge(const Node& node, const Choice& choice, std::vector<NodePtr>& children,
                       std::vector<PathNode*>& kept, Hand& hand, Waiting& waiting) {
  const Branches& branches = hand.buffers().branches;
  const bool two = choice.split.n_branches == 2 && !rows_.weighted();
  waiting.sums.assign(children.size(), 0);
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{labels_.tags()};
    const auto add_up = [&](const auto* items) {
      for (std::size_t i = 0; i < node.rows.size; ++i) {
        const std::uint32_t row = reader.row(items[i]);
        waiting.sums[two ? (branches.side(row) == kLeft ? 0 : 1) : branches.of(row)] += mixed(row + 1);
      }
    };
    if (rows_.columns().n_runs() > 0) {
      add_up(rows_.run<Mode>(node.rows, 0));
    } else {
      add_up(rows_.list<Mode>(node.rows));
    }
  });
  for (std::size_t branch = 0; branch < children.size(); ++branch) {
    if (children[branch] == nullptr) continue;
    Node* same = waiting.find(waiting.sums[branch], node.depth + 1);
    if (same == nullptr) continue;
    same->orders = joined(same->orders, children[branch]->orders);
    for (Riders& riders : children[branch]->riders) same->riders.push_back(std::move(riders));
    kept[branch] = same->kept;
    children[branch].reset();
  }
}

// Gives the children that are there their rows.
void PathGrower::part(const Node& node, const Choice& choice, bool last, std::vector<NodePtr>& children,
                      Hand& hand) {
  if (std::all_of(children.begin(), children.end(), [](const NodePtr& child) { return child == nullptr; })) return;
  const Split& split = choice.split;
  const Branches& branches = hand.buffers().branches;
  const std::size_t runs = rows_.columns().n_runs();
  const bool with_list = rows_.columns().n_dense() > 0;
  if (rows_.weighted()) {
    std::vector<WeightedRows*> targets;
    const std::vector<char> parts = node.in_parts || split.unknown_rows > 0
                                        ? rows_.parted(node.rows, split, branches)
                                        : std::vector<char>(split.n_branches, 0);
    for (std::size_t branch = 0; branch < children.size(); ++branch) {
      Node* child = children[branch].get();
      targets.push_back(nullptr);
      if (child == nullptr) continue;
      child->weighted = rows_.make_weighted(child->rows.size);
      child->rows.own = targets.back() = child->weighted.get();
      child->in_parts = parts[branch] != 0;
    }
    const std::size_t arrays = runs + (with_list ? 1 : 0);
    for (std::size_t i = 0; i < arrays; ++i) rows_.part_weighted(node.rows, split, branches, i, targets);
    return;
  }
  if (last && node.plain != nullptr) return part_in_place(node, choice, children, hand);
  std::vector<PlainRows*> targets;
  for (NodePtr& child : children) {
    targets.push_back(nullptr);
    if (child == nullptr) continue;
    child->plain = rows_.make_plain(child->rows.size);
    child->rows.plain = targets.back() = child->plain.get();
  }
  const bool laid_down = !node.noted.none();
  const Stretch& from = laid_down ? node.ground.rows : node.rows;
  for (std::size_t slot = 0; slot < runs; ++slot) {
    rows_.part_plain(from, split, branches, slot, targets, laid_down);
  }
  if (with_list) rows_.part_plain_list(from, branches, targets, laid_down);
}

// The children of a node that is not needed any more take its rows over.
void PathGrower::part_in_place(const Node& node, const Choice& choice, std::vector<NodePtr>& children,
                               Hand& hand) {
  const Branches& branches = hand.buffers().branches;
  GrowingWorker& worker = hand.one();
  std::vector<char> alive;
  for (const NodePtr& child : children) alive.push_back(child == nullptr ? 0 : 1);
  for (std::size_t slot = 0; slot < rows_.columns().n_runs(); ++slot) {
    rows_.part_run(node.rows, choice.split, alive, branches, slot, worker.entries);
  }
  if (rows_.columns().n_dense() > 0) rows_.part_list(node.rows, choice.split, branches, worker.tags);
  const std::vector<Stretch> places = Rows::place(node.rows, choice.split, alive);
  for (std::size_t branch = 0; branch < children.size(); ++branch) {
    if (children[branch] == nullptr) continue;
    children[branch]->rows = places[branch];
    children[branch]->plain = node.plain;
  }
}

std::vector<PathGrower::NodePtr> PathGrower::split(Node& node, Choice& choice, bool last, Hand& hand,
                                                   Waiting* waiting) {
  std::vector<NodePtr> children = open_children(node, choice);
  hand.tally.add_split(choice.orders, children.size(), node.depth + 1);
  if (!node.riders.empty()) send_riders(node, choice, children, hand);
  if (wishes_.keep) {
    for (const NodePtr& child : children) child->kept = keep(*child, hand.store_for(child->orders));
  }
  std::vector<PathNode*> kept;
  kept.reserve(children.size());
  for (const NodePtr& child : children) kept.push_back(child->kept);
  bool any = false;
  for (NodePtr& child : children) {
    if (rules_.may_split(child->size())) {
      any = true;
      continue;
    }
    // A branch that holds no case answers like its parent.
    const std::vector<double>& counts = child->rows.size == 0 ? node.counts : child->counts;
    for (const Riders& riders : child->riders) {
      hand.tally.add_answers(*wishes_.exam, counts, riders.orders, riders.rows);
    }
    child.reset();
  }
  if (any) {
    const bool laid_down = !node.noted.none();
    rows_.mark(laid_down ? node.ground.rows : node.rows, choice.split, hand.buffers().branches,
               laid_down ? &node.noted : nullptr);
    if (waiting != nullptr && merges()) merge(node, choice, children, kept, hand, *waiting);
    part(node, choice, last, children, hand);
  }
  if (wishes_.keep) keep_fork(node, choice, kept, hand);
  return children;
}

}  // namespace ramify
