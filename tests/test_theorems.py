"""Partitions and the theorems about them, against definitions that share no code with them."""

import math
from itertools import product

import numpy as np
import pytest

from ramify.experiments.reproduce.partitions import Lattice, canonical, partitions_of, written
from ramify.experiments.reproduce.theorem_checks import Entropies, inequality, triangle, zero_iff
from ramify.experiments.reproduce.theorems import BETAS, THEOREMS, check_theorems, theorem_section


def blocks(partition):
    return [{i for i, b in enumerate(partition) if b == block} for block in set(partition)]


def refines(p, s):
    return all(any(b <= c for c in blocks(s)) for b in blocks(p))


def entropy(sets, beta):
    shares = [len(b) / sum(map(len, sets)) for b in sets]
    if beta == 1:
        return -sum(x * math.log(x) for x in shares)
    return (1 - sum(x**beta for x in shares)) / (beta - 1)


def conditional(p, s, beta):
    n = len(p)
    return sum(len(c) / n * entropy([b & c for b in blocks(p) if b & c], beta) for c in blocks(s))


@pytest.fixture(scope="module")
def lattice():
    return Lattice(4)


@pytest.fixture(scope="module")
def found():
    return check_theorems()


def test_all_partitions_are_there_once():
    assert [len(partitions_of(n)) for n in range(7)] == [1, 1, 2, 5, 15, 52, 203]
    assert len({frozenset(map(frozenset, blocks(p))) for p in partitions_of(5)}) == 52
    assert canonical(("x", "y", "x", "z")) == (0, 1, 0, 2)
    assert written((0, 1, 0, 2)) == "13|2|4"


def test_order_meet_and_cover(lattice):
    for (i, p), (j, s) in product(enumerate(lattice.all), repeat=2):
        assert lattice.below[i, j] == refines(p, s)
        meet = {frozenset(b & c) for b in blocks(p) for c in blocks(s)} - {frozenset()}
        assert {frozenset(b) for b in blocks(lattice.all[lattice.meet[i, j]])} == meet
        assert lattice.covered[i, j] == (refines(p, s) and len(blocks(p)) == len(blocks(s)) + 1)
    assert lattice.all[lattice.coarsest] == (0, 0, 0, 0)


def test_blocks_that_are_fused_inside_a_block(lattice):
    for (i, fine), (j, coarse), (k, s) in product(enumerate(lattice.all), repeat=3):
        inside = False
        if lattice.covered[i, j]:
            (fused,) = [b for b in blocks(coarse) if b not in blocks(fine)]
            holders = [c for c in blocks(s) if fused <= c]
            inside = bool(holders)
            if inside:
                assert lattice.holder[i, j, k] == len(holders[0])
        assert lattice.fused_inside[i, j, k] == inside


@pytest.mark.parametrize("beta", [0.5, 1.0, 2.5])
def test_entropies_are_those_of_the_definitions(lattice, beta):
    h = Entropies(lattice, beta)
    for (i, p), (j, s) in product(enumerate(lattice.all), repeat=2):
        assert h.plain[i] == pytest.approx(entropy(blocks(p), beta), abs=1e-12)
        there, back = conditional(p, s, beta), conditional(s, p, beta)
        assert h.given[i, j] == pytest.approx(there, abs=1e-12)
        assert h.distance[i, j] == pytest.approx(there + back, abs=1e-12)
        bottom = there + back + entropy(blocks(p), beta) + entropy(blocks(s), beta)
        assert h.normalized[i, j] == pytest.approx(2 * (there + back) / bottom if bottom else 0.0, abs=1e-12)


def test_every_claim_holds_where_it_is_made(found):
    for theorem in THEOREMS:
        for beta in BETAS:
            if theorem.claimed(beta):
                assert found[theorem.name][beta].holds, (theorem.name, beta)


def test_all_orders_are_claimed_by_some_theorem_and_all_theorems_claim_something():
    assert {theorem.orders for theorem in THEOREMS} == {"> 0", ">= 1", "< 1", "= 1"}
    assert any(beta < 1 for beta in BETAS) and 1 in BETAS and any(beta > 1 for beta in BETAS)
    assert len({theorem.name for theorem in THEOREMS}) == len(THEOREMS)


@pytest.mark.parametrize("name", ["(1)", "Corollary 2.7", "Theorem 2.11", "Corollary 2.12"])
def test_what_is_claimed_from_1_on_fails_below(found, name):
    assert not any(found[name][beta].holds for beta in BETAS if beta < 1)


@pytest.mark.parametrize("name", ["Corollary 2.14, triangle", "Theorem 2.15, triangle"])
def test_neither_distance_is_a_metric_below_1(found, name):
    for beta in (beta for beta in BETAS if beta < 1):
        check = found[name][beta]
        assert check.failures > 0
        assert check.cases == 52**3
        # The counterexample is one: recompute it from the definitions.
        p, s, t = (parse(text) for text in check.example.split(": ")[0].split(", "))
        d = [conditional(a, b, beta) + conditional(b, a, beta) for a, b in ((p, s), (s, t), (p, t))]
        if name.startswith("Theorem"):
            h = [entropy(blocks(x), beta) for x in (p, s, t)]
            d = [2 * x / (x + h[a] + h[b]) for x, (a, b) in zip(d, ((0, 1), (1, 2), (0, 2)), strict=True)]
        assert d[2] - d[0] - d[1] == pytest.approx(check.worst, abs=1e-9)
        assert check.worst > 0


def parse(text):
    place = {int(element): b for b, block in enumerate(text.split("|")) for element in block}
    return tuple(place[i] for i in sorted(place))


def test_checks_can_fail(lattice):
    h = Entropies(lattice, 2.0)
    assert not inequality(lambda h: h.given, lambda h: h.given + 1e-9)(h).holds
    assert not triangle(lambda h: h.distance**3)(h).holds
    wrong = zero_iff(lambda h: h.plain, lambda lattice: np.zeros(len(lattice.all), dtype=bool))(h)
    assert (wrong.failures, wrong.example.split(":")[0]) == (1, "1234")


def test_the_section_says_where_claims_end():
    section = theorem_section(check_theorems())
    table, listing = section.blocks
    assert section.counts()["differs"] == section.counts()["missing"] == 0
    assert section.counts()["exact"] > 150
    assert len(table.rows) == len(THEOREMS)
    assert "Every claim of the paper holds" in section.words
    assert "Theorem 2.15, triangle" in listing.text
