// Nodes of a tree as bytes, one behind the other, to be read once and in the order in which they were written: for
// nodes that wait until their tree is put together. Small counts take a byte, and nothing is written twice, so
// that they take about a fifth of what they do in the arrays of a tree.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ramify/split.hpp"

namespace ramify {

class TapeWriter {
 public:
  // No rule: a leaf.
  void add(std::span<const double> counts, std::size_t rows, double impurity, const SplitRule* rule);

  std::span<const std::uint8_t> bytes() const { return {bytes_.data(), used_}; }
  void clear() { used_ = 0; }

 private:
  void make_room(std::size_t bytes);
  // Into room that has been made.
  void write_number(std::uint64_t number);  // the smaller, the fewer bytes
  void write_route(std::int32_t route);
  void write_exactly(double value);
  void write_rule(const SplitRule& rule);
  void write_rare(const SplitRule& rule);

  std::vector<std::uint8_t> bytes_;
  std::size_t used_ = 0;
};

// A node that was read.
struct TapedNode {
  std::vector<double> counts;
  std::size_t rows = 0;
  double impurity = 0.0;
  bool leaf = true;
  SplitRule rule;  // but for the code of its cut; if it is no leaf
};

// `next`: where on a tape to read; goes on to what follows.
void read_node(const std::uint8_t*& next, std::size_t n_classes, TapedNode& node);

}  // namespace ramify
