"""A Spark frame as parts: every pass is one job, whose partitions' results are added in a tree.

Most of a pass over a Spark frame goes into handing its values from the Java of the executors to Python, one
by one. So the first pass keeps them, in the memory or on the disk of the executors, as bytes that need no
such work. Whatever goes between Java and Python is such a blob, in a frame with a blob a row.
"""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from ramify.sources._errors import SourceError
from ramify.sources._parts import CodedPart, CodedParts, CodedTask, Encoder, Part, Parts, Pick, Task
from ramify.sources._spark_packing import Packing

Total = TypeVar("Total")

#: Rows that are worked on, and kept, together.
_ROWS = 131_072

#: How many results one task adds up.
_FAN_IN = 8

#: A frame of blobs: rows, or (the last one of a partition in the first pass) a result.
_BLOBS = "is_result boolean, blob binary"

#: For frames of blobs, which have several megabytes each, and can't be compressed by Spark's means.
_SETTINGS = {
    "spark.sql.execution.arrow.maxRecordsPerBatch": "1",
    "spark.sql.inMemoryColumnarStorage.batchSize": "1",
    "spark.sql.inMemoryColumnarStorage.compressed": "false",
}
_KEEPING = [name for name in _SETTINGS if "Storage" in name]


@contextmanager
def _telling() -> Iterator[None]:
    """Say in one line what a worker said in many."""
    from pyspark.errors import PySparkException

    kinds: tuple[type[Exception], ...] = (PySparkException, ConnectionError)
    with suppress(ImportError):  # a client of Spark Connect has no Java
        from py4j.protocol import Py4JError

        kinds = (*kinds, Py4JError)
    try:
        yield
    except kinds as error:
        text = str(error)
        said = re.findall(r"(?:SourceError|ValueError|TypeError): (.+)", text)
        lines = text.strip().splitlines() or [type(error).__name__]
        raise SourceError(said[-1] if said else f"Spark: {lines[0]}") from error


@contextmanager
def _set(session: Any, names: Iterable[str]) -> Iterator[None]:
    """Set what is meant for blobs, for as long as a job runs."""
    before = {name: session.conf.get(name) for name in names}
    try:
        for name in before:
            session.conf.set(name, _SETTINGS[name])
        yield
    finally:
        for name, value in before.items():
            session.conf.set(name, value)


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.partitionId() if context is not None else 0


def _tables(batches: Iterator[Any], packing: Packing) -> Iterator[Any]:
    """Join the batches of a partition, which are small, to tables of so many rows."""
    import pyarrow

    waiting: list[Any] = []
    for batch in batches:
        waiting.append(packing.unpack(batch))
        if sum(one.num_rows for one in waiting) >= _ROWS:
            yield pyarrow.concat_tables(waiting).combine_chunks()
            waiting = []
    if waiting:
        yield pyarrow.concat_tables(waiting).combine_chunks()


def _part(table: Any) -> Part:
    number = _partition()
    return Part(nw.from_native(table, eager_only=True), f"partition {number}", number)


def _record(content: Any, is_result: bool = False) -> Any:
    """Return a row of a frame of blobs, without a copy of what is in it."""
    import pyarrow

    if len(content) >= 2**31:
        raise SourceError(f"{len(content):,} bytes can't go through Spark at once; give a smaller budget.")
    ends = pyarrow.py_buffer(np.array([0, len(content)], dtype=np.int32))
    blob = pyarrow.Array.from_buffers(pyarrow.binary(), 1, [None, ends, pyarrow.py_buffer(content)])
    return pyarrow.RecordBatch.from_arrays([pyarrow.array([is_result]), blob], ["is_result", "blob"])


def _pickled(value: object, is_result: bool = False) -> Any:
    return _record(pickle.dumps(value, protocol=5), is_result)


def _stored(table: Any) -> Any:
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return _record(sink.getvalue())


def _contents(batches: Iterable[Any]) -> Iterator[Any]:
    for batch in batches:
        for content in batch.column("blob"):
            yield content.as_buffer()


def _stored_tables(batches: Iterator[Any]) -> Iterator[Any]:
    import pyarrow

    for content in _contents(batches):
        yield pyarrow.ipc.open_stream(content).read_all()


def _unpickled(batches: Iterable[Any]) -> Iterator[Any]:
    return map(pickle.loads, _contents(batches))


def _collect(frame: Any) -> Iterator[Any]:
    """Bring what was pickled to this process."""
    if hasattr(frame, "toArrow"):
        return _unpickled(frame.toArrow().to_batches())
    return (pickle.loads(row.blob) for row in frame.collect())  # Spark 3, several times as slow


