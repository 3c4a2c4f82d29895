"""Does a tree gain by letting each node choose its own order q? The figures of docs/adaptive.md.

Run it as ``python -m benchmarks.adaptive``. RAMIFY_DATA names the folder of the CSV files and of
``datasets.json``; without it, it is ``shared/data`` beside the checkout.

All methods meet the same outer folds and see nothing of the rows that judge them: whatever a method
chooses, it chooses on the training rows of the outer fold.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import sys
import time
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import wilcoxon
from sklearn.model_selection import RepeatedStratifiedKFold

from ramify import TreeClassifier

from .tables import Table, duration

Array = NDArray[Any]

ORDERS = (0.5, 1.0, 1.5, 2.0, 3.0, 5.0)
OUTER_FOLDS = 5
INNER_FOLDS = 10
MIN_ROWS = 40  # a smaller node takes over its parent's order, and so does all that is below it
PERMUTATIONS = 20
SEED = 0
#: Complete ones, as the prototype's children are made by sending whole rows down a branch.
DATASETS = (
    "australian",
    "balance-scale",
    "bupa",
    "car",
    "cmc",
    "glass",
    "haberman",
    "hayes-roth",
    "heart-statlog",
    "ionosphere",
    "iris",
    "pima",
    "tic-tac-toe",
    "titanic",
    "vehicle",
    "waveform",
    "wine",
    "yeast",
)


@dataclass(frozen=True)
class Data:
    """Columns as numbers, classes as numbers, and which columns are nominal."""

    X: Array
    y: Array
    nominal: tuple[int, ...]

    def rows(self, chosen: Array) -> Data:
        """Return some of the rows, by mask or number."""
        return Data(self.X[chosen], self.y[chosen], self.nominal)

    def fit(self, q: float, **limits: Any) -> TreeClassifier:
        """Grow a tree of one order."""
        nominal = list(self.nominal) or None
        model = TreeClassifier("gain", q=q, min_samples_leaf=5, categorical_features=nominal, **limits)
        return model.fit(self.X, self.y)


def read(name: str) -> Data:
    """Read a data set; categories are coded in declared order, classes in sorted order."""
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    folder = Path(os.environ.get("RAMIFY_DATA", beside))
    described = json.loads((folder / "datasets.json").read_text(encoding="utf-8"))["datasets"][name]
    if described["missing_cells"]:
        raise ValueError(f"{name} has missing values; this prototype takes complete data only")
    with (folder / described["file"]).open(newline="", encoding="utf-8") as file:
        *columns, labels = zip(*list(csv.reader(file))[1:], strict=True)
    attributes = described["attributes"]
    X = np.empty((len(labels), len(attributes)))
    for j, (attribute, cells) in enumerate(zip(attributes, columns, strict=True)):
        is_nominal = attribute["kind"] == "nominal"
        X[:, j] = [attribute["values"].index(c) for c in cells] if is_nominal else np.array(cells, float)
    nominal = tuple(j for j, attribute in enumerate(attributes) if attribute["kind"] == "nominal")
    return Data(X, np.unique(labels, return_inverse=True)[1], nominal)


# ---------------------------------------------------------------- how an order is chosen

#: From the rows of a node and the order of its parent (None at the root) to the order of the node.
Rule = Callable[[Data, float | None], float]


def inner_folds(y: Array) -> Array:
    """Deal shuffled rows class by class to the folds; return each row's fold."""
    order = np.lexsort((np.random.default_rng(SEED).random(len(y)), y))
    folds = np.empty(len(y), dtype=int)
    folds[order] = np.arange(len(y)) % INNER_FOLDS
    return folds


def cross_validate(data: Data) -> tuple[Array, Array]:
    """Return hits (orders, folds) of whole trees of one order, and their mean number of nodes."""
    folds = inner_folds(data.y)
    hits = np.empty((len(ORDERS), INNER_FOLDS))
    nodes = np.empty_like(hits)
    for k in range(INNER_FOLDS):
        kept, judges = data.rows(folds != k), data.rows(folds == k)
        for i, q in enumerate(ORDERS):
            model = kept.fit(q)
            hits[i, k] = np.count_nonzero(model.predict(judges.X) == judges.y)
            nodes[i, k] = model.tree_.node_count
    return hits, nodes.mean(axis=1)


def by_cv(data: Data, parent: float | None, margin: float = 0.0) -> float:
    """Choose the order whose whole tree on these rows is most accurate in cross-validation.

    Ties go to the parent's order, then to the smaller tree. With a `margin`, another order than the
    parent's must get more right by more than that many standard errors of the difference over folds.
    """
    hits, nodes = cross_validate(data)
    total = hits.sum(axis=1)
    best = min(range(len(ORDERS)), key=lambda i: (-total[i], ORDERS[i] != parent, nodes[i]))
    if parent is not None:
        ahead = hits[best] - hits[ORDERS.index(parent)]
        error = ahead.std(ddof=1) * math.sqrt(INNER_FOLDS)
        if ahead.sum() <= margin * error + 1e-9:
            return parent
    return ORDERS[best]


