"""A weight is as many copies where weight is counted: in pruning and in the C4.5 dialect."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from missing_samples import WAYS, mixed, samples
from ramify import C45, TreeClassifier, c45, prune
from samples import BRANCHINGS, assert_same_tree

#: What differs by rounding when weights are summed in another order.
SUMS = ("counts", "unknown", "impurity", "score", "gain", "threshold")
FEW = settings(max_examples=25, deadline=None)
each_branching = pytest.mark.parametrize("branching", BRANCHINGS)


def assert_copies_are_weights(make, frame, y, weights):
    """The models of weighted rows and of copies agree, but for the number of rows."""
    rows = np.repeat(np.arange(len(y)), np.asarray(weights, dtype=int))
    model = make().fit(frame, y, weights)
    copies = make().fit(frame.iloc[rows], np.asarray(y)[rows])
    assert_same_tree(model, copies, but=["n_rows", *SUMS])
    for name in SUMS:
        found, expected = getattr(model.tree_, name), getattr(copies.tree_, name)
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=name)
    found, expected = model.predict_proba(frame), copies.predict_proba(frame)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    return model


def weighted(rows, seed, share=0.2):
    sample = mixed(rows, seed=seed, share=share)
    return sample.frame, sample.y, np.random.default_rng(seed).integers(1, 5, rows)


# Pruning


@each_branching
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "pruning",
    [{"pruning": "pessimistic"}, {"ccp_alpha": 0.02}, {"pruning": "merge"}],
    ids=["pessimistic", "cost_complexity", "merge"],
)
@FEW
@given(sample=samples(weights=("whole",), max_columns=3))
def test_pruned_trees(pruning, way, branching, sample):
    # Where parts of cases must add up to some, weights that are all the same are a unit, not copies.
    assume(way != "fractional" or len(set(sample.weights)) > 1)

    def make():
        return TreeClassifier(missing=way, branching=branching, **pruning)

    assert_copies_are_weights(make, sample.frame, sample.y, sample.weights)


@each_branching
@pytest.mark.parametrize("way", WAYS)
def test_raised_branches(way, branching):
    changed = 0
    for seed in range(6):
        frame, y, weights = weighted(80, seed)
        rows = np.repeat(np.arange(len(y)), weights)
        full = TreeClassifier(missing=way, branching=branching).fit(frame, y, weights)
        copies = TreeClassifier(missing=way, branching=branching).fit(frame.iloc[rows], y[rows])
        raised = prune(full, X=frame, y=y, sample_weight=weights, raising=True)
        other = prune(copies, X=frame.iloc[rows], y=y[rows], raising=True)
        assert_same_tree(raised, other, but=["n_rows", *SUMS])
        np.testing.assert_allclose(raised.tree_.counts, other.tree_.counts, rtol=1e-9, atol=1e-9)
        changed += raised.tree_.node_count < full.tree_.node_count
    assert changed >= 5


def test_scaling_is_not_neutral_in_pruning():
    """Ten times the weight is ten times the evidence."""
    frame, y, _ = weighted(150, 0)
    sizes = [
        TreeClassifier(pruning="pessimistic").fit(frame, y, np.full(len(y), w)).tree_.node_count
        for w in (0.5, 1, 10)
    ]
    assert sizes == sorted(sizes) and sizes[0] < sizes[-1]


# C4.5


@pytest.mark.parametrize("weight", [1, 0.5])
def test_the_minimum_of_c45_is_a_weight(weight):
    X, y = pd.DataFrame({"x": pd.Categorical(list("aabb"))}), [0, 0, 1, 1]
    tree = c45(pruning=None).fit(X, y, np.full(4, weight)).tree_
    assert tree.node_count == (3 if weight == 1 else 1)
    # Two heavy rows are enough, as four light ones are.
    two = c45(pruning=None).fit(X.iloc[[0, 2]], [0, 1], [2 * weight, 2 * weight]).tree_
    assert two.node_count == tree.node_count


@pytest.mark.parametrize("changes", [{}, {"pruning": None}, {"min_samples_leaf": 5}], ids=str)
@each_branching
def test_c45_with_nominal_columns(branching, changes):
    """Of few categories for the number of rows."""
    for seed in range(10):
        frame, y, weights = weighted(120, seed)
        model = assert_copies_are_weights(
            lambda: c45(branching=branching, **changes), frame[["c2", "c3"]], y, weights
        )
        assert model.tree_.unknown.sum() > 0


BY_ROWS = "bug: the C4.5 dialect counts rows where it should count weight ({})"


def test_c45_cuts_few_heavy_rows():
    frame = pd.DataFrame({"x": [0.0, 1.0, 2.0]})
    model = assert_copies_are_weights(lambda: c45(pruning=None), frame, [0, 0, 1], [2, 2, 2])
    assert model.tree_.node_count == 3


def test_c45_has_many_values_by_weight():
    """Four categories are many for ten rows, and few for thirty."""
    frame = pd.DataFrame({"many": list("dccbbaaaad"), "one": list("yyyyyyyyyy")}).astype("category")
    y = [0, 1, 1, 0, 0, 1, 1, 0, 1, 1]
    model = assert_copies_are_weights(lambda: c45(pruning=None), frame, y, np.full(10, 3))
    assert model.tree_.node_count > 1


@each_branching
@pytest.mark.parametrize("share", [0, 0.2])
@pytest.mark.parametrize("changes", [{}, {"pruning": None}, {"min_samples_leaf": 5}], ids=str)
def test_c45(changes, share, branching):
    for seed in range(40):
        frame, y, weights = weighted(20 + seed, seed, share)
        assert_copies_are_weights(lambda: c45(branching=branching, **changes), frame, y, weights)


@pytest.mark.parametrize("dialect", ["c45", C45])
def test_c45_with_one_weight_for_all_is_c45(dialect):
    for seed in range(10):
        frame, y, _ = weighted(80, seed)
        model = c45(dialect=dialect).fit(frame, y)
        other = c45(dialect=dialect).fit(frame, y, np.ones(len(y)))
        assert_same_tree(model, other, but=SUMS)
        np.testing.assert_allclose(other.tree_.counts, model.tree_.counts, rtol=1e-9)


@each_branching
@FEW
@given(sample=samples(max_columns=3, max_rows=40), seed=st.integers(0, 2**32 - 1))
def test_c45_does_not_depend_on_the_order_of_rows(branching, sample, seed):
    order = np.random.default_rng(seed).permutation(len(sample.y))
    other = sample.take(order)
    model = c45(branching=branching).fit(sample.frame, sample.y, sample.weights)
    turned = c45(branching=branching).fit(other.frame, other.y, other.weights)
    assert_same_tree(model, turned, but=SUMS)
    np.testing.assert_allclose(model.tree_.counts, turned.tree_.counts, rtol=1e-9, atol=1e-9)


@each_branching
def test_c45_does_not_depend_on_threads(branching):
    frame, y, weights = weighted(4000, 0, 0.1)
    for w in (None, weights, weights * 0.37):
        model = c45(branching=branching).fit(frame, y, w)
        other = c45(branching=branching, n_jobs=3).fit(frame, y, w)
        assert_same_tree(model, other, but=SUMS)
        np.testing.assert_allclose(model.tree_.counts, other.tree_.counts, rtol=1e-9, atol=1e-9)
