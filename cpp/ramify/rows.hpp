// The rows of a growing tree: every node's are a stretch of each run and, where there are dense columns, of a
// list of tags.
//
// Where a row is in one node only, a split rearranges the node's own stretches and touches nothing else, so nodes
// may be split in any order and disjoint ones at the same time. Where entries carry weights, a case whose value is
// missing goes down several branches; there every node owns its rows, and a split copies them to the children.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ramify/columns.hpp"
#include "ramify/large_array.hpp"
#include "ramify/parting.hpp"
#include "ramify/split.hpp"

namespace ramify {

// The rows of one node, with weights: its runs one after the other, then its list.
class WeightedRows {
 public:
  WeightedRows(std::size_t arrays, std::size_t size)
      : size_(size), entries_(std::make_unique_for_overwrite<WeightedEntry[]>(arrays * size)) {}

  WeightedEntry* array(std::size_t i) { return entries_.get() + i * size_; }
  const WeightedEntry* array(std::size_t i) const { return entries_.get() + i * size_; }

 private:
  std::size_t size_;
  std::unique_ptr<WeightedEntry[]> entries_;
};

// The same without weights: the runs, then the list as bare tags. Each has more room than it needs, so that loops
// may write before they know whether to keep.
class PlainRows {
 public:
  PlainRows(std::size_t runs, bool with_list, std::size_t size, PageStock& stock)
      : size_(size),
        stride_(size + kPartingRoom),
        runs_(runs * stride_, &stock),
        list_(with_list ? std::make_unique_for_overwrite<std::uint32_t[]>(stride_) : nullptr) {}

  std::size_t size() const { return size_; }
  Entry* run(std::size_t slot) { return runs_.get() + slot * stride_; }
  const Entry* run(std::size_t slot) const { return runs_.get() + slot * stride_; }
  std::uint32_t* list() { return list_.get(); }
  const std::uint32_t* list() const { return list_.get(); }

 private:
  std::size_t size_;
  std::size_t stride_;
  LargeArray<Entry> runs_;
  std::unique_ptr<std::uint32_t[]> list_;
};

// Some of all rows, a bit each.
class RowSet {
 public:
  explicit RowSet(std::size_t rows = 0) : bits_((rows + 63) / 64, 0) {}

  void add(std::uint32_t row) { bits_[row / 64] |= std::uint64_t{1} << (row % 64); }
  std::size_t has(std::uint32_t row) const { return (bits_[row / 64] >> (row % 64)) & 1; }  // 1 or 0
  bool none() const { return bits_.empty(); }

 private:
  std::vector<std::uint64_t> bits_;
};

struct Stretch {
  std::size_t runs = 0;  // where the node begins in the runs
  std::size_t list = 0;  // and in the list
  std::size_t size = 0;
  // Or the node's own rows.
  WeightedRows* own = nullptr;
  PlainRows* plain = nullptr;
};

// The branch of every row of the node being split. Each worker has one; only the node's own rows are written.
class Branches {
 public:
  // A row that goes down every branch in part.
  static constexpr std::uint32_t kAll = 0xFFFFFFFFu;

  // Of two branches, the side that the first is on, or the second, or that the row is in neither.
  void set_side(std::uint32_t row, std::uint8_t side) { sides_[row] = side; }
  std::uint8_t side(std::uint32_t row) const { return sides_[row]; }
  const std::uint8_t* sides() const { return sides_.data(); }
  void set(std::uint32_t row, std::uint32_t branch) { numbers_[row] = branch; }
  std::uint32_t of(std::uint32_t row) const { return numbers_[row]; }

  // Two branches are kept as bytes, more as numbers.
  void prepare(std::size_t rows, bool two) {
    if (two) {
      sides_.resize(rows);
    } else {
      numbers_.resize(rows);
    }
  }

 private:
  std::vector<std::uint8_t> sides_;
  std::vector<std::uint32_t> numbers_;
};

class Rows {
 public:
  // Rows of which every node is a stretch.
  Rows(Columns& columns, const Labels& labels);
  // Rows of nodes that own theirs; the columns stay as they are.
  Rows(const Columns& columns, const Labels& labels);

