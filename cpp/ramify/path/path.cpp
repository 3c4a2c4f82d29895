#include "ramify/path/path.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <unordered_map>

#include "ramify/heap.hpp"
#include "ramify/scorebook.hpp"

namespace ramify {

namespace {

// Codes of these columns depend on the rows that are trained on.
bool codes_are_learned(const GrowthSettings& settings) {
  return settings.cuts == Cuts::quantile || settings.cuts == Cuts::equal_width || keeps_values(settings);
}

void make_lasting(std::span<Orders> orders) {
  orders[0].make_lasting();
  for (Orders& others : orders.subspan(1)) others.share_lasting(orders[0]);
}

std::vector<std::uint8_t> marks_of(std::span<const std::uint32_t> some, std::size_t rows) {
  std::vector<std::uint8_t> marks(rows, 0);
  for (const std::uint32_t row : some) marks[row] = 1;
  return marks;
}

// Gives free pages back to the system whenever so many nodes have gone, not more often: to walk the heap takes
// time.
class PageReturn {
 public:
  void count(std::size_t nodes) {
    if ((nodes_ += nodes) < kNodesAtOnce) return;
    nodes_ = 0;
    give_back_free_pages();
  }

 private:
  static constexpr std::size_t kNodesAtOnce = std::size_t{1} << 18;

