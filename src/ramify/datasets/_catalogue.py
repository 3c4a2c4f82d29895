"""The catalogue: the sets whose rows are in files, and what their columns are.

``catalogue.json`` has one record a set; ``files/NAME.csv.xz`` its rows, if they may be shipped. The text
of every file is one: a head, the target last, an empty cell where a value is missing, and its SHA-256
stands in the record.
"""

from __future__ import annotations

import csv
import hashlib
import json
import lzma
from functools import cache, partial
from importlib.resources import files
from typing import Any

import numpy as np

from . import _fetched
from ._entry import Entry
from ._table import NominalColumn, NumericColumn, Table

Record = dict[str, Any]


@cache
def records() -> dict[str, Record]:
    """Return the records by name."""
    text = (files("ramify.datasets") / "catalogue.json").read_text(encoding="utf-8")
    content: dict[str, Record] = json.loads(text)
    return content


def shipped(name: str, download: bool = False) -> Table:
    """Return the rows of a set that comes with the package."""
    packed = (files("ramify.datasets") / "files" / f"{name}.csv.xz").read_bytes()
    content = lzma.decompress(packed)
    if hashlib.sha256(content).hexdigest() != records()[name]["sha256"]:
        raise ValueError(f"the file of the data set {name!r} is spoiled; install ramify again.")
    return as_table(content, records()[name])


def fetched(name: str, download: bool = False) -> Table:
    """Return the rows of a set that must be fetched."""
    return as_table(_fetched.content(name, records()[name], download), records()[name])


def as_table(content: bytes, record: Record) -> Table:
    """Return the rows of a file's text, of the kinds that the record declares."""
    head, *rows = csv.reader(content.decode().splitlines())
    *cells, labels = zip(*rows, strict=True)
    columns: list[NumericColumn | NominalColumn] = []
    for name, values in zip(head[:-1], cells, strict=True):
        categories = record["columns"][name]
        if categories is None:
            columns.append(_numeric(name, values))
        else:
            texts = [value or None for value in values]
            columns.append(NominalColumn(name, texts, tuple(categories)))
    return Table(tuple(columns), record["target"], labels, tuple(record["classes"]))


def _numeric(name: str, values: tuple[str, ...]) -> NumericColumn:
    try:
        return NumericColumn(name, np.array([int(value) for value in values], dtype=np.int64))
    except ValueError:  # a decimal point, or a missing value
        numbers = [float(value) if value else np.nan for value in values]
        return NumericColumn(name, np.array(numbers, dtype=np.float64))


def entries() -> tuple[Entry, ...]:
    """Return the entries of all sets in files."""
    return tuple(
        Entry(
            name=name,
            description=record["description"],
            source=record["source"],
            licence=record["licence"],
            read=partial(fetched if "address" in record else shipped, name),
            comes="fetched" if "address" in record else "shipped",
            remark=record.get("remark", ""),
            address=record.get("address", ""),
        )
        for name, record in records().items()
    )
