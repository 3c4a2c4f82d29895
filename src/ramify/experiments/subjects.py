"""The data sets of a comparison, from whatever form they are given in."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from ramify import datasets as builtin
from ramify._labels import read_labels
from ramify.datasets import Dataset, MissingDataset

_ACCEPTED = (
    "the name of a data set, the name of a file as 'data.csv:target', a pair (X, y), or what "
    "ramify.datasets.load returns"
)


@dataclass(frozen=True, eq=False)
class Subject:
    """A data set by its name; `X` is an array or a frame, `y` the labels.

    One that is known and not here has neither, but words on how to get it, in `missing`.
    """

    name: str
    X: Any
    y: Any
    missing: str = ""

    @cached_property
    def labels(self) -> tuple[NDArray[Any], NDArray[np.uint32]]:
        """The classes, and the class of each row."""
        return read_labels(self.y, self.n_rows)

    @property
    def n_rows(self) -> int:
        """How many rows there are."""
        return 0 if self.missing else int(np.shape(self.X)[0])

    @property
    def n_columns(self) -> int:
        """How many columns there are."""
        return 0 if self.missing else int(np.shape(self.X)[1])

    def take(self, rows: NDArray[np.uint32]) -> tuple[Any, Any]:
        """Return some of the rows, and their labels in the type that they were given in."""
        return _safe_indexing(self.X, rows), _safe_indexing(self.y, rows)

    def digest(self) -> str:
        """Return a fingerprint: other rows, columns, categories or labels have another."""
        sha = hashlib.sha256()
        frame = nw.from_native(self.X, eager_only=True, pass_through=True)
        if isinstance(frame, nw.DataFrame):
            for name in frame.columns:
                sha.update(repr((name, str(frame[name].dtype), frame[name].to_list())).encode())
        else:
            sha.update(repr((self.X.dtype.str, self.X.shape)).encode())
            sha.update(repr(self.X.tolist()).encode() if self.X.dtype.hasobject else self.X.tobytes())
        classes, numbers = self.labels
        sha.update(repr(classes.tolist()).encode())
        sha.update(numbers.tobytes())
        return sha.hexdigest()


def find_subjects(given: Any, target: str | None = None) -> list[Subject]:
    """Return the data sets that were given, each with a name of its own.

    Parameters
    ----------
    given : str, path, Dataset, pair (X, y), an iterable of these, or a mapping of names to them
        The data sets.
    target : str, optional
        The column to predict, for files whose name does not say it.

    Raises
    ------
    ValueError, TypeError
        If there is none, or it can't be read; the text names it.
    """
    named: list[tuple[str | None, Any]]
    if isinstance(given, Mapping):
        named = [(str(name), data) for name, data in given.items()]
    elif isinstance(given, (str, os.PathLike, Dataset)) or _is_pair(given):
        named = [(None, given)]
    elif isinstance(given, Iterable):
        named = [(None, data) for data in given]
    else:
        raise TypeError(f"datasets={given!r} is not accepted; it must be {_ACCEPTED}, or several of these.")
    if not named:
        raise ValueError(f"datasets is empty; it must be {_ACCEPTED}, or several of these.")
    subjects = [_find(name, data, place, target) for place, (name, data) in enumerate(named, 1)]
    found = Counter(subject.name for subject in subjects)
    subjects = [  # files of one name in several folders are told apart by their folders
        replace(subject, name=str(data))
        if name is None and found[subject.name] > 1 and _is_file(data)
        else subject
        for subject, (name, data) in zip(subjects, named, strict=True)
    ]
    names = [subject.name for subject in subjects]
    twice = [name for i, name in enumerate(names) if name in names[:i]]
    if twice:
        raise ValueError(f"datasets has {twice[0]!r} more than once; each needs a name of its own.")
    return subjects


def _is_file(data: Any) -> bool:
    return isinstance(data, (str, os.PathLike)) and str(data) not in builtin.list_datasets()


def _is_pair(data: Any) -> bool:
    texts = (str, os.PathLike, Dataset, tuple)
    return isinstance(data, tuple) and len(data) == 2 and not any(isinstance(part, texts) for part in data)


def _find(name: str | None, data: Any, place: int, target: str | None) -> Subject:
    if isinstance(data, Subject):
        return data
    if isinstance(data, (str, os.PathLike)):
        try:
            data = _read(os.fspath(data), target)
        except MissingDataset as error:
            return Subject(name or error.dataset, None, None, missing=str(error))
    if hasattr(data, "X") and hasattr(data, "y"):
        return Subject(name or data.name, data.X, data.y)
    if not _is_pair(data):
        raise TypeError(f"datasets has {type(data).__name__} at place {place}; each must be {_ACCEPTED}.")
    X, y = data
    label = name or f"data {place}"
    return Subject(label, *_check(label, X, y))


def _read(source: str, target: str | None) -> Any:
    """Read a file, or a data set by its name."""
    if source in builtin.list_datasets():
        return builtin.load(source)
    try:
        from ramify.tables.errors import DataError
        from ramify.tables.training import read_training
    except ImportError:
        raise ImportError(f'{source!r} needs polars to be read: pip install "ramify[cli]".') from None
    path, colon, column = source.rpartition(":")
    if colon and not Path(source).exists():
        source, target = path, column
    try:
        if not Path(source).suffix:
            target = None  # a data set knows its own
        elif target is None and Path(source).is_file():  # one more guess among many would not be seen
            raise ValueError(f"{source}: --target is needed, or the name of the column as {source}:COLUMN.")
        table = read_training(source, target)
    except DataError as error:
        raise ValueError(str(error)) from None
    left_out = [f"{kind.name} ({kind.why})" for kind in table.kinds if kind.values is None]
    if left_out:
        warnings.warn(f"{source}: left out are {', '.join(left_out)}.", UserWarning, stacklevel=2)
    if table.doubts:
        warnings.warn(f"{source}: {table.doubts}.", UserWarning, stacklevel=2)
    return table


def _check(name: str, X: Any, y: Any) -> tuple[Any, Any]:
    """Return the two as arrays or frames, of the same length."""
    if not hasattr(X, "shape"):
        X = np.asarray(X)
    if not hasattr(y, "dtype") and not hasattr(y, "type"):
        y = np.asarray(y)
    if len(np.shape(X)) != 2:
        raise ValueError(f"X of {name!r} has {len(np.shape(X))} dimensions; rows and columns are needed.")
    if np.shape(X)[0] != len(y):
        raise ValueError(f"X of {name!r} has {np.shape(X)[0]} rows, and y has {len(y)} labels.")
    return X, y
