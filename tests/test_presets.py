"""The presets: their parameters, trees that are known from elsewhere, and changes by keyword."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris

from ramify import C45, TreeClassifier, c45, cart, datasets, id3, utcdt
from samples import assert_same_tree

PRESETS = {
    "id3": (id3, {"criterion": "gain", "q": 1.0, "branching": "multiway"}),
    "c45": (
        c45,
        {
            "criterion": "gain_ratio",
            "q": 1.0,
            "branching": "multiway",
            "min_samples_leaf": 2,
            "missing": "fractional",
            "pruning": "pessimistic",
            "confidence": 0.25,
            "dialect": "c45",
        },
    ),
    "cart": (
        cart,
        {
            "criterion": "gain",
            "q": 2.0,
            "branching": "binary",
            "missing": "best_branch",
            "pruning": "cost_complexity",
            "ccp_alpha": "cv",
        },
    ),
    "utcdt": (
        lambda **changes: utcdt(1.4, **changes),
        {"criterion": "gain", "q": 1.4, "branching": "binary", "min_samples_leaf": 5},
    ),
}


@pytest.fixture(scope="module")
def buys():
    return datasets.load("buys_computer", return_X_y=True)


@pytest.mark.parametrize("name", PRESETS)
def test_parameters(name):
    """Those that the preset sets, and the defaults for all others."""
    preset, expected = PRESETS[name]
    model = preset()
    assert type(model) is TreeClassifier
    assert model.get_params() == TreeClassifier().get_params() | expected
    assert clone(model).get_params() == model.get_params()


@pytest.mark.parametrize("name", PRESETS)
def test_changes_by_keyword(name):
    preset, expected = PRESETS[name]
    model = preset(max_depth=3, branching="binary", random_state=7)
    assert model.get_params() == TreeClassifier().get_params() | expected | {
        "max_depth": 3,
        "branching": "binary",
        "random_state": 7,
    }
    with pytest.raises(TypeError, match="depth"):
        preset(depth=3)


def test_the_order_of_utcdt_must_be_given():
    assert utcdt(q=3).q == utcdt(3).q == 3
    assert utcdt(2.5, criterion="gain_ratio").criterion == "gain_ratio"
    with pytest.raises(TypeError, match="q"):
        utcdt()
    with pytest.raises(ValueError, match="q=-1"):
        utcdt(-1).fit([[1.0], [2.0]], [0, 1])


# buys_computer: columns age, income, student, credit_rating


def test_id3_grows_the_tree_of_the_lecture(buys):
    X, y = buys
    model = id3().fit(X, y)
    tree = model.tree_
    assert model.schema_.names == ["age", "income", "student", "credit_rating"]
    assert tree.node_count == 8 and tree.n_leaves == 5
    # age -> student | yes | credit_rating
    assert tree.column.tolist() == [0, 2, -1, 3, -1, -1, -1, -1]
    assert model.classes_.tolist() == ["no", "yes"]
    assert tree.counts[2].tolist() == [0, 4]
    assert model.score(X, y) == 1.0
    assert tree.score[0] / np.log(2) == pytest.approx(0.2467498, abs=5e-8)


#: Of age, income, student and credit_rating: the figures of the papers, recomputed.
FIGURES = {
    ("gain", 1): (0.2467498, 0.0292226, 0.1518355, 0.0481270),
    ("gain_ratio", 1): (0.1564276, 0.0187726, 0.1518355, 0.0488486),
    ("gain", 0.5): (0.2172929, 0.0153622, 0.0844289, 0.0254411),
    ("gain_ratio", 2): (0.1753846, 0.0286458, 0.1836735, 0.0625000),
    ("lopez_de_mantaras", None): (0.1086553, 0.0118419, 0.0848978, 0.0256351),
    ("maxdif", None): (0.4285714, 0.2857143, 0.4285714, 0.2857143),
    ("distance", 2): (-0.9269841, -1.0817460, -0.7673469, -0.8857143),
    ("normalized_distance", 2): (-0.9046249, -0.9860989, -0.8888889, -0.9655172),
}


@pytest.mark.parametrize(("criterion", "q"), FIGURES)
def test_every_column_of_the_lecture_has_its_figure(criterion, q, buys):
    expected = np.array(FIGURES[criterion, q])
    tree = id3(criterion=criterion, q=q, n_runner_ups=3).fit(*buys).tree_
    found = {int(tree.column[0]): tree.score[0]} | {r.column: r.score for r in tree.runner_ups(0)}
    unit = np.log(2) if (criterion, q) == ("gain", 1) else 1.0
    np.testing.assert_allclose([found[i] / unit for i in range(4)], expected, atol=5.1e-8)
    assert tree.column[0] == expected.argmax()


def test_cart_splits_the_lecture_as_printed(buys):
    """Gini after the best split in two of each column."""
    X, y = buys
    tree = cart(pruning=None, ccp_alpha=0.0, n_runner_ups=3).fit(X, y).tree_
    categories = [str(c) for c in X["age"].cat.categories]
    middle = categories.index("31...40")
    assert tree.column[0] == 0
    assert [route == tree.routes_of(0)[middle] for route in tree.routes_of(0)].count(True) == 1
    assert tree.impurity[0] - tree.score[0] == pytest.approx(0.357143, abs=5e-7)
    after = [(r.column, tree.impurity[0] - r.score) for r in tree.runner_ups(0)]
    assert [column for column, _ in after] == [2, 3, 1]
    np.testing.assert_allclose([value for _, value in after], [0.367347, 0.428571, 0.442857], atol=5e-7)


# C4.5


def quinlan(weights=None, **changes):
    """The table [[2, 3], [3, 0], [3, 2]] and one more case whose value is not known."""
    x = pd.Categorical.from_codes([0] * 5 + [1] * 3 + [2] * 5 + [-1], list("abc"))
    y = np.array([0, 0, 1, 1, 1] + [0] * 3 + [0, 0, 0, 1, 1] + [0])
    return c45(min_samples_leaf=1, pruning=None, **changes).fit(pd.DataFrame({"x": x}), y, weights)


def test_c45_with_one_unknown():
    tree = quinlan().tree_
    assert tree.gain[0] / np.log(2) == pytest.approx(0.1990407, abs=5e-8)
    assert tree.score[0] == pytest.approx(0.1100159, abs=5e-8)
    assert tree.gain[0] / np.log(2) / tree.score[0] == pytest.approx(1.8092, abs=5e-5)
    assert tree.unknown[0] == 1 and tree.missing_route[0] == -2
    shares = np.array([5, 3, 5]) / 13
    np.testing.assert_allclose(
        tree.counts[1:], np.array([[2, 3], [3, 0], [3, 2]]) + np.c_[shares, 0 * shares]
    )


def test_c45_without_the_unknown_as_an_outcome():
    tree = quinlan(dialect=replace(C45, unknown_is_outcome=False)).tree_
    shares = np.array([5, 3, 5]) / 13
    information = -(shares * np.log2(shares)).sum()
    assert tree.score[0] == pytest.approx(0.19904070834 / information, rel=1e-9)


def test_c45_with_an_unknown_in_prediction():
    model = quinlan()
    shares = model.tree_.counts[1:] / model.tree_.counts[1:].sum(axis=1, keepdims=True)
    expected = np.array([5, 3, 5]) / 13 @ shares
    np.testing.assert_allclose(model.predict_proba(pd.DataFrame({"x": [None]})), [expected], rtol=1e-12)
    assert model.predict(pd.DataFrame({"x": [None, "b", "a"]})).tolist() == [0, 0, 1]


def test_c45_makes_the_same_tree_as_its_parameters_spelled_out(buys):
    X, y = buys
    spelled = TreeClassifier(**PRESETS["c45"][1] | {"dialect": C45}).fit(X, y)
    assert_same_tree(c45().fit(X, y), spelled)


def test_c45_needs_two_branches_of_its_minimum():
    """m = 2 cases in two branches; and a node of less than 2 m is not split."""
    x = pd.DataFrame({"x": pd.Categorical(list("aaabc"))})
    y = [0, 0, 0, 1, 1]
    assert c45(pruning=None).fit(x, y).tree_.node_count == 1
    assert c45(pruning=None, min_samples_leaf=1).fit(x, y).tree_.node_count == 4
    x = pd.DataFrame({"x": pd.Categorical(list("aaabb"))})
    assert c45(pruning=None).fit(x, y).tree_.node_count == 3
    assert c45(pruning=None, min_samples_leaf=3).fit(x, y).tree_.node_count == 1


# CART and UTCDT


def test_cart_without_pruning_is_the_gini_tree():
    X, y = load_iris(return_X_y=True)
    assert_same_tree(
        cart(pruning=None, ccp_alpha=0.0).fit(X, y), TreeClassifier("gini", missing="best_branch").fit(X, y)
    )
    pruned = cart(random_state=0).fit(X, y)
    assert 1 < pruned.get_n_leaves() < 9
    assert_same_tree(pruned, cart(random_state=0).fit(X, y))


@pytest.mark.parametrize(("q", "name"), [(1, "entropy"), (2, "gini")])
def test_utcdt_has_the_others_as_cases(q, name):
    X, y = load_iris(return_X_y=True)
    model = utcdt(q).fit(X, y)
    assert_same_tree(model, TreeClassifier(name, min_samples_leaf=5).fit(X, y))
    assert model.tree_.n_rows.min() >= 5
