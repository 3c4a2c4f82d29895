"""Pruning as an argument of the model: the same as the separate act, and what is contradictory."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer
from sklearn.tree import DecisionTreeClassifier

from missing_samples import WAYS, mixed
from ramify import (
    TreeClassifier,
    c45,
    cart,
    choose_ccp_alpha,
    cost_complexity_pruning_path,
    load_model,
    prune,
    save_model,
)
from ramify._core import added_errors
from samples import BRANCHINGS, assert_same_tree, numbers, people, refused

each_branching = pytest.mark.parametrize("branching", BRANCHINGS)
each_way = pytest.mark.parametrize("way", WAYS)


def sample_of(way, rows=250):
    sample = mixed(rows, share=0.15 if way != "error" else 0)
    return sample.frame, sample.y


def check_same_act(X, y, settings_of_fit, settings_of_prune, weights=None, **parameters):
    """Fitting with pruning is fitting without and then pruning."""
    full = TreeClassifier(**parameters).fit(X, y, weights)
    pruned = TreeClassifier(**parameters, **settings_of_fit).fit(X, y, weights)
    assert 1 < pruned.tree_.node_count < full.tree_.node_count
    pruned.tree_.validate(pruned.schema_.n_categories)
    apart = prune(full, **settings_of_prune)
    assert_same_tree(pruned, apart)
    np.testing.assert_array_equal(pruned.predict_proba(X), apart.predict_proba(X))
    np.testing.assert_array_equal(pruned.predict(X), apart.predict(X))
    return full, pruned


@each_way
@each_branching
@pytest.mark.parametrize("confidence", [0.25, 0.05])
def test_pessimistic(confidence, branching, way):
    X, y = sample_of(way)
    settings_of_fit = {"pruning": "pessimistic", "confidence": confidence}
    check_same_act(X, y, settings_of_fit, {"confidence": confidence}, branching=branching, missing=way)


@each_way
@each_branching
def test_cost_complexity(branching, way):
    X, y = sample_of(way)
    parameters = {"branching": branching, "missing": way}
    done = {"method": "cost_complexity", "ccp_alpha": 0.01}
    check_same_act(X, y, {"ccp_alpha": 0.01}, done, **parameters)
    named = TreeClassifier(pruning="cost_complexity", ccp_alpha=0.01, **parameters).fit(X, y)
    assert_same_tree(named, TreeClassifier(ccp_alpha=0.01, **parameters).fit(X, y))


@each_way
@each_branching
def test_merge(branching, way):
    X, y = sample_of(way)
    parameters = {"branching": branching, "missing": way, "min_samples_leaf": 4}
    full, pruned = check_same_act(X, y, {"pruning": "merge"}, {"method": "merge"}, **parameters)
    # A case that goes down in parts mixes the shares of leaves, and those of merged leaves are others.
    whole = ~X.isna().any(axis=1) if way == "fractional" else np.ones(len(X), dtype=bool)
    assert whole.sum() > 50
    np.testing.assert_array_equal(full.predict(X)[whole], pruned.predict(X)[whole])


@pytest.mark.parametrize(
    "settings_of_fit",
    [
        {"pruning": "pessimistic"},
        {"ccp_alpha": 0.01},
        {"pruning": "merge"},
        {"pruning": "pessimistic", "q": 1},
    ],
)
def test_with_weights_of_rows_and_classes(settings_of_fit):
    X, y = people(rows=300)
    weights = np.random.default_rng(0).random(len(y)) + 0.5
    parameters = {"class_weight": {"one": 2.0}, "min_samples_leaf": 4}
    if "q" in settings_of_fit:
        parameters["q"] = settings_of_fit["q"]
    method = settings_of_fit.get("pruning", "cost_complexity")
    done = {"method": method, **{k: v for k, v in settings_of_fit.items() if k == "ccp_alpha"}}
    given_to_fit = {k: v for k, v in settings_of_fit.items() if k != "q"}
    check_same_act(X, y, given_to_fit, done, weights, **parameters)


def test_costs_decide_what_is_merged():
    X, y = numbers(rows=300)
    costs = [[0, 1, 1], [20, 0, 1], [20, 1, 0]]
    parameters = {"cost_matrix": costs, "min_samples_leaf": 5}
    check_same_act(X, y, {"pruning": "merge"}, {"method": "merge"}, **parameters)
    free = TreeClassifier(pruning="merge", min_samples_leaf=5).fit(X, y)
    dear = TreeClassifier(pruning="merge", **parameters).fit(X, y)
    assert free.tree_.node_count != dear.tree_.node_count


def test_a_pessimistic_node_by_hand():
    """Two branches with 5 of 5 and 4 of 5 right: the leaf with one error in ten costs no more."""
    X = pd.DataFrame({"x": pd.Categorical(list("aaaaabbbbb"))})
    y = [0] * 9 + [1]
    leaf = 1 + added_errors(10, 1, 0.25)
    subtree = added_errors(5, 0, 0.25) + 1 + added_errors(5, 1, 0.25)
    assert leaf <= subtree + 0.1
    assert TreeClassifier(pruning="pessimistic").fit(X, y).tree_.node_count == 1
    y = [0] * 5 + [1] * 5
    assert TreeClassifier(pruning="pessimistic").fit(X, y).tree_.node_count == 3


# Cost-complexity


@pytest.mark.parametrize("alpha", [0.0005, 0.002, 0.01, 0.05])
def test_ccp_alpha_is_scikit_learns(alpha):
    """One column, so that no two trees tie."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 1)).astype(np.float32)
    y = (np.digitize(X[:, 0], [-0.5, 0.7]) + (rng.random(500) < 0.3)) % 3
    ours = TreeClassifier(ccp_alpha=alpha).fit(X, y)
    theirs = DecisionTreeClassifier(ccp_alpha=alpha, random_state=0).fit(X, y)
    assert ours.tree_.node_count == theirs.tree_.node_count > 1
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


