"""Every criterion as a function of one table of counts, straight from its formula.

A table has a row for each branch and a column for each class. Counts may be real numbers (weights).
Rows that hold nothing are left out before anything is computed. Scores are higher is better, so
what the papers minimise is negated; 0/0 is 0.

``min_support`` is a count S. A branch is supported when its largest class count is at least S. The
row of an unsupported branch is replaced by the parent's class distribution times the branch's size,
and the criterion sees only the table so made, its margins too. The criteria that count
misclassified cases (purity and its kin) take the whole branch as misclassified instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ramify import measures
from ramify.criteria import find_criterion

Table = NDArray[np.float64]


# Entropy


def entropy(p: ArrayLike, q: float) -> float:
    """S_q of a distribution p (which sums to 1), in nats at q = 1; any real q.

    Since sum p = 1, (1 - sum p^q) / (q - 1) is also -sum p (p^(q-1) - 1) / (q - 1). In that form
    ``expm1`` keeps all digits however near q is to 1, where the first form loses them.
    """
    shares = np.asarray(p, dtype=np.float64)
    shares = shares[shares > 0]
    if q == 1:
        return float(-np.sum(shares * np.log(shares)))
    # For very negative q the entropy of a small share is beyond a double: infinity is the answer.
    with np.errstate(over="ignore"):
        return float(-np.sum(shares * np.expm1((q - 1) * np.log(shares))) / (q - 1))


def _distribution(counts: Table) -> Table:
    return np.asarray(counts / counts.sum())


def _conditional_entropy(table: Table, q: float) -> float:
    """sum_j p_j S_q(row j); the transposed table gives the entropy the other way round."""
    sizes = table.sum(axis=1)
    shares = sizes / sizes.sum()
    return sum(
        float(share) * entropy(_distribution(row), q)
        for share, row in zip(shares, table, strict=True)
        if share > 0  # a class that is absent is an empty row of the transposed table
    )


def _class_entropy(table: Table, q: float) -> float:
    return entropy(_distribution(table.sum(axis=0)), q)


def _branch_entropy(table: Table, q: float) -> float:
    return entropy(_distribution(table.sum(axis=1)), q)


# Tables


def occupied(table: ArrayLike) -> Table:
    """The rows that hold cases, as floats; complains about what is no table of counts."""
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2:
        raise ValueError(f"a table has two dimensions, got {counts.ndim}")
    if not (np.isfinite(counts).all() and (counts >= 0).all()):
        raise ValueError("counts must be finite and not negative")
    return np.asarray(counts[counts.sum(axis=1) > 0])


def supported(counts: Table, min_support: float) -> NDArray[np.bool_]:
    """Which rows have a class with at least ``min_support`` cases, but for rounding."""
    return np.asarray(counts.max(axis=1) >= min_support * (1 - 1e-12))


def with_support(table: ArrayLike, min_support: float) -> Table:
    """The table that criteria see: occupied rows, the unsupported ones replaced."""
    counts = occupied(table)
    if len(counts) == 0:
        return counts
    # The parent is that of the table as it came, before any row of it is replaced.
    parent = _distribution(counts.sum(axis=0))
    replaced = counts.copy()
    for j, is_supported in enumerate(supported(counts, min_support)):
        if not is_supported:
            replaced[j] = counts[j].sum() * parent
    return replaced


def _ratio(numerator: float, denominator: float) -> float:
    return 0.0 if denominator == 0 else numerator / denominator


# The family with an order


def gain(table: ArrayLike, q: float | None = None, min_support: float = 0) -> float:
    """S_q(parent) - sum_j p_j S_q(j)."""
    order = order_in_use("gain", q)
    counts = with_support(table, min_support)
    if len(counts) == 0:
        return 0.0
    return _class_entropy(counts, order) - _conditional_entropy(counts, order)


def gain_ratio(table: ArrayLike, q: float | None = None, min_support: float = 0) -> float:
    """gain / S_q(p_1..p_M), p_j the share of branch j."""
    order = order_in_use("gain_ratio", q)
    counts = with_support(table, min_support)
    if len(counts) == 0:
        return 0.0
    return _ratio(gain(counts, order), _branch_entropy(counts, order))


def distance(table: ArrayLike, q: float | None = None, min_support: float = 0) -> float:
    """-d_q = -[H_q(class given branch) + H_q(branch given class)]."""
    order = order_in_use("distance", q)
    counts = with_support(table, min_support)
    if len(counts) == 0:
        return 0.0
    return -(_conditional_entropy(counts, order) + _conditional_entropy(counts.T, order))


def normalized_distance(table: ArrayLike, q: float | None = None, min_support: float = 0) -> float:
    """-e_q = -2 d_q / (d_q + H_q(class) + H_q(branch))."""
    order = order_in_use("normalized_distance", q)
    counts = with_support(table, min_support)
    if len(counts) == 0:
        return 0.0
    d = -distance(counts, order)
    return -_ratio(2 * d, d + _class_entropy(counts, order) + _branch_entropy(counts, order))


def _branches_by_class(counts: Table) -> list[Table]:
    """P_k, how the cases of class k spread over the branches, for every class that is present."""
    return [_distribution(column) for column in counts.T if column.sum() > 0]


def jensen_shannon(table: ArrayLike, q: float | None = None, min_support: float = 0) -> float:
    """S_q(mean_k P_k) - mean_k S_q(P_k), every class that is present weighing the same."""
    order = order_in_use("jensen_shannon", q)
    counts = with_support(table, min_support)
    if len(counts) == 0:
        return 0.0
    spreads = _branches_by_class(counts)
    mixture = np.mean(spreads, axis=0)
    return entropy(mixture, order) - float(np.mean([entropy(p, order) for p in spreads]))


# The others


def lopez_de_mantaras(table: ArrayLike, min_support: float = 0) -> float:
    """Shannon gain / joint Shannon entropy of branch and class."""
    counts = with_support(table, min_support)
    if len(counts) == 0:
        return 0.0
    return _ratio(gain(counts, 1), entropy(_distribution(counts.ravel()), 1))


def _mean_over_cases(
    table: ArrayLike,
    min_support: float,
    branch: Callable[[float, float], float],
    unsupported: Callable[[float], float],
) -> float:
    """(1/N) sum_j branch(n_j, max_k n_jk), or unsupported(n_j) where branch j has no support."""
    counts = occupied(table)
    if len(counts) == 0:
        return 0.0
    total = 0.0
    for row, is_supported in zip(counts, supported(counts, min_support), strict=True):
        size = float(row.sum())
        total += branch(size, float(row.max())) if is_supported else unsupported(size)
    return total / float(counts.sum())


def maxdif(table: ArrayLike, min_support: float = 0) -> float:
    """D = (1/N) sum_j max_k (n_jk - (n_j - n_jk)); an unsupported branch is -n_j."""
    return _mean_over_cases(table, min_support, lambda size, top: top - (size - top), lambda size: -size)


def maxdif_clipped(table: ArrayLike, min_support: float = 0) -> float:
    """(1/N) sum_j max(0, 2 max_k n_jk - n_j); an unsupported branch is 0."""
    return _mean_over_cases(table, min_support, lambda size, top: max(0.0, 2 * top - size), lambda size: 0.0)


def generalized_gini(table: ArrayLike, min_support: float = 0) -> float:
    """-GG = -(1/N) sum_j (n_j - max_k n_jk); an unsupported branch is n_j inside the sum."""
    return -_mean_over_cases(table, min_support, lambda size, top: size - top, lambda size: size)


def purity(table: ArrayLike, min_support: float = 0) -> float:
    """K = (1/N) sum_j max_k n_jk; an unsupported branch is 0, which is the paper's K'."""
    return _mean_over_cases(table, min_support, lambda size, top: top, lambda size: 0.0)


def purity_flat(table: ArrayLike, min_support: float = 0) -> float:
    """K'' = (number of supported branches) K'."""
    counts = occupied(table)
    if len(counts) == 0:
        return 0.0
    return int(supported(counts, min_support).sum()) * purity(counts, min_support)


