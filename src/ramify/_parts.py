"""The parts in which a case with a missing value goes down."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ramify.tree import Tree


def branch_shares(tree: Tree, weights: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
    """Return the part of such a case that each node takes from its parent.

    The parts are those of prediction, bit for bit: weights are added in the order of the classes, and those
    of children from the first to the last.

    Parameters
    ----------
    tree : Tree
        The tree.
    weights : ndarray, optional
        What the nodes weigh; the sums of their counts if none are given.

    Returns
    -------
    ndarray, shape (node_count,)
        0 where no child of the parent has weight: then the case stays in the parent. 1 for the root.
    """
    if weights is None:
        weights = np.zeros(tree.node_count)
        for counts in tree.counts.T:
            weights = weights + counts
    total = np.zeros(tree.node_count)
    parent = tree.parent[1:]
    np.add.at(total, parent, weights[1:])  # one after the other, in the order of the nodes
    shares = np.ones(tree.node_count)
    shares[1:] = np.divide(weights[1:], total[parent], out=np.zeros(len(parent)), where=total[parent] > 0)
    return shares
