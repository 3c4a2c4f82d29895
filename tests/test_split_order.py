"""The columns that the first depths must split on."""

import numpy as np
import pandas as pd
import pytest

from ramify import TreeClassifier, c45, id3, load_model, save_model
from samples import BACKENDS, BRANCHINGS, assert_same_tree, numbers, people, refused

X, Y = numbers(rows=300)
NAMES = ["age", "weight", "size", "city", "member"]


def depths(tree):
    found = np.zeros(tree.node_count, dtype=int)
    for node in range(1, tree.node_count):
        found[node] = found[tree.parent[node]] + 1
    return found


def columns_by_depth(model, depth):
    tree = model.tree_
    return set(tree.column[(depths(tree) == depth) & (tree.column >= 0)].tolist())


def without_others(x, column):
    """The table with all columns but one made constant, so that only that one can be split."""
    alone = np.zeros_like(x)
    alone[:, column] = x[:, column]
    return alone


@pytest.mark.parametrize("order", [[2], [3, 2], [0, 0, 2], [2, None, 3], [None, 2], [None], []])
def test_every_depth_splits_on_its_column(order):
    model = TreeClassifier(split_order=order, min_samples_leaf=5).fit(X, Y)
    free = TreeClassifier(min_samples_leaf=5).fit(X, Y)
    for depth, column in enumerate(order):
        if column is not None:
            assert columns_by_depth(model, depth) == {column}
    if not any(column is not None for column in order):
        assert_same_tree(model, free)
    assert columns_by_depth(free, 0) == {1} and 1 not in order  # nothing is forced that is so anyway
    assert len(set(model.tree_.column.tolist())) > 3  # deeper nodes are free


@pytest.mark.parametrize("column", range(4))
def test_the_cut_is_the_best_of_the_column(column):
    forced = TreeClassifier(split_order=[column], max_depth=1).fit(X, Y).tree_
    alone = TreeClassifier(max_depth=1).fit(without_others(X, column), Y).tree_
    assert forced.column[0] == alone.column[0] == column
    assert forced.threshold[0] == alone.threshold[0]
    assert forced.score[0] == alone.score[0]
    np.testing.assert_array_equal(forced.counts, alone.counts)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("branching", BRANCHINGS)
def test_names_and_indices_mean_the_same(backend, branching):
    frame, y = people(backend)
    model = TreeClassifier(split_order=["city", "age"], branching=branching).fit(frame, y)
    assert columns_by_depth(model, 0) == {3} and columns_by_depth(model, 1) == {0}
    for order in ([3, 0], (3, 0), np.array([3, 0]), [np.int64(3), "age"], np.array(["city", "age"])):
        same = TreeClassifier(split_order=order, branching=branching).fit(frame, y)
        assert_same_tree(model, same)


@pytest.mark.parametrize("way", ["fractional", "best_branch", "own_branch"])
def test_forced_columns_may_have_gaps(way):
    gaps = np.where(np.random.default_rng(0).random(X.shape) < 0.3, np.nan, X)
    model = TreeClassifier(split_order=[2, 3], missing=way, min_samples_leaf=10).fit(gaps, Y)
    assert columns_by_depth(model, 0) == {2} and columns_by_depth(model, 1) == {3}
    assert model.tree_.unknown[0] == np.isnan(gaps[:, 2]).sum()


def test_a_deeper_node_that_the_column_can_not_split_is_free():
    """The second column is constant where the first one is 0, and tells the rest where it is 1."""
    x = np.array([[0, 5, 0], [0, 5, 1], [0, 5, 0], [1, 5, 0], [1, 6, 0], [1, 6, 1.0]])
    y = [0, 1, 0, 0, 1, 1]
    model = TreeClassifier(split_order=[0, 1]).fit(x, y)
    assert model.tree_.column[0] == 0
    left, right = model.tree_.children(0)
    assert model.tree_.column[left] == 2 and model.tree_.column[right] == 1
    assert model.score(x, y) == 1.0


def test_a_nominal_column_is_spent_after_a_multiway_split():
    frame, y = people()
    model = id3(split_order=["city", "city"]).fit(frame, y)
    assert columns_by_depth(model, 0) == {3}
    assert 3 not in columns_by_depth(model, 1)
    assert columns_by_depth(model, 1)


def test_threads_and_best_first_growth_keep_the_order():
    x, y = numbers(rows=4000, columns=40)
    model = TreeClassifier(split_order=[7, 9], max_depth=4).fit(x, y)
    assert_same_tree(model, TreeClassifier(split_order=[7, 9], max_depth=4, n_jobs=3).fit(x, y))
    few = TreeClassifier(split_order=[7, 9], max_leaf_nodes=6).fit(x, y)
    assert columns_by_depth(few, 0) == {7} and columns_by_depth(few, 1) <= {9}


