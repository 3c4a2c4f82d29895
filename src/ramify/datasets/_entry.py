"""The entry: what is known of a data set before its rows are read, and how to read them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ._table import Table


@dataclass(frozen=True)
class Entry:
    """A data set that can be loaded.

    `read` makes the rows anew at every call, so no two loaded sets share memory; it is the only
    thing that knows where the rows come from.
    """

    name: str
    description: str
    source: str
    licence: str
    read: Callable[[], Table]