def lowest(costs: list[float], parent: float | None) -> float:
    """Return the order of the lowest cost; ties go to the parent's, then to the smaller order."""
    return min(zip(ORDERS, costs, strict=True), key=lambda pair: (pair[1], pair[0] != parent))[0]


def by_penalty(data: Data, parent: float | None) -> float:
    """Choose the order whose whole tree on these rows has the fewest training errors + leaves / 2."""
    costs = []
    for q in ORDERS:
        model = data.fit(q)
        errors = np.count_nonzero(model.predict(data.X) != data.y)
        costs.append(errors + model.tree_.n_leaves / 2)
    return lowest(costs, parent)


def by_surprise(data: Data, parent: float | None) -> float:
    """Choose the order whose best split gains most, in standard deviations above shuffled classes."""
    rng = np.random.default_rng(SEED)
    shuffled = [Data(data.X, rng.permutation(data.y), data.nominal) for _ in range(PERMUTATIONS)]
    costs = []
    for q in ORDERS:
        by_chance = [root_gain(other, q) for other in shuffled]
        spread = max(float(np.std(by_chance, ddof=1)), 1e-12)
        costs.append((np.mean(by_chance) - root_gain(data, q)) / spread)
    return lowest(costs, parent)


def root_gain(data: Data, q: float) -> float:
    """Return the gain of the best split of all rows."""
    tree = data.fit(q, max_depth=1).tree_
    return float(tree.gain[0]) if tree.node_count > 1 else 0.0


def at_random(data: Data, parent: float | None) -> float:
    """Choose blindly, by a checksum of the rows: does it matter at all what is chosen?"""
    return ORDERS[zlib.crc32(data.X.tobytes()) % len(ORDERS)]


# ---------------------------------------------------------------- trees


@dataclass
class AdaptiveTree:
    """A tree whose nodes choose their own order.

    `top` is the split of the node and `branches` are the trees below it; without branches `top` is a
    whole tree. With a rule that always says the same, it is the tree of that one order.
    """

    top: TreeClassifier
    orders: list[float]
    branches: dict[int, AdaptiveTree] = field(default_factory=dict)

    @classmethod
    def grow(cls, data: Data, rule: Rule, parent: float | None = None) -> AdaptiveTree:
        """Grow it from all rows of a node."""
        if np.ptp(data.y) == 0 or (len(data.y) < MIN_ROWS and parent is not None):
            return cls(data.fit(parent or ORDERS[0]), [])
        q = rule(data, parent)
        tree = cls(data.fit(q, max_depth=1), [q])
        if tree.top.tree_.node_count > 1:
            ends = tree.top.apply(data.X)
            tree.branches = {end: cls.grow(data.rows(ends == end), rule, q) for end in np.unique(ends)}
        return tree

    def predict(self, X: Array) -> Array:
        """Predict classes; a category that a node has not met is answered by the node."""
        answers = self.top.predict(X)
        if self.branches:
            ends = self.top.apply(X)
            for end, branch in self.branches.items():
                if (here := ends == end).any():
                    answers[here] = branch.predict(X[here])
        return answers

    @property
    def node_count(self) -> int:
        """All nodes."""
        if not self.branches:
            return int(self.top.tree_.node_count)
        return 1 + sum(branch.node_count for branch in self.branches.values())

    def orders_used(self) -> set[float]:
        """Return the distinct orders that were chosen."""
        return set(self.orders).union(*(branch.orders_used() for branch in self.branches.values()))


def one_order(data: Data, rule: Rule) -> AdaptiveTree:
    """Choose once, for the whole tree."""
    q = rule(data, None)
    return AdaptiveTree(data.fit(q), [q])


ONE = "one q: CV"
ALIKE = ("node: penalty", "one q: penalty")
METHODS: dict[str, Callable[[Data], AdaptiveTree]] = {
    **{f"q={q:g}": partial(one_order, rule=lambda data, parent, q=q: q) for q in ORDERS},
    ONE: partial(one_order, rule=by_cv),
    "one q: penalty": partial(one_order, rule=by_penalty),
    "node: CV": partial(AdaptiveTree.grow, rule=by_cv),
    "node: CV, 1 SE": partial(AdaptiveTree.grow, rule=partial(by_cv, margin=1.0)),
    "node: CV, 2 SE": partial(AdaptiveTree.grow, rule=partial(by_cv, margin=2.0)),
    "node: penalty": partial(AdaptiveTree.grow, rule=by_penalty),
    "node: surprise": partial(AdaptiveTree.grow, rule=by_surprise),
    "node: random": partial(AdaptiveTree.grow, rule=at_random),
}
FIXED = tuple(f"q={q:g}" for q in ORDERS)
SHOWN = ("q=1", "q=2", *(name for name in METHODS if name not in FIXED))


# ---------------------------------------------------------------- figures


@dataclass
class Figures:
    """What one method did on one data set, fold by fold; nodes, orders and seconds of a fit."""

    accuracy: list[float] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    orders: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)


