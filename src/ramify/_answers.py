"""What a node answers: from its class counts to shares, costs and votes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

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


def shares_of(counts: Shares, smoothing: Any) -> Shares:
    """Return the class shares of each node by its counts, the root's first.

    Laplace adds one case to each class; an m-estimate adds m cases in the proportions of the root.
    """
    total: Shares = counts.sum(axis=1, keepdims=True)
    if isinstance(smoothing, str):
        smoothed: Shares = (counts + 1.0) / (total + counts.shape[1])
        return smoothed
    shares: Shares = np.divide(counts, total, out=np.zeros_like(counts), where=total > 0)
    if smoothing is None:
        return shares
    # The part of the added cases, written so that no m is too large; without a case it is all.
    added: Shares = 1.0 / (1.0 + total / float(smoothing))
    mixed: Shares = (1.0 - added) * shares + added * shares[0]
    return mixed


def voting_smoothing(smoothing: Any, dialect: Dialect) -> Any:
    """Return the smoothing by which nodes vote: C4.5 smooths what it tells, not what it votes by."""
    return None if dialect.by_columns else smoothing


def vote(shares: Shares, costs: Shares | None, tolerance: float) -> NDArray[np.intp]:
    """Return the class that each row of shares votes for.

    It is the largest share or, with costs, the least expected cost; a later class must be better by more
    than the tolerance.
    """
    # In units of the largest cost, so that the tolerance means the same whatever costs are counted in.
    worth = shares if costs is None else -(shares @ (costs / max(float(costs.max()), np.finfo(float).tiny)))
    winner = np.zeros(len(worth), dtype=np.intp)
    best = worth[:, 0].copy()
    for k in range(1, worth.shape[1]):
        better = worth[:, k] > best + tolerance
        winner[better] = k
        best[better] = worth[better, k]
    return winner


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
    """

    def __init__(
        self, tree: Tree, class_weight: Shares, smoothing: Any, costs: Shares | None, dialect: Dialect
    ) -> None:
        self._tree = tree
        self._class_weight = class_weight
        self._smoothing = smoothing
        self._voting_smoothing = voting_smoothing(smoothing, dialect)
        self._costs = costs
        self._tolerance = dialect.tie_tolerance or ROUNDING

    @cached_property
    def _weighted(self) -> bool:
        return bool((self._class_weight != 1.0).any())

    @cached_property
    def _honest_counts(self) -> Shares:
        """The counts without class weights; a class of weight 0 was left out, and has no cases to count."""
        counts, weight = self._tree.answers(), self._class_weight
        if not self._weighted:
            return counts
        return np.divide(counts, weight, out=np.zeros_like(counts), where=weight > 0)

    @cached_property
    def shares(self) -> Shares:
        """The share of each class in each node, class weights taken out again."""
        return shares_of(self._honest_counts, self._smoothing)

    @cached_property
    def part_weights(self) -> Shares | None:
        """What the nodes weigh to a case that goes down in parts; None if it is what their counts say."""
        if not self._weighted:
            return None
        # An empty leaf answers like its parent, but takes no part of a case.
        return np.where(self._tree.n_rows > 0, self._honest_counts.sum(axis=1), 0.0)

    @cached_property
    def vote_shares(self) -> Shares:
        """The shares by which each node votes, class weights counted."""
        return shares_of(self._tree.answers(), self._voting_smoothing)

    @cached_property
    def votes(self) -> NDArray[np.intp]:
        """The class that each node votes for."""
        return self.vote(self.vote_shares)

    def vote(self, shares: Shares) -> NDArray[np.intp]:
        """Return the class that each row of shares votes for."""
        return vote(shares, self._costs, self._tolerance)
