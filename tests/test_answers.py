"""What a node answers: honest probabilities under class weights, smoothing, and costs."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, c45, load_model, prune, save_model
from samples import BRANCHINGS, assert_same_tree, numbers, people, refused

X, Y = numbers(rows=300)
LIMITS = {"max_depth": 4, "min_samples_leaf": 5}
WEIGHTS = np.random.default_rng(2).random(len(Y)) + 0.5
BY_CLASS = np.array([5.0, 0.5, 2.0])
CLASS_WEIGHT = dict(enumerate(BY_CLASS))
COSTS = np.array([[0.0, 1.0, 8.0], [4.0, 0.0, 1.0], [0.5, 3.0, 0.0]])


def leaf_shares(model, rows, y, weights=None):
    """The class shares of the training rows that end where each row ends."""
    ends = model.apply(rows)
    w = np.ones(len(y)) if weights is None else weights
    table = np.zeros((model.tree_.node_count, model.n_classes_))
    np.add.at(table, (ends, np.searchsorted(model.classes_, y)), w)
    return table[ends] / table[ends].sum(axis=1, keepdims=True)


def mixed_leaves(model):
    return int((np.count_nonzero(model.tree_.counts[model.tree_.n_children == 0], axis=1) > 1).sum())


# Class weights


@pytest.mark.parametrize("sample_weight", [None, WEIGHTS], ids=["unit", "real"])
@pytest.mark.parametrize("class_weight", [CLASS_WEIGHT, "balanced"], ids=["dict", "balanced"])
def test_probabilities_are_those_of_the_rows_and_votes_are_not(class_weight, sample_weight):
    y = np.where(np.random.default_rng(0).random(len(Y)) < 0.3, 0, Y)
    model = TreeClassifier(class_weight=class_weight, **LIMITS).fit(X, y, sample_weight)
    assert mixed_leaves(model) >= 3
    honest = leaf_shares(model, X, y, sample_weight)
    np.testing.assert_allclose(model.predict_proba(X), honest, rtol=1e-9, atol=1e-12)
    by_class = model.class_weight_
    if class_weight == "balanced":
        counts = np.bincount(y, sample_weight)
        np.testing.assert_allclose(by_class, counts.sum() / (3 * counts))
    heeded = honest * by_class
    np.testing.assert_array_equal(model.predict(X), model.classes_[heeded.argmax(axis=1)])
    assert (model.predict(X) != model.classes_[honest.argmax(axis=1)]).any()


def test_a_leaf_by_hand():
    """Three of "a", one of "b", who weighs five: the vote is b, the share of b still a quarter."""
    model = TreeClassifier(class_weight={"b": 5}).fit([[0.0]] * 4, list("aaab"))
    assert model.predict([[0.0]]).tolist() == ["b"]
    np.testing.assert_allclose(model.predict_proba([[0.0]]), [[0.75, 0.25]])
    np.testing.assert_allclose(model.predict_log_proba([[0.0]]), np.log([[0.75, 0.25]]))


def test_without_class_weights_votes_follow_the_shares():
    model = TreeClassifier(**LIMITS).fit(X, Y, WEIGHTS)
    np.testing.assert_array_equal(model.predict(X), model.predict_proba(X).argmax(axis=1))
    assert model.class_weight_.tolist() == [1, 1, 1]


@pytest.mark.parametrize("way", ["fractional", "best_branch", "own_branch"])
def test_probabilities_are_honest_with_missing_values(way):
    """Equal to those of the same tree with the class weights divided out of every node's counts."""
    gaps = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
    model = TreeClassifier(class_weight=CLASS_WEIGHT, missing=way, **LIMITS).fit(gaps, Y)
    counts = model.tree_.answers() / BY_CLASS
    shares = counts / counts.sum(axis=1, keepdims=True)
    found = model.predict_proba(gaps)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    if way == "fractional":
        parts = TreeClassifier(missing=way, **LIMITS).fit(gaps, Y, BY_CLASS[Y])
        assert_same_tree(model, parts)
        assert not np.allclose(found, parts.predict_proba(gaps))
    else:
        np.testing.assert_allclose(found, shares[model.apply(gaps)], rtol=1e-12)
    known = ~np.isnan(gaps).any(axis=1)
    assert known.any()
    np.testing.assert_allclose(found[known], shares[model.apply(gaps[known])], rtol=1e-12)


