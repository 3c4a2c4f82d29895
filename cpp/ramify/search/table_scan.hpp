// Scores two-branch candidates of any criterion, a batch of tables at a time.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "ramify/search/best.hpp"
#include "ramify/search/question.hpp"

namespace ramify {

class TableScan {
 public:
  // Called before each batch: some criteria take long over one, and the user may have had enough.
  void set_poll(std::function<void()> poll) { poll_ = std::move(poll); }

  // `best` receives the candidates in the order in which they are put.
  void start(const Question& question, Best& best) {
    question_ = &question;
    best_ = &best;
    classes_ = question.node.classes;
    pending_ = 0;
    tables_.resize(kBatch * 2 * classes_);
  }

  // A candidate by the class counts of its two branches (both, because with real weights a difference could
  // leave a rest).
  void put(const double* left, const double* right, std::uint32_t where) {
    double* table = tables_.data() + pending_ * 2 * classes_;
    for (std::size_t k = 0; k < classes_; ++k) {
      table[k] = left[k];
      table[classes_ + k] = right[k];
    }
    where_[pending_] = where;
    if (++pending_ == kBatch) flush();
  }

  void flush() {
    if (poll_) poll_();
    if (pending_ == 0) return;
    question_->score({tables_.data(), pending_, 2, classes_}, scores_.data(), buffers_);
    for (std::size_t i = 0; i < pending_; ++i) {
      const TableBatch one{tables_.data() + i * 2 * classes_, 1, 2, classes_};
      if (admits(one) && question_->gain_suffices(one, buffers_)) best_->offer(scores_[i], where_[i]);
    }
    pending_ = 0;
  }

 private:
  static constexpr std::size_t kBatch = 256;

  bool admits(const TableBatch& one) const {
    if (question_->admission.min_weight <= 0.0) return true;
    double left = 0.0;
    double right = 0.0;
    for (std::size_t k = 0; k < classes_; ++k) {
      left += one.counts[k];
      right += one.counts[classes_ + k];
    }
    return question_->admission.admits_weights(left, right);
  }

  std::function<void()> poll_;
  const Question* question_ = nullptr;
  Best* best_ = nullptr;
  std::size_t classes_ = 0;
  std::size_t pending_ = 0;
  std::vector<double> tables_;
  ScoreBuffers buffers_;
  std::array<double, kBatch> scores_{};
  std::array<std::uint32_t, kBatch> where_{};
};

}  // namespace ramify
