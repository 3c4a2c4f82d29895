"""A container: how the bytes of a file hold a table.

The bytes decide, not the name: files are renamed, and standard input has no name.
"""

from __future__ import annotations

import gzip
import io
from pathlib import Path
from typing import IO, Any

from ramify.tables.errors import DataError, why_not

#: Bytes at the beginning of files that hold tables in columns.
_TABLES = {b"PAR1": "parquet", b"ARROW1": "arrow"}

#: Bytes at the beginning of files that can't be read, and what to do with these.
_REFUSED = {
    b"PK\x03\x04": "is a zip archive or an Excel workbook; unpack it, or save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "is an old Excel workbook; save the sheet as CSV",
    b"SQLite format 3\x00": "is a SQLite database; export the table as CSV",
    b"\x80\x04": "is a pickle, which may run code when it is opened; write the frame as Parquet",
    b"\x80\x05": "is a pickle, which may run code when it is opened; write the frame as Parquet",
    b"\x89HDF": "is an HDF5 file; write the table as Parquet",
    b"BZh": "is compressed with bzip2; gzip and zstd can be read",
    b"\xfd7zXZ": "is compressed with xz; gzip and zstd can be read",
}

_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"

#: Bytes that are looked at to know a file.
HEAD = 1 << 18


def container_of(head: bytes, name: str) -> str:
    """Return parquet, arrow, gzip, zstd or text, by the first bytes of a file.

    Raises
    ------
    DataError
        If the file is of a kind that is known, and can't be read.
    """
    for magic, kind in _TABLES.items():
        if head.startswith(magic):
            return kind
    for magic, words in _REFUSED.items():
        if head.startswith(magic):
            raise DataError(f"{name} {words}.")
    if head.startswith(_GZIP):
        return "gzip"
    return "zstd" if head.startswith(_ZSTD) else "text"


def open_bytes(path: Path, name: str) -> IO[bytes]:
    """Open a file.

    Raises
    ------
    DataError
        If it can't be opened.
    """
    try:
        return path.open("rb")
    except OSError as error:
        raise DataError(f"{name} can't be read: {why_not(error)}.") from None


def unpack(stream: IO[bytes], kind: str, name: str) -> IO[bytes]:
    """Return what a compressed stream holds, as a stream."""
    if kind == "gzip":
        return gzip.GzipFile(fileobj=stream)  # type: ignore[return-value]
    if kind == "zstd":
        return io.BufferedReader(_zstd(name).ZstdFile(stream))
    return stream


def _zstd(name: str) -> Any:
    """Return the module that reads zstd: Python's own from 3.14 on, else its copy for older versions."""
    import importlib

    for module in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(module)
        except ImportError:
            continue
    raise DataError(f'{name} is compressed with zstd, which needs backports.zstd: pip install "ramify[cli]".')


def unpacking_errors() -> tuple[type[Exception], ...]:
    """Return the exceptions that a damaged compressed file raises."""
    import importlib
    import zlib

    found: list[type[Exception]] = [EOFError, gzip.BadGzipFile, zlib.error]
    for module in ("compression.zstd", "backports.zstd"):
        try:
            found.append(importlib.import_module(module).ZstdError)
        except ImportError:
            continue
    return tuple(found)