def test_a_case_of_which_nothing_is_known_has_the_shares_of_all_rows():
    gaps = np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X)
    unknown = np.full((1, X.shape[1]), np.nan)
    shares = np.bincount(Y) / len(Y)
    plain = TreeClassifier(**LIMITS).fit(gaps, Y)
    np.testing.assert_allclose(plain.predict_proba(unknown), [shares], rtol=1e-9)
    model = TreeClassifier(class_weight=CLASS_WEIGHT, **LIMITS).fit(gaps, Y)
    np.testing.assert_allclose(model.predict_proba(unknown), [shares], rtol=1e-9)


def test_files_and_pruned_models_stay_honest(tmp_path):
    model = TreeClassifier(class_weight="balanced").fit(X, Y)
    save_model(model, tmp_path / "m.json")
    np.testing.assert_array_equal(load_model(tmp_path / "m.json").predict_proba(X), model.predict_proba(X))
    pruned = prune(model, confidence=0.01)
    assert mixed_leaves(pruned) > 0
    np.testing.assert_allclose(pruned.predict_proba(X), leaf_shares(pruned, X, Y), rtol=1e-9, atol=1e-12)


# Smoothing


def smoothed(counts, smoothing):
    """The definitions, node by node."""
    n_classes, prior = counts.shape[1], counts[0] / counts[0].sum()
    n = counts.sum(axis=1, keepdims=True)
    if smoothing == "laplace":
        return (counts + 1) / (n + n_classes)
    return (counts + smoothing * prior) / (n + smoothing)


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("smoothing", ["laplace", 1, 2.5, 1e-3, 1e6])
def test_smoothing_by_definition(smoothing, branching):
    frame, y = people(rows=200)
    model = TreeClassifier(smoothing=smoothing, branching=branching, max_depth=3).fit(frame, y)
    plain = TreeClassifier(branching=branching, max_depth=3).fit(frame, y)
    assert_same_tree(model, plain)
    expected = smoothed(model.tree_.answers(), smoothing)
    found = model.predict_proba(frame)
    np.testing.assert_allclose(found, expected[model.apply(frame)], rtol=1e-12)
    assert (found > 0).all()
    np.testing.assert_array_equal(model.predict(frame), model.classes_[found.argmax(axis=1)])


def test_smoothing_without_end():
    model = TreeClassifier(smoothing=1e308, max_depth=2).fit(X, Y)
    np.testing.assert_allclose(model.predict_proba(X), np.tile(np.bincount(Y) / len(Y), (len(X), 1)))


def test_smoothing_by_hand():
    model = TreeClassifier(smoothing="laplace").fit([[0.0], [0.0], [0.0], [1.0]], [0, 0, 0, 1])
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]]), [[4 / 5, 1 / 5], [1 / 3, 2 / 3]])
    model.set_params(smoothing=2).fit([[0.0], [0.0], [0.0], [1.0]], [0, 0, 0, 1])
    np.testing.assert_allclose(model.predict_proba([[0.0], [1.0]]), [[4.5 / 5, 0.5 / 5], [0.5, 0.5]])


def test_smoothing_adds_whole_cases_to_honest_counts():
    model = TreeClassifier(class_weight=CLASS_WEIGHT, smoothing="laplace", **LIMITS).fit(X, Y)
    expected = smoothed(model.tree_.answers() / BY_CLASS, "laplace")
    np.testing.assert_allclose(model.predict_proba(X), expected[model.apply(X)], rtol=1e-9)


def test_c45_smooths_its_shares_and_not_its_votes():
    rough, smooth = c45(**LIMITS).fit(X, Y), c45(smoothing=1e6, **LIMITS).fit(X, Y)
    np.testing.assert_array_equal(rough.predict(X), smooth.predict(X))
    prior = np.tile(np.bincount(Y) / len(Y), (len(X), 1))
    np.testing.assert_allclose(smooth.predict_proba(X), prior, atol=1e-3)
    assert (smooth.predict(X) != prior.argmax(axis=1)).any()


# Costs


