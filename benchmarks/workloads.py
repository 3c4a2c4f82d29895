"""The data that is learned from: recipes that are cheap to name and made only when needed."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

SEED = 0


@dataclass(frozen=True)
class Data:
    """Columns and labels in memory, as a user would hold them.

    ``X`` is a float32 array, or a pandas frame of category columns (and, in mixed data, of float64
    ones); ``polars`` is the same frame as Enum columns, where there is one. Labels are the
    integers ``0 .. classes - 1``.
    """

    X: Any
    y: npt.NDArray[np.int64]
    classes: int
    polars: Any = None

    @property
    def cells(self) -> int:
        """Number of values in ``X``."""
        return int(self.X.shape[0] * self.X.shape[1])

    def head(self, rows: int) -> Data:
        """Return the first rows; used to warm a contender up."""
        X = self.X[:rows] if isinstance(self.X, np.ndarray) else self.X.iloc[:rows]
        frame = None if self.polars is None else self.polars.head(rows)
        return Data(X, self.y[:rows], self.classes, frame)


class Workload(Protocol):
    """A hashable recipe for data."""

    @property
    def label(self) -> str:
        """What the data is, for a table's heading."""

    def make(self) -> Data:
        """Make the data; the same every time."""


@dataclass(frozen=True)
class Numeric:
    """Gaussian clusters in ten informative columns, the rest noise, 5% of the labels random.

    With ``distinct`` every column is replaced by its quantile codes, so that it takes that many
    values while its order is kept.
    """

    rows: int
    columns: int = 20
    classes: int = 5
    distinct: int | None = None

    @property
    def label(self) -> str:
        """Shape of the data and how many values a column takes."""
        shape = f"{self.rows:,} x {self.columns} float32, {self.classes} classes"
        return shape if self.distinct is None else f"{shape}, {self.distinct} distinct values"

    def make(self) -> Data:
        """Make the data with scikit-learn's ``make_classification``."""
        from sklearn.datasets import make_classification

        X, y = make_classification(
            self.rows,
            self.columns,
            n_informative=min(10, self.columns),
            n_redundant=0,
            n_classes=self.classes,
            flip_y=0.05,
            random_state=SEED,
        )
        if self.distinct is not None:
            for column in X.T:
                edges = np.quantile(column, np.linspace(0, 1, self.distinct + 1)[1:-1])
                column[:] = np.searchsorted(edges, column)
        X32 = np.ascontiguousarray(X, dtype=np.float32)
        return Data(X32, y.astype(np.int64), self.classes)


@dataclass(frozen=True)
class Nominal:
    """Unordered columns in which every level pulls towards some classes at random."""

    rows: int
    levels: int
    columns: int = 10
    classes: int = 5

    @property
    def label(self) -> str:
        """Shape of the data and how many levels a column has."""
        shape = f"{self.rows:,} x {self.columns} nominal"
        return f"{shape}, {self.levels} levels, {self.classes} classes"

    def make(self) -> Data:
        """Draw levels uniformly; the class is the largest noisy sum of the levels' effects."""
        import pandas as pd

        rng = np.random.default_rng(SEED)
        codes = rng.integers(self.levels, size=(self.rows, self.columns))
        effects = rng.normal(size=(self.columns, self.levels, self.classes))
        pull = rng.gumbel(size=(self.rows, self.classes))
        for j in range(self.columns):
            pull += effects[j, codes[:, j]]
        names = [f"level{i:03d}" for i in range(self.levels)]
        frame = pd.DataFrame(
            {f"x{j}": pd.Categorical.from_codes(codes[:, j], names) for j in range(self.columns)}
        )
        return Data(frame, pull.argmax(axis=1), self.classes, _as_polars(codes, names))


@dataclass(frozen=True)
class Mixed:
    """Numbers and unordered columns, half of each at work, 10% of the labels random, 2% of the cells missing.

    Half of the numbers are rounded to two digits, so that they take few values.
    """

    rows: int
    numeric: int = 8
    nominal: int = 6
    classes: int = 3

    @property
    def label(self) -> str:
        """Shape of the data."""
        return f"{self.rows:,} x {self.numeric} float64 and {self.nominal} nominal, {self.classes} classes"

    def make(self) -> Data:
        """Draw the columns; the class is the largest noisy sum of their effects."""
        import pandas as pd

        rng = np.random.default_rng(SEED)
        pull = rng.gumbel(scale=0.5, size=(self.rows, self.classes))
        columns: dict[str, Any] = {}
        for j in range(self.numeric):
            numbers = rng.normal(size=self.rows).round(2 if j % 4 < 2 else 15)
            if j % 2 == 0:
                pull += np.sin(np.outer(numbers, rng.normal(scale=2.0, size=self.classes)))
            columns[f"x{j}"] = np.where(rng.random(self.rows) < 0.02, np.nan, numbers)
        for j in range(self.nominal):
            levels = 2 + 3 * j
            codes = rng.integers(levels, size=self.rows)
            if j % 2 == 0:
                pull += rng.normal(size=(levels, self.classes))[codes]
            codes[rng.random(self.rows) < 0.02] = -1
            names = [f"level{i:03d}" for i in range(levels)]
            columns[f"n{j}"] = pd.Categorical.from_codes(codes, names)
        random = rng.integers(self.classes, size=self.rows)
        y = np.where(rng.random(self.rows) < 0.1, random, pull.argmax(axis=1))
        return Data(pd.DataFrame(columns), y, self.classes)


@dataclass(frozen=True)
class Small:
    """A data set of a few hundred rows: ``iris``, ``wine`` or a made one in the shape of glass."""

    name: str

    @property
    def label(self) -> str:
        """Name of the data set."""
        return self.name

    def make(self) -> Data:
        """Load or make the data."""
        from sklearn import datasets

        if self.name == "glass-like":
            X, y = datasets.make_classification(
                214, 9, n_informative=6, n_redundant=0, n_classes=6, flip_y=0.1, random_state=SEED
            )
        else:
            X, y = getattr(datasets, f"load_{self.name}")(return_X_y=True)
        X32 = np.ascontiguousarray(X, dtype=np.float32)
        return Data(X32, y.astype(np.int64), int(y.max()) + 1)


def _as_polars(codes: npt.NDArray[np.int64], names: list[str]) -> Any:
    """Return the codes as Enum columns, or None without polars."""
    if importlib.util.find_spec("polars") is None:
        return None
    import polars as pl

    texts = pl.DataFrame({f"x{j}": np.asarray(names)[column] for j, column in enumerate(codes.T)})
    return texts.cast(pl.Enum(names))
