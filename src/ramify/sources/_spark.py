"""A Spark frame as parts: every pass is one job, whose partitions' results are added in a tree.

Most of a pass over a Spark frame goes into handing its values from the Java of the executors to Python, one
by one. So the first pass keeps them, in the memory or on the disk of the executors, as bytes that need no
such work, until all rows are codes.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from ramify.sources._errors import SourceError
from ramify.sources._parts import CodedPart, CodedParts, CodedTask, Encoder, Part, Parts, Pick, Task

Total = TypeVar("Total")

#: Rows that are worked on, and kept, together.
_ROWS = 131_072

#: What is kept of a partition: its rows in blobs, and behind them the result of the first task.
_KEPT = "is_result boolean, blob binary"

#: Spark sends this many records at a time, whatever their size; a blob is one, of several megabytes.
_BATCH_SETTING = "spark.sql.execution.arrow.maxRecordsPerBatch"
_BLOBS_A_BATCH = "4"


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


@contextmanager
def _few_blobs_a_batch(frame: Any) -> Iterator[None]:
    settings = frame.sparkSession.conf
    before = settings.get(_BATCH_SETTING)
    settings.set(_BATCH_SETTING, _BLOBS_A_BATCH)
    try:
        yield
    finally:
        settings.set(_BATCH_SETTING, before)


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.partitionId() if context is not None else 0


def _tables(batches: Iterator[Any]) -> Iterator[Any]:
    """Join the batches of a partition, which are small, to tables of so many rows."""
    import pyarrow

    waiting: list[Any] = []
    for batch in batches:
        waiting.append(batch)
        if sum(one.num_rows for one in waiting) >= _ROWS:
            yield pyarrow.Table.from_batches(waiting).combine_chunks()
            waiting = []
    if waiting:
        yield pyarrow.Table.from_batches(waiting).combine_chunks()


def _part(table: Any) -> Part:
    number = _partition()
    return Part(nw.from_native(table, eager_only=True), f"partition {number}", number)


def _record(is_result: bool, content: Any) -> Any:
    import pyarrow

    arrays = {"is_result": [is_result], "blob": pyarrow.array([content], pyarrow.large_binary())}
    return pyarrow.RecordBatch.from_pydict(arrays)


def _pickled(value: object) -> Any:
    return _record(True, pickle.dumps(value, protocol=5))


def _stored(table: Any) -> Any:
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return _record(False, sink.getvalue().to_pybytes())


def _stored_tables(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow

    for batch in batches:
        for content in batch.column("blob"):
            yield pyarrow.ipc.open_stream(content.as_buffer()).read_all()


def _loads(row: Any) -> Any:
    return pickle.loads(row.blob)


class SparkParts(Parts):
    """The partitions of a Spark frame."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._kept: Any = None

    def describe(self) -> dict[str, Any]:
        """Return what tells this frame from others: its columns, and the files that it comes from."""
        with _telling():
            return {"columns": list(self._frame.columns), "files": sorted(self._frame.inputFiles())}

    def run(self, task: Task[Total], n_jobs: int) -> Total:
        """Return the result of a task over all partitions; the first one keeps their rows."""
        with _telling():
            if self._kept is None:
                return self._keep(task)
            return self._run(task)

    def _keep(self, task: Task[Total]) -> Total:
        from pyspark import StorageLevel

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            total = task.start()
            for table in _tables(batches):
                total = task.add(total, _part(table), 1)
                yield _stored(table)
            yield _pickled(total)

        self._kept = self._frame.mapInArrow(work, _KEPT).persist(StorageLevel.MEMORY_AND_DISK)
        result: Total = self._kept.filter("is_result").rdd.map(_loads).treeReduce(task.join)
        return result

    def _run(self, task: Task[Total]) -> Total:
        def work(batches: Iterator[Any]) -> Iterator[Any]:
            total = task.start()
            for table in _stored_tables(batches):
                total = task.add(total, _part(table), 1)
            yield _pickled(total)

        with _few_blobs_a_batch(self._frame):
            results = self._kept.filter("not is_result").mapInArrow(work, _KEPT).rdd.map(_loads)
        result: Total = results.treeReduce(task.join)
        return result

    def encode(self, encoder: Encoder, n_jobs: int, checkpoint: Path | None) -> CodedParts:
        """Return all partitions as codes, kept by the executors; lost ones are made again."""
        from pyspark import StorageLevel

        was_kept = self._kept is not None

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            for table in _stored_tables(batches) if was_kept else _tables(batches):
                yield _pickled(encoder(_part(table), 1))

        with _telling():
            if was_kept:
                with _few_blobs_a_batch(self._frame):
                    coded = self._kept.filter("not is_result").mapInArrow(work, _KEPT).rdd
            else:
                coded = self._frame.mapInArrow(work, _KEPT).rdd
            coded = coded.map(_loads).persist(StorageLevel.MEMORY_AND_DISK)
            coded.count()  # now, in all partitions at once: rows may be fetched one partition after the other
        return SparkCodedParts(coded)

    def release(self) -> None:
        """Let the executors forget the rows."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            with suppress(SourceError), _telling():  # of a cluster that is gone another error tells
                kept.unpersist()


class SparkCodedParts(CodedParts):
    """Coded rows, which Spark keeps."""

    def __init__(self, coded: Any) -> None:
        self._coded = coded

    def run(self, task: CodedTask[Total], n_jobs: int) -> Total:
        """Return the result of a task over all parts."""

        def work(parts: Iterator[CodedPart]) -> Iterator[Total]:
            total = task.start()
            for part in parts:
                total = task.add(total, part, 1)
            yield total

        with _telling():
            result: Total = self._coded.mapPartitions(work).treeReduce(task.join)
        return result

    def fetch(self, pick: Pick, take: Callable[[CodedPart, NDArray[np.int32]], None], n_jobs: int) -> None:
        """Call `take` with the rows that `pick` chooses, a partition at a time."""

        def work(parts: Iterator[CodedPart]) -> Iterator[tuple[CodedPart, NDArray[np.int32]]]:
            for part in parts:
                picked = pick(part)
                if len(picked[1]):
                    yield picked

        with _telling():
            for part, slots in self._coded.mapPartitions(work).toLocalIterator(prefetchPartitions=True):
                take(part, slots)

    def close(self) -> None:
        """Let the executors forget the codes."""
        with _telling():
            self._coded.unpersist()
