"""The trees of many orders q on the same rows: what the path asks of the core."""

from __future__ import annotations

import hashlib
from collections import Counter
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._answers import Answers, answering_of
from ramify._labels import one_case, read_weights
from ramify._parameters import check_pruning, check_support, is_integer, rows_or_share
from ramify._preparation import Work, check_order
from ramify._pruning import (
    Votes,
    check_alpha,
    choose_alpha,
    prune_as_asked,
    prune_cost_complexity,
    set_aside,
)
from ramify._training import TrainingRows
from ramify.tree import Tree

Orders = NDArray[np.float64]
Rows = NDArray[np.uint32]

#: The arrays that, with the routes, say what a tree asks and where cases go. Trees that agree in them on the
#: same rows differ at most in what depends on q: impurities, scores, gains and runner-ups.
_SHAPE = ("n_children", "first_child", "column", "kind", "threshold", "routes_size", "missing_route")


@dataclass(frozen=True)
class Training:
    """Some rows to train on, with all that depends on which rows they are.

    Attributes
    ----------
    rows : ndarray of uint32
        Positions in the data, rising; rows of weight zero are left out.
    weights : ndarray, optional
        One a row, class weights multiplied in; None if all count once.
    class_weight : ndarray
        The weights of the classes that are in them.
    settings : dict
        What the core wants: shares of rows and of cases are those of these rows.
    """

    rows: Rows
    weights: NDArray[np.float64] | None
    class_weight: NDArray[np.float64]
    settings: dict[str, Any]


@dataclass(frozen=True)
class ChosenRows(TrainingRows):
    """Labelled rows that know their positions in the data."""

    positions: Rows = field(default_factory=lambda: np.empty(0, np.uint32))

    def take(self, which: NDArray[Any]) -> ChosenRows:
        """Return some of the rows, by a mask or by their numbers."""
        some = super().take(which)
        return ChosenRows(some.blocks, some.numbers, some.weights, self.positions[which])


@dataclass(frozen=True)
class Grown:
    """The trees of many q: that of `qs[i]` is ``trees[which[i]]``; with cost-complexity, its alpha too."""

    trees: list[_core.Tree]
    which: NDArray[np.integer[Any]]
    alphas: list[float] | None = None


