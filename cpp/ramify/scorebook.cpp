#include "ramify/scorebook.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "ramify/criteria/registry.hpp"

namespace ramify {

namespace {

// Every branch that holds a row has the weight of that row in some class at least, unless it holds parts of rows.
bool all_have_support(const GrowthSettings& settings, const Labels& labels) {
  return settings.min_support <= (labels.in_parts() ? 0.0 : labels.smallest());
}

}  // namespace

bool scans_by_entropies(const GrowthSettings& settings, const Labels& labels) {
  const bool gain_is_score = settings.criterion == Gain::info.name;
  const bool gain_matters = settings.min_impurity_decrease > 0.0 && !gain_is_score;
  return entropy_scans(settings.criterion, labels.mode()).run != nullptr &&
         PowerTable::fits(Order(settings.q), labels.total(), labels.smallest()) &&
         all_have_support(settings, labels) && !gain_matters;
}

bool looks_up_powers(double q, const Labels& labels) {
  return labels.mode() != TagMode::weighted && PowerTable::fits(Order(q), labels.total(), 1.0);
}

Scorebook make_scorebook(const GrowthSettings& settings, const Labels& labels, bool runs, Pool& pool) {
  constexpr std::size_t kShort = 1 << 20;
  std::shared_ptr<const PowerTable> powers;
  if (looks_up_powers(settings.q, labels)) {
    const bool all = runs || settings.dialect.by_columns;
    const auto total = static_cast<std::size_t>(labels.total());
    powers = std::make_shared<PowerTable>(Order(settings.q), all ? total : std::min(total, kShort), pool);
  }
  return make_scorebook(settings, labels, std::move(powers));
}

Scorebook make_scorebook(const GrowthSettings& settings, const Labels& labels,
                         std::shared_ptr<const PowerTable> powers) {
  Scorebook book(Order(settings.q));
  book.min_support = settings.min_support;
  book.in_range = PowerTable::fits(book.order, labels.total(), labels.smallest());
  book.powers = std::move(powers);
  const std::string& name = settings.criterion;
  if (name.empty()) {
    book.score = [&score = settings.callable](const TableBatch& batch, double* scores) {
      score(batch, scores);
      // A NaN or minus infinity is never chosen; an infinite score could not be stored or compared.
      if (std::find(scores, scores + batch.tables, std::numeric_limits<double>::infinity()) !=
          scores + batch.tables) {
        throw std::invalid_argument("a criterion's scores must be finite");
      }
    };
    book.definition = book.score;
    book.is_callable = true;
    return book;
  }
  CriterionInfo info{};
  const bool known = with_criterion(name, [&]<class C>() {
    info = C::info;
    if constexpr (Comparison<C>) book.compare = C::template compare<double>;
  });
  if (!known) {
    throw std::invalid_argument("unknown criterion: " + name);
  }
  book.score = make_scorer(name, book.order, book.powers, settings.min_support);
  book.definition = make_scorer(name, book.order, nullptr, settings.min_support);
  book.score_is_gain = name == Gain::info.name && all_have_support(settings, labels);
  book.share_order_is_exact = info.share_order_is_exact && all_have_support(settings, labels);
  book.two_branches_only = info.two_branches_only;
  book.score_is_share = info.is_share;
  return book;
}

SearchSettings make_search_settings(const GrowthSettings& settings, const Labels& labels) {
  SearchSettings search;
  search.scans = scans_by_entropies(settings, labels) ? entropy_scans(settings.criterion, labels.mode())
                                                      : table_scans(labels.mode());
  search.dialect = settings.dialect;
  search.cuts = settings.cuts;
  search.multiway = settings.multiway;
  search.missing = settings.missing;
  search.n_runner_ups = settings.n_runner_ups;
  if (!settings.dialect.by_columns) return search;
  search.steps = step_scans(settings.dialect.cut_criterion, labels.mode());
  if (search.steps.run == nullptr) throw std::invalid_argument("a dialect's cut criterion must compare entropies");
  return search;
}

}  // namespace ramify
