#include "ramify/path/path_grower.hpp"

#include <algorithm>
#include <queue>

#include "ramify/routing.hpp"

namespace ramify {

namespace {

// A number for each row, or fork, of which sums tell sets apart: that two sets among millions have the same sum is
// as likely as a fault of the machine.
std::uint64_t mixed(std::uint64_t x) {
  x *= 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93ull;
  return x ^ (x >> 32);
}

OrderList common(const OrderList& a, const OrderList& b) {
  OrderList both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

OrderList without(const OrderList& all, const OrderList& some) {
  OrderList rest;
  std::set_difference(all.begin(), all.end(), some.begin(), some.end(), std::back_inserter(rest));
  return rest;
}

OrderList joined(const OrderList& a, const OrderList& b) {
  OrderList all;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(all));
  return all;
}

}  // namespace

struct PathGrower::Waiting {
  struct Place {
    std::uint64_t rows;  // a sum over them
    std::size_t depth;
    bool operator==(const Place&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Place& place) const { return place.rows + place.depth; }
  };
  struct Smaller {
    bool operator()(const std::pair<std::size_t, Place>& a, const std::pair<std::size_t, Place>& b) const {
      return a.first < b.first;
    }
  };

  void add(NodePtr node, std::uint64_t rows) {
    const Place place{rows, node->depth};
    queue.emplace(node->rows.size, place);
    nodes.emplace(place, std::move(node));
  }
  Node* find(std::uint64_t rows, std::size_t depth) {
    const auto found = nodes.find({rows, depth});
    return found == nodes.end() ? nullptr : found->second.get();
  }
  NodePtr take_largest() {
    const auto found = nodes.find(queue.top().second);
    queue.pop();
    NodePtr node = std::move(found->second);
    nodes.erase(found);
    return node;
  }

