// Growing the trees of many orders at once.
//
// The orders that reach a node with the same rows share it: its columns are looked at once, and the orders part
// only where they choose different splits. Large nodes are split depth first, one choice at a time, so that no
// more rows are copied than lie on one way down. Small ones are split from the largest down, and those with the
// same rows are merged, whatever the way to them. Several workers begin with the choices of the root, and leave
// each other nodes when these are done.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ramify/path/deck.hpp"
#include "ramify/path/path_node.hpp"
#include "ramify/path/path_search.hpp"
#include "ramify/path/tally.hpp"
#include "ramify/tree_grower.hpp"

namespace ramify {

// What is wanted of a growth.
struct PathWishes {
  bool keep = false;           // the nodes, to make trees of
  Tally* tally = nullptr;      // figures of the trees
  const Exam* exam = nullptr;  // and how they answer for rows that they were not grown from
  std::vector<std::uint32_t> tested;
};

// Buffers of all workers of a pool, for growing many orders and for growing one.
struct PathWorkers {
  explicit PathWorkers(Pool& pool);

  std::vector<PathBuffers> many;
  std::vector<GrowingWorker> one;
};

class PathGrower {
 public:
  // `chosen`: a byte for each row of the columns, 1 for those that `labels` counts; null if these are all.
  // `orders`: one for each worker that grows.
  PathGrower(const Columns& columns, const Labels& labels, const std::uint8_t* chosen,
             const GrowthSettings& settings, std::span<Orders> orders, PathWishes wishes);

  // By one worker of a pool, all others going their own ways, with the first of the orders.
  void grow_alone(PathWorkers& workers, Pool& pool, std::size_t worker);
  // By all workers of a pool.
  void grow(PathWorkers& workers, Pool& pool);

  // If nodes are kept, of an order: the nodes that its tree has, a number that is the same for orders with the
  // same tree, and the root to make the tree from, until it is given up.
  std::size_t n_nodes(std::size_t order) const;
  std::uint64_t signature(std::size_t order) const;
  const PathNode& root() const { return *root_; }
  // Once for each order.
  void give_up(std::size_t order);

 private:
  // The rows of an ancestor that stay as they are as long as the node is there.
  struct Ground {
    Stretch rows;
    std::shared_ptr<PlainRows> plain;  // null if they are the columns' own
  };

  struct Node : OpenPathNode {
    PathNode* kept = nullptr;
    std::vector<Riders> riders;
    std::vector<Choice> choices;
    std::size_t next = 0;  // of the choices
    // Of a large node: where its rows can be found again, and which they are while it has given them up.
    Ground ground;
    RowSet noted;
  };
  using NodePtr = std::unique_ptr<Node>;

  // All that grows from a node for one order alone. Several workers may be at it.
  struct Lone {
    NodePtr node;
    const GrowingNode* top = nullptr;
    std::atomic<std::size_t> at_work{1};
    std::mutex mutex;
    std::vector<NodeStore> stores;  // of workers that are done
  };

  // What a worker can take: a node, a choice of the root, or a part of what grows for one order.
  struct Task {
    NodePtr node;
    Choice* choice = nullptr;
    std::shared_ptr<Lone> lone;
    OpenNode left;
    std::unique_ptr<PlainRows> plain;  // its rows

    explicit operator bool() const { return node != nullptr || choice != nullptr || lone != nullptr; }
  };

  // What one thread keeps for itself while others grow other parts.
  struct Hand {
    PathWorkers& workers;
    Pool& pool;
    std::size_t number;  // of the worker
    PathSearch search;
    // What is kept lies with the last order that may come to it: no other needs it longer.
    std::span<PathStore> stores;
    Tally tally;
    std::vector<std::uint64_t> signatures;
    std::uint64_t last_fork;      // its number
    Deck<Task>* deck = nullptr;   // for what others may grow
    bool has_pool = false;        // no other worker has something else to do
    PathStore* shared = nullptr;  // while nodes may be merged: of the last order that any of them may have

    PathStore& store_for(const OrderList& orders_here) {
      return shared != nullptr ? *shared : stores[orders_here.back()];
    }
    PathBuffers& buffers() { return workers.many[number]; }
    GrowingWorker& one() { return workers.one[number]; }
  };

  // Small nodes that wait for their turn, and where to find one by its rows and depth.
  struct Waiting {
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

