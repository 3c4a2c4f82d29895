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

Rows::Rows(const Columns& columns, const Labels& labels)
    : columns_(columns), labels_(labels), tags_(labels.tags()) {}

Rows::Rows(Columns& columns, const Labels& labels)
    : columns_(columns), columns_to_part_(&columns), labels_(labels), tags_(labels.tags()) {
  if (columns.n_dense() == 0 || weighted()) return;
  list_.resize(columns.rows());
  for (std::size_t row = 0; row < columns.rows(); ++row) list_[row] = labels.tag(row);
}

std::unique_ptr<WeightedRows> Rows::make_weighted_root(const std::uint8_t* chosen) const {
  std::unique_ptr<WeightedRows> root = make_weighted(labels_.counted());
  for (std::size_t slot = 0; slot < columns_.n_runs(); ++slot) {
    const Entry* from = columns_.run(slot);
    WeightedEntry* to = root->array(slot);
    for (std::size_t i = 0; i < columns_.rows(); ++i) {
      const std::uint32_t row = from[i].tag & columns_.row_mask();
      if (chosen == nullptr || chosen[row] != 0) *to++ = {from[i].code, labels_.tag(row), labels_.weight(row)};
    }
  }
  if (columns_.n_dense() > 0) {
    WeightedEntry* list = root->array(columns_.n_runs());
    for (std::size_t row = 0; row < columns_.rows(); ++row) {
      if (chosen == nullptr || chosen[row] != 0) *list++ = {0, labels_.tag(row), labels_.weight(row)};
    }
  }
  return root;
}

std::unique_ptr<PlainRows> Rows::make_plain_root(const std::uint8_t* chosen) const {
  std::unique_ptr<PlainRows> root = make_plain(labels_.counted());
  const auto keep = [&](std::uint32_t row) { return chosen == nullptr ? std::size_t{1} : chosen[row]; };
  // The labels may tag rows in another way than those that the runs were made with.
  const std::uint32_t mask = columns_.row_mask();
  const bool tagged = mask == tags_.mask;
  for (std::size_t slot = 0; slot < columns_.n_runs(); ++slot) {
    const Entry* from = columns_.run(slot);
    Entry* to = root->run(slot);
    for (std::size_t i = 0; i < columns_.rows(); ++i) {
      const std::uint32_t row = from[i].tag & mask;
      *to = {from[i].code, tagged ? from[i].tag : labels_.tag(row)};
      to += keep(row);
    }
  }
  if (columns_.n_dense() == 0) return root;
  std::uint32_t* list = root->list();
  for (std::uint32_t row = 0; row < columns_.rows(); ++row) {
    *list = labels_.tag(row);
    list += keep(row);
  }
  return root;
}

void Rows::mark(const Stretch& node, const Split& split, Branches& branches) const {
  const Column& column = columns_[split.column];
  const bool two = split.n_branches == 2 && !weighted();
  const std::uint32_t missing = column.missing_code();
  branches.prepare(columns_.rows(), two);
  const auto note = [&](std::uint32_t row, std::uint32_t code) {
    const std::uint32_t branch =
        code == missing ? (split.missing_route == kEveryBranch ? Branches::kAll
                                                               : static_cast<std::uint32_t>(split.missing_route))
                        : split.branch_of(code);
    if (two) {
      branches.set_side(row, branch == 0);
    } else {
      branches.set(row, branch);
    }
  };
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{tags_};
    if (column.dense) {
      const std::uint8_t* codes = columns_.dense(column.slot);
      const auto* item = list<Mode>(node);
      for (std::size_t i = 0; i < node.size; ++i) {
        const std::uint32_t row = reader.row(item[i]);
        note(row, codes[row]);
      }
    } else {
      const auto* entry = run<Mode>(node, column.slot);
      for (std::size_t i = 0; i < node.size; ++i) note(reader.row(entry[i]), entry[i].code);
    }
  });
}

std::vector<Stretch> Rows::place(const Stretch& node, const Split& split, const std::vector<char>& alive) {
  std::vector<Stretch> children(split.n_branches);
  Stretch next = node;
  for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
    children[branch] = {next.runs, next.list, split.rows[branch], nullptr, node.plain};
    if (alive[branch] != 0) next.runs += split.rows[branch];
    next.list += split.rows[branch];
  }
  return children;
}

void Rows::part_run(const Stretch& node, const Split& split, const std::vector<char>& alive,
                    const Branches& branches, std::size_t slot, std::vector<Entry>& scratch) {
  Entry* entries = run_to_part(node, slot);
  const std::uint32_t mask = tags_.mask;
  if (split.n_branches != 2) {
    part_in_many(entries, node.size, starts(split, &alive), scratch,
                 [&](const Entry& entry) { return branches.of(entry.tag & mask); });
    return;
  }
  const auto goes_left = [&](const Entry& entry) { return branches.left(entry.tag & mask); };
  if (alive[0] != 0 && alive[1] != 0) {
    const Column& column = columns_[split.column];
    const bool cut_here = split.kind == SplitKind::threshold && !column.dense && column.slot == slot;
    // The run that was cut has its left branch in front already, unless missing values, which are last, go left.
    if (cut_here && !(column.has_missing && split.missing_route == 0)) return;
    part_in_two(entries, node.size, scratch, goes_left);
  } else if (alive[0] != 0) {
    keep_some(entries, node.size, goes_left);
  } else if (alive[1] != 0) {
    keep_some(entries, node.size, [&](const Entry& entry) { return 1 - goes_left(entry); });
  }
}

