"""The partitions of a small set: their order, their meets, and their tables.

A partition is written as the block of each element, blocks numbered as they first occur: (0, 0, 1) has the
blocks {1, 2} and {3}.
"""

from __future__ import annotations

from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

Partition = tuple[int, ...]


@cache
def partitions_of(n: int) -> tuple[Partition, ...]:
    """Return all partitions of n elements.

    Examples
    --------
    >>> from ramify.experiments.reproduce.partitions import partitions_of
    >>> [len(partitions_of(n)) for n in range(1, 6)]
    [1, 2, 5, 15, 52]
    """
    if n == 0:
        return ((),)
    return tuple(
        (*shorter, block) for shorter in partitions_of(n - 1) for block in range(max(shorter, default=-1) + 2)
    )


def canonical(blocks: tuple[object, ...]) -> Partition:
    """Return a partition from any labels of its blocks."""
    seen: dict[object, int] = {}
    return tuple(seen.setdefault(block, len(seen)) for block in blocks)


def written(partition: Partition) -> str:
    """Return a partition as people write it.

    Examples
    --------
    >>> from ramify.experiments.reproduce.partitions import written
    >>> written((0, 0, 1, 0))
    '124|3'
    """
    blocks = range(max(partition) + 1)
    return "|".join("".join(str(i + 1) for i, b in enumerate(partition) if b == block) for block in blocks)


def sizes(partition: Partition, length: int) -> NDArray[np.float64]:
    """Return the sizes of the blocks, followed by zeros up to `length`."""
    return np.bincount(partition, minlength=length).astype(float)


class Lattice:
    """All partitions of n elements, and how they lie to each other; pairs are indexed by their places."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.all = partitions_of(n)
        self._place = {partition: i for i, partition in enumerate(self.all)}

    @property
    def coarsest(self) -> int:
        """The place of the partition with one block."""
        return self._place[(0,) * self.n]

    @cached_property
    def sizes(self) -> NDArray[np.float64]:
        """The sizes of the blocks, shape (partitions, n)."""
        return np.array([sizes(partition, self.n) for partition in self.all])

    @cached_property
    def tables(self) -> NDArray[np.float64]:
        """For p and s the counts with the blocks of s down and those of p across, shape (p, s, n, n)."""
        members = np.array([np.eye(self.n)[list(partition)] for partition in self.all])
        tables: NDArray[np.float64] = np.einsum("sej,pek->psjk", members, members)
        return tables

    @cached_property
    def meet(self) -> NDArray[np.intp]:
        """The place of the infimum of every pair."""
        places = [[self._place[canonical(tuple(zip(p, s, strict=True)))] for s in self.all] for p in self.all]
        return np.array(places)

    @cached_property
    def below(self) -> NDArray[np.bool_]:
        """Whether every block of the first is inside a block of the second."""
        below: NDArray[np.bool_] = self.meet == np.arange(len(self.all))[:, None]
        return below

    @cached_property
    def covered(self) -> NDArray[np.bool_]:
        """Whether the second is the first with two blocks fused."""
        blocks = (self.sizes > 0).sum(axis=1)
        covered: NDArray[np.bool_] = self.below & (blocks[:, None] == blocks[None, :] + 1)
        return covered

    @cached_property
    def _fused(self) -> NDArray[np.float64]:
        """For p', p, s, a block of s: how many elements of the block that p fuses are in it."""
        members = np.array([np.eye(self.n)[list(partition)] for partition in self.all])
        together = np.einsum("pek,pfk->pef", members, members) > 0
        # Every element of a fused block is newly joined to one of the other block.
        fused = (together[None, :] & ~together[:, None]).any(axis=-1) & self.covered[:, :, None]
        counts: NDArray[np.float64] = np.einsum("abe,sek->absk", fused.astype(float), members)
        return counts

    @cached_property
    def fused_inside(self) -> NDArray[np.bool_]:
        """For p', p, s: whether p is p' with two blocks fused, and their union lies inside a block of s."""
        inside: NDArray[np.bool_] = (self._fused > 0).sum(axis=-1) == 1
        return inside

    @cached_property
    def holder(self) -> NDArray[np.float64]:
        """For p', p, s: the size of that block of s, where there is one."""
        size: NDArray[np.float64] = ((self._fused > 0) * self.sizes).max(axis=-1)
        return np.where(self.fused_inside, size, float(self.n))