def mpi(table: ArrayLike, min_support: float = 0) -> float:
    """prod_j p_j (1 - sum_k prod_j p(k given j) / p_k^(M-1)), M the branches that hold cases."""
    counts = with_support(table, min_support)
    if len(counts) == 0:
        return 0.0
    p_branch = _distribution(counts.sum(axis=1))
    p_class = _distribution(counts.sum(axis=0))
    p_class_in_branch = np.array([_distribution(row) for row in counts])
    total = 0.0
    for k, p_k in enumerate(p_class):
        if p_k > 0:
            # p_k prod_j (p(k given j) / p_k) is the same quotient. Taken factor by factor, p_k to
            # a high power can not underflow to a division by 0.
            total += float(p_k) * math.prod(p_class_in_branch[:, k] / p_k)
    return math.prod(p_branch) * (1 - total)


def hellinger(table: ArrayLike, min_support: float = 0) -> float:
    """sqrt(1/2 sum_j (sqrt P_a(j) - sqrt P_b(j))^2), the mean over pairs of present classes."""
    counts = with_support(table, min_support)
    if len(counts) == 0:
        return 0.0
    distances = [
        math.sqrt(float(np.sum((np.sqrt(a) - np.sqrt(b)) ** 2)) / 2)
        for a, b in combinations(_branches_by_class(counts), 2)
    ]
    return _ratio(sum(distances), len(distances))


