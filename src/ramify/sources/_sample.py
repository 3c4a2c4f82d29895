"""Rows of a source drawn at random, in one pass.

Every row has a number of 64 bits: a hash of the seed and of its place. The rows with the smallest numbers are
drawn, so that it does not matter in which batches they come.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from ramify.sources._errors import SourceError, naming
from ramify.sources._parts import Part, Parts
from ramify.sources._rows import RowReader, check_names

#: Sebastiano Vigna's SplitMix64: the step of its counter, and the factors of its mixing.
_STEP = np.uint64(0x9E3779B97F4A7C15)
_FACTORS = ((np.uint64(30), np.uint64(0xBF58476D1CE4E5B9)), (np.uint64(27), np.uint64(0x94D049BB133111EB)))


def _mix(numbers: NDArray[np.uint64]) -> NDArray[np.uint64]:
    for shift, factor in _FACTORS:
        numbers = (numbers ^ (numbers >> shift)) * factor
    return numbers ^ (numbers >> np.uint64(31))


def _lots(seed: int, partition: int, first: int, rows: int) -> NDArray[np.uint64]:
    """Return the numbers of some neighbouring rows of a partition; all rows of it have different ones."""
    key, number = np.array([[seed], [partition]], dtype=np.uint64)  # arrays, since these overflow quietly
    stream = _mix(_mix(key + _STEP) + number * _STEP)
    return _mix(stream + np.arange(first, first + rows, dtype=np.uint64) * _STEP)


@dataclass
class Drawn:
    """The rows that are drawn so far, with their places; now and then some more than are wanted."""

    names: list[str] | None = None
    where: str = ""
    seen: int = 0  # rows of the partition
    limit: int = 2**64  # lots that are not below it have lost
    frames: list[Any] = field(default_factory=list)
    lots: list[NDArray[np.uint64]] = field(default_factory=list)
    places: list[NDArray[np.int64]] = field(default_factory=list)  # partition and row

    def put(self, frame: Any, lots: NDArray[np.uint64], places: NDArray[np.int64]) -> None:
        """Add rows."""
        self.frames.append(frame)
        self.lots.append(lots)
        self.places.append(places)

    def thin(self, rows: int) -> None:
        """Leave only so many rows, in the order of their places."""
        lots, places = np.concatenate(self.lots), np.concatenate(self.places)
        frame = nw.from_native(_stack(self.frames), eager_only=True)
        best = np.lexsort((places[:, 1], places[:, 0], lots))[:rows]
        if len(best) == rows:
            self.limit = int(lots[best[-1]])
        best = best[np.lexsort((places[best, 1], places[best, 0]))]
        self.frames, self.lots, self.places = [frame[best].to_native()], [lots[best]], [places[best]]


def _stack(frames: list[Any]) -> Any:
    """Return frames of one library below each other; types that go together become the wider one."""
    library = type(frames[0]).__module__.partition(".")[0]
    if len(frames) == 1:
        return frames[0]
    if library == "polars":
        import polars as pl

        try:
            return pl.concat(frames, how="vertical_relaxed")
        except pl.exceptions.PolarsError as error:
            raise ValueError(_different(error)) from None
    if library == "pyarrow":
        import pyarrow as pa

        try:
            return pa.concat_tables(frames, promote_options="permissive")
        except pa.ArrowException as error:
            raise ValueError(_different(error)) from None
    import pandas as pd

    return pd.concat(frames, ignore_index=True)


def _different(error: Exception) -> str:
    return f"Columns have types that do not go together ({str(error).splitlines()[0]})."


@dataclass(frozen=True)
class Draw:
    """The task of the one pass."""

    reader: RowReader
    rows: int
    seed: int

    def start(self) -> Drawn:
        """Return the draw from no part."""
        return Drawn()

    def add(self, total: Drawn, part: Part, n_jobs: int) -> Drawn:
        """Return the draw from one more part."""
        with naming(part.name):
            self.reader.check(part)
            if total.names is None:
                total.names, total.where = part.frame.columns, part.name
            check_names(part.frame.columns, total.names, total.where)
            rows = part.frame.shape[0]
            lots = _lots(self.seed, part.number, total.seen, rows)
            chosen = np.arange(rows) if total.limit == 2**64 else np.flatnonzero(lots < total.limit)
            places = np.column_stack([np.full(len(chosen), part.number), total.seen + chosen])
            total.seen += rows
            if len(chosen):
                total.put(part.frame[chosen].to_native(), lots[chosen], places)
                self._thin(total)
        return total

    def join(self, one: Drawn, other: Drawn) -> Drawn:
        """Return the draw from both."""
        if one.names is None or other.names is None:
            return one if other.names is None else other
        with naming(other.where):
            check_names(other.names, one.names, one.where)
            for drawn in zip(other.frames, other.lots, other.places, strict=True):
                one.put(*drawn)
            one.limit = min(one.limit, other.limit)
            self._thin(one)
        return one

    def _thin(self, total: Drawn) -> None:
        # Twice as many as are wanted may wait, so that rows are sorted out seldom.
        if sum(map(len, total.lots)) >= 2 * self.rows:
            total.thin(self.rows)


def draw(
    parts: Parts, reader: RowReader, rows: int, seed: int
) -> tuple[Any, NDArray[Any], NDArray[np.float64] | None]:
    """Return columns, labels and weights of rows drawn at random, without replacement.

    Raises
    ------
    SourceError
        If there is none, or parts do not go together.
    """
    try:
        drawn = parts.run(Draw(reader, rows, seed), 1)
    finally:
        parts.release()
    if not drawn.frames:
        raise SourceError("The source has no rows.")
    with naming("the sample"):
        drawn.thin(rows)
        frame = nw.from_native(drawn.frames[0], eager_only=True)
        classes, numbers, weights = reader.labels(Part(frame, "the sample"))
    names = [name for name in frame.columns if name not in (reader.target, reader.weight)]
    return frame.select(names).to_native(), classes[numbers], weights
