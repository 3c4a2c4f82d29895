"""Columns to codes: making a schema from a table, and encoding tables by it.

What the core reads are blocks: matrices of floats as they are, and nominal columns as int32 codes.
"""

from __future__ import annotations

import numbers
import warnings
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._table import (
    Matrix,
    Mixed,
    Table,
    as_floats,
    column_kind,
    is_missing,
    stored_categories,
    values_are_null,
    values_of,
)
from ramify.schema import Column, Schema

#: What the core reads: arrays of columns, each with its number of categories, 0 for numbers, and
#: whether values are missing in it.
Blocks = list[tuple[NDArray[Any], int, bool]]

#: Codes of categories that are none, as the core has them.
UNSEEN = -1
MISSING = -2


def choose_nominal(table: Table, categorical_features: Any) -> list[bool]:
    """Say for each column whether it is nominal.

    Raises
    ------
    ValueError, TypeError
        If `categorical_features` names a column that does not exist, or is none of "from_dtype",
        None, a mask, indices or names.
    """
    names = table.names
    if isinstance(categorical_features, str) and categorical_features == "from_dtype":
        if isinstance(table, Matrix):
            return [False] * len(names)
        return [_is_nominal(column, name) for column, name in zip(table.columns, names, strict=True)]
    if categorical_features is None:
        return [False] * len(names)
    chosen = [False] * len(names)
    for position in _positions(categorical_features, table):
        chosen[position] = True
    return chosen


def _positions(categorical_features: Any, table: Table) -> Iterable[int]:
    names = table.names
    given = f"categorical_features={categorical_features!r}"
    refusal = (
        f"{given} is not accepted; it must be 'from_dtype', None, a mask, or indices or names of columns."
    )
    listed = isinstance(categorical_features, Sequence) or hasattr(categorical_features, "__array__")
    if isinstance(categorical_features, str) or not listed or np.ndim(categorical_features) != 1:
        raise ValueError(refusal)
    entries = list(categorical_features)
    booleans = [isinstance(entry, (bool, np.bool_)) for entry in entries]
    if entries and all(booleans):
        if len(entries) != len(names):
            raise ValueError(f"{given} is a mask of {len(entries)} for {len(names)} columns.")
        return [i for i, entry in enumerate(entries) if entry]
    positions = []
    for entry, boolean in zip(entries, booleans, strict=True):
        if isinstance(entry, str):
            if not table.named or entry not in names:
                known = f"the columns are {names}" if table.named else "X has no column names"
                raise ValueError(f"categorical_features names the column {entry!r}, but {known}.")
            positions.append(names.index(entry))
        elif isinstance(entry, numbers.Integral) and not boolean:
            if not 0 <= int(entry) < len(names):
                raise ValueError(
                    f"categorical_features has the index {entry}, but X has {len(names)} columns, "
                    f"0 to {len(names) - 1}."
                )
            positions.append(int(entry))
        else:
            raise TypeError(refusal)
    return positions


def _is_nominal(column: Any, name: str) -> bool:
    kind = column_kind(column)
    if kind == "objects":
        return _objects_are_nominal(values_of(column), name)
    if kind not in ("numeric", "boolean", "nominal"):
        if values_are_null(column):
            return False
        raise TypeError(
            f"Column {name!r} has the dtype {kind}; numbers, strings, booleans and categories are accepted. "
            "Turn it into one of these first."
        )
    return kind != "numeric"


def _objects_are_nominal(values: NDArray[Any], name: str) -> bool:
    """Whether a column of Python objects is strings or booleans; a mixture is an error."""
    kinds: set[str] = set()
    for value in values:
        if is_missing(value):
            continue
        if isinstance(value, (str, bytes)):
            kinds.add("strings")
        elif isinstance(value, (bool, np.bool_)):
            kinds.add("booleans")
        elif isinstance(value, numbers.Real):
            kinds.add("numbers")
        else:
            raise TypeError(
                f"Column {name!r} holds a {type(value).__name__}: argument must be a string or a number."
            )
    if len(kinds) > 1:
        raise TypeError(
            f"Column {name!r} mixes {' and '.join(sorted(kinds))}; a column must be all numbers, all "
            "strings or all booleans. Convert it first."
        )
    return kinds not in (set(), {"numbers"})


