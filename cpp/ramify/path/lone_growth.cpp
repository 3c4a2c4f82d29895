// What grows from a node of a path that one order only has come to: a tree of its own, by the grower of single
// trees.
#include "ramify/mixing.hpp"
#include "ramify/path/path_grower.hpp"
#include "ramify/routing.hpp"

namespace ramify {

void PathGrower::grow_for_one(NodePtr node, Hand& hand) {
  const std::size_t order = node->orders[0];
  OpenNode root;
  root.node = hand.one().store.make_nodes(1);
  root.rows = node->rows;
  root.own = std::move(node->weighted);
  root.class_rows = rows_.count_classes(root.rows);
  root.depth = node->depth;
  root.seed = node->seed;
  root.in_parts = node->in_parts;
  root.spent = node->spent;
  hand.search.reach(*node);
  TreeGrower grower = grower_for(order, hand);
  grower.describe(*root.node, node->counts.data(), node->rows.size);
  const auto lone = std::make_shared<Lone>();
  lone->node = std::move(node);
  lone->top = root.node;
  if (hand.has_pool) {
    grower.grow(std::move(root));
  } else {
    grower.grow_alone(std::move(root), hand.number, leave_parts_of(lone, hand));
  }
  lone->node->plain.reset();
  end_for_one(*lone, hand);
}

void PathGrower::go_on_for_one(Task task, Hand& hand) {
  const std::shared_ptr<Lone>& lone = task.lone;
  hand.search.reach(*lone->node);
  grower_for(lone->node->orders[0], hand).go_on(std::move(task.left), hand.number, leave_parts_of(lone, hand));
  task.plain.reset();
  end_for_one(*lone, hand);
}

TreeGrower PathGrower::grower_for(std::size_t order, Hand& hand) {
  return {rows_,     labels_,         hand.search.settings_of(order), hand.search.search_of(order),
          hand.pool, hand.workers.one};
}

TreeGrower::Leave PathGrower::leave_parts_of(const std::shared_ptr<Lone>& lone, Hand& hand) {
  if (hand.deck == nullptr) return {};
  return [this, lone, &deck = *hand.deck](OpenNode& part) {
    const std::size_t rows = part.rows.size;
    if (!deck.wants(rows)) return false;
    ++lone->at_work;
    Task task;
    task.lone = lone;
    task.left = std::move(part);
    if (!rows_.weighted()) {
      // Rows of its own: those of the whole node would stay as long as the last part waits.
      task.plain = rows_.copy(task.left.rows);
      task.left.rows = {0, 0, rows, nullptr, task.plain.get()};
    }
    deck.add(std::move(task), rows);
    return true;
  };
}

void PathGrower::end_for_one(Lone& lone, Hand& hand) {
  {
    const std::scoped_lock lock(lone.mutex);
    if (hand.has_pool) {
      for (GrowingWorker& each : hand.workers.one) lone.stores.push_back(each.store.take());
    } else {
      lone.stores.push_back(hand.one().store.take());
    }
  }
  if (--lone.at_work > 0) return;
  tally_for_one(*lone.node, *lone.top, hand);
  if (wishes_.keep) keep_for_one(lone, hand);
}

void PathGrower::keep_for_one(const Lone& lone, Hand& hand) {
  TapeWriter& tape = hand.buffers().tape;
  tape.clear();
  for (const auto& [node, parent] : by_levels(*lone.top)) {
    const SplitRule* rule = node->children == nullptr ? nullptr : node->split;
    tape.add({node->counts, labels_.n_classes()}, node->rows, node->impurity, rule);
  }
  const std::size_t order = lone.node->orders[0];
  lone.node->kept->alone = hand.stores[order].tapes.hold(tape.bytes()).data();
  constexpr std::size_t kLongTape = std::size_t{1} << 20;
  if (tape.bytes().size() > kLongTape) tape = TapeWriter();  // few are, and they would lie about till the end
  hand.signatures[order] += mixed(++hand.last_fork);
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
    std::vector<std::vector<std::uint32_t>> parts(step.rows.empty() ? 0 : rule.n_branches);
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
      stack.push_back({child, answers, step.depth + 1, {}});
      if (!parts.empty()) stack.back().rows = std::move(parts[branch]);
    }
  }
}

}  // namespace ramify