class PathGrower:
    """Grows and prunes, for any rows of the data, the trees of all q as single fits would.

    Parameters
    ----------
    model : TreeClassifier
        The parameters of all trees, but for `q`.
    work : Work
        The data and the parameters, checked with some `q`.
    sample_weight : Any
        As given to `prepare`, with which `work` was made.
    """

    def __init__(self, model: Any, work: Work, sample_weight: Any) -> None:
        self.model = model
        self.schema = work.schema
        self.settings = work.settings
        self.dialect = work.dialect
        self.costs = work.costs
        self.n_jobs = work.n_jobs
        self.method = check_pruning(model)
        self.blocks = work.given.blocks
        self.numbers = work.given.numbers
        self.classes = work.schema.classes
        self.sample_weight, _ = read_weights(sample_weight, None, self.classes, self.numbers)
        self._ones = np.ones(len(self.classes))
        self._shares = [
            (name, getattr(model, name), low)
            for name, low in (("min_samples_split", 2), ("min_samples_leaf", 1))
            if not is_integer(getattr(model, name))
        ]
        self._support_is_share = model.min_support is not None and not is_integer(model.min_support)
        # Where codes are made from the training rows, or the best node is grown first, folds share nothing.
        self._alone = not self._path.takes_some_rows(self.settings)
        #: Whether folds can be scored without keeping their trees.
        self.scores_folds = not (
            self._alone or self.method is not None or work.dialect.changes_grown_trees or self.has_missing
        )

    def __getstate__(self) -> dict[str, Any]:
        # The core's path can't be pickled; and it knows the data as they were when it was made.
        return {name: value for name, value in vars(self).items() if name != "_path"}

    @property
    def n_rows(self) -> int:
        """All rows of the data."""
        return len(self.numbers)

    @cached_property
    def has_missing(self) -> bool:
        """Whether a value of the data is missing."""
        return any(missing for _, _, missing in self.blocks)

    @cached_property
    def _path(self) -> _core.Path:
        return _core.Path(self.blocks, self.numbers, len(self.classes))

    @cached_property
    def everything(self) -> Training:
        """All rows, to train on."""
        return self.training(np.arange(self.n_rows, dtype=np.uint32))

    def training(self, rows: Rows) -> Training:
        """Return some rows with what depends on them, as a fit on these rows alone would see it."""
        weights, by_class = None, self._ones
        if self.sample_weight is not None or self.model.class_weight is not None:
            sample = None if self.sample_weight is None else self.sample_weight[rows]
            weights, by_class = read_weights(
                sample, self.model.class_weight, self.classes, self.numbers[rows]
            )
            if weights is not None and not weights.all():
                rows, weights = rows[weights > 0], weights[weights > 0]
        settings = self.settings
        if weights is not None or self._shares or self._support_is_share:
            settings = dict(settings)
            settings["one_case"] = one_case(weights, self.model.class_weight)
            for name, value, low in self._shares:
                settings[name] = rows_or_share(name, value, len(rows), low)
            total = float(len(rows)) if weights is None else float(weights.sum())
            settings["min_support"] = check_support(self.model.min_support, total)
        return Training(rows, weights, by_class, settings)

    def grow(self, training: Training, qs: Orders, every: bool = False) -> Grown:
        """Return the tree of each q, pruned as the parameters ask.

        Parameters
        ----------
        training : Training
            The rows.
        qs : ndarray of float64
            The orders.
        every : bool
            Whether each q has a tree of its own, with its impurities and gains. Else the q that grow trees of
            one shape may share the tree of the first of them.
        """
        every = every or self.method == "cost_complexity"  # its links are as strong as q says
        if self.method is None and not self.dialect.changes_grown_trees:
            cores, which = self.trees(training.rows, training, qs, every)
            self._check_order(cores, training)
            return Grown(cores, which)
        rows = self._chosen(training)
        kept = rows
        if self.method == "reduced_error":
            some, aside = set_aside(rows, self.model.random_state)
            assert isinstance(some, ChosenRows)
            rows, kept = some, aside  # type: ignore[assignment]
        cores, which = self.trees(rows.positions, training, qs, every)
        self._check_order(cores, training)
        votes = self._votes(training)
        categories = self.schema.n_categories
        firsts = np.unique(which, return_index=True)[1]
        pruned = [
            prune_as_asked(core, self.method, self._with(qs[i]), self.dialect, kept, categories, votes)
            for core, i in zip(cores, firsts, strict=True)
        ]
        if self.method != "cost_complexity":
            return Grown(pruned, which)
        alphas = self._alphas(rows, training, qs, votes)
        cut = [prune_cost_complexity(pruned[which[i]], categories, alphas[i]) for i in range(len(qs))]
        return Grown(cut, np.arange(len(qs)), alphas)

    def trees(
        self, rows: Rows, training: Training, qs: Orders, every: bool
    ) -> tuple[list[_core.Tree], NDArray[np.uint32]]:
        """Grow, without pruning, on some or all of the training rows; see `grow`."""
        weights = training.weights
        if weights is not None and len(rows) < len(training.rows):
            weights = weights[np.searchsorted(training.rows, rows)]
        path = self._path
        # Models of all rows are those of single fits bit by bit, so they add fractions in the same order.
        if len(rows) < self.n_rows and (self._alone or training is self.everything):
            some = TrainingRows(self.blocks, self.numbers).take(rows)
            path = _core.Path(some.blocks, some.numbers, len(self.classes))
            rows = np.arange(len(rows), dtype=np.uint32)
        return path.trees(rows, weights, training.settings, qs, every, self.n_jobs)

    def evaluate(self, trainings: list[Training], tests: list[Rows], qs: Orders) -> dict[str, Orders]:
        """Score the trees of all q on the test rows of each fold at once, see `scores_folds`.

        Parameters
        ----------
        trainings : list of Training
            The training rows of each fold.
        tests : list of ndarray of uint32
            The test rows of each fold.
        qs : ndarray of float64
            The orders.

        Returns
        -------
        dict of ndarray
            One number a fold (down) and q (across): ``"correct"``, the weight of the test rows that are
            answered rightly; ``"log_loss"``, a sum; ``"n_nodes"``, ``"n_leaves"`` and ``"depth"``.
        """
        return self._path.evaluate(
            [training.rows for training in trainings],
            tests,
            [training.weights for training in trainings],
            self.sample_weight,
            [training.settings for training in trainings],
            qs,
            [self._answering(training) for training in trainings],
            self.n_jobs,
        )

    def _answering(self, training: Training) -> _core.Answering:
        return answering_of(training.class_weight, self.model.smoothing, self.costs, self.dialect)

    def answers(self, core: _core.Tree, training: Training) -> Answers:
        """Return what the nodes of a tree answer."""
        return Answers(Tree(core), training.class_weight, self.model.smoothing, self.costs, self.dialect)

    def _check_order(self, cores: list[_core.Tree], training: Training) -> None:
        # Of all rows only: some rows of a fold may well leave the first column nothing to split.
        if self.model.split_order is not None and training is self.everything:
            for core in cores:
                check_order(self.model.split_order, core, self.schema)

    def _chosen(self, training: Training) -> ChosenRows:
        some = TrainingRows(self.blocks, self.numbers).take(training.rows)
        return ChosenRows(some.blocks, some.numbers, training.weights, training.rows)

    def _votes(self, training: Training) -> Votes:
        def votes(core: _core.Tree) -> NDArray[np.uint32]:
            return self.answers(core, training).votes.astype(np.uint32)

        return votes

    def _with(self, q: float) -> Any:
        model = copy(self.model)
        model.q = float(q)
        return model

    def _alphas(self, rows: ChosenRows, training: Training, qs: Orders, votes: Votes) -> list[float]:
        if self.model.ccp_alpha != "cv":
            return [check_alpha(self.model.ccp_alpha)] * len(qs)
        # The folds that choose alpha are the same for every q, so their trees are grown for all q at once.
        grown: dict[bytes, list[_core.Tree]] = {}

        def choose(i: int) -> float:
            def grow(some: TrainingRows) -> _core.Tree:
                assert isinstance(some, ChosenRows)
                key = some.positions.tobytes()
                if key not in grown:
                    grown[key] = self.trees(some.positions, training, qs, True)[0]
                return grown[key][i]

            return choose_alpha(grow, votes, rows, self.schema.n_categories, self.model.random_state)

        return [choose(i) for i in range(len(qs))]


def first_alike(cores: list[_core.Tree]) -> NDArray[np.int64]:
    """Return for each tree on the same rows the place of the first that asks the same questions."""
    sizes = Counter(core.node_count for core in cores)
    first: dict[int | bytes, int] = {}
    # Trees of a size of their own need not be read.
    keys = [shape_of(core) if sizes[core.node_count] > 1 else core.node_count for core in cores]
    return np.array([first.setdefault(key, i) for i, key in enumerate(keys)], dtype=np.int64)


def shape_of(core: _core.Tree) -> bytes:
    """Return a digest of what trees on the same rows agree in if they ask the same questions."""
    arrays = core.arrays()
    begin, size = arrays["routes_begin"], arrays["routes_size"]
    # The routes of runner-ups lie among those of the splits.
    within = np.arange(size.sum()) - np.repeat(np.cumsum(size) - size, size)
    routes = arrays["routes"][np.repeat(begin, size) + within]
    digest = hashlib.sha256()
    for part in (*(arrays[name] for name in _SHAPE), routes):
        digest.update(part.tobytes())
    return digest.digest()
