"""A training table: rows with their classes, and what was found out about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from ramify import datasets
from ramify.tables.errors import DataError
from ramify.tables.kinds import Kind, Wishes, as_texts, find_kind, no_such_column
from ramify.tables.layout import NULLS, Reading
from ramify.tables.scans import Scan, scan
from ramify.tables.sources import Source, find_source
from ramify.tables.values import clean, numbers_of

#: Names of columns that hold classes, in the order in which they are looked for.
_TARGETS = ("target", "class", "label", "y", "outcome", "diagnosis", "response", "classes", "labels")

#: More classes than this, and more than one in so many rows, are no classes.
_MANY_CLASSES = 50

#: A nominal column of so many different values or more, with fewer rows than this to each, is doubted.
_MANY_VALUES, _FEW_ROWS = 50, 10


@dataclass(frozen=True)
class TrainingTable:
    """Rows with their classes.

    Parameters
    ----------
    name : str
        What to call it.
    X : DataFrame
        The columns to learn from: Float64, String or Enum.
    y : ndarray
        The class of each row.
    target : str
        The column that `y` comes from.
    kinds : list of Kind
        All columns but the target, those that are left out too.
    notes : list of str
        What there is to say about the file.
    guessed : str
        Why this column is the target, if the user did not say it.
    """

    name: str
    X: pl.DataFrame
    y: NDArray[Any]
    target: str
    kinds: list[Kind] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    guessed: str = ""

    @property
    def doubts(self) -> str:
        """What makes a tree of this table doubtful though nothing is wrong with it; empty if nothing does.

        The more values a nominal column has, the more groupings of them are tried, and some part the classes
        by chance alone. With few rows to a value, such a column wins over others that tell more.
        """
        found = [
            f"{kind.name} ({different:,} values in {known:,} rows)"
            for kind, different, known in map(_spread, self.kinds)
            if different >= _MANY_VALUES and known < _FEW_ROWS * different
        ]
        if not found:
            return ""
        more = f" and {len(found) - 6:,} more" if len(found) > 6 else ""
        verb = "has" if len(found) == 1 else "have"
        return (
            f"{', '.join(found[:6])}{more} {verb} few rows of each value: what a tree learns from that may "
            "hold for these rows only"
        )


def read_training(
    given: str,
    target: str | None = None,
    wishes: Wishes | None = None,
    reading: Reading | None = None,
) -> TrainingTable:
    """Read a file, standard input (``-``) or a data set of the package, to learn from.

    Parameters
    ----------
    given : str
        The file or data set.
    target : str, optional
        The column with the classes; guessed by default.
    wishes : Wishes, optional
        Kinds of columns.
    reading : Reading, optional
        What is known of a text file.

    Raises
    ------
    DataError
        If anything is wrong with the file or the columns; the text says what.

    Examples
    --------
    >>> from ramify.tables.training import read_training
    >>> table = read_training("titanic")
    >>> table.target, [kind.word for kind in table.kinds]
    ('class', ['nominal', 'nominal', 'nominal'])
    """
    source = find_source(given)
    wishes = wishes or Wishes()
    if source.dataset is not None:
        return _of_dataset(source, target, wishes)
    with scan(source, reading) as found:
        frame = found.read()
        return _make(found, frame, target, wishes, reading or Reading())


def _of_dataset(source: Source, target: str | None, wishes: Wishes) -> TrainingTable:
    try:
        data = datasets.load(source.dataset or "", backend="polars")
    except (datasets.MissingDataset, ValueError) as error:
        raise DataError(str(error)) from None
    if target not in (None, data.target):
        raise DataError(f"the target of {data.name} is {data.target!r}, not {target!r}.")
    wishes = wishes.check(data.X.columns, data.name)
    kinds = []
    for column in data.X:
        changed = column.name in (*wishes.ignore, *wishes.nominal, *wishes.numeric)
        if changed:
            kinds.append(find_kind(column, True, ".", wishes))
        else:  # its kind is declared: nothing is guessed
            n_categories = len(column.dtype.categories) if isinstance(column.dtype, pl.Enum) else 0
            kinds.append(Kind(column.name, column, n_categories=n_categories))
    return TrainingTable(data.name, _frame_of(kinds, data.name), data.y, data.target, kinds)


def _make(
    found: Scan, frame: pl.DataFrame, target: str | None, wishes: Wishes, reading: Reading
) -> TrainingTable:
    name, notes = found.name, list(found.notes)
    if frame.height == 0:
        header = f"has a header ({', '.join(found.columns[:5])}{', ...' if frame.width > 5 else ''}), but "
        raise DataError(f"{name} {header if found.is_text else 'has '}no rows.")
    if frame.width < 2:
        raise DataError(
            f"{name} has a single column, {frame.columns[0][:60]!r}; a target and something to learn from "
            "are needed. If the fields are separated by something unusual, --separator says it."
        )
    if found.is_text and frame.to_series(frame.width - 1).null_count():
        short = found.short_lines()
        notes += [short] if short else []
    notes += _placeholders(frame, reading)
    frame = clean(frame, reading.all_nulls)
    guessed = ""
    if target is None:
        target, guessed = guess_target(frame.columns)
    elif target not in frame.columns:
        raise DataError(no_such_column(target, frame.columns, name))
    wishes = wishes.check(frame.columns, name)
    without = frame[target].null_count()
    if without == frame.height:
        raise DataError(f"the target {target!r} of {name} has no value in any row.")
    if without:
        notes.append(f"{without:,} rows have no {target} and are left out")
        frame = frame.filter(pl.col(target).is_not_null())
    y = _labels(frame[target], name, found.is_text, guessed)
    kinds = [
        find_kind(column, found.is_text, found.decimal, wishes) for column in frame if column.name != target
    ]
    return TrainingTable(name, _frame_of(kinds, name), y, target, kinds, notes, guessed)


def _spread(kind: Kind) -> tuple[Kind, int, int]:
    """Return a column with its different values and its known ones; none of either unless it is nominal."""
    if kind.values is None or kind.n_categories == 0:
        return kind, 0, 0
    known = kind.values.drop_nulls()
    return kind, known.n_unique(), len(known)


def _frame_of(kinds: Sequence[Kind], name: str) -> pl.DataFrame:
    columns = [kind.values.alias(kind.name) for kind in kinds if kind.values is not None]
    if not columns:
        listed = "; ".join(f"{kind.name}: {kind.why}" for kind in kinds[:5])
        raise DataError(f"{name} has no column to learn from ({listed}).")
    return pl.DataFrame(columns)


def guess_target(columns: Sequence[str]) -> tuple[str, str]:
    """Return the column that most likely holds the classes, and why it is taken for that.

    Examples
    --------
    >>> from ramify.tables.training import guess_target
    >>> guess_target(["Class", "age"]), guess_target(["age", "survived"])
    (('Class', 'by its name'), ('survived', 'the last column'))
    """
    by_lower = {name.strip().lower(): name for name in reversed(columns)}
    for known in _TARGETS:
        if known in by_lower:
            return by_lower[known], "by its name"
    return columns[-1], "the last column"


def _labels(column: pl.Series, name: str, is_text: bool, guessed: str) -> NDArray[Any]:
    """Return the classes: integers where they are, else strings."""
    other = "; --target names another column" if guessed else ""
    numbers = numbers_of(column, ".") if is_text and column.dtype == pl.String else column
    if numbers.dtype.is_float() or isinstance(numbers.dtype, pl.Decimal):
        whole = numbers.null_count() == 0 and (numbers == numbers.floor()).all()
        if numbers.null_count() == 0 and not whole:
            raise DataError(
                f"the target {column.name!r} of {name} holds numbers such as {column[0]}; a tree needs "
                f"classes{other}."
            )
        if whole and (not is_text or not column.str.contains(r"^0\d|[.eE,]").any()):
            column = numbers.cast(pl.Int64)
    if column.dtype.is_nested() or column.dtype.is_temporal() or column.dtype == pl.Binary:
        raise DataError(
            f"the target {column.name!r} of {name} is of the type {column.dtype}; classes are strings, whole "
            f"numbers or booleans{other}."
        )
    different = column.n_unique()
    if different > _MANY_CLASSES and 5 * different > column.len():
        raise DataError(
            f"the target {column.name!r} of {name} has {different:,} different values in {column.len():,} "
            f"rows, which are no classes{other}."
        )
    if column.dtype.is_integer():
        return column.to_numpy()
    return np.array(as_texts(column).cast(pl.String).to_list())


def _placeholders(frame: pl.DataFrame, reading: Reading) -> list[str]:
    """Say which words were taken as missing values, and where."""
    words = [word for word in {*NULLS, *reading.all_nulls} if word]
    texts = pl.col(pl.String).str.strip_chars()
    notes = []
    found = frame.select(texts.is_in(words).sum())
    columns = [name for name in found.columns if found[name].item()]
    taken: dict[str, list[str]] = {}
    for name in columns:
        here = frame[name].str.strip_chars()
        for word in here.filter(here.is_in(words)).unique().sort():
            taken.setdefault(word, []).append(f"{name} ({int((here == word).sum()):,})")
    for word, places in sorted(taken.items()):
        shown = ", ".join(places[:6])
        more = f" and {len(places) - 6:,} more columns" if len(places) > 6 else ""
        notes.append(f"{word!r} is taken as a missing value in {shown}{more}")
    return notes
