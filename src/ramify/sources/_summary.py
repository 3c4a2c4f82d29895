"""The first pass: what the columns, classes and weights of a source are."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._encoding import Blocks, choose_nominal, encode_numeric, sorted_categories
from ramify._labels import read_labels
from ramify._table import Mixed, column_kind, stored_categories, values_are_null, values_of
from ramify.schema import Schema
from ramify.sources._errors import SourceError, naming
from ramify.sources._parts import Part
from ramify.sources._rows import RowReader, check_names
from ramify.sources._sketch import QuantileSketch


@dataclass
class ColumnSummary:
    """What is known of a column after some parts."""

    kind: str | None = None  # "numeric" or "nominal"; None as long as all values were missing
    where: str = ""  # the part that told the kind
    missing: bool = False
    few: NDArray[np.float64] | None = field(default_factory=lambda: np.empty(0))  # None: too many
    low: float = np.inf
    high: float = -np.inf
    keys: _core.KeyHistogram | QuantileSketch | None = None  # of all parts the same of the two
    declared: tuple[Hashable, ...] | None = None  # categories by the type
    same_declared: bool = True
    categories: set[Hashable] = field(default_factory=set)

    def join(self, other: ColumnSummary, name: str, max_bins: int) -> None:
        """Add what other parts have."""
        self._settle_kind(other, name)
        self.missing |= other.missing
        self.few = _few(self.few, other.few, max_bins)
        self.low, self.high = min(self.low, other.low), max(self.high, other.high)
        if self.keys is None:
            self.keys = other.keys
        elif other.keys is not None:
            self.keys.add(other.keys)  # type: ignore[arg-type]
        self.declared = other.declared if self.declared is None else self.declared
        self.same_declared &= other.same_declared and other.declared in (None, self.declared)
        self.categories |= other.categories

    def _settle_kind(self, other: ColumnSummary, name: str) -> None:
        if self.kind is not None and other.kind is not None and self.kind != other.kind:
            raise SourceError(
                f"Column {name!r} is {self.kind} in {self.where} and {other.kind} in {other.where}; it must "
                "be one of the two everywhere."
            )
        if self.kind is None:
            self.kind, self.where = other.kind, other.where

    def all_categories(self, name: str) -> tuple[Hashable, ...]:
        """Return the categories in their order: declared by the type, or sorted."""
        if self.declared is not None and self.same_declared:
            return self.declared
        found = np.empty(len(self.categories), dtype=object)
        found[:] = list(self.categories)
        return sorted_categories(found, name)


def _few(
    one: NDArray[np.float64] | None, other: NDArray[np.float64] | None, limit: int
) -> NDArray[np.float64] | None:
    if one is None or other is None:
        return None
    both = np.union1d(one, other)
    return both if len(both) <= limit else None


@dataclass
class Summary:
    """What is known of a source after some parts.

    Rows of weight zero tell classes and categories, and nothing else.
    """

    names: list[str] | None = None
    where: str = ""
    columns: list[ColumnSummary] = field(default_factory=list)
    labels: list[NDArray[Any]] = field(default_factory=list)
    label_kind: str = ""
    weight_of: dict[Hashable, float] = field(default_factory=dict)
    seen: int = 0  # rows
    rows: int = 0  # that count
    unit: bool = True
    whole: bool = True
    smallest: float = np.inf

    @property
    def weight(self) -> float:
        """The weight of all rows."""
        return float(sum(self.weight_of.values()))

    def classes(self) -> NDArray[Any]:
        """Return the classes in order."""
        if not self.labels:
            raise SourceError("The source has no rows.")
        joined = np.concatenate(self.labels)
        return read_labels(joined, len(joined))[0]


@dataclass(frozen=True)
class Summarise:
    """The task of the first pass."""

    reader: RowReader
    categorical_features: Any
    max_bins: int
    cuts: str
    quantiles: str

    def start(self) -> Summary:
        """Return the summary of no part."""
        return Summary()

    def add(self, total: Summary, part: Part, n_jobs: int) -> Summary:
        """Return the summary with one more part."""
        with naming(part.name):
            return self._add(total, part, n_jobs)

    def _add(self, total: Summary, part: Part, n_jobs: int) -> Summary:
        self.reader.check(part)
        table = self.reader.features(part)
        self._check_names(total, table.names, part.name)
        if table.n_rows == 0:
            return total
        classes, numbers, weights = self.reader.labels(part)
        self._add_labels(total, classes, numbers, weights)
        total.seen += table.n_rows
        if weights is not None:
            counted = weights > 0
            total.rows += int(np.count_nonzero(counted))
            _add_weights(total, weights[counted])
        else:
            total.rows += table.n_rows
            total.smallest = min(total.smallest, 1.0)
        self._add_columns(total, part, table, weights, n_jobs)
        return total

    def _check_names(self, total: Summary, names: list[str], where: str) -> None:
        if total.names is None:
            total.names, total.where = names, where
            total.columns = [ColumnSummary() for _ in names]
            return
        check_names(names, total.names, total.where)

    def _add_labels(
        self,
        total: Summary,
        classes: NDArray[Any],
        numbers: NDArray[np.uint32],
        weights: NDArray[np.float64] | None,
    ) -> None:
        kind = "number" if classes.dtype.kind in "iuf" else classes.dtype.kind
        if total.label_kind not in ("", kind):
            raise ValueError(
                f"The target {self.reader.target!r} has labels of another type ({classes.dtype}) than in "
                f"{total.where}."
            )
        total.label_kind = kind
        counts = np.bincount(numbers, weights, minlength=len(classes))
        listed = classes.tolist()
        if any(label not in total.weight_of for label in listed):
            total.labels.append(classes)
        for label, count in zip(listed, counts.tolist(), strict=True):
            total.weight_of[label] = total.weight_of.get(label, 0.0) + count

    def _add_columns(
        self, total: Summary, part: Part, table: Mixed, weights: NDArray[np.float64] | None, n_jobs: int
    ) -> None:
        nominal = choose_nominal(table, self.categorical_features)
        by_type = isinstance(self.categorical_features, str)
        counted = None if weights is None else np.flatnonzero(weights > 0)
        kept = weights if counted is None or weights is None else weights[counted]

        def add(place: int) -> None:
            name, values = table.names[place], table.columns[place]
            own = ColumnSummary()
            if by_type and values_are_null(values):
                own.missing = counted is None or len(counted) > 0
            elif nominal[place]:
                _summarise_nominal(own, values, name, counted)
            else:
                self._summarise_numeric(total.columns[place], own, values, name, counted, kept)
            own.where = part.name
            total.columns[place].join(own, name, self.max_bins)

        each(add, range(len(table.names)), n_jobs)

    def _summarise_numeric(
        self,
        total: ColumnSummary,
        own: ColumnSummary,
        values: Any,
        name: str,
        counted: NDArray[np.intp] | None,
        weights: NDArray[np.float64] | None,
    ) -> None:
        own.kind = "numeric"
        floats = encode_numeric(values, name)
        floats = floats if counted is None else floats[counted]
        infinite_row, _, missing_row, _ = _core.not_finite((floats.reshape(-1, 1), 0, True))
        if infinite_row >= 0:
            raise ValueError(
                f"Input X contains infinity: column {name!r} has {floats[infinite_row]} in row "
                f"{infinite_row} of this part; all numbers must be finite."
            )
        own.missing = missing_row >= 0
        if self.cuts == "equal_width":
            known = floats[~np.isnan(floats)]
            own.low, own.high = float(known.min(initial=np.inf)), float(known.max(initial=-np.inf))
            return
        block: Blocks = [(floats.reshape(-1, 1), 0, own.missing)]
        own.few = _core.distinct(block, len(floats), self.max_bins)
        if self.cuts == "quantile":
            if total.keys is None:  # to add parts to one is cheaper than to join them
                total.keys = QuantileSketch() if self.quantiles == "sketch" else _core.KeyHistogram()
            total.keys.count(block, len(floats), weights)

    def join(self, one: Summary, other: Summary) -> Summary:
        """Return the summary of both."""
        if one.names is None or other.names is None:
            return one if other.names is None else other
        with naming(other.where):
            self._check_names(one, other.names, other.where)
            if "" not in (one.label_kind, other.label_kind) and one.label_kind != other.label_kind:
                raise ValueError(
                    f"The target {self.reader.target!r} has labels of another type than in {one.where}."
                )
        for mine, others, name in zip(one.columns, other.columns, one.names, strict=True):
            mine.join(others, name, self.max_bins)
        one.label_kind = one.label_kind or other.label_kind
        one.labels += other.labels
        for label, count in other.weight_of.items():
            one.weight_of[label] = one.weight_of.get(label, 0.0) + count
        one.seen += other.seen
        one.rows += other.rows
        one.unit &= other.unit
        one.whole &= other.whole
        one.smallest = min(one.smallest, other.smallest)
        return one


@dataclass(frozen=True)
class CountRows(Summarise):
    """The same where a schema is known already: its classes are counted, and its columns not looked into."""

    schema: Schema
    schema_name: str

    def start(self) -> Summary:
        """Return the summary of no part, with which all parts must agree."""
        columns = [ColumnSummary() for _ in self.schema.columns]
        return Summary(self.schema.names, self.schema_name, columns)

    def _add_labels(
        self,
        total: Summary,
        classes: NDArray[Any],
        numbers: NDArray[np.uint32],
        weights: NDArray[np.float64] | None,
    ) -> None:
        known = self.schema.classes.tolist()
        for label in classes.tolist():
            if label not in known:
                raise ValueError(f"The class {label!r} is not in {self.schema_name}, which has {known}.")
        super()._add_labels(total, classes, numbers, weights)

    def _add_columns(
        self, total: Summary, part: Part, table: Mixed, weights: NDArray[np.float64] | None, n_jobs: int
    ) -> None:
        pass


def _summarise_nominal(own: ColumnSummary, values: Any, name: str, counted: NDArray[np.intp] | None) -> None:
    own.kind = "nominal"
    stored = stored_categories(values)
    if stored is not None:
        categories, rows = stored
        # The dictionary of an Arrow column is that of a part, and no declaration.
        if not hasattr(values.to_native(), "unify_dictionaries") or column_kind(values) == "boolean":
            own.declared = categories
        own.categories = set(categories)
        own.missing = bool((rows < 0).any() if counted is None else (rows[counted] < 0).any())
        return
    listed = values_of(values)
    own.categories = set(sorted_categories(listed, name))
    some = listed if counted is None else listed[counted]
    own.missing = any(value not in own.categories for value in some.tolist())


def _add_weights(total: Summary, weights: NDArray[np.float64]) -> None:
    if len(weights) == 0:
        return
    total.unit &= bool((weights == 1.0).all())
    total.whole &= bool((weights == np.floor(weights)).all())
    total.smallest = min(total.smallest, float(weights.min()))


def each(work: Callable[[int], None], places: Iterable[int], n_jobs: int) -> None:
    """Call a function for every column, by several threads if wanted."""
    if n_jobs <= 1:
        for place in places:
            work(place)
        return
    with ThreadPoolExecutor(n_jobs) as pool:
        for done in [pool.submit(work, place) for place in places]:
            done.result()
