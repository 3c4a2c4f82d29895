"""Files as parts: Parquet, Arrow and CSV, and what polars scans, a batch of rows at a time."""

from __future__ import annotations

import os
from abc import abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import narwhals.stable.v2 as nw

from ramify._file_names import files_below, files_like
from ramify._parameters import check_integer
from ramify._progress import ProgressBar
from ramify.sources import _rows_file
from ramify.sources._errors import SourceError, naming
from ramify.sources._parts import CodedParts, Encoder, Part, Parts, Task
from ramify.sources._spill import SpilledParts

if TYPE_CHECKING:
    import polars as pl

Total = TypeVar("Total")

#: Rows that are read at a time.
BATCH_ROWS = 131_072

#: What stands for a missing value in a CSV file.
_NULLS = ["", "NA", "N/A", "NaN", "nan", "null", "NULL", "?"]


class BatchedParts(Parts):
    """Parts that come one after the other, and are kept as codes in a file.

    Parameters
    ----------
    batch_rows : int
        Rows in a part, at most.
    scratch : str, optional
        The folder of that file; None is that of the checkpoint, or that of the system without one.
    progress : bool, optional
        Whether passes show bars; None: long ones do, on a terminal.
    """

    def __init__(self, batch_rows: Any, scratch: Any, progress: bool | None) -> None:
        self._batch_rows = check_integer("batch_rows", batch_rows, 1)
        if scratch is not None and not Path(scratch).is_dir():
            raise FileNotFoundError(f"scratch={os.fspath(scratch)!r} is no folder.")
        self._scratch = None if scratch is None else os.fspath(scratch)
        self._progress = progress
        self._rows: int | None = None  # as soon as they are known

    @abstractmethod
    def __iter__(self) -> Iterator[Part]:
        """Read all parts, in order."""

    def count(self) -> int | None:
        """Return the number of rows if it is known, or can be without reading them."""
        return self._rows

    @contextmanager
    def watched(self, what: str) -> Iterator[Iterator[Part]]:
        """Read all parts, with a bar if it is known how many rows there are."""
        total = self.count()
        with ProgressBar(self._progress if total else False, what, total or 0, "rows") as bar:
            yield self._count_off(bar)

    def _count_off(self, bar: ProgressBar) -> Iterator[Part]:
        done = 0
        bar.show(done)
        for part in self:
            yield part
            done += part.frame.shape[0]
            bar.show(done)
        self._rows = done

    def run(self, task: Task[Total], n_jobs: int) -> Total:
        """Return the result of a task over all parts."""
        total = task.start()
        with self.watched("reading") as parts:
            for part in parts:
                total = task.add(total, part, n_jobs)
        return total

    def encode(self, encoder: Encoder, n_jobs: int, checkpoint: Path | None) -> CodedParts:
        """Return all parts as codes, in a file that goes with the process, or beside the checkpoint."""
        kept: SpilledParts
        if checkpoint is None:
            kept = SpilledParts.nameless(self._scratch, encoder.n_classes)
        else:
            kept = _rows_file.create(_rows_file.rows_file(checkpoint, self._scratch), encoder.n_classes)
        try:
            with self.watched("making codes") as parts:
                for part in parts:
                    kept.append(encoder(part, n_jobs))
            kept.finish()
        except BaseException:
            kept.discard()
            raise
        return kept

    def take_up(self, checkpoint: Path, identity: dict[str, Any]) -> CodedParts | None:
        """Return the codes that an earlier process kept."""
        return _rows_file.take_up(_rows_file.rows_file(checkpoint, self._scratch), identity)

    def forget(self, checkpoint: Path) -> None:
        """Remove the codes."""
        _rows_file.forget(_rows_file.rows_file(checkpoint, self._scratch))


class FileParts(BatchedParts):
    """The rows of files of one format."""

    def __init__(
        self, path: Any, file_format: str, batch_rows: Any, scratch: Any, progress: bool | None
    ) -> None:
        super().__init__(batch_rows, scratch, progress)
        self._format = file_format
        self.files = find_files(path, file_format)

    def __iter__(self) -> Iterator[Part]:
        for file in self.files:
            with naming(file):
                for table in _READERS[self._format](file, self._batch_rows):
                    yield Part(nw.from_native(table, eager_only=True), file)

    def count(self) -> int | None:
        """Return the number of rows, which Parquet files say in a few bytes."""
        if self._rows is None and self._format == "parquet":
            from pyarrow import ArrowException, parquet

            try:
                self._rows = sum(parquet.read_metadata(file).num_rows for file in self.files)
            except (OSError, ArrowException):  # of a file that can't be read the pass over it tells
                return None
        return self._rows

    def describe(self) -> list[tuple[str, int, int]]:
        """Return what tells these files from others: names, sizes and times of change."""
        stats = [(file, Path(file).stat()) for file in self.files]
        return [(file, stat.st_size, stat.st_mtime_ns) for file, stat in stats]


