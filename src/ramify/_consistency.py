"""What must hold in a tree beyond safe walks: its pools are in order and its numbers agree.

The core's own check makes sure that no walk leaves the arrays. Here is the rest, so that a tree that says
different things in different places is not believed. All is vectorised, and linear in the size of the arrays.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]
Marks = NDArray[np.bool_]

#: Sums of weights may differ by rounding, as a share of the node's weight.
_ROUNDING = 1e-7
#: More rows than any table has; sums of fewer are exact in a float64.
_MOST_ROWS = 2**53

_LEAF, _THRESHOLD, _SUBSET, _MULTIWAY, _KNOWN = range(5)

#: What the arrays of a split hold in a leaf, which has none.
_IN_A_LEAF = {
    "threshold": 0.0,
    "routes_size": 0,
    "missing_route": -1,
    "unknown": 0.0,
    "score": 0.0,
    "gain": 0.0,
    "search": 0,
    "exact": 1,
    "runner_size": 0,
}


def problem_of_pools(arrays: Arrays) -> str:
    """Return what is wrong with the order of routes and runner-ups, "" if nothing is.

    The pools hold, node by node, the routes of the node and then those of its runner-ups, without gaps: no
    two splits share a route, so that checking all of them takes no longer than reading them.
    """
    nodes, runners = len(arrays["column"]), len(arrays["runner_column"])
    for name in ("routes_begin", "routes_size", "runner_begin", "runner_size"):
        if len(arrays[name]) != nodes:
            return "the arrays of a tree have one element a node"
    for name in ("runner_routes_begin", "runner_routes_size"):
        if len(arrays[name]) != runners:
            return "the arrays of runner-ups have one element a runner-up"
    own, of_runners = arrays["routes_size"].astype(np.int64), arrays["runner_routes_size"].astype(np.int64)
    n_runners = arrays["runner_size"].astype(np.int64)
    if (own < 0).any() or (of_runners < 0).any() or (n_runners < 0).any():
        return "sizes of routes and runner-ups are not negative"
    if int(n_runners.sum()) != runners or not np.array_equal(arrays["runner_begin"], _starts(n_runners)):
        return "runner-ups follow each other, node by node"
    of_node = np.repeat(np.arange(nodes), n_runners)
    both = own.copy()
    np.add.at(both, of_node, of_runners)
    begin = _starts(both)
    # Where a runner-up's routes begin: behind its node's own, and those of the runner-ups before it.
    first_of_node = _starts(n_runners)[of_node] if runners else of_node
    before = _starts(of_runners)
    runner_begin = (begin + own)[of_node] + before - before[first_of_node] if runners else before
    right = int(both.sum()) == len(arrays["routes"]) and np.array_equal(arrays["routes_begin"], begin)
    if not right or not np.array_equal(arrays["runner_routes_begin"], runner_begin):
        return "routes follow each other, node by node, those of a node before those of its runner-ups"
    return ""


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where each of some parts begins that follow each other."""
    return np.cumsum(sizes) - sizes


def problem_of_numbers(arrays: Arrays) -> str:
    """Return where the numbers of a tree do not agree, "" if they do; the core must have found it safe."""
    for bad, rule in _rules(arrays):
        if bad.any():
            return f"node {int(np.argmax(bad))}: {rule}"
    return ""


def _rules(arrays: Arrays) -> Iterable[tuple[Marks, str]]:
    """Yield for each rule the nodes that break it."""
    kind, inner = arrays["kind"], arrays["n_children"] > 0
    for name, value in _IN_A_LEAF.items():
        yield ~inner & (arrays[name] != value), f"a leaf has {name} {value}"
    nominal = (kind == _SUBSET) | (kind == _MULTIWAY)
    yield ~nominal & (arrays["routes_size"] != 0), "only a nominal split has routes"
    yield (kind != _THRESHOLD) & (arrays["threshold"] != 0), "only a threshold split has a threshold"
    yield arrays["impurity"] < -_ROUNDING, "impurity is not negative"
    yield from _rules_of_rows(arrays, inner)
    yield from _rules_of_weights(arrays, inner)
    yield _without_category(arrays, nominal), "every branch but that of missing values has a category"
    yield from _rules_of_runners(arrays)


