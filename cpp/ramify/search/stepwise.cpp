#include "ramify/search/stepwise.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ramify/criteria/registry.hpp"

namespace ramify {

namespace {

// Keeps the first cut that no later one beats by more than the tolerance, or the last one that is as good.
template <class C>
class StepBest {
 public:
  StepBest(const Question& question, const StepRules& rules) : share_(question.known_share), rules_(rules) {}

  template <class Scan>
  void offer(const Scan& scan, std::uint32_t where) {
    if (scan.n_left() < rules_.min_weight || scan.n_right() < rules_.min_weight) return;
    ++cut_.cuts;
    const double gain = share_ * scan.score();
    const bool as_good = rules_.last_of_equal && cut_.found && gain >= best_ - rules_.tolerance;
    if (!as_good && !(gain > best_ + rules_.tolerance)) return;
    best_ = std::max(best_, gain);  // or equal cuts, each a little worse than the one before, would lead away
    cut_.found = true;
    cut_.gain = gain;
    cut_.where = where;
  }
  // Whether two values are far enough apart, of codes of a dense column or of rows of a run.
  bool parts_codes(std::uint32_t left, std::uint32_t right) const {
    const std::vector<double>& values = rules_.column.values;
    return values.empty() || values[left] + rules_.min_gap < values[right];
  }
  bool parts_rows(std::uint32_t left, std::uint32_t right) const {
    const Feature& feature = rules_.column.feature;
    return rules_.column.values.empty() || feature.number(left) + rules_.min_gap < feature.number(right);
  }
  const StepCut& cut() const { return cut_; }

 private:
  double share_;
  const StepRules& rules_;
  // A gain must be one; a distance has no such floor.
  double best_ = std::is_same_v<C, Gain> ? 0.0 : -std::numeric_limits<double>::infinity();
  StepCut cut_;
};

// The question about the known cases alone: their share is applied to the score, not to its parts.
Question about_known(const Question& question) { return {question.book, question.node, question.admission}; }

// The cuts of one column by the definition of the entropy: slow, for orders whose powers leave the range of a
// double.
template <class C>
class DefinitionScan {
 public:
  explicit DefinitionScan(const Question& question)
      : order_(question.book.order), classes_(question.node.classes), sides_(2 * classes_, 0.0) {
    std::copy(question.node.counts, question.node.counts + classes_, sides_.begin() + static_cast<long>(classes_));
    n_right_ = question.node.weight;
  }
  void expect(std::size_t) {}
  void move_left(std::size_t cls, double weight) {
    sides_[cls] += weight;
    double& right = sides_[classes_ + cls];
    // What rounding leaves of a class that has gone must not pass for a class that is present.
    right = right - weight < 1e-12 * weight ? 0.0 : right - weight;
    n_left_ += weight;
    n_right_ -= weight;
  }
  double n_left() const { return n_left_; }
  double n_right() const { return n_right_; }
  double score() const {
    static thread_local Table table;
    table.read(sides_.data(), 2, classes_, 0.0, false);
    return C::compare(split_entropies(table, order_, C::uses_branches_given_classes));
  }

