"""The loop that grows a tree from a source: pass by pass over rows as codes.

In every pass the open nodes are counted, as many as the budget allows; of siblings the larger one's counts
are what the others leave of their parent's. Nodes whose rows fit the budget are fetched in the same pass, and
all below them is grown in memory, so that deep trees do not cost a pass a level.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.sources._parts import CodedPart, CodedParts, Pick

log = logging.getLogger("ramify.sources")

Counts = NDArray[Any]

_ROOT = 0


@dataclass(frozen=True)
class CountNodes:
    """The counts of some nodes of a partial tree."""

    frontier: _core.Frontier
    codings: list[_core.Coding]
    n_classes: int
    cells: int
    real: bool

    def start(self) -> Counts:
        """Return the counts of no rows."""
        return np.zeros((self.frontier.size, self.cells), dtype=np.float64 if self.real else np.int64)

    def add(self, total: Counts, part: CodedPart, n_jobs: int) -> Counts:
        """Return the counts with those of a part."""
        self.frontier.count(
            part.codes, part.classes, part.weights, self.codings, self.n_classes, total, n_jobs
        )
        return total

    def join(self, one: Counts, other: Counts) -> Counts:
        """Return the counts of both."""
        one += other
        return one


@dataclass
class Turn:
    """What one pass does: nodes that are counted, those that follow by subtraction, and those fetched."""

    counted: list[int] = field(default_factory=list)
    derived: dict[int, tuple[int, list[int]]] = field(default_factory=dict)  # parent, and the other children
    fetched: list[int] = field(default_factory=list)


class Grower:
    """A tree that grows from parts.

    Parameters
    ----------
    growth : _core.CountedGrowth
        The tree as far as it has grown.
    codings : list of Coding
        Of its columns.
    n_classes : int
        Its classes.
    budget : int
        Bytes for the counts of nodes, and again for fetched rows.
    n_jobs : int
        Threads.
    """

    def __init__(
        self,
        growth: _core.CountedGrowth,
        codings: list[_core.Coding],
        n_classes: int,
        budget: int,
        n_jobs: int,
    ) -> None:
        self.growth = growth
        self._codings = codings
        self._n_classes = n_classes
        self._n_jobs = n_jobs
        self._kept: dict[int, Counts] = {}  # of nodes whose children are open
        self._most_nodes = max(2, budget // (8 * growth.cells))
        width = sum(2 if coding.n_codes + coding.has_missing > 256 else 1 for coding in codings)
        # Beside codes and class a row in memory has its number, thrice, and what growing notes about it.
        self._most_rows = max(1, budget // (width + (20 if growth.unit else 60)))

    def plan(self) -> Turn:
        """Say what the next pass does."""
        sizes, turn = self.growth.n_rows, Turn()
        open_nodes = sorted(self.growth.open, key=lambda node: (int(sizes[node]), node))
        room = self._most_rows
        for node in open_nodes:
            if sizes[node] > room:
                break
            turn.fetched.append(node)
            room -= int(sizes[node])
        wanted = sorted(set(open_nodes) - set(turn.fetched))
        self._plan_counts(wanted, sizes, turn)
        return turn

    def _plan_counts(self, wanted: list[int], sizes: NDArray[np.int64], turn: Turn) -> None:
        parents, first, n_children = self.growth.parent, self.growth.first_child, self.growth.n_children
        families: dict[int, list[int]] = {}
        for node in wanted:
            families.setdefault(int(parents[node]), []).append(node)
        used = {parent for parent in families if parent in self._kept}
        self._kept = {node: counts for node, counts in self._kept.items() if node in used}
        room = max(2, self._most_nodes - len(self._kept))
        for parent, nodes in families.items():
            largest = max(nodes, key=lambda node: (int(sizes[node]), -node))
            others = []
            if parent in self._kept:
                children = range(int(first[parent]), int(first[parent] + n_children[parent]))
                others = [child for child in children if child != largest and sizes[child] > 0]
            if others and sizes[others].sum() < sizes[nodes].sum():
                counted, derived = others, {largest: (parent, others)}
            else:
                counted, derived = nodes, {}
            if len(counted) > room:
                counted, derived = (
                    nodes[:room],
                    {},
                )  # of a family without counts of its parent, a few at a time
            if not counted:
                break
            turn.counted += counted
            turn.derived |= derived
            room -= len(counted)

    def run(self, turn: Turn, parts: CodedParts) -> None:
        """Carry a turn out."""
        counts = self._count(turn, parts)
        fetched = self._fetch(turn, parts)
        to_split = set(self.growth.open) - set(turn.fetched)  # others were counted for their siblings' sake
        known = {node: found for node, found in counts.items() if node in to_split}
        nodes = sorted(known)
        self.growth.split(nodes, [known[node] for node in nodes], self._n_jobs)
        if turn.fetched:
            self.growth.grow_below(turn.fetched, fetched, self._n_jobs)
        self._keep(known)

    def _count(self, turn: Turn, parts: CodedParts) -> dict[int, Counts]:
        if not turn.counted:
            return {}
        task = CountNodes(
            self.growth.frontier(turn.counted),
            self._codings,
            self._n_classes,
            self.growth.cells,
            self.growth.real,
        )
        table = parts.run(task, self._n_jobs)
        counts = dict(zip(turn.counted, table, strict=True))
        for node, (parent, others) in turn.derived.items():
            left = self._kept.pop(parent)
            for other in others:
                left -= counts[other]
            counts[node] = left
        return counts

    def _fetch(self, turn: Turn, parts: CodedParts) -> _core.FetchedRows:
        sizes = self.growth.n_rows[turn.fetched].tolist()
        rows = _core.FetchedRows(self._codings, sizes, not self.growth.unit)
        if not turn.fetched:
            return rows
        frontier = self.growth.frontier(turn.fetched)
        pick = Pick(frontier, self._codings, self._n_classes, all_rows=turn.fetched == [_ROOT])

        def take(part: CodedPart, slots: NDArray[np.int32]) -> None:
            rows.add(part.codes, part.classes, part.weights, slots, self._codings, self._n_classes)

        parts.fetch(pick, take, self._n_jobs)
        return rows

    def _keep(self, known: dict[int, Counts]) -> None:
        """Keep the counts of nodes with open children, where they can be subtracted from without rests."""
        self._kept = {}
        if self.growth.real:
            return
        parents, sizes = self.growth.parent, self.growth.n_rows
        with_children = {int(parents[node]) for node in self.growth.open} & set(known)
        largest = sorted(with_children, key=lambda node: (-int(sizes[node]), node))
        for node in largest[: self._most_nodes // 2]:
            self._kept[node] = known[node]
