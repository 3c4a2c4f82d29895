// Trees grown from the counts of parts are the trees of memory, however rows are parted and nodes are taken.
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "check.hpp"
#include "equality.hpp"
#include "ramify/counted_growth.hpp"
#include "settings.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

// Some rows as codes, in memory of their own.
class StoredCodes {
 public:
  StoredCodes(const Storage& storage, const Dataset& dataset, const std::vector<Coding>& codings,
              const std::vector<std::size_t>& rows)
      : classes_(rows.size()), weights_(rows.size()) {
    rows_.rows = rows.size();
    for (std::size_t i = 0; i < rows.size(); ++i) {
      classes_[i] = dataset.classes[rows[i]];
      weights_[i] = dataset.weight(rows[i]);
    }
    rows_.classes = classes_.data();
    rows_.weights = storage.labels().weighting() == Weighting::unit ? nullptr : weights_.data();
    std::vector<std::byte> all(2 * dataset.rows());
    for (std::size_t column = 0; column < codings.size(); ++column) {
      const bool wide = is_wide(codings[column]);
      const std::size_t width = wide ? 2 : 1;
      const std::size_t done =
          write_codes(storage.features()[column], codings[column], dataset.rows(), all.data());
      if (done != dataset.rows()) throw std::logic_error("a value without a code");
      memory_.push_back(std::make_unique<std::byte[]>(rows.size() * width));
      for (std::size_t i = 0; i < rows.size(); ++i) {
        std::memcpy(memory_.back().get() + i * width, all.data() + rows[i] * width, width);
      }
      rows_.columns.push_back({memory_.back().get(), wide});
    }
  }

  const CodedRows& rows() const { return rows_; }

 private:
  std::vector<std::uint32_t> classes_;
  std::vector<double> weights_;
  std::vector<std::unique_ptr<std::byte[]>> memory_;
  CodedRows rows_;
};

template <class Cell>
std::vector<GivenCounts> to_given(const std::vector<Cell>& counts, const CellLayout& layout, std::size_t nodes) {
  std::vector<GivenCounts> given(nodes);
  for (std::size_t i = 0; i < nodes; ++i) {
    given[i].lanes = layout.lanes;
    if constexpr (std::is_same_v<Cell, double>) {
      given[i].real = counts.data() + i * layout.size();
    } else {
      given[i].whole = counts.data() + i * layout.size();
    }
  }
  return given;
}

template <class Cell>
void count_and_split(CountedGrowth& growth, const std::vector<std::int32_t>& nodes,
                     const std::vector<StoredCodes>& parts, Pool& pool) {
  const Frontier frontier(growth.tree(), growth.codings(), nodes);
  std::vector<Cell> counts(nodes.size() * growth.layout().size(), Cell{0});
  for (const StoredCodes& part : parts) {
    add_counts(part.rows(), frontier.slots(part.rows(), pool), nodes.size(), growth.layout(),
               growth.population().totals.size(), counts.data(), pool);
  }
  growth.split(nodes, to_given(counts, growth.layout(), nodes.size()), pool);
}

void fetch_and_grow(CountedGrowth& growth, const std::vector<std::int32_t>& nodes,
                    const std::vector<StoredCodes>& parts, Pool& pool) {
  const Frontier frontier(growth.tree(), growth.codings(), nodes);
  std::vector<std::size_t> sizes;
  for (const std::int32_t node : nodes) {
    sizes.push_back(static_cast<std::size_t>(growth.tree().n_rows[static_cast<std::size_t>(node)]));
  }
  FetchedRows fetched(growth.codings(), sizes, growth.population().weighting != Weighting::unit);
  for (const StoredCodes& part : parts) fetched.add(part.rows(), frontier.slots(part.rows(), pool).data());
  CHECK(fetched.complete(), "all rows were fetched");
  growth.grow_below(nodes, fetched, pool);
}

std::vector<StoredCodes> part(Random& random, const Storage& storage, const Dataset& dataset,
                              const std::vector<Coding>& codings) {
  std::vector<std::vector<std::size_t>> rows(random.between(1, 5));
  for (std::size_t row = 0; row < dataset.rows(); ++row) rows[random.below(rows.size())].push_back(row);
  std::vector<StoredCodes> parts;
  for (const std::vector<std::size_t>& some : rows) parts.emplace_back(storage, dataset, codings, some);
  return parts;
}

void grow_on(Random& random, CountedGrowth& growth, const std::vector<StoredCodes>& parts, Pool& pool) {
  while (!growth.open().empty()) {
    std::vector<std::int32_t> nodes;
    for (const std::int32_t node : growth.open()) {
      if (nodes.empty() || random.chance(0.6)) nodes.push_back(node);
    }
    if (random.chance(0.2)) {
      fetch_and_grow(growth, nodes, parts, pool);
    } else if (growth.population().weighting == Weighting::real) {
      count_and_split<double>(growth, nodes, parts, pool);
    } else {
      count_and_split<std::int64_t>(growth, nodes, parts, pool);
    }
    if (random.chance(0.2)) {  // as from a checkpoint
      auto [tree, open] = growth.state();
      growth.restore(std::move(tree), std::move(open));
    }
  }
}

// Makes of real weights such as have no rests when they are added in any order: then nothing excuses a difference.
void make_sums_exact(Dataset& dataset) {
  double sum = 0.0;
  for (const double weight : dataset.weights) sum += weight;
  if (dataset.weights.empty() || sum == 0.0) return;
  const int unit = std::ilogb(sum) - 45;  // all are multiples of a power of two, and the sum is below 2^53 of them
  for (double& weight : dataset.weights) weight = std::ldexp(std::ceil(std::ldexp(weight, -unit)), unit);
}

void run(std::uint64_t number) {
  Random random(number + 9000);
  Trial trial = random_trial(random, number);
  trial.settings.cuts = random.chance(0.8) ? Cuts::quantile : Cuts::equal_width;
  trial.settings.missing = random.chance(0.5) ? Missing::best_branch : Missing::own_branch;
  trial.settings.max_bins = std::max<std::uint32_t>(trial.settings.max_bins, 2);
  if (random.chance(0.2)) trial.settings.max_features = 1;
  trial.shape.rows = std::min<std::size_t>(trial.shape.rows, 1200);
  Dataset dataset = random_dataset(random, trial.shape);
  if (random.chance(0.5)) {
    for (Field& field : dataset.fields) {
      for (double& value : field.values) {
        if (random.chance(0.08)) value = field.nominal() ? kMissingCategory : std::nan("");
      }
    }
  }
  make_sums_exact(dataset);
  const Storage storage(dataset);
  Pool pool(trial.jobs);
  const Tree tree = grow(storage.features(), storage.labels(), trial.settings, pool);

  const Columns columns(storage.features(), storage.labels(), trial.settings.cuts, trial.settings.max_bins, false,
                        pool);
  std::vector<Coding> codings;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!columns[i].dense) return;  // more categories than codes of 16 bits
    codings.push_back(columns[i]);
  }
  const Labels& labels = storage.labels();
  CountedGrowth growth(trial.settings, codings,
                       {labels.rows(), labels.totals(), labels.weighting(), labels.smallest()}, pool);
  grow_on(random, growth, part(random, storage, dataset, codings), pool);
  const Tree other = growth.finished();
  const std::string what = difference(tree, other);
  CHECK(what.empty(), trial.settings.criterion + " from counts: " + what);
  CHECK(other.problem(dataset.n_categories()).empty(), "the tree is one");
}

}  // namespace

Suite counted_suite() { return {"counted", 1200, 150, run}; }

}  // namespace ramify::tests
