"""A place in a document that nobody vouches for: a value with the way to it, for checks that say where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np

__all__ = ["ModelFormatError", "Place", "is_plain", "is_text"]

_WORDS: dict[type, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    type(None): "null",
}


class ModelFormatError(ValueError):
    """A file is not a model, or not one that this version reads; the text says where."""


def is_text(value: object) -> bool:
    """Whether it is a text that a file can hold: half a character (a lone surrogate) is none."""
    if not isinstance(value, str):
        return False
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def is_plain(value: object) -> bool:
    """Whether it is a text, a boolean, or a finite number."""
    if isinstance(value, float):
        return bool(np.isfinite(value))
    return isinstance(value, (bool, int)) or is_text(value)


class Place:
    """A value of the document and where it stands, such as ``$.tree.counts[3]``.

    Parameters
    ----------
    value : Any
        What JSON made of it.
    path : str
        The way to it from the whole document, ``$``.
    """

    def __init__(self, value: Any, path: str = "$") -> None:
        self.value = value
        self.path = path

    def refuse(self, what: str) -> NoReturn:
        """Raise the error that says what is wrong here."""
        raise ModelFormatError(f"{self.path}: {what}")

    def need(self, condition: bool, what: str) -> None:
        """Refuse the file unless the condition holds."""
        if not condition:
            self.refuse(what)

    def is_a(self, *kinds: type) -> bool:
        """Whether the value is of one of these types of JSON; true and false are no numbers."""
        return type(self.value) in kinds

    def need_a(self, *kinds: type) -> Any:
        """Return the value, which must be of one of these types."""
        if not self.is_a(*kinds):
            wanted = " or ".join(_WORDS[kind] for kind in kinds)
            self.refuse(f"{wanted} is needed, found {_WORDS[type(self.value)]}")
        if isinstance(self.value, str):
            self.need(is_text(self.value), "the text has half a character (a lone surrogate)")
        return self.value

    def need_plain(self) -> Any:
        """Return the value, which must be a text, a boolean or a finite number."""
        self.need(is_plain(self.value), "a text, a finite number, true or false is needed")
        return self.value

    def keys(self, needed: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
        """Check that this is an object with all the needed keys, and no others but the optional ones."""
        given = self.need_a(dict)
        for name in needed:
            self.need(name in given, f"{name!r} is missing")
        for name in given:
            self.need(name in needed or name in optional, f"{_shown(name)} has no meaning here")

    def field(self, name: str) -> Place:
        """Return a member of an object, which must be there."""
        given = self.need_a(dict)
        self.need(name in given, f"{name!r} is missing")
        path = f".{name}" if name.isidentifier() else f"[{_shown(name)}]"
        return Place(given[name], self.path + path)

    def items(self) -> Iterator[Place]:
        """Yield the items of a list."""
        for i, item in enumerate(self.need_a(list)):
            yield Place(item, f"{self.path}[{i}]")


def _shown(name: str) -> str:
    """Return a name for an error text: in ASCII, and not longer than one can read."""
    return json.dumps(name if len(name) <= 60 else name[:60] + "...")
