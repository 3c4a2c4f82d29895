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

#: Row and column numbers take 31 bits: beside a row one bit is for other uses.
MAX_ROWS = 2**31 - 1
MAX_COLUMNS = 2**31 - 1


@dataclass(frozen=True)
class Matrix:
    """Numbers or booleans in one two-dimensional array."""

    values: NDArray[Any]

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


def is_missing(value: object) -> bool:
    """Whether a value is None, NaN, NaT or pandas' NA."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # arrays and the like
        return False


def read_table(X: Any, owner: object) -> Table:
    """Read X; `owner` is the estimator, for error texts.

    Raises
    ------
    ValueError, TypeError
        If X is no table: no rows, no columns, too many dimensions, sparse, lazy, complex, ragged.
    """
    if type(X).__module__.startswith("ramify.sources"):
        raise TypeError(
            "X is a source, which only fit, predict and predict_proba of TreeClassifier take; for all else, "
            "q_path and TreeClassifierCV too, draw rows with its sample(rows), and fit the source with the q "
            "that is chosen on them."
        )
    _check_size(X)
    if isinstance(X, np.ndarray):
        return _read_array(X, owner)
    if hasattr(X, "shape"):  # lazy frames have none, and asking for their names is work
        _check_names(X)
    X = _as_known_frame(X)
    frame = nw.from_native(X, pass_through=True)
    if isinstance(frame, nw.LazyFrame):
        raise TypeError(f"X is a lazy frame ({type(X).__name__}); collect it first.")
    if isinstance(frame, nw.DataFrame):
        return _read_frame(frame)
    return _read_array(X, owner)


def _check_size(X: Any) -> None:
    shape = getattr(X, "shape", None)
    if not isinstance(shape, tuple) or not all(isinstance(size, int) for size in shape):
        return
    if shape and shape[0] > MAX_ROWS:
        raise ValueError(f"X has {shape[0]} rows; at most {MAX_ROWS} (2^31 - 1) are accepted.")
    if len(shape) > 1 and shape[1] > MAX_COLUMNS:
        raise ValueError(f"X has {shape[1]} columns; at most {MAX_COLUMNS} (2^31 - 1) are accepted.")


def _check_names(X: Any) -> None:
    """Refuse a frame with two columns of one name before any library stumbles over it."""
    names = getattr(X, "column_names", getattr(X, "columns", None))
    if names is None or callable(names):
        return
    listed = [name for name in names if isinstance(name, str)]
    twice = sorted({name for name in listed if listed.count(name) > 1})
    if twice:
        raise ValueError(f"X has several columns of the same name: {twice}.")


def _as_known_frame(X: Any) -> Any:
    """Make a frame that narwhals knows of its near relatives."""
    if type(X).__name__ == "RecordBatch" and hasattr(X, "to_struct_array"):
        import pyarrow

        return pyarrow.Table.from_batches([X])
    if (
        hasattr(X, "set_axis")
        and hasattr(X, "columns")
        and not all(isinstance(name, str) for name in X.columns)
    ):
        return X.set_axis(range(X.shape[1]), axis=1)  # pandas, names that are none: None, NaN, numbers
    return X


def _read_frame(frame: nw.DataFrame[Any]) -> Mixed:
    n_rows, n_columns = frame.shape
    if n_columns == 0:
        raise ValueError(
            f"X: Found array with 0 feature(s) (shape=({n_rows}, 0)) while a minimum of 1 is required."
        )
    if n_rows == 0:
        raise ValueError("X: Found array with 0 sample(s) while a minimum of 1 is required.")
    named = all(isinstance(name, str) for name in frame.columns)
    names = list(frame.columns) if named else [f"x{i}" for i in range(n_columns)]
    return Mixed([frame[:, i] for i in range(n_columns)], names, n_rows, named)


def _read_array(X: Any, owner: object) -> Table:
    # The common case costs next to nothing: an array of floats that is what it should be.
    ready = type(X) is np.ndarray and X.ndim == 2 and X.dtype in (np.float32, np.float64)
    if ready and X.size > 0 and X.dtype.isnative and X.flags.aligned:
        return Matrix(X)
    if isinstance(X, np.ma.MaskedArray) and np.ma.getmaskarray(X).any():
        raise ValueError("X is a masked array with masked, that is missing, values; fill them in first.")
    if isinstance(X, (list, tuple)):
        X = _read_rows(X)
    try:
        array = check_array(X, dtype=None, estimator=owner, ensure_all_finite=False, input_name="X")
    except (TypeError, ValueError) as error:
        raise type(error)(f"X is not accepted: {error}") from None
    if array.dtype.kind in "OSUT":
        columns = [array[:, i] for i in range(array.shape[1])]
        return Mixed(columns, [f"x{i}" for i in range(len(columns))], len(array), False)
    if array.dtype.kind not in "fiub":
        raise TypeError(
            f"X has the dtype {array.dtype}; numbers, strings, booleans and Python objects are accepted."
        )
    return Matrix(array)


def _read_rows(rows: Sequence[Any]) -> Any:
    """Read rows of Python values, each value staying what it is where NumPy would make all strings."""
    try:
        array = np.asarray(rows)
    except ValueError as error:
        raise ValueError(f"X is not accepted: its rows must have one length ({error}).") from None
    return np.asarray(rows, dtype=object) if array.dtype.kind in "USO" else array


def as_floats(array: NDArray[Any], what: str) -> NDArray[np.floating[Any]]:
    """Numbers as float32 or float64, without a copy where they are that already.

    Raises
    ------
    ValueError
        If integers are too large for a float64 to tell neighbours apart.
    """
    if array.dtype in (np.float32, np.float64) and array.dtype.isnative and array.flags.aligned:
        return array
    with np.errstate(over="ignore", invalid="ignore"):  # an infinity is found, and named, later
        floats = array.astype(np.float64)
        large = array.dtype.kind in "iu" and array.dtype.itemsize == 8 and array.size > 0
        if large and np.abs(floats).max() > 2**53 and not np.array_equal(floats.astype(array.dtype), array):
            raise ValueError(
                f"{what} holds integers of a size of {np.abs(floats).max():.0f}; beyond 2^53 = {2**53} "
                "neighbouring integers are the same float64. Subtract an offset, or pass the column as a "
                "category."
            )
    return floats


def column_kind(column: NDArray[Any] | nw.Series[Any]) -> str:
    """Kind of a column by its dtype: numeric, boolean, nominal, objects (its values tell), or its dtype."""
    if isinstance(column, np.ndarray):
        kinds = {"O": "objects", "S": "nominal", "U": "nominal", "T": "nominal", "b": "boolean"}
        return kinds.get(column.dtype.kind, "numeric")
    dtype = column.dtype
    if dtype.is_numeric():
        return "numeric"
    if isinstance(dtype, nw.Boolean):
        return "boolean"
    if isinstance(dtype, (nw.Categorical, nw.Enum, nw.String)):
        return "nominal"
    return "objects" if isinstance(dtype, nw.Object) else str(dtype)


def values_are_null(column: NDArray[Any] | nw.Series[Any]) -> bool:
    """Whether a column holds nothing at all; its type says nothing then."""
    return not isinstance(column, np.ndarray) and column.null_count() == len(column)


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
        codes = column.fill_null(False).to_numpy().astype(np.int64)
        codes[column.is_null().to_numpy()] = -1
        return (False, True), codes
    native: Any = column.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):  # pandas and what looks like it
        return tuple(native.cat.categories.tolist()), np.asarray(native.cat.codes, dtype=np.int64)
    if isinstance(column.dtype, nw.Enum) and hasattr(native, "to_physical"):  # polars
        codes = native.to_physical().cast(int).fill_null(-1).to_numpy()
        return tuple(column.dtype.categories), codes.astype(np.int64, copy=False)
    if isinstance(column.dtype, nw.Categorical) and hasattr(native, "unify_dictionaries"):  # Arrow
        array = native.unify_dictionaries().combine_chunks()
        codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        return without_null(array.dictionary.to_pylist(), codes.astype(np.int64, copy=False))
    return None


def without_null(
    categories: list[Hashable], codes: NDArray[np.int64]
) -> tuple[tuple[Hashable, ...], NDArray[np.int64]]:
    """Make a null that is an entry of the dictionary what it means: a missing value."""
    if None not in categories:
        return tuple(categories), codes
    null = categories.index(None)
    codes = np.where(codes == null, -1, codes - (codes > null))
    return tuple(category for category in categories if category is not None), codes
