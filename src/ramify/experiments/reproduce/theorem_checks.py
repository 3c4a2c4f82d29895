"""Checks of claims about entropies of partitions, for one order at a time.

A check looks at every partition, pair or triple of a lattice, counts where the claim fails, and keeps the
worst case. Entropies and distances are the library's own: `measures.entropy`, `measures.distance`,
`measures.normalized_distance`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from ramify import measures
from ramify.experiments.reproduce.partitions import Lattice, Partition, partitions_of, sizes, written

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

#: Differences that rounding may make.
SLACK = 1e-12


class Entropies:
    """The entropies of one order on a lattice of partitions."""

    def __init__(self, lattice: Lattice, beta: float) -> None:
        self.lattice, self.beta = lattice, beta

    @cached_property
    def plain(self) -> Array:
        """H(p)."""
        return np.asarray(measures.entropy(self.lattice.sizes, q=self.beta))

    @cached_property
    def given(self) -> Array:
        """H(p given s), by definition 2.1: the mean entropy of p's traces on the blocks of s."""
        traces = np.asarray(measures.entropy(self.lattice.tables, q=self.beta))
        weights = self.lattice.tables.sum(axis=-1) / self.lattice.n
        total: Array = (weights * traces).sum(axis=-1)
        return total

    @cached_property
    def meet(self) -> Array:
        """H(p and s), of the infimum."""
        return self.plain[self.lattice.meet]

    @cached_property
    def distance(self) -> Array:
        """d(p, s)."""
        return -np.asarray(measures.score("distance", self.lattice.tables, self.beta))

    @cached_property
    def normalized(self) -> Array:
        """e(p, s)."""
        return -np.asarray(measures.score("normalized_distance", self.lattice.tables, self.beta))


@dataclass(frozen=True)
class Check:
    """What was found for one theorem and one order."""

    cases: int
    failures: int
    worst: float
    example: str

    @property
    def holds(self) -> bool:
        """Whether there was no failure."""
        return self.failures == 0


Values = Callable[[Entropies], Array]
Places = Callable[[Lattice], Mask]
Checking = Callable[[Entropies], Check]


def _judge(slack: Array, valid: Mask | None, lattice: Lattice) -> Check:
    """Return the check of `slack >= 0` wherever `valid`; the axes are places of partitions."""
    considered = np.ones(slack.shape, dtype=bool) if valid is None else np.broadcast_to(valid, slack.shape)
    failing = considered & (slack < -SLACK)
    worst, example = 0.0, ""
    if failing.any():
        values = np.where(failing, slack, 0.0)
        place = np.unravel_index(int(np.argmin(values)), values.shape)
        worst = float(-values[place])
        example = ", ".join(written(lattice.all[i]) for i in place) + f": fails by {worst:.4f}"
    return Check(int(considered.sum()), int(failing.sum()), worst, example)


def inequality(larger: Values, smaller: Values, where: Places | None = None) -> Checking:
    """Return the check that one thing is at least another, wherever `where` says so."""

    def check(h: Entropies) -> Check:
        valid = None if where is None else where(h.lattice)
        return _judge(larger(h) - smaller(h), valid, h.lattice)

    return check


def equality(one: Values, other: Values, where: Places | None = None) -> Checking:
    """Return the check that two things are equal, wherever `where` says so."""

    def check(h: Entropies) -> Check:
        valid = None if where is None else where(h.lattice)
        return _judge(-np.abs(one(h) - other(h)), valid, h.lattice)

    return check


def zero_iff(value: Values, when: Places) -> Checking:
    """Return the check that a thing is 0 where `when` says so, and nowhere else."""

    def check(h: Entropies) -> Check:
        wrong = (np.abs(value(h)) <= SLACK) != when(h.lattice)
        return _judge(-wrong.astype(float), None, h.lattice)

    return check


def triangle(value: Values) -> Checking:
    """Return the check of value(p, s) + value(s, t) >= value(p, t)."""
    return inequality(lambda h: value(h)[:, :, None] + value(h)[None, :, :], lambda h: value(h)[:, None, :])


def chain(h: Entropies) -> Array:
    """Return H(p given s and t) + H(s given t) - H(p and s given t), for all p, s, t."""
    meet = h.lattice.meet
    return h.given[:, meet] + h.given[None, :, :] - h.given[meet, :]


