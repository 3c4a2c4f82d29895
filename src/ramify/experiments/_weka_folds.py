"""Weka 3.2's cross-validation: Java's generator, its shuffle, and its stratified folds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

__all__ = ["JavaRandom", "weka_folds", "weka_order"]

Rows = NDArray[np.intp]


class JavaRandom:
    """Java's ``java.util.Random``, a linear congruential generator of 48 bits.

    Parameters
    ----------
    seed : int
        As in Java.

    Examples
    --------
    >>> JavaRandom(42).next_double()
    0.7275636800328681
    """

    _MULTIPLIER = 0x5DEECE66D
    _MASK = (1 << 48) - 1

    def __init__(self, seed: int) -> None:
        self._state = (seed ^ self._MULTIPLIER) & self._MASK

    def _next(self, bits: int) -> int:
        self._state = (self._state * self._MULTIPLIER + 11) & self._MASK
        return self._state >> (48 - bits)

    def next_double(self) -> float:
        """Return a number in [0, 1) of 53 random bits."""
        high = self._next(26)
        return ((high << 27) + self._next(27)) / (1 << 53)


def _shuffled(n_rows: int, seed: int) -> list[int]:
    """Shuffle rows as Weka 3.2 did; from 3.6 on it draws an integer up to j instead."""
    random = JavaRandom(seed)
    rows = list(range(n_rows))
    for j in range(n_rows - 1, 0, -1):
        other = int(random.next_double() * j)
        rows[j], rows[other] = rows[other], rows[j]
    return rows


def _grouped_by_class(rows: list[int], classes: NDArray[np.intp]) -> list[int]:
    """Bring the rows of a class together by swaps, in the order in which Weka comes to them."""
    rows = list(rows)
    index = 1
    while index < len(rows):
        wanted = classes[rows[index - 1]]
        for j in range(index, len(rows)):
            if classes[rows[j]] == wanted:
                rows[index], rows[j] = rows[j], rows[index]
                index += 1
        index += 1
    return rows


def weka_order(classes: NDArray[np.intp], n_folds: int, seed: int) -> Rows:
    """Return all rows in the order from which Weka 3.2 cuts its stratified folds.

    Parameters
    ----------
    classes : ndarray of int
        The class of each row.
    n_folds : int
        As many folds.
    seed : int
        Of the shuffle.
    """
    rows = _grouped_by_class(_shuffled(len(classes), seed), classes)
    return np.array([row for start in range(n_folds) for row in rows[start::n_folds]], dtype=np.intp)


def weka_folds(classes: NDArray[np.intp], n_folds: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    """Yield training and test rows of each fold, as Weka 3.2 made them.

    Parameters
    ----------
    classes : ndarray of int
        The class of each row.
    n_folds : int
        As many folds.
    seed : int
        Of the shuffle.

    Examples
    --------
    >>> for train, test in weka_folds(np.array([0, 0, 0, 0, 1, 1]), 2, seed=1):
    ...     print(train, test)
    [5 0 3] [4 2 1]
    [4 2 1] [5 0 3]
    """
    order = weka_order(classes, n_folds, seed)
    ends = np.cumsum([len(order) // n_folds + (i < len(order) % n_folds) for i in range(n_folds)])
    for begin, end in zip(np.concatenate(([0], ends[:-1])), ends, strict=True):
        yield np.concatenate((order[:begin], order[end:])), order[begin:end]
