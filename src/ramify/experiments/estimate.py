"""Estimates: a mean over the folds of a cross-validation, with an honest standard error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

__all__ = ["Estimate", "over_folds"]


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error.

    `se` is None where a single value tells nothing about the spread; `freedom` are the degrees of freedom.
    """

    mean: float
    se: float | None
    freedom: int | None


def over_folds(values: Sequence[float], n_folds: int) -> Estimate:
    """Return the mean over all folds of all repetitions, with Nadeau and Bengio's standard error.

    Training sets of a cross-validation overlap, so that its folds are not independent: the variance of
    their mean is taken for ``(1 / folds + test share / training share)`` times theirs, not ``1 / folds``.

    Parameters
    ----------
    values : sequence of float
        One a fold, of one repetition or several.
    n_folds : int
        Folds of one repetition.

    Examples
    --------
    >>> from ramify.experiments.estimate import over_folds
    >>> estimate = over_folds([80.0, 84.0, 82.0, 86.0], n_folds=4)
    >>> estimate.mean, round(estimate.se, 3), estimate.freedom
    (83.0, 1.972, 3)
    """
    numbers = np.asarray(values, dtype=np.float64)
    if len(numbers) < 2:
        return Estimate(float(numbers.mean()), None, None)
    share = 1 / len(numbers) + 1 / (n_folds - 1)
    return Estimate(float(numbers.mean()), math.sqrt(share * float(numbers.var(ddof=1))), len(numbers) - 1)
