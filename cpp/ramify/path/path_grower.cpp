#include "ramify/path/path_grower.hpp"

#include <algorithm>

#include "ramify/mixing.hpp"
#include "ramify/routing.hpp"

namespace ramify {

PathGrower::PathGrower(const Columns& columns, const Labels& labels, const std::uint8_t* chosen,
                       const GrowthSettings& settings, std::span<Orders> orders, PathWishes wishes)
    : labels_(labels),
      chosen_(chosen),
      settings_(settings),
      orders_(orders),
      n_orders_(orders[0].size()),
      wishes_(std::move(wishes)),
      rows_(columns, labels),
      rules_(settings, labels, columns.size()),
      signatures_(n_orders_, 0),
      n_nodes_(n_orders_, 1.0) {}

PathWorkers::PathWorkers(Pool& pool) : many(pool.size()), one(make_growing_workers(pool)) {
  for (std::size_t worker = 0; worker < many.size(); ++worker) poll_from(many[worker].search, pool, worker);
}

PathGrower::Hand PathGrower::make_hand(PathWorkers& workers, Pool& pool, std::size_t number, Orders& orders) {
  stores_.emplace_back(wishes_.keep ? n_orders_ : 0);
  alone_.emplace_back(wishes_.keep ? n_orders_ : 0);
  return {workers,
          pool,
          number,
          PathSearch(rows_, labels_, settings_, orders, wishes_.keep),
          stores_.back(),
          alone_.back(),
          Tally(n_orders_),
          std::vector<std::uint64_t>(n_orders_, 0),
          std::uint64_t{number} << 48};
}

void PathGrower::take_over(const Hand& hand) {
  for (std::size_t order = 0; order < n_orders_; ++order) signatures_[order] += hand.signatures[order];
  for (std::size_t order = 0; order < n_orders_; ++order) n_nodes_[order] += hand.tally.n_nodes[order];
  if (wishes_.tally != nullptr) wishes_.tally->add(hand.tally);
}

PathGrower::NodePtr PathGrower::make_root(Hand& hand) {
  auto root = std::make_unique<Node>();
  root->rows.size = labels_.counted();
  if (rows_.weighted()) {
    root->weighted = rows_.make_weighted_root(chosen_);
    root->rows.own = root->weighted.get();
  } else if (chosen_ == nullptr && n_orders_ > 1 && rows_.can_lend()) {
    root->rows = rows_.lend();
  } else {
    root->plain = rows_.make_plain_root(chosen_);
    root->rows.plain = root->plain.get();
  }
  root->ground = {root->rows, root->plain};
  root->seed = rules_.root_seed();
  for (std::size_t order = 0; order < n_orders_; ++order) {
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
  // The tables of all its orders must be there at once.
  if (node.weight > static_cast<double>(orders_[0].lasting())) return false;
  return node.rows.size <= kAlwaysSmall ||
         node.rows.size * rows_.columns().size() * node.orders.size() <= kMostCells;
}

void PathGrower::grow_alone(PathWorkers& workers, Pool& pool, std::size_t worker) {
  Hand hand = make_hand(workers, pool, worker, orders_[0]);
  grow_from(make_root(hand), hand);
  take_over(hand);
}

void PathGrower::grow(PathWorkers& workers, Pool& pool) {
  std::vector<Hand> hands;
  for (std::size_t worker = 0; worker < pool.size(); ++worker) {
    hands.push_back(make_hand(workers, pool, worker, orders_[worker]));
  }
  NodePtr root = make_root(hands[0]);
  if (n_orders_ < pool.size() || pool.size() == 1) {
    // Too few orders to have something to do for every worker; but all can work at one tree.
    hands[0].has_pool = true;
    grow_from(std::move(root), hands[0]);
  } else {
    // Half as many rows wait for the workers as there are, or as many as are worth waking these for.
    constexpr std::size_t kMostCells = std::size_t{1} << 19;
    constexpr std::size_t kFewestCells = std::size_t{1} << 13;
    const std::size_t columns = rows_.columns().size();
    Deck<NodePtr> deck(pool, std::max(labels_.counted() / 2, kMostCells / columns), kFewestCells / columns);
    for (Hand& hand : hands) hand.deck = &deck;
    if (rules_.may_split(root->size()) && !small(*root)) choose_together(*root, hands, pool);
    const std::size_t rows = root->rows.size;
    deck.add(std::move(root), rows);
    pool.for_each(pool.size(), [&](std::size_t, std::size_t worker) {
      while (NodePtr node = deck.take(worker)) {
        grow_from(std::move(node), hands[worker]);
        deck.done();
      }
    });
  }
  for (const Hand& hand : hands) take_over(hand);
}

void PathGrower::choose_together(Node& root, std::vector<Hand>& hands, Pool& pool) {
  const std::size_t workers = hands.size();
  std::vector<std::vector<Choice>> found(workers);
  pool.for_each(workers, [&](std::size_t part, std::size_t worker) {
    const auto place = [&](std::size_t i) {
      return root.orders.begin() + static_cast<std::ptrdiff_t>(n_orders_ * i / workers);
    };
    const OpenPathNode some = root.for_some(OrderList(place(part), place(part + 1)));
    found[part] = hands[worker].search.choose(some, hands[worker].buffers());
  });
  for (std::size_t part = 1; part < workers; ++part) add_choices_of_others(std::move(found[part]), found[0]);
  take_choices(root, std::move(found[0]), hands[0]);
}

void PathGrower::grow_from(NodePtr root, Hand& hand) {
  if (!rules_.may_split(root->size())) {
    if (wishes_.exam != nullptr) hand.tally.add_answers(*wishes_.exam, root->counts, root->orders, wishes_.tested);
    return;
  }
  std::vector<NodePtr> stack;
  start(std::move(root), hand, stack);
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
      if (hand.deck != nullptr && hand.deck->wants(child->rows.size)) {
        leave_to_others(std::move(child), hand);
      } else {
        child->ground = ground;
        start(std::move(child), hand, stack);
      }
    }
  }
}

void PathGrower::start(NodePtr node, Hand& hand, std::vector<NodePtr>& stack) {
  if (small(*node)) return grow_small(std::move(node), hand);
  if (is_for_one(*node, hand)) return grow_for_one(*node, hand);
  if (!node->chosen) choose(*node, hand);
  stack.push_back(std::move(node));
}

// Nobody knows how long the rows of its ancestors stay as they are: it stands on its own.
void PathGrower::leave_to_others(NodePtr node, Hand& hand) {
  detach(*node);
  node->ground = {node->rows, node->plain};
  const std::size_t rows = node->rows.size;
  hand.deck->add(std::move(node), rows);
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
    if (is_for_one(*node, hand)) {
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
  hand.search.reach(node);
  TreeGrower grower(rows_, labels_, hand.search.settings_of(order), hand.search.search_of(order), hand.pool,
                    hand.workers.one);
  grower.describe(*root.node, node.counts.data(), node.rows.size);
  const GrowingNode& top =
      hand.has_pool ? grower.grow(std::move(root)) : grower.grow_alone(std::move(root), hand.number);
  tally_for_one(node, top, hand);
  if (wishes_.keep) {
    hand.signatures[order] += mixed(++hand.next_fork);
    Tree& part = hand.alone[order];
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
  take_choices(node, hand.search.choose(node, hand.buffers()), hand);
}

void PathGrower::take_choices(Node& node, std::vector<Choice> choices, Hand& hand) {
  node.choices = std::move(choices);
  node.chosen = true;
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