def test_a_forced_column_is_never_left_to_the_draw():
    for seed in range(10):
        model = TreeClassifier(split_order=[2, 1], max_features=1, random_state=seed, max_depth=3).fit(X, Y)
        assert columns_by_depth(model, 0) == {2} and columns_by_depth(model, 1) == {1}


def test_files_keep_the_order(tmp_path):
    model = TreeClassifier(split_order=np.array([2, 1])).fit(X, Y)
    save_model(model, tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").split_order == [2, 1]
    model = TreeClassifier(split_order=["city", None]).fit(*people())
    save_model(model, tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").split_order == ["city", None]


# What is refused


@pytest.mark.parametrize(
    ("order", "text"),
    [
        (["income"], r"'income', but the columns are \['age', 'weight', 'size', 'city', 'member'\]"),
        (["age", "Age"], "'Age', but the columns are"),
        ([5], "has 5.*indices from 0 to 4"),
        ([0, -1], "has -1.*indices from 0 to 4"),
        ([10**30], "has 1000000"),
        ([1.0], "has 1.0"),
        ([True], "has True"),
        ([np.True_], "has .*True"),
        ([["age"]], r"has \['age'\]"),
        ([b"age"], "has b'age'"),
        (np.array([[0]]), "has array"),
        ("age", "'age' is not accepted; it must be None or a list of columns"),
        ({"age": 0}, "'age': 0"),
        (0, "=0 is not accepted"),
    ],
)
def test_columns_that_do_not_exist(order, text):
    frame, y = people()
    model = TreeClassifier().fit(frame, y).set_params(split_order=order)
    with refused(model, ValueError, "split_order", text):
        model.fit(frame, y)


def test_names_where_there_are_none():
    model = TreeClassifier(split_order=["x0"])
    with refused(model, ValueError, "split_order names the column 'x0', but X has no column names"):
        model.fit(X, Y)


def test_an_array_without_a_dimension():
    model = TreeClassifier(split_order=np.array(0))
    with refused(model, ValueError, "split_order"):
        model.fit(X, Y)


@pytest.mark.parametrize("sort", ["constant", "missing", "small branches"])
def test_a_first_column_that_can_not_be_split(sort):
    x = X.copy()
    x[:, 2] = {"constant": 3.0, "missing": np.nan, "small branches": np.arange(len(x)) == 0}[sort]
    model = TreeClassifier(split_order=[2], min_samples_leaf=2)
    with refused(model, ValueError, "split_order asks for 'x2' first", "no admissible split of all rows"):
        model.fit(x, Y)
    frame = pd.DataFrame(x, columns=list("abcd"))
    with refused(model.set_params(split_order=["c"]), ValueError, "split_order asks for 'c' first"):
        model.fit(frame, Y)


def test_a_pure_node_needs_no_split():
    assert TreeClassifier(split_order=[2]).fit(X, np.zeros(len(X))).tree_.node_count == 1


def test_a_free_node_below_draws_as_many_columns_as_others():
    """Column 5 says all; where the forced column can't split, nine of ten columns are drawn, not one."""
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 10))
    x[:, 0] = np.arange(300) == 0
    y = (x[:, 5] > 0).astype(int)
    chosen = [
        TreeClassifier(split_order=[0, 0], max_features=9, random_state=seed, max_depth=2)
        .fit(x, y)
        .tree_.column
        for seed in range(10)
    ]
    assert sum(5 in columns for columns in chosen) >= 6


# C4.5


def with_a_useless_column():
    """The first column says nothing, the second one everything, the third one a little."""
    y = np.repeat([0, 1, 0, 1], [12, 8, 8, 12])
    useless = np.arange(40) % 2
    return pd.DataFrame({"a": useless, "b": y, "c": np.repeat([0, 1], 20)}).astype("category"), y


def test_c45_keeps_the_order_too():
    frame, y = people(rows=300)
    model = c45(split_order=["member", "city"], pruning=None).fit(frame, y)
    assert columns_by_depth(model, 0) == {4} and 3 in columns_by_depth(model, 1)


def test_c45_refuses_a_first_column_without_gain():
    frame, y = with_a_useless_column()
    model = c45(split_order=["a"])
    with refused(model, ValueError, "split_order asks for 'a' first"):
        model.fit(frame, y)


def test_c45_splits_a_deeper_node_freely():
    frame, y = with_a_useless_column()
    model = c45(split_order=["c", "a"], pruning=None).fit(frame, y)
    assert columns_by_depth(model, 0) == {2}
    assert model.score(frame, y) == 1.0
