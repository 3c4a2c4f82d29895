// The rows of a growing tree: every node's are a stretch of each run and, where there are dense columns, of a
// list of tags. A split rearranges the node's own stretches and touches nothing else, so nodes may be split in
// any order and disjoint ones at the same time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/split.hpp"

namespace ramify {

struct Stretch {
  std::size_t runs = 0;  // where the node begins in the runs
  std::size_t list = 0;  // and in the list
  std::size_t size = 0;
};

// The branch of every row of the node being split. Each worker has one; only the node's own rows are written.
class Branches {
 public:
  void set_side(std::uint32_t row, bool left) { left_[row] = left ? 1 : 0; }
  std::size_t left(std::uint32_t row) const { return left_[row]; }  // 1 or 0
  void set(std::uint32_t row, std::uint32_t branch) { numbers_[row] = branch; }
  std::uint32_t of(std::uint32_t row) const { return numbers_[row]; }

  // Two branches are kept as bytes, more as numbers.
  void prepare(std::size_t rows, bool two) {
    if (two) {
      left_.resize(rows);
    } else {
      numbers_.resize(rows);
    }
  }

 private:
  std::vector<std::uint8_t> left_;
  std::vector<std::uint32_t> numbers_;
};

class Rows {
 public:
  Rows(Columns& columns, const Labels& labels);

  Stretch all() const { return {0, 0, columns_.rows()}; }
  const Entry* run(const Stretch& node, std::size_t slot) const { return columns_.run(slot) + node.runs; }
  const std::uint32_t* list(const Stretch& node) const { return list_.data() + node.list; }
  const Columns& columns() const { return columns_; }

  // Notes the branch of each of the node's rows.
  void mark(const Stretch& node, const Split& split, Branches& branches) const;

  // Where the branches go. The runs keep only those that are `alive`; the list keeps all.
  static std::vector<Stretch> place(const Stretch& node, const Split& split, const std::vector<char>& alive);

  // Rearranges one run, or the list. To be called once for each; they don't depend on each other.
  void part_run(const Stretch& node, const Split& split, const std::vector<char>& alive, const Branches& branches,
                std::size_t slot, std::vector<Entry>& scratch);
  void part_list(const Stretch& node, const Split& split, const Branches& branches,
                 std::vector<std::uint32_t>& scratch);

 private:
  Columns& columns_;
  Tags tags_;
  std::vector<std::uint32_t> list_;
};

}  // namespace ramify
