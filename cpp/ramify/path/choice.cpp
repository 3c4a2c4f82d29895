#include "ramify/path/choice.hpp"

#include <algorithm>
#include <iterator>

namespace ramify {

namespace {

bool same_split(const SplitRule& a, const SplitRule& b) {
  return a.column == b.column && a.kind == b.kind && a.cut == b.cut && a.threshold == b.threshold &&
         a.routes == b.routes && a.missing_route == b.missing_route && a.n_branches == b.n_branches;
}

template <class Item>
void append(std::vector<Item>&& from, std::vector<Item>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

std::vector<Choice>::iterator choice_of(const SplitRule& split, std::vector<Choice>& choices) {
  return std::find_if(choices.begin(), choices.end(),
                      [&](const Choice& choice) { return same_split(choice.split, split); });
}

void add_choices_of_others(std::vector<Choice> others, std::vector<Choice>& choices) {
  for (Choice& other : others) {
    const auto same = choice_of(other.split, choices);
    if (same == choices.end()) {
      choices.push_back(std::move(other));
      continue;
    }
    append(std::move(other.orders), same->orders);
    append(std::move(other.verdicts), same->verdicts);
    append(std::move(other.runner_ups), same->runner_ups);
  }
}

}  // namespace ramify
