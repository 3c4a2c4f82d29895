// The search of a numeric column for the one cut that normal distributions propose.
#include <algorithm>

#include "ramify/search/node_search.hpp"

namespace ramify {

double NodeSearch::gaussian_cut(const View& view, const SearchBuffers& buffers) const {
  ClassNormals normals(labels_.n_classes());
  // Calls visit(class, value, weight) for all known cases of the node.
  const auto each = [&](auto&& visit) {
    if (view.counted) {
      for (std::size_t c = 0; c < buffers.counts.size(); ++c) {
        for (std::size_t k = 0; k < labels_.n_classes(); ++k) {
          const double weight = buffers.counts.of(c)[k];
          if (weight > 0.0) visit(k, view.column.values[buffers.counts.code(c)], weight);
        }
      }
      return;
    }
    with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
      const TagReader<Mode> reader{labels_.tags()};
      const auto* run = view.run.begin<Mode>();
      for (std::size_t r = 0; r < view.known_rows; ++r) {
        visit(std::size_t{reader.cls(run[r])}, view.column.feature.number(reader.row(run[r])),
              static_cast<double>(reader.weight(run[r])));
      }
    });
  };
  each([&](std::size_t, double value, double) { normals.widen(value); });
  each([&](std::size_t k, double value, double weight) { normals.add(k, value, weight); });
  normals.center();
  each([&](std::size_t k, double value, double weight) { normals.add_spread(k, value, weight); });
  normals.finish();
  return normals.best_cut(book_.order);
}

void NodeSearch::offer_gaussian(const View& view, const SearchedNode& node, SearchBuffers& buffers,
                                Finding& finding) const {
  const bool one_branch = buffers.unknown.rows > 0 && settings_.missing == Missing::best_branch;
  if (one_branch) {  // before the cut, which comes before the missing ones only
    Best known;
    offer_known_or_missing(view, node, buffers, known);
    const std::size_t end = view.counted ? buffers.counts.size() - 1 : view.known_rows;
    if (known.found()) finding.first.offer(known.score(), static_cast<std::uint32_t>(end));
  }
  const double cut = gaussian_cut(view, buffers);
  std::uint32_t where = 0;
  if (view.counted) {
    std::size_t right = 0;
    while (right < buffers.counts.size() && view.column.values[buffers.counts.code(right)] <= cut) ++right;
    if (right == 0 || right == buffers.counts.size()) return;
    where = static_cast<std::uint32_t>(right - 1);
  } else {
    with_tag_mode(labels_.mode(), [&]<TagMode Mode>() {
      const TagReader<Mode> reader{labels_.tags()};
      const auto* first = view.run.begin<Mode>();
      const auto* right = std::partition_point(first, first + view.known_rows, [&](const auto& entry) {
        return view.column.feature.number(reader.row(entry)) <= cut;
      });
      where = static_cast<std::uint32_t>(right - first);
    });
    if (where == 0 || where == view.known_rows) return;
  }
  Split split;
  fill_threshold(view, where, split, buffers);
  const auto offer = [&](const Question& question, std::uint32_t place, Best& best) {
    const TableBatch one{split.counts.data(), 1, 2, labels_.n_classes()};
    const std::size_t classes = labels_.n_classes();
    double left = 0.0;
    double right = 0.0;
    for (std::size_t k = 0; k < classes; ++k) {
      left += split.counts[k];
      right += split.counts[classes + k];
    }
    if (!question.admission.admits_rows(split.rows[0], split.rows[1])) return;
    if (!question.admission.admits_weights(left, right)) return;
    if (question.gain_suffices(one, buffers.scores)) best.offer(question.score_one(one, buffers.scores), place);
  };
  if (!one_branch) return offer(ask(view, node, buffers), where, finding.first);
  const Question all{book_, node.totals, node.admission};
  for (const std::size_t side : {std::size_t{1}, std::size_t{0}}) {
    const Split known = split;
    const std::size_t classes = labels_.n_classes();
    for (std::size_t k = 0; k < classes; ++k) split.counts[side * classes + k] += buffers.unknown.counts[k];
    split.rows[side] += buffers.unknown.rows;
    // On the left the missing ones are counted before the cut, as a scan would.
    const std::size_t before = side == 0 && !view.counted ? buffers.unknown.rows : 0;
    offer(all, where + static_cast<std::uint32_t>(before), side == 1 ? finding.first : finding.second);
    split = known;
  }
}

}  // namespace ramify
