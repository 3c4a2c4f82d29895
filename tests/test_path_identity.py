"""The trees of a path over q are, bit by bit, those of single fits; so are the figures of the folds."""

from concurrent.futures import ThreadPoolExecutor
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import StratifiedKFold

import missing_samples
from path_samples import (
    DATASETS,
    GRID,
    ORDERS,
    PAPER,
    PARAMETERS,
    SHAPE,
    WAYS,
    Exam,
    Growth,
    Sample,
    assert_same_arrays,
    clusters,
    mixed,
    nominal,
    real,
    routes_of,
    weighted,
)
from ramify import TreeClassifier, _core, q_path
from samples import BRANCHINGS

needs_core = pytest.mark.skipif(not hasattr(_core, "Path"), reason="the core has no path")

FEW = [0.5, 1.0, 1.5, 2.0, 2.1, 7.1]

#: Some of the folder's data sets: numbers, categories, both, with gaps, two classes and many.
REAL = (
    "glass",
    "wine",
    "vehicle",
    "yeast",
    "balance-scale",
    "car",
    "cmc",
    "hayes-roth",
    "vote",
    "hepatitis",
    "primary-tumor",
    "tic-tac-toe",
)


def part(sample, seed=0):
    """Two thirds of the rows, as a fold has them."""
    return np.flatnonzero(np.random.default_rng(seed).random(len(sample)) < 2 / 3)


def check_core(sample, qs=GRID, n_jobs=1, **parameters):
    """The core's path is the single trees, on all rows and on some."""
    growth = Growth(sample, **parameters)
    growth.check(qs, n_jobs=n_jobs)
    growth.check(qs, part(growth.rows.numbers), n_jobs)


# The core, on all sorts of data and with all sorts of parameters


@needs_core
@pytest.mark.parametrize("criterion", ORDERS)
@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("name", DATASETS)
def test_trees_of_all_sorts_of_data(name, branching, criterion):
    check_core(DATASETS[name](), criterion=criterion, branching=branching)


@needs_core
@pytest.mark.parametrize("criterion", ORDERS)
@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("case", PARAMETERS)
def test_trees_under_all_sorts_of_parameters(case, branching, criterion):
    name, parameters = PARAMETERS[case]
    check_core(DATASETS[name](), FEW, criterion=criterion, branching=branching, **parameters)


@needs_core
@pytest.mark.parametrize("criterion", ORDERS)
@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("way", WAYS)
def test_trees_with_missing_values(way, branching, criterion):
    sample = mixed(share=0.15)
    check_core(sample, criterion=criterion, branching=branching, missing=way)
    limits = {"min_samples_leaf": 4, "max_depth": 5, "n_runner_ups": 2}
    check_core(weighted(sample, "real"), criterion=criterion, branching=branching, missing=way, **limits)


@needs_core
@pytest.mark.parametrize("criterion", ORDERS)
@pytest.mark.parametrize("kind", ["whole", "real", "zeros", "large"])
@pytest.mark.parametrize("name", ["whole numbers", "mixed", "nominal, two classes"])
def test_trees_of_weighted_rows(name, kind, criterion):
    sample = weighted(DATASETS[name](), kind)
    check_core(sample, criterion=criterion)
    check_core(sample, criterion=criterion, class_weight="balanced", min_samples_leaf=5, min_support=2)


@needs_core
@pytest.mark.parametrize(
    ("case", "way"),
    [
        ("c45", "fractional"),
        ("known cases", "fractional"),
        *product(["gate", "improving cuts"], WAYS),
        *product(["leaves", "drawn columns", "quantiles", "gaussian", "runner-ups"], WAYS),
    ],
)
def test_parameters_and_missing_values_together(case, way):
    _, parameters = PARAMETERS[case]
    check_core(weighted(mixed(share=0.2, seed=2), "whole"), FEW, missing=way, **parameters)
    check_core(mixed(share=0.2, seed=3), FEW, missing=way, criterion="gain_ratio", **parameters)


@needs_core
@pytest.mark.parametrize("criterion", ORDERS)
def test_the_grid_of_the_paper(criterion):
    check_core(clusters(214, 9, 6), PAPER, criterion=criterion, min_samples_leaf=5)
    check_core(nominal(214, (3, 4, 5), 3), PAPER, criterion=criterion, min_samples_leaf=5)


