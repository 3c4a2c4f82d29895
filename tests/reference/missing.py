"""Nodes and trees with missing values: every admissible split of a node, and where cases go.

A column is an array of floats: numbers, or the codes 0..size-1 of categories. NaN is a missing value,
and a code outside 0..size-1 a category that the training data did not have.

A case is in a node with a weight. In a "fractional" tree it may be there in part, with less than its
own weight. T is the table of the known cases of a split, u the class weights of the cases whose value
is missing, f the known share of the node's weight. The ways:

- "fractional": the score is s0 + f (s - s0), s that of T, s0 that of T with all rows levelled to the
  class shares of T. A case without the value goes down every branch by the branch's share.
- "best_branch": u joins one branch, any that holds known cases; or known | missing.
- "own_branch": u is a branch of its own, the last; or known | missing.

``min_support`` compares a count with a limit. Where the count is a sum of parts or a product, rounding
may put it on either side, so scores are pairs here: the lowest and the highest that rounding can make.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import criteria, splits
from . import tree as whole
from .splits import Array, Rows, Split, Table, class_counts

SLACK = 1e-9
WAYS = ("fractional", "best_branch", "own_branch")
LEAF, THRESHOLD, SUBSET, MULTIWAY, KNOWN = range(5)
STAYS, EVERY_BRANCH = -1, -2

Bounds = tuple[float, float]
Matrix = NDArray[np.float64]


def one_case(weights: Array) -> float:
    """What one case weighs: 1 for frequencies (whole, not all alike, of a mean up to 16), else the mean."""
    mean, same = float(np.mean(weights)), (weights == weights[0]).all()
    return 1.0 if mean <= 16 and not same and (weights == np.floor(weights)).all() else mean


@dataclass(frozen=True)
class Rules:
    """What stays the same all over the tree. ``sizes`` are read for nominal columns only."""

    way: str
    criterion: str
    q: float | None
    branching: str
    kinds: Sequence[str]
    sizes: Sequence[int | None]
    n_classes: int
    min_samples_leaf: int = 1
    min_samples_split: int = 2
    max_depth: int | None = None
    min_support: float = 0
    min_impurity_decrease: float = 0.0
    n_all: float | None = None  # the weight of all training cases; that of the node if None
    one_case: float = 1.0  # what one case weighs, see `one_case`

    @property
    def order(self) -> float:
        return criteria.order_in_use(self.criterion, self.q)


@dataclass(frozen=True, eq=False)
class Node:
    """The cases of a node that have weight there. ``own`` is what they weigh as a whole."""

    columns: Sequence[Array]
    y: Array
    weights: Array
    own: Array

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def has_parts(self) -> bool:
        """Is a case here in part only?"""
        return bool((self.weights < self.own).any())

    @property
    def is_exact(self) -> bool:
        """Are all sums of weights exact?"""
        return bool((self.weights % 1 == 0).all())

    def counts(self, n_classes: int) -> Table:
        return class_counts(self.y, n_classes, self.weights)


def make_node(
    columns: Sequence[ArrayLike], y: ArrayLike, weights: ArrayLike | None = None, own: ArrayLike | None = None
) -> Node:
    """A node of the rows that have weight; whole cases unless ``own`` says otherwise."""
    classes = np.asarray(y)
    w = np.ones(len(classes)) if weights is None else np.asarray(weights, dtype=np.float64)
    whole = w if own is None else np.asarray(own, dtype=np.float64)
    here = w > 0
    return Node([np.asarray(x, dtype=np.float64)[here] for x in columns], classes[here], w[here], whole[here])


# The splits of a node


@dataclass(frozen=True, eq=False)
class Candidate:
    """A split together with the way of the missing values.

    The table is that of the known cases in a fractional tree, else that of all cases. ``asked`` has the
    rows of the branches that ``min_samples_leaf`` is asked of.
    """

    column: int
    kind: int
    table: Table
    asked: Rows
    route: int  # of the missing values: a branch, STAYS or EVERY_BRANCH
    known_share: float = 1.0
    split: Split | None = None  # of the known cases; None for known | missing


def _kind(split: Split) -> int:
    return {"threshold": THRESHOLD, "subset": SUBSET, "multiway": MULTIWAY}[split.kind]


def _known_splits(column: int, node: Node, known: NDArray[np.bool_], rules: Rules) -> Iterator[Split]:
    """The splits of the known cases that put them into two branches at least."""
    x = node.columns[column][known]
    nominal = rules.kinds[column] == "nominal"
    for split in splits.column_splits(
        column, x.astype(np.int64) if nominal else x, rules.kinds[column], node.y[known],
        rules.n_classes, rules.branching, rules.sizes[column], node.weights[known],
    ):  # fmt: skip
        if sum(n > 0 for n in split.rows) >= 2:
            yield split


def _joined(split: Split, u: Table, u_rows: int, branch: int) -> Candidate:
    table = split.table.copy()
    table[branch] += u
    rows = list(split.rows)
    rows[branch] += u_rows
    return Candidate(split.column, _kind(split), table, tuple(rows), branch, split=split)


def _on_its_own(split: Split, u: Table, u_rows: int) -> Candidate:
    # A threshold or a subset asks its two branches only, the missing one may be of any size.
    asked = (*split.rows, u_rows) if split.kind == "multiway" else split.rows
    table = np.vstack([split.table, u])
    return Candidate(split.column, _kind(split), table, asked, len(split.rows), split=split)


def column_candidates(column: int, node: Node, rules: Rules) -> Iterator[Candidate]:
    """Every split of a column in every way that the rules have, admissible or not."""
    if rules.way not in WAYS:
        raise ValueError(f"unknown way {rules.way!r}")
    known = ~np.isnan(node.columns[column])
    u_rows = int((~known).sum())
    u = class_counts(node.y[~known], rules.n_classes, node.weights[~known])
    if not known.any():
        return
    share = float(node.weights[known].sum() / node.weights.sum())
    for split in _known_splits(column, node, known, rules):
        if rules.way == "fractional":
            yield Candidate(column, _kind(split), split.table, split.rows, EVERY_BRANCH, share, split)
        elif u_rows == 0:
            heaviest = int(np.argmax(split.table.sum(axis=1)))
            route = heaviest if rules.way == "best_branch" else STAYS
            yield Candidate(column, _kind(split), split.table, split.rows, route, split=split)
        elif rules.way == "own_branch":
            yield _on_its_own(split, u, u_rows)
        else:
            for branch in np.flatnonzero(split.rows):
                yield _joined(split, u, u_rows, int(branch))
    if rules.way != "fractional" and u_rows:
        there = class_counts(node.y[known], rules.n_classes, node.weights[known])
        yield Candidate(column, KNOWN, np.array([there, u]), (int(known.sum()), u_rows), 1)


def gain_of(table: Table, known_share: float, rules: Rules) -> float:
    """The gain in the order in use; that of the known cases counts for their share."""
    return known_share * criteria.gain(table, rules.order)


def is_admissible(candidate: Candidate, node: Node, rules: Rules) -> bool:
    """May the split be chosen?"""
    table = candidate.table
    if rules.criterion == "twoing" and len(criteria.occupied(table)) != 2:
        return False
    large = [n >= max(rules.min_samples_leaf, 1) for n in candidate.asked]
    if rules.way == "fractional" and node.has_parts:
        # The same two branches must have the rows and the weight.
        least = max(2, rules.min_samples_leaf) * rules.one_case * (1 - SLACK)
        heavy = table.sum(axis=1) >= least
        large = [a and b for a, b in zip(large, heavy, strict=True)]
    if sum(large) < 2:
        return False
    if rules.min_impurity_decrease > 0:
        weight = float(node.weights.sum())
        of_all = 1.0 if rules.n_all is None else weight / rules.n_all
        return gain_of(table, candidate.known_share, rules) * of_all >= rules.min_impurity_decrease
    return True


# Scores


def levelled(table: Table) -> Table:
    """The table with the same branches, all of them with the class shares of the whole."""
    sizes, classes = table.sum(axis=1), table.sum(axis=0)
    return np.asarray(np.outer(sizes, classes) / table.sum())


def _both_sides(table: Table, rules: Rules, is_exact: bool) -> tuple[float, ...]:
    """The score, or the two scores that the table has with the limit of support moved by rounding."""
    limit = rules.min_support
    limits = (limit,) if is_exact or limit == 0 else (limit * (1 - SLACK), limit * (1 + SLACK))
    return tuple(criteria.score(rules.criterion, table, rules.q, s) for s in limits)


def score_bounds(table: Table, known_share: float, rules: Rules, is_exact: bool = False) -> Bounds:
    """The lowest and the highest score of a table; ``known_share`` is 1 unless cases are fractional."""
    scores = _both_sides(table, rules, is_exact)
    if known_share < 1:
        floors = _both_sides(levelled(table), rules, False)
        scores = tuple(s0 + known_share * (s - s0) for s in scores for s0 in floors)
    return min(scores), max(scores)


def scored(node: Node, rules: Rules) -> Iterator[tuple[Bounds, Candidate]]:
    """Every admissible split of the node with the bounds of its score."""
    for column in range(len(node.columns)):
        for candidate in column_candidates(column, node, rules):
            if is_admissible(candidate, node, rules):
                yield score_bounds(candidate.table, candidate.known_share, rules, node.is_exact), candidate


def best_bounds(node: Node, rules: Rules) -> Bounds | None:
    """The bounds of the best score of all admissible splits, None when there is none."""
    found = [bounds for bounds, _ in scored(node, rules)]
    if not found:
        return None
    return max(low for low, _ in found), max(high for _, high in found)


def tie_width(node: Node, rules: Rules, best: float) -> float:
    """By how much the chosen split may be worse than the best: scores this near count as equal."""
    return whole.tie_width(rules.criterion, rules.q, node.counts(rules.n_classes), best)


def must_be_leaf(node: Node, depth: int, rules: Rules) -> bool:
    """Does a rule stop the node before any split is looked for?"""
    return (
        np.count_nonzero(node.counts(rules.n_classes)) <= 1
        or node.n_rows < rules.min_samples_split
        or node.n_rows // 2 < rules.min_samples_leaf
        or (rules.max_depth is not None and depth >= rules.max_depth)
    )


# Where cases go


def branches_of(tree: Any, node: int, x: Array) -> NDArray[np.int64]:
    """The branch of every value in an inner node, STAYS or EVERY_BRANCH."""
    values = np.asarray(x, dtype=np.float64)
    missing = np.isnan(values)
    branches = np.full(len(values), STAYS, dtype=np.int64)
    kind = int(tree.kind[node])
    if kind == KNOWN:
        return missing.astype(np.int64)
    if kind == THRESHOLD:
        branches[~missing] = np.where(values[~missing] <= tree.threshold[node], 0, 1)
    else:
        begin = int(tree.routes_begin[node])
        routes = tree.routes[begin : begin + int(tree.routes_size[node])]
        declared = ~missing & (values >= 0) & (np.nan_to_num(values) < len(routes))
        branches[declared] = routes[values[declared].astype(np.int64)]
    branches[missing] = tree.missing_route[node]
    return branches


def _shares(tree: Any, node: int, branches: Array, arrived: Array, training: bool) -> Table:
    """The share of each branch: of the known cases in training, of the children's weights later."""
    n = int(tree.n_children[node])
    if training:
        known = branches >= 0
        weights = np.bincount(branches[known], weights=arrived[known], minlength=n)
    else:
        first = int(tree.first_child[node])
        weights = tree.counts[first : first + n].sum(axis=1)
    return np.asarray(weights / weights.sum())


