"""Data files as frames, for the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ramify import datasets

#: What stands for a missing value in text files.
_NULLS = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"]

_READERS: dict[str, Callable[[Path], pl.DataFrame]] = {
    ".csv": lambda path: pl.read_csv(path, infer_schema_length=None, null_values=_NULLS),
    ".tsv": lambda path: pl.read_csv(path, separator="\t", infer_schema_length=None, null_values=_NULLS),
    ".parquet": pl.read_parquet,
    ".arrow": pl.read_ipc,
    ".feather": pl.read_ipc,
    ".jsonl": pl.read_ndjson,
    ".ndjson": pl.read_ndjson,
}


class DataError(Exception):
    """The data can't be used; the text says why."""


@dataclass(frozen=True)
class Data:
    """A table split into columns and target."""

    name: str
    X: pl.DataFrame
    y: NDArray[Any]
    target: str


def read_data(source: str, target: str | None) -> Data:
    """Read a file, or a data set by its name.

    Raises
    ------
    DataError
        If there is no such file or data set, it can't be read, or it has no such target.
    """
    path = Path(source)
    if not path.exists() and path.suffix.lower() not in _READERS:
        return _read_named(source, target)
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise DataError(f"{path}: unknown kind of file; {', '.join(_READERS)} can be read.")
    try:
        frame = reader(path)
    except (OSError, pl.exceptions.PolarsError) as error:
        raise DataError(f"{path}: {str(error).splitlines()[0]}") from None
    if target is None:
        raise DataError(f"--target is needed: one of {', '.join(frame.columns)}.")
    if target not in frame.columns:
        raise DataError(f"{path} has no column {target!r}; it has {', '.join(frame.columns)}.")
    if frame.height == 0:
        raise DataError(f"{path} has no rows.")
    if frame[target].null_count():
        raise DataError(f"The target {target!r} is missing in {frame[target].null_count()} rows.")
    labels = frame[target]
    if labels.dtype.is_float() and not (labels == labels.round()).all():
        raise DataError(f"The target {target!r} holds real numbers; a tree needs classes.")
    return Data(path.name, frame.drop(target), np.array(labels.to_list()), target)


def _read_named(source: str, target: str | None) -> Data:
    try:
        data = datasets.load(source, backend="polars")
    except ValueError as error:
        raise DataError(f"{source} is no file. {error}") from None
    except datasets.MissingDataset as error:
        raise DataError(str(error)) from None
    if target not in (None, data.target):
        raise DataError(f"The target of {data.name} is {data.target!r}, not {target!r}.")
    return Data(data.name, data.X, data.y, data.target)
