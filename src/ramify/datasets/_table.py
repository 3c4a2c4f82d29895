"""The table: the columns and labels of a data set before any frame library is chosen.

Whatever the rows come from, they become a `Table`; whatever library the user wants, the frame is
made from a `Table`. So a new source of rows and a new library never have to know each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


def _check_declared(what: str, values: Sequence[str | None], declared: tuple[str, ...]) -> None:
    """Raise if `values` holds something undeclared, which frame libraries may turn into missing."""
    undeclared = sorted(value for value in set(values) - set(declared) if value is not None)
    if undeclared:
        raise ValueError(f"{what} holds {undeclared}, which is not among {list(declared)}")


@dataclass(frozen=True)
class NumericColumn:
    """A column of int64 or float64 numbers; NaN is a missing one."""

    name: str
    values: NDArray[np.int64] | NDArray[np.float64]


@dataclass(frozen=True)
class NominalColumn:
    """A column of categories, and all categories it may hold, in declared order; None is a missing one."""

    name: str
    values: Sequence[str | None]
    categories: tuple[str, ...]

    def __post_init__(self) -> None:
        _check_declared(f"column {self.name!r}", self.values, self.categories)


@dataclass(frozen=True)
class Table:
    """The columns, and the class of every row."""

    columns: tuple[NumericColumn | NominalColumn, ...]
    target: str
    labels: Sequence[str]
    classes: tuple[str, ...]

    def __post_init__(self) -> None:
        if None in self.labels:
            raise ValueError(f"target {self.target!r} has missing labels")
        _check_declared(f"target {self.target!r}", self.labels, self.classes)
        for column in self.columns:
            if len(column.values) != len(self.labels):
                raise ValueError(
                    f"column {column.name!r} has {len(column.values)} rows, "
                    f"target {self.target!r} has {len(self.labels)}"
                )

    @property
    def categories(self) -> dict[str, tuple[str, ...]]:
        """The declared categories of the nominal columns."""
        return {c.name: c.categories for c in self.columns if isinstance(c, NominalColumn)}
