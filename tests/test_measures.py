"""The criteria as functions of tables, against definitions, worked figures and theorems."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ramify import list_criteria, measures
from reference import criteria as reference
from reference import worked

ORDERS = [-1.5, 0.0, 0.1, 0.5, 1.0, 1.0 + 1e-7, 1.0005, 1.7, 2.0, 3.3, 7.0, 30.0]
CASES = [
    (name, q) for name in reference.CRITERIA for q in (ORDERS if name in reference.TAKES_ORDER else [None])
]

tables = hnp.arrays(
    np.float64,
    st.tuples(st.integers(2, 5), st.integers(2, 5)),
    elements=st.one_of(st.integers(0, 40).map(float), st.floats(0.01, 50)),
).filter(lambda table: (table.sum(axis=1) > 0).sum() >= 2)


@pytest.mark.parametrize(("name", "q"), CASES)
@settings(max_examples=60, deadline=None)
@given(table=tables, min_support=st.sampled_from([0, 0, 3, 8]))
def test_scores_are_the_definition(name, q, table, min_support):
    expected = reference.score(name, table, q, min_support)
    scored = measures.score(name, table, q, min_support)
    # A score is a difference of entropies, which can be large below q = 0: rounding is a part of these.
    scale = (
        max(1.0, *(reference.entropy(side / side.sum(), q) for side in (*table, *table.T) if side.sum() > 0))
        if q is not None
        else 1.0
    )
    assert scored == pytest.approx(expected, rel=1e-12, abs=1e-12 * scale, nan_ok=True)


@settings(max_examples=200, deadline=None)
@given(
    counts=hnp.arrays(np.float64, st.integers(1, 8), elements=st.just(0.0) | st.floats(1e-9, 1e6)),
    q=st.floats(-3, 40),
)
def test_entropy_is_the_definition(counts, q):
    if counts.sum() == 0:
        assert measures.entropy(counts, q) == 0
        return
    expected = reference.entropy(counts / counts.sum(), q)
    assert measures.entropy(counts, q) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def test_leading_axes_are_kept():
    rng = np.random.default_rng(0)
    many = rng.integers(0, 20, size=(4, 3, 2, 5))
    for info in list_criteria():
        scored = measures.score(info.name, many)
        assert scored.shape == (4, 3)
        assert scored[1, 2] == measures.score(info.name, many[1, 2])
        assert getattr(measures, info.name)(many).shape == (4, 3)
    assert measures.entropy(many).shape == (4, 3, 2)


# The names of figures.json for our criteria; those that the papers minimise are negated there.
FIGURES = {
    "shannon_gain": lambda t: measures.gain(t, 1) / np.log(2),
    "split_info": lambda t: measures.entropy(np.sum(t, axis=1), 1) / np.log(2),
    "gain_ratio": lambda t: measures.gain_ratio(t, 1),
    "gini_gain": lambda t: measures.gain(t, 2),
    "lopez": measures.lopez_de_mantaras,
    "mpi{fixed:True}": measures.mpi,
    "K": measures.purity,
    "K1{S:3}": lambda t: measures.purity(t, min_support=3),
    "K2{S:3}": lambda t: measures.purity_flat(t, min_support=3),
    "D": measures.maxdif,
    "D_clip": measures.maxdif_clipped,
    "D1_fixed{S:3}": lambda t: measures.maxdif(t, min_support=3),
    "GG": lambda t: -measures.generalized_gini(t),
    "GG1_fixed{S:3}": lambda t: -measures.generalized_gini(t, min_support=3),
    "js_divergence": lambda t: measures.gain(t, 1) / np.log(2),
}
for _q in (0.0, 0.5, 1.0, 1.5, 2.0, 3.0):
    FIGURES[f"tsallis_gain{{q:{_q}}}"] = lambda t, q=_q: measures.gain(t, q)
    FIGURES[f"tsallis_gain_ratio{{q:{_q}}}"] = lambda t, q=_q: measures.gain_ratio(t, q)
for _b in (1.0, 1.5, 2.0, 2.5):
    FIGURES[f"d_beta{{beta:{_b}}}"] = lambda t, q=_b: -measures.distance(t, q)
    FIGURES[f"e_beta{{beta:{_b}}}"] = lambda t, q=_b: -measures.normalized_distance(t, q)
    FIGURES[f"beta_gain_ratio{{beta:{_b}}}"] = lambda t, q=_b: measures.gain_ratio(t, q)


def test_all_scores_of_the_figures():
    figures = worked.figures()
    checked = 0
    for name, scores in figures["scores"].items():
        table = np.array(figures["tables"].get(name, worked.TABLES["Akey"]))
        for key, expected in scores.items():
            if key in FIGURES:
                assert FIGURES[key](table) == pytest.approx(expected, abs=2e-10), (name, key)
                checked += 1
    assert checked >= 200


@settings(max_examples=100, deadline=None)
@given(table=tables)
def test_identities(table):
    present = table[table.sum(axis=1) > 0]
    shares = present.sum(axis=1) / present.sum()
    profiles = present / present.sum(axis=1, keepdims=True)
    divergence = measures.entropy(shares @ profiles, 1) - shares @ measures.entropy(profiles, 1)
    assert measures.gain(table, 1) == pytest.approx(divergence, abs=1e-9)
    purity = measures.purity(table)
    assert measures.maxdif(table) == pytest.approx(2 * purity - 1, abs=1e-12)
    assert measures.generalized_gini(table) == pytest.approx(purity - 1, abs=1e-12)
    if (table > 0).sum() > 1:
        e_1 = -measures.normalized_distance(table, 1)
        assert measures.lopez_de_mantaras(table) == pytest.approx(1 - e_1, abs=1e-9)
    for q in (0.0, 0.3, 1.0, 2.0, 5.0):
        assert measures.gain(table, q) >= -1e-9


@pytest.mark.parametrize("name", [info.name for info in list_criteria()])
def test_relabelling_classes_and_branches_changes_nothing(name):
    rng = np.random.default_rng(1)
    for _ in range(20):
        table = rng.integers(0, 15, size=(2, 4)).astype(float)
        shuffled = table[:, rng.permutation(4)][rng.permutation(2)]
        assert measures.score(name, shuffled) == pytest.approx(measures.score(name, table), abs=1e-12)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: measures.score("gian", [[1, 2], [3, 4]]), ValueError, "gain"),
        (lambda: measures.score("purity", [[1, 2], [3, 4]], q=2), ValueError, "takes no order"),
        (lambda: measures.gain([1, 2, 3]), ValueError, r"\(3,\)"),
        (lambda: measures.gain([[1, -2], [3, 4]]), ValueError, "negative"),
        (lambda: measures.gain([[1, np.nan], [3, 4]]), ValueError, "finite"),
        (lambda: measures.gain([[1, 2], [3, 4]], q=np.inf), ValueError, "q=inf"),
        (lambda: measures.purity([[1, 2], [3, 4]], min_support=-1), ValueError, "min_support"),
        (lambda: measures.no_such_measure, AttributeError, "no_such_measure"),
    ],
)
def test_bad_tables(call, error, text):
    with pytest.raises(error, match=text):
        call()