def make_columns(table: Table, nominal: list[bool]) -> tuple[Column, ...]:
    """Make the columns of a schema."""
    if isinstance(table, Matrix):
        return tuple(
            Column(name, sorted_categories(table.values[:, i], name) if is_nominal else None)
            for i, (name, is_nominal) in enumerate(zip(table.names, nominal, strict=True))
        )
    columns = []
    for name, column, is_nominal in zip(table.names, table.columns, nominal, strict=True):
        stored = stored_categories(column) if is_nominal else None
        if not is_nominal:
            columns.append(Column(name))
        elif stored is not None:
            columns.append(Column(name, stored[0]))
        else:
            columns.append(Column(name, sorted_categories(values_of(column), name)))
    return tuple(columns)


def sorted_categories(values: NDArray[Any], name: str) -> tuple[Hashable, ...]:
    """Return the distinct values of a nominal column in order, missing ones left out."""
    try:
        found = {value for value in set(values.tolist()) if not is_missing(value)}
    except TypeError:
        raise TypeError(f"The nominal column {name!r} holds values that can't be hashed.") from None
    try:
        return tuple(sorted(found))
    except TypeError:
        kinds = " and ".join(sorted({type(value).__name__ for value in found}))
        raise TypeError(
            f"The nominal column {name!r} mixes {kinds}, which have no common order; convert it first."
        ) from None


def check_columns(table: Table, schema: Schema, owner: str) -> None:
    """Check that a table has the columns of the training data, in their order."""
    known, given = schema.names, table.names
    if schema.named and table.named:
        if given == known:
            return
        lines = ["The feature names should match those that were passed during fit."]
        unseen = sorted(set(given) - set(known))
        absent = sorted(set(known) - set(given))
        if unseen:
            lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen)]
        if absent:
            lines += [
                "Feature names seen at fit time, yet now missing:",
                *(f"- {n}" for n in absent),
            ]
        if not unseen and not absent:
            lines.append("Feature names must be in the same order as they were in fit.")
        raise ValueError("\n".join(lines) + "\n")
    if len(given) != len(known):
        raise ValueError(
            f"X has {len(given)} features, but {owner} is expecting {len(known)} features as input."
        )
    if schema.named != table.named:
        if schema.named:
            text = f"X does not have valid feature names, but {owner} was fitted with feature names"
        else:
            text = f"X has feature names, but {owner} was fitted without feature names"
        warnings.warn(text, UserWarning, stacklevel=4)


def encode(table: Table, columns: tuple[Column, ...], unknown: str, missing: str) -> Blocks:
    """Encode a table by the columns of a schema.

    Parameters
    ----------
    table : Table
        With as many columns as the schema.
    columns : tuple of Column
        The schema's.
    unknown : {"node", "error"}
        What a category does that the schema does not have: it gets a code of its own, or a ValueError.
    missing : str
        With "error" a missing value is a ValueError, with all else it is kept as one.

    Returns
    -------
    list of (ndarray, int, bool)
        What the core reads.

    Raises
    ------
    ValueError
        If a value is infinite, or missing and must not be; the text names row and column.
    """
    if isinstance(table, Matrix):
        if not any(column.nominal for column in columns):
            floats = as_floats(table.values, "X")
            return [(floats, 0, _check_numbers(floats, columns, missing))]
        table = Mixed([table.values[:, i] for i in range(len(columns))], table.names, table.n_rows, False)
    blocks: Blocks = []
    for column, values in zip(columns, table.columns, strict=True):
        if column.nominal:
            codes = _encode_nominal(values, column, unknown)
            any_missing = bool((codes == MISSING).any())
            if any_missing and missing == "error":
                raise ValueError(_missing(column.name, int(np.argmax(codes == MISSING))))
            # A column without a category has only unknown ones; the core wants at least one declared.
            blocks.append((codes.reshape(-1, 1), max(len(column.categories or ()), 1), any_missing))
        else:
            floats = encode_numeric(values, column.name).reshape(-1, 1)
            blocks.append((floats, 0, _check_numbers(floats, (column,), missing)))
    return blocks


