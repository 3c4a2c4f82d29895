// All criteria, from the lists of their families, and the one place where a name becomes code.
#pragma once

#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "ramify/criteria/direct.hpp"
#include "ramify/criteria/distances.hpp"
#include "ramify/criteria/gains.hpp"

namespace ramify {

namespace detail {

template <class... A, class... B, class... C>
CriterionList<A..., B..., C...> join(CriterionList<A...>, CriterionList<B...>, CriterionList<C...>);

template <class Visit, class... Criteria>
bool visit_named(std::string_view name, Visit& visit, CriterionList<Criteria...>) {
  return ((name == Criteria::info.name && (visit.template operator()<Criteria>(), true)) || ...);
}

template <class... Criteria>
std::vector<CriterionInfo> infos(CriterionList<Criteria...>) {
  return {Criteria::info...};
}

}  // namespace detail

using AllCriteria = decltype(detail::join(Gains{}, Distances{}, DirectCriteria{}));

inline std::vector<CriterionInfo> list_criteria() { return detail::infos(AllCriteria{}); }

// Calls visit.operator()<C>() with the criterion of that name; false if there is none.
template <class Visit>
bool with_criterion(std::string_view name, Visit&& visit) {
  return detail::visit_named(name, visit, AllCriteria{});
}

}  // namespace ramify
