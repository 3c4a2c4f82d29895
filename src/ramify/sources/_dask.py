"""A Dask frame as parts: every pass is one task a partition, and the results are added in a tree."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from ramify.sources._errors import SourceError
from ramify.sources._parts import CodedPart, CodedParts, CodedTask, Encoder, Part, Parts, Pick, Task

Total = TypeVar("Total")

#: How many results one task adds up.
_FAN_IN = 8


def _open_client() -> Any:
    """Return the client of a cluster that is open, None if Dask works on this machine."""
    distributed = sys.modules.get("distributed")
    try:
        return None if distributed is None else distributed.default_client()
    except ValueError:
        return None


@contextmanager
def _telling(client: Any) -> Iterator[None]:
    """Say in one line that a cluster, or too many of its workers, went away."""
    try:
        yield
    except Exception as error:
        lines = str(error).strip().splitlines() or [type(error).__name__]
        if type(error).__name__ == "KilledWorker":
            raise SourceError(f"Dask: {lines[0]}") from error
        if client is not None and client.status != "running":
            raise SourceError(f"Dask: the cluster went away ({lines[0]}).") from error
        raise


def _part(frame: Any, number: int) -> Part:
    return Part(nw.from_native(frame, eager_only=True), f"partition {number}", number)


def _add(task: Task[Total], frame: Any, number: int) -> Total:
    return task.add(task.start(), _part(frame, number), 1)


def _add_coded(task: CodedTask[Total], part: CodedPart) -> Total:
    return task.add(task.start(), part, 1)


def _join(task: Any, totals: list[Any]) -> Any:
    joined = task.start()
    for total in totals:
        joined = task.join(joined, total)
    return joined


def _encode(encoder: Encoder, frame: Any, number: int) -> CodedPart:
    return encoder(_part(frame, number), 1)


def _pick(pick: Pick, part: CodedPart) -> tuple[CodedPart, NDArray[np.int32]]:
    return pick(part)


def _sum(task: Any, totals: list[Any], client: Any) -> Any:
    """Add results up in a tree of tasks, and compute it."""
    from dask import delayed

    join = delayed(_join, pure=False)
    while len(totals) > 1:
        totals = [join(task, totals[i : i + _FAN_IN]) for i in range(0, len(totals), _FAN_IN)]
    with _telling(client):
        return totals[0].compute()


class DaskParts(Parts):
    """The partitions of a Dask frame."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._partitions = frame.to_delayed()
        self._client = _open_client()

    def describe(self) -> dict[str, Any]:
        """Return what tells this frame from others: its columns, and Dask's name for how it is made."""
        from dask.base import tokenize

        return {"columns": list(self._frame.columns), "made": tokenize(self._frame)}

    def run(self, task: Task[Total], n_jobs: int) -> Total:
        """Return the result of a task over all partitions."""
        from dask import delayed

        shared, add = delayed(task, traverse=False), delayed(_add, pure=False)
        totals = [add(shared, frame, number) for number, frame in enumerate(self._partitions)]
        result: Total = _sum(shared, totals, self._client)
        return result

    def encode(self, encoder: Encoder, n_jobs: int, checkpoint: Path | None) -> CodedParts:
        """Return all partitions as codes, in the memory of the workers; lost ones are made again."""
        from dask import delayed, persist

        shared, encode = delayed(encoder, traverse=False), delayed(_encode, pure=False)
        coded = [encode(shared, frame, number) for number, frame in enumerate(self._partitions)]
        with _telling(self._client):
            return DaskCodedParts(list(persist(*coded)), self._client)


class DaskCodedParts(CodedParts):
    """Coded partitions, each where its worker keeps it."""

    def __init__(self, parts: list[Any], client: Any) -> None:
        self._parts, self._client = parts, client

    def run(self, task: CodedTask[Total], n_jobs: int) -> Total:
        """Return the result of a task over all partitions."""
        from dask import delayed

        shared, add = delayed(task, traverse=False), delayed(_add_coded, pure=False)
        result: Total = _sum(shared, [add(shared, part) for part in self._parts], self._client)
        return result

    def fetch(self, pick: Pick, take: Callable[[CodedPart, NDArray[np.int32]], None], n_jobs: int) -> None:
        """Call `take` with the rows that `pick` chooses, some partitions at a time."""
        from dask import compute, delayed

        shared, some = delayed(pick, traverse=False), delayed(_pick, pure=False)
        picked = [some(shared, part) for part in self._parts]
        for begin in range(0, len(picked), _FAN_IN):
            with _telling(self._client):
                found = compute(*picked[begin : begin + _FAN_IN])
            for part, slots in found:
                take(part, slots)

    def close(self) -> None:
        """Let the workers forget the codes."""
        self._parts = []
