"""The accuracy to expect on rows that were not seen, and the order q that is best for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from ramify import TreeClassifier, q_path
from ramify._progress import ProgressBar
from ramify.tables import DataError
from ramify.tables.training import TrainingTable

#: The orders that `--q auto` tries; `ramify qpath` tries more.
ORDERS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0)

#: The folds inside a fold, which q is chosen by there.
_INNER = 5


@dataclass(frozen=True)
class Accuracy:
    """A cross-validated accuracy and its standard error."""

    mean: float
    error: float
    n_folds: int


def cross_validate(model: TreeClassifier, table: TrainingTable, folds: int, seed: int) -> Accuracy | None:
    """Return the accuracy over stratified folds.

    Parameters
    ----------
    model : TreeClassifier
        Its settings; it is not changed.
    table : TrainingTable
        The rows.
    folds : int
        How many; fewer if the rarest class has fewer rows. None if that leaves less than two.
    seed : int
        Deals the folds.
    """
    folds = _possible(folds, table)
    if folds < 2:
        return None
    scores = []
    splitter = StratifiedKFold(folds, shuffle=True, random_state=seed)
    with ProgressBar(None, "cross-validation", folds) as bar:
        bar.show(0)
        for done, (train, test) in enumerate(splitter.split(np.zeros(len(table.y)), table.y), 1):
            fold = clone(model).fit(table.X[train], table.y[train])
            scores.append(float(fold.score(table.X[test], table.y[test])))
            bar.show(done)
    return Accuracy(float(np.mean(scores)), float(np.std(scores, ddof=1) / np.sqrt(folds)), folds)


def choose_order(
    settings: dict[str, Any], table: TrainingTable, folds: int, seed: int
) -> tuple[TreeClassifier, Accuracy | None]:
    """Return the tree of the most accurate order on all rows, and the honest accuracy of choosing it so.

    Parameters
    ----------
    settings : dict
        Parameters of `TreeClassifier` without `q`.
    table : TrainingTable
        The rows.
    folds : int
        Of the cross-validation, in which q is chosen once more inside each fold. With 0 there is no such
        accuracy, and q is chosen by ten folds.
    seed : int
        Deals the folds.

    Raises
    ------
    DataError
        If a class is too rare for folds.
    KeyboardInterrupt
        If the user ends it.
    """
    possible = _possible(folds or 10, table)
    if possible < 2:
        raise DataError(f"--q auto needs two rows of each class at least; {table.name} has classes of one.")
    settings = {name: value for name, value in settings.items() if name not in ("q", "random_state")}
    inner = min(_INNER, possible) if folds else None
    path = q_path(
        table.X,
        table.y,
        ORDERS,
        cv=possible,
        n_repeats=1,
        nested=bool(folds),
        inner_cv=inner,
        random_state=seed,
        **settings,
    )
    if not path.complete_:
        raise KeyboardInterrupt
    model = path.model(path.best_q_)
    if path.nested_accuracy_ is None:
        return model, None
    return model, Accuracy(path.nested_accuracy_, path.nested_accuracy_se_ or 0.0, possible)


def _possible(folds: int, table: TrainingTable) -> int:
    """Return the number of folds, fewer if the rarest class has fewer rows."""
    return min(folds, *Counter(table.y.tolist()).values())
