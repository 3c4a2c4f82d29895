"""Pruning of core trees: what both `ramify.prune` and the estimator call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from ramify import _core
from ramify._labels import ClassNumbers, read_labels
from ramify._parameters import check_criterion, is_real, refuse
from ramify._training import TrainingRows
from ramify.dialects import Dialect

Grow = Callable[[TrainingRows], _core.Tree]

#: Classes by which the nodes of a tree answer.
Votes = Callable[[_core.Tree], NDArray[np.uint32]]


def order_of(model: Any) -> float:
    """Return the order of the entropy in which the impurities of a model's tree are."""
    return check_criterion(model.criterion, model.q).q


def check_confidence(confidence: Any) -> float:
    """Check the parameter `confidence`."""
    if not is_real(confidence) or not 0.0 < confidence <= 0.5:
        raise refuse("confidence", confidence, "a number in (0, 0.5]")
    return float(confidence)


def check_alpha(ccp_alpha: Any) -> float:
    """Check the parameter `ccp_alpha`."""
    if not is_real(ccp_alpha) or ccp_alpha < 0.0:
        raise refuse("ccp_alpha", ccp_alpha, "a finite number >= 0")
    return float(ccp_alpha)


def class_numbers(y: Any, n_rows: int, classes: NDArray[Any]) -> ClassNumbers:
    """Return labels as positions in a model's classes.

    Raises
    ------
    ValueError
        If a label is none of the classes; the text names all such labels.
    """
    found, numbers = read_labels(y, n_rows)
    place = {label: i for i, label in enumerate(classes.tolist())}
    unknown = [label for label in found.tolist() if label not in place]
    if unknown:
        raise ValueError(
            f"y has the labels {unknown}, which the model does not know; its classes are {list(place)}."
        )
    places = np.array([place[label] for label in found.tolist()], dtype=np.uint32)
    return places[numbers]


def prune_pessimistic(
    core: _core.Tree,
    n_categories: list[int],
    q: float,
    dialect: Dialect,
    confidence: float,
    rows: TrainingRows | None = None,
) -> _core.Tree:
    """Prune by C4.5's estimate of errors.

    Parameters
    ----------
    core : _core.Tree
        The tree; it is not changed.
    n_categories : list of int
        The number of categories of each column, 0 for a numeric one.
    q : float
        The order of the entropy of the tree's impurities: raising computes some anew.
    dialect : Dialect
        Whether to collapse and raise, and by which quantile.
    confidence : float
        In (0, 0.5].
    rows : TrainingRows, optional
        The training rows, which raising needs.
    """
    z, collapsing = dialect.pruning_z, dialect.collapsing
    if not dialect.raising:
        return _core.prune_pessimistic(core, n_categories, confidence, z, collapsing)
    if rows is None:
        raise ValueError("raising needs X and y, the training data.")
    return _core.prune_raising(core, rows.blocks, rows.numbers, rows.weights, confidence, z, collapsing, q)


def prune_cost_complexity(core: _core.Tree, n_categories: list[int], ccp_alpha: float) -> _core.Tree:
    """Cut all links that are not stronger than `ccp_alpha`; none at 0, as in scikit-learn."""
    return core if ccp_alpha == 0.0 else _core.prune_cost_complexity(core, n_categories, ccp_alpha)


def check_training_rows(core: _core.Tree, rows: TrainingRows) -> None:
    """Check that rows can be those that a tree was grown from: they weigh the same, class by class."""
    counts: NDArray[np.float64] = core.arrays()["counts"][0]
    given = np.bincount(rows.numbers, rows.weights, minlength=core.n_classes)
    if not np.allclose(given, counts, rtol=1e-9, atol=1e-9 * counts.sum()):
        raise ValueError(
            "Raising needs the training data, but X and y are other data: the model was fitted on "
            f"weights of {counts.tolist()} by class, here they are {given.tolist()}."
        )


def merge(core: _core.Tree, n_categories: list[int], estimator: Any, votes: NDArray[np.uint32]) -> _core.Tree:
    """Merge sibling leaves of one vote.

    With an m-estimate, which adds to each leaf, two leaves of one vote may make a leaf of another; then
    only whole splits whose node votes the same are merged.
    """
    return _core.merge_leaves(
        core, n_categories, order_of(estimator), votes, not is_real(estimator.smoothing)
    )


