"""What is wrong with a file, in one sentence."""

from __future__ import annotations


class DataError(Exception):
    """The data can't be used; the text says why."""


def first_line(error: BaseException) -> str:
    """Return the first line of an error of a library, whose other lines are advice for programmers."""
    lines = str(error).strip().splitlines()
    return lines[0].strip() if lines else type(error).__name__


def why_not(error: OSError) -> str:
    """Return what the system says, without the number and the name of the file."""
    return (error.strerror or first_line(error)).lower()
