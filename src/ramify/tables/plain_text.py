"""Text in any encoding as a UTF-8 file, without holding it in memory."""

from __future__ import annotations

import codecs
import sys
from pathlib import Path
from typing import IO

from ramify.tables.containers import unpacking_errors
from ramify.tables.errors import DataError, why_not

_BLOCK = 1 << 20

#: Marks at the beginning of a text that tell its encoding; the longer ones first.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)

#: What text that is not UTF-8 most often is; it gives each byte a meaning but for five.
FALLBACK = "cp1252"


def copy_bytes(stream: IO[bytes], to: Path, name: str) -> None:
    """Write a stream to a file, block by block.

    Raises
    ------
    DataError
        If the stream is damaged, or there is no room.
    """
    damaged = unpacking_errors()
    try:
        with to.open("wb") as file:
            while block := stream.read(_BLOCK):
                file.write(block)
    except damaged as error:
        raise DataError(f"{name} is compressed and damaged: {error}.") from None
    except OSError as error:
        raise DataError(f"{name} can't be copied to {to.parent}: {why_not(error)}.") from None


def encoding_by_mark(head: bytes) -> str | None:
    """Return the encoding that the first bytes tell, if they do.

    UTF-16 without a mark is known by its zeros: every second byte of Latin letters is one.
    """
    for mark, encoding in _MARKS:
        if head.startswith(mark):
            return encoding
    even, odd = head[0:2000:2], head[1:2000:2]
    if len(odd) > 4 and odd.count(0) > 0.4 * len(odd) and even.count(0) == 0:
        return "utf-16-le"
    if len(even) > 4 and even.count(0) > 0.4 * len(even) and odd.count(0) == 0:
        return "utf-16-be"
    return None


def is_utf8(path: Path) -> bool:
    """Whether a whole file is UTF-8."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        try:
            while block := file.read(_BLOCK):
                decoder.decode(block)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def has_blank_lines(path: Path) -> bool:
    """Whether some line of a file holds nothing, be it inside a quoted field."""
    before = b""
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            text = before + block
            if b"\n\n" in text or b"\n\r\n" in text:
                return True
            before = text[-2:]
    return False


def check_encoding(encoding: str) -> str:
    """Return the usual name of an encoding, or raise a `DataError` that names it."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        raise DataError(
            f"--encoding {encoding} is not known; utf-8, latin-1, cp1252 and utf-16 are examples."
        ) from None


def rewrite(path: Path, to: Path, encoding: str, name: str, bare_returns: bool = False) -> None:
    """Write a text once more in UTF-8 without a mark, lines ended as today's are.

    Parameters
    ----------
    path, to : Path
        From and to.
    encoding : str
        What the text is in.
    name : str
        The file, for messages.
    bare_returns : bool
        Whether lines end in a carriage return alone, as they did on old Macs.

    Raises
    ------
    DataError
        If the text is not in this encoding.
    """
    errors = "strict"
    if encoding == FALLBACK:  # its five gaps are controls that nobody sees; latin-1 has them
        codecs.register_error("ramify-latin-1", _latin_1)
        errors = "ramify-latin-1"
    try:
        with (
            path.open(encoding=encoding, errors=errors, newline="") as source,
            to.open("w", encoding="utf-8", newline="") as target,
        ):
            while block := source.read(_BLOCK):
                target.write(block.replace("\r", "\n") if bare_returns else block)
    except UnicodeError as error:
        raise DataError(f"{name} is not in the encoding {encoding}: {error}.") from None
    except OSError as error:
        raise DataError(f"{name} can't be copied to {to.parent}: {why_not(error)}.") from None


def _latin_1(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("latin-1"), error.end


def stdin_bytes() -> IO[bytes]:
    """Return standard input as bytes."""
    return sys.stdin.buffer
