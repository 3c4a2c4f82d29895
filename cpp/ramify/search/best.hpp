// The tie rule: of all candidates whose score is as good as the best, the first one wins.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace ramify {

// The first of `count` candidates whose score is as good as the best; nothing if no score is above -infinity.
// `width` says how far below the best that is.
template <class ScoreOf, class Width>
std::optional<std::size_t> first_as_good(std::size_t count, ScoreOf&& score_of, Width&& width) {
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < count; ++i) best = std::max(best, score_of(i));
  if (best == -std::numeric_limits<double>::infinity()) return std::nullopt;
  const double goal = best - width(best);
  std::size_t first = 0;
  while (!(score_of(first) >= goal)) ++first;
  return first;
}

// The best of the candidates, which are offered in order, and the best of those before it. Candidates that can't
// be the best of all may be passed over; it is known then what these do not exceed.
class Best {
 public:
  static constexpr double kNone = -std::numeric_limits<double>::infinity();

  Best() = default;

  // Keeps the first candidate with at least this score instead, and no other.
  static Best first_reaching(double goal) {
    Best best;
    best.goal_ = goal;
    return best;
  }

  void offer(double score, std::uint32_t where) {
    if (!(score > score_) || score == -kNone) return;  // infinite scores can't be compared
    if (goal_ != kNone && (score_ != kNone || score < goal_)) return;
    before_ = score_;
    score_ = score;
    where_ = where;
  }

  // The best of several candidates at once. Which of them it is must be looked for again, by a goal.
  void offer_best_of(double score) {
    if (!(score > score_) || score == -kNone) return;
    before_ = score_ = score;
    where_ = 0;
  }

  // Candidates that are not offered, none of which scores more than this.
  void pass_over(double most) { passed_over_ = std::max(passed_over_, most); }
  // Passes over all that was found.
  void give_up() {
    const double all = most();
    *this = Best();
    pass_over(all);
  }

  // Takes over what another has found, its scores in another measure.
  template <class ScoreOf>
  void take(const Best& other, ScoreOf&& score_of) {
    if (other.passed_over_ != kNone) pass_over(score_of(other.passed_over_));
    if (!other.found()) return;
    score_ = score_of(other.score_);
    before_ = other.before_ == kNone ? kNone : score_of(other.before_);
    where_ = other.where_;
  }

  bool found() const { return score_ != kNone; }
  double score() const { return score_; }
  std::uint32_t where() const { return where_; }
  // No candidate scores more, be it passed over or not.
  double most() const { return std::max(score_, passed_over_); }
  // True if no earlier candidate has at least this score.
  bool is_first_reaching(double score) const { return before_ < score; }
  // The goal that was set, or kNone.
  double goal() const { return goal_; }

 private:
  double goal_ = kNone;
  double score_ = kNone;
  double before_ = kNone;
  double passed_over_ = kNone;
  std::uint32_t where_ = 0;
};

}  // namespace ramify
