// How some of the orders that share a node split it.
#pragma once

#include <cstdint>
#include <vector>

#include "ramify/path/orders.hpp"
#include "ramify/split.hpp"

namespace ramify {

// Some orders of a node, ascending, and the split that all of them choose.
struct Choice {
  OrderList orders;
  // One an order, if asked for.
  std::vector<Verdict> verdicts;
  std::vector<std::vector<SplitRule>> runner_ups;
  std::uint32_t place = 0;  // of a cut, among those of its column
  Split split;
};

// The choice of this split, if one of them is.
std::vector<Choice>::iterator choice_of(const SplitRule& split, std::vector<Choice>& choices);

// Joins the choices of other orders of the same node, all of them behind those that have chosen already.
void add_choices_of_others(std::vector<Choice> others, std::vector<Choice>& choices);

}  // namespace ramify
