// The best split of a node by the definitions: every cut and every subset, scored one by one, and the tie rule.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "dataset.hpp"
#include "ramify/grow.hpp"

namespace ramify::tests {

// Candidates in the order of the search, and which of them must win.
struct Choice {
  bool found = false;
  double best = 0.0;   // the highest score of all
  double scale = 0.0;  // what scores are compared with: max(|best|, entropy of the node), at least 1 for shares
  std::size_t column = 0;
  double threshold = 0.0;            // of a numeric column
  std::vector<std::int32_t> routes;  // of a nominal one: the branch of each category, -1 for those not there
  bool in_doubt = false;             // some score is so near the limit of a tie that rounding decides
  bool by_subsets = true;            // every nominal column is small enough for the core to try all subsets
};

class Reference {
 public:
  // For exact cuts and whatever the settings ask of a split of a node.
  Reference(const Dataset& dataset, const GrowthSettings& settings);

  // Nothing if some nominal column has too many categories to try all of their subsets.
  std::optional<Choice> choose(const std::vector<std::size_t>& rows) const;

 private:
  struct Candidate {
    double score;
    double threshold;
    std::vector<std::int32_t> routes;
  };
  struct Node {
    const std::vector<std::size_t>& rows;
    std::vector<double> counts;
    double weight;
    double entropy;
  };

  void offer(const Node& node, std::size_t left_rows, const std::vector<double>& tables, std::size_t branches,
             Candidate candidate, std::vector<Candidate>& out) const;
  void numeric(const Node& node, const Field& field, std::vector<Candidate>& out) const;
  void nominal(const Node& node, const Field& field, std::vector<Candidate>& out, bool& by_subsets) const;
  double score(const std::vector<double>& tables, std::size_t branches) const;
  double gain(const std::vector<double>& tables, std::size_t branches) const;

  const Dataset& dataset_;
  const GrowthSettings& settings_;
  Order order_;
  ScoreTables scorer_;
  double total_;
  bool two_branches_only_ = false;
  bool is_share_ = false;
};

}  // namespace ramify::tests
