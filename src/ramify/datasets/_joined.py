"""The joined sets: those that are published as a training and a test part, in one."""

from __future__ import annotations

from functools import partial

import numpy as np

from . import _catalogue
from ._entry import Entry
from ._generated import GENERATED
from ._table import NominalColumn, NumericColumn, Table

_NAMES = ("hayes-roth", "monks-1", "monks-2", "monks-3")
_PARTS = {entry.name: entry for entry in (*GENERATED, *_catalogue.entries())}


def _join(name: str, download: bool = False) -> Table:
    first, second = (_PARTS[f"{name}-{part}"].read(download) for part in ("train", "test"))
    columns: list[NumericColumn | NominalColumn] = []
    for one, other in zip(first.columns, second.columns, strict=True):
        if isinstance(one, NumericColumn) or isinstance(other, NumericColumn):
            columns.append(NumericColumn(one.name, np.concatenate([one.values, other.values])))
        else:
            columns.append(NominalColumn(one.name, [*one.values, *other.values], one.categories))
    return Table(tuple(columns), first.target, [*first.labels, *second.labels], first.classes)


def _entry(name: str) -> Entry:
    train, test = _PARTS[f"{name}-train"], _PARTS[f"{name}-test"]
    return Entry(
        name=name,
        description=f"The rows of {train.name}, then those of {test.name}. {train.description}",
        source=train.source,
        licence=train.licence,
        read=partial(_join, name),
        comes=train.comes,
    )


JOINED: tuple[Entry, ...] = tuple(_entry(name) for name in _NAMES)