@needs_core
@pytest.mark.parametrize("limits", [{"max_depth": 6}, {"min_samples_leaf": 5}], ids=str)
def test_large_data(limits):
    """Enough rows for all the ways in which columns are kept and searched, on several threads."""
    growth = Growth(clusters(30_000, 6, 5, kind=np.float32), **limits)
    growth.check([0.3, 1.0, 1.5, 1.6, 2.0, 3.0, 8.0], n_jobs=2)
    growth.check([0.5, 2.0, 2.2], part(growth.rows.numbers), n_jobs=1)


@needs_core
@pytest.mark.parametrize("name", ["whole numbers", "mixed", "many classes"])
def test_threads_do_not_matter(name):
    sample = DATASETS[name]()
    for n_jobs in (2, 3):
        check_core(sample, n_jobs=n_jobs, min_samples_leaf=2)


@needs_core
@pytest.mark.parametrize("branching", BRANCHINGS)
def test_the_order_of_the_orders_does_not_matter(branching):
    """In any order, one alone, and next to one that is equal to it."""
    growth = Growth(mixed(), branching=branching)
    shuffled = np.random.default_rng(0).permutation(GRID)
    growth.check(shuffled)
    growth.check([1.5])
    growth.check([2.0, 2.0, np.nextafter(2.0, 3.0), 1.0, np.nextafter(1.0, 0.0)])


@needs_core
def test_a_path_can_be_used_again():
    """Sorted once: trees of some rows leave nothing behind for the next."""
    growth = Growth(weighted(mixed(share=0.1), "whole"))
    for seed in range(6):
        growth.check([0.5, 1.0, 2.0, 3.0], part(growth.rows.numbers, seed))
    growth.check(GRID)
    growth.check(GRID, np.array([3, 4, 10]))
    growth.check(GRID, np.array([7]))


@needs_core
def test_slack_is_in_the_entropy_of_each_order():
    """C4.5 takes the first category even where its gain is a rounding below 0, as here at q = 0."""
    x = np.repeat([0, 0, 1, 2, 2, 3, 3], [5, 3, 5, 4, 6, 13, 5])
    y = np.repeat([0, 1, 1, 0, 1, 0, 1], [5, 3, 5, 4, 6, 13, 5])
    frame = pd.DataFrame({"x": pd.Categorical.from_codes(x, list("abcd"))})
    for criterion in ORDERS:
        Growth(Sample(frame, y), criterion=criterion, dialect="c45").check(GRID)


@needs_core
@pytest.mark.parametrize("heavy", [1.0, 1e3, 1e6, 1e7])
@pytest.mark.parametrize(
    "copies", [([1, 1], [2, 1]), ([3, 1], [1, 1]), ([3, 2], [2, 1]), ([5, 2, 4], [3, 7])]
)
def test_columns_that_gain_nothing_but_rounding(copies, heavy):
    """All columns tie, whatever one order says to the next of what they gain."""
    columns = np.meshgrid(*[np.repeat(np.arange(len(n)), n) for n in copies])
    X = np.repeat(np.stack([x.ravel() for x in columns], axis=1), 2, axis=0).astype(float)
    y = np.tile([0, 1], len(X) // 2)
    growth = Growth(Sample(X, y, 1.1 * np.array([heavy, 1.0])[y]), max_depth=2)
    for qs in ([1e-6, 2.0], [0.1, 60.0], [0.01, 10.0], [1.0, 5.0], GRID):
        growth.check(qs)


@needs_core
@pytest.mark.parametrize("seed", range(12))
def test_weights_over_many_decades(seed):
    """Where a class outweighs all others, scores are small differences of large numbers."""
    rng = np.random.default_rng(seed)
    X = np.column_stack([rng.normal(size=150), rng.integers(0, 7, 150), rng.normal(size=150)])
    y = (X[:, 0] + rng.normal(size=150) > 0).astype(int)
    X[rng.random(X.shape) < 0.1 * (seed % 2)] = np.nan
    growth = Growth(Sample(X, y, 10 ** rng.uniform(-8, 4, 150)))
    growth.check([0.5, 1.0, 2.0, 2.1, 2.6, 3.0, 60.0])


orders = st.lists(
    st.one_of(st.sampled_from(GRID.tolist()), st.floats(0, 12, allow_nan=False)), min_size=1, max_size=9
)


@needs_core
@settings(max_examples=100, deadline=None)
@given(
    missing_samples.samples(max_rows=40, max_columns=4),
    orders,
    st.sampled_from(ORDERS),
    st.sampled_from(BRANCHINGS),
    st.sampled_from([*product(WAYS, ["plain"]), ("fractional", "c45")]),
    st.fixed_dictionaries(
        {
            "min_samples_leaf": st.sampled_from([1, 1, 2, 5]),
            "max_depth": st.sampled_from([None, None, 2, 4]),
            "max_leaf_nodes": st.sampled_from([None, None, 5]),
            "min_support": st.sampled_from([None, None, 2]),
            "min_impurity_decrease": st.sampled_from([0.0, 0.0, 0.02]),
            "n_runner_ups": st.sampled_from([0, 0, 2]),
            "max_features": st.sampled_from([None, None, 1]),
        }
    ),
    st.integers(0, 99),
)
def test_random_cases(sample, qs, criterion, branching, rules, limits, seed):
    parameters = {"criterion": criterion, "branching": branching, "random_state": seed}
    parameters |= {"missing": rules[0], "dialect": rules[1]}
    growth = Growth(Sample(sample.frame, sample.y, sample.weights), **parameters, **limits)
    growth.check(qs)
    some = part(growth.rows.numbers, seed)
    if len(some):
        growth.check(qs, some)


# Folds scored by the core


def folds_of(rows, seed=0):
    """Four folds of shuffled rows, and one that tests on few of them."""
    fold = np.random.default_rng(seed).permutation(rows) % 4
    folds = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(4)]
    return [*folds, (folds[0][0], folds[0][1][:2])]


