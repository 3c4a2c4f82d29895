"""The data sets of a study, and the forms in which studies want them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from ramify import datasets
from ramify.datasets import Dataset
from ramify.experiments.fingerprint import of_data

Rows = NDArray[np.intp]


@lru_cache(maxsize=4)
def load(name: str) -> Dataset:
    """Return a data set with a pandas frame; it is shared, so nobody may change it."""
    return datasets.load(name, backend="pandas")


@lru_cache(maxsize=64)
def fingerprint(name: str) -> str:
    """Return a digest of a set, which is part of every result."""
    return of_data(load(name))


def missing_as_category(X: Any) -> Any:
    """Return the frame with `?` as one more category of every nominal column that lacks values."""
    frame = X.copy()
    for name in frame.columns:
        column = frame[name]
        if hasattr(column, "cat") and column.isna().any():
            frame[name] = column.cat.add_categories(["?"]).fillna("?")
    return frame


def as_codes(X: Any) -> NDArray[np.float64]:
    """Return the frame as numbers: categories by their place in the declared order."""
    columns = [
        X[name].cat.codes.to_numpy(np.float64) if hasattr(X[name], "cat") else X[name].to_numpy(np.float64)
        for name in X.columns
    ]
    return np.column_stack(columns)


def stratified(y: NDArray[Any], n_folds: int, seed: int) -> Iterator[tuple[Rows, Rows]]:
    """Yield training and test rows of shuffled, stratified folds; a class may have fewer rows than folds."""
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        yield from folds.split(np.zeros(len(y)), y.astype(str))


def contiguous(n_rows: int, n_folds: int) -> Iterator[tuple[Rows, Rows]]:
    """Yield training and test rows of folds that are consecutive runs of the file."""
    rows = np.arange(n_rows)
    for test in np.array_split(rows, n_folds):
        yield np.concatenate((rows[: test[0]], rows[test[-1] + 1 :])), test


def every_nth(n_rows: int, n_folds: int) -> Iterator[tuple[Rows, Rows]]:
    """Yield training and test rows of folds in which row i is tested in fold i mod `n_folds`."""
    fold = np.arange(n_rows) % n_folds
    for number in range(n_folds):
        yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)