def test_an_alpha_of_zero_prunes_nothing():
    X, y = numbers()
    full = TreeClassifier().fit(X, y)
    for pruning in (None, "cost_complexity"):
        assert_same_tree(TreeClassifier(pruning=pruning, ccp_alpha=0.0).fit(X, y), full)


def test_cross_validation_chooses_what_the_function_chooses():
    X, y = load_breast_cancer(return_X_y=True)
    model = TreeClassifier(ccp_alpha="cv", random_state=1).fit(X, y)
    alpha = choose_ccp_alpha(TreeClassifier(random_state=1), X, y)
    assert_same_tree(model, TreeClassifier(ccp_alpha=alpha).fit(X, y))
    assert_same_tree(model, clone(model).fit(X, y))
    full = TreeClassifier().fit(X, y)
    assert 1 < model.tree_.node_count < full.tree_.node_count
    assert model.tree_.n_leaves in cost_complexity_pruning_path(full).n_leaves
    assert model.ccp_alpha == "cv"


@each_way
@each_branching
def test_cross_validation_with_missing_values(branching, way):
    X, y = sample_of(way)
    model = cart(missing=way, branching=branching, random_state=0).fit(X, y)
    full = cart(missing=way, branching=branching, pruning=None, ccp_alpha=0.0).fit(X, y)
    assert 1 < model.tree_.node_count < full.tree_.node_count
    assert_same_tree(model, cart(missing=way, branching=branching, random_state=0).fit(X, y))


def test_cross_validation_needs_two_rows_and_no_more():
    model = TreeClassifier(ccp_alpha="cv", random_state=0)
    with refused(model, ValueError, "ccp_alpha='cv' needs at least 2 samples"):
        model.fit([[1.0]], ["a"])
    model.fit(np.arange(5.0)[:, np.newaxis], list("aaaab"))  # a class of one row is no obstacle
    assert model.ccp_alpha_ >= 0


def test_the_chosen_alpha_is_kept_and_used_again():
    X, y = numbers(rows=300)
    model = cart(random_state=0).fit(X, y)
    full = cart(pruning=None, ccp_alpha=0.0).fit(X, y)
    assert_same_tree(prune(full, "cost_complexity", ccp_alpha=model.ccp_alpha_), model)
    assert_same_tree(prune(model, "cost_complexity"), model)
    with refused(full, ValueError, "'cost_complexity' needs ccp_alpha"):
        prune(full, "cost_complexity")


# Reduced error


@each_way
@each_branching
def test_reduced_error_is_reproducible(branching, way):
    X, y = sample_of(way)
    model = TreeClassifier(pruning="reduced_error", missing=way, branching=branching, random_state=0)
    first = model.fit(X, y)
    assert_same_tree(first, clone(model).fit(X, y))
    full = TreeClassifier(missing=way, branching=branching).fit(X, y)
    assert first.tree_.node_count < full.tree_.node_count
    sizes = {clone(model).set_params(random_state=seed).fit(X, y).tree_.node_count for seed in range(8)}
    assert len(sizes) > 1


