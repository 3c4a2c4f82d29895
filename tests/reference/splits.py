"""Every split that may be chosen at one node, by enumeration.

There are no missing values here. Rows of weight 0 count as absent (weight w equals w copies of the
row), and so do not make cuts, hold branches or count for ``min_samples_leaf``.

The order in which splits come is the order of the tie rule: lowest column, then lowest cut. For
subsets "lowest cut" means this: the present categories are numbered from the lowest, the left side
holds the lowest of them, and the left side read as an integer (bit i set = the i-th present
category goes left) is smallest. So {lowest} against the rest comes first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import criteria

Array = NDArray[Any]
Table = NDArray[np.float64]
Rows = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Split:
    """One way to divide a node. ``rows`` counts the rows of each branch, whatever their weight."""

    column: int
    kind: str  # 'threshold', 'subset' or 'multiway'
    rows: Rows
    table: Table
    cut: float | None = None  # threshold: x <= cut goes to branch 0, the rest to branch 1
    left: tuple[int, ...] = ()  # subset: the categories of branch 0
    right: tuple[int, ...] = ()  # subset: the other categories that the node holds

    def branch_of(self, value: float) -> int | None:
        """The branch of one value of the column, None for a category the split says nothing of."""
        if self.kind == "threshold":
            assert self.cut is not None
            return 0 if value <= self.cut else 1
        if self.kind == "multiway":
            return int(value) if 0 <= value < len(self.rows) else None
        if value in self.left:
            return 0
        return 1 if value in self.right else None


def class_counts(y: Array, n_classes: int, weights: Array | None = None) -> Table:
    """The weight of each class; rows weigh 1 without ``weights``."""
    return np.bincount(y, weights=weights, minlength=n_classes).astype(np.float64)


def _two_branches(
    goes_left: NDArray[np.bool_], y: Array, n_classes: int, weights: Array | None
) -> tuple[Rows, Table]:
    sides = (goes_left, ~goes_left)
    rows = tuple(int(side.sum()) for side in sides)
    table = [class_counts(y[side], n_classes, None if weights is None else weights[side]) for side in sides]
    return rows, np.array(table)


def midpoint(low: float, high: float) -> float:
    """The cut between two neighbouring values: the midpoint, if there is a double between them.

    Halving first gives the same double as (low + high) / 2 and does not overflow. Between two
    doubles that are next to each other it may round to ``high``, which would then go left; ``low``
    separates them.
    """
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low


def threshold_tables(
    x: ArrayLike, y: ArrayLike, n_classes: int, weights: ArrayLike | None = None
) -> Iterator[tuple[float, Rows, Table]]:
    """(cut, rows per branch, table) for each midpoint of neighbouring values, ascending."""
    values, classes, w = _arrays(x, y, weights)
    for low, high in pairwise(np.unique(values)):
        yield (
            midpoint(float(low), float(high)),
            *_two_branches(values <= low, classes, n_classes, w),
        )


def subset_tables(
    codes: ArrayLike, y: ArrayLike, n_classes: int, weights: ArrayLike | None = None
) -> Iterator[tuple[tuple[int, ...], Rows, Table]]:
    """(left categories, rows per branch, table) for all 2^(C-1) - 1 ways to part C categories."""
    values, classes, w = _arrays(codes, y, weights)
    present = [int(code) for code in np.unique(values)]
    everything = 2 ** len(present) - 1
    # Odd masks have the lowest category on the left, so each partition comes once. The mask of
    # all categories would leave nothing on the right.
    for mask in range(1, everything, 2):
        left = tuple(code for i, code in enumerate(present) if mask >> i & 1)
        yield (left, *_two_branches(np.isin(values, left), classes, n_classes, w))


def multiway_table(
    codes: ArrayLike,
    n_categories: int,
    y: ArrayLike,
    n_classes: int,
    weights: ArrayLike | None = None,
) -> Table:
    """One branch per category, row j of the table being category j, held by cases or not."""
    values, classes, w = _arrays(codes, y, weights)
    return np.array(
        [
            class_counts(classes[values == j], n_classes, None if w is None else w[values == j])
            for j in range(n_categories)
        ]
    )


def _arrays(x: ArrayLike, y: ArrayLike, weights: ArrayLike | None) -> tuple[Array, Array, Array | None]:
    """Arrays of the rows that have weight."""
    values, classes = np.asarray(x), np.asarray(y)
    if weights is None:
        return values, classes, None
    w = np.asarray(weights, dtype=np.float64)
    return values[w > 0], classes[w > 0], w[w > 0]


def column_splits(
    column: int,
    x: ArrayLike,
    kind: str,
    y: ArrayLike,
    n_classes: int,
    branching: str,
    n_categories: int | None = None,
    weights: ArrayLike | None = None,
) -> Iterator[Split]:
    """Every split of one column, admissible or not."""
    if kind not in ("numeric", "nominal") or branching not in ("binary", "multiway"):
        raise ValueError(f"unknown kind {kind!r} or branching {branching!r}")
    if kind == "numeric":
        for cut, rows, table in threshold_tables(x, y, n_classes, weights):
            yield Split(column, "threshold", rows, table, cut=cut)
        return
    codes, _, _ = _arrays(x, y, weights)
    if branching == "binary":
        for left, rows, table in subset_tables(x, y, n_classes, weights):
            right = tuple(int(code) for code in np.unique(codes) if code not in left)
            yield Split(column, "subset", rows, table, left=left, right=right)
    elif len(codes):
        n = int(codes.max()) + 1 if n_categories is None else n_categories
        rows = tuple(int(np.sum(codes == j)) for j in range(n))
        yield Split(column, "multiway", rows, multiway_table(x, n, y, n_classes, weights))


def is_admissible(
    split: Split,
    criterion: str,
    q: float | None,
    min_samples_leaf: int = 1,
    min_impurity_decrease: float = 0.0,
    n_all: float | None = None,
) -> bool:
    """May the split be chosen? ``n_all`` is the weight of all training rows, the node's if None."""
    held = [n for n in split.rows if n > 0]
    if len(held) < 2:
        return False
    if criterion == "twoing" and len(held) != 2:
        return False
    # Two branches must be large enough. For a split with two branches that is both of them.
    if sum(n >= min_samples_leaf for n in held) < 2:
        return False
    if min_impurity_decrease > 0:
        node_weight = float(split.table.sum())
        share = 1.0 if n_all is None else node_weight / n_all
        # The gain of the table as it is: min_support is a matter of the score alone.
        order = criteria.order_in_use(criterion, q)
        gain = criteria.gain(split.table, order)
        # A gain that is the minimum in exact numbers suffices, however it is rounded.
        rounding = 1e-12 * criteria.entropy(split.table.sum(axis=0) / node_weight, order)
        return (gain + rounding) * share >= min_impurity_decrease
    return True


