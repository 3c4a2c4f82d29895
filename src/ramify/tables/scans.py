"""A scan: a file as a lazy frame, which is read whole or in batches."""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from ramify import datasets
from ramify.tables import plain_text
from ramify.tables.containers import HEAD, container_of, open_bytes, unpack
from ramify.tables.errors import DataError, first_line
from ramify.tables.layout import SEPARATORS, Reading, find_layout
from ramify.tables.sources import Source

#: The longest field, which Python's own reader of records wants to know.
_FIELD = 2**31 - 1

#: Cells of a batch: enough to be fast, few enough to be small.
_CELLS = 1_000_000


@dataclass(frozen=True)
class Scan:
    """A file that is ready to be read.

    Parameters
    ----------
    name : str
        What to call it.
    frame : LazyFrame
        The rows. Of a text file all columns are strings; an empty field is null.
    columns : list of str
        Their names.
    is_text : bool
        Whether the kinds of columns are still to be found out.
    decimal : str
        The decimal mark of numbers in strings.
    notes : tuple of str
        What there is to say about the file.
    """

    name: str
    frame: pl.LazyFrame
    columns: list[str]
    is_text: bool
    decimal: str
    notes: tuple[str, ...] = ()

    def batches(self) -> Iterator[pl.DataFrame]:
        """Read the rows in batches.

        Raises
        ------
        DataError
            If a row can't be read.
        """
        size = min(max(_CELLS // max(len(self.columns), 1), 1_000), 100_000)
        try:
            yield from self.frame.collect_batches(chunk_size=size, maintain_order=True)
        except pl.exceptions.PolarsError as error:
            raise DataError(f"{self.name} can't be read: {first_line(error)}.") from None

    def read(self) -> pl.DataFrame:
        """Read all rows."""
        try:
            return self.frame.collect()
        except pl.exceptions.PolarsError as error:
            raise DataError(f"{self.name} can't be read: {first_line(error)}.") from None

    def count(self) -> int:
        """Return the number of rows, without keeping them."""
        try:
            return int(self.frame.select(pl.len()).collect().item())
        except pl.exceptions.PolarsError as error:
            raise DataError(f"{self.name} can't be read: {first_line(error)}.") from None

    def short_lines(self) -> str | None:
        """Return a note if lines have fewer fields than there are columns; polars fills them silently."""
        return None


@contextmanager
def scan(source: Source, reading: Reading | None = None) -> Iterator[Scan]:
    """Make a file ready to be read; what has to be copied for it lives as long as the context.

    Raises
    ------
    DataError
        If it can't be read; the text says why.
    """
    reading = reading or Reading()
    with tempfile.TemporaryDirectory(prefix="ramify-", ignore_cleanup_errors=True) as folder:
        yield _scan(source, reading, Path(folder))


def _scan(source: Source, reading: Reading, folder: Path) -> Scan:
    name, path = source.name, source.path
    if source.dataset is not None:
        return _scan_dataset(source.dataset)
    if path is None:
        path = folder / "input"
        plain_text.copy_bytes(plain_text.stdin_bytes(), path, name)
    elif not path.is_file():  # a pipe: it can be read once
        with open_bytes(path, name) as stream:
            path = folder / "input"
            plain_text.copy_bytes(stream, path, name)
    head, kind = _look(path, name)
    if kind in ("gzip", "zstd"):
        unpacked = folder / "unpacked"
        with open_bytes(path, name) as stream:
            plain_text.copy_bytes(unpack(stream, kind, name), unpacked, name)
        path = unpacked
        head, kind = _look(path, name)
    if not head:
        raise DataError(f"{name} is empty.")
    if kind in ("parquet", "arrow"):
        frame = pl.scan_parquet(path, glob=False) if kind == "parquet" else pl.scan_ipc(path)
        return Scan(name, frame, _columns(frame, name), False, ".")
    if kind == "text":
        return _scan_text(path, head, name, reading, folder)
    raise DataError(f"{name} is compressed twice; unpack it first.")


def _scan_dataset(name: str) -> Scan:
    try:
        data = datasets.load(name, backend="polars")
    except (datasets.MissingDataset, ValueError) as error:
        raise DataError(str(error)) from None
    frame = data.X.with_columns(pl.Series(data.target, data.y.tolist()))
    return Scan(name, frame.lazy(), frame.columns, False, ".")


def _look(path: Path, name: str) -> tuple[bytes, str]:
    with open_bytes(path, name) as stream:
        head = stream.read(HEAD)
    return head, container_of(head, name)


def _columns(frame: pl.LazyFrame, name: str) -> list[str]:
    try:
        return frame.collect_schema().names()
    except (pl.exceptions.PolarsError, OSError) as error:
        raise DataError(f"{name} can't be read: {first_line(error)}.") from None


def _scan_text(path: Path, head: bytes, name: str, reading: Reading, folder: Path) -> Scan:
    path, notes = _as_utf8(path, head, name, reading, folder)
    with path.open(encoding="utf-8", newline="", errors="ignore") as file:
        beginning = file.read(HEAD)
        whole = not file.read(1)
    if "\0" in beginning:
        raise DataError(f"{name} is no text and of no kind that can be read: it has zero bytes.")
    if beginning.lstrip()[:1] == "{":
        frame = pl.scan_ndjson(path, infer_schema_length=None)
        return Scan(name, frame, _columns(frame, name), False, ".", notes)
    if beginning.lstrip()[:2] in ("[{", "[["):
        raise DataError(f"{name} is a JSON array; JSON lines, one object a line, can be read.")
    layout = find_layout(beginning, name, reading, whole)
    if plain_text.has_blank_lines(path):
        copy = folder / "records"
        _drop_blank_lines(path, copy, layout.separator)
        path = copy
    if reading.separator is None and layout.separator != ",":
        notes += (f"fields are separated by {SEPARATORS[layout.separator]}",)
    frame = pl.scan_csv(
        path,
        separator=layout.separator,
        has_header=reading.header,
        infer_schema=False,
        new_columns=layout.names,
        glob=False,
    )
    columns = _columns(frame, name)
    if len(columns) != len(layout.names):
        raise DataError(
            f"{name}: its header has {len(layout.names)} names for {len(columns)} columns; "
            "a quotation mark may be missing."
        )
    decimal = reading.decimal or ("." if layout.separator == "," else ",")
    return _TextScan(name, frame, columns, True, decimal, notes + layout.notes, path, layout.separator)


def _drop_blank_lines(path: Path, to: Path, separator: str) -> None:
    """Write the records of a text once more, without lines that hold nothing: these are no rows."""
    csv.field_size_limit(_FIELD)
    with (
        path.open(encoding="utf-8", newline="") as source,
        to.open("w", encoding="utf-8", newline="") as file,
    ):
        writer = csv.writer(file, delimiter=separator, lineterminator="\n")
        writer.writerows(record for record in csv.reader(source, delimiter=separator) if record)


def _as_utf8(
    path: Path, head: bytes, name: str, reading: Reading, folder: Path
) -> tuple[Path, tuple[str, ...]]:
    """Return a file with the text in UTF-8: the file itself, or a copy."""
    notes: tuple[str, ...] = ()
    marked = plain_text.encoding_by_mark(head)
    if reading.encoding is not None:
        encoding = plain_text.check_encoding(reading.encoding)
    elif marked is not None:
        encoding = marked
        if not marked.startswith("utf-8"):
            notes = (f"the text is in {marked.upper()}",)
    elif plain_text.is_utf8(path):
        encoding = "utf-8"
    else:
        encoding = plain_text.FALLBACK
        notes = ("the text is not UTF-8; read as Windows-1252 (Latin), --encoding names another",)
    bare_returns = encoding == "utf-8" and b"\r" in head and b"\n" not in head
    if encoding == "utf-8" and not bare_returns:
        return path, notes
    copy = folder / "text"
    plain_text.rewrite(path, copy, encoding, name, bare_returns)
    return copy, notes


@dataclass(frozen=True)
class _TextScan(Scan):
    """A scan of text, which can say which line is wrong."""

    path: Path = Path()
    separator: str = ","

    def batches(self) -> Iterator[pl.DataFrame]:
        try:
            yield from super().batches()
        except DataError as error:
            raise DataError(self._wrong_line() or str(error)) from None

    def read(self) -> pl.DataFrame:
        try:
            return super().read()
        except DataError as error:
            raise DataError(self._wrong_line() or str(error)) from None

    def short_lines(self) -> str | None:
        count, first, width = 0, 0, len(self.columns)
        for line, record in self._records():
            if len(record) < width:
                count, first = count + 1, first or line
        if not count:
            return None
        have = "line has" if count == 1 else "lines have"
        return (
            f"{count:,} {have} fewer fields than there are columns (the first is line {first:,}); the rest "
            "is taken as missing"
        )

    def _wrong_line(self) -> str | None:
        """Return in words what is wrong with the first line that can't be read, if that is clear."""
        line = 0
        try:
            for line, record in self._records(strict=True):
                if len(record) > len(self.columns):
                    return (
                        f"{self.name}: line {line:,} has {len(record)} fields, but there are "
                        f"{len(self.columns)} columns; quote fields with {self.separator!r} in them."
                    )
        except csv.Error as error:
            if "end of data" in str(error):
                return f"{self.name}: a quotation mark in line {line + 1:,} or below it is never closed."
            return f"{self.name}: line {line + 1:,} can't be read: {error}."
        except (OSError, UnicodeError):
            return None
        return None

    def _records(self, strict: bool = False) -> Iterator[tuple[int, list[str]]]:
        """Read the fields of each record, with the line where it ends."""
        csv.field_size_limit(_FIELD)
        with self.path.open(encoding="utf-8", newline="") as file:
            records = csv.reader(file, delimiter=self.separator, strict=strict)
            for record in records:
                yield records.line_num, record
