"""Writing: batches of rows into a file that is whole or not there."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import polars as pl
from polars.io.plugins import register_io_source

from ramify._whole_file import is_special, permissions
from ramify.tables.errors import DataError, first_line, why_not

#: The formats that can be written, by the end of a name.
SUFFIXES = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}


def format_of(path: Path) -> str:
    """Return the format that the end of a file's name tells.

    Raises
    ------
    ValueError
        If it tells none.
    """
    try:
        return SUFFIXES[path.suffix.lower()]
    except KeyError:
        raise ValueError(
            f"--output {path}: a name that ends in {', '.join(SUFFIXES)} is needed, which tells the format."
        ) from None


def write_batches(batches: Iterator[pl.DataFrame], schema: pl.Schema, path: Path) -> None:
    """Write batches beside the place of a file, and then move them there.

    Whatever goes wrong, what was there before stays as it was.

    Parameters
    ----------
    batches : iterator of DataFrame
        Each of the schema.
    schema : Schema
        Names and types.
    path : Path
        The file; its name tells the format.

    Raises
    ------
    DataError
        If it can't be written, because the disk is full for instance.
    """
    form = format_of(path)
    place = path.resolve()  # a link stays one, what it leads to is written
    try:
        if is_special(path):
            raise DataError(f"{path} can't be written: it is a device or a pipe; name a file.")
        descriptor, name = tempfile.mkstemp(dir=place.parent, prefix=place.name, suffix=f".part{path.suffix}")
    except OSError as error:
        raise DataError(f"{path} can't be written: {why_not(error)}.") from None
    part = Path(name)
    try:
        try:
            # An open file, not its name: polars may still be about to open that when the batches fail, and
            # would make the file anew once it is deleted here.
            with os.fdopen(descriptor, "wb") as file:
                _sink(register_io_source(lambda *_: batches, schema=schema), form, file)
                file.flush()
                os.fsync(file.fileno())
            part.chmod(permissions(place))
            part.replace(place)
        except OSError as error:
            raise DataError(f"{path} can't be written: {why_not(error)}; nothing was changed.") from None
        except pl.exceptions.PolarsError as error:
            raise DataError(f"{path} can't be written: {first_line(error)}; nothing was changed.") from None
        finally:
            part.unlink(missing_ok=True)
    finally:  # polars and Python both raise one Ctrl-C: the second may come amid the first's end
        part.unlink(missing_ok=True)


def _sink(frame: pl.LazyFrame, form: str, file: IO[bytes]) -> None:
    if form == "parquet":
        frame.sink_parquet(file)
    elif form == "arrow":
        frame.sink_ipc(file)
    elif form == "jsonl":
        frame.sink_ndjson(file)
    else:
        separator = "\t" if form == "tsv" else ","
        frame.sink_csv(file, separator=separator)


def print_batches(batches: Iterator[pl.DataFrame]) -> None:
    """Write batches to standard output as CSV, each as soon as it is there."""
    header = True
    for batch in batches:
        sys.stdout.write(batch.write_csv(include_header=header))
        header = False
    sys.stdout.flush()