  Stretch all() const { return {0, 0, columns_.rows(), nullptr, nullptr}; }
  // The root's own rows, where entries carry weights: all, or those chosen by a byte a row.
  std::unique_ptr<WeightedRows> make_weighted_root(const std::uint8_t* chosen = nullptr) const;
  // Likewise where they carry none.
  std::unique_ptr<PlainRows> make_plain_root(const std::uint8_t* chosen) const;
  // Or the columns' own runs, as long as nothing rearranges them; not if the labels tag rows in another way than
  // those that the columns were made with.
  bool can_lend() const { return !weighted() && columns_.row_mask() == tags_.mask; }
  Stretch lend();
  std::unique_ptr<PlainRows> copy(const Stretch& node) const;
  // Which rows a node has.
  RowSet note(const Stretch& node) const;
  // Where rows may be there in part: how many a node has of each class, and how many its branches will have, one
  // after the other. Else nothing.
  std::vector<std::size_t> count_classes(const Stretch& node) const;
  std::vector<std::size_t> count_classes(const Stretch& node, const Split& split, const Branches& branches) const;
  void give_up_runs() { columns_to_part_->give_up_runs(); }
  // Once no more plain rows will be made.
  void give_up_stock() { stock_.clear(); }
  bool weighted() const { return labels_.mode() == TagMode::weighted; }

  template <TagMode Mode>
  const typename TagReader<Mode>::RunEntry* run(const Stretch& node, std::size_t slot) const {
    if constexpr (Mode == TagMode::weighted) {
      return node.own->array(slot);
    } else {
      return (node.plain != nullptr ? node.plain->run(slot) : columns_.run(slot)) + node.runs;
    }
  }
  template <TagMode Mode>
  const typename TagReader<Mode>::ListItem* list(const Stretch& node) const {
    if constexpr (Mode == TagMode::weighted) {
      return node.own->array(columns_.n_runs());
    } else {
      return (node.plain != nullptr ? node.plain->list() : list_.data()) + node.list;
    }
  }
  const Columns& columns() const { return columns_; }

  // Notes the branch of each of the node's rows; with `some`, the node has these only, and the others no branch.
  void mark(const Stretch& node, const Split& split, Branches& branches, const RowSet* some = nullptr) const;

  // Where the branches go. The runs keep only those that are `alive`; the list keeps all.
  static std::vector<Stretch> place(const Stretch& node, const Split& split, const std::vector<char>& alive);
  // The same where nodes own their rows; null for branches that are not alive.
  std::vector<std::unique_ptr<WeightedRows>> make_children(const Split& split,
                                                           const std::vector<char>& alive) const;
  std::unique_ptr<WeightedRows> make_weighted(std::size_t size) const {
    return std::make_unique<WeightedRows>(n_arrays(), size);
  }
  std::unique_ptr<PlainRows> make_plain(std::size_t size) const {
    return std::make_unique<PlainRows>(columns_.n_runs(), columns_.n_dense() > 0, size, stock_);
  }

  // Rearranges one run, or the list. To be called once for each; they don't depend on each other.
  void part_run(const Stretch& node, const Split& split, const std::vector<char>& alive, const Branches& branches,
                std::size_t slot, std::vector<Entry>& scratch);
  void part_list(const Stretch& node, const Split& split, const Branches& branches,
                 std::vector<std::uint32_t>& scratch);
  // Which children will hold some row in part.
  std::vector<char> parted(const Stretch& node, const Split& split, const Branches& branches) const;
  // Copies one run (or, as array n_runs, the list) to the children that are there.
  void part_weighted(const Stretch& node, const Split& split, const Branches& branches, std::size_t array,
                     const std::vector<WeightedRows*>& children) const;
  // The same for plain rows, of which `some` may have no branch.
  void part_plain(const Stretch& node, const Split& split, const Branches& branches, std::size_t slot,
                  const std::vector<PlainRows*>& children, bool some) const;
  void part_plain_list(const Stretch& node, const Branches& branches, const std::vector<PlainRows*>& children,
                       bool some) const;

 private:
  // Whether a split is a cut of this run.
  bool cuts_run(const Split& split, std::size_t slot) const {
    const Column& column = columns_[split.column];
    return split.kind == SplitKind::threshold && !column.dense && column.slot == slot;
  }
  // Where a run, or the list, of a node begins that is to be rearranged in place.
  Entry* run_to_part(const Stretch& node, std::size_t slot) {
    return (node.plain != nullptr ? node.plain->run(slot) : columns_to_part_->run(slot)) + node.runs;
  }
  std::uint32_t* list_to_part(const Stretch& node) {
    return (node.plain != nullptr ? node.plain->list() : list_.data()) + node.list;
  }
  template <class Keep>
  std::unique_ptr<PlainRows> copy_some(const Stretch& from, std::size_t size, Keep&& keep) const;
  void fill_list();
  std::size_t n_arrays() const { return columns_.n_runs() + (columns_.n_dense() > 0 ? 1 : 0); }

  const Columns& columns_;
  Columns* columns_to_part_ = nullptr;  // null if nodes own their rows
  const Labels& labels_;
  Tags tags_;
  std::vector<std::uint32_t> list_;
  mutable PageStock stock_;  // of plain rows
};

}  // namespace ramify
