"""The registry: every data set that can be loaded, by name."""

from __future__ import annotations

import difflib

from . import _catalogue
from ._entry import Entry
from ._generated import GENERATED
from ._joined import JOINED


def _key(name: str) -> str:
    """Return what is compared of a name: neither case nor the choice of '-' or '_' matters."""
    return name.lower().replace("-", "_")


_ENTRIES: dict[str, Entry] = {
    _key(entry.name): entry
    for entry in sorted((*GENERATED, *_catalogue.entries(), *JOINED), key=lambda entry: _key(entry.name))
}


def entries() -> tuple[Entry, ...]:
    """Return the entries, sorted by name."""
    return tuple(_ENTRIES.values())


def names() -> tuple[str, ...]:
    """Return the canonical names, sorted."""
    return tuple(entry.name for entry in _ENTRIES.values())


def find(name: str) -> Entry:
    """Return the entry called `name`, or raise an error that lists the names."""
    if not isinstance(name, str):
        raise TypeError(f"name must be a str, one of {', '.join(names())}; got {name!r}")
    key = _key(name)
    if key in _ENTRIES:
        return _ENTRIES[key]
    close = difflib.get_close_matches(key, _ENTRIES, n=1)
    hint = f"did you mean {_ENTRIES[close[0]].name!r}? " if close else ""
    raise ValueError(f"unknown data set {name!r}; {hint}the names are {', '.join(names())}")