def _sum(results: Any, task: Any, partitions: int) -> Any:
    """Add the results of all partitions up in a tree of tasks; a frame of blobs has one of each."""

    def join(batches: Iterator[Any]) -> Iterator[Any]:
        total = task.start()
        for result in _unpickled(batches):
            total = task.join(total, result)
        yield _pickled(total, is_result=True)

    while partitions > 1:
        partitions = -(-partitions // _FAN_IN)
        results = results.repartition(partitions).mapInArrow(join, _BLOBS)
    return next(_collect(results), task.start())  # of no partitions there is no result


def _persist(frame: Any) -> Any:
    from pyspark import StorageLevel

    return frame.persist(StorageLevel.MEMORY_AND_DISK)


class SparkParts(Parts):
    """The partitions of a Spark frame."""

    def __init__(self, frame: Any) -> None:
        self._frame = frame
        self._session = frame.sparkSession
        self._packing = Packing.of(frame)
        self._kept: Any = None
        self._partitions = 0  # as soon as rows are kept

    def describe(self) -> dict[str, Any]:
        """Return what tells this frame from others: its columns, and the files that it comes from."""
        with _telling():
            return {"columns": list(self._frame.columns), "files": sorted(self._frame.inputFiles())}

    def run(self, task: Task[Total], n_jobs: int) -> Total:
        """Return the result of a task over all partitions; the first one keeps their rows."""
        with _telling():
            return self._keep(task) if self._kept is None else self._run(task)

    def _keep(self, task: Task[Total]) -> Total:
        packing = self._packing

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            total = task.start()
            for table in _tables(batches, packing):
                total = task.add(total, _part(table), 1)
                yield _stored(table)
            yield _pickled(total, is_result=True)

        with _set(self._session, _KEEPING):
            self._kept = _persist(packing.pack(self._frame).mapInArrow(work, _BLOBS))
            self._partitions = self._kept.filter("is_result").count()
        with _set(self._session, _SETTINGS):
            result: Total = _sum(self._kept.filter("is_result"), task, self._partitions)
        return result

    def _run(self, task: Task[Total]) -> Total:
        def work(batches: Iterator[Any]) -> Iterator[Any]:
            total = task.start()
            for table in _stored_tables(batches):
                total = task.add(total, _part(table), 1)
            yield _pickled(total, is_result=True)

        with _set(self._session, _SETTINGS):
            results = self._kept.filter("not is_result").mapInArrow(work, _BLOBS)
            result: Total = _sum(results, task, self._partitions)
        return result

    def encode(self, encoder: Encoder, n_jobs: int, checkpoint: Path | None) -> CodedParts:
        """Return all partitions as codes, kept by the executors; lost ones are made again."""
        was_kept, packing = self._kept is not None, self._packing

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            for table in _stored_tables(batches) if was_kept else _tables(batches, packing):
                yield _pickled(encoder(_part(table), 1))
            yield _record(b"", is_result=True)  # one a partition, to count them

        with _telling():
            if was_kept:  # then the first job that needs codes makes them
                coded = _persist(self._kept.filter("not is_result").mapInArrow(work, _BLOBS))
                return SparkCodedParts(coded, self._partitions)
            with _set(self._session, _KEEPING):
                coded = _persist(packing.pack(self._frame).mapInArrow(work, _BLOBS))
                return SparkCodedParts(coded, coded.filter("is_result").count())

    def release(self) -> None:
        """Let the executors forget the rows."""
        if self._kept is not None:
            kept, self._kept = self._kept, None
            with suppress(SourceError), _telling():  # of a cluster that is gone another error tells
                kept.unpersist()


class SparkCodedParts(CodedParts):
    """Coded rows, which Spark keeps."""

    def __init__(self, coded: Any, partitions: int) -> None:
        self._coded, self._partitions = coded, partitions
        self._rows = coded.filter("not is_result")
        self._session = coded.sparkSession

    def run(self, task: CodedTask[Total], n_jobs: int) -> Total:
        """Return the result of a task over all parts."""

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            total = task.start()
            for part in _unpickled(batches):
                total = task.add(total, part, 1)
            yield _pickled(total, is_result=True)

        with _telling(), _set(self._session, _SETTINGS):
            result: Total = _sum(self._rows.mapInArrow(work, _BLOBS), task, self._partitions)
        return result

    def fetch(self, pick: Pick, take: Callable[[CodedPart, NDArray[np.int32]], None], n_jobs: int) -> None:
        """Call `take` with the rows that `pick` chooses."""

        def work(batches: Iterator[Any]) -> Iterator[Any]:
            for part in _unpickled(batches):
                picked = pick(part)
                if len(picked[1]):
                    yield _pickled(picked)

        with _telling(), _set(self._session, _SETTINGS):
            if pick.all_rows:  # as they are: nothing is left out
                for part in _collect(self._rows):
                    take(*pick(part, n_jobs))
                return
            for part, slots in _collect(self._rows.mapInArrow(work, _BLOBS)):
                take(part, slots)

    def close(self) -> None:
        """Let the executors forget the codes."""
        with _telling():
            self._coded.unpersist()
