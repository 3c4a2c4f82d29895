// How the columns of a short node are searched at once.
#include "ramify/search/node_search.hpp"

namespace ramify {

bool NodeSearch::searches_at_once(const SearchedNode& node) const {
  const bool by_rules = settings_.dialect.by_columns || settings_.cuts == Cuts::gaussian;
  if (settings_.scans.side_by_side == nullptr || by_rules || node.given.lanes > 0) return false;
  return settings_.scans.scans_side_by_side({book_, node.totals, node.admission});
}

bool NodeSearch::lies_beside_others(std::size_t number) const {
  const Column& column = rows_.columns()[number];
  return !column.dense && !column.nominal && !column.has_missing;
}

void NodeSearch::search_columns(const SearchedNode& node, std::span<const std::size_t> columns,
                                std::span<Finding> findings, SearchBuffers& buffers) const {
  buffers.runs.clear();
  buffers.run_columns.clear();
  for (const std::size_t i : columns) {
    if (!lies_beside_others(i)) continue;
    buffers.runs.push_back(rows_.run<TagMode::packed>(node.rows, rows_.columns()[i].slot));
    buffers.run_columns.push_back(i);
  }
  search_side_by_side(node, findings, buffers);
  if (buffers.runs.size() == columns.size()) return;
  for (const std::size_t i : columns) {
    if (!lies_beside_others(i)) findings[i] = search_column(node, i, buffers);
  }
}

void NodeSearch::search_side_by_side(const SearchedNode& node, std::span<Finding> findings,
                                     SearchBuffers& buffers) const {
  if (buffers.runs.empty()) return;
  buffers.run_scores.resize(buffers.runs.size());
  const Question question{book_, node.totals, node.admission};
  settings_.scans.side_by_side(question, buffers.runs, labels_.tags(), buffers.scan, buffers.run_scores.data());
  for (std::size_t i = 0; i < buffers.runs.size(); ++i) {
    Finding& finding = findings[buffers.run_columns[i]];
    finding.first.offer_best_of(buffers.run_scores[i]);
    give_up_small_gains(node, finding);
    node.raise(finding.score());
  }
}

}  // namespace ramify