def encode_numeric(values: Any, name: str) -> NDArray[np.floating[Any]]:
    """Return a numeric column as floats, NaN where a value is missing."""
    kind = column_kind(values)
    if kind == "objects":
        return _floats_of_objects(values_of(values), name)
    if kind == "nominal" and not isinstance(values, np.ndarray) and values.null_count() == len(values):
        return np.full(len(values), np.nan)
    if kind not in ("numeric", "boolean"):
        if values_are_null(values):
            return np.full(len(values), np.nan)
        raise TypeError(f"Column {name!r} is numeric for this model, but is {kind} here.")
    if isinstance(values, np.ndarray) or not values.null_count():
        return as_floats(values_of(values), f"Column {name!r}")
    # Integers and booleans with gaps come as objects; the known ones are checked on their own.
    gaps = values.is_null().to_numpy()
    floats = np.full(len(values), np.nan)
    floats[~gaps] = as_floats(np.asarray(values_of(values.drop_nulls())), f"Column {name!r}")
    return floats


def _floats_of_objects(values: NDArray[Any], name: str) -> NDArray[np.float64]:
    if _objects_are_nominal(values, name):
        raise TypeError(f"Column {name!r} is numeric for this model, but holds strings or booleans here.")
    floats = np.full(len(values), np.nan)
    for i, value in enumerate(values):
        if is_missing(value):
            continue
        try:
            floats[i] = float(value)
        except OverflowError:
            raise ValueError(f"Column {name!r} has a number in row {i} that is too large.") from None
        if isinstance(value, numbers.Integral) and int(floats[i]) != value:
            raise ValueError(
                f"Column {name!r} has {value} in row {i}; beyond 2^53 = {2**53} neighbouring integers are "
                "the same float64. Subtract an offset, or pass the column as a category."
            )
    return floats


def _encode_nominal(values: Any, column: Column, unknown: str) -> NDArray[np.int32]:
    stored = stored_categories(values)
    if stored is not None:
        categories, rows = stored
        known = [column.codes.get(category, UNSEEN) for category in categories]
        table = np.array([*known, MISSING], dtype=np.int32)  # the last one is that of row -1
        codes = table[rows]
    else:
        listed = values_of(values).tolist()
        look_up = column.codes.get
        try:
            codes = np.array([look_up(value, UNSEEN) for value in listed], dtype=np.int32)
        except TypeError:
            raise TypeError(
                f"The nominal column {column.name!r} holds values that can't be hashed."
            ) from None
        for place in np.flatnonzero(codes == UNSEEN):
            if is_missing(listed[place]):
                codes[place] = MISSING
    if unknown == "error" and (codes == UNSEEN).any():
        row = int(np.argmax(codes == UNSEEN))
        value = values_of(values)[row]
        raise ValueError(
            f"Column {column.name!r} has the category {value!r} in row {row}, which was not there in fit "
            f"(handle_unknown='error'); known are {list(column.categories or ())}."
        )
    return codes


def _missing(name: str, row: int) -> str:
    return (
        f"Input X contains NaN: column {name!r} has a missing value in row {row}, and missing='error'. "
        "Fill it in, drop the row, or choose another way with missing values."
    )


def _check_numbers(values: NDArray[np.floating[Any]], columns: tuple[Column, ...], missing: str) -> bool:
    """Check that no number is infinite, and say whether any is missing."""
    infinite_row, infinite_column, nan_row, nan_column = _core.not_finite((values, 0, True))
    if infinite_row >= 0:
        value, name = values[infinite_row, infinite_column], columns[infinite_column].name
        raise ValueError(
            f"Input X contains infinity: column {name!r} has {value} in row {infinite_row}; all numbers must "
            "be finite."
        )
    if nan_row >= 0 and missing == "error":
        raise ValueError(_missing(columns[nan_column].name, nan_row))
    return bool(nan_row >= 0)
