"""Columns drawn anew for every node."""

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.ensemble import BaggingClassifier
from sklearn.model_selection import cross_val_score

from missing_samples import WAYS, mixed
from ramify import TreeClassifier, c45
from samples import BRANCHINGS, assert_same_tree, numbers, people, refused

X, Y = numbers(rows=200, columns=16)


def looked_at(**parameters):
    """How many columns the root compared: all that can be split there but the winner are runner-ups."""
    model = TreeClassifier(n_runner_ups=100, max_depth=1, **parameters).fit(X, Y)
    return int(model.tree_.runner_size[0]) + 1


@pytest.mark.parametrize(
    ("max_features", "count"),
    [
        (None, 16),
        ("sqrt", 4),
        ("log2", 4),
        (1, 1),
        (3, 3),
        (16, 16),
        (17, 16),
        (10**30, 16),
        (np.int8(5), 5),
        (1.0, 16),
        (0.5, 8),
        (0.3, 4),
        (0.01, 1),
        (np.float32(0.25), 4),
    ],
)
def test_as_many_columns_as_asked_for(max_features, count):
    for seed in range(3):
        assert looked_at(max_features=max_features, random_state=seed) == count


@pytest.mark.parametrize(("columns", "root", "log"), [(1, 1, 1), (2, 1, 1), (3, 1, 1), (9, 3, 3), (15, 3, 3)])
def test_roots_and_logarithms_are_rounded_down_to_one_at_least(columns, root, log):
    for word, count in (("sqrt", root), ("log2", log)):
        model = TreeClassifier(max_features=word, n_runner_ups=99, max_depth=1, random_state=0)
        assert model.fit(X[:, :columns], Y).tree_.runner_size[0] + 1 == count


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_the_state_makes_the_tree(branching):
    frame, y = people(rows=200)
    model = TreeClassifier(max_features=2, branching=branching, random_state=3)
    first = clone(model).fit(frame, y)
    assert_same_tree(first, clone(model).fit(frame, y))
    assert_same_tree(first, model.fit(frame, y).fit(frame, y))
    roots = {int(model.set_params(random_state=s).fit(frame, y).tree_.column[0]) for s in range(30)}
    assert len(roots) >= 3


def test_states_of_every_sort():
    model = TreeClassifier(max_features=2, random_state=np.random.RandomState(1))
    one = clone(model).fit(X, Y)
    assert_same_tree(one, clone(model).fit(X, Y))
    state = np.random.RandomState(1)
    model.set_params(random_state=state)
    assert_same_tree(one, model.fit(X, Y))
    again = clone(model).set_params(random_state=state).fit(X, Y)  # the state has moved on
    assert again.tree_.column.tolist() != one.tree_.column.tolist()


def test_nodes_draw_for_themselves():
    """With one column a node: of the children of a root, about one in sixteen has the root's column."""
    others = 0
    for seed in range(20):
        tree = TreeClassifier(max_features=1, max_depth=2, random_state=seed).fit(X, Y).tree_
        children = [int(tree.column[c]) for c in tree.children(0) if tree.column[c] >= 0]
        others += sum(column != tree.column[0] for column in children)
        others += len(set(children)) == 2
    assert others > 40


@pytest.mark.parametrize("n_jobs", [2, 4])
def test_threads_do_not_matter(n_jobs):
    x, y = numbers(rows=20_000, columns=12)
    limits = {"max_features": "sqrt", "random_state": 5, "min_samples_leaf": 5}
    model = TreeClassifier(**limits).fit(x, y)
    assert_same_tree(model, TreeClassifier(**limits, n_jobs=n_jobs).fit(x, y))
    few = TreeClassifier(**limits, max_leaf_nodes=20).fit(x, y)
    assert_same_tree(few, TreeClassifier(**limits, max_leaf_nodes=20, n_jobs=n_jobs).fit(x, y))


def test_row_order_does_not_matter():
    order = np.random.default_rng(0).permutation(len(Y))
    limits = {"max_features": 3, "random_state": 5}
    assert_same_tree(TreeClassifier(**limits).fit(X, Y), TreeClassifier(**limits).fit(X[order], Y[order]))


def test_without_a_draw_the_state_does_not_matter():
    for max_features in (None, 16, 1.0):
        a = TreeClassifier(max_features=max_features, random_state=0).fit(X, Y)
        assert_same_tree(a, TreeClassifier(max_features=max_features, random_state=1).fit(X, Y))
        assert_same_tree(a, TreeClassifier().fit(X, Y))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("place", [0, 7, 15])
def test_a_node_is_split_if_any_column_can(place, way):
    """One column among fifteen constant ones or ones without a value; all leaves must be pure."""
    x = np.zeros((60, 16))
    x[:, 3:6] = np.nan
    x[:, place] = np.arange(60)
    y = np.arange(60) % 3
    for seed in range(5):
        model = TreeClassifier(max_features=1, missing=way, random_state=seed).fit(x, y)
        assert model.score(x, y) == 1.0
        assert set(model.tree_.column.tolist()) == {place, -1}


@pytest.mark.parametrize("way", WAYS)
def test_missing_values(way):
    sample = mixed(300)
    model = TreeClassifier(max_features=2, missing=way, random_state=0).fit(sample.frame, sample.y)
    model.tree_.validate(model.schema_.n_categories)
    assert len(set(model.tree_.column.tolist())) == 5
    assert model.score(sample.frame, sample.y) > 0.8


def noisy():
    return make_classification(
        400, 20, n_informative=6, n_redundant=4, n_classes=3, flip_y=0.15, random_state=0
    )


def test_a_forest_is_better_than_a_tree():
    x, y = noisy()
    forest = BaggingClassifier(TreeClassifier(max_features="sqrt"), n_estimators=30, random_state=0)
    of_forest = cross_val_score(forest, x, y, cv=4)
    of_tree = cross_val_score(TreeClassifier(), x, y, cv=4)
    assert of_forest.mean() > of_tree.mean() + 0.05
    one, other = clone(forest).fit(x, y), clone(forest).fit(x, y)
    np.testing.assert_array_equal(one.predict_proba(x), other.predict_proba(x))
    roots = {int(tree.tree_.column[0]) for tree in one.estimators_}
    assert len(roots) > 5


def test_a_forest_of_frames_with_gaps():
    sample = mixed(200)
    x = sample.frame.apply(lambda column: column.cat.codes if column.dtype == "category" else column)
    forest = BaggingClassifier(TreeClassifier(max_features="sqrt"), n_estimators=10, random_state=0)
    assert forest.fit(x.to_numpy(float), sample.y).score(x.to_numpy(float), sample.y) > 0.8


@pytest.mark.parametrize("value", [0, 1.5, "cube", True])
def test_what_is_refused(value):
    model = TreeClassifier(max_features=value)
    with refused(
        model, ValueError, f"max_features={value!r}", r"None, 'sqrt', 'log2', an integer >= 1 or a float in"
    ):
        model.fit(X, Y)


def test_c45_splits_a_node_if_any_column_can():
    y = np.array([0, 1] * 20)
    frame = pd.DataFrame({"nothing": np.repeat([0, 1], 20), "all": y}).astype("category")
    for seed in range(10):
        assert c45(max_features=1, random_state=seed).fit(frame, y).score(frame, y) == 1.0
