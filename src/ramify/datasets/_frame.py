"""The frame: a table's columns in the types of pandas, polars or Arrow.

The libraries are imported by name and only when asked for: none of them is required, and importing
this package must not import any of them.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

from ._table import NominalColumn, NumericColumn, Table


def _pandas_frame(pandas: Any, table: Table) -> Any:
    def series(column: NumericColumn | NominalColumn) -> Any:
        if isinstance(column, NumericColumn):
            return column.values
        # Not `ordered=True`: the order of declaration does not make a nominal column a scale.
        return pandas.Categorical(column.values, dtype=pandas.CategoricalDtype(list(column.categories)))

    return pandas.DataFrame({column.name: series(column) for column in table.columns})


def _polars_frame(polars: Any, table: Table) -> Any:
    def series(column: NumericColumn | NominalColumn) -> Any:
        if isinstance(column, NumericColumn):
            return polars.Series(column.name, column.values, nan_to_null=True)
        # Enum, not Categorical: only Enum keeps a declared order and unused categories.
        return polars.Series(column.name, column.values, dtype=polars.Enum(column.categories))

    return polars.DataFrame([series(column) for column in table.columns])


def _pyarrow_frame(pyarrow: Any, table: Table) -> Any:
    def array(column: NumericColumn | NominalColumn) -> Any:
        if isinstance(column, NumericColumn):
            return pyarrow.array(column.values, from_pandas=True)  # NaN is null
        # From codes: Arrow's own encoding orders the dictionary by first appearance.
        # A missing value is in no dictionary: `get` makes it null, and others were checked.
        code: dict[str | None, int] = {category: i for i, category in enumerate(column.categories)}
        return pyarrow.DictionaryArray.from_arrays(
            pyarrow.array([code.get(value) for value in column.values], type=pyarrow.int32()),
            pyarrow.array(column.categories, type=pyarrow.string()),
        )

    return pyarrow.table({column.name: array(column) for column in table.columns})


# The module to import and what makes a frame with it, in the order in which a default is sought.
_MAKERS: dict[str, Callable[[Any, Table], Any]] = {
    "pandas": _pandas_frame,
    "polars": _polars_frame,
    "pyarrow": _pyarrow_frame,
}


def choose_backend(backend: str | None) -> str:
    """Return `backend` if it is one, or for None the first that is installed."""
    accepted = ", ".join(repr(name) for name in _MAKERS)
    if backend is None:
        for name in _MAKERS:
            if importlib.util.find_spec(name) is not None:
                return name
        raise ImportError(
            f"a data set needs one of {accepted} for its frame and none is installed; "
            "install one, for example with 'pip install pandas'"
        )
    if not isinstance(backend, str) or backend not in _MAKERS:
        raise ValueError(f"backend must be one of {accepted} or None, got {backend!r}")
    return backend


def make_frame(table: Table, backend: str) -> Any:
    """Return the columns of `table`, without the target, as a frame of `backend`."""
    try:
        library = importlib.import_module(backend)
    except ModuleNotFoundError as error:
        # A broken installation, missing some other module, keeps its own message.
        if error.name != backend:
            raise
        raise ImportError(
            f"backend={backend!r} needs {backend}, which is not installed; "
            f"install it with 'pip install {backend}'",
            name=backend,
        ) from error
    return _MAKERS[backend](library, table)
