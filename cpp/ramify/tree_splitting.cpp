// How a node of a growing tree is searched and split.
#include <algorithm>

#include "ramify/tree_grower.hpp"

namespace ramify {

SearchedNode TreeGrower::view(const OpenNode& open) const {
  const GrowingNode& node = *open.node;
  SearchedNode view;
  view.rows = open.rows;
  view.totals = {node.counts, labels_.n_classes(), node.rows, node.weight, node.impurity};
  view.admission = rules_.admission(size_of(open));
  if (!open.histograms.empty()) view.histograms = open.histograms.data();
  view.spent = open.spent;
  if (!open.class_rows.empty()) view.class_rows = open.class_rows.data();
  view.wanted = rules_.wanted(open.depth, open.seed);
  return view;
}

void TreeGrower::prepare_search(GrowingWorker& self) const {
  self.views.clear();
  for (std::size_t i = 0; i < self.children.size(); ++i) {
    OpenNode& child = self.children[i];
    if (self.alive[i] == 0) {
      self.views.emplace_back();
      continue;
    }
    self.views.push_back(view(child));
    if (!at_once(child, self.views[i])) child.findings.resize(rows_.columns().size());
  }
}

void TreeGrower::search_column(GrowingWorker& self, std::size_t column, SearchBuffers& buffers) const {
  for (std::size_t i = 0; i < self.children.size(); ++i) {
    std::vector<Finding>& findings = self.children[i].findings;
    if (findings.empty() || !self.views[i].wants(column)) continue;
    findings[column] = search_.search_column(self.views[i], column, buffers);
  }
}

void TreeGrower::search_root(OpenNode& root, std::size_t worker) {
  if (keeps_histograms(root)) fill_histograms(root, worker);
  GrowingWorker& self = workers_[worker];
  self.children.clear();
  self.children.push_back(std::move(root));
  self.alive.assign(1, 1);
  prepare_search(self);
  for_each(self.children[0], worker, rows_.columns().size(),
           [&](std::size_t i, std::size_t by) { search_column(self, i, workers_[by].search); });
  root = std::move(self.children[0]);
}

std::optional<Split> TreeGrower::choose(OpenNode& open, std::size_t worker) {
  pool_.poll(worker);
  GrowingWorker& self = workers_[worker];
  const SearchedNode seen = view(open);
  std::span<Finding> findings = open.findings;
  if (at_once(open, seen)) {
    self.columns.clear();
    for (std::size_t column = 0; column < rows_.columns().size(); ++column) {
      if (seen.wants(column)) self.columns.push_back(column);
    }
    self.findings.assign(rows_.columns().size(), Finding());
    findings = self.findings;
    search_.search_columns(seen, self.columns, findings, self.search);
  }
  return choose_split(rules_, open.depth, open.seed, search_, seen, findings, self.search);
}

void TreeGrower::split(OpenNode& open, Split&& found, std::size_t worker, std::vector<OpenNode>& out) {
  GrowingWorker& self = workers_[worker];
  if (describe_children(open, found, self)) {
    part(open, found, worker);
    for (std::size_t branch = found.n_branches; branch-- > 0;) {
      if (self.alive[branch] != 0) out.push_back(std::move(self.children[branch]));
    }
  }
  open.node->split = self.store.hold(std::move(static_cast<SplitRule&>(found)));
}

// Makes the nodes of the branches, and returns whether any of them may be split.
bool TreeGrower::describe_children(const OpenNode& open, const Split& found, GrowingWorker& self) const {
  const std::size_t classes = labels_.n_classes();
  GrowingNode& node = *open.node;
  node.children = self.store.make_nodes(found.n_branches);
  double* counts = self.store.make_counts(found.n_branches * classes);
  std::copy(found.counts.begin(), found.counts.end(), counts);
  self.alive.assign(found.n_branches, 0);
  bool any = false;
  for (std::size_t branch = 0; branch < found.n_branches; ++branch) {
    double* of = counts + branch * classes;
    for (std::size_t k = 0; k < found.unknown.size(); ++k) of[k] += found.unknown[k] * found.shares[branch];
    GrowingNode& child = node.children[branch];
    // Cases that go down every branch in part are not in what was measured.
    const bool known = found.unknown.empty();
    describe(child, of, found.rows_in(branch), known ? std::optional(found.entropies[branch]) : std::nullopt);
    const NodeSize size{child.counts, child.weight, child.rows, open.depth + 1, found.unknown_rows > 0};
    self.alive[branch] = rules_.may_split(size) ? 1 : 0;
    any = any || self.alive[branch] != 0;
  }
  return any;
}

// Rearranges the rows by branch and searches long children on the way: a run that was just written is still at
// hand, and reading it again later would cost more than all the arithmetic.
void TreeGrower::part(OpenNode& open, const Split& found, std::size_t worker) {
  GrowingWorker& self = workers_[worker];
  Branches& branches = self.branches;
  rows_.mark(open.rows, found, branches);
  const bool dense = rows_.columns().n_dense() > 0;
  if (dense && !rows_.weighted()) rows_.part_list(open.rows, found, branches, self.tags);
  open_children(open, found, self);
  std::vector<WeightedRows*> targets;
  if (rows_.weighted()) {
    for (const OpenNode& child : self.children) targets.push_back(child.own.get());
    if (dense) rows_.part_weighted(open.rows, found, branches, rows_.columns().n_runs(), targets);
  }
  hand_down_histograms(open, self, worker);
  prepare_search(self);
  for_each(open, worker, rows_.columns().size(), [&](std::size_t i, std::size_t by) {
    const Column& column = rows_.columns()[i];
    if (!column.dense && rows_.weighted()) {
      rows_.part_weighted(open.rows, found, branches, column.slot, targets);
    } else if (!column.dense) {
      rows_.part_run(open.rows, found, self.alive, branches, column.slot, workers_[by].entries);
    }
    search_column(self, i, workers_[by].search);
  });
}

void TreeGrower::open_children(const OpenNode& open, const Split& found, GrowingWorker& self) const {
  const Branches& branches = self.branches;
  const std::vector<Stretch> places = Rows::place(open.rows, found, self.alive);
  std::vector<std::unique_ptr<WeightedRows>> own;
  if (rows_.weighted()) own = rows_.make_children(found, self.alive);
  std::vector<char> parts;
  if (open.in_parts || found.unknown_rows > 0) parts = rows_.parted(open.rows, found, branches);
  const std::vector<std::size_t> class_rows = rows_.count_classes(open.rows, found, branches);
  self.children.clear();
  for (std::size_t branch = 0; branch < found.n_branches; ++branch) {
    OpenNode& child = self.children.emplace_back();
    child.node = open.node->children + branch;
    child.rows = places[branch];
    child.depth = open.depth + 1;
    child.in_parts = !parts.empty() && parts[branch] != 0;
    child.seed = GrowthRules::child_seed(open.seed, branch);
    child.spent = open.spent + (found.uses_up_column() ? 1 : 0);
    if (!class_rows.empty()) {
      const auto begin = class_rows.begin() + static_cast<std::ptrdiff_t>(branch * labels_.n_classes());
      child.class_rows.assign(begin, begin + static_cast<std::ptrdiff_t>(labels_.n_classes()));
    }
    if (own.empty()) continue;
    child.own = std::move(own[branch]);
    child.rows = {0, 0, found.rows_in(branch), child.own.get(), nullptr};
  }
}

// Dense columns of large nodes: count all children but the largest, whose counts are what is left of the parent's.
// Pays only while a node has more rows than its histograms have cells.
bool TreeGrower::keeps_histograms(const OpenNode& open) const {
  const std::size_t dense = rows_.columns().n_dense();
  return dense > 0 && labels_.mode() == TagMode::packed && open.rows.size * dense > search_.histogram_size();
}

void TreeGrower::fill_histograms(OpenNode& open, std::size_t worker) {
  open.histograms.assign(search_.histogram_size(), 0);
  for_each(open, worker, rows_.columns().size(), [&](std::size_t i, std::size_t) {
    const Column& column = rows_.columns()[i];
    if (!column.dense) return;
    const std::uint32_t* list = rows_.list<TagMode::packed>(open.rows);
    rows_.columns().with_codes(column, [&](const auto* codes) {
      add_to_histogram(list, list + open.rows.size, codes, {labels_.tags()}, labels_.n_classes(),
                       open.histograms.data() + search_.histogram_begin(i));
    });
  });
}

void TreeGrower::hand_down_histograms(OpenNode& open, GrowingWorker& self, std::size_t worker) {
  if (open.histograms.empty()) return;
  std::vector<OpenNode>& children = self.children;
  std::size_t largest = 0;
  for (std::size_t i = 1; i < children.size(); ++i) {
    if (children[i].rows.size > children[largest].rows.size) largest = i;
  }
  if (self.alive[largest] == 0 || !keeps_histograms(children[largest])) return;
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i == largest || children[i].rows.size == 0) continue;
    fill_histograms(children[i], worker);
    for (std::size_t cell = 0; cell < open.histograms.size(); ++cell) {
      open.histograms[cell] -= children[i].histograms[cell];
    }
    if (self.alive[i] == 0 || !keeps_histograms(children[i])) {
      std::vector<std::uint32_t>().swap(children[i].histograms);
    }
  }
  children[largest].histograms = std::move(open.histograms);
}

}  // namespace ramify
