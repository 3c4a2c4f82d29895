"""Text of strangers on a screen."""

from __future__ import annotations

import unicodedata


def printable(text: object) -> str:
    """Return a value as one line that a terminal shows and does not obey.

    Line breaks and tabs are blanks; other controls, which could colour, move or hide text, question marks.

    Examples
    --------
    >>> from ramify.cli.safe_text import printable
    >>> printable("two\\nlines"), printable("\\x1b[31mred")
    ('two lines', '?[31mred')
    """
    words = str(text)
    if words.isprintable():
        return words
    return "".join(
        " " if mark in "\n\r\t" else "?" if unicodedata.category(mark) in ("Cc", "Cf", "Cs") else mark
        for mark in words
    )
