"""New rows: a file's columns as a model wants them."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from ramify.schema import Column, Schema
from ramify.tables.errors import DataError
from ramify.tables.kinds import as_texts, must_be_numbers, no_such_column


def check_columns(schema: Schema, columns: Sequence[str], name: str) -> None:
    """Check that a file has all columns of a model; their order does not matter, nor do others.

    Raises
    ------
    DataError
        If some are not there; the text names them.
    """
    absent = [column for column in schema.names if column not in columns]
    if len(absent) == 1:
        raise DataError(no_such_column(absent[0], columns, name))
    if absent:
        shown = ", ".join(absent[:6]) + (f" and {len(absent) - 6:,} more" if len(absent) > 6 else "")
        raise DataError(f"{name} lacks {len(absent)} columns that the model asks about: {shown}.")


def conform(frame: pl.DataFrame, schema: Schema, decimal: str, first_row: int = 1) -> pl.DataFrame:
    """Return the columns of a model, in its order and of its kinds.

    Parameters
    ----------
    frame : DataFrame
        Rows with all columns of the model; strings are clean.
    schema : Schema
        The model's.
    decimal : str
        The decimal mark of numbers in strings.
    first_row : int
        The number of the first row in its file, for messages.

    Raises
    ------
    DataError
        If a value can't be what the model takes its column for.
    """
    columns = []
    for column in schema.columns:
        given = frame[column.name]
        if column.nominal:
            columns.append(_categories(given, column, decimal, first_row))
        else:
            columns.append(must_be_numbers(given, decimal, "it is for the model", first_row))
    return pl.DataFrame([series.alias(name) for series, name in zip(columns, schema.names, strict=True)])


def _categories(given: pl.Series, column: Column, decimal: str, first_row: int) -> pl.Series:
    """Return the values of a nominal column in the type of its categories: strings, booleans or numbers."""
    kinds = {type(category) for category in column.categories or ()}
    if kinds == {bool}:
        if given.dtype == pl.Boolean:
            return given
        words = {"true": True, "false": False, "1": True, "0": False, "yes": True, "no": False}
        return (
            as_texts(given)
            .cast(pl.String)
            .str.to_lowercase()
            .replace_strict(words, default=None, return_dtype=pl.Boolean)
        )
    if kinds and kinds <= {int, float}:
        numbers = must_be_numbers(given, decimal, "it is for the model", first_row)
        whole = kinds == {int} and (numbers.drop_nulls() == numbers.drop_nulls().floor()).all()
        return numbers.cast(pl.Int64) if whole else numbers
    # An Enum of the strings that are there is encoded far faster than strings, and means the same.
    texts = as_texts(given).cast(pl.String)
    return texts.cast(pl.Enum(texts.drop_nulls().unique(maintain_order=True)))
