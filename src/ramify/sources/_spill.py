"""Rows as codes in a file of their own, read part by part: the embedded way to keep them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from typing import IO, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ramify.sources._parts import CodedPart, CodedParts, CodedTask, Pick

Total = TypeVar("Total")

#: Arrays begin at multiples of this, so that they can be read in place.
_ALIGN = 8


class SpilledParts(CodedParts):
    """Coded parts in a file that has no name, so that nothing is left of it however the process ends.

    Parameters
    ----------
    folder : str, optional
        Where; None is the system's folder for temporary files.
    n_classes : int
        Classes are kept in as few bytes as they need.
    """

    def __init__(self, folder: str | None, n_classes: int) -> None:
        self._folder = folder or tempfile.gettempdir()
        # It stays open as long as the codes are wanted.
        self._file: IO[bytes] = tempfile.TemporaryFile(  # noqa: SIM115
            dir=self._folder, prefix="ramify-", buffering=0
        )
        self._places: list[tuple[int, int, int]] = []  # first byte, bytes and rows of each part
        self._widths: list[Any] = []
        self._class_type = next(t for t in (np.uint8, np.uint16, np.uint32) if n_classes <= np.iinfo(t).max)
        self._weighted = False
        self._end = 0

    def append(self, part: CodedPart) -> None:
        """Write one more part."""
        rows = len(part.classes)
        if rows == 0:
            return
        self._widths = [codes.dtype for codes in part.codes]
        self._weighted = part.weights is not None
        arrays = [*part.codes, part.classes.astype(self._class_type)]
        arrays += [] if part.weights is None else [part.weights]
        content = bytearray()
        for array in arrays:
            content += array.tobytes()
            content += bytes(-len(content) % _ALIGN)
        try:
            written = 0
            while written < len(content):
                written += self._file.write(memoryview(content)[written:])
        except OSError as error:
            raise OSError(
                error.errno, f"the codes of the rows can't be kept in {self._folder} ({error.strerror})"
            ) from error
        self._places.append((self._end, len(content), rows))
        self._end += len(content)

    def __iter__(self) -> Iterator[CodedPart]:
        buffer = np.empty(max((size for _, size, _ in self._places), default=0), dtype=np.uint8)
        for begin, size, rows in self._places:
            self._file.seek(begin)
            view, read = buffer.data[:size], 0
            while read < size:
                got = self._file.readinto(view[read:])  # type: ignore[attr-defined]
                if not got:
                    raise OSError(f"the codes of the rows in {self._folder} were cut short")
                read += got
            yield self._part(buffer, rows)

    def _part(self, buffer: NDArray[np.uint8], rows: int) -> CodedPart:
        at = 0

        def take(kind: Any) -> NDArray[Any]:
            nonlocal at
            size = rows * np.dtype(kind).itemsize
            array: NDArray[Any] = buffer[at : at + size].view(kind)
            at += size + -size % _ALIGN
            return array

        codes = [take(kind) for kind in self._widths]
        classes = take(self._class_type).astype(np.uint32)
        return CodedPart(codes, classes, take(np.float64) if self._weighted else None)

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

    @property
    def size(self) -> int:
        """Bytes in the file."""
        return self._end

    def close(self) -> None:
        """Give the file up."""
        self._file.close()
