// The split of a nominal column into one branch a category.
#pragma once

#include <limits>

#include "ramify/counts.hpp"
#include "ramify/search/question.hpp"

namespace ramify {

// Its score, or minus infinity where it is not admissible: two branches must hold min_samples_leaf rows.
inline double score_multiway(const Question& question, const CodeCounts& counts) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::size_t large = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    large += counts.rows(i) >= question.admission.min_samples_leaf ? 1 : 0;
  }
  if (counts.size() < 2 || large < 2) return kNone;
  if (question.book.two_branches_only && counts.size() != 2) return kNone;
  const TableBatch one{counts.all(), 1, counts.size(), counts.classes()};
  if (!question.gain_suffices(one)) return kNone;
  double score = kNone;
  question.book.score(one, &score);
  return score;
}

}  // namespace ramify
