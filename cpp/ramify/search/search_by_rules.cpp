// How dialects that judge by columns search one of them.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ramify/search/node_search.hpp"

namespace ramify {

Finding NodeSearch::search_by_rules(const View& view, const SearchedNode& node, SearchBuffers& buffers) const {
  const Dialect& dialect = settings_.dialect;
  const double least = node.admission.min_weight;
  const auto classes = labels_.n_classes();
  Finding finding;
  const auto offer = [&](const TableBatch& table, double penalty, std::uint32_t where) {
    const Worth worth = worth_of(book_, dialect, table, buffers.unknown.weight, penalty);
    if (worth.gain + penalty < node.admission.min_gain - 1e-12 * node.totals.entropy) return;
    finding.first.offer(worth.score, where);
    finding.gain = worth.gain;
    finding.nothing = worth.nothing;
  };
  if (view.column.nominal) {
    if (!settings_.multiway) {
      search_one_against_rest(view, node.admission, buffers, finding);
      return finding;
    }
    std::size_t large = 0;
    for (std::size_t c = 0; c < buffers.counts.size(); ++c) {
      large += std::accumulate(buffers.counts.of(c), buffers.counts.of(c) + classes, 0.0) >= least ? 1 : 0;
    }
    if (large >= 2) offer({buffers.counts.all(), 1, buffers.counts.size(), classes}, 0.0, 0);
    return finding;
  }
  StepRules rules{dialect.tolerance(), least, dialect.min_gap, view.column, dialect.last_of_equal_cuts};
  if (dialect.cut_minimum) {
    const double tenth = 0.1 * view.known.weight / static_cast<double>(classes);
    if (tenth > least + kSlack) rules.min_weight = std::min(tenth, Dialect::kLargestCutMinimum) - kSlack;
  }
  if (view.known.weight < 2.0 * rules.min_weight) return finding;
  Question question = ask(view, node, buffers);
  if (dialect.known_cases_only) question.known_share = 1.0;
  const RunView run{view.run.entries, view.known_rows};
  const StepCut cut = view.counted ? settings_.steps.counts(question, buffers.counts, rules, buffers.scan)
                                   : settings_.steps.run(question, run, labels_.tags(), rules, buffers.scan);
  if (!cut.found) return finding;
  const double penalty =
      dialect.mdl_correction ? std::log(static_cast<double>(cut.cuts)) / node.totals.weight : 0.0;
  if (dialect.cut_criterion == "gain" && cut.gain - penalty <= rules.tolerance) return finding;
  Split split;
  fill_threshold(view, cut.where, split, buffers);
  offer({split.counts.data(), 1, 2, classes}, penalty, cut.where);
  return finding;
}

void NodeSearch::search_one_against_rest(const View& view, const Admission& admission, SearchBuffers& buffers,
                                         Finding& finding) const {
  const std::size_t classes = labels_.n_classes();
  const double tolerance = settings_.dialect.tie_tolerance;
  double best = 0.0;
  bool any = false;
  std::vector<double> table(2 * classes);
  for (std::size_t c = 0; c < buffers.counts.size(); ++c) {
    for (std::size_t k = 0; k < classes; ++k) {
      table[k] = buffers.counts.of(c)[k];
      table[classes + k] = view.known.counts[k] - table[k];
    }
    const double here = std::accumulate(table.data(), table.data() + classes, 0.0);
    if (!admission.admits_weights(here, view.known.weight - here)) continue;
    const Worth worth =
        worth_of(book_, settings_.dialect, {table.data(), 1, 2, classes}, buffers.unknown.weight, 0.0);
    if (worth.gain < admission.min_gain - 1e-12 * view.known.entropy) continue;
    if (!any) finding.nothing = worth.nothing;
    // The first declared category is taken whatever it is worth, the others only if they are better.
    const bool taken = buffers.counts.code(c) == 0 || worth.score > best + tolerance;
    any = true;
    if (!taken) continue;
    best = worth.score;
    finding.first = Best();
    finding.first.offer(worth.score, static_cast<std::uint32_t>(c));
    finding.gain = worth.gain;
  }
  finding.for_nothing = any && !finding.first.found();
}

}  // namespace ramify
