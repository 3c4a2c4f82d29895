#include "ramify/frontier.hpp"

#include <algorithm>
#include <stdexcept>

namespace ramify {

CellLayout::CellLayout(const std::vector<Coding>& codings, std::size_t n_classes, bool unit_weights)
    : lanes(n_classes + (unit_weights ? 0 : 1)), begin{0} {
  for (const Coding& coding : codings) begin.push_back(begin.back() + coding.n_dense_codes() * lanes);
}

Frontier::Frontier(const Tree& tree, const std::vector<Coding>& codings, const std::vector<std::int32_t>& nodes)
    : n_slots_(nodes.size()), steps_(tree.size()), routes_(tree.routes) {
  for (std::size_t node = 0; node < tree.size(); ++node) {
    Step& step = steps_[node];
    if (tree.n_children[node] == 0) continue;
    step.first_child = tree.first_child[node];
    step.column = static_cast<std::uint32_t>(tree.column[node]);
    const Coding& coding = codings[step.column];
    step.missing = coding.n_codes;
    step.missing_route = tree.missing_route[node];
    switch (static_cast<SplitKind>(tree.kind[node])) {
      case SplitKind::threshold:
        step.cut = coding.last_code_up_to(tree.threshold[node]);
        break;
      case SplitKind::known:
        step.cut = coding.n_codes;
        break;
      default:
        step.routes = tree.routes_begin[node];
    }
  }
  for (std::size_t slot = 0; slot < nodes.size(); ++slot) {
    steps_[static_cast<std::size_t>(nodes[slot])].slot = static_cast<std::int32_t>(slot);
  }
}

std::int32_t Frontier::slot_of(const CodedRows& rows, std::size_t row) const {
  const Step* step = steps_.data();
  while (step->first_child >= 0) {
    const std::uint32_t code = rows.code(step->column, row);
    std::int32_t branch;
    if (code >= step->missing) {
      branch = step->missing_route;
    } else if (step->routes < 0) {
      branch = code > step->cut ? 1 : 0;
    } else {
      branch = routes_[static_cast<std::size_t>(step->routes) + code];
    }
    if (branch < 0) return kNoSlot;
    step = steps_.data() + step->first_child + branch;
  }
  return step->slot;
}

std::vector<std::int32_t> Frontier::slots(const CodedRows& rows, Pool& pool) const {
  constexpr std::size_t kBlock = 1 << 14;
  std::vector<std::int32_t> slots(rows.rows);
  pool.for_each((rows.rows + kBlock - 1) / kBlock, [&](std::size_t block, std::size_t) {
    const std::size_t end = std::min((block + 1) * kBlock, rows.rows);
    for (std::size_t row = block * kBlock; row < end; ++row) slots[row] = slot_of(rows, row);
  });
  return slots;
}

namespace {

// The rows that have a slot, slot by slot; those of slot i begin at starts[i].
struct RowsBySlot {
  std::vector<std::uint32_t> rows;
  std::vector<std::size_t> starts;

  RowsBySlot(const std::vector<std::int32_t>& slots, std::size_t n_slots) : starts(n_slots + 1, 0) {
    for (const std::int32_t slot : slots) {
      if (slot != kNoSlot) ++starts[static_cast<std::size_t>(slot) + 1];
    }
    for (std::size_t i = 0; i < n_slots; ++i) starts[i + 1] += starts[i];
    rows.resize(starts[n_slots]);
    std::vector<std::size_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t row = 0; row < slots.size(); ++row) {
      if (slots[row] != kNoSlot)
        rows[next[static_cast<std::size_t>(slots[row])]++] = static_cast<std::uint32_t>(row);
    }
  }
};

template <class Cell, class Code>
void count_column(const CodedRows& rows, const std::uint32_t* first, const std::uint32_t* last, const Code* codes,
                  std::size_t lanes, std::size_t n_classes, Cell* counts) {
  if (lanes == n_classes) {
    for (; first != last; ++first) counts[codes[*first] * lanes + rows.classes[*first]] += Cell{1};
    return;
  }
  for (; first != last; ++first) {
    Cell* const of = counts + codes[*first] * lanes;
    of[rows.classes[*first]] += static_cast<Cell>(rows.weight(*first));
    of[n_classes] += Cell{1};
  }
}

}  // namespace