 private:
  Order order_;
  std::size_t classes_;
  std::vector<double> sides_;
  double n_left_ = 0.0;
  double n_right_ = 0.0;
};

// Calls visit(scan) with the scan that the mode's weights need.
template <class C, TagMode Mode, class Visit>
void with_step_scan(const Question& question, ScanBuffers& buffers, Visit&& visit) {
  if (!question.book.in_range) {
    visit(DefinitionScan<C>(question));
  } else if constexpr (Mode == TagMode::weighted) {
    with_real_scan<C>(question, buffers.real_sides, visit);
  } else if (question.book.powers->plain()) {
    visit(EntropyScan<C, true, false>(question, buffers.sides, buffers.class_scales));
  } else {
    visit(EntropyScan<C, false, false>(question, buffers.sides, buffers.class_scales));
  }
}

template <class C, TagMode Mode>
StepCut step_run(const Question& question, const RunView& run, const Tags& tags, const StepRules& rules,
                 ScanBuffers& buffers) {
  const TagReader<Mode> reader{tags};
  const auto* entries = run.begin<Mode>();
  const Question known = about_known(question);
  StepBest<C> best(question, rules);
  with_step_scan<C, Mode>(known, buffers, [&](auto scan) {
    if constexpr (Mode == TagMode::weighted) {
      for (std::size_t i = 0; i < run.size; ++i) scan.expect(reader.cls(entries[i]));
    }
    for (std::size_t i = 0; i + 1 < run.size; ++i) {
      scan.move_left(reader.cls(entries[i]), reader.weight(entries[i]));
      if (!reader.starts(entries[i + 1])) continue;
      if (!best.parts_rows(reader.row(entries[i]), reader.row(entries[i + 1]))) continue;
      best.offer(scan, static_cast<std::uint32_t>(i + 1));
    }
  });
  return best.cut();
}

template <class C, TagMode Mode>
StepCut step_counts(const Question& question, const CodeCounts& counts, const StepRules& rules,
                    ScanBuffers& buffers) {
  using Weight = std::conditional_t<Mode == TagMode::weighted, double, std::uint32_t>;
  const Question known = about_known(question);
  StepBest<C> best(question, rules);
  with_step_scan<C, Mode>(known, buffers, [&](auto scan) {
    const auto each = [&](std::size_t i, auto&& visit) {
      for (std::uint32_t k = 0; k < counts.classes(); ++k) {
        if (counts.of(i)[k] > 0.0) visit(k, static_cast<Weight>(counts.of(i)[k]));
      }
    };
    if constexpr (Mode == TagMode::weighted) {
      for (std::size_t i = 0; i < counts.size(); ++i) {
        each(i, [&](std::uint32_t k, Weight) { scan.expect(k); });
      }
    }
    for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
      each(i, [&](std::uint32_t k, Weight weight) { scan.move_left(k, weight); });
      if (best.parts_codes(counts.code(i), counts.code(i + 1))) best.offer(scan, static_cast<std::uint32_t>(i));
    }
  });
  return best.cut();
}

}  // namespace

StepScans step_scans(const std::string& cut_criterion, TagMode mode) {
  StepScans scans;
  with_criterion(cut_criterion, [&]<class C>() {
    if constexpr (Comparison<C>) {
      with_tag_mode(mode, [&]<TagMode Mode>() { scans = {step_run<C, Mode>, step_counts<C, Mode>}; });
    }
  });
  return scans;
}

Worth worth_of(const Scorebook& book, const Dialect& dialect, const TableBatch& known, double unknown_weight,
               double penalty) {
  static thread_local Table table;
  table.read(known.counts, known.branches, known.classes, book.min_support, true);
  const double share = dialect.known_cases_only ? 1.0 : table.total() / (table.total() + unknown_weight);
  SplitEntropies h = split_entropies(table, book.order, true);
  Worth worth{share * (h.classes - h.classes_given_branches) - penalty, 0.0, 0.0};
  if (book.compare == nullptr) {
    ScoreBuffers buffers;
    const NodeTotals node{nullptr, known.classes, 0, table.total(), h.classes};
    const Admission any;
    const Question question{book, node, any, -std::numeric_limits<double>::infinity(), share};
    worth.score = question.score_one(known, buffers);
    worth.nothing = -std::numeric_limits<double>::infinity();
    return worth;
  }
  if (dialect.unknown_is_outcome && unknown_weight > 0.0) {
    std::vector<double> branches(table.branch_totals(), table.branch_totals() + table.branches());
    branches.push_back(unknown_weight);
    const double all = table.total() + unknown_weight;
    h.branches = book.order.weighted(branches.data(), branches.size(), 1, all) / all;
  }
  h.classes_given_branches = h.classes - worth.gain;
  worth.score = book.compare(h);
  h.classes_given_branches = h.classes;
  h.branches_given_classes = h.branches;
  worth.nothing = book.compare(h);
  return worth;
}

}  // namespace ramify
