"""The entry: what is known of a data set before its rows are read, and how to read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ._table import Table


@dataclass(frozen=True)
class Entry:
    """A data set that can be loaded.

    `read` makes the rows anew at every call, so no two loaded sets share memory; it is the only
    thing that knows where the rows come from. Only sets with an `address` may be missing; `read` then
    raises `MissingDataset`, or downloads them if it is called with True.
    """

    name: str
    description: str
    source: str
    licence: str
    read: Callable[[bool], Table]
    comes: Literal["generated", "shipped", "fetched"] = "generated"
    remark: str = ""
    address: str = ""
