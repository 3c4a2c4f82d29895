#include "ramify/path/path_grower.hpp"

#include <algorithm>

#include "ramify/mixing.hpp"
#include "ramify/routing.hpp"

namespace ramify {

PathGrower::PathGrower(const Columns& columns, const Labels& labels, const std::uint8_t* chosen,
                       const GrowthSettings& settings, Orders& orders, PathWishes wishes)
    : labels_(labels),
      chosen_(chosen),
      orders_(orders),
      wishes_(std::move(wishes)),
      rows_(columns, labels),
      search_(rows_, labels, settings, orders, wishes_.keep),
      signatures_(orders.size(), 0),
      n_nodes_(orders.size(), 1.0) {}

PathWorkers::PathWorkers(Pool& pool) : many(pool.size()), one(make_growing_workers(pool)) {
  for (std::size_t worker = 0; worker < many.size(); ++worker) poll_from(many[worker].search, pool, worker);
}

PathGrower::Hand PathGrower::make_hand(PathWorkers& workers, Pool& pool, std::size_t number) {
  stores_.emplace_back(wishes_.keep ? orders_.size() : 0);
  return {workers,
          pool,
          number,
          stores_.back(),
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
  } else if (chosen_ == nullptr && orders_.size() > 1 && rows_.can_lend()) {
    root->rows = rows_.lend();
  } else {
    root->plain = rows_.make_plain_root(chosen_);
    root->rows.plain = root->plain.get();
  }
  root->ground = {root->rows, root->plain};
  root->seed = search_.rules().root_seed();
  for (std::size_t order = 0; order < orders_.size(); ++order) {
    root->orders.push_back(static_cast<std::uint16_t>(order));
  }
  root->counts = labels_.totals();
  root->weight = labels_.total();
  if (wishes_.keep) root_ = root->kept = keep(*root, hand.store_for(root->orders));
  if (wishes_.exam != nullptr) root->riders.push_back({root->orders, wishes_.tested});
  return root;
}

PathNode* PathGrower::keep(const Node& node, PathStore& store) {
  PathNode* kept = store.nodes.take(1).data();
  kept->counts = store.counts.hold(node.counts).data();
  kept->rows = node.rows.size;
  return kept;
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
  std::vector<Hand> hands;
  alone_.assign(pool.size(), std::vector<Tree>(wishes_.keep ? orders_.size() : 0));
  for (std::size_t worker = 0; worker < pool.size(); ++worker) hands.push_back(make_hand(workers, pool, worker));
  hands[0].has_pool = true;
  // Half as many rows wait for the workers as there are, or as many as are worth waking these for.
  constexpr std::size_t kFewestCells = std::size_t{1} << 19;
  const std::size_t columns = rows_.columns().size();
  const std::size_t enough = std::max(kFewestCells, labels_.counted() * columns / 2);
  std::vector<NodePtr> tasks;
  std::size_t cells = 0;
  grow_large(make_root(hands[0]), hands[0], [&](NodePtr node) {
    cells += node->rows.size * columns;
    detach(*node);
    tasks.push_back(std::move(node));
    if (cells < enough && pool.size() > 1) return;
    grow_tasks(tasks, hands);
    cells = 0;
  });
  grow_tasks(tasks, hands);
  for (const Hand& hand : hands) take_over(hand);
}

void PathGrower::grow_tasks(std::vector<NodePtr>& tasks, std::vector<Hand>& hands) {
  Pool& pool = hands[0].pool;
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const NodePtr& a, const NodePtr& b) { return a->rows.size > b->rows.size; });
  std::size_t rows = 0;
  for (const NodePtr& task : tasks) rows += task->rows.size;
  // One that would keep a worker busy when the others are long done is for all of them together.
  std::size_t first = 0;
  for (; first < tasks.size(); ++first) {
    Node& node = *tasks[first];
    if (!is_for_one(node) || node.rows.size * pool.size() <= rows) break;
    rows -= node.rows.size;
    grow_for_one(node, hands[0]);
  }
  make_tables(tasks, pool);
  hands[0].has_pool = false;
  pool.for_each(tasks.size() - first, [&](std::size_t i, std::size_t worker) {
    grow_small(std::move(tasks[first + i]), hands[worker]);
  });
  hands[0].has_pool = true;
  tasks.clear();
}

