"""What a node answers: from its class counts to shares, costs and votes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._parameters import is_number, is_real, refuse
from ramify.dialects import Dialect
from ramify.tree import Tree

Shares = NDArray[np.float64]

#: Shares that differ by rounding only are equal; the first class wins then.
ROUNDING = 1e-12


def check_smoothing(smoothing: Any) -> None:
    """Check that it is None, "laplace" or a positive number."""
    named = isinstance(smoothing, str) and smoothing == "laplace"
    if smoothing is None or named or (is_real(smoothing) and smoothing > 0):
        return
    raise refuse("smoothing", smoothing, "None, 'laplace' or a number > 0, the m of an m-estimate")


def check_cost_matrix(cost_matrix: Any, classes: NDArray[Any]) -> Shares | None:
    """Return the costs as an array, checked.

    Raises
    ------
    ValueError
        If it is not square, of the size of the classes, finite, not negative, and zero on its diagonal.
    """
    if cost_matrix is None:
        return None
    size = len(classes)
    accepted = (
        f"a {size} x {size} array of finite costs >= 0 with a zero diagonal, "
        f"the true class down and the predicted one across, in the order {classes.tolist()}"
    )
    masked = isinstance(cost_matrix, np.ma.MaskedArray)
    try:
        given = np.asarray(cost_matrix)
        numbers = given.dtype.kind in "fiu" or (
            given.dtype.kind == "O" and all(is_number(value) for value in given.ravel())
        )
        costs = given.astype(np.float64) if numbers and not masked else None
    except (TypeError, ValueError, OverflowError):
        costs = None
    if costs is None:
        raise refuse("cost_matrix", cost_matrix, accepted)
    if costs.shape != (size, size):
        raise ValueError(f"cost_matrix has the shape {costs.shape}; it must be {accepted}.")
    if not np.isfinite(costs).all() or (costs < 0).any():
        raise ValueError(f"cost_matrix has NaN, infinite or negative costs; it must be {accepted}.")
    if np.diag(costs).any():
        raise ValueError(f"cost_matrix has {np.diag(costs)} on its diagonal; it must be {accepted}.")
    return costs


def answering_of(
    class_weight: Shares, smoothing: Any, costs: Shares | None, dialect: Dialect
) -> _core.Answering:
    """Return how nodes answer, as the core wants to know it.

    Parameters
    ----------
    class_weight : ndarray
        The weights of the classes that are in the counts of the nodes.
    smoothing, costs, dialect
        The model's, checked.
    """
    return {
        "class_weight": class_weight if (class_weight != 1.0).any() else None,
        "smoothing": smoothing,
        # C4.5 smooths what it tells, not what it votes by.
        "voting": None if dialect.by_columns else smoothing,
        "costs": costs,
        "tolerance": dialect.tie_tolerance or ROUNDING,
    }


class Answers:
    """What the nodes of a fitted tree answer, worked out when it is first asked for.

    Parameters
    ----------
    tree : Tree
        The tree.
    class_weight : ndarray
        The weights of the classes that are in its counts.
    smoothing, costs, dialect
        The model's, checked.

    Attributes
    ----------
    answering : dict
        How nodes answer, as the core knows it.
    """

    def __init__(
        self, tree: Tree, class_weight: Shares, smoothing: Any, costs: Shares | None, dialect: Dialect
    ) -> None:
        self._tree = tree
        self.answering = answering_of(class_weight, smoothing, costs, dialect)

    @cached_property
    def _counts(self) -> Shares:
        return self._tree.answers()

    @cached_property
    def shares(self) -> Shares:
        """The share of each class in each node, class weights taken out again."""
        return _core.honest_shares(self._counts, self.answering)

    @cached_property
    def part_weights(self) -> Shares | None:
        """What the nodes weigh to a case that goes down in parts; None if it is what their counts say."""
        if self.answering["class_weight"] is None:
            return None
        honest = _core.honest_counts(self._counts, self.answering)
        # An empty leaf answers like its parent, but takes no part of a case.
        return np.where(self._tree.n_rows > 0, honest.sum(axis=1), 0.0)

    @cached_property
    def vote_shares(self) -> Shares:
        """The shares by which each node votes, class weights counted."""
        return _core.voting_shares(self._counts, self.answering)

    @cached_property
    def votes(self) -> NDArray[np.int64]:
        """The class that each node votes for."""
        return self.vote(self.vote_shares)

    def vote(self, shares: Shares) -> NDArray[np.int64]:
        """Return the class that each row of shares votes for.

        It is the largest share or, with costs, the least expected cost; a later class must be better by
        more than the tolerance.
        """
        return _core.votes(shares, self.answering)
