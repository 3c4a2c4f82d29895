"""Nominal columns: which they are, empty branches, and categories that training did not have."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from ramify import TreeClassifier
from ramify.tree import KINDS
from samples import BRANCHINGS, assert_same_tree

NAMES = ["a", "b", "c"]


def codes():
    """Numbers of which the first and the last column are categories, and a frame of the same."""
    rng = np.random.default_rng(4)
    X = np.column_stack([rng.integers(0, 6, 80), rng.random(80), rng.integers(0, 4, 80)]).astype(float)
    y = (X[:, 0] % 2 + X[:, 2] + (X[:, 1] > 0.5)).astype(int) % 3
    return X, pd.DataFrame(X, columns=NAMES), y


def kinds_by_column(model):
    splits = model.tree_.column >= 0
    columns, kinds = model.tree_.column[splits], model.tree_.kind[splits]
    return {NAMES[column]: KINDS[kind] for column, kind in zip(columns, kinds, strict=True)}


WAYS = {
    "names": ["a", "c"],
    "tuple of names": ("c", "a"),
    "array of names": np.array(["a", "c"]),
    "array of objects": np.array(["a", "c"], dtype=object),
    "pandas index": pd.Index(["a", "c"]),
    "pandas series": pd.Series(["a", "c"]),
    "indices": [0, 2],
    "array of indices": np.array([2, 0], dtype=np.int8),
    "range": range(0, 3, 2),
    "twice": [0, 2, 0],
    "name and index": ["a", 2],
    "mask": [True, False, True],
    "array mask": np.array([True, False, True]),
    "pandas mask": pd.Series([True, False, True], index=NAMES),
    "polars mask": pl.Series([True, False, True]),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("branching", BRANCHINGS)
def test_categorical_features(way, branching):
    _, frame, y = codes()
    model = TreeClassifier(branching=branching, categorical_features=WAYS[way]).fit(frame, y)
    declared = frame.assign(a=frame["a"].astype("category"), c=frame["c"].astype("category"))
    assert_same_tree(model, TreeClassifier(branching=branching).fit(declared, y))
    nominal = "subset" if branching == "binary" else "multiway"
    assert kinds_by_column(model) == {"a": nominal, "b": "threshold", "c": nominal}


@pytest.mark.parametrize("way", ["indices", "array of indices", "mask", "array mask"])
def test_categorical_features_of_arrays(way):
    X, frame, y = codes()
    model = TreeClassifier(categorical_features=WAYS[way]).fit(X, y)
    assert_same_tree(model, TreeClassifier(categorical_features=["a", "c"]).fit(frame, y))
    np.testing.assert_array_equal(model.predict(X), y)


@pytest.mark.parametrize("nothing", [None, [], np.array([], dtype=int), [False, False, False]])
def test_no_column_is_nominal(nothing):
    X, frame, y = codes()
    numeric = TreeClassifier().fit(X, y)
    assert_same_tree(TreeClassifier(categorical_features=nothing).fit(frame, y), numeric)
    assert_same_tree(TreeClassifier(categorical_features=nothing).fit(X, y), numeric)


def test_booleans_may_be_numbers_in_frames_as_in_arrays():
    X, y = np.array([[True], [False], [True]]), [0, 1, 0]
    frame = pd.DataFrame(X, columns=["flag"])
    model = TreeClassifier(categorical_features=None).fit(frame, y)
    assert_same_tree(model, TreeClassifier(categorical_features=None).fit(X, y))


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, bool])
def test_categories_of_an_array_keep_their_type(dtype):
    X = np.array([[0], [1], [1]], dtype=dtype)
    (column,) = TreeClassifier(categorical_features=[0]).fit(X, [0, 1, 1]).schema_.columns
    assert [type(category) for category in column.categories] == [type(np.zeros(1, dtype).item())] * 2


def test_any_integer_may_be_a_category():
    X = np.array([[2**60], [2**60 + 1]])
    model = TreeClassifier(categorical_features=[0]).fit(X, [0, 1])
    assert model.predict(X).tolist() == [0, 1]


@pytest.mark.parametrize("kind", ["integers", "strings", "booleans", "intervals", "dates"])
def test_categories_of_any_kind(kind):
    categories = {
        "integers": [3, -1, 2],
        "strings": ["z", "", "ä"],
        "booleans": [True, False],
        "intervals": list(pd.interval_range(0, 3)),
        "dates": list(pd.date_range("2020-01-01", periods=3)),
    }[kind]
    frame = pd.DataFrame({"c": pd.Categorical(categories * 4, categories=categories)})
    y = np.arange(len(frame)) % len(categories)
    model = TreeClassifier(branching="multiway").fit(frame, y)
    assert model.tree_.node_count == len(categories) + 1
    np.testing.assert_array_equal(model.predict(frame), y)


# Empty branches and unknown categories


def towns(values, categories=("Bern", "Graz", "Oslo", "Rome")):
    return pd.DataFrame({"town": pd.Categorical(values, categories=categories)})


def two_towns(branching="multiway", **parameters):
    """Half the rows of Bern are no, all of Oslo are yes; Graz and Rome are declared but not there."""
    model = TreeClassifier(branching=branching, **parameters)
    return model.fit(towns(["Bern"] * 4 + ["Oslo"] * 6), ["no", "no", "yes", "yes"] + ["yes"] * 6)


def test_empty_branches_answer_like_their_parent():
    model = two_towns()
    tree = model.tree_
    assert (tree.node_count, tree.n_leaves, tree.n_empty) == (5, 4, 2)
    assert tree.n_rows.tolist() == [10, 4, 0, 6, 0]
    assert model.apply(towns(["Graz", "Rome"])).tolist() == [2, 4]
    np.testing.assert_array_equal(model.predict_proba(towns(["Graz", "Rome"])), [[0.2, 0.8]] * 2)
    assert model.predict(towns(["Graz"])).tolist() == ["yes"]
    assert tree.counts[2].tolist() == [0, 0]


def test_empty_branches_below_the_root_answer_like_their_own_parent():
    frame = towns(["Bern", "Bern", "Oslo", "Oslo", "Rome", "Rome"]).assign(x=[0.0, 0, 0, 0, 9, 9])
    model = TreeClassifier("gain", q=1, branching="multiway").fit(frame.iloc[[0, 2, 3, 4, 5]], list("abbcc"))
    under = frame.iloc[:1].assign(town=towns(["Graz"])["town"])
    node = model.tree_.parent[model.apply(under)[0]]
    counts = model.tree_.counts[node]
    np.testing.assert_array_equal(model.predict_proba(under)[0], counts / counts.sum())


def test_a_declared_category_that_no_row_has_stays_in_a_binary_node():
    model = two_towns("binary")
    assert model.tree_.n_empty == 0
    assert model.apply(towns(["Graz", "Rome"])).tolist() == [0, 0]
    np.testing.assert_array_equal(model.predict_proba(towns(["Graz"])), [[0.2, 0.8]])


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_an_unknown_category_stays_in_its_node(branching):
    model = two_towns(branching)
    strangers = towns(["Paris", "Bern"], ["Paris", "Bern"])
    assert model.apply(strangers)[0] == 0
    np.testing.assert_array_equal(model.predict_proba(strangers)[0], [0.2, 0.8])
    np.testing.assert_array_equal(model.predict_proba(strangers)[1], [0.5, 0.5])
    assert model.predict(pd.DataFrame({"town": ["Paris"]})).tolist() == ["yes"]
    assert model.decision_path(strangers).toarray()[0].tolist() == [1] + [0] * (model.tree_.node_count - 1)


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_an_unknown_category_stays_in_a_node_below_the_root(branching):
    frame = towns(["Bern", "Oslo", "Bern", "Oslo"] * 3).assign(x=[0, 0, 1, 1] * 3)
    y = np.array(["low", "low", "b", "o"] * 3)
    model = TreeClassifier(branching=branching).fit(frame[["x", "town"]], y)
    stranger = pd.DataFrame({"x": [1, 0], "town": ["Paris", "Paris"]})
    node = model.apply(stranger)[0]
    assert (model.tree_.parent[node], model.tree_.n_children[node] > 0) == (0, True)
    np.testing.assert_array_equal(model.predict_proba(stranger), [[0.5, 0, 0.5], [0, 1, 0]])


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_an_unknown_category_may_be_an_error(branching):
    model = two_towns(branching, handle_unknown="error")
    for strangers in (towns(["Bern", "Paris"], ["Bern", "Paris"]), pd.DataFrame({"town": ["Bern", "Paris"]})):
        with pytest.raises(ValueError, match=r"'town'.*'Paris'.*row 1.*handle_unknown='error'.*'Bern'"):
            model.predict(strangers)
    # It is the category that must be known, not its presence in training.
    assert model.predict(towns(["Graz"])).tolist() == ["yes"]


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_binary_and_multiway_agree_on_two_categories(branching):
    frame = pd.DataFrame({"c": ["x", "y"] * 10, "d": ["u", "u", "v", "v"] * 5})
    y = [0, 1, 1, 0] * 5
    model = TreeClassifier(branching=branching).fit(frame, y)
    assert model.get_n_leaves() == 4
    np.testing.assert_array_equal(model.predict(frame), y)


def test_more_categories_than_a_byte_can_hold():
    values = np.arange(1000) % 700
    frame = pd.DataFrame({"c": pd.Categorical(values)})
    y = values % 3
    for branching in BRANCHINGS:
        np.testing.assert_array_equal(TreeClassifier(branching=branching).fit(frame, y).predict(frame), y)