@pytest.mark.parametrize("smoothing", [None, "laplace", 3.0])
def test_the_class_of_the_least_expected_cost(smoothing):
    model = TreeClassifier(cost_matrix=COSTS, smoothing=smoothing, **LIMITS).fit(X, Y)
    plain = TreeClassifier(smoothing=smoothing, **LIMITS).fit(X, Y)
    assert_same_tree(model, plain)
    shares = model.predict_proba(X)
    np.testing.assert_array_equal(shares, plain.predict_proba(X))
    np.testing.assert_array_equal(model.predict(X), (shares @ COSTS).argmin(axis=1))
    assert (model.predict(X) != plain.predict(X)).sum() > 10


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=6, max_size=6), st.sampled_from(["fractional", "own_branch"]))
def test_costs_of_any_size_with_missing_values(costs, way):
    matrix = np.zeros((3, 3))
    matrix[~np.eye(3, dtype=bool)] = costs
    gaps = np.where(np.random.default_rng(3).random(X.shape) < 0.3, np.nan, X)
    model = TreeClassifier(cost_matrix=matrix, missing=way, **LIMITS).fit(gaps, Y)
    expected = model.predict_proba(gaps) @ matrix
    rows = np.arange(len(Y))
    found = expected[rows, np.searchsorted(model.classes_, model.predict(gaps))]
    np.testing.assert_allclose(found, expected.min(axis=1), atol=1e-9)


def test_equal_costs_change_nothing():
    model = TreeClassifier(cost_matrix=1 - np.eye(3), **LIMITS).fit(X, Y)
    np.testing.assert_array_equal(model.predict(X), TreeClassifier(**LIMITS).fit(X, Y).predict(X))


def test_costs_go_by_the_order_of_the_classes():
    """Taking a "yes" for a "no" costs nine: a share of a fifth of "yes" is enough for it."""
    x, y = [[0.0]] * 5, ["yes", "no", "no", "no", "no"]
    assert TreeClassifier(cost_matrix=[[0, 1], [9, 0]]).fit(x, y).predict([[0.0]]).tolist() == ["yes"]
    assert TreeClassifier(cost_matrix=[[0, 9], [1, 0]]).fit(x, y).predict([[0.0]]).tolist() == ["no"]


def test_files_keep_costs(tmp_path):
    for costs in (COSTS, COSTS.tolist(), pd.DataFrame(COSTS).to_numpy()):
        model = TreeClassifier(cost_matrix=costs, smoothing=2.0, **LIMITS).fit(X, Y)
        save_model(model, tmp_path / "m.json")
        loaded = load_model(tmp_path / "m.json")
        np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
        assert loaded.cost_matrix == COSTS.tolist()


BAD_COSTS = {
    "too small": ([[0, 1], [1, 0]], r"shape \(2, 2\)"),
    "too large": (np.zeros((4, 4)), r"shape \(4, 4\)"),
    "not square": (np.zeros((3, 2)), r"shape \(3, 2\)"),
    "one row": ([0, 1, 2], r"shape \(3,\)"),
    "a number": (1, r"shape \(\)"),
    "ragged": ([[0, 1, 1], [1, 0], [1, 1, 0]], r"=\[\[0, 1, 1\], \[1, 0\]"),
    "a diagonal": (np.ones((3, 3)), "diagonal"),
    "NaN": (np.where(np.eye(3) > 0, 0, np.nan), "NaN"),
    "infinity": (np.where(np.eye(3) > 0, 0, np.inf), "infinite"),
    "negative": (np.eye(3) - 1, "negative"),
    "None": ([[0, None, 1], [1, 0, 1], [1, 1, 0]], "None"),
    "words": ([["a"] * 3] * 3, "'a'"),
    "a word": ("equal", "'equal'"),
    "a dict": ({"a": 1}, "'a': 1"),
}


@pytest.mark.parametrize("sort", BAD_COSTS)
def test_bad_costs(sort):
    costs, text = BAD_COSTS[sort]
    model = TreeClassifier().fit(X, Y).set_params(cost_matrix=costs)
    with refused(model, ValueError, "cost_matrix", text, "3 x 3 array of finite costs >= 0", r"in the order"):
        model.fit(X, Y)


@pytest.mark.parametrize(
    "costs",
    [
        [["0", "1", "1"], ["1", "0", "1"], ["1", "1", "0"]],
        [[False, True, True], [True, False, True], [True, True, False]],
        np.ma.array(COSTS, mask=COSTS == 8),
    ],
    ids=["words", "booleans", "masked"],
)
def test_costs_that_are_no_numbers(costs):
    model = TreeClassifier(cost_matrix=costs)
    with refused(model, (ValueError, TypeError), "cost_matrix"):
        model.fit(X, Y)


@pytest.mark.parametrize("scale", [1e-14, 1e-200])
def test_the_unit_of_costs_does_not_matter(scale):
    model = TreeClassifier(cost_matrix=COSTS, **LIMITS).fit(X, Y)
    scaled = TreeClassifier(cost_matrix=COSTS * scale, **LIMITS).fit(X, Y)
    np.testing.assert_array_equal(scaled.predict(X), model.predict(X))
