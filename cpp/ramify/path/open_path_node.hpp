// A node of a path before it is split.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "ramify/growth_rules.hpp"
#include "ramify/path/orders.hpp"
#include "ramify/rows.hpp"

namespace ramify {

struct OpenPathNode {
  Stretch rows;
  std::shared_ptr<PlainRows> plain;  // its rows, or those of an ancestor of which it has a stretch
  std::unique_ptr<WeightedRows> weighted;
  std::size_t depth = 0;
  std::uint64_t seed = 0;
  bool in_parts = false;
  std::size_t spent = 0;  // columns that splits above it have used up
  OrderList orders;
  std::vector<double> counts;
  double weight = 0.0;

  NodeSize size() const { return {counts.data(), weight, rows.size, depth, in_parts}; }
  // The same node as some of its orders see it. Its rows stay with this.
  OpenPathNode for_some(OrderList some) const {
    OpenPathNode node;
    node.rows = rows;
    node.depth = depth;
    node.seed = seed;
    node.in_parts = in_parts;
    node.spent = spent;
    node.orders = std::move(some);
    node.counts = counts;
    node.weight = weight;
    return node;
  }
};

}  // namespace ramify
