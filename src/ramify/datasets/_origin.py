"""Files as their origins have them: ARFF, or rows of text with commas. Only the cells are taken."""

from __future__ import annotations

import csv
from typing import Any


def rows_of(content: bytes, record: dict[str, Any]) -> list[list[str]]:
    """Return the rows with the columns that the record declares, the target last.

    Columns are found by name where the file is ARFF, so columns more than wanted (names of cases) are
    left out; elsewhere by place, and a first line that is no case is left out.

    Raises
    ------
    ValueError
        If columns are missing, or a row is too short or too long.
    """
    try:
        lines = content.decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise ValueError("the file is no text.") from None
    wanted = [*record["columns"], record["target"]]
    lines = [line for line in lines if line.strip() and not line.startswith("%")]
    if any(line.lower().startswith("@data") for line in lines):
        names, lines = _arff_head(lines)
        places = _places(names, wanted)
    else:
        places = list(range(len(wanted)))
        names = wanted
        if lines and lines[0].rpartition(",")[2].strip() not in record["classes"]:
            lines = lines[1:]
    rows = []
    for number, cells in enumerate(csv.reader(lines, quotechar="'", skipinitialspace=True), 1):
        if len(cells) != len(names):
            raise ValueError(f"row {number} of the file has {len(cells)} cells, {len(names)} are wanted.")
        stripped = [cells[place].strip() for place in places]
        rows.append(["" if cell == "?" else cell for cell in stripped])
    return rows


def _arff_head(lines: list[str]) -> tuple[list[str], list[str]]:
    """Return the names of the columns, and the lines of data."""
    names: list[str] = []
    for number, line in enumerate(lines):
        word = line.split(None, 1)[0].lower()
        if word == "@data":
            return names, lines[number + 1 :]
        if word == "@attribute":
            rest = line.split(None, 1)[1].strip()
            quote = rest[0] if rest[0] in "'\"" else ""
            names.append(rest[1:].partition(quote)[0] if quote else rest.split(None, 1)[0])
    raise ValueError("the file has no @data.")


def _places(names: list[str], wanted: list[str]) -> list[int]:
    # The target is called differently in different copies, but it is always the last column.
    lower = [name.lower() for name in names]
    lower[-1:] = [wanted[-1].lower()]
    missing = [name for name in wanted if name.lower() not in lower]
    if missing:
        raise ValueError(f"the file has no columns {', '.join(missing)}.")
    return [lower.index(name.lower()) for name in wanted]
