#include "ramify/rows.hpp"

#include <algorithm>

namespace ramify {

namespace {

// Stable, without a branch in the loop: every item is written to both sides and one of them advances.
template <class Item, class GoesLeft>
void part_in_two(Item* items, std::size_t size, std::vector<Item>& scratch, GoesLeft&& goes_left) {
  if (scratch.size() < size + 1) scratch.resize(size + 1);
  Item* left = items;
  Item* right = scratch.data();
  for (std::size_t i = 0; i < size; ++i) {
    const Item item = items[i];
    const std::size_t to_left = goes_left(item);
    *left = item;
    *right = item;
    left += to_left;
    right += 1 - to_left;
  }
  std::copy(scratch.data(), right, left);
}

template <class Item, class Keep>
void keep_some(Item* items, std::size_t size, Keep&& keep) {
  Item* out = items;
  for (std::size_t i = 0; i < size; ++i) {
    const Item item = items[i];
    *out = item;
    out += keep(item);
  }
}

// Items go to the places from `next` on, by branch; branches with kNowhere are dropped.
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

template <class Item, class BranchOf>
void part_in_many(Item* items, std::size_t size, std::vector<std::size_t> next, std::vector<Item>& scratch,
                  BranchOf&& branch_of) {
  if (scratch.size() < size) scratch.resize(size);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    std::size_t& place = next[branch_of(items[i])];
    if (place == kNowhere) continue;
    scratch[place++] = items[i];
    ++kept;
  }
  std::copy(scratch.data(), scratch.data() + kept, items);
}

std::vector<std::size_t> starts(const Split& split, const std::vector<char>* alive) {
  std::vector<std::size_t> next(split.n_branches, kNowhere);
  std::size_t start = 0;
  for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
    if (alive != nullptr && (*alive)[branch] == 0) continue;
    next[branch] = start;
    start += split.rows[branch];
  }
  return next;
}

}  // namespace

Rows::Rows(Columns& columns, const Labels& labels) : columns_(columns), tags_(labels.tags()) {
  if (columns.n_dense() == 0) return;
  list_.resize(columns.rows());
  for (std::size_t row = 0; row < columns.rows(); ++row) list_[row] = labels.tag(row);
}

void Rows::mark(const Stretch& node, const Split& split, Branches& branches) const {
  const Column& column = columns_[split.column];
  const bool two = split.n_branches == 2;
  branches.prepare(columns_.rows(), two);
  const auto note = [&](std::uint32_t row, std::uint32_t branch) {
    if (two) {
      branches.set_side(row, branch == 0);
    } else {
      branches.set(row, branch);
    }
  };
  if (column.dense) {
    const std::uint8_t* codes = columns_.dense(column.slot);
    const std::uint32_t* tag = list(node);
    for (std::size_t i = 0; i < node.size; ++i) {
      const std::uint32_t row = tags_.row(tag[i]);
      note(row, split.branch_of(codes[row]));
    }
  } else {
    const Entry* entry = run(node, column.slot);
    for (std::size_t i = 0; i < node.size; ++i) {
      note(tags_.row(entry[i].tag), split.branch_of(entry[i].code));
    }
  }
}

std::vector<Stretch> Rows::place(const Stretch& node, const Split& split, const std::vector<char>& alive) {
  std::vector<Stretch> children(split.n_branches);
  Stretch next = node;
  for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
    children[branch] = {next.runs, next.list, split.rows[branch]};
    if (alive[branch] != 0) next.runs += split.rows[branch];
    next.list += split.rows[branch];
  }
  return children;
}

void Rows::part_run(const Stretch& node, const Split& split, const std::vector<char>& alive,
                    const Branches& branches, std::size_t slot, std::vector<Entry>& scratch) {
  Entry* entries = columns_.run(slot) + node.runs;
  const std::uint32_t mask = tags_.mask;
  if (split.n_branches != 2) {
    part_in_many(entries, node.size, starts(split, &alive), scratch,
                 [&](const Entry& entry) { return branches.of(entry.tag & mask); });
    return;
  }
  const auto goes_left = [&](const Entry& entry) { return branches.left(entry.tag & mask); };
  if (alive[0] != 0 && alive[1] != 0) {
    const Column& column = columns_[split.column];
    const bool in_order = split.kind == SplitKind::threshold && !column.dense && column.slot == slot;
    if (in_order) return;  // the run that was cut has its left branch in front already
    part_in_two(entries, node.size, scratch, goes_left);
  } else if (alive[0] != 0) {
    keep_some(entries, node.size, goes_left);
  } else if (alive[1] != 0) {
    keep_some(entries, node.size, [&](const Entry& entry) { return 1 - goes_left(entry); });
  }
}

void Rows::part_list(const Stretch& node, const Split& split, const Branches& branches,
                     std::vector<std::uint32_t>& scratch) {
  std::uint32_t* tags = list_.data() + node.list;
  if (split.n_branches == 2) {
    part_in_two(tags, node.size, scratch, [&](std::uint32_t tag) { return branches.left(tags_.row(tag)); });
  } else {
    part_in_many(tags, node.size, starts(split, nullptr), scratch,
                 [&](std::uint32_t tag) { return branches.of(tags_.row(tag)); });
  }
}

}  // namespace ramify
