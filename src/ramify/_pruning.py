"""Pruning of core trees: what both `ramify.prune` and the estimator call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._labels import ClassNumbers, read_labels
from ramify._parameters import check_choice, check_criterion, is_real, refuse

METHODS = ("pessimistic", "cost_complexity", "reduced_error", "merge")


@dataclass(frozen=True)
class Rules:
    """The dialect's part in pessimistic pruning.

    Parameters
    ----------
    raising : bool
        A node may be replaced by its largest branch.
    collapsing : bool
        Subtrees that are no better than a leaf in training go first.
    z : float, optional
        Instead of the normal quantile of 1 - confidence.
    """

    raising: bool = False
    collapsing: bool = False
    z: float | None = None


@dataclass(frozen=True)
class Cases:
    """Labelled rows as the core reads them."""

    blocks: list[_core.Block]
    numbers: ClassNumbers
    weights: NDArray[np.float64] | None = None


def dialect_of(model: Any) -> Rules:
    """Return the rules of a model's dialect, a name or an object with fields."""
    dialect = model.dialect
    if isinstance(dialect, str):
        check_choice("dialect", dialect, ("plain", "c45"))
        return Rules(raising=dialect == "c45", collapsing=dialect == "c45")
    return Rules(bool(dialect.raising), bool(dialect.collapsing), dialect.pruning_z)


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
    rules: Rules,
    confidence: float,
    cases: Cases | None = None,
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
    rules : Rules
        Whether to collapse and raise.
    confidence : float
        In (0, 0.5].
    cases : Cases, optional
        The training cases, which raising needs.
    """
    if not rules.raising:
        return _core.prune_pessimistic(core, n_categories, confidence, rules.z, rules.collapsing)
    if cases is None:
        raise ValueError("raising needs X and y, the training data.")
    return _core.prune_raising(
        core, cases.blocks, cases.numbers, cases.weights, confidence, rules.z, rules.collapsing, q
    )


def prune_cost_complexity(core: _core.Tree, n_categories: list[int], ccp_alpha: float) -> _core.Tree:
    """Cut all links that are not stronger than `ccp_alpha`; none at 0, as in scikit-learn."""
    return core if ccp_alpha == 0.0 else _core.prune_cost_complexity(core, n_categories, ccp_alpha)


def check_training_cases(core: _core.Tree, cases: Cases) -> None:
    """Check that cases can be those that a tree was grown from: they weigh the same, class by class."""
    counts: NDArray[np.float64] = core.arrays()["counts"][0]
    given = np.bincount(cases.numbers, cases.weights, minlength=core.n_classes)
    if not np.allclose(given, counts, rtol=1e-9, atol=1e-9 * counts.sum()):
        raise ValueError(
            "Raising needs the training data, but X and y are other data: the model was fitted on "
            f"weights of {counts.tolist()} by class, here they are {given.tolist()}."
        )