def _rules_of_rows(arrays: Arrays, inner: Marks) -> Iterable[tuple[Marks, str]]:
    rows, parent = arrays["n_rows"], arrays["parent"]
    yield rows > _MOST_ROWS, f"n_rows is at most {_MOST_ROWS}"
    yield np.concatenate(([False], rows[1:] > rows[parent[1:]])), "it has no more rows than its parent"
    below = np.bincount(parent[1:], weights=rows[1:], minlength=len(rows))
    yield inner & (below < rows), "all its rows are in its children"
    once = (arrays["missing_route"] != -2) | (arrays["unknown"] == 0)
    yield inner & once & (below != rows), "each of its rows is in one child"


def _rules_of_weights(arrays: Arrays, inner: Marks) -> Iterable[tuple[Marks, str]]:
    counts, parent, unknown = arrays["counts"], arrays["parent"], arrays["unknown"]
    with np.errstate(over="ignore", invalid="ignore"):
        weight = counts.sum(axis=1)
        yield ~np.isfinite(weight), "its weight is finite"
        below = np.zeros_like(counts)
        np.add.at(below, parent[1:], counts[1:])
        slack = _ROUNDING * weight
        apart = (np.abs(below - counts) > slack[:, None]).any(axis=1)
        yield inner & apart, "the counts of its children add up to its own"
        yield unknown > weight + slack, "unknown is part of its weight"
        route = arrays["missing_route"]
        yield inner & (route == -1) & (unknown != 0), "missing values were there, so they have a way to go"
        # Where missing values have a child for themselves, its weight is theirs.
        alone = inner & _has_own_branch(arrays)
        child = np.where(alone, arrays["first_child"] + route, 0)
        yield alone & (np.abs(weight[child] - unknown) > slack), "the branch of missing values holds them"


def _has_own_branch(arrays: Arrays) -> Marks:
    """Mark the nodes with a child for missing values alone."""
    kind, route, children = arrays["kind"], arrays["missing_route"], arrays["n_children"]
    third = (kind != _MULTIWAY) & (children == 3) & (route == 2)
    marks: Marks = (kind == _KNOWN) | third
    several = np.flatnonzero((kind == _MULTIWAY) & (route >= 0))
    marks[several] = ~_children_with_category(arrays)[arrays["first_child"][several] + route[several]]
    return marks


def _children_with_category(arrays: Arrays) -> Marks:
    """Mark the nodes that some category leads to."""
    marks = np.zeros(len(arrays["column"]), dtype=np.bool_)
    sizes = arrays["routes_size"].astype(np.int64)
    node = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(node)) - _starts(sizes)[node] + arrays["routes_begin"][node]
    route = arrays["routes"][place]
    leads = route >= 0
    marks[arrays["first_child"][node[leads]] + route[leads]] = True
    return marks


def _without_category(arrays: Arrays, nominal: Marks) -> Marks:
    """Mark the nominal splits with a branch that neither a category nor a missing value leads to."""
    parent = arrays["parent"][1:]
    branch = np.arange(1, len(arrays["parent"])) - arrays["first_child"][parent]
    idle = (
        nominal[parent] & ~_children_with_category(arrays)[1:] & (branch != arrays["missing_route"][parent])
    )
    marks = np.zeros(len(nominal), dtype=np.bool_)
    marks[parent[idle]] = True
    return marks


def _rules_of_runners(arrays: Arrays) -> Iterable[tuple[Marks, str]]:
    nodes = len(arrays["column"])
    node = np.repeat(np.arange(nodes), arrays["runner_size"])
    column, kind = arrays["runner_column"], arrays["runner_kind"]

    def at(bad: Marks) -> Marks:
        marks = np.zeros(nodes, dtype=np.bool_)
        marks[node[bad]] = True
        return marks

    yield at(column == arrays["column"][node]), "a runner-up splits another column"
    order = np.lexsort((column, node))
    twice = np.zeros(len(column), dtype=np.bool_)
    same = (node[order][1:] == node[order][:-1]) & (column[order][1:] == column[order][:-1])
    twice[order[1:][same]] = True
    yield at(twice), "a column has one runner-up"
    yield (
        at((kind != _THRESHOLD) & (arrays["runner_threshold"] != 0)),
        "only a threshold split has a threshold",
    )
    plain = (kind == _THRESHOLD) | (kind == _KNOWN)
    yield at(plain & (arrays["runner_routes_size"] != 0)), "only a nominal split has routes"
