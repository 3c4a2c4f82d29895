"""How the columns of a source become codes: distinct values where they are few, else quantiles.

Nothing depends on how the rows are parted: sets and counts of parts are added, and the quantiles are those of
all rows by definition. Sketches alone are not like that: theirs are quantiles of the numbers that they kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._encoding import Blocks, encode_numeric
from ramify.schema import Column
from ramify.sources._errors import SourceError, naming
from ramify.sources._parts import Part, Parts
from ramify.sources._rows import RowReader
from ramify.sources._sketch import QuantileSketch
from ramify.sources._summary import ColumnSummary, Summary, each

#: Codes take at most 16 bits, one of them for missing values.
MOST_CATEGORIES = 65535

#: What a number that is collected takes, with its weight.
_BYTES = 16


def make_columns(summary: Summary) -> tuple[Column, ...]:
    """Return the columns of the schema."""
    columns = []
    for name, found in zip(summary.names or [], summary.columns, strict=True):
        if found.kind != "nominal":
            columns.append(Column(name))
            continue
        categories = found.all_categories(name)
        if len(categories) > MOST_CATEGORIES:
            raise SourceError(
                f"The nominal column {name!r} has {len(categories)} categories; with a source at most "
                f"{MOST_CATEGORIES} are accepted."
            )
        columns.append(Column(name, categories))
    return tuple(columns)


@dataclass(frozen=True)
class _Look:
    """What the next pass does for a column: counts keys in stretches, or collects the numbers in them."""

    place: int
    stretches: _core.Stretches


@dataclass(frozen=True)
class _NumericTask:
    reader: RowReader
    looks: tuple[_Look, ...]

    def _each(self, part: Part, n_jobs: int, work: Any) -> None:
        with naming(part.name):
            if part.frame.shape[0] == 0:
                return
            table = self.reader.features(part)
            weights = self.reader.labels(part)[2] if self.reader.weight or self.reader.class_weight else None
            counted = None if weights is None else weights > 0

            def do(i: int) -> None:
                place = self.looks[i].place
                floats = encode_numeric(table.columns[place], table.names[place])
                kept = weights
                if counted is not None and weights is not None:
                    floats, kept = floats[counted], weights[counted]
                block: Blocks = [(floats.reshape(-1, 1), 0, True)]
                work(i, block, len(floats), kept)

            each(do, range(len(self.looks)), n_jobs)


@dataclass(frozen=True)
class _CountKeys(_NumericTask):
    def start(self) -> list[_core.KeyHistogram]:
        return [_core.KeyHistogram(look.stretches) for look in self.looks]

    def add(self, total: list[_core.KeyHistogram], part: Part, n_jobs: int) -> list[_core.KeyHistogram]:
        self._each(part, n_jobs, lambda i, block, rows, weights: total[i].count(block, rows, weights))
        return total

    def join(
        self, one: list[_core.KeyHistogram], other: list[_core.KeyHistogram]
    ) -> list[_core.KeyHistogram]:
        for mine, others in zip(one, other, strict=True):
            mine.add(others)
        return one


#: Of every column and part numbers, as wide as they came, and weights if there are any: they travel.
_Numbers = list[list[tuple[NDArray[Any], NDArray[np.float64] | None]]]


@dataclass(frozen=True)
class _CollectNumbers(_NumericTask):
    def start(self) -> _Numbers:
        return [[] for _ in self.looks]

    def add(self, total: _Numbers, part: Part, n_jobs: int) -> _Numbers:
        def collect(i: int, block: Blocks, rows: int, weights: NDArray[np.float64] | None) -> None:
            numbers, their_weights = _core.numbers_within(block, rows, weights, self.looks[i].stretches)
            total[i].append((numbers.astype(block[0][0].dtype), None if weights is None else their_weights))

        self._each(part, n_jobs, collect)
        return total

    def join(self, one: _Numbers, other: _Numbers) -> _Numbers:
        return [mine + others for mine, others in zip(one, other, strict=True)]


def make_codings(
    parts: Parts,
    reader: RowReader,
    summary: Summary,
    columns: tuple[Column, ...],
    settings: dict[str, Any],
    budget: int,
    n_jobs: int,
) -> list[_core.Coding]:
    """Return the coding of every column; quantiles may take one or two more passes.

    Raises
    ------
    ValueError
        If ``cuts="exact"`` is asked for and a column has more distinct values than `max_bins`.
    """
    codings: list[_core.Coding | None] = []
    searches: dict[int, _core.QuantileSearch] = {}
    for place, (column, found) in enumerate(zip(columns, summary.columns, strict=True)):
        codings.append(_simple_coding(column, found, settings))
        if codings[-1] is None:
            searches[place] = _core.QuantileSearch(settings["max_bins"])
            if found.keys is None:
                raise RuntimeError(f"the keys of column {column.name!r} were not counted")
            if isinstance(found.keys, QuantileSketch):
                _search_points(searches[place], *found.keys.points())
            else:
                searches[place].look(found.keys)
            found.keys = None
    _search_quantiles(parts, reader, searches, budget, n_jobs)
    for place, search in searches.items():
        edges = search.edges()
        codings[place] = _core.Coding(edges=edges, has_missing=summary.columns[place].missing)
    return [coding for coding in codings if coding is not None]


def _simple_coding(column: Column, found: ColumnSummary, settings: dict[str, Any]) -> _core.Coding | None:
    """Return the coding of a column that needs no quantiles."""
    if column.categories is not None:
        # A column without a category has only missing values; the core wants at least one declared.
        return _core.Coding(max(len(column.categories), 1), has_missing=found.missing)
    if settings["cuts"] == "equal_width":
        edges = _core.equal_width_edges(found.low, found.high, settings["max_bins"])
        return _core.Coding(edges=edges, has_missing=found.missing)
    if found.few is not None:
        return _core.Coding(values=found.few, has_missing=found.missing)
    if settings["cuts"] == "exact":
        raise ValueError(
            f"Column {column.name!r} has more than max_bins={settings['max_bins']} distinct values, so that "
            "cuts='exact' can't be had from a source; use cuts='quantile' (or 'equal_width'), or more bins."
        )
    return None


def _search_quantiles(
    parts: Parts, reader: RowReader, searches: dict[int, _core.QuantileSearch], budget: int, n_jobs: int
) -> None:
    while True:
        looks = tuple(_Look(place, search.open()) for place, search in searches.items() if search.open())
        if not looks:
            return
        if sum(searches[look.place].rows_open for look in looks) * _BYTES > budget:
            histograms: list[_core.KeyHistogram] = parts.run(_CountKeys(reader, looks), n_jobs)
            for look, histogram in zip(looks, histograms, strict=True):
                searches[look.place].look(histogram)
            continue
        collected: _Numbers = parts.run(_CollectNumbers(reader, looks), n_jobs)
        for look, found in zip(looks, collected, strict=True):
            searches[look.place].settle(*_in_order(found))


def _in_order(
    found: list[tuple[NDArray[Any], NDArray[np.float64] | None]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the numbers of all parts in order, and their weights."""
    numbers = np.concatenate([numbers for numbers, _ in found])
    weights = [weights for _, weights in found if weights is not None]
    if not weights:
        return np.sort(numbers).astype(np.float64), np.ones(len(numbers))
    order = np.argsort(numbers, kind="stable")
    return numbers[order].astype(np.float64), np.concatenate(weights)[order]


def _search_points(
    search: _core.QuantileSearch, numbers: NDArray[np.float64], weights: NDArray[np.float64]
) -> None:
    """Find the quantiles of numbers that are at hand, in order."""
    block: Blocks = [(numbers.reshape(-1, 1), 0, False)]
    histogram = _core.KeyHistogram()
    histogram.count(block, len(numbers), weights)
    search.look(histogram)
    if search.open():
        search.settle(*_core.numbers_within(block, len(numbers), weights, search.open()))