  void make_hand(PathWorkers& workers, Pool& pool, std::size_t number, Orders& orders);
  void take_over_tallies();
  // Null if no tree is more than its root.
  NodePtr make_root(Hand& hand);
  static PathNode* keep(const Node& node, PathStore& store);
  bool small(const Node& node) const;
  // Whether nodes of the same rows become one. Not where weights are real: sums over the same rows, added up in
  // another order, differ by rounding.
  bool merges() const { return !rows_.weighted() && rules_.rows_decide(); }

  // By several workers that take tasks from a deck.
  void grow_together(NodePtr root, Pool& pool);
  // The root's choices, some orders a worker.
  void choose_together(Node& root, Pool& pool);
  void work_at(Task task, Node* root, Hand& hand);
  // All that grows from a node, or from some that are started, but for what is left to others.
  void grow_from(NodePtr node, Hand& hand);
  void grow_all(std::vector<NodePtr>& stack, Hand& hand);
  // Grows some children, but for large ones that are shared: these are put on the stack.
  void start_all(std::vector<NodePtr> children, const Ground& ground, Hand& hand, std::vector<NodePtr>& stack);
  void start(NodePtr node, Hand& hand, std::vector<NodePtr>& stack);
  void leave_to_others(NodePtr node, Hand& hand);
  void grow_small(NodePtr root, Hand& hand);
  // A large node that has other choices to wait for gives its rows up, if an ancestor hardly larger than it has
  // them too, out of whose rows its children are picked then. So what stands on one way down, of which each worker
  // has its own, is at most twice the data, whatever the shapes of the trees.
  void lay_down(Node& node);
  // A node that will wait has its rows copied out of a much larger block, so that this can go.
  void detach(Node& node);
  // A node that one order only has come to, with all that grows from it; parts of that may be left to others.
  static bool is_for_one(const Node& node, const Hand& hand) {
    return node.orders.size() == 1 && hand.search.orders_can_part();
  }
  void grow_for_one(NodePtr node, Hand& hand);
  void go_on_for_one(Task task, Hand& hand);
  TreeGrower::Leave leave_parts_of(const std::shared_ptr<Lone>& lone, Hand& hand);
  // A worker is done with what it has grown for one order; the last one writes it on a tape.
  void end_for_one(Lone& lone, Hand& hand);
  void keep_for_one(const Lone& lone, Hand& hand);
  TreeGrower grower_for(std::size_t order, Hand& hand);
  void tally_for_one(const Node& node, const GrowingNode& top, Hand& hand);

  // The choices of a node; the orders that choose nothing have a leaf there.
  void choose(Node& node, Hand& hand);
  void take_choices(Node& node, std::vector<Choice> choices, Hand& hand);
  // Splits a node by a choice and returns the children, null for leaves. Those that are waiting already get its
  // orders, and are null too. `last`: its rows are not needed any more.
  std::vector<NodePtr> split(Node& node, Choice& choice, bool last, Hand& hand, Waiting* waiting);
  std::vector<NodePtr> open_children(const Node& node, const Choice& choice) const;
  void send_riders(Node& node, const Choice& choice, std::vector<NodePtr>& children, Hand& hand);
  void keep_fork(Node& node, Choice& choice, const std::vector<PathNode*>& children, Hand& hand);
  void merge(const Node& node, const Choice& choice, std::vector<NodePtr>& children, std::vector<PathNode*>& kept,
             Hand& hand, Waiting& waiting);
  void part(const Node& node, const Choice& choice, bool last, std::vector<NodePtr>& children, Hand& hand);
  void part_in_place(const Node& node, const Choice& choice, std::vector<NodePtr>& children, Hand& hand);

  const Labels& labels_;
  const std::uint8_t* chosen_;
  const GrowthSettings& settings_;
  std::span<Orders> orders_;
  std::size_t n_orders_;
  PathWishes wishes_;
  Rows rows_;
  GrowthRules rules_;
  std::vector<Hand> hands_;
  PathNode* root_ = nullptr;
  std::vector<std::vector<PathStore>> stores_;  // of each hand and order
  std::mutex giving_up_;
  std::vector<char> given_up_;  // of each order
  std::size_t n_given_up_ = 0;  // of the lowest ones, one after the other
};

}  // namespace ramify
