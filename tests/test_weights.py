"""Weights: copies, zeros, scales, and the weights of classes."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, list_criteria
from samples import BRANCHINGS, assert_same_tree, numbers, people

FEW = settings(max_examples=15, deadline=None)
ORDERS = [("gain", 0.0), ("gain", 0.5), ("gain_ratio", 2.5), ("distance", 1.0)]
CRITERIA = [(info.name, None) for info in list_criteria()] + ORDERS
every_criterion = pytest.mark.parametrize(("criterion", "q"), CRITERIA)
both_branchings = pytest.mark.parametrize("branching", BRANCHINGS)
#: The arrays that are sums of weights, or are computed from such sums.
SUMS = ("counts", "impurity", "score", "gain")


@st.composite
def samples(draw, least=0):
    """A frame of two numbers and a declared category, labels, and whole weights of which some count."""
    rows = draw(st.integers(3, 25))

    def ints(low, high):
        return np.array(draw(st.lists(st.integers(low, high), min_size=rows, max_size=rows)))

    frame = pd.DataFrame(
        {"a": ints(0, 5), "b": ints(0, 20) / 7, "c": pd.Categorical.from_codes(ints(0, 3), list("wxyz"))}
    )
    y, weights = ints(0, 2), ints(least, 4)
    # The classes of a model are all that occur, whatever they weigh.
    assume(set(y) == set(y[weights > 0]))
    return frame, y, weights


@every_criterion
@both_branchings
@FEW
@given(sample=samples())
def test_a_weight_is_as_many_copies(criterion, q, branching, sample):
    frame, y, weights = sample
    model = TreeClassifier(criterion, q, branching).fit(frame, y, weights)
    rows = np.repeat(np.arange(len(y)), weights)
    copies = TreeClassifier(criterion, q, branching).fit(frame.iloc[rows], y[rows])
    assert_same_tree(model, copies, but=["n_rows"])
    np.testing.assert_array_equal(model.predict_proba(frame), copies.predict_proba(frame))


@every_criterion
@both_branchings
@FEW
@given(sample=samples(), scale=st.sampled_from([1.0, 0.3]))
def test_a_weight_of_zero_drops_the_row(criterion, q, branching, sample, scale):
    frame, y, weights = sample
    kept = weights > 0
    model = TreeClassifier(criterion, q, branching).fit(frame, y, weights * scale)
    assert_same_tree(
        model, TreeClassifier(criterion, q, branching).fit(frame[kept], y[kept], weights[kept] * scale)
    )


@every_criterion
@both_branchings
@FEW
@given(sample=samples(least=1), scale=st.sampled_from([1e-300, 1e-12, 0.1, 3.7, 2.0**40, 1e300]))
def test_scaling_all_weights_changes_nothing(criterion, q, branching, sample, scale):
    frame, y, weights = sample
    model = TreeClassifier(criterion, q, branching).fit(frame, y, weights)
    scaled = TreeClassifier(criterion, q, branching).fit(frame, y, weights * scale)
    assert_same_tree(model, scaled, but=SUMS)
    for name in SUMS:
        by = scale if name == "counts" else 1
        np.testing.assert_allclose(
            getattr(scaled.tree_, name) / by, getattr(model.tree_, name), rtol=1e-9, atol=1e-9, err_msg=name
        )
    np.testing.assert_allclose(scaled.predict_proba(frame), model.predict_proba(frame), rtol=1e-9)


@every_criterion
def test_a_class_that_a_node_lacks_does_not_disturb_real_weights(criterion, q):
    # The last class goes one way at the first cut, so that nodes below lack it.
    X = np.array([3, 3, 2, 0, 2, 2, 3, 2, 0, 2, 0, 0.0])[:, np.newaxis]
    y = [0, 0, 1, 0, 0, 0, 2, 1, 1, 1, 0, 1]
    model = TreeClassifier(criterion, q).fit(X, y)
    assert_same_tree(TreeClassifier(criterion, q).fit(X, y, np.full(len(y), 0.5)), model, but=SUMS)


@every_criterion
@FEW
@given(sample=samples(), data=st.data())
def test_weights_of_very_different_sizes_make_a_tree_or_an_error(criterion, q, sample, data):
    frame, y, _ = sample
    exponents = st.lists(st.integers(-200, 200), min_size=len(y), max_size=len(y))
    weights = 10.0 ** np.array(data.draw(exponents))
    try:
        model = TreeClassifier(criterion, q).fit(frame, y, weights)
    except ValueError as error:
        assert "sample_weight" in str(error)  # noqa: PT017
    else:
        model.tree_.validate(model.schema_.n_categories)
        assert np.isfinite(model.predict_proba(frame)).all()


@both_branchings
@pytest.mark.parametrize("weight", [1, 7, 0.25])
def test_one_weight_for_all_rows_changes_nothing(branching, weight):
    X, y = people()
    model = TreeClassifier(branching=branching).fit(X, y)
    weighted = TreeClassifier(branching=branching).fit(X, y, np.full(len(y), weight))
    assert_same_tree(weighted, model, but=SUMS)


@pytest.mark.parametrize("weight", [1, 2.5, np.float32(3), np.array(2)])
def test_a_single_number_weighs_all_rows_as_in_scikit_learn(weight):
    X, y = numbers()
    assert_same_tree(TreeClassifier().fit(X, y, weight), TreeClassifier().fit(X, y, np.full(len(y), weight)))


WEIGHTS = {
    "list": list,
    "tuple": tuple,
    "pandas": pd.Series,
    "float32": np.float32,
    "int8": np.int8,
    "big-endian": lambda weights: weights.astype(">f8"),
    "backwards": lambda weights: weights[::-1].copy()[::-1],
}


@pytest.mark.parametrize("sort", WEIGHTS)
def test_weights_of_any_sort(sort):
    X, y = numbers()
    weights = np.arange(len(y)) % 4
    model = TreeClassifier().fit(X, y, weights)
    assert_same_tree(TreeClassifier().fit(X, y, WEIGHTS[sort](weights)), model)


def test_a_row_of_weight_zero_makes_no_cut():
    X = [[0.0], [1.0], [2.0], [3.0], [10.0]]
    model = TreeClassifier().fit(X, [0, 0, 1, 1, 1], [1, 1, 0, 0, 1])
    assert model.tree_.threshold[0] == 5.5
    assert model.tree_.n_rows.tolist() == [3, 2, 1]


def test_weights_decide_votes():
    model = TreeClassifier().fit([[1.0]] * 3, ["a", "a", "b"], [1, 1, 2.5])
    np.testing.assert_allclose(model.predict_proba([[1.0]]), [[2 / 4.5, 2.5 / 4.5]])
    assert model.predict([[1.0]]).tolist() == ["b"]


@both_branchings
@pytest.mark.parametrize("criterion", ["gain", "gain_ratio", "hellinger", "purity"])
@pytest.mark.parametrize("by", [{"none": 3}, {"one": 0.5, "three": 2.25}, {"none": 0}, {}])
def test_class_weights_are_weights_of_rows(criterion, by, branching):
    X, y = people()
    weights = np.array([by.get(label, 1) for label in y])
    model = TreeClassifier(criterion, branching=branching, class_weight=by).fit(X, y)
    assert_same_tree(model, TreeClassifier(criterion, branching=branching).fit(X, y, weights))
    assert model.classes_.tolist() == ["none", "one", "three", "two"]


def test_class_weights_multiply_weights_of_rows():
    X, y = numbers()
    weights = np.random.default_rng(0).random(len(y))
    by = np.array([2.0, 0.5, 3.0])
    model = TreeClassifier(class_weight=dict(enumerate(by))).fit(X, y, weights)
    assert_same_tree(model, TreeClassifier().fit(X, y, weights * by[y]))


def test_balanced_classes_weigh_the_same():
    X, y = people(rows=200)
    model = TreeClassifier(class_weight="balanced").fit(X, y)
    np.testing.assert_allclose(model.tree_.counts[0], np.full(4, 50))
    by = {label: 50 / (y == label).sum() for label in model.classes_}
    assert_same_tree(model, TreeClassifier(class_weight=by).fit(X, y))


@pytest.mark.parametrize("labels", [[-5, 0, 2**62], ["a", "b", "c"], [False, 3, 7], [(0,), (1,), (2,)]])
def test_class_weights_by_labels_of_any_sort(labels):
    X, y = numbers()
    plain = TreeClassifier(class_weight={0: 2, 1: 3, 2: 4}).fit(X, y)
    named = np.empty(len(y), dtype=object)
    named[:] = [labels[number] for number in y]
    by = dict(zip(labels, (2, 3, 4), strict=True))
    assert_same_tree(TreeClassifier(class_weight=by).fit(X, named), plain)


def test_limits_count_rows_and_not_weight():
    X, y = numbers()
    tree = TreeClassifier(min_samples_leaf=5, min_samples_split=20).fit(X, y, np.full(len(y), 100)).tree_
    assert tree.n_rows.min() >= 5
    assert tree.n_rows[tree.n_children > 0].min() >= 20
    assert tree.n_rows[0] == len(y)