def scored_splits(
    X: Sequence[ArrayLike],
    kinds: Sequence[str],
    y: ArrayLike,
    n_classes: int,
    criterion: str,
    q: float | None,
    branching: str,
    min_samples_leaf: int = 1,
    min_support: float = 0,
    min_impurity_decrease: float = 0.0,
    n_all: float | None = None,
    weights: ArrayLike | None = None,
    n_categories: Sequence[int | None] | None = None,
) -> Iterator[tuple[float, Split]]:
    """(score, split) for every admissible split of the node, in the order of the tie rule."""
    sizes = [None] * len(X) if n_categories is None else list(n_categories)
    for column, (x, kind, size) in enumerate(zip(X, kinds, sizes, strict=True)):
        for split in column_splits(column, x, kind, y, n_classes, branching, size, weights):
            if is_admissible(split, criterion, q, min_samples_leaf, min_impurity_decrease, n_all):
                yield criteria.score(criterion, split.table, q, min_support), split


def best_score(
    X: Sequence[ArrayLike],
    kinds: Sequence[str],
    y: ArrayLike,
    n_classes: int,
    criterion: str,
    q: float | None,
    branching: str,
    min_samples_leaf: int = 1,
    min_support: float = 0,
    min_impurity_decrease: float = 0.0,
    n_all: float | None = None,
    weights: ArrayLike | None = None,
) -> float | None:
    """The best score of all admissible splits of the node, None when there is none."""
    scored = scored_splits(
        X, kinds, y, n_classes, criterion, q, branching,
        min_samples_leaf, min_support, min_impurity_decrease, n_all, weights,
    )  # fmt: skip
    return max((score for score, _ in scored), default=None)
