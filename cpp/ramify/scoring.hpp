// From a criterion's name to the scores of tables.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "ramify/criteria/criterion.hpp"

namespace ramify {

// Writes one score a table. Higher is better; a NaN marks a table that the criterion is not defined for.
using ScoreTables = std::function<void(const TableBatch&, double*)>;

// The scores of the criterion of that name, which must be a registered one. `powers` (may be null) is used
// for tables of whole numbers and must reach to their totals; everything else is computed by definition.
ScoreTables make_scorer(const std::string& name, const Order& order, std::shared_ptr<const PowerTable> powers,
                        double min_support);

// The entropy that a table's branches leave, by definition, and that of each of them, 0 of those that hold no
// case.
double entropy_left(const TableBatch& one, const Order& order, std::span<double> of_branches);

// The gain of a table by the definition of the entropy, whatever the criterion.
double gain_of(const TableBatch& one, const Order& order);

}  // namespace ramify