  std::atomic<std::size_t> nodes_{0};
};

// The trees of a path that has grown, one for orders with the same tree, or one for every order.
PathTrees make_trees(PathGrower& grower, const std::vector<double>& qs, std::size_t n_classes, bool every,
                     Pool& pool) {
  PathTrees path;
  std::unordered_map<std::uint64_t, std::uint32_t> known;  // by signature
  std::vector<char> wanted;                                // of each order: its tree is made
  for (std::size_t order = 0; order < qs.size(); ++order) {
    const auto next = static_cast<std::uint32_t>(known.size());
    const auto [found, fresh] = known.emplace(every ? order : grower.signature(order), next);
    wanted.push_back(fresh ? 1 : 0);
    path.which.push_back(found->second);
  }
  path.trees.resize(known.size());
  PageReturn pages;
  pool.for_each(qs.size(), [&](std::size_t order, std::size_t) {
    const std::size_t nodes = grower.n_nodes(order);
    if (wanted[order] != 0) {
      path.trees[path.which[order]] = tree_of(grower.root(), order, qs[order], n_classes, nodes);
    }
    grower.give_up(order);
    if (wanted[order] != 0) pages.count(nodes);
  });
  return path;
}

}  // namespace

Path::Path(std::vector<Feature> features, const std::uint32_t* classes, std::size_t rows, std::uint32_t n_classes)
    : features_(std::move(features)), classes_(classes), rows_(rows), n_classes_(n_classes) {}

bool Path::in_parts(const GrowthSettings& settings) const {
  return settings.missing == Missing::fractional &&
         std::any_of(features_.begin(), features_.end(), [](const Feature& feature) { return feature.may_miss; });
}

const Columns& Path::shared_columns(Pool& pool) {
  if (!columns_) {
    const Labels all(classes_, rows_, n_classes_, nullptr);
    columns_ = std::make_unique<Columns>(features_, all, Cuts::exact, 0, false, pool);
  }
  return *columns_;
}

std::span<Orders> Path::orders_for(const std::vector<double>& qs, std::span<const Labels> labels,
                                   std::size_t workers) {
  bool looked_up = false;
  double largest = 0.0;
  for (const Labels& some : labels) {
    if (some.mode() == TagMode::weighted) continue;
    looked_up = true;
    largest = std::max(largest, some.total());
  }
  const auto count = static_cast<std::size_t>(largest);
  const auto suit = [&](const Orders& orders) {
    return orders.qs() == qs && orders.looked_up() == looked_up && orders.largest() >= count;
  };
  // What few workers have room for is too much for each of many.
  if (orders_.size() < workers || !suit(orders_[0])) {
    orders_.clear();
    orders_.emplace_back(qs, count, looked_up, workers);
  }
  while (orders_.size() < workers) orders_.push_back(orders_[0].for_another());
  return std::span(orders_).first(workers);
}

PathTrees Path::trees_one_by_one(const Fold& fold, const Labels& labels, const std::vector<double>& qs,
                                 Pool& pool) {
  PathTrees path;
  for (const double q : qs) {
    GrowthSettings settings = fold.settings;
    settings.q = q;
    path.which.push_back(static_cast<std::uint32_t>(path.trees.size()));
    path.trees.push_back(ramify::grow(features_, labels, settings, pool));
  }
  return path;
}

bool Path::takes_some_rows(const GrowthSettings& settings) {
  return !codes_are_learned(settings) && settings.max_leaf_nodes == kUnlimited;
}

PathTrees Path::trees(const Fold& fold, const std::vector<double>& qs, bool every, Pool& pool) {
  const bool learned = codes_are_learned(fold.settings);
  const bool best_first = fold.settings.max_leaf_nodes != kUnlimited;
  const bool all = fold.train.size() == rows_;
  if (!all && !takes_some_rows(fold.settings))
    throw std::invalid_argument("these settings need a path of these rows alone");
  const Labels labels(classes_, rows_, n_classes_, fold.weights.empty() ? nullptr : fold.weights.data(),
                      in_parts(fold.settings), all ? std::span<const std::uint32_t>{} : fold.train);
  if (best_first) return trees_one_by_one(fold, labels, qs, pool);

  std::unique_ptr<Columns> own;
  if (learned) {
    own = std::make_unique<Columns>(features_, labels, fold.settings.cuts, fold.settings.max_bins,
                                    keeps_values(fold.settings), pool);
  }
  const Columns& columns = learned ? *own : shared_columns(pool);
  const std::vector<std::uint8_t> marks = all ? std::vector<std::uint8_t>() : marks_of(fold.train, rows_);
  const std::span<Orders> orders = orders_for(qs, {&labels, 1}, pool.size());
  make_lasting(orders);
  PathWorkers workers(pool);
  PathWishes wishes;
  wishes.keep = true;
  PathGrower grower(columns, labels, all ? nullptr : marks.data(), fold.settings, orders, std::move(wishes));
  grower.grow(workers, pool);
  return make_trees(grower, qs, n_classes_, every, pool);
}

Tally Path::evaluate_fold(const Fold& fold, const Labels& labels, const double* test_weights,
                          std::span<Orders> orders, const std::function<void(PathGrower&)>& grow) {
  const std::vector<std::uint8_t> marks = marks_of(fold.train, rows_);
  Tally tally(orders[0].size(), 1.0);
  const Exam exam{features_,      classes_,        test_weights,
                  fold.answering, labels.totals(), terms_of(fold.test, test_weights)};
  PathWishes wishes;
  wishes.tally = &tally;
  wishes.exam = &exam;
  wishes.tested.assign(fold.test.begin(), fold.test.end());
  PathGrower grower(*columns_, labels, marks.data(), fold.settings, orders, std::move(wishes));
  grow(grower);
  return tally;
}

std::vector<Tally> Path::evaluate(const std::vector<Fold>& folds, const double* test_weights,
                                  const std::vector<double>& qs, Pool& pool) {
  std::vector<Labels> labels;
  labels.reserve(folds.size());
  for (const Fold& fold : folds) {
    if (!takes_some_rows(fold.settings) || in_parts(fold.settings)) {
      throw std::invalid_argument("trees of these settings can't be evaluated without being kept");
    }
    labels.emplace_back(classes_, rows_, n_classes_, fold.weights.empty() ? nullptr : fold.weights.data(), false,
                        fold.train);
  }
  if (folds.empty()) return {};
  shared_columns(pool);
  const std::span<Orders> orders = orders_for(qs, labels, pool.size());
  PathWorkers workers(pool);
  std::vector<Tally> tallies(folds.size(), Tally(qs.size()));
  bool by_lanes = true;
  for (std::size_t i = 0; i < folds.size(); ++i) {
    by_lanes = by_lanes && PathSearch::by_lanes_only(*columns_, labels[i], folds[i].settings, orders[0]);
  }
  if (!by_lanes) make_lasting(orders);
  // A worker a fold, unless there are too few, or the rows of so many would take much memory.
  constexpr std::size_t kMostCells = std::size_t{1} << 22;
  if (folds.size() >= pool.size() && rows_ * features_.size() <= kMostCells) {
    pool.for_each(folds.size(), [&](std::size_t i, std::size_t worker) {
      tallies[i] = evaluate_fold(folds[i], labels[i], test_weights, orders.subspan(worker, 1),
                                 [&](PathGrower& grower) { grower.grow_alone(workers, pool, worker); });
    });
  } else {
    for (std::size_t i = 0; i < folds.size(); ++i) {
      tallies[i] = evaluate_fold(folds[i], labels[i], test_weights, orders,
                                 [&](PathGrower& grower) { grower.grow(workers, pool); });
    }
  }
  return tallies;
}

}  // namespace ramify
