#include "ramify/search/stepwise.hpp"

#include <cmath>
#include <limits>

#include "ramify/criteria/registry.hpp"

namespace ramify {

namespace {

// Sums over classes of looked-up or computed powers, behind one face: what lies to the left, and the score there.
template <class C, TagMode Mode>
class StepSides {
 public:
  StepSides(const Question& question, ScanBuffers& buffers)
      : scan_(question, buffers.sides, buffers.class_scales) {}
  void move(std::uint32_t cls, double weight) { scan_.move_left(cls, static_cast<std::uint32_t>(weight)); }
  double left() const { return scan_.n_left(); }
  double right() const { return scan_.n_right(); }
  double score() const { return scan_.score(); }

 private:
  EntropyScan<C, false, false> scan_;
};

template <class C>
class StepSides<C, TagMode::weighted> {
 public:
  StepSides(const Question& question, ScanBuffers& buffers)
      : scan_(question, buffers.terms), node_(question.node), left_(buffers.left), right_(buffers.right) {
    left_.assign(node_.classes, 0.0);
    right_.assign(node_.counts, node_.counts + node_.classes);
  }
  void move(std::uint32_t cls, double weight) {
    left_[cls] += weight;
    right_[cls] -= weight;
    // What rounding leaves of a class that has gone must not pass for a class that is present.
    if (right_[cls] < 1e-12 * node_.counts[cls]) right_[cls] = 0.0;
    n_left_ += weight;
    scan_.set(cls, left_[cls], right_[cls]);
  }
  double left() const { return n_left_; }
  double right() const { return node_.weight - n_left_; }
  double score() const { return scan_.score(left(), right()); }

 private:
  RealScan<C> scan_;
  const NodeTotals& node_;
  std::vector<double>& left_;
  std::vector<double>& right_;
  double n_left_ = 0.0;
};

// Keeps the first cut that no later one beats by more than the tolerance.
template <class C>
class StepBest {
 public:
  StepBest(const Question& question, const StepRules& rules) : share_(question.known_share), rules_(rules) {}

  template <class Sides>
  void offer(const Sides& sides, std::uint32_t where) {
    if (sides.left() < rules_.min_weight || sides.right() < rules_.min_weight) return;
    ++cut_.cuts;
    const double gain = share_ * sides.score();
    if (!(gain > best_ + rules_.tolerance)) return;
    best_ = gain;
    cut_.found = true;
    cut_.gain = gain;
    cut_.where = where;
  }
  bool parts(std::uint32_t left_code, std::uint32_t right_code) const {
    if (left_code == right_code) return false;
    return rules_.values == nullptr || rules_.values[left_code] + rules_.min_gap < rules_.values[right_code];
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

template <class C, TagMode Mode>
StepCut step_run(const Question& question, const RunView& run, const Tags& tags, const StepRules& rules,
                 ScanBuffers& buffers) {
  const TagReader<Mode> reader{tags};
  const auto* entries = run.begin<Mode>();
  const Question known = about_known(question);
  StepSides<C, Mode> sides(known, buffers);
  StepBest<C> best(question, rules);
  for (std::size_t i = 0; i + 1 < run.size; ++i) {
    sides.move(reader.cls(entries[i]), static_cast<double>(reader.weight(entries[i])));
    if (best.parts(entries[i].code, entries[i + 1].code)) best.offer(sides, static_cast<std::uint32_t>(i + 1));
  }
  return best.cut();
}

template <class C, TagMode Mode>
StepCut step_counts(const Question& question, const CodeCounts& counts, const StepRules& rules,
                    ScanBuffers& buffers) {
  const Question known = about_known(question);
  StepSides<C, Mode> sides(known, buffers);
  StepBest<C> best(question, rules);
  for (std::size_t i = 0; i + 1 < counts.size(); ++i) {
    for (std::uint32_t k = 0; k < counts.classes(); ++k) {
      if (counts.of(i)[k] > 0.0) sides.move(k, counts.of(i)[k]);
    }
    if (best.parts(counts.code(i), counts.code(i + 1))) best.offer(sides, static_cast<std::uint32_t>(i));
  }
  return best.cut();
}

}  // namespace

StepScans step_scans(const std::string& cut_criterion, TagMode mode, bool powers_in_range) {
  StepScans scans;
  with_criterion(cut_criterion, [&]<class C>() {
    if constexpr (Comparison<C>) {
      if (mode == TagMode::packed && powers_in_range) {
        scans = {step_run<C, TagMode::packed>, step_counts<C, TagMode::packed>};
      } else if (mode == TagMode::looked_up && powers_in_range) {
        scans = {step_run<C, TagMode::looked_up>, step_counts<C, TagMode::looked_up>};
      } else if (mode == TagMode::weighted) {
        scans = {step_run<C, TagMode::weighted>, step_counts<C, TagMode::weighted>};
      }
    }
  });
  return scans;
}

Worth worth_of(const Scorebook& book, const Dialect& dialect, const TableBatch& known, double unknown_weight,
               double penalty) {
  static thread_local Table table;
  table.read(known.counts, known.branches, known.classes, book.min_support, true);
  const double share = table.total() / (table.total() + unknown_weight);
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
