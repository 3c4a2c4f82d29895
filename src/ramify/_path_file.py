"""The file from which a run over q goes on: finished folds, kept as they are done.

One line a record, each a checksum and a JSON document. The first line, the header, says what the run is of;
it is written whole or not at all. Each further line holds some folds, in order. A file that was cut short,
at whatever byte, is good up to its last whole line.
"""

from __future__ import annotations

import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._path_run import Inner, Plan
from ramify._path_scores import NAMES, Scores
from ramify._whole_file import is_special, write_whole

FORMAT = "ramify-path"
VERSION = 1

#: Bytes that are read of the first line of a file that may be anything; 65,535 orders take a third of it.
_LONGEST_HEADER = 1 << 22

#: Parameters that no figure depends on, or that are not one of the run's.
_LEFT_OUT = ("q", "n_jobs")


class PathFile:
    """A file of finished folds.

    Parameters
    ----------
    path : str or path-like
        The file; it is made if it is not there.
    plan : Plan
        The run.

    Raises
    ------
    ValueError
        If the file is of another run, the text says what differs, or if it is no such file at all.
    """

    def __init__(self, path: str | os.PathLike[str], plan: Plan) -> None:
        if not isinstance(path, (str, os.PathLike)):
            raise TypeError(f"resume={path!r} is not accepted; it must be None or the name of a file.")
        self._path = Path(path)
        with self._named("written"):
            self._check_place()
        self._n_orders = len(plan.qs)
        self._n_folds = len(plan.folds)
        header = describe(plan)
        with self._named("written"):
            content = self._begun(_line(header))
        if content is None:
            raise ValueError(f"resume={os.fspath(path)!r} {_difference(self._first_line(), header)}")
        self._read(content, len(_line(header)))

    def _check_place(self) -> None:
        name = f"resume={os.fspath(self._path)!r}"
        if self._path.is_dir():
            raise IsADirectoryError(f"{name} is a folder; give the name of a file.")
        if not self._path.parent.is_dir():
            raise FileNotFoundError(
                f"{name} can't be written: there is no folder {str(self._path.parent)!r}."
            )
        if is_special(self._path):
            raise ValueError(f"{name} is a device or a pipe; give the name of a file.")

    def _begun(self, first: bytes) -> bytes | None:
        """Return what the file holds, which begins with this line; None if it is of another run."""
        there = b""
        if self._path.exists():
            with self._path.open(
                "r+b"
            ) as file:  # for writing too, lest this be found out after the first folds
                there = file.read(len(first))
                if there == first:
                    return there + file.read()
        if not first.startswith(there):
            return None
        write_whole(self._path, first)  # not there, empty, or cut short within the header
        return first

    def _first_line(self) -> bytes:
        with self._named("read"), self._path.open("rb") as file:
            return file.readline(_LONGEST_HEADER).removesuffix(b"\n")

    @contextmanager
    def _named(self, what: str) -> Iterator[None]:
        """Name the parameter in errors of the file system."""
        try:
            yield
        except OSError as error:
            if error.strerror is None:  # said above
                raise
            told = f"resume={os.fspath(self._path)!r} can't be {what}: {error.strerror}"
            raise OSError(error.errno, told) from error

    def _read(self, content: bytes, start: int) -> None:
        parts: list[Scores] = []
        chosen: list[int] = []
        while (end := content.find(b"\n", start)) >= 0:
            found = self._record(_document(content[start:end]), len(chosen))
            if found is None:
                break
            parts.append(found[0])
            chosen += found[1]
            start = end + 1
        self._end = start  # what follows is not whole, and is written over
        self._restored = (Scores.join(parts), np.array(chosen, dtype=np.intp)) if parts else None
        self._done = len(chosen)

    def _record(self, document: Any, done: int) -> tuple[Scores, list[int]] | None:
        """Return the folds of a record, None if it is not one that comes next."""
        if not isinstance(document, dict) or document.get("first") != done:
            return None
        try:
            scores = Scores(**{name: np.array(document[name], dtype=np.float64) for name in NAMES})
            chosen = [int(place) for place in document["chosen"]]
        except (KeyError, TypeError, ValueError):
            return None
        shapes = {getattr(scores, name).shape for name in NAMES}
        right = shapes == {(len(chosen), self._n_orders)} and done + len(chosen) <= self._n_folds
        return (scores, chosen) if right and chosen else None

    def restored(self) -> tuple[Scores, NDArray[np.intp]] | None:
        """Return the folds that the file had when it was opened, and the q chosen inside."""
        return self._restored

    def append(self, scores: Scores, chosen: NDArray[np.intp]) -> None:
        """Write more folds behind those that are there."""
        document = {"first": self._done, "chosen": chosen.tolist()}
        record = _line(document | {name: getattr(scores, name).tolist() for name in NAMES})
        with self._named("written"), self._path.open("r+b") as file:
            file.seek(self._end)
            file.truncate()
            file.write(record)
            file.flush()
            os.fsync(file.fileno())
        self._end += len(record)
        self._done += len(chosen)


