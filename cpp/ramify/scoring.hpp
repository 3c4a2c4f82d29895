// From a criterion's name to the scores of tables.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "ramify/criteria/criterion.hpp"

namespace ramify {

// The four entropies of a table, by whichever form of the entropy is given.
template <class Entropy>
SplitEntropies split_entropies(const Table& table, const Entropy& entropy, bool with_branches_given_classes) {
  SplitEntropies h;
  const double n = table.total();
  const std::size_t classes = table.classes();
  h.classes = entropy.weighted(table.class_totals(), classes, 1, n) / n;
  h.branches = entropy.weighted(table.branch_totals(), table.branches(), 1, n) / n;
  for (std::size_t j = 0; j < table.branches(); ++j) {
    h.classes_given_branches += entropy.weighted(table.row(j), classes, 1, table.in_branch(j));
  }
  h.classes_given_branches /= n;
  if (with_branches_given_classes) {
    for (std::size_t k = 0; k < classes; ++k) {
      const double size = table.in_class(k);
      if (size > 0.0) {
        h.branches_given_classes += entropy.weighted(table.row(0) + k, table.branches(), classes, size);
      }
    }
    h.branches_given_classes /= n;
  }
  return h;
}

// Writes one score a table. Higher is better; a NaN marks a table that the criterion is not defined for.
using ScoreTables = std::function<void(const TableBatch&, double*)>;

// The scores of the criterion of that name, which must be a registered one. `powers` (may be null) is used
// for tables of whole numbers and must reach to their totals; everything else is computed by definition.
ScoreTables make_scorer(const std::string& name, const Order& order, std::shared_ptr<const PowerTable> powers,
                        double min_support);

// The gain of a table by the definition of the entropy, whatever the criterion.
double gain_of(const TableBatch& one, const Order& order);

}  // namespace ramify
