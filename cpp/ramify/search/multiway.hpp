// The split of a nominal column into one branch a category.
#pragma once

#include <limits>

#include "ramify/counts.hpp"
#include "ramify/search/question.hpp"

namespace ramify {

// Its score, or minus infinity where it is not admissible: two branches must hold min_samples_leaf rows.
inline double score_multiway(const Question& question, const CodeCounts& counts, ScoreBuffers& buffers) {
  constexpr double kNone = -std::numeric_limits<double>::infinity();
  std::size_t large = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    double weight = 0.0;
    for (std::size_t k = 0; k < counts.classes(); ++k) weight += counts.of(i)[k];
    const Admission& admission = question.admission;
    large += counts.rows(i) >= admission.min_samples_leaf && weight >= admission.min_weight ? 1 : 0;
  }
  if (counts.size() < 2 || large < 2) return kNone;
  if (question.book.two_branches_only && counts.size() != 2) return kNone;
  const TableBatch one{counts.all(), 1, counts.size(), counts.classes()};
  if (!question.gain_suffices(one, buffers)) return kNone;
  return question.score_one(one, buffers);
}

}  // namespace ramify
