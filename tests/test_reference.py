"""The reference itself: against figures computed elsewhere, worked examples and identities."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from reference import criteria as c
from reference import splits, tree, worked

LN2 = worked.LN2
NAMES = sorted(c.CRITERIA)
ORDERS = st.sampled_from([0.0, 0.3, 0.5, 1.0, 1 + 1e-7, 1.5, 2.0, 3.0, 7.1])
FEW = settings(max_examples=60, deadline=None)

Table = NDArray[np.float64]


def tables(max_branches: int = 5, max_classes: int = 4, exact: bool = False) -> st.SearchStrategy:
    """Tables of small counts that hold at least one case; ``exact`` fixes the shape."""

    def of_shape(shape: tuple[int, int]) -> st.SearchStrategy:
        row = st.lists(st.integers(0, 30), min_size=shape[1], max_size=shape[1])
        rows = st.lists(row, min_size=shape[0], max_size=shape[0])
        return rows.map(lambda t: np.array(t, dtype=float)).filter(lambda t: t.sum() > 0)

    low = (max_branches, max_classes) if exact else (1, 1)
    shapes = st.tuples(st.integers(low[0], max_branches), st.integers(low[1], max_classes))
    return shapes.flatmap(of_shape)


# Figures of figures.json


def test_scores_of_figures_json() -> None:
    checked = 0
    figures = worked.figures()
    for name, scores in figures["scores"].items():
        # The key of Table 1 of Berzal et al. 2003 has scores but is too large to stand among the tables.
        rows = worked.TABLES["Akey"] if name == "Akey" else figures["tables"][name]
        table = np.array(rows, dtype=float)
        for key, expected in scores.items():
            match = re.fullmatch(r"(\w+)(?:\{\w+:(.+)\})?", key)
            assert match is not None, key
            measure, argument = match.groups()
            value = 0.0 if argument is None else float(argument == "True" or argument)
            got = worked.MEASURES[measure](table, value)
            assert got == pytest.approx(expected, abs=1e-9), (name, key)
            checked += 1
    assert checked == sum(len(scores) for scores in figures["scores"].values()) > 400


def configurations() -> list[Any]:
    """The trees without pruning, or one that is skipped where there is no figures.json."""
    if not worked.FIGURES.exists():
        return [pytest.param({}, marks=pytest.mark.skip(reason=f"no {worked.FIGURES}"))]
    trees = json.loads(worked.FIGURES.read_text(encoding="utf-8"))["trees"]
    # glass alone would take as long as all the other sets.
    kept = [t for t in trees if "pruning" not in t["config"] and t["data"] != "glass"]
    return [pytest.param(t, id=f"{t['data']}: {t['config']}") for t in kept]


@pytest.mark.parametrize("figure", configurations())
def test_trees_of_figures_json(figure: dict[str, Any]) -> None:
    branching, name, *rest = figure["config"].replace("MaxDif", "maxdif").split()
    options = dict(word.split("=") for word in rest if "=" in word)
    q = float(options["q"]) if "q" in options else None
    leaf = int(options.get("min_leaf", 1))
    X, kinds, sizes, y, n_classes = worked.load(figure["data"])

    def grow(rows: NDArray) -> tree.Node:
        columns = [x[rows] for x in X]
        return tree.grow(columns, kinds, sizes, y[rows], n_classes, name, q, branching, leaf)

    root = grow(np.ones(len(y), dtype=bool))
    assert {
        "nodes": tree.count_nodes(root),
        "leaves": tree.count_leaves(root),
        "depth": tree.depth(root),
        "train_correct": np.sum(tree.predict(root, X) == y),
    } == figure["full"]

    # Ten more trees for each figure: only where that is quick.
    if figure["data"] not in ("iris", "titanic", "hayes-roth"):
        return
    correct = nodes = empty = 0
    for fold in range(10):
        tested = np.arange(len(y)) % 10 == fold
        root = grow(~tested)
        correct += np.sum(tree.predict(root, [x[tested] for x in X]) == y[tested])
        nodes += tree.count_nodes(root)
        empty += tree.count_empty(root)
    assert correct == figure["cv_correct"]
    assert (nodes, nodes - empty) == (figure["cv_nodes"], figure["cv_nodes_without_empty"])


# Worked figures


def test_worked_figures() -> None:
    for name, expected in worked.WORKED.items():
        t = worked.TABLES[name]
        got = [
            c.gain(t, 1) / LN2, c.gain_ratio(t), worked.class_given_branch(t, 2), c.gain(t, 0.5),
            c.gain_ratio(t, 2), c.lopez_de_mantaras(t), c.maxdif(t), -c.distance(t),
            -c.normalized_distance(t),
        ]  # fmt: skip
        assert got == pytest.approx(expected, abs=6e-8), name


def test_buys_computer() -> None:
    X, y = worked.buys_computer()
    root = tree.grow(X, ["nominal"] * 4, [3, 3, 2, 2], y, 2, "gain", 1, "multiway")
    columns = [None if n.split is None else n.split.column for n in tree.nodes(root)]
    assert columns == [0, 2, None, None, None, 3, None, None]  # age -> student | yes | credit
    assert tree.count_nodes(root) == 8
    assert (tree.predict(root, X) == y).all()
    expected = [(0.357143, (0, 2)), (0.442857, (0,)), (0.367347, (0,)), (0.428571, (0,))]
    for x, (gini, left) in zip(X, expected, strict=True):
        tables_ = list(splits.subset_tables(x, y, 2))
        got = min((worked.class_given_branch(t, 2), side) for side, _, t in tables_)
        assert got == (pytest.approx(gini, abs=6e-7), left)


def test_c45_with_one_unknown() -> None:
    gain = 13 / 14 * c.gain([[2, 3], [3, 0], [3, 2]], 1) / LN2
    split_information = c.entropy(np.array([5, 3, 5, 1]) / 14, 1) / LN2
    assert split_information == pytest.approx(1.8092, abs=6e-5)
    assert (gain, gain / split_information) == pytest.approx((0.1990407, 0.1100159), abs=6e-8)


def test_stump_and_divergence_of_003() -> None:
    x, y = worked.overlapping_normals()
    cut, _, table = max(splits.threshold_tables(x, y, 2), key=lambda s: c.gain(s[2], 1))
    # The paper prints the value to the left of the cut where we take the midpoint.
    assert x[x <= cut].max() == pytest.approx(9.1448525, abs=6e-8)
    assert cut == pytest.approx(9.1456999, abs=6e-8)
    shares = worked.branch_shares(table)
    parts = [p * c.entropy(row / row.sum(), 1) / LN2 for p, row in zip(shares, table, strict=True)]
    assert parts == pytest.approx([0.5100138, 0.1594013], abs=6e-8)
    assert sum(parts) == pytest.approx(0.6694151, abs=1.2e-7)
    inside = (x >= 0) & (x < 16)  # beyond its bins R's cut() says NA, which table() leaves out
    codes = np.searchsorted(np.arange(1, 40) * 0.4, x[inside], side="right")
    binned = splits.multiway_table(codes, 40, y[inside], 2)
    assert c.jensen_shannon(binned) / LN2 == pytest.approx(0.411324, abs=6e-7)


def test_support_on_table_1_of_berzal() -> None:
    choices = {name: worked.TABLES[name] for name in ("A1", "A2", "Akey")}

    def best(score: Callable[[Table], float]) -> str:
        return max(choices, key=lambda name: score(choices[name]))

    assert [200 * c.purity(t, 3) for t in choices.values()] == pytest.approx([175, 174, 0])
    assert best(lambda t: c.maxdif(t, 3)) == best(lambda t: c.generalized_gini(t, 3)) == "A1"
    assert best(lambda t: worked.as_printed(t, 3, lambda size, top: 2 * top - size)) == "A2"
    assert best(lambda t: -worked.as_printed(t, 3, lambda size, top: size - top)) == "Akey"


def test_support_replaces_the_row() -> None:
    replaced = c.with_support([[4, 0], [0, 1], [0, 0]], 2)
    assert replaced == pytest.approx(np.array([[4, 0], [0.8, 0.2]]))
    assert c.gain([[4, 0], [0, 1]], 2, 2) == pytest.approx(0.0768 - 0.2 * 0.32)
    assert c.maxdif_clipped([[4, 0], [0, 1]], 2) == pytest.approx(4 / 5)
    for name in set(NAMES) - {"maxdif", "generalized_gini", "distance", "normalized_distance"}:
        assert c.score(name, [[3, 1], [0, 2]], None, 4) == pytest.approx(0), name


def test_mpi_of_an_irrelevant_attribute() -> None:
    table = np.outer([3, 2, 5], [4.0, 6.0])
    assert worked.mpi_as_printed(table) == pytest.approx(0.0144, abs=5e-5)
    assert c.mpi(table) == pytest.approx(0, abs=1e-15)


def test_by_hand() -> None:
    table = [[2, 0, 0], [0, 1, 1]]
    assert c.twoing(table) == pytest.approx(0.5 * 0.5 / 4 * (1 + 0.5 + 0.5) ** 2)
    assert c.hellinger(table) == pytest.approx((1 + 1 + 0) / 3)
    assert c.jensen_shannon(table, 2) == pytest.approx(1 - (1 / 9 + 4 / 9))
    assert c.mpi(table) == pytest.approx(0.5 * 0.5)
    assert math.isnan(c.twoing([[1, 0], [0, 1], [1, 1]]))


# Identities


@pytest.mark.parametrize("q", [0, 0.5, 1, 1 + 1e-12, 1 - 1e-8, 1 + 1e-4, 1.3, 2, 7.1, 50, -1.5])
def test_entropy_to_fifty_digits(q: float) -> None:
    counts = [1, 2, 5, 0, 13]
    with localcontext() as context:
        context.prec = 50
        logs = [(Decimal(n) / 21).ln() for n in counts if n]
        if q == 1:
            exact = -sum(log.exp() * log for log in logs)
        else:
            exact = (1 - sum((Decimal(q) * log).exp() for log in logs)) / (Decimal(q) - 1)
    assert c.entropy(np.array(counts) / 21, q) == pytest.approx(float(exact), rel=1e-14)


@FEW
@given(tables(), ORDERS)
def test_gain_is_a_divergence_and_not_negative(table: Table, q: float) -> None:
    assert c.gain(table, 1) == pytest.approx(worked.divergence(table), abs=1e-12)
    assert c.gain(table.T, 1) == pytest.approx(worked.divergence(table), abs=1e-12)
    assert c.gain(table, q) >= -1e-12


@FEW
@given(tables())
def test_one_criterion_under_several_names(table: Table) -> None:
    k = c.purity(table)
    assert c.maxdif(table) == pytest.approx(2 * k - 1)
    assert -c.generalized_gini(table) == pytest.approx(1 - k)
    assume(np.count_nonzero(table) > 1)  # with one cell both sides are 0/0
    assert c.lopez_de_mantaras(table) == pytest.approx(1 + c.normalized_distance(table, 1))


@FEW
@given(tables(), st.sampled_from([0.5, 1.0, 1.5, 2.0, 2.5]), st.floats(0.1, 10))
def test_ratios_do_not_depend_on_the_constant(table: Table, beta: float, constant: float) -> None:
    def h(counts: Table) -> float:
        return worked.h_beta(counts / counts.sum(), beta, constant)

    def conditional(parts: Table) -> float:
        return sum(part.sum() * h(part) for part in parts) / table.sum()

    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    assume(len(table) > 1)  # else the ratios are 0/0
    h_class, h_branch = h(table.sum(axis=0)), h(table.sum(axis=1))
    given_branch, given_class = conditional(table), conditional(table.T)
    d = given_branch + given_class
    e = 2 * d / (d + h_class + h_branch)
    assert c.gain_ratio(table, beta) == pytest.approx((h_class - given_branch) / h_branch, abs=1e-9)
    assert -c.normalized_distance(table, beta) == pytest.approx(e, abs=1e-9)
    unit = constant * (LN2**-1 if beta == 1 else abs(beta - 1))  # its constant against 1/(q - 1)
    assert c.gain(table, beta) == pytest.approx((h_class - given_branch) / unit, abs=1e-9)
    assert -c.distance(table, beta) == pytest.approx(d / unit, abs=1e-9)


@FEW
@given(tables(max_classes=2))
def test_two_classes_rank_alike_at_orders_2_and_3(table: Table) -> None:
    assert c.gain(table, 3) == pytest.approx(0.75 * c.gain(table, 2), abs=1e-12)


@FEW
@given(tables(2, 2, exact=True))
def test_chi_square_on_two_by_two(table: Table) -> None:
    assume((table.sum(axis=0) > 0).all() and (table.sum(axis=1) > 0).all())
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    phi2 = float(np.sum((table - expected) ** 2 / expected)) / table.sum()
    parent = c.entropy(table.sum(axis=0) / table.sum(), 2)
    assert c.gain(table, 2) == pytest.approx(phi2 * parent, abs=1e-12)
    assert -c.normalized_distance(table, 2) == pytest.approx(2 * (1 - phi2) / (2 - phi2), abs=1e-9)
    assert c.twoing(table) == pytest.approx(c.gain(table, 2) / 2, abs=1e-12)


@pytest.mark.parametrize(("beta", "is_metric"), [(0.5, False), (1, True), (1.5, True), (3, True)])
@pytest.mark.parametrize("name", ["distance", "normalized_distance"])
def test_metrics_on_partitions(name: str, beta: float, is_metric: bool) -> None:
    every = worked.partitions(5)
    assert len(every) == 52
    d = np.zeros((52, 52))
    for i, a in enumerate(every):
        for j, b in enumerate(every):
            d[i, j] = -c.score(name, np.eye(5)[a].T @ np.eye(5)[b], beta)
    assert d == pytest.approx(d.T)
    assert ((d < 1e-12) == np.eye(52, dtype=bool)).all()
    triangle = (d[:, None, :] <= d[:, :, None] + d[None, :, :] + 1e-12).all()
    assert triangle == is_metric


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=25, deadline=None)
@given(table=tables(), q=ORDERS, data=st.data())
def test_a_score_depends_on_shares_alone(name: str, table: Table, q: float, data: st.DataObject) -> None:
    rows = data.draw(st.permutations(range(len(table))))
    columns = data.draw(st.permutations(range(table.shape[1])))
    expected = c.score(name, table, q)
    empty_branch = np.vstack([table, np.zeros(table.shape[1])])
    for other in (table[rows], table[:, columns], 2.5 * table, empty_branch):
        assert c.score(name, other, q) == pytest.approx(expected, abs=1e-9, nan_ok=True)


@FEW
@given(tables(), ORDERS, st.lists(st.floats(0.1, 10), min_size=4, max_size=4))
def test_blind_to_class_imbalance(table: Table, q: float, factors: Sequence[float]) -> None:
    scaled = table * np.array(factors[: table.shape[1]])
    for name in ("jensen_shannon", "hellinger"):
        assert c.score(name, scaled, q) == pytest.approx(c.score(name, table, q), abs=1e-9)


# Splits and trees


def test_every_way_to_split() -> None:
    x, y = np.array([3.0, 1.0, 1.0, 2.0]), np.array([0, 1, 1, 0])
    cuts = [(cut, rows, t.tolist()) for cut, rows, t in splits.threshold_tables(x, y, 2)]
    assert cuts == [(1.5, (2, 2), [[0, 2], [2, 0]]), (2.5, (3, 1), [[1, 2], [1, 0]])]
    codes, weights = np.array([7, 2, 4, 9, 5]), np.array([1, 0.5, 2, 1, 0])
    sides = [left for left, _, _ in splits.subset_tables(codes, [0, 1, 0, 1, 1], 2, weights)]
    assert sides == [(2,), (2, 4), (2, 7), (2, 4, 7), (2, 9), (2, 4, 9), (2, 7, 9)]
    table = splits.multiway_table([2, 0, 2], 4, [0, 1, 1], 2, [1, 0.5, 3])
    assert table.tolist() == [[0, 0.5], [0, 0], [1, 3], [0, 0]]


def test_midpoint_always_separates() -> None:
    assert splits.midpoint(1.0, 2.0) == 1.5
    assert splits.midpoint(-1.7e308, 1.7e308) == 0
    for low in (1.0, 1 - 2**-53, 0.0, -5e-324, 1.5e308):
        high = math.nextafter(low, math.inf)
        assert low <= splits.midpoint(low, high) < high


def test_admission() -> None:
    y = np.array([0, 0, 0, 1, 1])
    x = np.array([1.0, 2.0, 3.0, 4.0, 4.0])
    codes = np.array([0, 0, 1, 1, 2])

    def best(column: NDArray, branching: str, name: str = "gain", **limits: Any) -> float | None:
        kind = "numeric" if column is x else "nominal"
        return splits.best_score([column], [kind], y, 2, name, None, branching, **limits)

    assert best(x, "binary") == best(x, "multiway") == pytest.approx(0.48)
    assert best(x, "binary", min_samples_leaf=3) is None
    assert best(codes, "multiway") == pytest.approx(c.gain([[2, 0], [1, 1], [0, 1]]))
    assert best(codes, "binary") == pytest.approx(c.gain([[2, 0], [1, 2]]))
    # Two branches are enough for a multiway split, whatever the third holds.
    assert best(codes, "multiway", min_samples_leaf=2) == best(codes, "multiway")
    assert best(codes, "multiway", min_samples_leaf=3) is None
    assert best(codes, "multiway", "twoing") is None
    assert best(x, "binary", min_impurity_decrease=0.2, n_all=10) == pytest.approx(0.48)
    assert best(x, "binary", min_impurity_decrease=0.3, n_all=10) is None
    # A criterion without an order is held to the Shannon gain: ln 5 - (3 ln 3 + 2 ln 2) / 5.
    assert best(x, "binary", "purity", min_impurity_decrease=0.67) == 1
    assert best(x, "binary", "purity", min_impurity_decrease=0.68) is None
    assert best(np.zeros(5, dtype=int), "multiway") is None


def test_growth_rules() -> None:
    # XOR: no split of the root gains anything, so the first column is taken at its lowest cut.
    a, b = np.array([0.0, 0.0, 1.0, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
    y = np.array([0, 1, 1, 0])
    root = tree.grow([a, b], ["numeric"] * 2, [None] * 2, y, 2, "gain", 1, "binary")
    assert root.split is not None and (root.split.column, root.split.cut) == (0, 0.5)
    assert (tree.count_nodes(root), tree.depth(root), root.vote) == (7, 2, 0)
    for limit in ({"max_depth": 1}, {"min_samples_split": 3}):
        stopped = tree.grow([a, b], ["numeric"] * 2, [None] * 2, y, 2, "gain", 1, "binary", **limit)
        assert tree.count_nodes(stopped) == 3
    # A key wins unless branches need support.
    X, y = [np.arange(6), np.array([0, 0, 0, 1, 1, 1])], np.array([0, 0, 0, 1, 1, 0])
    for support, column in ((0, 0), (2, 1)):
        root = tree.grow(X, ["nominal"] * 2, [6, 2], y, 2, "gain", 1, "multiway", min_support=support)
        assert root.split is not None and root.split.column == column
    # Category 1 has no rows: an empty leaf that votes like its parent. Category 9 is unknown.
    codes, y = np.array([0, 2, 2]), np.array([0, 1, 1])
    root = tree.grow([codes], ["nominal"], [3], y, 2, "gain", 1, "multiway")
    assert (tree.count_nodes(root), tree.count_leaves(root), tree.count_empty(root)) == (4, 3, 1)
    assert tree.predict(root, [np.array([0, 1, 2, 9])]).tolist() == [0, 1, 1, 1]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.integers(0, 3)] * 2, st.integers(0, 2), st.integers(0, 3)),
        min_size=2,
        max_size=12,
    ).filter(lambda rows: any(row[3] for row in rows)),
    st.sampled_from(["binary", "multiway"]),
    st.sampled_from(sorted(set(NAMES) - {"twoing"})),
)
def test_weights_are_copies(rows: list[tuple[int, ...]], branching: str, name: str) -> None:
    data = np.array(rows)
    copies = data[np.repeat(np.arange(len(data)), data[:, 3])]

    def shape(d: NDArray, weights: NDArray | None) -> list[Any]:
        columns = [d[:, 0].astype(float), d[:, 1]]
        root = tree.grow(
            columns, ["numeric", "nominal"], [None, 4], d[:, 2], 3, name, None, branching,
            weights=weights,
        )  # fmt: skip
        return [(n.counts.tolist(), n.split and (n.split.cut, n.split.left)) for n in tree.nodes(root)]

    assert shape(data, data[:, 3]) == shape(copies, None)
