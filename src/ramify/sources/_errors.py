"""Errors that say in which part of a source they came up."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["SourceError"]


class SourceError(ValueError):
    """A part of a source can't be read or used; the text names it."""


@contextmanager
def naming(part: str) -> Iterator[None]:
    """Put the name of a part in front of the text of an error."""
    try:
        yield
    except SourceError:
        raise
    except (TypeError, ValueError, OSError) as error:
        raise SourceError(f"{part}: {str(error).strip()}") from error
