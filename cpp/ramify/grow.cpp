#include "ramify/grow.hpp"

#include "ramify/scorebook.hpp"
#include "ramify/tree_grower.hpp"

namespace ramify {

Tree grow(const std::vector<Feature>& features, const Labels& labels, const GrowthSettings& settings, Pool& pool) {
  Columns columns(features, labels, settings.cuts, settings.max_bins, keeps_values(settings), pool);
  const Scorebook book = make_scorebook(settings, labels, columns.n_runs() > 0, pool);
  Rows rows(columns, labels);
  const NodeSearch search(rows, labels, book, make_search_settings(settings, labels));
  std::vector<GrowingWorker> workers = make_growing_workers(pool);
  TreeGrower grower(rows, labels, settings, search, pool, workers);
  const GrowingNode& root = grower.grow();
  columns.give_up();  // before the tree is written down: memory peaks here
  return finish(root, labels.n_classes());
}

}  // namespace ramify
