"""Data and parameters on which a path over q is held to single fits, and when the two are the same."""

import json
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest

import missing_samples
from ramify import Dialect, _core, list_criteria
from ramify._answers import Answers, answering_of
from ramify._preparation import prepare
from ramify.estimator import TreeClassifier
from ramify.tree import Tree
from reference.worked import DATA
from samples import numbers

ORDERS = [info.name for info in list_criteria() if info.takes_order]
WAYS = ("fractional", "best_branch", "own_branch")
#: Orders of all sorts: those with forms of their own, their neighbours, and far ones.
GRID = np.array([0.0, 0.1, 0.5, 0.9, 1.0, 1.1, 1.5, 1.9, 2.0, 2.1, 2.6, 3.0, 4.0, 7.1, 10.0, 60.0])
PAPER = np.arange(1, 101) / 10
EPSILON = np.finfo(float).eps

#: What a tree asks and where cases go, with the routes of `routes_of`; all else may depend on q.
SHAPE = (
    "first_child",
    "n_children",
    "parent",
    "column",
    "kind",
    "threshold",
    "routes_size",
    "missing_route",
    "unknown",
    "counts",
    "n_rows",
)


@dataclass(frozen=True)
class Sample:
    """Columns, labels, and weights or None."""

    X: Any
    y: np.ndarray
    weights: np.ndarray | None = None

    def rows(self, which):
        """Some of the rows."""
        X = self.X.iloc[which] if isinstance(self.X, pd.DataFrame) else self.X[which]
        return Sample(X, self.y[which], None if self.weights is None else self.weights[which])


def nominal(rows, levels, classes, seed=0):
    """Columns of so many categories (and one more that never occurs), with labels that follow them."""
    rng = np.random.default_rng(seed)
    pull = rng.gumbel(size=(rows, classes))
    frame = {}
    for j, n in enumerate(levels):
        codes = rng.integers(n, size=rows)
        pull += rng.normal(size=(n, classes))[codes]
        frame[f"n{j}"] = pd.Categorical.from_codes(codes, [f"v{i}" for i in range(n + 1)])
    return Sample(pd.DataFrame(frame), pull.argmax(axis=1))


def mixed(rows=220, seed=0, share=0.0):
    made = missing_samples.mixed(rows, seed, share)
    return Sample(made.frame, made.y)


def clusters(rows, columns, classes, seed=0, kind=np.float64):
    rng = np.random.default_rng(seed)
    y = np.arange(rows) % classes
    X = rng.normal(scale=2.0, size=(classes, columns))[y] + rng.normal(size=(rows, columns)) * 1.5
    return Sample(X.astype(kind), y)


def ties():
    rng = np.random.default_rng(4)
    X = rng.integers(0, 4, size=(160, 3)).astype(float)
    # The same column twice, and one upside down: whatever is best there is best three times.
    return Sample(np.column_stack([X, X[:, 0], -X[:, 0]]), rng.integers(0, 3, 160))


def exclusive_or():
    rng = np.random.default_rng(5)
    X = rng.integers(0, 2, size=(96, 4)).astype(float)
    return Sample(X, (X[:, 0] != X[:, 1]).astype(int) + (rng.random(96) < 0.1))


DATASETS = {
    "whole numbers": lambda: Sample(*numbers(rows=240)),
    "real numbers": lambda: clusters(220, 4, 3),
    "float32": lambda: clusters(220, 4, 3, kind=np.float32),
    "ties": ties,
    "exclusive or": exclusive_or,
    "many classes": lambda: clusters(312, 3, 26),
    "wide": lambda: clusters(60, 40, 3),
    "nominal": lambda: nominal(240, (2, 3, 5, 6), 3),
    "nominal, two classes": lambda: nominal(240, (3, 12, 20), 2),
    "many categories": lambda: nominal(260, (30, 4), 4),
    "mixed": mixed,
    "one class": lambda: Sample(np.arange(12.0)[:, None], np.zeros(12, int)),
    "rare class": lambda: Sample(numbers(rows=150)[0], (np.arange(150) % 29 == 0).astype(int)),
}