def arrivals(
    tree: Any, columns: Sequence[ArrayLike], weights: ArrayLike | None = None, training: bool = False
) -> tuple[Matrix, Matrix]:
    """What arrives in every node and what ends there, as matrices of rows by nodes."""
    values = [np.asarray(x, dtype=np.float64) for x in columns]
    arrived = np.zeros((len(values[0]), tree.node_count))
    ended = np.zeros_like(arrived)
    arrived[:, 0] = 1 if weights is None else weights
    for node in range(tree.node_count):  # parents come before their children
        here = arrived[:, node]
        if tree.n_children[node] == 0:
            ended[:, node] = here
            continue
        branches = branches_of(tree, node, values[tree.column[node]])
        ended[:, node] = np.where(branches == STAYS, here, 0)
        everywhere = branches == EVERY_BRANCH
        shares = _shares(tree, node, branches, here, training) if everywhere.any() else None
        for branch in range(int(tree.n_children[node])):
            child = int(tree.first_child[node]) + branch
            arrived[:, child] = np.where(branches == branch, here, 0)
            if shares is not None:
                arrived[everywhere, child] = here[everywhere] * shares[branch]
    return arrived, ended


def node_shares(tree: Any) -> Matrix:
    """The class shares of every node; an empty one has its parent's."""
    shares = np.zeros(tree.counts.shape)
    for node in range(tree.node_count):
        total = tree.counts[node].sum()
        shares[node] = tree.counts[node] / total if total > 0 else shares[tree.parent[node]]
    return shares


def predict_proba(tree: Any, columns: Sequence[ArrayLike]) -> Matrix:
    """The class shares of the nodes where a case ends, weighted by what ends there."""
    _, ended = arrivals(tree, columns)
    return np.asarray(ended @ node_shares(tree))
