// From the settings of growth to what its searches need: how splits are scored, and by which scans.
#pragma once

#include "ramify/grow.hpp"
#include "ramify/search/node_search.hpp"

namespace ramify {

Scorebook make_scorebook(const GrowthSettings& settings, const Labels& labels, Pool& pool);

SearchSettings make_search_settings(const GrowthSettings& settings, const Labels& labels, const Scorebook& book);

}  // namespace ramify
