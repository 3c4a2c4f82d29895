"""Kinds: what a column is, why, and what was done about it.

A column is numeric, nominal, or left out: as the user says, or because nothing can be learned from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import polars as pl

from ramify.tables.errors import DataError
from ramify.tables.values import (
    LARGE,
    are_dates,
    are_unclear_dates,
    has_codes,
    numbers_of,
    uses_commas,
    years_of,
)

#: Rows that are needed before a column of different values looks like a key.
_ENOUGH = 20

#: Names of keys, as words of their own: id, customer_id, customerID, Id, row number.
_KEY_NAME = re.compile(
    r"(^|[\s_.-])(id|ids|key|uuid|guid|index|idx|rowid|rownum|row|nr|no|number)$|[a-z](ID|Id|Key|Nr|No)$",
)

#: The share of numbers at which a column of other strings too is worth a word.
_ALMOST = 0.9


#: Why many dates like 02/07/2020 are left out: as categories each would stand for its own few rows alone.
_UNCLEAR = "dates in which day or month may come first; write them as 2020-07-02"


@dataclass(frozen=True)
class Wishes:
    """What a user says about columns, by their names."""

    nominal: tuple[str, ...] = ()
    numeric: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()

    def check(self, columns: Sequence[str], name: str) -> Wishes:
        """Return the wishes with lists split at commas; each name must be that of one column.

        Raises
        ------
        DataError
            If there is no such column, or two wishes are about the same one.
        """
        found = {
            option: tuple(_split(getattr(self, option), columns, f"--{option}", name))
            for option in ("nominal", "numeric", "ignore")
        }
        listed = [column for columns_of in found.values() for column in columns_of]
        twice = [column for i, column in enumerate(listed) if column in listed[:i]]
        if twice:
            raise DataError(f"{twice[0]!r} is given to more than one of --nominal, --numeric and --ignore.")
        return replace(self, **found)


@dataclass(frozen=True)
class Kind:
    """What a column is.

    Parameters
    ----------
    name : str
        The column.
    values : Series or None
        Its values, Float64 if it is numeric and String or Enum if it is nominal; None if it is left out.
    why : str
        Why it is left out, or what was done to its values; empty if there is nothing to say.
    n_categories : int
        Of a nominal column; else 0.
    """

    name: str
    values: pl.Series | None
    why: str = ""
    n_categories: int = 0

    @property
    def word(self) -> str:
        """Return numeric, nominal or left out."""
        if self.values is None:
            return "left out"
        return "nominal" if self.n_categories else "numeric"


def find_kind(column: pl.Series, is_text: bool, decimal: str, wishes: Wishes) -> Kind:
    """Find out what a column is.

    Parameters
    ----------
    column : Series
        Strings are clean: see `values.clean`.
    is_text : bool
        Whether strings may stand for numbers and dates; in typed files they are strings.
    decimal : str
        The decimal mark.
    wishes : Wishes
        What the user says, checked.

    Raises
    ------
    DataError
        If a column that must be numeric is not.
    """
    name = column.name
    if name in wishes.ignore:
        return Kind(name, None, "as you said")
    if name in wishes.numeric:
        return Kind(name, must_be_numbers(column, decimal, "--numeric"))
    if name in wishes.nominal:
        return _nominal(as_texts(column))
    return _useless(column) or _guess(column, is_text, decimal)


def _useless(column: pl.Series) -> Kind | None:
    """Return the kind of a column that nothing can be learned from."""
    name = column.name
    if column.null_count() == column.len():
        return Kind(name, None, "empty")
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        return Kind(name, None, f"of the type {column.dtype}, which no question can be asked about")
    if column.drop_nulls().n_unique() == 1:
        return Kind(name, None, "the same value in all rows")
    return None


def _guess(column: pl.Series, is_text: bool, decimal: str) -> Kind:
    """Return the kind of a column by its type, and by its values if it is text."""
    if column.dtype.is_temporal():
        return _temporal(column)
    if column.dtype == pl.String and is_text:
        return _of_text(column, decimal)
    if column.dtype.is_integer():
        return _of_integers(column, column)
    if column.dtype.is_numeric():
        return Kind(column.name, column.cast(pl.Float64))
    return _nominal_unless_key(as_texts(column))


def as_texts(column: pl.Series) -> pl.Series:
    """Return a column as categories: strings, or an Enum, which keeps its order."""
    if isinstance(column.dtype, pl.Enum) or column.dtype == pl.String:
        return column
    return column.cast(pl.String)


def must_be_numbers(column: pl.Series, decimal: str, who: str, first_row: int = 1) -> pl.Series:
    """Return a column as numbers; dates are years.

    Parameters
    ----------
    column : Series
        Of any type.
    decimal : str
        The decimal mark.
    who : str
        Who wants numbers, for the message.
    first_row : int
        The number of the first row, for the message.

    Raises
    ------
    DataError
        If a value is no number; the text has the value, its row, and what can be done.
    """
    if column.dtype.is_numeric() or column.dtype in (pl.Boolean, pl.Null):
        return column.cast(pl.Float64)
    if column.dtype.is_temporal():
        values = _temporal(column).values
        assert values is not None
        return values
    texts = column.cast(pl.String)
    numbers = numbers_of(texts, decimal)
    wrong = (numbers.is_null() & texts.is_not_null()).arg_true()
    if len(wrong) and are_dates(texts.drop_nulls()):
        return years_of(texts)
    if len(wrong):
        row = int(wrong[0])
        if are_unclear_dates(texts.drop_nulls()):
            where = f"{texts[row]!r} in row {row + first_row:,}"
            raise DataError(
                f"the column {column.name!r} must be numeric ({who}), but has {_UNCLEAR} ({where})."
            )
        raise DataError(
            f"the column {column.name!r} must be numeric ({who}), but has {texts[row]!r} in row "
            f"{row + first_row:,}; --null {texts[row]!r} makes it a missing value."
        )
    return numbers


def _of_text(column: pl.Series, decimal: str) -> Kind:
    known = column.drop_nulls()
    numbers = numbers_of(column, decimal)
    read = 1 - (numbers.null_count() - column.null_count()) / len(known)
    if read == 1.0:
        if has_codes(known):
            kind = _nominal_unless_key(column)
            return kind if kind.values is None else replace(kind, why="numbers with leading zeros are codes")
        whole = numbers.drop_nulls()
        if (whole == whole.floor()).all():
            return _of_integers(numbers, column)
        why = ""
        if uses_commas(known, decimal):
            why = "decimal commas" if decimal == "," else "commas between thousands"
        return Kind(column.name, numbers, why)
    kind = _of_dates(column, known) or _nominal_unless_key(column)
    if read >= _ALMOST and known.n_unique() > _ENOUGH:
        odd = column.filter(numbers.is_null() & column.is_not_null())[0]
        why = f"{read:.0%} of its values are numbers, but not {odd!r}; --null {odd!r} makes that missing"
        return replace(kind, why=why)
    return kind


def _of_dates(column: pl.Series, known: pl.Series) -> Kind | None:
    if are_dates(known):
        return Kind(column.name, years_of(column), "dates as years, 2020-07-02 is 2020.5")
    if known.n_unique() > _ENOUGH and are_unclear_dates(known):
        return Kind(column.name, None, _UNCLEAR)
    return None


def _of_integers(numbers: pl.Series, column: pl.Series) -> Kind:
    """Whole numbers may be keys; very large ones are names that look like numbers."""
    known = numbers.drop_nulls()
    low, high = float(known.min()), float(known.max())  # type: ignore[arg-type]
    if max(abs(low), abs(high)) > LARGE:
        kind = _nominal_unless_key(as_texts(column))
        return kind if kind.values is None else replace(kind, why="integers of more than 15 digits are names")
    if len(known) >= _ENOUGH and known.n_unique() == len(known) == len(column):
        if high - low + 1 == len(known):
            return Kind(column.name, None, "looks like a key: it counts the rows")
        if _KEY_NAME.search(column.name):
            return Kind(column.name, None, "looks like a key: by its name, and each row has its own number")
    why = "commas between thousands" if column.dtype == pl.String and column.str.contains(",").any() else ""
    return Kind(column.name, numbers.cast(pl.Float64), why)


def _nominal_unless_key(texts: pl.Series) -> Kind:
    known = texts.drop_nulls()
    different = known.n_unique()
    if different > _ENOUGH and 2 * different > len(known):
        if different == len(known):
            return Kind(texts.name, None, "looks like a key: each row has its own value")
        why = f"looks like a key: {different:,} different values in {len(known):,} rows"
        return Kind(texts.name, None, why)
    return _nominal(texts)


def _nominal(texts: pl.Series) -> Kind:
    declared = texts.dtype.categories if isinstance(texts.dtype, pl.Enum) else texts.drop_nulls().unique()
    return Kind(texts.name, texts, n_categories=max(len(declared), 1))


def _temporal(column: pl.Series) -> Kind:
    if column.dtype == pl.Time:
        hours = column.cast(pl.Int64) / 3.6e12
        return Kind(column.name, hours.cast(pl.Float64), "times as hours, 13:30 is 13.5")
    if isinstance(column.dtype, pl.Duration):
        seconds = column.dt.total_microseconds() / 1e6
        return Kind(column.name, seconds.cast(pl.Float64), "durations as seconds")
    return Kind(column.name, years_of(column), "dates as years, 2020-07-02 is 2020.5")


def _split(given: Iterable[str], columns: Sequence[str], option: str, name: str) -> Iterable[str]:
    for text in given:
        names = [text] if text in columns else [part.strip() for part in text.split(",") if part.strip()]
        for column in names:
            if column not in columns:
                raise DataError(f"{option}: {no_such_column(column, columns, name)}")
            yield column


def no_such_column(column: str, columns: Sequence[str], name: str) -> str:
    """Return that a file has no such column, and which it has, or at least some near ones."""
    import difflib

    by_lower = {known.lower(): known for known in columns}
    near = [by_lower[known] for known in difflib.get_close_matches(column.lower(), by_lower, 3, 0.6)]
    text = f"{name} has no column {column!r}"
    if near:
        return f"{text}; did you mean {' or '.join(map(repr, near))}?"
    shown = ", ".join(columns[:10])
    return f"{text}; it has {shown}{f' and {len(columns) - 10:,} more' if len(columns) > 10 else ''}."
