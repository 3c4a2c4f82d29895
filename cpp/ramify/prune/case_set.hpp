// The training cases in a node, and their division among the branches of a split.
//
// A case is in a node as a whole, or in part: a missing value sends it down every branch, in parts as large as
// the branches' shares of the cases whose value is known. Whole cases are a stretch of one list of rows that all
// nodes share; a division rearranges the stretch so that each branch has a stretch of its own. So the set of a
// node stays what it is whatever is done to the sets below it, and only the parts need memory of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ramify/prune/pessimistic.hpp"

namespace ramify {

struct CaseSet {
  struct Part {
    std::uint32_t row;
    double weight;
  };
  std::size_t begin = 0;  // of the stretch of whole cases
  std::size_t end = 0;
  std::vector<Part> parts;

  std::size_t rows() const { return end - begin + parts.size(); }
};

class Cases {
 public:
  explicit Cases(const TrainingCases& training);

  // All cases of positive weight.
  CaseSet all() const { return {0, order_.size(), {}}; }

  // Adds the weights of the set to `counts`, one a class.
  void count(const CaseSet& set, double* counts) const;

  // What a split does to a set. `known` and `unknown` count by class: branches x classes, and the weight.
  struct Division {
    std::vector<CaseSet> branches;
    std::vector<double> known;
    double unknown = 0.0;
  };

  // Divides a set by the rule of a node. Rearranges the stretch of the set.
  Division divide(const CaseSet& set, const Tree& tree, std::size_t node);

 private:
  static constexpr std::int32_t kEverywhere = -1;  // a missing value that goes down every branch
  static constexpr std::int32_t kAstray = -2;      // a value that the split has no branch for

  double weight(std::uint32_t row) const { return weights_ == nullptr ? 1.0 : weights_[row]; }
  std::int32_t route_of(const Tree& tree, std::size_t node, std::uint32_t row, bool& missing) const;
  void place_whole(const CaseSet& set, const std::vector<double>& shares, Division& division);
  void place_parts(const CaseSet& set, const std::vector<double>& shares, Division& division) const;

  const std::vector<Feature>& features_;
  const std::uint32_t* classes_;
  const double* weights_;
  std::vector<std::uint32_t> order_;
  std::vector<std::uint32_t> moved_;
  std::vector<std::int32_t> routes_;  // the branch of each case of the set being divided, whole ones first
};

// The branch of the largest weight, the last of those that are equal as Weka compares.
std::size_t largest_branch(const std::vector<double>& weights);

}  // namespace ramify