// The tables of powers that large tasks look into: workers must not make any.
void PathGrower::make_tables(const std::vector<NodePtr>& tasks, Pool& pool) {
  OrderList orders;
  Reach largest;
  for (const NodePtr& task : tasks) {
    if (task->weight <= static_cast<double>(orders_.lasting())) continue;
    orders.insert(orders.end(), task->orders.begin(), task->orders.end());
    const Reach of_task = search_.reach_of(*task);
    largest = {std::max(largest.cases, of_task.cases), std::max(largest.of_class, of_task.of_class)};
  }
  std::sort(orders.begin(), orders.end());
  orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
  orders_.reach(orders, largest, pool);
}

void PathGrower::grow_large(NodePtr root, Hand& hand, const std::function<void(NodePtr)>& found) {
  if (!search_.rules().may_split(root->size())) {
    if (wishes_.exam != nullptr) hand.tally.add_answers(*wishes_.exam, root->counts, root->orders, wishes_.tested);
    return;
  }
  if (small(*root)) return found(std::move(root));
  std::vector<NodePtr> stack;
  const auto put = [&](NodePtr node) {
    if (is_for_one(*node)) return hand.has_pool ? found(std::move(node)) : grow_for_one(*node, hand);
    choose(*node, hand);
    stack.push_back(std::move(node));
  };
  put(std::move(root));
  while (!stack.empty()) {
    NodePtr node = std::move(stack.back());
    stack.pop_back();
    if (node->next == node->choices.size()) continue;
    const bool last = node->next + 1 == node->choices.size();
    if (!last) lay_down(*node);
    std::vector<NodePtr> children = split(*node, node->choices[node->next++], hand, nullptr);
    const bool stands = !last && node->noted.none();
    const Ground ground = stands ? Ground{node->rows, node->plain} : node->ground;
    // The rows are given up as soon as the last choice is made.
    if (!last) stack.push_back(std::move(node));
    node.reset();
    // The smallest is on top of the stack: while larger ones are at work, no other waits.
    std::stable_sort(children.begin(), children.end(), [](const NodePtr& a, const NodePtr& b) {
      return (a == nullptr ? 0 : a->rows.size) > (b == nullptr ? 0 : b->rows.size);
    });
    for (NodePtr& child : children) {
      if (child == nullptr) continue;
      if (small(*child)) {
        found(std::move(child));
      } else {
        child->ground = ground;
        put(std::move(child));
      }
    }
  }
}

void PathGrower::lay_down(Node& node) {
  const bool has_own = node.plain != nullptr && node.plain != node.ground.plain;
  if (!has_own || 2 * node.rows.size <= node.ground.rows.size) return;
  node.noted = rows_.note(node.rows);
  node.plain.reset();
}

void PathGrower::detach(Node& node) {
  if (node.plain == nullptr || node.plain->size() <= node.rows.size + node.rows.size / 4) return;
  node.plain = rows_.copy(node.rows);
  node.rows = {0, 0, node.rows.size, nullptr, node.plain.get()};
}

void PathGrower::grow_small(NodePtr root, Hand& hand) {
  Waiting waiting;
  if (wishes_.keep) hand.shared = &hand.store_for(root->orders);
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
  hand.shared = nullptr;
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
  root.spent = node.spent;
  if (hand.has_pool) orders_.reach(node.orders, search_.reach_of(node), hand.pool);
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
  if (wishes_.keep) node.kept->forks = hand.store_for(node.orders).forks.take(node.choices.size());
  if (node.riders.empty()) return;
  OrderList stay = node.orders;
  for (const Choice& choice : node.choices) stay = without(stay, choice.orders);
  if (stay.empty()) return;
  for (const Riders& riders : node.riders) {
    hand.tally.add_answers(*wishes_.exam, node.counts, common(riders.orders, stay), riders.rows);
  }
}

}  // namespace ramify