void Rows::part_list(const Stretch& node, const Split& split, const Branches& branches,
                     std::vector<std::uint32_t>& scratch) {
  std::uint32_t* tags = list_to_part(node);
  if (split.n_branches == 2) {
    part_in_two(tags, node.size, scratch, [&](std::uint32_t tag) { return branches.left(tags_.row(tag)); });
  } else {
    part_in_many(tags, node.size, starts(split, nullptr), scratch,
                 [&](std::uint32_t tag) { return branches.of(tags_.row(tag)); });
  }
}

std::vector<std::unique_ptr<WeightedRows>> Rows::make_children(const Split& split,
                                                               const std::vector<char>& alive) const {
  std::vector<std::unique_ptr<WeightedRows>> children(split.n_branches);
  for (std::size_t branch = 0; branch < split.n_branches; ++branch) {
    if (alive[branch] != 0) children[branch] = make_weighted(split.rows_in(branch));
  }
  return children;
}

void Rows::part_weighted(const Stretch& node, const Split& split, const Branches& branches, std::size_t array,
                         const std::vector<WeightedRows*>& children) const {
  std::vector<WeightedEntry*> out(children.size(), nullptr);
  for (std::size_t branch = 0; branch < children.size(); ++branch) {
    if (children[branch] != nullptr) out[branch] = children[branch]->array(array);
  }
  const WeightedEntry* entries = node.own->array(array);
  for (std::size_t i = 0; i < node.size; ++i) {
    const WeightedEntry& entry = entries[i];
    const std::uint32_t branch = branches.of(entry.tag & tags_.mask);
    if (branch != Branches::kAll) {
      if (out[branch] != nullptr) *out[branch]++ = entry;
      continue;
    }
    for (std::size_t b = 0; b < out.size(); ++b) {
      if (out[b] != nullptr && split.shares[b] > 0.0) {
        *out[b]++ = {entry.code, entry.tag, entry.weight * split.shares[b]};
      }
    }
  }
}

namespace {

// Copies items, stably, to two branches of which one may not be there, without a branch of the program in the
// loop.
template <class Item, class Left>
void copy_to_two(const Item* items, std::size_t size, Item* first, Item* second, Left&& left) {
  if (first != nullptr && second != nullptr) {
    for (std::size_t i = 0; i < size; ++i) {
      const Item item = items[i];
      const std::size_t to_left = left(item);
      *first = item;
      *second = item;
      first += to_left;
      second += 1 - to_left;
    }
  } else {
    Item* only = first != nullptr ? first : second;
    const std::size_t other = first != nullptr ? 0 : 1;
    for (std::size_t i = 0; i < size; ++i) {
      const Item item = items[i];
      *only = item;
      only += left(item) ^ other;
    }
  }
}

// Copies items to the branches that are there; array(child) is where a child has them.
template <class Item, class Row, class Array>
void copy_to_children(const Item* items, std::size_t size, const Branches& branches,
                      const std::vector<PlainRows*>& children, Row&& row, Array&& array) {
  const auto place = [&](PlainRows* child) { return child == nullptr ? nullptr : array(child); };
  if (children.size() == 2) {
    return copy_to_two(items, size, place(children[0]), place(children[1]),
                       [&](const Item& item) { return branches.left(row(item)); });
  }
  std::vector<Item*> out;
  for (PlainRows* child : children) out.push_back(place(child));
  for (std::size_t i = 0; i < size; ++i) {
    Item*& to = out[branches.of(row(items[i]))];
    if (to != nullptr) *to++ = items[i];
  }
}

}  // namespace

void Rows::part_plain(const Stretch& node, const Split& split, const Branches& branches, std::size_t slot,
                      const std::vector<PlainRows*>& children) const {
  const Entry* entries = run<TagMode::packed>(node, slot);
  const Column& column = columns_[split.column];
  if (split.kind == SplitKind::threshold && !column.dense && column.slot == slot && !column.has_missing) {
    // The run that was cut is in order already.
    if (children[0] != nullptr) std::copy(entries, entries + split.rows[0], children[0]->run(slot));
    if (children[1] != nullptr) std::copy(entries + split.rows[0], entries + node.size, children[1]->run(slot));
    return;
  }
  const std::uint32_t mask = tags_.mask;
  copy_to_children(
      entries, node.size, branches, children, [mask](const Entry& entry) { return entry.tag & mask; },
      [slot](PlainRows* child) { return child->run(slot); });
}

void Rows::part_plain_list(const Stretch& node, const Branches& branches,
                           const std::vector<PlainRows*>& children) const {
  const std::uint32_t mask = tags_.mask;
  const std::uint32_t* list = this->list<TagMode::packed>(node);
  copy_to_children(
      list, node.size, branches, children, [mask](std::uint32_t tag) { return tag & mask; },
      [](PlainRows* child) { return child->list(); });
}

std::vector<char> Rows::parted(const Stretch& node, const Split& split, const Branches& branches) const {
  std::vector<char> parts(split.n_branches, split.unknown_rows > 0 ? 1 : 0);
  if (split.unknown_rows > 0 || !labels_.in_parts()) return parts;
  const WeightedEntry* entries = node.own->array(0);
  for (std::size_t i = 0; i < node.size; ++i) {
    const std::uint32_t row = tags_.row(entries[i].tag);
    if (entries[i].weight < labels_.weight(row)) parts[branches.of(row)] = 1;
  }
  return parts;
}

}  // namespace ramify
