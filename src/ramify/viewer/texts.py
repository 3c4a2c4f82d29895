"""Texts of a page, each different one kept once."""

from __future__ import annotations


class Texts:
    """A list of texts without duplicates; a text is its place in the list."""

    def __init__(self) -> None:
        self._place: dict[str, int] = {}

    def add(self, text: str) -> int:
        """Return the place of a text, which is added if it is new."""
        return self._place.setdefault(text, len(self._place))

    def data(self) -> list[str]:
        """Return the texts in order of their places."""
        return list(self._place)
