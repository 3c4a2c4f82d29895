"""What a source is to the loop that grows a tree: parts that can be worked through, again and again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeVar

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray

from ramify import _core

Total = TypeVar("Total")


class Task(Protocol[Total]):
    """Work on parts whose results can be added up, in any order. It goes to where the parts are."""

    def start(self) -> Total:
        """Return the result of no part."""
        ...

    def add(self, total: Total, part: Part, n_jobs: int) -> Total:
        """Return the result of one more part."""
        ...

    def join(self, one: Total, other: Total) -> Total:
        """Return the result of both."""
        ...


@dataclass(frozen=True)
class Part:
    """Some rows: a frame, and the name by which errors call it."""

    frame: nw.DataFrame[Any]
    name: str
    number: int = 0  # of the partition of a cluster; files are one


@dataclass(frozen=True)
class CodedPart:
    """Some rows as codes, with their class numbers, and their weights unless all count once."""

    codes: list[NDArray[Any]]
    classes: NDArray[np.uint32]
    weights: NDArray[np.float64] | None

    def take(self, rows: NDArray[np.intp]) -> CodedPart:
        """Return some of the rows."""
        weights = None if self.weights is None else self.weights[rows]
        return CodedPart([codes[rows] for codes in self.codes], self.classes[rows], weights)


class CodedTask(Protocol[Total]):
    """The same on rows as codes."""

    def start(self) -> Total:
        """Return the result of no part."""
        ...

    def add(self, total: Total, part: CodedPart, n_jobs: int) -> Total:
        """Return the result of one more part."""
        ...

    def join(self, one: Total, other: Total) -> Total:
        """Return the result of both."""
        ...


class CodedParts(ABC):
    """All rows as codes, kept where the next pass finds them."""

    @abstractmethod
    def run(self, task: CodedTask[Total], n_jobs: int) -> Total:
        """Return the result of a task over all parts."""

    @abstractmethod
    def fetch(self, pick: Pick, take: Callable[[CodedPart, NDArray[np.int32]], None], n_jobs: int) -> None:
        """Call `take` with the rows that `pick` chooses, and their slots, part by part."""

    @abstractmethod
    def close(self) -> None:
        """Free what was kept for this process."""

    @property
    def identity(self) -> dict[str, Any] | None:
        """What another process must know to take these codes up again; None if they go with this one."""
        return None


@dataclass(frozen=True)
class Pick:
    """The rows that have come to some nodes of a partial tree."""

    frontier: _core.Frontier
    codings: list[_core.Coding]
    n_classes: int
    all_rows: bool = False  # the node is the root

    def __call__(self, part: CodedPart, n_jobs: int = 1) -> tuple[CodedPart, NDArray[np.int32]]:
        if self.all_rows:
            return part, np.zeros(len(part.classes), dtype=np.int32)
        slots = self.frontier.slots(part.codes, part.classes, self.codings, self.n_classes, n_jobs)
        rows = np.flatnonzero(slots >= 0)
        return part.take(rows), slots[rows]


class Parts(ABC):
    """The parts of a source as they are."""

    @abstractmethod
    def run(self, task: Task[Total], n_jobs: int) -> Total:
        """Return the result of a task over all parts."""

    @abstractmethod
    def encode(self, encoder: Encoder, n_jobs: int, checkpoint: Path | None) -> CodedParts:
        """Return all parts as codes; of those of a cluster none outlives the fit, checkpoint or not."""

    def take_up(self, checkpoint: Path, identity: dict[str, Any]) -> CodedParts | None:
        """Return the codes that another process made for this checkpoint, None if they can't be used."""
        return None

    def forget(self, checkpoint: Path) -> None:  # noqa: B027 - clusters keep nothing
        """Remove what is kept for a checkpoint whose fit is done."""

    def release(self) -> None:  # noqa: B027 - most keep nothing
        """Let go of what was kept between passes."""


class Encoder(Protocol):
    """From a part to its codes."""

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        ...

    def __call__(self, part: Part, n_jobs: int) -> CodedPart:
        """Return the part's rows as codes."""
        ...
