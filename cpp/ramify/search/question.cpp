#include "ramify/search/question.hpp"

#include <algorithm>

namespace ramify {

void level(const TableBatch& one, double* out) {
  std::vector<double> totals(one.classes, 0.0);
  double all = 0.0;
  for (std::size_t i = 0; i < one.branches * one.classes; ++i) {
    totals[i % one.classes] += one.counts[i];
    all += one.counts[i];
  }
  for (std::size_t j = 0; j < one.branches; ++j) {
    const double* row = one.counts + j * one.classes;
    double size = 0.0;
    for (std::size_t k = 0; k < one.classes; ++k) size += row[k];
    for (std::size_t k = 0; k < one.classes; ++k) out[j * one.classes + k] = size * (totals[k] / all);
  }
}

TableBatch Question::with_aside(const TableBatch& batch, std::vector<double>& tables) const {
  const std::size_t size = batch.branches * batch.classes;
  tables.resize(batch.tables * (size + batch.classes));
  double* out = tables.data();
  for (std::size_t t = 0; t < batch.tables; ++t) {
    out = std::copy(batch.counts + t * size, batch.counts + (t + 1) * size, out);
    out = std::copy(aside, aside + batch.classes, out);
  }
  return {tables.data(), batch.tables, batch.branches + 1, batch.classes};
}

void Question::score(const TableBatch& batch, double* scores, ScoreBuffers& buffers) const {
  if (aside != nullptr) return book.score(with_aside(batch, buffers.tables), scores);
  book.score(batch, scores);
  scale_to_known(batch, scores, buffers);
}

double Question::score_by_definition(const TableBatch& one, ScoreBuffers& buffers) const {
  double value = 0.0;
  book.definition(one, &value);
  scale_to_known(one, &value, buffers);
  return value;
}

void Question::scale_to_known(const TableBatch& batch, double* scores, ScoreBuffers& buffers) const {
  if (known_share >= 1.0) return;
  const std::size_t size = batch.branches * batch.classes;
  buffers.tables.resize(batch.tables * size);
  buffers.scores.resize(batch.tables);
  for (std::size_t t = 0; t < batch.tables; ++t) {
    level({batch.counts + t * size, 1, batch.branches, batch.classes}, buffers.tables.data() + t * size);
  }
  // Levelled counts are no whole numbers: they can't be looked up.
  book.definition({buffers.tables.data(), batch.tables, batch.branches, batch.classes}, buffers.scores.data());
  for (std::size_t t = 0; t < batch.tables; ++t) {
    scores[t] = buffers.scores[t] + known_share * (scores[t] - buffers.scores[t]);
  }
}

bool Question::gain_suffices(const TableBatch& one, ScoreBuffers& buffers) const {
  if (admission.min_gain <= 0.0) return true;
  const double gain = aside != nullptr ? gain_of(with_aside(one, buffers.tables), book.order)
                                       : known_share * gain_of(one, book.order);
  // The slack lets a split whose gain is the minimum, but for rounding, pass.
  return gain >= admission.min_gain - 1e-12 * node.entropy;
}

}  // namespace ramify
