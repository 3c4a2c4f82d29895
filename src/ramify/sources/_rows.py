"""Labels, weights and columns of a part, and its codes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._encoding import encode
from ramify._labels import read_labels, sample_weights
from ramify._table import Mixed, is_missing, values_of
from ramify.schema import Column
from ramify.sources._errors import naming
from ramify.sources._parts import CodedPart, Part


@dataclass(frozen=True)
class RowReader:
    """Which columns of a part are what."""

    target: str
    weight: str | None = None
    class_weight: dict[Hashable, float] | None = None  # of all classes, or of some: the others have 1

    def check(self, part: Part) -> None:
        """Refuse a part that has no target, weight or other column."""
        for name, what in ((self.target, "target"), (self.weight, "weight")):
            if name is not None and name not in part.frame.columns:
                raise ValueError(f"There is no column {name!r}, the {what}; there are {part.frame.columns}.")
        if not self.features(part).names:
            raise ValueError(f"There is no column beside the target {self.target!r}.")

    def features(self, part: Part) -> Mixed:
        """Return the columns that a tree is grown from."""
        names = [name for name in part.frame.columns if name not in (self.target, self.weight)]
        return Mixed([part.frame[name] for name in names], names, part.frame.shape[0], True)

    def labels(self, part: Part) -> tuple[NDArray[Any], NDArray[np.uint32], NDArray[np.float64] | None]:
        """Return the classes of a part, the number of each row's, and their weights, 0 for those left out."""
        rows = part.frame.shape[0]
        classes, numbers = read_labels(part.frame[self.target].to_native(), rows)
        weights = None if self.weight is None else sample_weights(values_of(part.frame[self.weight]), rows)
        if self.class_weight is not None:
            by_class = np.array([self.class_weight.get(label, 1.0) for label in classes.tolist()])
            weights = by_class[numbers] if weights is None else weights * by_class[numbers]
        return classes, numbers, weights


def check_names(names: list[str], known: list[str], where: str) -> None:
    """Refuse a part that has not the columns that are known from somewhere else."""
    if names == known:
        return
    more = [name for name in names if name not in known]
    less = [name for name in known if name not in names]
    told = [f"has the columns {more}, which are not there"] if more else []
    told += [f"lacks the columns {less}, which are"] if less else []
    text = " and ".join(told) or "has the columns in another order than"
    raise ValueError(f"It {text} in {where}; all parts must have the same columns.")


@dataclass
class ClassWeights:
    """The classes of a source and their weights, for class weights that depend on them."""

    labels: list[NDArray[Any]] = field(default_factory=list)
    weight_of: dict[Hashable, float] = field(default_factory=dict)


@dataclass(frozen=True)
class WeighClasses:
    """A pass for the weights of the classes alone."""

    reader: RowReader

    def start(self) -> ClassWeights:
        """Return the result of no part."""
        return ClassWeights()

    def add(self, total: ClassWeights, part: Part, n_jobs: int) -> ClassWeights:
        """Return the result of one more part."""
        with naming(part.name):
            self.reader.check(part)
            if part.frame.shape[0] == 0:
                return total
            classes, numbers, weights = self.reader.labels(part)
        counts = np.bincount(numbers, weights, minlength=len(classes))
        more = ClassWeights([classes], dict(zip(classes.tolist(), counts.tolist(), strict=True)))
        return self.join(total, more)

    def join(self, one: ClassWeights, other: ClassWeights) -> ClassWeights:
        """Return the result of both."""
        if any(label not in one.weight_of for label in other.weight_of):
            one.labels += other.labels
        for label, count in other.weight_of.items():
            one.weight_of[label] = one.weight_of.get(label, 0.0) + count
        return one


@dataclass(frozen=True)
class RowEncoder:
    """From a part to its codes, by the schema that all parts share."""

    reader: RowReader
    columns: tuple[Column, ...]
    codings: list[_core.Coding]
    class_numbers: dict[Hashable, int]
    missing: str
    weighted: bool
    schema_name: str | None = None  # if it comes from a file: it may be that of other rows

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.class_numbers)

    def __call__(self, part: Part, n_jobs: int) -> CodedPart:
        with naming(part.name):
            return self._encode(part, n_jobs)

    def _encode(self, part: Part, n_jobs: int) -> CodedPart:
        table = self.reader.features(part)
        if table.n_rows == 0:
            return self.nothing()
        classes, numbers, weights = self.reader.labels(part)
        unknown = [label for label in classes.tolist() if label not in self.class_numbers]
        if unknown:
            raise self._not_there(f"The class {unknown[0]!r}")
        numbers = np.array([self.class_numbers[label] for label in classes.tolist()], dtype=np.uint32)[
            numbers
        ]
        blocks = encode(table, self.columns, "node", self.missing)
        counted = np.arange(table.n_rows)
        if weights is not None and not (weights > 0).all():
            counted = np.flatnonzero(weights > 0)
            numbers, weights = numbers[counted], weights[counted]
            blocks = [(values[counted], n, missing) for values, n, missing in blocks]
        rows = len(counted)
        codes, column, row = _core.encode(blocks, rows, self.codings, n_jobs)
        if codes is None:
            raise self._not_there(self._value(table, column, int(counted[row])))
        if self.weighted and weights is None:
            weights = np.ones(rows)
        return CodedPart(codes, np.ascontiguousarray(numbers), weights if self.weighted else None)

    def _value(self, table: Mixed, column: int, row: int) -> str:
        """Return a value of a part in words."""
        value = values_of(table.columns[column])[row : row + 1].tolist()[0]
        told = "The missing value" if is_missing(value) else f"The value {value!r}"
        return f"{told} of column {self.columns[column].name!r} in row {row} of this part"

    def _not_there(self, what: str) -> ValueError:
        if self.schema_name is None:
            return ValueError(f"{what} was not there before: the data have changed.")
        return ValueError(f"{what} is not in {self.schema_name}.")

    def nothing(self) -> CodedPart:
        """Return a part without rows."""
        codes: list[NDArray[Any]] = [
            np.empty(0, dtype=np.uint16 if coding.n_codes + coding.has_missing > 256 else np.uint8)
            for coding in self.codings
        ]
        return CodedPart(codes, np.empty(0, dtype=np.uint32), np.empty(0) if self.weighted else None)
