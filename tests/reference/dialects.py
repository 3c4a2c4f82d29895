"""Growing and merging by the rules of dialects, by enumeration.

``grow_screened``: of each column the best split is looked at first. With ``improve``, a numeric column
whose cut scores no more than a cut without information is out; with ``gate``, so is every column whose
gain is below the mean over all columns that are left on this path. The others compete as usual.

``judge_by_columns``: the stump of a dialect that judges columns one after the other by their known cases
alone, the last of equal cuts of a column being its cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from . import criteria
from .splits import Array, Split, Table, class_counts, column_splits, scored_splits
from .tree import TIE, Node, tie_width


@dataclass(frozen=True)
class Screen:
    """What stays the same all over the tree."""

    kinds: Sequence[str]
    sizes: Sequence[int | None]
    n_classes: int
    criterion: str
    q: float | None
    branching: str
    gate: bool
    improve: bool


def levelled(table: Table) -> Table:
    """The table whose branches all have the class distribution of the node."""
    return np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()


def _improves(split: Split, screen: Screen, counts: Table) -> bool:
    score = criteria.score(screen.criterion, split.table, screen.q)
    nothing = criteria.score(screen.criterion, levelled(split.table), screen.q)
    return score > nothing + tie_width(screen.criterion, screen.q, counts, score)


def _competitors(
    X: Sequence[Array], y: Array, weights: Array, spent: int, screen: Screen
) -> list[tuple[float, Split]]:
    counts = class_counts(y, screen.n_classes, weights)
    scored = list(
        scored_splits(
            X, screen.kinds, y, screen.n_classes, screen.criterion, screen.q, screen.branching,
            weights=weights, n_categories=screen.sizes,
        )
    )  # fmt: skip
    order = criteria.order_in_use(screen.criterion, screen.q)
    gains, out = np.zeros(len(X)), set()
    for column in range(len(X)):
        own = [pair for pair in scored if pair[1].column == column]
        if not own:
            continue
        best = max(score for score, _ in own)
        goal = best - tie_width(screen.criterion, screen.q, counts, best)
        split = next(split for score, split in own if score >= goal)
        gains[column] = max(criteria.gain(split.table, order), 0.0)
        if screen.improve and split.kind == "threshold" and not _improves(split, screen, counts):
            out.add(column)
    if screen.gate:
        entropy = criteria.entropy(counts / counts.sum(), order)
        least = gains.sum() / max(len(X) - spent, 1) - TIE * entropy
        out |= set(np.flatnonzero(gains < least).tolist())
    return [(score, split) for score, split in scored if split.column not in out]


def grow_screened(
    X: Sequence[Array], y: Array, weights: Array, screen: Screen, spent: int = 0, parent_vote: int = 0
) -> Node:
    """The tree of a dialect that lets some columns of a node compete only."""
    counts = class_counts(y, screen.n_classes, weights)
    if len(y) == 0:
        return Node(counts, 0, parent_vote)
    node = Node(counts, len(y), int(np.argmax(counts)))
    if np.count_nonzero(counts) == 1:
        return node
    left = _competitors(X, y, weights, spent, screen)
    if not left:
        return node
    best = max(score for score, _ in left)
    goal = best - tie_width(screen.criterion, screen.q, counts, best)
    node.score, node.split = next((score, split) for score, split in left if score >= goal)
    branch = np.array([node.split.branch_of(value) for value in X[node.split.column]])
    below = spent + (node.split.kind == "multiway")
    for j in range(len(node.split.rows)):
        here = branch == j
        node.children.append(
            grow_screened([x[here] for x in X], y[here], weights[here], screen, below, node.vote)
        )
    return node


def merged(node: Node) -> Node:
    """The tree in which no split has nothing but leaves that vote like its node."""
    children = [merged(child) for child in node.children]
    if all(child.is_leaf and child.vote == node.vote for child in children):
        return Node(node.counts, node.n_rows, node.vote)
    return Node(node.counts, node.n_rows, node.vote, node.split, node.score, children)


def judge_by_columns(
    X: Sequence[NDArray[np.float64]],
    kinds: Sequence[str],
    sizes: Sequence[int | None],
    y: Array,
    n_classes: int,
    q: float,
) -> Split | None:
    """The best column by e_q of its known cases, each numeric one cut at the last of its best cuts by d_q."""
    winner, best = None, -np.inf
    for column, (x, kind, size) in enumerate(zip(X, kinds, sizes, strict=True)):
        known = ~np.isnan(x)
        values = x[known] if kind == "numeric" else x[known].astype(np.int64)
        branching = "multiway"
        found = [
            split
            for split in column_splits(column, values, kind, y[known], n_classes, branching, size)
            if sum(rows > 0 for rows in split.rows) >= 2
        ]
        if not found:
            continue
        distances = np.array([criteria.distance(split.table, q) for split in found])
        split = found[np.flatnonzero(distances >= distances.max() - TIE)[-1]]
        score = criteria.normalized_distance(split.table, q)
        nothing = criteria.normalized_distance(levelled(split.table), q)
        if score > max(best, nothing) + TIE:
            winner, best = split, score
    return winner
