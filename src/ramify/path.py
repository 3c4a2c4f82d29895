"""The path over q: how accurate and how large the tree of every order is."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ramify._choice import RULES, choose, pareto_front, standard_errors
from ramify._orders import same_order
from ramify._parameters import check_choice, is_number, refuse
from ramify._path_growth import PathGrower, first_alike, shape_of
from ramify._path_report import one_line, report
from ramify._training import TrainingRows
from ramify.estimator import TreeClassifier
from ramify.provenance import provenance_of
from ramify.tree import Tree

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ParetoPoint", "PathTree", "QPath"]

Floats = NDArray[np.float64]


class ParetoPoint(NamedTuple):
    """An order that no other beats in accuracy without a larger tree."""

    q: float
    accuracy: float
    n_nodes: float


@dataclass(frozen=True)
class PathTree:
    """A tree on all the data, with the orders that grow it.

    Attributes
    ----------
    tree : Tree
        The tree; its impurities, scores, gains and runner-ups are those of the first of `qs`.
    qs : tuple of float
        The values of the grid that grow this tree, in rising order.
    intervals : tuple of (float, float)
        The same as stretches of neighbouring values of the grid: the first and the last of each.
    """

    tree: Tree
    qs: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]

    @property
    def q_low(self) -> float:
        """The lowest order that grows this tree."""
        return self.qs[0]

    @property
    def q_high(self) -> float:
        """The highest order that grows this tree; between the two others may grow another."""
        return self.qs[-1]

    @property
    def node_count(self) -> int:
        """Nodes of the tree."""
        return self.tree.node_count

    def __repr__(self) -> str:
        told = ", ".join(
            f"{low:g}" if low == high else f"{low:g} to {high:g}" for low, high in self.intervals
        )
        return f"<PathTree: {self.node_count} nodes, q = {told}>"


@dataclass(frozen=True, eq=False, repr=False)
class QPath:
    """What `q_path` found out: one element of each array for each q.

    Attributes
    ----------
    qs_ : ndarray
        The orders, in rising order.
    accuracy_, accuracy_se_ : ndarray
        Mean accuracy over the folds, and its standard error: the standard deviation over the folds (with
        n - 1) divided by the root of their number, NaN for a single fold. The folds of several repeats
        overlap, so that the error is rather too small.
    n_nodes_, n_leaves_, depth_, log_loss_ : ndarray
        Means over the folds.
    full_n_nodes_ : ndarray of int
        Nodes of the trees on all the data.
    trees_ : list of PathTree
        The distinct trees on all the data, by their lowest q.
    best_q_ : float
        The highest mean accuracy; among equals the smaller mean tree, then the smaller q.
    smallest_q_ : float
        The smallest mean tree; among equals the higher accuracy, then the smaller q.
    tradeoff_q_ : float
        "Acceptable high accuracy and small tree size at the same time" (Wang and Xia 2016), who pick it by
        eye. Here it is the rule of one standard error: of the q whose mean accuracy is within one standard
        error of the best, the one with the smallest mean tree, then the higher accuracy, then the smaller q.
    pareto_q_ : ndarray
        The q of `pareto`.
    nested_accuracy_, nested_accuracy_se_ : float or None
        With ``nested=True``: the mean accuracy, and its standard error, where the q of each fold was chosen
        by an inner cross-validation on the fold's training rows, as `best_q_` is. This is what to expect of
        new data; ``accuracy_`` at `best_q_` is flattered, for q was picked on the same folds.
    baseline_accuracy_ : float
        Mean accuracy over the folds of always answering the most common class of the training rows;
        `fold_baseline_` has it fold by fold.
    fold_accuracy_, fold_log_loss_, fold_n_nodes_, fold_n_leaves_, fold_depth_ : ndarray
        One row a fold, one column a q.
    nested_fold_accuracy_, nested_fold_q_ : ndarray or None
        With ``nested=True``: the accuracy of each fold, and the q that was chosen for it.
    n_folds_, n_folds_planned_ : int
        The folds that the figures are of, and those that were asked for.
    complete_ : bool
        False if the run was interrupted, and the figures are those of the first folds only.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import q_path
    >>> path = q_path(*load_iris(return_X_y=True), qs=[0.5, 1, 2, 4], n_repeats=1, min_samples_leaf=5)
    >>> path
    <QPath: 4 q from 0.5 to 4, 10 folds, 2 distinct trees, best q = 0.5 (accuracy 0.940)>
    >>> path.model(2.0).get_n_leaves()
    6
    """

    qs_: Floats
    full_n_nodes_: NDArray[np.int64]
    trees_: list[PathTree]
    fold_accuracy_: Floats
    fold_log_loss_: Floats
    fold_n_nodes_: Floats
    fold_n_leaves_: Floats
    fold_depth_: Floats
    nested_fold_q_: Floats | None
    nested_fold_accuracy_: Floats | None
    fold_baseline_: Floats
    n_folds_planned_: int
    _grower: PathGrower | None = field(repr=False)

    def __post_init__(self) -> None:
        for value in vars(self).values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    @property
    def n_folds_(self) -> int:
        """The folds that the figures are of."""
        return len(self.fold_accuracy_)

    @property
    def complete_(self) -> bool:
        """Whether all folds that were asked for are there."""
        return self.n_folds_ == self.n_folds_planned_

    @cached_property
    def accuracy_(self) -> Floats:
        """Mean accuracy over the folds."""
        return _mean(self.fold_accuracy_)

    @cached_property
    def accuracy_se_(self) -> Floats:
        """Standard error of the mean accuracy."""
        return _read_only(standard_errors(self.fold_accuracy_))

    @cached_property
    def log_loss_(self) -> Floats:
        """Mean log-loss over the folds, probabilities clipped as scikit-learn does."""
        return _mean(self.fold_log_loss_)

    @cached_property
    def n_nodes_(self) -> Floats:
        """Mean number of nodes over the folds."""
        return _mean(self.fold_n_nodes_)

    @cached_property
    def n_leaves_(self) -> Floats:
        """Mean number of leaves over the folds."""
        return _mean(self.fold_n_leaves_)

    @cached_property
    def depth_(self) -> Floats:
        """Mean depth over the folds."""
        return _mean(self.fold_depth_)

    @property
    def best_q_(self) -> float:
        """The q of the highest mean accuracy."""
        return self.choose("accuracy")

    @property
    def smallest_q_(self) -> float:
        """The q of the smallest mean tree."""
        return self.choose("size")

    @property
    def tradeoff_q_(self) -> float:
        """The q of the smallest mean tree within one standard error of the best accuracy."""
        return self.choose("one_se")

    def choose(self, rule: str) -> float:
        """Return the q that a rule chooses.

        Parameters
        ----------
        rule : {"accuracy", "size", "one_se"}
            As `select` of `TreeClassifierCV`.

        Returns
        -------
        float

        Raises
        ------
        ValueError
            If there is no such rule.
        """
        check_choice("rule", rule, RULES)
        return float(self.qs_[choose(rule, self.accuracy_, self.accuracy_se_, self.n_nodes_)])

    @property
    def baseline_accuracy_(self) -> float:
        """Mean accuracy of always answering the most common class."""
        return float(self.fold_baseline_.mean())

    @property
    def nested_accuracy_(self) -> float | None:
        """Mean accuracy with q chosen inside the training rows of each fold."""
        return None if self.nested_fold_accuracy_ is None else float(self.nested_fold_accuracy_.mean())

    @property
    def nested_accuracy_se_(self) -> float | None:
        """Standard error of `nested_accuracy_`."""
        if self.nested_fold_accuracy_ is None:
            return None
        return float(standard_errors(self.nested_fold_accuracy_[:, None])[0])

    def pareto(self) -> list[ParetoPoint]:
        """Return the Pareto front of mean accuracy against mean size, the smallest tree first.

        These are the q that no other beats in accuracy without a larger tree. Of several q with the same two
        figures the lowest stands for all.

        Returns
        -------
        list of ParetoPoint
            Of ``q``, ``accuracy`` and ``n_nodes``.
        """
        return [
            ParetoPoint(float(self.qs_[i]), float(self.accuracy_[i]), float(self.n_nodes_[i]))
            for i in pareto_front(self.accuracy_, self.n_nodes_)
        ]

    @property
    def pareto_q_(self) -> Floats:
        """The q of the Pareto front, the smallest tree first."""
        return np.array([point.q for point in self.pareto()])

    def position(self, q: float) -> int:
        """Return the place of an order in `qs_`.

        Raises
        ------
        ValueError
            If it is not in the grid.
        """
        grid = f"the grid of {len(self.qs_)} values from {self.qs_[0]:g} to {self.qs_[-1]:g}"
        if not is_number(q):
            raise refuse("q", q, f"a number of {grid}")
        near = np.flatnonzero(same_order(self.qs_, q))
        if len(near) == 0:
            raise ValueError(f"q={q!r} is not in {grid}.")
        return int(near[np.argmin(np.abs(self.qs_[near] - q))])

    def tree(self, q: float) -> Tree:
        """Return the tree on all the data that an order of the grid grows.

        Its shape is that of a fit with this `q`; its impurities, scores, gains and runner-ups are those of
        the lowest q that grows the same tree. `model` has those of `q` itself.
        """
        wanted = float(self.qs_[self.position(q)])
        return next(entry.tree for entry in self.trees_ if wanted in entry.qs)

    def model(self, q: float) -> TreeClassifier:
        """Return the model that a fit on all the data with an order of the grid gives.

        The tree is grown anew from the data, which the path keeps, pickled too, in the form that was read
        (for an array of floats that is the array itself).

        Parameters
        ----------
        q : float
            One of `qs_`.

        Returns
        -------
        TreeClassifier
            Fitted.

        Raises
        ------
        ValueError
            If `q` is not in the grid, if the data were changed in place so that they grow another tree now,
            or if the path keeps none because it belongs to a `TreeClassifierCV`.
        """
        order = float(self.qs_[self.position(q)])
        if self._grower is None:
            raise ValueError(
                "This path keeps no data to grow a model from: it is the path of a TreeClassifierCV, whose "
                "model is best_estimator_. Use q_path, or fit TreeClassifier with this q."
            )
        grower = copy(self._grower)  # which reads the data anew, and keeps nothing of them afterwards
        grown = grower.grow(grower.everything, np.array([order]), every=True)
        if shape_of(grown.trees[0]) != shape_of(self.tree(order).core):
            raise ValueError(
                "The data that the path was made of were changed in place since; run q_path again."
            )
        parameters = grower.model.get_params() | {"q": order}
        model = TreeClassifier(**parameters)
        model._set_fitted(grower.schema, Tree(grown.trees[0]), grower.everything.class_weight)
        rows = TrainingRows(grower.blocks, grower.numbers)
        model.provenance_ = provenance_of(grower.schema, rows, grower.n_jobs)
        if grown.alphas is not None:
            model.ccp_alpha_ = grown.alphas[0]
        return model

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame with one row a q; pandas must be installed."""
        try:
            import pandas as pd
        except ImportError:
            raise ImportError("to_frame needs pandas: pip install pandas.") from None
        names = ("accuracy", "accuracy_se", "n_nodes", "n_leaves", "depth", "log_loss", "full_n_nodes")
        return pd.DataFrame({"q": self.qs_} | {name: getattr(self, f"{name}_") for name in names})

    def summary(self) -> str:
        """Return in words what was found: best, smallest and trade-off q, and how far to believe them."""
        return report(self)

    def __str__(self) -> str:
        return self.summary()

    def _repr_html_(self) -> str | None:
        """Return the explorer of the trees; None, for which notebooks show the text, if it can't be shown."""
        from ramify.viewer.view import notebook_html

        return None if self._grower is None else notebook_html(self)  # without it, columns are not known

    def __repr__(self) -> str:
        return one_line(self)


def _read_only(values: Floats) -> Floats:
    values.setflags(write=False)
    return values


def _mean(of_folds: Floats) -> Floats:
    return _read_only(of_folds.mean(axis=0))


def distinct_trees(grower: PathGrower, qs: Floats) -> tuple[list[PathTree], NDArray[np.int64]]:
    """Return the distinct trees of all q on all the data, and the number of nodes for each q."""
    grown = grower.grow(grower.everything, qs)
    # Trees that grew apart may be the same all the same, and more of them once they are pruned.
    of_q = first_alike(grown.trees)[grown.which]
    trees = []
    for i in dict.fromkeys(of_q.tolist()):
        here = np.flatnonzero(of_q == i)
        runs = np.split(here, np.flatnonzero(np.diff(here) > 1) + 1)
        intervals = tuple((float(qs[stretch[0]]), float(qs[stretch[-1]])) for stretch in runs)
        trees.append(PathTree(Tree(grown.trees[i]), tuple(qs[here].tolist()), intervals))
    nodes = np.array([grown.trees[i].node_count for i in of_q], dtype=np.int64)
    return trees, nodes
