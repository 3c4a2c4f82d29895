"""Measures of a fitted model: how well it answers on rows that it has not seen, and how large it is."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._parameters import refuse


@dataclass(frozen=True)
class Trial:
    """A model fitted on the training rows of a fold, and the fold's test rows.

    Attributes
    ----------
    model : Any
        The model.
    X, y : Any
        The test rows and their labels.
    classes : ndarray
        All classes of the data set, some of which the training rows may lack.
    fit_seconds : float
        What fitting took.
    """

    model: Any
    X: Any
    y: NDArray[Any]
    classes: NDArray[Any]
    fit_seconds: float


@dataclass(frozen=True)
class Measure:
    """A number that says something of a fitted model.

    Attributes
    ----------
    name : str
        As given to `compare`.
    title : str
        What stands above a table of it.
    higher_is_better : bool
        Which way is up.
    scale, digits : float, int
        How it is shown: times `scale`, with so many decimals.
    of : callable
        Takes a `Trial`; NaN where there is no such thing, as the nodes of a model that is no tree.
    """

    name: str
    title: str
    higher_is_better: bool
    scale: float
    digits: int
    of: Callable[[Trial], float]

    @property
    def better(self) -> str:
        """Which way is up, in a word."""
        return "higher" if self.higher_is_better else "lower"


def _tree_model(model: Any) -> Any:
    """Return the tree inside a search or at the end of a pipeline, None if there is none."""
    model = getattr(model, "best_estimator_", model)
    if hasattr(model, "steps"):
        return _tree_model(model.steps[-1][1])
    return model if hasattr(model, "tree_") and hasattr(model, "get_n_leaves") else None


def _of_tree(size: Callable[[Any], int]) -> Callable[[Trial], float]:
    def measure(trial: Trial) -> float:
        tree = _tree_model(trial.model)
        return float("nan") if tree is None else float(size(tree))

    return measure


def _log_loss(trial: Trial) -> float:
    """Return the mean log-loss; a class that the training rows lack had no chance."""
    from sklearn.metrics import log_loss

    place = {label: i for i, label in enumerate(trial.classes.tolist())}
    told = np.zeros((len(trial.y), len(place)))
    columns = [place[label] for label in np.asarray(trial.model.classes_).tolist()]
    told[:, columns] = trial.model.predict_proba(trial.X)
    numbers = [place[label] for label in trial.y.tolist()]
    return float(log_loss(numbers, told, labels=range(len(place))))


_OWN = {
    measure.name: measure
    for measure in (
        Measure("n_nodes", "nodes", False, 1.0, 1, _of_tree(lambda model: model.tree_.node_count)),
        Measure("n_leaves", "leaves", False, 1.0, 1, _of_tree(lambda model: model.get_n_leaves())),
        Measure("depth", "depth", False, 1.0, 1, _of_tree(lambda model: model.get_depth())),
        Measure("log_loss", "log-loss", False, 1.0, 3, _log_loss),
        Measure("fit_seconds", "seconds to fit", False, 1.0, 4, lambda trial: trial.fit_seconds),
    )
}


def find_measures(names: Iterable[str] | str) -> tuple[Measure, ...]:
    """Return measures by their names: those above, and every scorer of scikit-learn.

    Raises
    ------
    ValueError
        If there is none, one is there twice, or a name is unknown.

    Examples
    --------
    >>> from ramify.experiments.scoring import find_measures
    >>> [(measure.name, measure.better) for measure in find_measures(("accuracy", "n_nodes"))]
    [('accuracy', 'higher'), ('n_nodes', 'lower')]
    """
    listed = [names] if isinstance(names, str) else list(names)
    if not listed or len(set(listed)) < len(listed):
        raise refuse("measures", names, "one or more different names, as ('accuracy', 'n_nodes')")
    return tuple(_find(name) for name in listed)


def _find(name: Any) -> Measure:
    from sklearn.metrics import get_scorer, get_scorer_names

    if name in _OWN:
        return _OWN[name]
    known = [*_OWN, *get_scorer_names()]
    if name not in known:
        close = difflib.get_close_matches(str(name), known, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise ValueError(
            f"measures has {name!r}, which is unknown. {hint}Accepted are {', '.join(map(repr, _OWN))} and "
            "the scorers of scikit-learn, such as 'accuracy' and 'balanced_accuracy'."
        )
    scorer = get_scorer(name)
    share = "accuracy" in name
    title = f"{name.replace('_', ' ')}, %" if share else name.replace("_", " ")
    return Measure(
        name,
        title,
        True,
        100.0 if share else 1.0,
        1 if share else 3,
        lambda trial: float(scorer(trial.model, trial.X, trial.y)),
    )
