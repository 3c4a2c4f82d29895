"""The theorems of Simovici and Jaroszewicz, checked on every partition of a set of five.

Each theorem is a claim about one, two or three partitions for certain orders. It is checked for orders
below, at and above 1, those for which the paper claims nothing too, so that one sees where it ends.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ramify.experiments.report import Cell, Listing, Section, Table
from ramify.experiments.reproduce.partitions import Lattice
from ramify.experiments.reproduce.theorem_checks import (
    Check,
    Entropies,
    axiom_product,
    axiom_sizes,
    axiom_sum,
    by_parts,
    chain,
    convexity,
    equality,
    inequality,
    meet_by_parts,
    triangle,
    zero_iff,
)

#: The orders: below, at and above 1.
BETAS = (0.25, 0.5, 0.9, 1.0, 1.5, 2.0, 2.5, 4.0)

#: The set that is partitioned has so many elements; it has 52 partitions.
SIZE = 5


@dataclass(frozen=True)
class Theorem:
    """A claim: its name in the paper, what it says, for which orders, and how it is checked."""

    name: str
    claim: str
    orders: str
    check: Callable[[Entropies], Check]

    def claimed(self, beta: float) -> bool:
        """Whether the paper claims it for this order."""
        return {
            "> 0": True,
            ">= 1": beta >= 1,
            "> 1": beta > 1,
            "< 1": beta < 1,
            "= 1": beta == 1,
        }[self.orders]


def _e1(h: Entropies) -> np.ndarray:
    """Return d / H(p and s), 0 where both are 0."""
    return np.divide(h.distance, h.meet, out=np.zeros_like(h.meet), where=h.meet > 0)


def _growth(h: Entropies) -> np.ndarray:
    """Return H(p' given s) - H(p given s), for p', p, s."""
    return h.given[:, None, :] - h.given[None, :, :]


def _plain_growth(h: Entropies) -> np.ndarray:
    """Return H(p') - H(p), for p', p and any s."""
    return (h.plain[:, None] - h.plain[None, :])[:, :, None] + np.zeros(len(h.plain))


THEOREMS: tuple[Theorem, ...] = (
    Theorem(
        "P1",
        "p <= p' implies H(p') <= H(p)",
        "> 0",
        inequality(lambda h: h.plain[:, None], lambda h: h.plain[None, :], lambda lattice: lattice.below),
    ),
    Theorem("P2", "the finest partition of a larger set has no less entropy", "> 0", axiom_sizes),
    Theorem("P3", "H(p + s) = (|A|/n)^b H(p) + (|B|/n)^b H(s) + H({A, B})", "> 0", axiom_sum),
    Theorem("P4", "H(p x s) = H(p) + H(s) - (b - 1) H(p) H(s)", "> 0", axiom_product),
    Theorem(
        "Lemma 2.2",
        "H(p) = 0 if and only if p has one block",
        "> 0",
        zero_iff(lambda h: h.plain, lambda lattice: np.arange(len(lattice.all)) == lattice.coarsest),
    ),
    Theorem(
        "Theorem 2.3",
        "H(p|s) = 0 if and only if s <= p",
        "> 0",
        zero_iff(lambda h: h.given, lambda lattice: lattice.below.T),
    ),
    Theorem(
        "before (1)",
        "H(p ^ s) = sum_j (|C_j|/n)^b H(p on C_j) + H(s)",
        "> 0",
        equality(lambda h: h.meet, meet_by_parts),
    ),
    Theorem(
        "(1)",
        "H(p ^ s) <= H(p|s) + H(s)",
        ">= 1",
        inequality(lambda h: h.given + h.plain[None, :], lambda h: h.meet),
    ),
    Theorem(
        "(1), reversed",
        "H(p ^ s) >= H(p|s) + H(s)",
        "< 1",
        inequality(lambda h: h.meet, lambda h: h.given + h.plain[None, :]),
    ),
    Theorem(
        "(2)",
        "H(p ^ s) = H(p|s) + H(s)",
        "= 1",
        equality(lambda h: h.meet, lambda h: h.given + h.plain[None, :]),
    ),
    Theorem("Lemma 2.4", "x^b is convex for b > 1, concave for b < 1", "> 0", convexity),
    Theorem(
        "Theorem 2.5",
        "s <= s' implies H(p|s) <= H(p|s')",
        "> 0",
        inequality(
            lambda h: h.given[:, None, :],
            lambda h: h.given[:, :, None],
            lambda lattice: lattice.below[None, :, :],
        ),
    ),
    Theorem(
        "Corollary 2.6",
        "H(p|s) <= H(p)",
        "> 0",
        inequality(lambda h: h.plain[:, None] + np.zeros_like(h.given), lambda h: h.given),
    ),
    Theorem(
        "Corollary 2.7",
        "H(p ^ s) <= H(p) + H(s)",
        ">= 1",
        inequality(lambda h: h.plain[:, None] + h.plain[None, :], lambda h: h.meet),
    ),
    Theorem(
        "Theorem 2.8",
        "p <= p' implies H(p|s) >= H(p'|s)",
        "> 0",
        inequality(
            lambda h: h.given[:, None, :] + np.zeros((1, len(h.plain), 1)),
            lambda h: h.given[None, :, :],
            lambda lattice: lattice.below[:, :, None],
        ),
    ),
    Theorem(
        "Theorem 2.10",
        "H(p|s) = sum_k |A_k|/n H(p on A_k|s on A_k), s = s_1 + ... + s_l",
        "> 0",
        by_parts,
    ),
    Theorem(
        "Theorem 2.11",
        "H(p|s ^ t) + H(s|t) >= H(p ^ s|t)",
        ">= 1",
        inequality(chain, lambda h: np.zeros(1)),
    ),
    Theorem(
        "Theorem 2.11, reversed",
        "H(p|s ^ t) + H(s|t) <= H(p ^ s|t)",
        "< 1",
        inequality(lambda h: -chain(h), lambda h: np.zeros(1)),
    ),
    Theorem(
        "Theorem 2.11, equality",
        "H(p|s ^ t) + H(s|t) = H(p ^ s|t)",
        "= 1",
        equality(chain, lambda h: np.zeros(1)),
    ),
    Theorem("Corollary 2.12", "H(p|s) + H(s|t) >= H(p|t)", ">= 1", triangle(lambda h: h.given)),
    Theorem(
        "Definition 2.13",
        "d(p, s) = H(p|s) + H(s|p), the library's distance",
        "> 0",
        equality(lambda h: h.distance, lambda h: h.given + h.given.T),
    ),
    Theorem(
        "Corollary 2.14",
        "d(p, s) = 0 if and only if p = s",
        ">= 1",
        zero_iff(lambda h: h.distance, lambda lattice: np.eye(len(lattice.all), dtype=bool)),
    ),
    Theorem(
        "Corollary 2.14, symmetry",
        "d(p, s) = d(s, p)",
        ">= 1",
        equality(lambda h: h.distance, lambda h: h.distance.T),
    ),
    Theorem(
        "Corollary 2.14, triangle", "d(p, s) + d(s, t) >= d(p, t)", ">= 1", triangle(lambda h: h.distance)
    ),
    Theorem(
        "Theorem 2.15, range",
        "0 <= e(p, s) <= 1",
        ">= 1",
        inequality(lambda h: np.minimum(h.normalized, 1 - h.normalized), lambda h: np.zeros(1)),
    ),
    Theorem(
        "Theorem 2.15",
        "e(p, s) = 0 if and only if p = s",
        ">= 1",
        zero_iff(lambda h: h.normalized, lambda lattice: np.eye(len(lattice.all), dtype=bool)),
    ),
    Theorem(
        "Theorem 2.15, symmetry",
        "e(p, s) = e(s, p)",
        ">= 1",
        equality(lambda h: h.normalized, lambda h: h.normalized.T),
    ),
    Theorem(
        "Theorem 2.15, triangle", "e(p, s) + e(s, t) >= e(p, t)", ">= 1", triangle(lambda h: h.normalized)
    ),
    Theorem("after 2.15", "e(p, s) = d(p, s) / H(p ^ s)", "= 1", equality(lambda h: h.normalized, _e1)),
    Theorem(
        "Theorem 3.1 for d",
        "p' splits a block of p inside a block of s: d(p, s) <= d(p', s)",
        ">= 1",
        inequality(
            lambda h: h.distance[:, None, :] + np.zeros((1, len(h.plain), 1)),
            lambda h: h.distance[None, :, :],
            lambda lattice: lattice.fused_inside,
        ),
    ),
    Theorem(
        "Theorem 3.1 for e",
        "p' splits a block of p inside a block of s: e(p, s) <= e(p', s)",
        ">= 1",
        inequality(
            lambda h: h.normalized[:, None, :] + np.zeros((1, len(h.plain), 1)),
            lambda h: h.normalized[None, :, :],
            lambda lattice: lattice.fused_inside,
        ),
    ),
    Theorem(
        "(4)",
        "as in 3.1, C that block: H(p'|s) - H(p|s) = (n/|C|)^(b - 1) (H(p') - H(p))",
        "> 0",
        equality(
            _growth,
            lambda h: (h.lattice.n / h.lattice.holder) ** (h.beta - 1) * _plain_growth(h),
            lambda lattice: lattice.fused_inside,
        ),
    ),
    Theorem(
        "(5)",
        "as in 3.1: H(p'|s) - H(p|s) >= H(p') - H(p)",
        ">= 1",
        inequality(_growth, _plain_growth, lambda lattice: lattice.fused_inside),
    ),
)


#: By name and order.
Found = dict[str, dict[float, Check]]


def check_theorems(betas: tuple[float, ...] = BETAS, size: int = SIZE) -> Found:
    """Check every theorem for every order on all partitions of a set.

    Examples
    --------
    >>> from ramify.experiments.reproduce.theorems import check_theorems
    >>> found = check_theorems((0.5, 2.0), size=3)["Corollary 2.14, triangle"]
    >>> found[2.0].holds, found[0.5].holds
    (True, False)
    """
    lattice = Lattice(size)
    entropies = [Entropies(lattice, beta) for beta in betas]
    return {t.name: {h.beta: t.check(h) for h in entropies} for t in THEOREMS}


def in_short(found: Found) -> str:
    """Return in a sentence whether all that is claimed was found to hold."""
    held = all(found[t.name][beta].holds for t in THEOREMS for beta in found[t.name] if t.claimed(beta))
    told = "Every claim of the paper holds" if held else "Not every claim of the paper holds"
    return f"{told} for the orders that it is made for; each was tried for the others too."


def theorem_section(found: Found) -> Section:
    """Return the section of a report: what holds for which order, and examples where it does not."""
    rows, cells, examples = [], [], []
    for theorem in THEOREMS:
        checks = found[theorem.name]
        rows.append(f"{theorem.name}: {theorem.claim}")
        cells.append(tuple(_cell(theorem, beta, checks[beta]) for beta in BETAS))
        failing = [(beta, check) for beta, check in checks.items() if check.example]
        for beta, check in sorted(failing, key=lambda item: abs(item[0] - 1))[:1]:
            fails = f"{check.failures:,} of {check.cases:,} fail; worst {check.example}"
            examples.append(f"{theorem.name}: {theorem.claim}\n    beta = {beta:g}: {fails}")
    cases = sum(check.cases for checks in found.values() for check in checks.values())
    columns = tuple(f"beta {beta:g}" for beta in BETAS)
    words = (
        f"{cases:,} cases. {in_short(found)} H(p|s) is the conditional entropy, p ^ s the infimum; p <= s "
        "where every block of p is inside one of s."
    )
    title = f"Theorems on all {len(Lattice(SIZE).all)} partitions of a set of {SIZE}"
    blocks = (
        Table(title, tuple(rows), columns, tuple(cells), corner="claim"),
        Listing("Where claims end: counterexamples at the order nearest to 1", "\n".join(examples)),
    )
    return Section("The theorems, exhaustively", blocks, words)


def _cell(theorem: Theorem, beta: float, check: Check) -> Cell:
    ours = "holds" if check.holds else "fails"
    return Cell(published="holds" if theorem.claimed(beta) else None, ours=ours)
