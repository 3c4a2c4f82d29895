#include "ramify/path/path_grower.hpp"

#include <algorithm>

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
      given_up_(n_orders_, 0) {
  hands_.reserve(orders.size());
}

PathWorkers::PathWorkers(Pool& pool) : many(pool.size()), one(make_growing_workers(pool)) {
  for (std::size_t worker = 0; worker < many.size(); ++worker) poll_from(many[worker].search, pool, worker);
}

void PathGrower::make_hand(PathWorkers& workers, Pool& pool, std::size_t number, Orders& orders) {
  stores_.emplace_back(wishes_.keep ? n_orders_ : 0);
  hands_.push_back({workers, pool, number, PathSearch(rows_, labels_, settings_, orders, wishes_.keep),
                    stores_.back(), Tally(n_orders_), std::vector<std::uint64_t>(n_orders_, 0),
                    std::uint64_t{number} << 48});
}

void PathGrower::take_over_tallies() {
  if (wishes_.tally == nullptr) return;
  for (const Hand& hand : hands_) wishes_.tally->add(hand.tally);
}

std::size_t PathGrower::n_nodes(std::size_t order) const {
  std::size_t nodes = 1;
  for (const Hand& hand : hands_) nodes += static_cast<std::size_t>(hand.tally.n_nodes[order]);
  return nodes;
}

std::uint64_t PathGrower::signature(std::size_t order) const {
  std::uint64_t sum = 0;
  for (const Hand& hand : hands_) sum += hand.signatures[order];
  return sum;
}

// What is shared lies with the last of the orders that share it, so that it goes when all lower ones have gone.
void PathGrower::give_up(std::size_t order) {
  for (std::vector<PathStore>& of_hand : stores_) of_hand[order].tapes = {};  // which no other order reads
  const std::scoped_lock lock(giving_up_);
  given_up_[order] = 1;
  for (; n_given_up_ < n_orders_ && given_up_[n_given_up_] != 0; ++n_given_up_) {
    for (std::vector<PathStore>& of_hand : stores_) of_hand[n_given_up_] = PathStore();
  }
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
  if (!rules_.may_split(root->size())) {
    if (wishes_.exam != nullptr) hand.tally.add_answers(*wishes_.exam, root->counts, root->orders, wishes_.tested);
    return nullptr;
  }
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
  // If its orders have tables of their own, all of these must be there at once.
  const bool own_tables = hands_[0].search.orders_can_part();
  if (own_tables && node.weight > static_cast<double>(orders_[0].lasting())) return false;
  return node.rows.size <= kAlwaysSmall ||
         node.rows.size * rows_.columns().size() * node.orders.size() <= kMostCells;
}

void PathGrower::grow_alone(PathWorkers& workers, Pool& pool, std::size_t worker) {
  make_hand(workers, pool, worker, orders_[0]);
  if (NodePtr root = make_root(hands_[0])) grow_from(std::move(root), hands_[0]);
  take_over_tallies();
}

void PathGrower::grow(PathWorkers& workers, Pool& pool) {
  const std::size_t hands = n_orders_ == 1 ? 1 : pool.size();
  for (std::size_t worker = 0; worker < hands; ++worker) make_hand(workers, pool, worker, orders_[worker]);
  if (NodePtr root = make_root(hands_[0])) {
    if (hands == 1) {
      hands_[0].has_pool = true;  // all can work at one tree
      grow_from(std::move(root), hands_[0]);
    } else {
      grow_together(std::move(root), pool);
    }
  }
  rows_.give_up_stock();
  take_over_tallies();
}

void PathGrower::grow_together(NodePtr root, Pool& pool) {
  std::vector<Task> first;
  if (!small(*root)) {
    choose_together(*root, pool);
    // From the last one on: the trees of high orders are deeper, and should not be what all wait for in the end.
    for (Choice& choice : root->choices) first.emplace_back().choice = &choice;
  } else {
    first.emplace_back().node = std::move(root);
  }
  // So that nobody has to wait, a sixteenth as many rows do as there are. Less than a fifth of a millisecond's
  // work is not worth it.
  constexpr std::size_t kLeastCells = std::size_t{1} << 13;
  const std::size_t columns = std::max<std::size_t>(rows_.columns().size(), 1);
  Deck<Task> deck(pool, std::move(first), labels_.counted() / 16, kLeastCells / columns);
  for (Hand& hand : hands_) hand.deck = &deck;
  pool.for_each(pool.size(), [&](std::size_t, std::size_t worker) {
    while (Task task = deck.take(worker)) {
      work_at(std::move(task), root.get(), hands_[worker]);
      deck.done(worker);
    }
  });
  for (Hand& hand : hands_) hand.deck = nullptr;
}