def _line(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, allow_nan=False).encode()
    return b"%08x %s\n" % (zlib.crc32(text), text)


def _document(line: bytes) -> Any:
    """Return what a line holds, None if it is not whole."""
    checksum, _, text = line.partition(b" ")
    if checksum != b"%08x" % zlib.crc32(text):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None


def describe(plan: Plan) -> dict[str, Any]:
    """Return what two runs must agree in to have the same folds and figures."""
    from ramify import __version__

    grower = plan.grower
    parameters = grower.model.get_params()
    return {
        "format": FORMAT,
        "version": VERSION,
        "ramify": __version__,
        "data": _digest_data(plan),
        "labels": _digest(repr(grower.classes.tolist()).encode(), grower.numbers),
        "weights": None if grower.sample_weight is None else _digest(b"", grower.sample_weight),
        "parameters": {name: _text(parameters[name]) for name in parameters if name not in _LEFT_OUT},
        "qs": plan.qs.tolist(),
        "folds": [len(plan.folds), plan.folds.digest()],
        "nested": None if plan.inner is None else _inner(plan, plan.inner),
    }


def _inner(plan: Plan, inner: Inner) -> list[str]:
    told = [_text(inner.cv), inner.folds(plan.grower, plan.folds.train[0]).digest()]
    return told if inner.groups is None else [*told, hashlib.sha256(_text(inner.groups).encode()).hexdigest()]


def _digest(name: bytes, values: NDArray[Any]) -> str:
    sha = hashlib.sha256(name + str((values.dtype.str, values.shape)).encode())
    sha.update(np.ascontiguousarray(values).data)
    return sha.hexdigest()


def _digest_data(plan: Plan) -> str:
    schema = [(column.name, column.categories) for column in plan.grower.schema.columns]
    parts = [_digest(str((n, missing)).encode(), values) for values, n, missing in plan.grower.blocks]
    return hashlib.sha256(repr((schema, parts)).encode()).hexdigest()


def _text(value: Any) -> str:
    """Return a parameter as text: the same for a list, a tuple and an array of the same values."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_text, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(sorted(f"{_text(k)}: {_text(v)}" for k, v in value.items())) + "}"
    return repr(value)


def _difference(first: bytes, header: dict[str, Any]) -> str:
    """Return in words why a file with this first line can't be gone on with."""
    found = _document(first)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        return "is not a file that q_path wrote. It was left as it is; give another name."
    if found.get("version") != VERSION:
        return f"has the format {found.get('version')!r}, but this version of ramify reads {VERSION}."
    told = []
    for name, what in (
        ("data", "X has other values, columns or categories"),
        ("labels", "y has other labels"),
        ("weights", "sample_weight is another"),
        ("qs", "qs has other values"),
    ):
        if found.get(name) != header[name]:
            told.append(what)
    old, new = found.get("parameters") or {}, header["parameters"]
    told += [
        f"{name} was {old.get(name, 'not there')} and is {new.get(name, 'not there')} now"
        for name in sorted({*old, *new})
        if old.get(name) != new.get(name)
    ]
    if found.get("folds") != header["folds"]:
        told.append(_other_folds(found.get("folds"), header["folds"]))
    if found.get("nested") != header["nested"]:
        told.append(_other_nested(found.get("nested"), header["nested"]))
    if found.get("ramify") != header["ramify"]:
        told.append(f"it was made by ramify {found.get('ramify')}, and this is {header['ramify']}")
    return (
        f"is of another run: {'; '.join(told)}. It was left as it is; give another name, or delete it to "
        "start anew."
    )


def _other_folds(old: Any, new: list[Any]) -> str:
    if isinstance(old, list) and old and old[0] != new[0]:
        return f"there were {old[0]} folds and are {new[0]} now"
    return "the folds have other rows (cv, n_repeats or random_state)"


def _other_nested(old: Any, new: Any) -> str:
    if old is None or new is None:
        return f"nested was {old is not None} and is {new is not None} now"
    return "the inner folds are others (inner_cv)"
