"""The file beside a checkpoint that keeps the rows as codes: a fit that goes on need not make them again.

    mark | arrays of part 1 | arrays of part 2 | ... | index as JSON | length of the index, 8 bytes

It is written under another name, and gets its own once it is whole. The checkpoint keeps its size and the
digest of its index, which has the CRC-32 of every part: so the checkpoint knows all that is in the file.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import IO, Any

from ramify.sources._spill import Index, SpilledParts

log = logging.getLogger("ramify.sources")

#: How the file begins.
_MARK = b"ramify rows 1\n\0\0"

#: Bytes of the length of the index.
_LENGTH = 8


def rows_file(checkpoint: Path, folder: str | None) -> Path:
    """Return the name of the rows of a checkpoint: beside it, or in a folder of their own."""
    return Path(folder or checkpoint.parent) / f"{checkpoint.name}.rows"


def _unfinished(path: Path) -> Path:
    # Always the same name: what a killed process leaves there is written over by the one that goes on.
    return path.with_name(f"{path.name}.part")


class KeptParts(SpilledParts):
    """Coded parts in a file with a name, which outlives the process.

    Parameters
    ----------
    file : binary file, unbuffered
        Under its unfinished name as long as parts are written.
    path : Path
        Its name.
    index : Index
        Of the parts that are in it.
    """

    def __init__(self, file: IO[bytes], path: Path, index: Index) -> None:
        super().__init__(file, os.fspath(path.parent), index)
        self._path = path
        self._identity: dict[str, Any] | None = None

    def finish(self) -> None:
        """Write the index, and give the file its name."""
        content = json.dumps(asdict(self._index)).encode()
        self._write(content + len(content).to_bytes(_LENGTH, "little"))
        size = self._index.end + len(content) + _LENGTH
        self._identity = {"size": size, "index": hashlib.sha256(content).hexdigest()}
        with self._telling():
            os.fsync(self._file.fileno())
            self._file.close()  # some systems do not move a file that is open
            _unfinished(self._path).replace(self._path)
            self._file = self._path.open("rb", buffering=0)

    def discard(self) -> None:
        """Remove what was written."""
        self.close()
        _unfinished(self._path).unlink(missing_ok=True)

    @property
    def identity(self) -> dict[str, Any] | None:
        """What tells this file from others, once it is whole."""
        return self._identity

    def check(self) -> None:
        """Raise a ValueError if a part is not what it was when it was written."""
        for number, (content, _, crc) in enumerate(self._contents(), 1):
            if zlib.crc32(content.data) != crc:
                raise ValueError(f"part {number} of {os.fspath(self._path)!r} is damaged")


def create(path: Path, n_classes: int) -> KeptParts:
    """Begin a file.

    Raises
    ------
    FileExistsError
        If something else has that name.
    """
    if path.exists() and not _is_ours(path):
        raise FileExistsError(
            f"{os.fspath(path)!r} is in the way: rows are to be kept there as codes, but it is another file; "
            "move it, or give the checkpoint another name."
        )
    file = _unfinished(path).open("wb", buffering=0)
    parts = KeptParts(file, path, Index.empty(n_classes, len(_MARK)))
    try:
        parts._write(_MARK)
    except BaseException:
        parts.discard()
        raise
    return parts


def take_up(path: Path, identity: dict[str, Any]) -> KeptParts | None:
    """Return the parts that an earlier process wrote; None, and a word in the log, if they can't be used."""
    try:
        index = _read_index(path, identity)
        parts = KeptParts(path.open("rb", buffering=0), path, index)
        parts._identity = identity
        try:
            parts.check()
        except BaseException:
            parts.close()
            raise
    except (OSError, ValueError) as error:
        log.warning("the rows are encoded once more: %s", error)
        return None
    log.info("going on with the rows that %s keeps as codes", path)
    return parts


def forget(path: Path) -> None:
    """Remove the file of a fit that is done, and what a killed process left of it."""
    _unfinished(path).unlink(missing_ok=True)
    if path.exists() and _is_ours(path):
        path.unlink()


def _is_ours(path: Path) -> bool:
    """Whether a file begins as these do; one that was cut short counts too."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return _MARK.startswith(file.read(len(_MARK)))


def _read_index(path: Path, identity: dict[str, Any]) -> Index:
    name = os.fspath(path)
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        if size != identity["size"]:
            raise ValueError(f"{name!r} has {size} bytes, not the {identity['size']} that were written")
        file.seek(size - _LENGTH)
        length = int.from_bytes(file.read(_LENGTH), "little")
        file.seek(max(size - _LENGTH - length, 0))
        content = file.read(length) if length < size else b""
    if hashlib.sha256(content).hexdigest() != identity["index"]:
        raise ValueError(f"{name!r} is of another fit, or damaged")
    told = json.loads(content)
    return Index(**(told | {"places": [tuple(place) for place in told["places"]]}))