def choose_alpha(
    grow: Grow,
    votes: Votes,
    rows: TrainingRows,
    n_categories: list[int],
    random_state: Any,
    folds: int = 10,
) -> float:
    """Choose the cost of a leaf by cross-validation with the rule of one standard error.

    Parameters
    ----------
    grow, votes
        How a tree is grown from rows, and what its nodes answer.
    rows : TrainingRows
        All of them.
    n_categories : list of int
        The number of categories of each column, 0 for a numeric one.
    random_state
        Shuffles the folds.
    folds : int
        As many stratified folds; fewer if there are fewer rows.
    """
    n_rows = len(rows.numbers)
    if n_rows < 2:
        raise ValueError("ccp_alpha='cv' needs at least 2 samples, and there is 1 sample.")
    alphas = np.unique(_core.cost_complexity_path(grow(rows), n_categories)["ccp_alphas"])
    candidates = np.append(np.sqrt(alphas[:-1]) * np.sqrt(alphas[1:]), alphas[-1])
    fold = _deal(rows.numbers, min(folds, n_rows), check_random_state(random_state))
    weights = np.ones(n_rows) if rows.weights is None else rows.weights
    errors = []
    for test in range(int(fold.max()) + 1):
        core = grow(rows.take(fold != test))
        held, weight = rows.take(fold == test), weights[fold == test]
        walked = _core.validated_path(core, held.blocks, held.numbers, weight, votes(core))
        last = np.searchsorted(walked["ccp_alphas"], candidates, side="right") - 1
        errors.append(walked["errors"][last] / weight.sum())
    return _within_one_error(candidates, np.array(errors))


def _deal(numbers: NDArray[np.uint32], folds: int, generator: Any) -> NDArray[np.intp]:
    """Deal the rows of each class out to the folds in turn, going on from class to class.

    So the folds are stratified, of nearly one size, and a class of a single row is no obstacle.
    """
    shuffled = generator.permutation(len(numbers))
    by_class = shuffled[np.argsort(numbers[shuffled], kind="stable")]
    fold = np.empty(len(numbers), dtype=np.intp)
    fold[by_class] = np.arange(len(numbers)) % folds
    return fold


def _within_one_error(alphas: NDArray[np.float64], errors: NDArray[np.float64]) -> float:
    """Return the largest alpha whose mean error is within one standard error of the smallest.

    Parameters
    ----------
    alphas : ndarray
        In rising order.
    errors : ndarray, shape (folds, alphas)
    """
    means = errors.mean(axis=0)
    spread = errors.std(axis=0, ddof=1) / np.sqrt(len(errors))
    best = int(means.argmin())
    near = np.flatnonzero(means <= means[best] + spread[best])
    return float(alphas[near[-1]])


def set_aside(rows: TrainingRows, random_state: Any) -> tuple[TrainingRows, TrainingRows]:
    """Part a third of the rows of each class from the others, for reduced-error pruning."""
    generator = check_random_state(random_state)
    aside = np.zeros(len(rows.numbers), dtype=bool)
    for k in np.unique(rows.numbers):
        members = np.flatnonzero(rows.numbers == k)
        aside[generator.permutation(members)[: len(members) // 3]] = True
    if not aside.any():
        raise ValueError(
            "pruning='reduced_error' sets a third of the rows of each class aside, but no class has three "
            f"rows (n_samples={len(rows.numbers)}). Use ramify.prune with validation data of your own."
        )
    return rows.take(~aside), rows.take(aside)


def prune_as_asked(
    core: _core.Tree,
    method: str | None,
    estimator: Any,
    dialect: Dialect,
    rows: TrainingRows | None,
    n_categories: list[int],
    votes: Votes,
) -> _core.Tree:
    """Prune a grown tree by an estimator's parameters.

    `rows` are the training rows, or those set aside; None if they are not at hand.
    """
    if dialect.merging:
        core = _core.merge_leaves(core, n_categories, order_of(estimator), votes(core), join=False)
    if method == "pessimistic":
        return prune_pessimistic(
            core, n_categories, order_of(estimator), dialect, check_confidence(estimator.confidence), rows
        )
    if dialect.collapsing:
        core = _core.collapse(core, n_categories)
    if method == "reduced_error":
        if rows is None:
            raise ValueError("pruning='reduced_error' needs rows that were set aside.")
        return _core.prune_reduced_error(core, rows.blocks, rows.numbers, rows.weights, votes(core))
    if method == "merge":
        return merge(core, n_categories, estimator, votes(core))
    return core
