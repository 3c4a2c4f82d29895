"""Choosing one of many q by mean accuracy and mean size."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Means closer than this are equal: they differ by rounding only.
TIE = 1e-12

#: The rules by which a q is chosen.
RULES = ("accuracy", "size", "one_se")


def standard_errors(of_folds: Floats) -> Floats:
    """Return the standard error of the mean over folds (down); NaN for a single fold."""
    n_folds = len(of_folds)
    if n_folds < 2:
        return np.full(of_folds.shape[1:], np.nan)
    errors: Floats = of_folds.std(axis=0, ddof=1) / np.sqrt(n_folds)
    return errors


def choose(rule: str, accuracy: Floats, errors: Floats, size: Floats) -> int:
    """Return the position that a rule chooses; what ties to the last goes to the first position.

    Parameters
    ----------
    rule : {"accuracy", "size", "one_se"}
        The highest accuracy, then the smaller size; the smallest size, then the higher accuracy; or the
        smallest size among the accuracies within one standard error of the best, then the higher accuracy.
    accuracy, errors, size : ndarray
        Mean accuracy, its standard error, and mean size; `errors` matters for ``"one_se"`` only.
    """
    every = np.arange(len(accuracy))
    if rule == "size":
        return int(_highest(accuracy, _highest(-size, every))[0])
    best = _highest(-size, _highest(accuracy, every))[0]
    if rule == "accuracy":
        return int(best)
    reach = 0.0 if np.isnan(errors[best]) else errors[best]
    near = every[accuracy >= accuracy.max() - reach - TIE]
    return int(_highest(accuracy, _highest(-size, near))[0])


def _highest(values: Floats, among: NDArray[np.intp]) -> NDArray[np.intp]:
    best = float(values[among].max())
    highest: NDArray[np.intp] = among[values[among] >= best - TIE * max(1.0, abs(best))]
    return highest


def pareto_front(accuracy: Floats, size: Floats) -> list[int]:
    """Return the positions that no other beats in accuracy without being larger, smallest size first.

    Of several positions with the same accuracy and size the first stands for all.
    """
    front: list[int] = []
    for i in np.lexsort((np.arange(len(size)), -accuracy, size)):
        if not front or accuracy[i] > accuracy[front[-1]] + TIE:
            front.append(int(i))
    return front
