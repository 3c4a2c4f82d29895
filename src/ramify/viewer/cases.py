"""Cases that come with a page, to pick from."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._encoding import MISSING, UNSEEN, Blocks, check_columns, encode
from ramify._labels import read_labels
from ramify._table import Matrix, Table, read_table, values_of
from ramify.viewer.pool import exact
from ramify.viewer.subject import Subject

#: A page carries at most so many cases.
MAX_CASES = 200

#: A value as the page reads it: a number, the number of a category in a list of one, the text of a category
#: that no training case had, or None where it is missing.
Value = int | float | list[int] | str | None


def cases_data(subject: Subject, X: Any, y: Any) -> dict[str, Any] | None:
    """Return cases for the page: all of X, or `MAX_CASES` of them spread evenly.

    Raises
    ------
    ValueError, TypeError
        If X does not have the model's columns, y is not as long, or y comes without X.
    """
    if X is None:
        if y is not None:
            raise ValueError("y was given without X; it is the true class of the cases in X.")
        return None
    model = subject.models[0]
    table = read_table(X, model)
    check_columns(table, model.schema_, type(model).__name__)
    columns = model.schema_.columns
    blocks = encode(table, columns, "node", "fractional")
    rows = _spread_evenly(table.n_rows)
    values = [_values(table, blocks, i, bool(column.nominal), rows) for i, column in enumerate(columns)]
    labels = None
    if y is not None:
        classes, numbers = read_labels(y, table.n_rows)
        labels = [str(classes[numbers[row]]) for row in rows]
    return {"rows": rows.tolist(), "values": values, "labels": labels, "of": table.n_rows}


def _spread_evenly(n_rows: int) -> NDArray[np.int64]:
    return np.unique(np.linspace(0, n_rows - 1, min(n_rows, MAX_CASES)).round().astype(np.int64))


def _values(table: Table, blocks: Blocks, place: int, nominal: bool, rows: NDArray[np.int64]) -> list[Value]:
    """Return the values of a column in some rows."""
    # Either all columns are one block of numbers, or each is a block of its own.
    block = blocks[0][0][:, place] if len(blocks) == 1 else blocks[place][0][:, 0]
    if not nominal:
        return [None if value != value else exact(value) for value in block[rows].tolist()]
    raw = table.values[:, place] if isinstance(table, Matrix) else values_of(table.columns[place])
    values: list[Value] = []
    for row in rows:
        code = int(block[row])
        values.append(None if code == MISSING else str(raw[row]) if code == UNSEEN else [code])
    return values