def twoing(table: ArrayLike, min_support: float = 0) -> float:
    """p_L p_R / 4 (sum_k |p(k given L) - p(k given R)|)^2; nan unless two branches hold cases."""
    counts = with_support(table, min_support)
    if len(counts) != 2:
        return math.nan
    left, right = counts
    p_left, p_right = _distribution(counts.sum(axis=1))
    difference = float(np.sum(np.abs(_distribution(left) - _distribution(right))))
    return float(p_left * p_right) / 4 * difference**2


# Names

CRITERIA: dict[str, Callable[..., float]] = {
    function.__name__: function
    for function in (
        gain,
        gain_ratio,
        distance,
        normalized_distance,
        jensen_shannon,
        lopez_de_mantaras,
        maxdif,
        maxdif_clipped,
        generalized_gini,
        purity,
        purity_flat,
        mpi,
        hellinger,
        twoing,
    )
}

DEFAULT_ORDER: dict[str, float] = {
    "gain": 2.0,
    "gain_ratio": 1.0,
    "distance": 2.0,
    "normalized_distance": 2.0,
    "jensen_shannon": 1.0,
}

TAKES_ORDER: set[str] = set(DEFAULT_ORDER)

#: Scores that are shares of something, from 0 to 1 or from -1 to 0.
SHARES: set[str] = {"gain_ratio", "lopez_de_mantaras", "normalized_distance"}


def is_share(criterion: str) -> bool:
    """Whether the scores of a criterion are shares."""
    return criterion in SHARES if criterion in CRITERIA else find_criterion(criterion).is_share


def order_in_use(criterion: str, q: float | None) -> float:
    """The order of the entropy in use: q or the criterion's default, Shannon without an order."""
    if criterion not in CRITERIA:
        info = find_criterion(criterion)
        return float(q) if q is not None and info.takes_order else info.default_order
    if criterion in TAKES_ORDER:
        return DEFAULT_ORDER[criterion] if q is None else float(q)
    return 1.0


def score(criterion: str, table: ArrayLike, q: float | None = None, min_support: float = 0) -> float:
    """A criterion by name; q goes only to those that take it.

    A criterion without a definition here is taken at its word: the searches are checked all the same.
    """
    if criterion not in CRITERIA:
        order = q if find_criterion(criterion).takes_order else None
        return float(measures.score(criterion, table, order, min_support))
    if criterion in TAKES_ORDER:
        return CRITERIA[criterion](table, q=q, min_support=min_support)
    return CRITERIA[criterion](table, min_support=min_support)