@needs_core
@pytest.mark.parametrize("criterion", ORDERS)
@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("name", DATASETS)
def test_folds_of_all_sorts_of_data(name, branching, criterion):
    sample = DATASETS[name]()
    exam = Exam(sample, criterion=criterion, branching=branching)
    exam.check(GRID, folds_of(len(sample.y)))


@needs_core
@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize(
    "parameters",
    [
        {"min_samples_leaf": 5},
        {"min_samples_leaf": 5, "max_depth": 3},
        {"max_features": 2, "random_state": 5},
        {"min_support": 4, "branching": "multiway"},
        {"min_impurity_decrease": 0.01, "criterion": "gain_ratio"},
        {"split_order": [3, None, 0]},
        {"cuts": "gaussian"},
        {"smoothing": "laplace", "max_depth": 4},
        {"smoothing": 3.0, "class_weight": {0: 4.0, 1: 0.5}, "max_depth": 4},
        {"cost_matrix": [[0, 1, 5], [1, 0, 1], [2, 1, 0]], "class_weight": {2: 2.0}, "max_depth": 3},
    ],
    ids=str,
)
def test_folds_under_all_sorts_of_parameters(parameters, n_jobs):
    for sample in (mixed(), weighted(mixed(seed=1), "whole"), weighted(mixed(seed=2), "real")):
        exam = Exam(sample, **parameters)
        weights = np.random.default_rng(0).random(len(sample.y))
        exam.check(FEW, folds_of(len(sample.y)), weights, n_jobs)


@needs_core
def test_folds_over_the_grid_of_the_paper():
    sample = clusters(214, 9, 6)
    Exam(sample, min_samples_leaf=5).check(PAPER, folds_of(214), n_jobs=2)
    Exam(clusters(3000, 4, 3), min_samples_leaf=5).check(PAPER[::9], folds_of(3000), n_jobs=2)


# `q_path`, against the estimator


def by_definition(sample, qs, folds, parameters):
    """One fit a fold and q, and scikit-learn's scores: arrays (folds, qs) by name."""
    labels = np.unique(sample.y)
    found = {name: np.empty((len(folds), len(qs))) for name in FIGURES}
    for i, (train, test) in enumerate(folds):
        seen, held = sample.rows(train), sample.rows(test)
        for j, q in enumerate(qs):
            model = TreeClassifier(**{"random_state": 0, **parameters, "q": q}).fit(
                seen.X, seen.y, seen.weights
            )
            shares = np.zeros((len(test), len(labels)))
            shares[:, np.searchsorted(labels, model.classes_)] = model.predict_proba(held.X)
            right = accuracy_score(held.y, model.predict(held.X), sample_weight=held.weights)
            loss = log_loss(held.y, shares, labels=labels, sample_weight=held.weights)
            tree = model.tree_
            figures = (right, loss, tree.node_count, tree.n_leaves, tree.max_depth)
            for name, figure in zip(FIGURES, figures, strict=True):
                found[name][i, j] = figure
    return found


FIGURES = ("accuracy", "log_loss", "n_nodes", "n_leaves", "depth")


