// From the settings of growth to what its searches need: how splits are scored, and by which scans.
#pragma once

#include "ramify/grow.hpp"
#include "ramify/search/node_search.hpp"

namespace ramify {

// Whether the powers of counts of these labels can be looked up.
bool looks_up_powers(double q, const Labels& labels);

// Whether numeric columns are scanned by running sums of powers: where powers stay in range, all branches have
// support, and no gain must be asked for beside the score.
bool scans_by_entropies(const GrowthSettings& settings, const Labels& labels);

// `runs`: some columns are runs, whose scans look up the powers of all counts; scans of counts alone are short,
// and do with a short table.
Scorebook make_scorebook(const GrowthSettings& settings, const Labels& labels, bool runs, Pool& pool);
// With a table of powers that is there already; null where powers can't be looked up.
Scorebook make_scorebook(const GrowthSettings& settings, const Labels& labels,
                         std::shared_ptr<const PowerTable> powers);

SearchSettings make_search_settings(const GrowthSettings& settings, const Labels& labels);

}  // namespace ramify
