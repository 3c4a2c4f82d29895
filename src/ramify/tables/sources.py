"""A source: what a user names as data."""

from __future__ import annotations

import difflib
import glob
from dataclasses import dataclass
from pathlib import Path

from ramify import datasets
from ramify._file_names import files_below, files_like
from ramify.tables.errors import DataError

#: The name that stands for standard input.
STDIN = "-"

#: The endings by which files are found in a folder; what they hold is told by their bytes.
_KINDS = (".csv", ".tsv", ".parquet", ".pq", ".arrow", ".feather", ".ipc", ".jsonl", ".ndjson")
_PACKED = (".gz", ".zst")
_ENDINGS = _KINDS + tuple(kind + packed for kind in _KINDS for packed in _PACKED)


@dataclass(frozen=True)
class Source:
    """A file, standard input, or a data set of the package: exactly one of them.

    Parameters
    ----------
    name : str
        What to call it in messages.
    path : Path, optional
        The file; None for standard input and data sets.
    dataset : str, optional
        The data set's name.
    """

    name: str
    path: Path | None = None
    dataset: str | None = None


def find_source(given: str) -> Source:
    """Find what a name stands for: a file if there is one, else a data set of the package.

    Raises
    ------
    DataError
        If there is neither; near names of both are suggested.
    """
    if given == STDIN:
        return Source("standard input")
    path = Path(given)
    try:
        if path.is_dir():
            raise DataError(f"{given} is a folder; name a file in it{_some_files(path)}.")
        if path.exists():
            return Source(path.name, path=path)
    except OSError as error:  # a name that is too long, a folder that may not be entered
        raise DataError(f"{given} can't be read: {(error.strerror or 'no access').lower()}.") from None
    normal = given.lower().replace("_", "-")
    for name in datasets.list_datasets():
        if name.replace("_", "-") == normal:
            return Source(name, dataset=name)
    raise DataError(f"{given} is neither a file nor a built-in data set{_suggest(given, path)}")


def find_sources(given: str) -> list[Source]:
    """Find all that a name stands for: the files of a folder or a pattern in order, or one of `find_source`.

    Raises
    ------
    DataError
        If there is nothing of that name; near names are suggested.
    """
    path = Path(given)
    try:
        if path.is_dir():
            files = files_below(path, _ENDINGS)
            if not files:
                raise DataError(
                    f"the folder {given} has no file to read: none ends in {', '.join(_KINDS)}, also with "
                    f"{' or '.join(_PACKED)}."
                )
            return [Source(str(file.relative_to(path)), path=file) for file in files]
        if not path.exists() and glob.has_magic(given):
            files = files_like(given)
            if not files:
                raise DataError(f"no file has a name like {given}.")
            return [Source(str(file), path=file) for file in files]
    except OSError as error:
        raise DataError(f"{given} can't be read: {(error.strerror or 'no access').lower()}.") from None
    return [find_source(given)]


def _some_files(folder: Path) -> str:
    try:
        names = sorted(entry.name for entry in folder.iterdir() if entry.is_file())
    except OSError:
        return ""
    shown = ", ".join(names[:3])
    return f", such as {shown}" if shown else ""


def _suggest(given: str, path: Path) -> str:
    try:
        beside = [entry.name for entry in path.parent.iterdir() if entry.is_file()]
    except OSError:
        return f"; there is no folder {path.parent}."
    files = {name.lower(): str(path.parent / name) if path.parent != Path() else name for name in beside}
    near = [files[name] for name in difflib.get_close_matches(path.name.lower(), files, 2, 0.7)]
    known = difflib.get_close_matches(given.lower(), datasets.list_datasets(), 2, 0.7)
    near += [f"the data set {name}" for name in known]
    return f"; did you mean {' or '.join(near)}?" if near else "; `ramify datasets` lists the data sets."