class LazyParts(BatchedParts):
    """The rows of a polars LazyFrame."""

    def __init__(self, frame: pl.LazyFrame, batch_rows: Any, scratch: Any, progress: bool | None) -> None:
        super().__init__(batch_rows, scratch, progress)
        self._frame = frame

    def __iter__(self) -> Iterator[Part]:
        import polars as pl

        empty = True
        try:
            for batch in self._frame.collect_batches(chunk_size=self._batch_rows, maintain_order=True):
                empty = False
                yield Part(nw.from_native(batch, eager_only=True), "the LazyFrame")
            if empty:
                schema = self._frame.collect_schema()
                yield Part(nw.from_native(pl.DataFrame(schema=schema), eager_only=True), "the LazyFrame")
        except pl.exceptions.PolarsError as error:
            raise SourceError(f"the LazyFrame: {str(error).splitlines()[0]}") from error


#: The endings by which files of a format are found in a folder.
_ENDINGS = {
    "parquet": (".parquet", ".pq"),
    "arrow": (".arrow", ".feather", ".ipc"),
    "csv": (".csv",),
}


def find_files(path: Any, file_format: str) -> list[str]:
    """Return the files that a name, a folder or a pattern stands for, in order of their names.

    Raises
    ------
    FileNotFoundError
        If there is none.
    """
    if isinstance(path, (list, tuple)):
        files = [file for entry in path for file in find_files(entry, file_format)]
    elif not isinstance(path, (str, os.PathLike)):
        raise TypeError(
            f"path={path!r} is not accepted; it must be a file, a folder, a pattern or a list of them."
        )
    else:
        name = os.fspath(path)
        if Path(name).is_dir():
            endings = _ENDINGS[file_format]
            files = [str(file) for file in files_below(Path(name), endings)]
            if not files:
                raise FileNotFoundError(
                    f"The folder {name!r} has no file that ends in {' or '.join(endings)}."
                )
        elif Path(name).exists():
            files = [name]
        else:
            files = [str(file) for file in files_like(name)]
            if not files:
                raise FileNotFoundError(f"There is no file {name!r}, nor any that it is a pattern of.")
    if not files:
        raise FileNotFoundError("path is an empty list; at least one file is needed.")
    return files


def _need_arrow() -> None:
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        raise ImportError('Files are read by pyarrow: pip install "ramify[files]".') from None


def _read_parquet(file: str, batch_rows: int) -> Iterator[Any]:
    import pyarrow
    from pyarrow import parquet

    # Without pre-buffering no more than the batches in hand are in memory, however large row groups are.
    with parquet.ParquetFile(file, pre_buffer=False, buffer_size=1 << 20) as opened:
        empty = True
        for batch in opened.iter_batches(batch_size=batch_rows):
            empty = False
            yield pyarrow.Table.from_batches([batch])
        if empty:
            yield opened.schema_arrow.empty_table()


def _read_arrow(file: str, batch_rows: int) -> Iterator[Any]:
    import pyarrow

    with pyarrow.OSFile(file) as opened:
        try:
            reader = pyarrow.ipc.open_file(opened)
            batches = (reader.get_batch(i) for i in range(reader.num_record_batches))
        except pyarrow.ArrowInvalid:
            opened.seek(0)
            reader = pyarrow.ipc.open_stream(opened)
            batches = iter(reader)
        empty = True
        for batch in batches:
            empty = False
            for begin in range(0, max(batch.num_rows, 1), batch_rows):
                yield pyarrow.Table.from_batches([batch.slice(begin, batch_rows)])
        if empty:
            yield reader.schema.empty_table()


def _read_csv(file: str, batch_rows: int) -> Iterator[Any]:
    import pyarrow
    from pyarrow import csv

    options = {"null_values": _NULLS, "strings_can_be_null": True}
    reading = csv.ReadOptions(block_size=1 << 22)
    with csv.open_csv(file, reading, convert_options=csv.ConvertOptions(**options)) as opened:
        schema = opened.schema
    # Types are told by the first rows: a column that begins with whole numbers may go on with others.
    types = {f.name: pyarrow.float64() for f in schema if pyarrow.types.is_integer(f.type)}
    types |= {f.name: pyarrow.string() for f in schema if pyarrow.types.is_null(f.type)}
    converting = csv.ConvertOptions(column_types=types, **options)
    with csv.open_csv(file, reading, convert_options=converting) as opened:
        empty = True
        for batch in opened:
            empty = False
            for begin in range(0, max(batch.num_rows, 1), batch_rows):
                yield pyarrow.Table.from_batches([batch.slice(begin, batch_rows)])
        if empty:
            yield opened.schema.empty_table()


_READERS = {"parquet": _read_parquet, "arrow": _read_arrow, "csv": _read_csv}
