"""Pruning by definition: nested nodes, recursion, one step at a time.

Raising follows the description of J48 (Weka 3.6) in CRITERIA.md: everything is computed again whenever it
is asked for. Cases are lists of (row, weight).
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any

import numpy as np

SMALL = 1e-6
EVERY, STAYS, LEAF, THRESHOLD, SUBSET, MULTIWAY, KNOWN = -2, -1, 0, 1, 2, 3, 4


@dataclass
class Node:
    counts: np.ndarray
    n_rows: int
    column: int = -1
    kind: int = LEAF
    threshold: float = 0.0
    routes: list[int] = field(default_factory=list)
    missing_route: int = STAYS
    unknown: float = 0.0
    gain: float = 0.0
    score: float = 0.0
    children: list[Node] = field(default_factory=list)

    @property
    def weight(self):
        return float(self.counts.sum())

    @property
    def leaf(self):
        return not self.children

    def cut(self):
        self.column, self.kind, self.threshold, self.routes = -1, LEAF, 0.0, []
        self.missing_route, self.unknown, self.gain, self.score, self.children = STAYS, 0.0, 0.0, 0.0, []


@dataclass
class Data:
    """Columns (float with NaN, or int codes with -2 for missing), their categories, classes and weights."""

    columns: list[np.ndarray]
    n_categories: list[int]
    y: np.ndarray
    w: np.ndarray
    n_classes: int

    def blocks(self):
        """The columns as the core reads them; it is told the truth about whether values are missing."""
        pairs = zip(self.columns, self.n_categories, strict=True)
        return [(c.reshape(-1, 1), n, bool((c == -2).any() if n else np.isnan(c).any())) for c, n in pairs]

    def cases(self):
        return [(row, float(w)) for row, w in enumerate(self.w) if w > 0]

    def counts(self, cases):
        counts = np.zeros(self.n_classes)
        for row, weight in cases:
            counts[self.y[row]] += weight
        return counts


def gini(counts):
    total = counts.sum()
    return float(1 - ((counts / total) ** 2).sum()) if total > 0 else 0.0


# Trees as arrays, and back


def from_arrays(arrays, node=0):
    begin, size = arrays["routes_begin"][node], arrays["routes_size"][node]
    made = Node(arrays["counts"][node].copy(), int(arrays["n_rows"][node]))
    if arrays["n_children"][node]:
        made.column, made.kind = int(arrays["column"][node]), int(arrays["kind"][node])
        made.threshold = float(arrays["threshold"][node])
        made.routes = arrays["routes"][begin : begin + size].tolist()
        made.missing_route = int(arrays["missing_route"][node])
        made.unknown, made.gain = float(arrays["unknown"][node]), float(arrays["gain"][node])
        made.score = float(arrays["score"][node])
        first = int(arrays["first_child"][node])
        made.children = [from_arrays(arrays, first + i) for i in range(int(arrays["n_children"][node]))]
    return made


def to_arrays(root):
    queue: list[tuple[Node, int]] = [(root, -1)]
    rows: dict[str, list[Any]] = {}
    routes: list[int] = []

    def add(**values):
        for name, value in values.items():
            rows.setdefault(name, []).append(value)

    for i, (node, parent) in enumerate(queue):  # grows as it is read
        add(
            first_child=len(queue) if node.children else -1,
            n_children=len(node.children),
            parent=parent,
            column=node.column,
            kind=node.kind,
            threshold=node.threshold,
            routes_begin=len(routes),
            routes_size=len(node.routes),
            missing_route=node.missing_route,
            unknown=node.unknown,
            counts=node.counts,
            n_rows=node.n_rows,
            impurity=gini(node.counts),
            score=node.score,
            gain=node.gain,
            search=0,
            exact=1,
            runner_begin=0,
            runner_size=0,
        )
        routes += node.routes
        queue += [(child, i) for child in node.children]
    rows["routes"] = routes
    for name in ("column", "kind", "threshold", "routes_begin", "routes_size", "score", "gain"):
        rows["runner_" + name] = []
    floats = (
        "threshold",
        "unknown",
        "counts",
        "impurity",
        "score",
        "gain",
        "runner_threshold",
        "runner_score",
    )
    longs = ("routes_begin", "n_rows", "runner_begin", "runner_routes_begin")
    kinds = dict.fromkeys((*floats, "runner_gain"), np.float64) | dict.fromkeys(longs, np.int64)
    kinds |= dict.fromkeys(("kind", "search", "exact", "runner_kind"), np.uint8)
    return {name: np.array(values, dtype=kinds.get(name, np.int32)) for name, values in rows.items()}


# Cases down a split


def is_missing(data, column, row):
    value = data.columns[column][row]
    return value == -2 if data.n_categories[column] else math.isnan(value)


def branch_of(data, node, row):
    """The branch; None if the value is missing and goes everywhere, -1 if there is no branch for it."""
    value = data.columns[node.column][row]
    if is_missing(data, node.column, row):
        return None if node.missing_route == EVERY else node.missing_route
    if node.kind == KNOWN:
        return 0
    if node.kind == THRESHOLD:
        return 0 if value <= node.threshold else 1
    return node.routes[value] if value >= 0 else -1


def divide(data, node, cases):
    """Return the cases of each branch, as Weka sends them down, the known table and the unknown weight."""
    branches = len(node.children)
    weights, known = np.zeros(branches), np.zeros((branches, data.n_classes))
    unknown = 0.0
    for row, weight in cases:
        missing, branch = is_missing(data, node.column, row), branch_of(data, node, row)
        unknown += weight * missing
        if branch is not None and branch >= 0:
            weights[branch] += weight
            if not missing:
                known[branch, data.y[row]] += weight
    largest = largest_branch(weights)
    total = weights.sum()
    shares = weights / total if total >= SMALL else np.full(branches, 1 / branches)
    sets: list[list[tuple[int, float]]] = [[] for _ in range(branches)]
    for row, weight in cases:
        branch = branch_of(data, node, row)
        if branch is None:
            for j in range(branches):
                if shares[j] > SMALL:
                    sets[j].append((row, weight * shares[j]))
        else:
            sets[largest if branch < 0 else branch].append((row, weight))
    return sets, known, unknown


def largest_branch(weights):
    best, most = 0, 0.0
    for i, weight in enumerate(weights):
        if most - weight < SMALL:
            best, most = i, weight
    return best


def known_gain(known, unknown):
    total = known.sum()
    if total <= 0:
        return 0.0
    after = sum(row.sum() / total * gini(row) for row in known)
    return max(gini(known.sum(axis=0)) - after, 0.0) * total / (total + unknown)


# Pessimistic pruning


def added(n, e, cf, z=None):
    if e < 1:
        base = n * (1 - cf ** (1 / n))
        return base if e == 0 else base + e * (added(n, 1, cf, z) - base)
    if e + 0.5 >= n:
        return max(n - e, 0)
    z = NormalDist().inv_cdf(1 - cf) if z is None else z
    f = (e + 0.5) / n
    root = math.sqrt(f / n - f * f / n + z * z / (4 * n * n))
    return (f + z * z / (2 * n) + z * root) / (1 + z * z / n) * n - e


def estimate(counts, cf, z=None):
    n = counts.sum()
    e = n - counts.max()
    return 0.0 if n < SMALL else e + added(n, e, cf, z)


def tree_estimate(node, cf, z=None):
    return estimate(node.counts, cf, z) if node.leaf else sum(tree_estimate(c, cf, z) for c in node.children)


def at_most(a, b):
    return a - b < SMALL


def training_errors(node):
    if node.leaf:
        return node.weight - node.counts.max()
    return sum(training_errors(child) for child in node.children)


def collapse(node):
    if node.leaf:
        return
    if training_errors(node) >= node.weight - node.counts.max() - 1e-3:
        node.cut()
    for child in node.children:
        collapse(child)


def replace(node, cf, z=None):
    if node.leaf:
        return
    for child in node.children:
        replace(child, cf, z)
    if at_most(estimate(node.counts, cf, z), tree_estimate(node, cf, z) + 0.1):
        node.cut()


def estimate_for(data, node, cases, cf, z):
    if node.leaf:
        return estimate(data.counts(cases), cf, z)
    sets = divide(data, node, cases)[0]
    return sum(estimate_for(data, c, s, cf, z) for c, s in zip(node.children, sets, strict=True))


def count_again(data, node, cases):
    node.counts, node.n_rows = data.counts(cases), len(cases)
    if not node.leaf:
        sets, known, node.unknown = divide(data, node, cases)
        node.gain = known_gain(known, node.unknown)
        for child, part in zip(node.children, sets, strict=True):
            count_again(data, child, part)


def raise_branches(data, node, cases, cf, z=None):
    """Prune with raising; return how many branches were raised."""
    if node.leaf:
        return 0
    raised = 0
    sets = divide(data, node, cases)[0]
    for child, part in zip(node.children, sets, strict=True):
        raised += raise_branches(data, child, part, cf, z)
    largest = node.children[largest_branch([child.weight for child in node.children])]
    errors_largest = estimate_for(data, largest, cases, cf, z)
    errors_leaf, errors_tree = estimate(node.counts, cf, z), tree_estimate(node, cf, z)
    if at_most(errors_leaf, errors_tree + 0.1) and at_most(errors_leaf, errors_largest + 0.1):
        node.cut()
    elif at_most(errors_largest, errors_tree + 0.1):
        for name in ("column", "kind", "threshold", "routes", "missing_route", "score", "children"):
            setattr(node, name, getattr(largest, name))
        count_again(data, node, cases)
        raised += 1 + raise_branches(data, node, cases, cf, z)
    return raised


# Cost-complexity


def leaves(node):
    return [node] if node.leaf else [leaf for child in node.children for leaf in leaves(child)]


def inner(node):
    return [] if node.leaf else [node, *(n for child in node.children for n in inner(child))]


def cost_complexity(root):
    """Cut weakest links one by one; return alphas, impurities, numbers of leaves."""
    total = root.weight

    def risk(node):
        return node.weight / total * gini(node.counts)

    root = copy.deepcopy(root)
    steps = [(0.0, sum(map(risk, leaves(root))), len(leaves(root)))]
    while not root.leaf:
        links = [
            ((risk(n) - sum(map(risk, leaves(n)))) / (len(leaves(n)) - 1), i)
            for i, n in enumerate(inner(root))
        ]
        alpha, i = min(links)
        inner(root)[i].cut()
        steps.append((alpha, sum(map(risk, leaves(root))), len(leaves(root))))
    return steps


# Reduced error


def walk(data, node, row, weight, answer):
    """Weight of the parts of a row that end in a node with another answer."""
    if node.n_rows:
        answer = int(node.counts.argmax())
    here = weight * (answer != data.y[row])
    if node.leaf:
        return here
    branch = branch_of(data, node, row)
    if branch is not None:
        return here if branch < 0 else walk(data, node.children[branch], row, weight, answer)
    total = sum(child.weight for child in node.children)
    return sum(
        walk(data, child, row, weight * child.weight / total, answer)
        for child in node.children
        if child.weight > 0
    )


def errors_of(data, node, cases):
    return sum(walk(data, node, row, weight, -1) for row, weight in cases)


def down(data, node, cases):
    """Cases of each branch by the tree's own shares; those that stay in the node go nowhere."""
    sets: list[list[tuple[int, float]]] = [[] for _ in node.children]
    total = sum(child.weight for child in node.children)
    for row, weight in cases:
        branch = branch_of(data, node, row)
        if branch is None:
            for child, part in zip(node.children, sets, strict=True):
                if child.weight > 0:
                    part.append((row, weight * child.weight / total))
        elif branch >= 0:
            sets[branch].append((row, weight))
    return sets


def reduce_errors(data, node, cases):
    if node.leaf:
        return
    for child, part in zip(node.children, down(data, node, cases), strict=True):
        reduce_errors(data, child, part)
    as_leaf = Node(node.counts, node.n_rows)
    if errors_of(data, as_leaf, cases) <= errors_of(data, node, cases) + 1e-8:
        node.cut()
