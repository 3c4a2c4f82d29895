"""The caller's X as a table of columns, whatever it came as.

Frames of every kind come in through narwhals, arrays through scikit-learn's own checks. Numeric arrays
stay whole, so that nothing is copied.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_array

if TYPE_CHECKING:
    from narwhals.typing import IntoSeries

#: Row numbers take 32 bits, less two values that are kept free.
MAX_ROWS = 2**32 - 2


@dataclass(frozen=True)
class Matrix:
    """Numbers in one two-dimensional array of float32 or float64."""

    values: NDArray[np.floating[Any]]

    @property
    def n_rows(self) -> int:
        return int(self.values.shape[0])

    @property
    def names(self) -> list[str]:
        return [f"x{i}" for i in range(self.values.shape[1])]

    named = False


@dataclass(frozen=True)
class Mixed:
    """Columns of any type, each a one-dimensional array or a narwhals series."""

    columns: Sequence[NDArray[Any] | nw.Series[IntoSeries]]
    names: list[str]
    n_rows: int
    named: bool


Table = Matrix | Mixed


def read_table(X: Any, owner: object) -> Table:
    """Read X; `owner` is the estimator, for error texts.

    Raises
    ------
    ValueError, TypeError
        If X is no table: no rows, no columns, too many dimensions, sparse, lazy, complex, ragged.
    """
    shape = getattr(X, "shape", None)
    if isinstance(shape, tuple) and shape and isinstance(shape[0], int) and shape[0] > MAX_ROWS:
        raise ValueError(f"X has {shape[0]} rows; at most {MAX_ROWS} (2^32 - 2) are accepted.")
    if isinstance(X, np.ndarray):
        return _read_array(X, owner)
    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(f"X is a lazy frame ({type(X).__name__}); collect it first.")
    if isinstance(frame, nw.DataFrame):
        return _read_frame(frame)
    return _read_array(X, owner)


def _read_frame(frame: nw.DataFrame[Any]) -> Mixed:
    names = [str(name) for name in frame.columns]
    unnamed = not all(isinstance(name, str) for name in frame.columns)
    n_rows, n_columns = frame.shape
    if n_rows == 0:
        raise ValueError("Found array with 0 sample(s) in X: at least one row is needed.")
    if n_columns == 0:
        raise ValueError(
            f"Found array with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required."
        )
    columns = [frame[:, i] for i in range(n_columns)]
    return Mixed(columns, names if not unnamed else [f"x{i}" for i in range(n_columns)], n_rows, not unnamed)


def _read_array(X: Any, owner: object) -> Table:
    # The common case costs next to nothing: an array of floats that is what it should be.
    ready = isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype in (np.float32, np.float64)
    if ready and X.size > 0 and X.dtype.isnative and X.flags.aligned and type(X) is np.ndarray:
        return Matrix(X)
    array = check_array(X, dtype=None, estimator=owner, ensure_all_finite=False, input_name="X")
    if array.dtype.kind in "OSU":
        columns = [array[:, i] for i in range(array.shape[1])]
        return Mixed(columns, [f"x{i}" for i in range(len(columns))], len(array), False)
    return Matrix(as_floats(array, "X"))


def as_floats(array: NDArray[Any], what: str) -> NDArray[np.floating[Any]]:
    """Numbers as float32 or float64, without a copy where they are that already.

    Raises
    ------
    ValueError
        If integers are too large for a float64 to tell neighbours apart.
    """
    if array.dtype in (np.float32, np.float64) and array.dtype.isnative and array.flags.aligned:
        return array
    floats = array.astype(np.float64)
    if array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size:
        largest = max(abs(int(array.max())), abs(int(array.min())))
        if largest > 2**53 and not np.array_equal(floats.astype(array.dtype), array):
            raise ValueError(
                f"{what} holds integers up to {largest} in size; beyond 2^53 = {2**53} neighbouring integers "
                "are the same float64. Subtract an offset, or pass the column as a category."
            )
    return floats


def column_kind(column: NDArray[Any] | nw.Series[Any]) -> str:
    """Kind of a column by its dtype: numeric, nominal, objects (only its values can tell) or other."""
    if isinstance(column, np.ndarray):
        return {"O": "objects", "S": "nominal", "U": "nominal", "b": "nominal"}.get(
            column.dtype.kind, "numeric"
        )
    dtype = column.dtype
    if dtype.is_numeric():
        return "numeric"
    if isinstance(dtype, (nw.Categorical, nw.Enum, nw.String, nw.Boolean)):
        return "nominal"
    return "objects" if isinstance(dtype, nw.Object) else str(dtype)


def values_of(column: NDArray[Any] | nw.Series[Any]) -> NDArray[Any]:
    """Return the values of a column as an array."""
    return column if isinstance(column, np.ndarray) else column.to_numpy()


def stored_categories(
    column: NDArray[Any] | nw.Series[Any],
) -> tuple[tuple[Hashable, ...], NDArray[np.int64]] | None:
    """Return the categories that a column's type declares, in order, and the code of each row.

    A missing value has the code -1. None if the type declares no categories: strings, numbers, and
    polars' Categorical, whose categories are those of the whole process. narwhals does not expose the
    codes, so each library is asked in its own way; it is known by what it offers, never imported.
    """
    if isinstance(column, np.ndarray):
        return None
    if isinstance(column.dtype, nw.Boolean):
        return None if column.null_count() else ((False, True), column.to_numpy().astype(np.int64))
    native: Any = column.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):  # pandas and what looks like it
        return tuple(native.cat.categories.tolist()), np.asarray(native.cat.codes, dtype=np.int64)
    if isinstance(column.dtype, nw.Enum) and hasattr(native, "to_physical"):  # polars
        codes = native.to_physical().cast(int).fill_null(-1).to_numpy()
        return tuple(column.dtype.categories), codes.astype(np.int64, copy=False)
    if isinstance(column.dtype, nw.Categorical) and hasattr(native, "combine_chunks"):  # Arrow
        array = native.unify_dictionaries().combine_chunks()
        codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return tuple(array.dictionary.to_pylist()), codes.astype(np.int64, copy=False)
    return None
