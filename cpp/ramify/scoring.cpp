#include "ramify/scoring.hpp"

#include <stdexcept>

#include "ramify/criteria/registry.hpp"

namespace ramify {

namespace {

template <class C>
double evaluate(const Table& table, const Order& order, const PowerTable* powers) {
  if constexpr (Comparison<C>) {
    constexpr bool both = C::uses_branches_given_classes;
    if (powers != nullptr && table.as_read()) return C::compare(split_entropies(table, *powers, both));
    return C::compare(split_entropies(table, order, both));
  } else {
    return C::score(table, order);
  }
}

template <class C>
ScoreTables scorer_of(const Order& order, std::shared_ptr<const PowerTable> powers, double min_support) {
  return [order, powers = std::move(powers), min_support](const TableBatch& batch, double* scores) {
    static thread_local Table table;
    for (std::size_t t = 0; t < batch.tables; ++t) {
      table.read(batch.counts + t * batch.branches * batch.classes, batch.branches, batch.classes, min_support,
                 !C::info.judges_support);
      scores[t] = evaluate<C>(table, order, powers.get());
    }
  };
}

}  // namespace

ScoreTables make_scorer(const std::string& name, const Order& order, std::shared_ptr<const PowerTable> powers,
                        double min_support) {
  ScoreTables scorer;
  const bool known = with_criterion(name, [&]<class C>() { scorer = scorer_of<C>(order, powers, min_support); });
  if (!known) throw std::invalid_argument("unknown criterion: " + name);
  return scorer;
}

double entropy_left(const TableBatch& one, const Order& order, std::span<double> of_branches) {
  double n = 0.0;
  double left = 0.0;
  for (std::size_t j = 0; j < one.branches; ++j) {
    const double* const counts = one.counts + j * one.classes;
    double size = 0.0;
    for (std::size_t k = 0; k < one.classes; ++k) size += counts[k];
    const double weighted = size > 0.0 ? order.weighted(counts, one.classes, 1, size) : 0.0;
    of_branches[j] = size > 0.0 ? weighted / size : 0.0;
    left += weighted;
    n += size;
  }
  return left / n;
}

double gain_of(const TableBatch& one, const Order& order) {
  static thread_local Table table;
  table.read(one.counts, one.branches, one.classes, 0.0, false);
  return Gain::compare(split_entropies(table, order, false));
}

}  // namespace ramify
