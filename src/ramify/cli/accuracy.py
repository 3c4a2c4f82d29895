"""The accuracy to expect on rows that were not seen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from ramify._progress import ProgressBar
from ramify.tables.training import TrainingTable


@dataclass(frozen=True)
class Accuracy:
    """A cross-validated accuracy and its standard error."""

    mean: float
    error: float
    n_folds: int


def cross_validate(model: Any, table: TrainingTable, folds: int, seed: int) -> Accuracy | None:
    """Return the accuracy over stratified folds, all that a model chooses for itself chosen inside.

    Parameters
    ----------
    model : TreeClassifier or TreeClassifierCV
        Its settings; it is not changed.
    table : TrainingTable
        The rows.
    folds : int
        How many; fewer if the rarest class has fewer rows. None if that leaves less than two.
    seed : int
        Deals the folds.
    """
    folds = min(folds, min(Counter(table.y.tolist()).values()))
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
