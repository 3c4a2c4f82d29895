"""A Spark frame as parts: every pass is one job, whose partitions' results are added in a tree."""

from __future__ import annotations

import pickle
import re
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

#: Rows that are kept together as codes.
_ROWS = 131_072


@contextmanager
def _telling() -> Iterator[None]:
    """Say in one line what a worker said in many."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        text = str(error)
        said = re.findall(r"(?:SourceError|ValueError|TypeError): (.+)", text)
        lines = text.strip().splitlines() or [type(error).__name__]
        raise SourceError(said[-1] if said else f"Spark: {lines[0]}") from error


def _part(batch: Any) -> Part:
    import pyarrow
    from pyspark import TaskContext

    context = TaskContext.get()
    number = context.partitionId() if context is not None else 0
    frame = nw.from_native(pyarrow.Table.from_batches([batch]), eager_only=True)
    return Part(frame, f"partition {number}", number)


def _blob(value: object) -> Any:
    import pyarrow

    content = pickle.dumps(value, protocol=5)
    return pyarrow.RecordBatch.from_pydict({"blob": pyarrow.array([content], pyarrow.large_binary())})


def _values(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        for content in batch.column(0):
            yield pickle.loads(content.as_buffer())


def _loads(row: Any) -> Any:
    return pickle.loads(row[0])


def _joined(parts: list[CodedPart]) -> CodedPart:
    weights = [part.weights for part in parts if part.weights is not None]
    return CodedPart(
        [np.concatenate(codes) for codes in zip(*(part.codes for part in parts), strict=True)],
        np.concatenate([part.classes for part in parts]),
        np.concatenate(weights) if weights else None,
    )


def _reduce(frame: Any, work: Callable[[Iterator[Any]], Iterator[Any]], task: Any) -> Any:
    with _telling():
        blobs = frame.mapInArrow(work, "blob binary").rdd.map(_loads)
        return blobs.treeReduce(task.join)


class SparkParts(Parts):
    """The partitions of a Spark frame."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def run(self, task: Task[Total], n_jobs: int) -> Total:
        """Return the result of a task over all partitions."""

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            total = task.start()
            for batch in batches:
                total = task.add(total, _part(batch), 1)
            yield _blob(total)

        result: Total = _reduce(self._frame, work, task)
        return result

    def encode(self, encoder: Encoder, n_jobs: int, checkpoint: Path | None) -> CodedParts:
        """Return all partitions as codes, kept by the executors; lost ones are made again."""
        from pyspark import StorageLevel

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            parts: list[CodedPart] = []
            for batch in batches:
                parts.append(encoder(_part(batch), 1))
                if sum(len(part.classes) for part in parts) >= _ROWS:
                    yield _blob(_joined(parts))
                    parts = []
            if parts:
                yield _blob(_joined(parts))

        with _telling():
            coded = self._frame.mapInArrow(work, "blob binary").persist(StorageLevel.MEMORY_AND_DISK)
        return SparkCodedParts(coded)


class SparkCodedParts(CodedParts):
    """Coded rows in a frame of one column, which Spark keeps."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame

    def run(self, task: CodedTask[Total], n_jobs: int) -> Total:
        """Return the result of a task over all parts."""

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            total = task.start()
            for part in _values(batches):
                total = task.add(total, part, 1)
            yield _blob(total)

        result: Total = _reduce(self._frame, work, task)
        return result

    def fetch(self, pick: Pick, take: Callable[[CodedPart, NDArray[np.int32]], None], n_jobs: int) -> None:
        """Call `take` with the rows that `pick` chooses, a partition at a time."""

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            for part in _values(batches):
                picked = pick(part)
                if len(picked[1]):
                    yield _blob(picked)

        with _telling():
            for row in self._frame.mapInArrow(work, "blob binary").toLocalIterator(prefetchPartitions=True):
                take(*_loads(row))

    def close(self) -> None:
        """Let the executors forget the codes."""
        with _telling():
            self._frame.unpersist()