#: With weights and missing values, and each parameter that growing heeds.
PARAMETERS = {
    "leaf": ("mixed", {"min_samples_leaf": 6}),
    "leaf as a share": ("whole numbers", {"min_samples_leaf": 0.04, "min_samples_split": 0.1}),
    "depth": ("mixed", {"max_depth": 3}),
    "leaves": ("mixed", {"max_leaf_nodes": 9}),
    "leaves and depth": ("real numbers", {"max_leaf_nodes": 12, "max_depth": 4, "min_samples_leaf": 3}),
    "drawn columns": ("mixed", {"max_features": 2, "random_state": 3}),
    "drawn columns of many": ("wide", {"max_features": "sqrt", "random_state": 1}),
    "quantiles": ("real numbers", {"cuts": "quantile", "max_bins": 7}),
    "equal widths": ("whole numbers", {"cuts": "equal_width", "max_bins": 6}),
    "gaussian": ("real numbers", {"cuts": "gaussian", "min_samples_leaf": 2}),
    "support": ("mixed", {"min_support": 5}),
    "support as a share": ("nominal", {"min_support": 0.03}),
    "decrease": ("mixed", {"min_impurity_decrease": 0.01}),
    "order of splits": ("mixed", {"split_order": [2, None, 0]}),
    "runner-ups": ("mixed", {"n_runner_ups": 3}),
    "c45": ("mixed", {"dialect": "c45", "min_samples_leaf": 2}),
    "gate": ("mixed", {"dialect": Dialect(available_gain_gate=True)}),
    "improving cuts": ("mixed", {"dialect": Dialect(cuts_must_improve=True), "min_samples_leaf": 2}),
    "gate by columns": ("nominal", {"dialect": Dialect(by_columns=True, available_gain_gate=True)}),
    "known cases": (
        "mixed",
        {
            "dialect": Dialect(
                by_columns=True,
                cut_criterion="distance",
                known_cases_only=True,
                last_of_equal_cuts=True,
                tie_tolerance=1e-6,
            ),
            "min_samples_leaf": 2,
        },
    ),
    "class weights": ("mixed", {"class_weight": {0: 3.0, 1: 0.5, 2: 1.0}}),
    "balanced": ("rare class", {"class_weight": "balanced"}),
}


def weighted(sample, kind, seed=6):
    """The sample with whole weights, real ones, or some of 0."""
    rng = np.random.default_rng(seed)
    rows = len(sample.y)
    weights = {
        "whole": rng.integers(1, 5, rows).astype(float),
        "real": rng.random(rows) + 0.1,
        "zeros": rng.integers(0, 3, rows).astype(float),
        "large": np.full(rows, 1e6),
    }[kind]
    return Sample(sample.X, sample.y, weights)


def real(name):
    """A data set of the folder of CSV files, nominal columns as declared; skips the test without it."""
    path = DATA / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"no data at {path}; RAMIFY_DATA names the folder")
    described = json.loads((DATA / "datasets.json").read_text(encoding="utf-8"))
    cells = pd.read_csv(path, dtype=str, keep_default_na=False, na_values=["", "?"])
    frame = {}
    for attribute, column in zip(described["datasets"][name]["attributes"], cells.columns, strict=False):
        values = cells[column]
        nominal_column = attribute["kind"] == "nominal"
        frame[column] = (
            pd.Categorical(values, attribute["values"]) if nominal_column else values.astype(float)
        )
    return Sample(pd.DataFrame(frame), cells.iloc[:, -1].to_numpy())


# The two ways to the trees


class Growth:
    """A sample as the core sees it, to grow trees from all or some of its rows."""

    def __init__(self, sample, **parameters):
        self.work = prepare(TreeClassifier(**parameters), sample.X, sample.y, sample.weights)
        self.rows = self.work.rows
        self.n_classes = len(self.work.schema.classes)
        self.path = _core.Path(self.rows.blocks, self.rows.numbers, self.n_classes)
        # Cuts made from the rows at hand, and growth from the best node on, need a path of these alone.
        own_cuts = parameters.get("cuts", "exact") in ("quantile", "equal_width")
        self.best_first = parameters.get("max_leaf_nodes") is not None
        self.alone = own_cuts or self.best_first or parameters.get("dialect") == "c45"
        # Sums of fractions depend on their order, and some rows of a path may be kept in another one than the
        # same rows by themselves. Whole numbers have no such excuse.
        weights = self.rows.weights
        in_parts = (
            any(missing for _, _, missing in self.rows.blocks) and self.work.settings["missing"] == WAYS[0]
        )
        fractions = in_parts or (weights is not None and (weights % 1 != 0).any())
        self.rounds = fractions or parameters.get("cuts") == "gaussian"
        self.runner_ups = parameters.get("n_runner_ups", 0) > 0

    def single(self, q, which):
        """The tree of one q, from some of the rows."""
        some = self.rows.take(which)
        settings = self.work.settings | {"q": float(q)}
        return _core.grow(some.blocks, some.numbers, self.n_classes, some.weights, settings, 1)

    def shared(self, qs, which, every, n_jobs=1):
        """The trees of all q together, and which is whose."""
        path, rows, positions = self.path, self.rows, which.astype(np.uint32)
        if self.alone and len(which) < len(rows.numbers):
            rows = rows.take(which)
            positions = np.arange(len(which), dtype=np.uint32)
            path = _core.Path(rows.blocks, rows.numbers, self.n_classes)
        weights = None if rows.weights is None else rows.weights[positions]
        orders = np.array(qs, dtype=np.float64)
        return path.trees(positions, weights, self.work.settings, orders, every, n_jobs)

    def check(self, qs, which=None, n_jobs=1):
        """The path's trees are the single ones, with one tree for each q and with shared ones."""
        which = np.arange(len(self.rows.numbers)) if which is None else which
        same = assert_same_arrays
        if len(which) < len(self.rows.numbers) and (self.rounds or self.runner_ups):
            same = partial(assert_near_arrays, tolerance=1e-5 if self.rounds else 0.0)
        singles = [self.single(q, which).arrays() for q in qs]
        trees, of_q = self.shared(qs, which, True, n_jobs)
        assert len(trees) == len(qs) and np.array_equal(of_q, np.arange(len(qs)))
        for q, tree, single in zip(qs, trees, singles, strict=True):
            same(tree.arrays(), single, f"q = {q:g}")
        self._check_shared(qs, singles, *self.shared(qs, which, False, n_jobs), same)

    def _check_shared(self, qs, singles, trees, of_q, same):
        arrays = [tree.arrays() for tree in trees]
        assert len(of_q) == len(qs) and set(of_q) == set(range(len(trees)))
        first = {}
        for i, single in enumerate(singles):
            mine = arrays[of_q[i]]
            # The first q that grows a tree has it whole, the others share its shape.
            new = first.setdefault(of_q[i], i) == i
            same(mine, single, f"q = {qs[i]:g}, shared", None if new else SHAPE)
            np.testing.assert_array_equal(routes_of(mine), routes_of(single))
        if not self.best_first:  # which is done one by one
            assert len({shape_of(tree) for tree in arrays}) == len(trees), "a tree is there twice"


