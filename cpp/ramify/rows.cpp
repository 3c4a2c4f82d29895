#include "ramify/rows.hpp"

#include <algorithm>

namespace ramify {

namespace {

// Bare tags are in no order, so that no value starts anywhere.
template <class Item>
std::uint32_t start_bit(const Tags& tags) {
  return std::is_same_v<Item, Entry> ? tags.start : 0;
}

// Items go to the places from `next` on, by branch; branches with kNowhere are dropped.
constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

template <class Item>
void part_in_many(Item* items, std::size_t size, std::vector<std::size_t> next, const Tags& tags,
                  const Branches& branches, std::vector<Item>& scratch) {
  if (scratch.size() < size) scratch.resize(size);
  Starts starts(next.size(), start_bit<Item>(tags));
  std::size_t kept = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t tag = TagReader<TagMode::packed>::tag_of(items[i]);
    const std::uint32_t branch = branches.of(tags.row(tag));
    starts.pass(tag);
    if (next[branch] == kNowhere) continue;
    scratch[next[branch]++] = {tag | starts.take(branch)};
    ++kept;
  }
  std::copy(scratch.data(), scratch.data() + kept, items);
}

// Where the branches that are alive begin, one behind the other.
std::vector<std::size_t> places(const Split& split, const std::vector<char>* alive) {
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
  if (!weighted()) fill_list();
}

void Rows::fill_list() {
  if (columns_.n_dense() == 0) return;
  list_.resize(columns_.rows());
  for (std::size_t row = 0; row < columns_.rows(); ++row) list_[row] = labels_.tag(row);
}

std::unique_ptr<WeightedRows> Rows::make_weighted_root(const std::uint8_t* chosen) const {
  std::unique_ptr<WeightedRows> root = make_weighted(labels_.counted());
  for (std::size_t slot = 0; slot < columns_.n_runs(); ++slot) {
    const Entry* from = columns_.run(slot);
    WeightedEntry* to = root->array(slot);
    bool starts = false;
    for (std::size_t i = 0; i < columns_.rows(); ++i) {
      const std::uint32_t row = from[i].tag & columns_.row_mask();
      starts = starts || (from[i].tag & columns_.start_bit()) != 0;
      if (chosen != nullptr && chosen[row] == 0) continue;
      *to++ = {labels_.tag(row) | (starts ? tags_.start : 0), labels_.weight(row)};
      starts = false;
    }
  }
  if (columns_.n_dense() > 0) {
    WeightedEntry* list = root->array(columns_.n_runs());
    for (std::size_t row = 0; row < columns_.rows(); ++row) {
      if (chosen == nullptr || chosen[row] != 0) *list++ = {labels_.tag(row), labels_.weight(row)};
    }
  }
  return root;
}

template <class Keep>
std::unique_ptr<PlainRows> Rows::copy_some(const Stretch& from, std::size_t size, Keep&& keep) const {
  std::unique_ptr<PlainRows> copy = make_plain(size);
  // The labels may tag rows in another way than those that the columns' runs were made with.
  const std::uint32_t mask = from.plain == nullptr ? columns_.row_mask() : tags_.mask;
  const std::uint32_t start = from.plain == nullptr ? columns_.start_bit() : tags_.start;
  const bool tagged = mask == tags_.mask;
  for (std::size_t slot = 0; slot < columns_.n_runs(); ++slot) {
    const Entry* entries = run<TagMode::packed>(from, slot);
    Entry* to = copy->run(slot);
    std::uint32_t pending = 0;  // the bit of starts, if a value has started since the last row that was kept
    for (std::size_t i = 0; i < from.size; ++i) {
      const std::uint32_t row = entries[i].tag & mask;
      pending = (entries[i].tag & start) != 0 ? tags_.start : pending;
      to->tag = (tagged ? entries[i].tag : labels_.tag(row)) | pending;
      const std::size_t kept = keep(row);
      to += kept;
      pending = kept != 0 ? 0 : pending;
    }
  }
  if (columns_.n_dense() == 0) return copy;
  std::uint32_t* to = copy->list();
  for (std::uint32_t i = 0; i < from.size; ++i) {
    const std::uint32_t tag = from.plain == nullptr ? labels_.tag(i) : from.plain->list()[from.list + i];
    *to = tag;
    to += keep(tags_.row(tag));
  }
  return copy;
}

std::unique_ptr<PlainRows> Rows::make_plain_root(const std::uint8_t* chosen) const {
  if (chosen == nullptr) return copy(all());
  return copy_some(all(), labels_.counted(), [chosen](std::uint32_t row) { return std::size_t{chosen[row]}; });
}

std::unique_ptr<PlainRows> Rows::copy(const Stretch& node) const {
  return copy_some(node, node.size, [](std::uint32_t) { return std::size_t{1}; });
}

Stretch Rows::lend() {
  if (list_.empty()) fill_list();
  return all();
}

RowSet Rows::note(const Stretch& node) const {
  RowSet rows(columns_.rows());
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{tags_};
    const auto add = [&](const auto* items) {
      for (std::size_t i = 0; i < node.size; ++i) rows.add(reader.row(items[i]));
    };
    if (columns_.n_runs() > 0) {
      add(run<Mode>(node, 0));
    } else {
      add(list<Mode>(node));
    }
  });
  return rows;
}

