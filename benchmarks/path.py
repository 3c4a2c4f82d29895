"""Contenders that try many orders: paths over q, and the same by one fit after the other.

What would take too long is measured in part and multiplied; the names say so.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .contenders import Limits, Ramify, Sklearn, scikit_learn_tree
from .workloads import Data

FOLDS = 10


def grid(orders: int) -> npt.NDArray[np.float64]:
    """So many orders, spread over 0.1, 0.2, ..., 10.0."""
    places = (np.arange(orders) + 0.5) * 100 / orders
    return (places.astype(int) + 1) / 10


@dataclass(frozen=True)
class RamifyPath(Ramify):
    """`q_path`: all orders, all folds of all repeats, and the trees on all rows."""

    orders: int = 100
    repeats: int = 10

    @property
    def name(self) -> str:
        """What is called."""
        return "ramify q_path"

    @property
    def note(self) -> str:
        """How many trees there are in it."""
        trees = self.orders * self.repeats * FOLDS
        return (
            f"{self.orders} q x {self.repeats} x {FOLDS} folds: {trees:,} trees with all their scores, and "
            "the trees on all rows; subsets of nominal columns"
        )

    def train(self, native: Data, limits: Limits) -> Any:
        """Make the path."""
        from ramify import q_path

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # some classes have fewer cases than there are folds
            return q_path(
                native.X,
                native.y,
                grid(self.orders),
                cv=FOLDS,
                n_repeats=self.repeats,
                min_samples_leaf=limits.min_samples_leaf,
                max_depth=limits.max_depth,
                n_jobs=self.threads,
                progress=False,
            )

    def nodes(self, model: Any) -> int | None:
        """Mean number of nodes of the trees on all rows."""
        return round(float(model.full_n_nodes_.mean()))


@dataclass(frozen=True)
class SklearnCrossVal(Sklearn):
    """scikit-learn's `cross_val_score` on the same folds: one order is measured, in some of the repeats."""

    orders: int = 100
    repeats: int = 10
    measured_repeats: int = 10

    @property
    def name(self) -> str:
        """What is called and what is multiplied."""
        return f"cross_val_score, one q x {self._factor:,.0f}"

    @property
    def note(self) -> str:
        """What is measured."""
        return (
            f"Gini trees and accuracies on {self.measured_repeats} x {FOLDS} of the same folds, their time "
            "multiplied; nominal columns as ordinal codes, a smaller search, made beforehand"
        )

    @property
    def _factor(self) -> float:
        return self.orders * self.repeats / self.measured_repeats

    def train(self, native: Data, limits: Limits) -> Any:
        """Cross-validate one order against the clock, and return the seconds."""
        from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score

        model = scikit_learn_tree(limits)
        folds = RepeatedStratifiedKFold(n_splits=FOLDS, n_repeats=self.measured_repeats, random_state=0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            begin = time.perf_counter()
            cross_val_score(model, native.X, native.y, cv=folds, n_jobs=self.threads)
            return time.perf_counter() - begin

    def nodes(self, model: Any) -> int | None:
        """It keeps no trees."""
        return None

    def own_seconds(self, model: Any) -> float | None:
        """The whole, as if all had been measured."""
        return float(model) * self._factor


@dataclass(frozen=True)
class RamifyTrees(Ramify):
    """The trees of all orders on all rows, grown together."""

    orders: int = 100

    @property
    def name(self) -> str:
        """How many orders."""
        return f"ramify {self.orders} q together"

    @property
    def note(self) -> str:
        """What is in the time."""
        return f"what q_path does with all rows, without its folds: the distinct trees of {self.orders} q"

    def train(self, native: Data, limits: Limits) -> Any:
        """Grow them, from arrays in memory."""
        from ramify import TreeClassifier
        from ramify.path import distinct_trees
        from ramify.tuning import make_grower

        model = TreeClassifier(
            min_samples_leaf=limits.min_samples_leaf, max_depth=limits.max_depth, n_jobs=self.threads
        )
        orders = grid(self.orders)
        return distinct_trees(make_grower(model, native.X, native.y, None, orders), orders)

    def nodes(self, model: Any) -> int | None:
        """Mean number of nodes."""
        return round(float(model[1].mean()))

    def returned_bytes(self, model: Any) -> int | None:
        """All arrays of the distinct trees."""
        return sum(_bytes_of(entry.tree) for entry in model[0])


@dataclass(frozen=True)
class RamifyOneByOne(Ramify):
    """Fits of the estimator, an order each."""

    orders: int = 100

    @property
    def name(self) -> str:
        """How many fits."""
        return f"ramify {self.orders} fits"

    @property
    def note(self) -> str:
        """What is called."""
        return "TreeClassifier(q=q).fit for each of these orders"

    def train(self, native: Data, limits: Limits) -> Any:
        """Fit, and return the mean number of nodes."""
        from ramify import TreeClassifier

        nodes = 0
        for q in grid(self.orders):
            model = TreeClassifier(
                q=q,
                min_samples_leaf=limits.min_samples_leaf,
                max_depth=limits.max_depth,
                n_jobs=self.threads,
            ).fit(native.X, native.y)
            nodes += model.tree_.node_count
        return nodes / self.orders

    def nodes(self, model: Any) -> int | None:
        """Mean number of nodes."""
        return round(model)


@dataclass(frozen=True)
class RamifyFit(Ramify):
    """A single fit that tells the size of its tree."""

    def returned_bytes(self, model: Any) -> int | None:
        """All arrays of the tree."""
        return _bytes_of(model.tree_)


def _bytes_of(tree: Any) -> int:
    return sum(values.nbytes for values in tree.core.arrays().values())