class Exam:
    """Folds of a sample, scored by the core all at once and by one tree after the other."""

    def __init__(self, sample, **parameters):
        self.model = TreeClassifier(**parameters)
        self.growth = Growth(sample, **parameters)
        work = self.growth.work
        self.answering = answering_of(work.class_weight, self.model.smoothing, work.costs, work.dialect)

    def check(self, qs, folds, test_weights=None, n_jobs=1):
        """All figures are those of single trees."""
        growth, weights = self.growth, self.growth.rows.weights
        found = growth.path.evaluate(
            [train.astype(np.uint32) for train, _ in folds],
            [test.astype(np.uint32) for _, test in folds],
            [None if weights is None else weights[train] for train, _ in folds],
            test_weights,
            [growth.work.settings] * len(folds),
            np.array(qs, dtype=np.float64),
            [self.answering] * len(folds),
            n_jobs,
        )
        for i, (train, test) in enumerate(folds):
            for j, q in enumerate(qs):
                figures = self._figures(growth.single(q, train), test, test_weights)
                for name, figure in figures.items():
                    text = f"fold {i}, q = {q:g}: {name}"
                    np.testing.assert_allclose(found[name][i, j], figure, rtol=1e-9, atol=1e-12, err_msg=text)

    def _figures(self, core, test, test_weights):
        held, work = self.growth.rows.take(test), self.growth.work
        answers = Answers(Tree(core), work.class_weight, self.model.smoothing, work.costs, work.dialect)
        ends = _core.apply(core, held.blocks, len(test), 1)
        weights = np.ones(len(test)) if test_weights is None else test_weights[test]
        told = np.clip(answers.shares[ends, held.numbers], EPSILON, 1 - EPSILON)
        return {
            "correct": weights @ (answers.votes[ends] == held.numbers),
            "log_loss": -weights @ np.log(told),
            "n_nodes": core.node_count,
            "n_leaves": core.n_leaves,
            "depth": core.max_depth,
        }


def assert_same_arrays(mine, other, text, names=None):
    """Trees as arrays are equal, bit by bit."""
    assert mine.keys() == other.keys()
    for name in names or mine:
        np.testing.assert_array_equal(mine[name], other[name], err_msg=f"{text}: {name}")


def assert_near_arrays(mine, other, text, names=None, tolerance=0.0):
    """The same but for rounding; runner-ups, whose order goes by the last bit of a score, are left aside."""
    for name in names or mine:
        if name.startswith(("runner", "routes")):
            continue
        near = tolerance if mine[name].dtype.kind == "f" else 0.0
        np.testing.assert_allclose(
            mine[name], other[name], rtol=near, atol=near * 1e-4, err_msg=f"{text}: {name}"
        )


def routes_of(arrays):
    """The routes of the chosen splits alone, which lie among those of runner-ups."""
    places = zip(arrays["routes_begin"], arrays["routes_size"], strict=True)
    found = [arrays["routes"][begin : begin + size] for begin, size in places if size > 0]
    return np.concatenate(found) if found else np.empty(0, np.int32)


def shape_of(arrays):
    """What trees of the same rows agree in if they ask the same."""
    return b"".join(arrays[name].tobytes() for name in SHAPE) + routes_of(arrays).tobytes()


def assert_same_path(path, other):
    """Every figure of every fold is the same, and the trees on all rows have the same sizes."""
    for name in ("accuracy", "log_loss", "n_nodes", "n_leaves", "depth"):
        np.testing.assert_array_equal(getattr(path, f"fold_{name}_"), getattr(other, f"fold_{name}_"))
    assert path.nested_accuracy_ == other.nested_accuracy_
    np.testing.assert_array_equal(path.full_n_nodes_, other.full_n_nodes_)
