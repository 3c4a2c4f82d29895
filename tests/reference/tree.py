"""A tree grown by enumerating every split of every node, and what can be asked of it.

Ties: all candidates whose score is within 1e-9 max(|best|, parent's entropy) of the node's best are
equal, and the first in the order of ``splits`` wins. The entropy is the one in use: order q, or
Shannon's for a criterion without an order. Scores that are shares are judged on a scale of 1: their
rounding does not become smaller with the entropy of a nearly pure node. Votes go to the first class among
equal counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import criteria
from .splits import Array, Split, class_counts, scored_splits

TIE = 1e-9


@dataclass
class Node:
    """A node with its class weights. A leaf has no split and no children."""

    counts: NDArray[np.float64]
    n_rows: int
    vote: int
    split: Split | None = None
    score: float | None = None
    children: list[Node] = field(default_factory=list)

    @property
    def is_leaf(self) -> bool:
        return self.split is None

    @property
    def is_empty(self) -> bool:
        """A branch of a multiway split that no training row went down."""
        return self.n_rows == 0


@dataclass(frozen=True)
class _Rules:
    """What stays the same all over the tree."""

    kinds: Sequence[str]
    n_categories: Sequence[int | None]
    n_classes: int
    criterion: str
    q: float | None
    branching: str
    min_samples_leaf: int
    min_samples_split: int
    max_depth: int | None
    min_support: float
    min_impurity_decrease: float
    n_all: float


def tie_width(criterion: str, q: float | None, counts: NDArray[np.float64], best: float) -> float:
    """By how much a score may be worse than the best of a node with these class weights and equal it."""
    entropy = criteria.entropy(counts / counts.sum(), criteria.order_in_use(criterion, q))
    return TIE * max(abs(best), entropy, 1.0 if criteria.is_share(criterion) else 0.0)


def choose(X: Sequence[Array], y: Array, weights: Array, rules: _Rules) -> tuple[float, Split] | None:
    """The winner of one node by the tie rule, with its own score, None without candidates."""
    scored = list(
        scored_splits(
            X, rules.kinds, y, rules.n_classes, rules.criterion, rules.q, rules.branching,
            rules.min_samples_leaf, rules.min_support, rules.min_impurity_decrease, rules.n_all,
            weights, rules.n_categories,
        )
    )  # fmt: skip
    if not scored:
        return None
    best = max(score for score, _ in scored)
    counts = class_counts(y, rules.n_classes, weights)
    tolerance = tie_width(rules.criterion, rules.q, counts, best)
    return next((score, split) for score, split in scored if score >= best - tolerance)


def _grow(X: Sequence[Array], y: Array, weights: Array, depth: int, parent_vote: int, rules: _Rules) -> Node:
    counts = class_counts(y, rules.n_classes, weights)
    if len(y) == 0:
        return Node(counts, 0, parent_vote)
    node = Node(counts, len(y), int(np.argmax(counts)))  # argmax takes the first of equals
    if (
        np.count_nonzero(counts) == 1
        or len(y) < rules.min_samples_split
        or (rules.max_depth is not None and depth >= rules.max_depth)
    ):
        return node
    chosen = choose(X, y, weights, rules)
    if chosen is None:
        return node
    node.score, split = chosen
    node.split = split
    branch = np.array([split.branch_of(value) for value in X[split.column]])
    for j in range(len(split.rows)):
        here = branch == j
        below = [x[here] for x in X]
        node.children.append(_grow(below, y[here], weights[here], depth + 1, node.vote, rules))
    return node


def grow(
    X: Sequence[ArrayLike],
    kinds: Sequence[str],
    n_categories: Sequence[int | None],
    y: ArrayLike,
    n_classes: int,
    criterion: str,
    q: float | None,
    branching: str,
    min_samples_leaf: int = 1,
    min_samples_split: int = 2,
    max_depth: int | None = None,
    min_support: float = 0,
    weights: ArrayLike | None = None,
    min_impurity_decrease: float = 0.0,
) -> Node:
    """The tree on columns X (codes 0..n_categories-1 where nominal), classes y = 0..n_classes-1.

    ``n_categories`` is read for nominal columns only. Rows of weight 0 are left out first.
    """
    classes = np.asarray(y)
    w = np.ones(len(classes)) if weights is None else np.asarray(weights, dtype=np.float64)
    heavy = w > 0
    if not heavy.any():
        raise ValueError("a tree needs at least one row that has weight")
    rules = _Rules(
        kinds, n_categories, n_classes, criterion, q, branching, min_samples_leaf,
        min_samples_split, max_depth, min_support, min_impurity_decrease, float(w.sum()),
    )  # fmt: skip
    columns = [np.asarray(x)[heavy] for x in X]
    return _grow(columns, classes[heavy], w[heavy], 0, 0, rules)


def nodes(root: Node) -> Iterator[Node]:
    """Every node, a parent before its children, the children in the order of the branches."""
    yield root
    for child in root.children:
        yield from nodes(child)


def count_nodes(root: Node) -> int:
    """All nodes: inner ones, leaves and empty leaves."""
    return sum(1 for _ in nodes(root))


def count_leaves(root: Node) -> int:
    """All leaves, the empty ones too."""
    return sum(node.is_leaf for node in nodes(root))


def count_empty(root: Node) -> int:
    """The empty leaves."""
    return sum(node.is_empty for node in nodes(root))


def depth(root: Node) -> int:
    """Splits on the longest path; a tree of one leaf has depth 0."""
    return max((1 + depth(child) for child in root.children), default=0)


def predict_row(root: Node, row: Sequence[float]) -> int:
    """The vote of the leaf that the row comes to.

    A category that the split says nothing of (never declared, or in no row of a node with a subset
    split) gets the vote of the node where it stops: no training row tells where it should go.
    """
    node = root
    while node.split is not None:
        branch = node.split.branch_of(row[node.split.column])
        if branch is None:
            break
        node = node.children[branch]
    return node.vote


def predict(root: Node, X: Sequence[ArrayLike]) -> NDArray[np.int64]:
    """The vote for every row of the columns X."""
    rows = zip(*(np.asarray(x) for x in X), strict=True)
    return np.array([predict_row(root, row) for row in rows], dtype=np.int64)
