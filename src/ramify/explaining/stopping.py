"""Why a leaf asks nothing more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ramify._parameters import check_pruning, rows_or_share

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier


def stopping_reason(model: TreeClassifier, node: int, depth: int) -> str:
    """Return the sentence on why a node is a leaf.

    The first rule is named that was certainly at work. Where a pruned tree has a leaf that no rule of growing
    explains, it may have been cut back or grown no further; the finished tree does not tell which.

    Parameters
    ----------
    model : TreeClassifier
        Fitted, no subclass that chose its parameters itself.
    node, depth : int
        The leaf, and the number of splits above it.
    """
    tree = model.tree_
    rows, all_rows = int(tree.n_rows[node]), int(tree.n_rows[0])
    pruning = check_pruning(model)
    few_to_split = rows_or_share("min_samples_split", model.min_samples_split, all_rows, 2)
    few_in_leaf = rows_or_share("min_samples_leaf", model.min_samples_leaf, all_rows, 1)
    rules = (
        (np.count_nonzero(tree.counts[node]) == 1, "There is nothing left to ask."),
        (
            model.max_depth is not None and depth >= model.max_depth,
            f"No further question is asked, because max_depth={model.max_depth} is reached.",
        ),
        (
            rows < few_to_split,
            f"No further question is asked of so few (min_samples_split={model.min_samples_split}).",
        ),
        (
            rows < 2 * few_in_leaf,
            f"They are too few for two branches (min_samples_leaf={model.min_samples_leaf}).",
        ),
        (
            pruning is not None,
            f"The tree was cut back to this leaf (pruning={pruning!r}), or no admissible question was left.",
        ),
        (
            model.max_leaf_nodes is not None and tree.n_leaves >= model.max_leaf_nodes,
            f"No further question is asked, because max_leaf_nodes={model.max_leaf_nodes} is reached.",
        ),
        (True, f"No column is left that could part them{_within_limits(model)}."),
    )
    return next(sentence for at_work, sentence in rules if at_work)


def _within_limits(model: TreeClassifier) -> str:
    """Return the limits that an admissible split had to keep, in brackets."""
    limits = [
        f"{name}={getattr(model, name)!r}"
        for name, off in (("min_samples_leaf", 1), ("min_impurity_decrease", 0.0))
        if getattr(model, name) != off
    ]
    if model.dialect != "plain":
        limits.append("the rules of the dialect")
    return f" within the limits ({', '.join(limits)})" if limits else ""
