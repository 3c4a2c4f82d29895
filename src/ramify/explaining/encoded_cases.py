"""Cases as the tree reads them, column by column, so that single values can be looked at and changed."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._encoding import MISSING, UNSEEN, Blocks, check_columns, encode
from ramify._table import Matrix, read_table, values_of

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier


@dataclass(frozen=True)
class EncodedCases:
    """Cases: float64 numbers, NaN if missing, and int32 codes of categories, as in ``ramify._encoding``.

    Attributes
    ----------
    model : TreeClassifier
        Whose schema they follow.
    columns : list of ndarray
        One a column of the schema.
    given : list of ndarray
        The values as they were given.
    """

    model: TreeClassifier
    columns: list[NDArray[Any]]
    given: list[NDArray[Any]]

    @classmethod
    def read(cls, model: TreeClassifier, X: Any) -> EncodedCases:
        """Read cases as ``predict`` does, with its checks."""
        table = read_table(X, model)
        check_columns(table, model.schema_, type(model).__name__)
        blocks = encode(table, model.schema_.columns, model.handle_unknown, model.missing)
        columns: list[NDArray[Any]] = []
        for values, n_categories, _ in blocks:
            columns += [
                values[:, i] if n_categories else values[:, i].astype(np.float64)
                for i in range(values.shape[1])
            ]
        if isinstance(table, Matrix):
            given = [table.values[:, i] for i in range(table.values.shape[1])]
        else:
            given = [values_of(column) for column in table.columns]
        return cls(model, columns, given)

    def __len__(self) -> int:
        return len(self.columns[0])

    def is_missing(self, column: int) -> NDArray[np.bool_]:
        """Say for each case whether its value is missing."""
        values = self.columns[column]
        missing: NDArray[np.bool_] = (
            values == MISSING if self.model.schema_.columns[column].nominal else np.isnan(values)
        )
        return missing

    def value(self, row: int, column: int) -> Any:
        """Return a value for reading: a category, a number, None if it is missing."""
        found = self.columns[column][row]
        categories = self.model.schema_.columns[column].categories
        if categories is None:
            return None if np.isnan(found) else float(found)
        if found == MISSING:
            return None
        return self.given[column][row] if found == UNSEEN else categories[int(found)]

    def code(self, column: int, value: Hashable | float) -> float | int:
        """Return a category or a number as it is kept here."""
        of_schema = self.model.schema_.columns[column]
        return of_schema.codes[value] if of_schema.nominal else float(value)  # type: ignore[arg-type]

    def repeated(self, rows: NDArray[np.intp]) -> EncodedCases:
        """Return some cases, each as often as it is named, to be changed."""
        return EncodedCases(
            self.model, [values[rows] for values in self.columns], [values[rows] for values in self.given]
        )

    def blocks(self) -> Blocks:
        """Return the cases for the core."""
        return [
            (
                np.ascontiguousarray(values).reshape(-1, 1),
                max(len(of.categories or ()), int(of.nominal)),
                bool(self.is_missing(i).any()),
            )
            for i, (values, of) in enumerate(zip(self.columns, self.model.schema_.columns, strict=True))
        ]

    def passed(self) -> list[NDArray[np.int32]]:
        """Return the nodes that each case passes."""
        starts, nodes = _core.paths(self.model.tree_.core, self.blocks(), len(self))
        return [nodes[a:b] for a, b in pairwise(starts)]

    def votes(self) -> NDArray[np.int64]:
        """Return the class numbers that the model predicts."""
        return self.model._votes(self.blocks(), len(self))