std::vector<std::size_t> Rows::count_classes(const Stretch& node) const {
  if (!labels_.in_parts()) return {};
  std::vector<std::size_t> counts(labels_.n_classes(), 0);
  const TagReader<TagMode::weighted> reader{tags_};
  for (std::size_t i = 0; i < node.size; ++i) ++counts[reader.cls(node.own->array(0)[i])];
  return counts;
}

std::vector<std::size_t> Rows::count_classes(const Stretch& node, const Split& split,
                                             const Branches& branches) const {
  if (!labels_.in_parts()) return {};
  const std::size_t classes = labels_.n_classes();
  std::vector<std::size_t> counts(split.n_branches * classes, 0);
  const TagReader<TagMode::weighted> reader{tags_};
  const WeightedEntry* const entries = node.own->array(0);
  for (std::size_t i = 0; i < node.size; ++i) {
    const std::uint32_t cls = reader.cls(entries[i]);
    const std::uint32_t branch = branches.of(reader.row(entries[i]));
    if (branch != Branches::kAll) {
      ++counts[branch * classes + cls];
      continue;
    }
    for (std::size_t b = 0; b < split.n_branches; ++b) counts[b * classes + cls] += split.shares[b] > 0.0 ? 1 : 0;
  }
  return counts;
}

void Rows::mark(const Stretch& node, const Split& split, Branches& branches, const RowSet* some) const {
  const bool two = split.n_branches == 2 && !weighted();
  branches.prepare(columns_.rows(), two);
  const auto note = [&](std::uint32_t row, std::uint32_t branch) {
    if (two) {
      branches.set_side(row, branch == 0 ? kLeft : kRight);
    } else {
      branches.set(row, branch);
    }
  };
  const auto has = [&](std::uint32_t row) {
    if (some == nullptr || some->has(row) != 0) return true;
    if (two) {
      branches.set_side(row, kNeither);
    } else {
      branches.set(row, static_cast<std::uint32_t>(split.n_branches));
    }
    return false;
  };
  const Column& column = columns_[split.column];
  const std::uint32_t of_missing =
      split.missing_route == kEveryBranch ? Branches::kAll : static_cast<std::uint32_t>(split.missing_route);
  with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
    const TagReader<Mode> reader{tags_};
    const auto note_by_code = [&](const auto* items, auto&& code_of) {
      const std::uint32_t missing = column.missing_code();
      for (std::size_t i = 0; i < node.size; ++i) {
        const std::uint32_t row = reader.row(items[i]);
        if (!has(row)) continue;
        const std::uint32_t code = code_of(row);
        note(row, code == missing ? of_missing : split.branch_of(code));
      }
    };
    if (column.dense) {
      columns_.with_codes(column, [&](const auto* codes) {
        note_by_code(list<Mode>(node), [codes](std::uint32_t row) { return std::uint32_t{codes[row]}; });
      });
      return;
    }
    const auto* entries = run<Mode>(node, column.slot);
    if (column.nominal) {
      return note_by_code(entries, [&](std::uint32_t row) { return column.category_code(row); });
    }
    // Numbers are in order: so many to the left, then all others, the missing ones last.
    std::size_t left = split.kind == SplitKind::known ? node.size : split.cut;
    const std::size_t known = known_entries(column, entries, node.size, reader);
    std::size_t i = 0;
    for (; i < known && left > 0; ++i) {
      const std::uint32_t row = reader.row(entries[i]);
      if (!has(row)) continue;
      note(row, 0);
      --left;
    }
    for (; i < node.size; ++i) {
      const std::uint32_t row = reader.row(entries[i]);
      if (has(row)) note(row, i < known ? 1 : of_missing);
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
  if (split.n_branches != 2) {
    return part_in_many(entries, node.size, places(split, &alive), tags_, branches, scratch);
  }
  if (alive[0] != 0 && alive[1] != 0) {
    // The run that was cut has its left branch in front already, unless missing values, which are last, go left.
    const bool has_moved = columns_[split.column].has_missing && split.missing_route == 0;
    if (!cuts_run(split, slot) || has_moved) {
      ramify::part_in_place(entries, node.size, tags_, branches.sides(), scratch);
    }
  } else if (alive[0] != 0) {
    part_to(entries, node.size, tags_, branches.sides(), {entries, nullptr});
  } else if (alive[1] != 0) {
    part_to(entries, node.size, tags_, branches.sides(), {nullptr, entries});
  }
}

void Rows::part_list(const Stretch& node, const Split& split, const Branches& branches,
                     std::vector<std::uint32_t>& scratch) {
  std::uint32_t* tags = list_to_part(node);
  if (split.n_branches == 2) {
    ramify::part_in_place(tags, node.size, tags_, branches.sides(), scratch);
  } else {
    part_in_many(tags, node.size, places(split, nullptr), tags_, branches, scratch);
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
  Starts starts(out.size(), array < columns_.n_runs() ? tags_.start : 0);
  for (std::size_t i = 0; i < node.size; ++i) {
    const WeightedEntry& entry = entries[i];
    const std::uint32_t branch = branches.of(tags_.row(entry.tag));
    starts.pass(entry.tag);
    if (branch != Branches::kAll) {
      if (out[branch] != nullptr) *out[branch]++ = {entry.tag | starts.take(branch), entry.weight};
      continue;
    }
    for (std::size_t b = 0; b < out.size(); ++b) {
      if (out[b] != nullptr && split.shares[b] > 0.0) {
        *out[b]++ = {entry.tag | starts.take(b), entry.weight * split.shares[b]};
      }
    }
  }
}

namespace {

// Copies items to the branches that are there; array(child) is where a child has them.
template <class Item, class Array>
void copy_to_children(const Item* items, std::size_t size, const Tags& tags, const Branches& branches, bool some,
                      const std::vector<PlainRows*>& children, Array&& array) {
  std::vector<Item*> out;
  for (PlainRows* child : children) out.push_back(child == nullptr ? nullptr : array(child));
  if (out.size() == 2) {
    const Ends<Item> to{out[0], out[1]};
    some ? part_some_to(items, size, tags, branches.sides(), to)
         : part_to(items, size, tags, branches.sides(), to);
    return;
  }
  out.push_back(nullptr);  // for rows without a branch
  Starts starts(out.size(), start_bit<Item>(tags));
  for (std::size_t i = 0; i < size; ++i) {
    const std::uint32_t tag = TagReader<TagMode::packed>::tag_of(items[i]);
    const std::uint32_t branch = branches.of(tags.row(tag));
    starts.pass(tag);
    if (out[branch] != nullptr) *out[branch]++ = {tag | starts.take(branch)};
  }
}

}  // namespace

void Rows::part_plain(const Stretch& node, const Split& split, const Branches& branches, std::size_t slot,
                      const std::vector<PlainRows*>& children, bool some) const {
  const Entry* entries = run<TagMode::packed>(node, slot);
  if (!some && cuts_run(split, slot) && !columns_[split.column].has_missing) {
    // It is in order already.
    if (children[0] != nullptr) std::copy(entries, entries + split.rows[0], children[0]->run(slot));
    if (children[1] != nullptr) std::copy(entries + split.rows[0], entries + node.size, children[1]->run(slot));
    return;
  }
  copy_to_children(entries, node.size, tags_, branches, some, children,
                   [slot](PlainRows* child) { return child->run(slot); });
}

void Rows::part_plain_list(const Stretch& node, const Branches& branches, const std::vector<PlainRows*>& children,
                           bool some) const {
  copy_to_children(list<TagMode::packed>(node), node.size, tags_, branches, some, children,
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