def test_reduced_error_sets_a_third_of_each_class_aside():
    X, y = numbers(rows=300)
    tree = TreeClassifier(pruning="reduced_error", random_state=0).fit(X, y).tree_
    sizes = np.bincount(y)
    assert tree.counts[0].tolist() == (sizes - sizes // 3).tolist()
    assert tree.n_rows[0] == tree.counts[0].sum()


def test_reduced_error_needs_three_rows_of_a_class():
    model = TreeClassifier(pruning="reduced_error")
    with refused(model, ValueError, "pruning='reduced_error'", "no class has three rows", "ramify.prune"):
        model.fit([[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1])


# C4.5


@each_branching
@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_c45_prunes_as_the_separate_act(branching, seed):
    sample = mixed(100, seed=seed)
    model = c45(branching=branching).fit(sample.frame, sample.y)
    full = c45(branching=branching, pruning=None).fit(sample.frame, sample.y)
    assert_same_tree(model, prune(full, X=sample.frame, y=sample.y))
    np.testing.assert_allclose(model.tree_.counts[0], np.bincount(sample.y))


# What is refused


@pytest.mark.parametrize("pruning", ["pessimistic", "reduced_error", "merge"])
@pytest.mark.parametrize("alpha", [0.1, "cv"])
def test_an_alpha_for_another_way(pruning, alpha):
    X, y = numbers()
    model = TreeClassifier(pruning=pruning, ccp_alpha=alpha)
    with refused(model, ValueError, f"ccp_alpha={alpha!r}", f"pruning='{pruning}'", "'cost_complexity'"):
        model.fit(X, y)


@pytest.mark.parametrize("confidence", [0, 0.0, -0.25, 0.51, 1, float("nan"), "0.25", None, True])
def test_confidence_out_of_range(confidence):
    X, y = numbers()
    for model in (c45(confidence=confidence), TreeClassifier(confidence=confidence)):
        with refused(model, ValueError, f"confidence={confidence!r}", r"a number in \(0, 0.5\]"):
            model.fit(X, y)
    assert c45(confidence=0.5).fit(X, y).tree_.node_count >= c45(confidence=1e-9).fit(X, y).tree_.node_count


@pytest.mark.parametrize("alpha", [-0.01, -1, float("nan"), float("inf"), "best", None, True])
def test_alpha_out_of_range(alpha):
    X, y = numbers()
    for pruning in (None, "cost_complexity"):
        model = TreeClassifier(ccp_alpha=alpha, pruning=pruning)
        with refused(model, ValueError, f"ccp_alpha={alpha!r}", "a finite number >= 0, or 'cv'"):
            model.fit(X, y)


def test_validation_data_of_another_sort():
    frame, y = people()
    model = TreeClassifier().fit(frame, y)
    with refused(model, ValueError, r"labels \['four', 'nine'\]", r"its classes are \['none', 'one', "):
        prune(model, "reduced_error", frame, np.where(y == "two", "nine", np.where(y == "one", "four", y)))
    with refused(model, ValueError, "unseen at fit time:\n- height", "yet now missing:\n- weight"):
        prune(model, "reduced_error", frame.rename(columns={"weight": "height"}), y)
    with refused(model, ValueError, "every row needs a label"):
        prune(model, "reduced_error", frame, [None] * len(y))
    with refused(model, ValueError, "'weight' has inf"):
        prune(model, "reduced_error", frame.assign(weight=np.inf), y)


# Models that were pruned can be fitted again


@pytest.mark.parametrize("method", ["pessimistic", "merge"])
@pytest.mark.parametrize("alpha", [0.01, "cv"])
def test_a_clone_of_a_pruned_model_can_be_fitted(method, alpha):
    X, y = numbers()
    pruned = prune(TreeClassifier(ccp_alpha=alpha, random_state=0).fit(X, y), method)
    clone(pruned).fit(X, y)


def test_files_keep_what_was_done(tmp_path):
    X, y = numbers()
    for model in (c45(), TreeClassifier(ccp_alpha="cv", random_state=0), TreeClassifier(pruning="merge")):
        save_model(model.fit(X, y), tmp_path / "m.json")
        loaded = load_model(tmp_path / "m.json")
        assert loaded.get_params() == model.get_params()
        assert_same_tree(loaded, model)


def test_c45_merges_by_the_votes_it_gives():
    X, y = numbers(rows=300)
    full = c45(pruning=None, smoothing=1e6).fit(X, y)
    merged = c45(pruning="merge", smoothing=1e6).fit(X, y)
    assert_same_tree(merged, prune(full, "merge"))
    np.testing.assert_array_equal(merged.predict(X), full.predict(X))


def test_merging_changes_no_prediction_with_an_m_estimate():
    """All cases are 2:1. Two leaves of one A and two B vote A, with three such cases added; merged, B."""
    x = ["a"] * 3 + ["b"] * 3 + ["c"] * 24
    X = pd.DataFrame({"x": x, "z": np.repeat([0, 0, 0, 1], [3, 3, 18, 6])})
    y = np.array(list("ABBABB") + ["A"] * 18 + ["B"] * 6)
    model = TreeClassifier(branching="multiway", smoothing=3, split_order=["x"]).fit(X, y)
    assert model.predict(X)[:6].tolist() == ["A"] * 6
    np.testing.assert_array_equal(prune(model, "merge").predict(X), model.predict(X))