void PathGrower::choose_together(Node& root, Pool& pool) {
  const std::size_t parts = std::min(hands_.size(), n_orders_);
  std::vector<std::vector<Choice>> found(parts);
  pool.for_each(parts, [&](std::size_t part, std::size_t worker) {
    const auto place = [&](std::size_t i) {
      return root.orders.begin() + static_cast<std::ptrdiff_t>(n_orders_ * i / parts);
    };
    const OpenPathNode some = root.for_some(OrderList(place(part), place(part + 1)));
    found[part] = hands_[worker].search.choose(some, hands_[worker].buffers());
  });
  for (std::size_t part = 1; part < parts; ++part) add_choices_of_others(std::move(found[part]), found[0]);
  take_choices(root, std::move(found[0]), hands_[0]);
}

void PathGrower::work_at(Task task, Node* root, Hand& hand) {
  if (task.lone != nullptr) return go_on_for_one(std::move(task), hand);
  if (task.node != nullptr) return grow_from(std::move(task.node), hand);
  std::vector<NodePtr> stack;
  // Others may be at the root at the same time: its rows stay where they are.
  std::vector<NodePtr> children = split(*root, *task.choice, false, hand, nullptr);
  start_all(std::move(children), {root->rows, root->plain}, hand, stack);
  grow_all(stack, hand);
}

void PathGrower::grow_from(NodePtr node, Hand& hand) {
  std::vector<NodePtr> stack;
  start(std::move(node), hand, stack);
  grow_all(stack, hand);
}

void PathGrower::grow_all(std::vector<NodePtr>& stack, Hand& hand) {
  while (!stack.empty()) {
    NodePtr node = std::move(stack.back());
    stack.pop_back();
    if (node->next == node->choices.size()) continue;
    const bool last = node->next + 1 == node->choices.size();
    if (!last) lay_down(*node);
    std::vector<NodePtr> children = split(*node, node->choices[node->next++], last, hand, nullptr);
    // Children that take its rows over share its block, and never lie down on it.
    const bool stands = !last && node->noted.none();
    const Ground ground = stands ? Ground{node->rows, node->plain} : node->ground;
    // The rows are given up as soon as the last choice is made.
    if (!last) stack.push_back(std::move(node));
    node.reset();
    start_all(std::move(children), ground, hand, stack);
  }
}

void PathGrower::start_all(std::vector<NodePtr> children, const Ground& ground, Hand& hand,
                           std::vector<NodePtr>& stack) {
  // The smallest is on top of the stack: while larger ones are at work, no other waits.
  std::stable_sort(children.begin(), children.end(), [](const NodePtr& a, const NodePtr& b) {
    return (a == nullptr ? 0 : a->rows.size) > (b == nullptr ? 0 : b->rows.size);
  });
  for (NodePtr& child : children) {
    if (child == nullptr) continue;
    child->ground = ground;
    if (hand.deck != nullptr && hand.deck->wants(child->rows.size)) {
      leave_to_others(std::move(child), hand);
    } else {
      start(std::move(child), hand, stack);
    }
  }
}

void PathGrower::start(NodePtr node, Hand& hand, std::vector<NodePtr>& stack) {
  if (is_for_one(*node, hand)) return grow_for_one(std::move(node), hand);
  if (small(*node)) return grow_small(std::move(node), hand);
  choose(*node, hand);
  stack.push_back(std::move(node));
}

// Nobody knows how long the rows of its ancestors stay as they are, but for the columns' own: else it stands on
// its own.
void PathGrower::leave_to_others(NodePtr node, Hand& hand) {
  detach(*node);
  if (node->ground.plain != nullptr) node->ground = {node->rows, node->plain};
  const std::size_t rows = node->rows.size;
  Task task;
  task.node = std::move(node);
  hand.deck->add(std::move(task), rows);
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
    NodePtr node = waiting.take_largest();
    if (is_for_one(*node, hand)) {
      grow_for_one(std::move(node), hand);
      continue;
    }
    choose(*node, hand);
    for (Choice& choice : node->choices) {
      const bool last = &choice == &node->choices.back();
      std::vector<NodePtr> children = split(*node, choice, last, hand, &waiting);
      for (std::size_t branch = 0; branch < children.size(); ++branch) {
        if (children[branch] == nullptr) continue;
        const std::uint64_t sum = merges() ? waiting.sums[branch] : ++waiting.counter;
        waiting.add(std::move(children[branch]), sum);
      }
    }
  }
  hand.shared = nullptr;
}

void PathGrower::choose(Node& node, Hand& hand) {
  hand.pool.poll(hand.number);
  take_choices(node, hand.search.choose(node, hand.buffers()), hand);
}

void PathGrower::take_choices(Node& node, std::vector<Choice> choices, Hand& hand) {
  node.choices = std::move(choices);
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
