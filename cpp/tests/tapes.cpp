// Nodes that are written on a tape are read as they were, bit by bit.
#include <cmath>
#include <cstring>
#include <limits>

#include "check.hpp"
#include "ramify/path/node_tape.hpp"
#include "random.hpp"
#include "suite.hpp"

namespace ramify::tests {

namespace {

bool same(double a, double b) { return std::memcmp(&a, &b, sizeof(a)) == 0; }

// Whole numbers of any size, fractions, and what is neither.
double random_number(Random& random) {
  switch (random.below(6)) {
    case 0:
      return 0.0;
    case 1:
      return static_cast<double>(random.below(300));
    case 2:
      return static_cast<double>(random.log_between(1, std::size_t{1} << 52));
    case 3:
      return -random.uniform();
    case 4:
      return std::ldexp(random.uniform(), static_cast<int>(random.below(600)) - 300);
    default:
      return random.pick({-0.0, 9007199254740992.0, 1e300, 0.5, std::numeric_limits<double>::infinity()});
  }
}

SplitRule random_rule(Random& random, bool with_runner_ups) {
  SplitRule rule;
  rule.column = random.log_between(1, 1'000'000);
  rule.kind = static_cast<SplitKind>(random.below(5));
  rule.method = static_cast<SearchMethod>(random.below(4));
  rule.exact = random.below(2) == 0;
  rule.threshold = random_number(random);
  rule.score = random_number(random);
  rule.gain = random.below(2) == 0 ? rule.score : random_number(random);
  rule.missing_route = static_cast<std::int32_t>(random.below(5)) - 2;
  if (random.below(3) == 0) rule.n_branches = 2 + random.below(300);
  if (random.below(3) == 0) rule.unknown_weight = random_number(random);
  if (random.below(3) == 0) {
    for (std::size_t i = random.below(200); i > 0; --i) {
      rule.routes.push_back(static_cast<std::int32_t>(random.below(300)) - 1);
    }
  }
  if (with_runner_ups && random.below(3) == 0) {
    for (std::size_t i = random.below(4); i > 0; --i) rule.runner_ups.push_back(random_rule(random, false));
  }
  return rule;
}

void check_rule(const SplitRule& read, const SplitRule& written) {
  CHECK(read.column == written.column && read.kind == written.kind && read.method == written.method &&
            read.exact == written.exact && read.n_branches == written.n_branches,
        "another rule");
  CHECK(same(read.threshold, written.threshold) && same(read.score, written.score) &&
            same(read.gain, written.gain) && same(read.unknown_weight, written.unknown_weight),
        "other numbers of a rule");
  CHECK(read.missing_route == written.missing_route && read.routes == written.routes, "other routes");
  CHECK(read.runner_ups.size() == written.runner_ups.size(), "other runner-ups");
  for (std::size_t i = 0; i < std::min(read.runner_ups.size(), written.runner_ups.size()); ++i) {
    check_rule(read.runner_ups[i], written.runner_ups[i]);
  }
}

void run(std::uint64_t number) {
  Random random(number + 20'000'000);
  const std::size_t n_classes = 1 + random.below(random.below(4) == 0 ? 60 : 6);
  const bool whole = random.below(2) == 0;
  std::vector<TapedNode> written(1 + random.below(40));
  set_case("tapes " + std::to_string(number) + ": " + std::to_string(written.size()) + " nodes of " +
           std::to_string(n_classes) + " classes");
  TapeWriter tape;
  for (TapedNode& node : written) {
    for (std::size_t k = 0; k < n_classes; ++k) {
      node.counts.push_back(whole ? static_cast<double>(random.log_between(1, 100'000)) : random_number(random));
    }
    node.rows = random.log_between(1, std::size_t{1} << 40);
    node.impurity = random_number(random);
    node.leaf = random.below(2) == 0;
    if (!node.leaf) node.rule = random_rule(random, true);
    tape.add(node.counts, node.rows, node.impurity, node.leaf ? nullptr : &node.rule);
  }
  const std::vector<std::uint8_t> bytes(tape.bytes().begin(), tape.bytes().end());
  const std::uint8_t* next = bytes.data();
  TapedNode read;  // one for all, as trees are made: nothing of the node before stays
  for (const TapedNode& node : written) {
    read_node(next, n_classes, read);
    bool counts = read.counts.size() == n_classes;
    for (std::size_t k = 0; counts && k < n_classes; ++k) counts = same(read.counts[k], node.counts[k]);
    CHECK(counts && read.rows == node.rows && same(read.impurity, node.impurity), "another node");
    CHECK(read.leaf == node.leaf, "a leaf, or none");
    if (!node.leaf) check_rule(read.rule, node.rule);
  }
  CHECK(next == bytes.data() + bytes.size(), "all is read");
}

}  // namespace

Suite tapes_suite() { return {"tapes", 4000, 800, run}; }

}  // namespace ramify::tests
