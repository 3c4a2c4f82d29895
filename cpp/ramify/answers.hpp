// What a node answers: from its class counts to shares and a vote. One node at a time, without memory of its own,
// since whole paths of trees are answered leaf by leaf.
#pragma once

#include <cstddef>
#include <vector>

namespace ramify {

// What is added to the counts of a node before it answers.
struct Smoothing {
  enum class Kind {
    none,
    laplace,     // one case of each class
    m_estimate,  // m cases in the proportions of the root
  };
  Kind kind = Kind::none;
  double m = 0.0;  // > 0 for an m-estimate
};

// Costs, classes x classes or none, in units of the largest: so a tolerance means the same whatever costs are
// counted in.
std::vector<double> in_units_of_the_largest(std::vector<double> costs);

// How the nodes of a tree answer. A later class is voted for only if it is better by more than the tolerance.
struct Answering {
  std::vector<double> class_weight;  // the weights that are in the counts; empty: all 1
  Smoothing smoothing;               // of the shares
  Smoothing voting;                  // of the shares by which nodes vote
  std::vector<double> costs;         // in units of the largest, the true class down; empty: the largest share wins
  double tolerance = 1e-12;
};

// All write one number a class to `out`, which may be `counts` itself but for the root. A node without cases has
// shares of 0 before it is smoothed; where it is to answer like its parent, the caller gives the parent.s counts.

// The counts without class weights; a class of weight 0 was left out, and has no cases to count.
void honest_counts(const Answering& how, const double* counts, std::size_t classes, double* out);

// The shares of the classes, class weights taken out again.
void honest_shares(const Answering& how, const double* counts, const double* root, std::size_t classes,
                   double* out);

// The shares by which a node votes, class weights counted.
void voting_shares(const Answering& how, const double* counts, const double* root, std::size_t classes,
                   double* out);

// The class that such shares vote for: the largest or, with costs, the one of the least expected cost.
std::size_t vote_of(const Answering& how, const double* shares, std::size_t classes);

}  // namespace ramify