def judge(data: Data, repeats: int) -> dict[str, Figures]:
    """Meet every outer fold with every method."""
    figures = {name: Figures() for name in METHODS}
    outer = RepeatedStratifiedKFold(n_splits=OUTER_FOLDS, n_repeats=repeats, random_state=SEED)
    for kept, judges in outer.split(data.X, data.y):
        train, test = data.rows(kept), data.rows(judges)
        for name, grow in METHODS.items():
            begin = time.process_time()
            tree = grow(train)
            figures[name].seconds.append(time.process_time() - begin)
            figures[name].accuracy.append(float(np.mean(tree.predict(test.X) == test.y)))
            figures[name].nodes.append(tree.node_count)
            figures[name].orders.append(len(tree.orders_used()))
    return figures


Results = dict[str, dict[str, Figures]]


def paired(ours: list[float], theirs: list[float]) -> tuple[float, float]:
    """Return the mean difference over the outer folds and its standard error.

    Folds share training rows, so the error is Nadeau and Bengio's (2003): the variance over J folds
    counts (1/J + test rows / training rows) times instead of 1/J.
    """
    ahead = np.subtract(ours, theirs)
    share = 1 / len(ahead) + 1 / (OUTER_FOLDS - 1)
    return float(ahead.mean()), float(ahead.std(ddof=1) * math.sqrt(share))


def by_dataset(results: Results) -> Table:
    """Accuracy of one q by cross-validation on each data set, and how far the others are ahead of it."""
    others = [name for name in SHOWN if name != ONE]
    rows = []
    for dataset, figures in results.items():
        theirs = figures[ONE].accuracy
        ahead = [paired(figures[name].accuracy, theirs) for name in others]
        cells = [f"{100 * mean:+.1f} ({100 * error:.1f})" for mean, error in ahead]
        rows.append([dataset, f"{100 * np.mean(theirs):.1f}", *cells])
    title = f"Accuracy of {ONE}, and points by which others are ahead (standard error)"
    return Table(title, ["data set", ONE, *others], rows)


def summary(results: Results) -> Table:
    """Means over the data sets."""
    sets = list(results.values())
    rows = []
    for name in SHOWN:
        accuracy = np.mean([np.mean(figures[name].accuracy) for figures in sets])
        nodes = np.mean([np.mean(figures[name].nodes) for figures in sets])
        orders = np.mean([np.mean(figures[name].orders) for figures in sets])
        seconds = sum(np.mean(figures[name].seconds) for figures in sets)
        cells = [f"{100 * accuracy:.2f}", f"{nodes:.1f}", f"{orders:.1f}", duration(float(seconds))]
        rows.append([name, *cells])
    hindsight = np.mean([max(np.mean(figures[q].accuracy) for q in FIXED) for figures in sets])
    note = f"the best single q of each data set, known only in hindsight: {100 * hindsight:.2f}"
    heads = ["method", "accuracy", "nodes", "orders a tree", "CPU time, one fit of each set"]
    return Table("Mean over the data sets", heads, rows, [note])


def compare(results: Results, name: str, reference: str) -> list[str]:
    """Points ahead of the reference with their standard error over sets, sets won/tied/lost, and p."""
    if name == reference:
        return ["", "", ""]
    pairs = [(figures[name].accuracy, figures[reference].accuracy) for figures in results.values()]
    ahead = np.round([paired(*pair)[0] for pair in pairs], 12)  # what cancels out is a tie
    error = float(ahead.std(ddof=1) / math.sqrt(len(ahead))) if len(ahead) > 1 else math.nan
    p = wilcoxon(ahead).pvalue if np.any(ahead) else 1.0
    wins, losses = int((ahead > 0).sum()), int((ahead < 0).sum())
    points = f"{100 * ahead.mean():+.2f} ({100 * error:.2f})"
    return [points, f"{wins}/{len(ahead) - wins - losses}/{losses}", f"{p:.2f}"]


def comparisons(results: Results) -> Table:
    """Each method against one q by cross-validation and two fixed ones."""
    references = (ONE, "q=1", "q=2")
    heads = ["method", *(head for name in references for head in (f"- {name}", "w/t/l", "p"))]
    rows = [[name, *(cell for r in references for cell in compare(results, name, r))] for name in SHOWN]
    points, sets, p = compare(results, *ALIKE)
    notes = [
        f"{ALIKE[0]} - {ALIKE[1]}: {points}, {sets}, p {p}",
        "points of accuracy, mean over the data sets (its standard error over them);",
        "data sets won, tied and lost; p of Wilcoxon's signed-rank test over the data sets",
    ]
    return Table("Paired differences", heads, rows, notes)


def main() -> int:
    """Read the command line, measure, print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.adaptive", description=__doc__)
    parser.add_argument("--datasets", nargs="+", default=list(DATASETS), metavar="NAME")
    parser.add_argument("--repeats", type=int, default=4, help="of the outer folds")
    asked = parser.parse_args()
    results: Results = {}
    for name in asked.datasets:
        begin = time.process_time()
        results[name] = judge(read(name), asked.repeats)
        print(f"{name}: {duration(time.process_time() - begin)}", file=sys.stderr, flush=True)
    for tell in (by_dataset, summary, comparisons):
        tell(results).show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