def check_path(sample, qs, n_splits=3, n_jobs=1, **parameters):
    """The trees of `q_path` are the fits on all rows, and its figures those of fits on each fold."""
    cv = StratifiedKFold(n_splits, shuffle=True, random_state=1)
    path = q_path(sample.X, sample.y, qs, cv=cv, sample_weight=sample.weights, n_jobs=n_jobs, **parameters)
    expected = by_definition(sample, path.qs_, list(cv.split(sample.X, sample.y)), parameters)
    for name, values in expected.items():
        mine = getattr(path, f"fold_{name}_")
        tolerance = 1e-9 if name == "log_loss" else 1e-12
        np.testing.assert_allclose(mine, values, rtol=tolerance, atol=tolerance, err_msg=name)
        np.testing.assert_allclose(getattr(path, f"{name}_"), mine.mean(axis=0), rtol=1e-12, err_msg=name)
    for i, q in enumerate(path.qs_):
        single = TreeClassifier(**{"random_state": 0, **parameters, "q": q})
        single.fit(sample.X, sample.y, sample.weights)
        wanted, shared = single.tree_.arrays(), path.tree(q).arrays()
        assert_same_arrays(path.model(q).tree_.arrays(), wanted, f"q = {q:g}")
        first = next(entry.qs[0] for entry in path.trees_ if q in entry.qs)
        assert_same_arrays(shared, wanted, f"q = {q:g}, shared", None if first == q else SHAPE)
        np.testing.assert_array_equal(routes_of(shared), routes_of(wanted))
        assert path.full_n_nodes_[i] == single.tree_.node_count


SOME = [0.1, 0.9, 1.0, 1.7, 2.0, 4.0, 10.0]


@pytest.mark.parametrize("criterion", ORDERS)
@pytest.mark.parametrize("name", ["whole numbers", "ties", "many classes", "nominal", "mixed", "rare class"])
def test_a_path_of_all_sorts_of_data(name, criterion):
    sample = DATASETS[name]()
    check_path(sample, SOME, criterion=criterion)
    check_path(sample, SOME[2:5], criterion=criterion, branching="multiway", min_samples_leaf=5)


@pytest.mark.parametrize("case", PARAMETERS)
def test_a_path_under_all_sorts_of_parameters(case):
    name, parameters = PARAMETERS[case]
    parameters = {k: v for k, v in parameters.items() if k != "random_state"}
    check_path(DATASETS[name](), SOME, n_jobs=2, **parameters)


@pytest.mark.parametrize(
    "parameters",
    [
        {"smoothing": "laplace"},
        {"smoothing": 2.5, "class_weight": {0: 4.0, 2: 0.5}},
        {"smoothing": 1.0, "dialect": "c45"},
        {"class_weight": {1: 0.0}},
        {"class_weight": "balanced", "cost_matrix": [[0, 1, 5], [1, 0, 1], [2, 1, 0]]},
    ],
    ids=str,
)
@pytest.mark.parametrize("kind", [None, "whole", "real", "zeros"])
def test_figures_of_all_sorts_of_answers(kind, parameters):
    sample = mixed() if kind is None else weighted(mixed(), kind)
    check_path(sample, SOME[1:6], max_depth=4, **parameters)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("branching", BRANCHINGS)
def test_a_path_with_missing_values(way, branching):
    check_path(mixed(share=0.15), SOME[1:6], missing=way, branching=branching)
    check_path(weighted(mixed(share=0.15), "real"), SOME[3:5], missing=way, branching=branching)


# Real data, over the whole grid of the paper


@needs_core
def test_a_path_that_several_threads_ask():
    growth = Growth(DATASETS["mixed"]())
    rows = np.arange(len(growth.rows.numbers))

    def nodes(q):
        trees, _ = growth.shared([q, q + 3.0], rows[int(q) :], True, 2)
        return [tree.node_count for tree in trees]

    qs = [i / 4 for i in range(1, 33)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(nodes, qs))
    assert found == [nodes(q) for q in qs]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:The least populated class")
@pytest.mark.parametrize("criterion", ORDERS)
@pytest.mark.parametrize("name", REAL)
def test_real_data(name, criterion):
    sample = real(name)
    check_path(sample, PAPER[::12], 10, criterion=criterion, min_samples_leaf=5)
    if not hasattr(_core, "Path"):
        pytest.skip("the core has no path")
    for branching in BRANCHINGS:
        for limits in ({"min_samples_leaf": 5}, {}):
            check_core(sample, PAPER, n_jobs=2, criterion=criterion, branching=branching, **limits)