  std::priority_queue<std::pair<std::size_t, Place>, std::vector<std::pair<std::size_t, Place>>, Smaller> queue;
  std::unordered_map<Place, NodePtr, Hash> nodes;
  std::vector<std::uint64_t> sums;  // of the rows of each branch of the split at hand
  std::uint64_t counter = 0;        // stands in for a sum where nothing is merged
};

PathGrower::PathGrower(const Columns& columns, const Labels& labels, const std::uint8_t* chosen,
                       const GrowthSettings& settings, Orders& orders, PathWishes wishes)
    : labels_(labels),
      chosen_(chosen),
      settings_(settings),
      orders_(orders),
      wishes_(std::move(wishes)),
      rows_(columns, labels),
      search_(rows_, labels, settings, orders, wishes_.keep),
      signatures_(orders.size(), 0),
      n_nodes_(orders.size(), 1.0) {}

PathWorkers::PathWorkers(Pool& pool) : many(pool.size()), one(make_growing_workers(pool)) {
  for (std::size_t worker = 0; worker < many.size(); ++worker) {
    const auto poll = [&pool, worker] { pool.poll(worker); };
    many[worker].search.scan.tables.set_poll(poll);
    many[worker].search.subset.set_poll(poll);
  }
}

PathGrower::Hand PathGrower::make_hand(PathWorkers& workers, Pool& pool, std::size_t number) {
  stores_.push_back(std::make_unique<PathStore>());
  return {workers,
          pool,
          number,
          *stores_.back(),
          Tally(orders_.size()),
          std::vector<std::uint64_t>(orders_.size(), 0),
          std::uint64_t{number} << 48};
}

void PathGrower::take_over(const Hand& hand) {
  for (std::size_t order = 0; order < orders_.size(); ++order) signatures_[order] += hand.signatures[order];
  for (std::size_t order = 0; order < orders_.size(); ++order) n_nodes_[order] += hand.tally.n_nodes[order];
  if (wishes_.tally != nullptr) wishes_.tally->add(hand.tally);
}

PathGrower::NodePtr PathGrower::make_root(Hand& hand) {
  auto root = std::make_unique<Node>();
  root->rows.size = labels_.counted();
  if (rows_.weighted()) {
    root->weighted = rows_.make_weighted_root(chosen_);
    root->rows.own = root->weighted.get();
  } else {
    root->plain = rows_.make_plain_root(chosen_);
    root->rows.plain = root->plain.get();
  }
  root->seed = search_.rules().root_seed();
  for (std::size_t order = 0; order < orders_.size(); ++order) {
    root->orders.push_back(static_cast<std::uint16_t>(order));
  }
  root->counts = labels_.totals();
  root->weight = labels_.total();
  if (wishes_.keep) {
    root_ = root->kept = hand.store.make();
    describe(*root);
  }
  if (wishes_.exam != nullptr) root->riders.push_back({root->orders, wishes_.tested});
  return root;
}

void PathGrower::describe(const Node& node) {
  node.kept->counts = node.counts;
  node.kept->weight = node.weight;
  node.kept->rows = node.rows.size;
}

bool PathGrower::small(const Node& node) const {
  constexpr std::size_t kAlwaysSmall = 1024;
  constexpr std::size_t kMostCells = std::size_t{1} << 19;  // that all orders going different ways might copy
  // Small nodes are searched by many threads, which must not make tables.
  if (node.weight > static_cast<double>(orders_.lasting())) return false;
  return node.rows.size <= kAlwaysSmall ||
         node.rows.size * rows_.columns().size() * node.orders.size() <= kMostCells;
}

void PathGrower::grow_alone(PathWorkers& workers, Pool& pool, std::size_t worker) {
  Hand hand = make_hand(workers, pool, worker);
  NodePtr root = make_root(hand);
  grow_large(std::move(root), hand, [&](NodePtr node) { grow_small(std::move(node), hand); });
  take_over(hand);
}

void PathGrower::grow(PathWorkers& workers, Pool& pool) {
  constexpr std::size_t kEnoughCells = std::size_t{1} << 19;
  std::vector<Hand> hands;
  alone_.assign(pool.size(), std::vector<Tree>(wishes_.keep ? orders_.size() : 0));
  for (std::size_t worker = 0; worker < pool.size(); ++worker) hands.push_back(make_hand(workers, pool, worker));
  hands[0].has_pool = true;
  std::vector<NodePtr> tasks;
  std::size_t cells = 0;
  const auto run_tasks = [&] {
    hands[0].has_pool = false;
    std::stable_sort(tasks.begin(), tasks.end(),
                     [](const NodePtr& a, const NodePtr& b) { return a->rows.size > b->rows.size; });
    pool.for_each(tasks.size(),
                  [&](std::size_t i, std::size_t worker) { grow_small(std::move(tasks[i]), hands[worker]); });
    tasks.clear();
    cells = 0;
    hands[0].has_pool = true;
  };
  grow_large(make_root(hands[0]), hands[0], [&](NodePtr node) {
    cells += node->rows.size * rows_.columns().size();
    tasks.push_back(std::move(node));
    if (cells >= kEnoughCells) run_tasks();
  });
  run_tasks();
  for (const Hand& hand : hands) take_over(hand);
}

void PathGrower::grow_large(NodePtr root, Hand& hand, const std::function<void(NodePtr)>& found) {
  if (!search_.rules().may_split(root->size())) {
    if (wishes_.exam != nullptr) hand.tally.add_answers(*wishes_.exam, root->counts, root->orders, wishes_.tested);
    return;
  }
  if (small(*root)) return found(std::move(root));
  std::vector<NodePtr> stack;
  const auto put = [&](NodePtr node) {
    if (is_for_one(*node)) return grow_for_one(*node, hand);
    choose(*node, hand);
    stack.push_back(std::move(node));
  };
  put(std::move(root));
  while (!stack.empty()) {
    NodePtr node = std::move(stack.back());
    stack.pop_back();
    if (node->next == node->choices.size()) continue;
    std::vector<NodePtr> children = split(*node, node->choices[node->next++], hand, nullptr);
    // The rows are given up as soon as the last choice is made.
    if (node->next < node->choices.size()) stack.push_back(std::move(node));
    node.reset();
    for (NodePtr& child : children) {
      if (child == nullptr) continue;
      if (small(*child)) {
        found(std::move(child));
      } else {
        put(std::move(child));
      }
    }
  }
}

void PathGrower::grow_small(NodePtr root, Hand& hand) {
  Waiting waiting;
  waiting.add(std::move(root), 0);
  while (!waiting.queue.empty()) {
    const NodePtr node = waiting.take_largest();
    if (is_for_one(*node)) {
      grow_for_one(*node, hand);
      continue;
    }
    choose(*node, hand);
    for (Choice& choice : node->choices) {
      std::vector<NodePtr> children = split(*node, choice, hand, &waiting);
      for (std::size_t branch = 0; branch < children.size(); ++branch) {
        if (children[branch] == nullptr) continue;
        const std::uint64_t sum = merges() ? waiting.sums[branch] : ++waiting.counter;
        waiting.add(std::move(children[branch]), sum);
      }
    }
  }
}

void PathGrower::grow_for_one(Node& node, Hand& hand) {
  const std::size_t order = node.orders[0];
  GrowingWorker& worker = hand.workers.one[hand.number];
  OpenNode root;
  root.node = worker.store.make_nodes(1);
  root.rows = node.rows;
  root.own = std::move(node.weighted);
  root.depth = node.depth;
  root.seed = node.seed;
  root.in_parts = node.in_parts;
  if (hand.has_pool) orders_.reach(node.orders, static_cast<std::size_t>(node.weight), hand.pool);
  TreeGrower grower(rows_, labels_, search_.settings_of(order), search_.search_of(order), hand.pool,
                    hand.workers.one);
  grower.describe(*root.node, node.counts.data(), node.rows.size);
  const GrowingNode& top =
      hand.has_pool ? grower.grow(std::move(root)) : grower.grow_alone(std::move(root), hand.number);
  tally_for_one(node, top, hand);
  if (wishes_.keep) {
    hand.signatures[order] += mixed(++hand.next_fork);
    Tree& part = alone_[hand.number][order];
    part.n_classes = labels_.n_classes();
    node.kept->alone = &part;
    node.kept->alone_root = part.size();
    finish(top, part);
  }
  for (GrowingWorker& each : hand.workers.one) {
    if (&each == &worker || hand.has_pool) each.store.clear();
  }
}

void PathGrower::tally_for_one(const Node& node, const GrowingNode& top, Hand& hand) {
  const std::size_t classes = labels_.n_classes();
  struct Step {
    const GrowingNode* node;
    const double* answers;  // the counts by which it answers
    std::size_t depth;
    std::vector<std::uint32_t> rows;
  };
  std::vector<Step> stack{{&top, top.counts, node.depth, {}}};
  for (const Riders& riders : node.riders) {
    stack[0].rows.insert(stack[0].rows.end(), riders.rows.begin(), riders.rows.end());
  }
  while (!stack.empty()) {
    const Step step = std::move(stack.back());
    stack.pop_back();
    const auto answer = [&](const std::vector<std::uint32_t>& rows) {
      if (rows.empty()) return;
      hand.tally.add_answers(*wishes_.exam, {step.answers, classes}, node.orders, rows);
    };
    if (step.node->children == nullptr) {
      answer(step.rows);
      continue;
    }
    const SplitRule& rule = *step.node->split;
    hand.tally.add_split(node.orders, rule.n_branches, step.depth + 1);
    std::vector<std::vector<std::uint32_t>> parts(rule.n_branches);
    std::vector<std::uint32_t> staying;
    for (const std::uint32_t row : step.rows) {
      const std::int32_t branch = branch_of(rule, wishes_.exam->features, row);
      (branch < 0 ? staying : parts[static_cast<std::size_t>(branch)]).push_back(row);
    }
    answer(staying);
    for (std::size_t branch = 0; branch < rule.n_branches; ++branch) {
      const GrowingNode* child = step.node->children + branch;
      // A branch that holds no case answers like its parent.
      const double* answers = child->rows == 0 ? step.answers : child->counts;
      stack.push_back({child, answers, step.depth + 1, std::move(parts[branch])});
    }
  }
}

void PathGrower::choose(Node& node, Hand& hand) {
  hand.pool.poll(hand.number);
  node.choices = search_.choose(node, hand.buffers(), hand.has_pool ? &hand.pool : nullptr, &hand.workers.many);
  if (node.riders.empty()) return;
  OrderList stay = node.orders;
  for (const Choice& choice : node.choices) stay = without(stay, choice.orders);
  if (stay.empty()) return;
  for (const Riders& riders : node.riders) {
    hand.tally.add_answers(*wishes_.exam, node.counts, common(riders.orders, stay), riders.rows);
  }
}

std::vector<PathGrower::NodePtr> PathGrower::open_children(const Node& node, const Choice& choice) const {
  const Split& split = choice.split;
  const std::size_t classes = labels_.n_classes();
  std::vector<NodePtr> children;
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
    for (const NodePtr& child : children) child->riders.push_back({orders, {}});
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

void PathGrower::keep_fork(Node& node, Choice& choice, std::vector<PathNode*> children, Hand& hand) {
  Fork& fork = node.kept->forks.emplace_back();
  fork.orders = choice.orders;
  fork.told = std::move(choice.told);
  fork.rule = std::move(static_cast<SplitRule&>(choice.split));
  fork.children = std::move(children);
  const std::uint64_t number = mixed(++hand.next_fork);
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
        waiting.sums[two ? 1 - branches.left(row) : branches.of(row)] += mixed(row + 1);
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
  const auto for_each_run = [&](auto&& task) {
    constexpr std::size_t kSharedCells = 1 << 17;
    if (hand.has_pool && hand.pool.size() > 1 && node.rows.size * runs >= kSharedCells) {
      hand.pool.for_each(runs, [&](std::size_t slot, std::size_t worker) { task(slot, worker); });
    } else {
      for (std::size_t slot = 0; slot < runs; ++slot) task(slot, hand.number);
    }
  };
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
    for_each_run(
        [&](std::size_t slot, std::size_t) { rows_.part_weighted(node.rows, split, branches, slot, targets); });
    if (with_list) rows_.part_weighted(node.rows, split, branches, runs, targets);
    return;
  }
  if (last) return part_in_place(node, choice, children, hand, for_each_run);
  std::vector<PlainRows*> targets;
  for (NodePtr& child : children) {
    targets.push_back(nullptr);
    if (child == nullptr) continue;
    child->plain = rows_.make_plain(child->rows.size);
    child->rows.plain = targets.back() = child->plain.get();
  }
  for_each_run(
      [&](std::size_t slot, std::size_t) { rows_.part_plain(node.rows, split, branches, slot, targets); });
  if (with_list) rows_.part_plain_list(node.rows, branches, targets);
}

// The children of a node that is not needed any more take its rows over.
template <class ForEachRun>
void PathGrower::part_in_place(const Node& node, const Choice& choice, std::vector<NodePtr>& children, Hand& hand,
                               ForEachRun&& for_each_run) {
  const Branches& branches = hand.buffers().branches;
  std::vector<char> alive;
  for (const NodePtr& child : children) alive.push_back(child == nullptr ? 0 : 1);
  for_each_run([&](std::size_t slot, std::size_t worker) {
    rows_.part_run(node.rows, choice.split, alive, branches, slot, hand.workers.one[worker].entries);
  });
  if (rows_.columns().n_dense() > 0) {
    rows_.part_list(node.rows, choice.split, branches, hand.workers.one[hand.number].tags);
  }
  const std::vector<Stretch> places = Rows::place(node.rows, choice.split, alive);
  for (std::size_t branch = 0; branch < children.size(); ++branch) {
    if (children[branch] == nullptr) continue;
    children[branch]->rows = places[branch];
    children[branch]->plain = node.plain;
  }
}

std::vector<PathGrower::NodePtr> PathGrower::split(Node& node, Choice& choice, Hand& hand, Waiting* waiting) {
  const bool last = &choice == &node.choices.back();
  std::vector<NodePtr> children = open_children(node, choice);
  hand.tally.add_split(choice.orders, children.size(), node.depth + 1);
  if (!node.riders.empty()) send_riders(node, choice, children, hand);
  if (wishes_.keep) {
    for (const NodePtr& child : children) {
      child->kept = hand.store.make();
      describe(*child);
    }
  }
  std::vector<PathNode*> kept;
  for (const NodePtr& child : children) kept.push_back(child->kept);
  bool any = false;
  for (NodePtr& child : children) {
    if (search_.rules().may_split(child->size())) {
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
    rows_.mark(node.rows, choice.split, hand.buffers().branches);
    if (waiting != nullptr && merges()) merge(node, choice, children, kept, hand, *waiting);
    part(node, choice, last, children, hand);
  }
  if (wishes_.keep) keep_fork(node, choice, std::move(kept), hand);
  return children;
}

}  // namespace ramify
