// Subtree raising: a node may be replaced by its largest branch.
#pragma once

#include "ramify/prune/pessimistic.hpp"

namespace ramify {

// Prunes from the leaves up by replacement and raising, as J48 of Weka 3.6 does:
//   - first all sons of a node are pruned;
//   - it becomes a leaf if a leaf is estimated to err at most as much as its subtree, and as its largest branch
//     with all cases of the node sent down it;
//   - else, if that branch is estimated to err at most as much as the subtree, it takes the place of the node, is
//     counted again with the node's cases, and pruned again.
// "At most" allows for the slack. A raised split keeps its score and its runner-ups, which were those of its own
// node; counts, impurity, unknown weight and gain are computed anew.
Tree raise(Tree tree, const PessimisticSettings& settings, const TrainingCases& training, Pool& pool);

}  // namespace ramify
