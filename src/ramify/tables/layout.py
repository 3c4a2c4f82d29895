"""A layout: how the text of a table is laid out."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from dataclasses import dataclass

from ramify.tables.errors import DataError

#: What may stand between fields, and what to call it.
SEPARATORS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}

#: What stands for a missing value, unless more is said.
NULLS = ("", "?", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "NULL", "null", "<NA>")

#: Lines of a text that are looked at to know its separator.
_LINES = 200

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Reading:
    """What a user says about a text file; what is None is found out.

    Parameters
    ----------
    separator : str, optional
        What stands between fields, one character.
    decimal : str, optional
        The decimal mark, ``.`` or ``,``.
    encoding : str, optional
        Such as ``latin-1``.
    header : bool
        Whether the first line holds the names of the columns.
    nulls : tuple of str
        What else stands for a missing value.

    Examples
    --------
    >>> from ramify.tables import Reading
    >>> Reading(nulls=("-",)).all_nulls[-1]
    '-'
    """

    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    header: bool = True
    nulls: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.separator is not None:
            known = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "bar": "|", "pipe": "|"}
            object.__setattr__(self, "separator", known.get(self.separator.lower(), self.separator))
            if self.separator in ("", '"', "\n", "\r") or len(self.separator or "") != 1:
                raise ValueError(
                    f"--separator {self.separator!r} is not accepted; it must be one character, or tab."
                )
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"--decimal {self.decimal!r} is not accepted; it must be . or ,")

    @property
    def all_nulls(self) -> list[str]:
        """All that stands for a missing value."""
        return [*NULLS, *(text.strip() for text in self.nulls)]


@dataclass(frozen=True)
class Layout:
    """What was found out about a text: the separator, the names of the columns, what there is to say."""

    separator: str
    names: list[str]
    notes: tuple[str, ...] = ()


def find_layout(head: str, name: str, reading: Reading, whole: bool) -> Layout:
    """Find out the layout of a text by its beginning.

    Parameters
    ----------
    head : str
        The beginning.
    name : str
        The file, for messages.
    reading : Reading
        What the user says.
    whole : bool
        Whether the beginning is all there is; else its last line may be cut.

    Raises
    ------
    DataError
        If there is nothing in it.
    """
    if not head.strip():
        raise DataError(f"{name} is empty.")
    separator = reading.separator or _find_separator(head, whole)
    first = next((record for record in csv.reader(io.StringIO(head), delimiter=separator) if record), [])
    if not reading.header:
        return Layout(separator, [f"column_{i}" for i in range(1, len(first) + 1)])
    names, notes = _different(first)
    numbers = [field for field in first if _NUMBER.fullmatch(field.strip())]
    if numbers:
        notes.append(
            f"the first line has numbers ({', '.join(numbers[:3])}); if it holds data and not names, "
            "say --no-header"
        )
    return Layout(separator, names, tuple(notes))


def _find_separator(head: str, whole: bool) -> str:
    """Return the separator that cuts most lines into the same number of fields, at least two.

    The more fields the better. A comma is the last of equals: it may be a decimal mark too.
    """
    best, best_rank = ",", (0.0, 0)
    for separator in SEPARATORS:
        widths = []
        try:
            for record in csv.reader(io.StringIO(head), delimiter=separator):
                if record:
                    widths.append(len(record))
                if len(widths) > _LINES:
                    break
        except csv.Error:
            pass
        if not whole and len(widths) > 1:
            widths.pop()
        if not widths:
            continue
        width, lines = Counter(widths).most_common(1)[0]
        agreement = lines / len(widths)
        # A comma in decimal numbers cuts lines too, but seldom all into as many fields as the header has.
        rank = (round(agreement if widths[0] == width else agreement / 2, 2), width)
        if width > 1 and rank > best_rank:
            best, best_rank = separator, rank
    return best


def _different(header: list[str]) -> tuple[list[str], list[str]]:
    """Give each column a name of its own, and say what was changed."""
    names: list[str] = []
    notes = []
    given = {field.strip() for field in header}
    for place, field in enumerate(header, 1):
        name = wanted = field.strip() or f"column_{place}"
        count = 2
        while name in names or (name != wanted and name in given):
            name, count = f"{wanted}_{count}", count + 1
        if name != wanted:
            notes.append(f"several columns are called {wanted!r}; that at place {place} is {name!r} here")
        names.append(name)
    return names, notes