template <class Cell>
void add_counts(const CodedRows& rows, const std::vector<std::int32_t>& slots, std::size_t n_slots,
                const CellLayout& layout, std::size_t n_classes, Cell* counts, Pool& pool) {
  // Node by node, so that the counts that are written to stay at hand; each column by one worker alone.
  const RowsBySlot sorted(slots, n_slots);
  pool.for_each(rows.columns.size(), [&](std::size_t column, std::size_t) {
    const CodeArray& array = rows.columns[column];
    for (std::size_t slot = 0; slot < n_slots; ++slot) {
      const std::uint32_t* first = sorted.rows.data() + sorted.starts[slot];
      const std::uint32_t* last = sorted.rows.data() + sorted.starts[slot + 1];
      Cell* const of = counts + slot * layout.size() + layout.begin[column];
      if (array.wide) {
        count_column(rows, first, last, static_cast<const std::uint16_t*>(array.codes), layout.lanes, n_classes,
                     of);
      } else {
        count_column(rows, first, last, static_cast<const std::uint8_t*>(array.codes), layout.lanes, n_classes,
                     of);
      }
    }
  });
}

template void add_counts(const CodedRows&, const std::vector<std::int32_t>&, std::size_t, const CellLayout&,
                         std::size_t, std::int64_t*, Pool&);
template void add_counts(const CodedRows&, const std::vector<std::int32_t>&, std::size_t, const CellLayout&,
                         std::size_t, double*, Pool&);

FetchedRows::FetchedRows(const std::vector<Coding>& codings, const std::vector<std::size_t>& sizes,
                         bool weighted) {
  std::size_t rows = 0;
  for (const std::size_t size : sizes) {
    begin_.push_back(rows);
    rows += size;
    end_.push_back(rows);
  }
  next_ = begin_;
  for (const Coding& coding : codings) {
    wide_.push_back(is_wide(coding) ? 1 : 0);
    codes_.push_back(std::make_unique_for_overwrite<std::byte[]>(rows * (is_wide(coding) ? 2 : 1)));
  }
  classes_ = std::make_unique_for_overwrite<std::uint32_t[]>(rows);
  if (weighted) weights_ = std::make_unique_for_overwrite<double[]>(rows);
}

void FetchedRows::add(const CodedRows& rows, const std::int32_t* slots) {
  std::vector<std::pair<std::uint32_t, std::size_t>> places;  // of rows that have a slot
  for (std::size_t row = 0; row < rows.rows; ++row) {
    if (slots[row] == kNoSlot) continue;
    const auto slot = static_cast<std::size_t>(slots[row]);
    if (slot >= size() || next_[slot] == end_[slot]) {
      throw std::invalid_argument("a node has more rows than were counted: the data have changed");
    }
    places.emplace_back(static_cast<std::uint32_t>(row), next_[slot]++);
  }
  for (const auto& [row, place] : places) {
    classes_[place] = rows.classes[row];
    if (weights_) weights_[place] = rows.weight(row);
  }
  for (std::size_t column = 0; column < codes_.size(); ++column) {
    const auto copy = [&](const auto* from, auto* to) {
      for (const auto& [row, place] : places) to[place] = from[row];
    };
    const void* from = rows.columns[column].codes;
    std::byte* to = codes_[column].get();
    if (wide_[column] != 0) {
      copy(static_cast<const std::uint16_t*>(from), reinterpret_cast<std::uint16_t*>(to));
    } else {
      copy(static_cast<const std::uint8_t*>(from), reinterpret_cast<std::uint8_t*>(to));
    }
  }
}

CodedRows FetchedRows::of(std::size_t slot) const {
  CodedRows rows;
  const std::size_t begin = begin_[slot];
  rows.rows = end_[slot] - begin;
  for (std::size_t column = 0; column < codes_.size(); ++column) {
    const bool wide = wide_[column] != 0;
    rows.columns.push_back({codes_[column].get() + begin * (wide ? 2 : 1), wide});
  }
  rows.classes = classes_.get() + begin;
  rows.weights = weights_ ? weights_.get() + begin : nullptr;
  return rows;
}

}  // namespace ramify
