"""Rows as codes in a file of their own, read part by part: the embedded way to keep them."""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from ramify.sources._parts import CodedPart, CodedParts, CodedTask, Pick

Total = TypeVar("Total")

#: Arrays begin at multiples of this, so that they can be read in place.
_ALIGN = 8


@dataclass
class Index:
    """Where the parts lie in their file, and of which types their arrays are."""

    class_type: str
    begin: int  # of the first part
    widths: list[str] = field(default_factory=list)
    weighted: bool = False
    places: list[tuple[int, int, int, int]] = field(default_factory=list)  # first byte, bytes, rows, CRC-32

    @classmethod
    def empty(cls, n_classes: int, begin: int = 0) -> Self:
        """Return the index of no part; classes are kept in as few bytes as they need."""
        kind = next(t for t in (np.uint8, np.uint16, np.uint32) if n_classes <= np.iinfo(t).max)
        return cls(np.dtype(kind).str, begin)

    @property
    def end(self) -> int:
        """Where the last part ends."""
        return self.places[-1][0] + self.places[-1][1] if self.places else self.begin


class SpilledParts(CodedParts):
    """Coded parts in an open file.

    Parameters
    ----------
    file : binary file, unbuffered
        It stays open as long as the codes are wanted.
    where : str
        What to call its place in messages.
    index : Index
        Of the parts that are in it.
    """

    def __init__(self, file: IO[bytes], where: str, index: Index) -> None:
        self._file, self._where, self._index = file, where, index

    @classmethod
    def nameless(cls, folder: str | None, n_classes: int) -> Self:
        """Return parts in a file that has no name, so that nothing is left of it however the process ends."""
        folder = folder or tempfile.gettempdir()
        file = tempfile.TemporaryFile(dir=folder, prefix="ramify-", buffering=0)  # noqa: SIM115
        return cls(file, folder, Index.empty(n_classes))

    def append(self, part: CodedPart) -> None:
        """Write one more part."""
        rows = len(part.classes)
        if rows == 0:
            return
        index = self._index
        index.widths = [codes.dtype.str for codes in part.codes]
        index.weighted = part.weights is not None
        arrays = [*part.codes, part.classes.astype(index.class_type)]
        arrays += [] if part.weights is None else [part.weights]
        content = bytearray()
        for array in arrays:
            content += array.tobytes()
            content += bytes(-len(content) % _ALIGN)
        self._write(content)
        index.places.append((index.end, len(content), rows, zlib.crc32(content)))

    def finish(self) -> None:
        """Say that all parts were written."""

    def discard(self) -> None:
        """Give up parts of which some could not be written."""
        self.close()

    def _write(self, content: bytes | bytearray) -> None:
        with self._telling():
            written = 0
            while written < len(content):
                written += self._file.write(memoryview(content)[written:])

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Say what it is that can't be written."""
        try:
            yield
        except OSError as error:
            raise OSError(
                error.errno, f"the codes of the rows can't be kept in {self._where} ({error.strerror})"
            ) from error

    def _contents(self) -> Iterator[tuple[NDArray[np.uint8], int, int]]:
        """Read the bytes of each part into one buffer, with its rows and its CRC-32."""
        buffer = np.empty(max((size for _, size, _, _ in self._index.places), default=0), dtype=np.uint8)
        for begin, size, rows, crc in self._index.places:
            self._file.seek(begin)
            view, read = buffer.data[:size], 0
            while read < size:
                got = self._file.readinto(view[read:])  # type: ignore[attr-defined]
                if not got:
                    raise OSError(f"the codes of the rows in {self._where} were cut short")
                read += got
            yield buffer[:size], rows, crc

    def __iter__(self) -> Iterator[CodedPart]:
        for content, rows, _ in self._contents():
            yield self._part(content, rows)

    def _part(self, content: NDArray[np.uint8], rows: int) -> CodedPart:
        at = 0

        def take(kind: Any) -> NDArray[Any]:
            nonlocal at
            size = rows * np.dtype(kind).itemsize
            array: NDArray[Any] = content[at : at + size].view(kind)
            at += size + -size % _ALIGN
            return array

        codes = [take(kind) for kind in self._index.widths]
        classes = take(self._index.class_type).astype(np.uint32)
        return CodedPart(codes, classes, take(np.float64) if self._index.weighted else None)

    def run(self, task: CodedTask[Total], n_jobs: int) -> Total:
        """Return the result of a task over all parts."""
        total = task.start()
        for part in self:
            total = task.add(total, part, n_jobs)
        return total

    def fetch(self, pick: Pick, take: Callable[[CodedPart, NDArray[np.int32]], None], n_jobs: int) -> None:
        """Call `take` with the rows that `pick` chooses."""
        for part in self:
            take(*pick(part, n_jobs))

    def close(self) -> None:
        """Give the file up."""
        self._file.close()