def axiom_sizes(h: Entropies) -> Check:
    """P2: the finest partition of a larger set has no less entropy."""
    values = [float(np.asarray(measures.entropy(np.ones(n), q=h.beta))) for n in range(1, h.lattice.n + 1)]
    slack = np.array([[b - a if j >= i else 0.0 for j, b in enumerate(values)] for i, a in enumerate(values)])
    failing = int((slack < -SLACK).sum())
    return Check(h.lattice.n * (h.lattice.n + 1) // 2, failing, float(max(0.0, -slack.min())), "")


def _entropy(partition: Partition, beta: float) -> float:
    return float(np.asarray(measures.entropy(sizes(partition, len(partition)), q=beta)))


def _compared(pairs: list[tuple[Partition, Partition, float, float]]) -> Check:
    """Return the check that two numbers are equal, for pairs of partitions."""
    gaps = [abs(one - other) for *_, one, other in pairs]
    worst = int(np.argmax(gaps))
    failing = sum(gap > SLACK for gap in gaps)
    example = ""
    if failing:
        example = f"{written(pairs[worst][0])}, {written(pairs[worst][1])}: fails by {gaps[worst]:.4f}"
    return Check(len(pairs), failing, gaps[worst] if failing else 0.0, example)


def axiom_sum(h: Entropies) -> Check:
    """P3: the entropy of a partition of two disjoint sets, from its parts."""
    pairs = []
    for left in range(1, h.lattice.n):
        right = h.lattice.n - left
        for p, s in product(partitions_of(left), partitions_of(right)):
            joined = (*p, *(block + max(p) + 1 for block in s))
            parts = (left / h.lattice.n) ** h.beta * _entropy(p, h.beta) + (
                right / h.lattice.n
            ) ** h.beta * _entropy(s, h.beta)
            halves = _entropy((0,) * left + (1,) * right, h.beta)
            pairs.append((p, s, _entropy(joined, h.beta), parts + halves))
    return _compared(pairs)


def axiom_product(h: Entropies) -> Check:
    """P4: the entropy of a product is x + y - (beta - 1) x y, on sets of up to four elements each."""
    small = [p for n in range(1, h.lattice.n) for p in partitions_of(n)]
    pairs = []
    for p, s in product(small, repeat=2):
        both = tuple(a * len(s) + b for a, b in product(p, s))
        x, y = _entropy(p, h.beta), _entropy(s, h.beta)
        pairs.append((p, s, _entropy(both, h.beta), x + y - (h.beta - 1) * x * y))
    return _compared(pairs)


def meet_by_parts(h: Entropies) -> Array:
    """Return sum_j (|C_j| / |A|)^beta H(trace of p on C_j) + H(s)."""
    traces = np.asarray(measures.entropy(h.lattice.tables, q=h.beta))
    shares = h.lattice.tables.sum(axis=-1) / h.lattice.n
    total: Array = (np.where(shares > 0, shares, 0.0) ** h.beta * (shares > 0) * traces).sum(axis=-1)
    return total + h.plain[None, :]


def by_parts(h: Entropies) -> Check:
    """Theorem 2.10 (and lemma 2.9): H(p|s) from the traces of p and s on the blocks of any coarser t."""
    lattice = h.lattice
    members = np.array([np.eye(lattice.n)[list(partition)] for partition in lattice.all])
    slack = np.zeros((len(lattice.all),) * 3)
    for t, coarse in enumerate(lattice.all):
        finer = np.flatnonzero(lattice.below[:, t])
        total = np.zeros((len(lattice.all), len(finer)))
        for block in range(max(coarse) + 1):
            inside = np.flatnonzero(np.array(coarse) == block)
            tables = np.einsum("sej,pek->psjk", members[finer][:, inside], members[:, inside])
            shares = tables.sum(axis=-1) / len(inside)
            entropies = np.asarray(measures.entropy(tables, q=h.beta))
            total += len(inside) / lattice.n * (shares * entropies).sum(axis=-1)
        slack[:, finer, t] = -np.abs(total - h.given[:, finer])
    return _judge(slack, lattice.below[None, :, :], lattice)


def convexity(h: Entropies) -> Check:
    """Lemma 2.4 on a grid: (a x + b y)^beta <= a x^beta + b y^beta, reversed below 1."""
    grid = np.linspace(0, 1, 21)
    a, x, y = np.meshgrid(grid, grid, grid, indexing="ij")
    gap = a * x**h.beta + (1 - a) * y**h.beta - (a * x + (1 - a) * y) ** h.beta
    slack = gap if h.beta >= 1 else -gap
    failing = int((slack < -SLACK).sum())
    return Check(slack.size, failing, float(max(0.0, -slack.min())), "")
