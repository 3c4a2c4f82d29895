"""Whole trees: against the slow reference, the figures computed independently, and scikit-learn."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from ramify import TreeClassifier, datasets, measures
from reference import tree as reference
from reference import worked
from test_search import CRITERIA, frame, nodes


@pytest.mark.parametrize("name", CRITERIA)
@settings(max_examples=25, deadline=None)
@given(
    node=nodes(max_rows=40),
    branching=st.sampled_from(["binary", "multiway"]),
    leaf=st.sampled_from([1, 2, 4]),
)
def test_trees_are_the_reference_trees(name, node, branching, leaf):
    columns, kinds, y, weights = node
    q = CRITERIA[name].default_order if CRITERIA[name].takes_order else None
    sizes = [None if k == "numeric" else int(c.max()) + 1 for c, k in zip(columns, kinds, strict=True)]
    expected = reference.grow(
        columns,
        kinds,
        sizes,
        y,
        int(y.max()) + 1,
        name,
        q,
        branching,
        min_samples_leaf=leaf,
        weights=weights,
    )
    model = TreeClassifier(name, branching=branching, min_samples_leaf=leaf)
    X = frame(columns, kinds)
    model.fit(X, y, sample_weight=weights)
    assert model.tree_.node_count == reference.count_nodes(expected)
    assert model.tree_.n_empty == reference.count_empty(expected)
    assert model.get_depth() == reference.depth(expected)
    np.testing.assert_array_equal(model.predict(X), reference.predict(expected, columns))


CONFIGS = {
    "gain": "gain",
    "gain_ratio": "gain_ratio",
    "normalized_distance": "normalized_distance",
    "MaxDif": "maxdif",
}


def figure_model(config):
    """The model of a configuration of figures.json."""
    branching, criterion = config.split(",")[0].split()[:2]
    options = {key: float(value) for key, value in re.findall(r"(q|min_leaf)=([\d.]+)", config)}
    return TreeClassifier(
        CONFIGS[criterion],
        q=options.get("q"),
        branching=branching,
        min_samples_leaf=int(options.get("min_leaf", 1)),
    )


def declared_frame(name):
    """A data set of the figures with its declared categories."""
    columns, kinds, sizes, y, _ = worked.load(name)
    return pd.DataFrame(
        {
            f"c{i}": column
            if kind == "numeric"
            else pd.Categorical.from_codes(column, categories=[f"v{j}" for j in range(size)])
            for i, (column, kind, size) in enumerate(zip(columns, kinds, sizes, strict=True))
        }
    ), y


def test_all_trees_of_the_figures():
    """Every configuration without pruning: the full tree and the totals over ten folds."""
    entries = [e for e in worked.figures()["trees"] if "pruning" not in e["config"]]
    assert len(entries) == 60
    for entry in entries:
        X, y = declared_frame(entry["data"])
        model = figure_model(entry["config"])
        full = model.fit(X, y)
        found = {
            "nodes": full.tree_.node_count,
            "leaves": full.get_n_leaves(),
            "depth": full.get_depth(),
            "train_correct": int((full.predict(X) == y).sum()),
        }
        found["leaves"] -= full.tree_.n_empty if entry["full"]["leaves"] != found["leaves"] else 0
        assert found == entry["full"], entry
        correct = total = without_empty = 0
        fold = np.arange(len(y)) % 10
        for test in range(10):
            model.fit(X[fold != test], y[fold != test])
            correct += int((model.predict(X[fold == test]) == y[fold == test]).sum())
            total += model.tree_.node_count
            without_empty += model.tree_.node_count - model.tree_.n_empty
        assert (correct, total, without_empty) == (
            entry["cv_correct"],
            entry["cv_nodes"],
            entry["cv_nodes_without_empty"],
        ), entry


def test_the_lecture():
    X, y = datasets.load("buys_computer", return_X_y=True)
    tree = TreeClassifier("entropy", branching="multiway").fit(X, y)
    assert tree.tree_.node_count == 8
    assert (tree.predict(X) == y).all()
    assert tree.schema_.names[tree.tree_.column[0]] == "age"
    below = [tree.schema_.names[c] for c in tree.tree_.column[1:4] if c >= 0]
    assert below == ["student", "credit_rating"]
    binary = TreeClassifier("gini", max_depth=1).fit(X, y).tree_
    assert (binary.counts[1:] @ [1, 1]).tolist() == [10, 4]
    assert binary.impurity[0] - binary.gain[0] == pytest.approx(0.357143, abs=1e-6)


def test_the_stump_of_two_normals():
    """R's set.seed(83): the cut and the entropies that are published for it."""
    x, y = worked.overlapping_normals()
    tree = TreeClassifier("entropy", max_depth=1).fit(x[:, None], y).tree_
    below = x[x <= tree.threshold[0]]
    assert below.max() == pytest.approx(9.1448525, abs=5e-8)
    weighted = tree.impurity[1:] * tree.n_rows[1:] / len(y) / np.log(2)
    assert weighted == pytest.approx([0.5100138, 0.1594013], abs=5e-8)
    assert weighted.sum() == pytest.approx(0.6694151, abs=5e-8)


def test_the_gaussian_cut_of_two_normals():
    x, y = worked.overlapping_normals()
    tree = TreeClassifier("jensen_shannon", cuts="gaussian", max_depth=1).fit(x[:, None], y).tree_
    assert tree.threshold[0] == pytest.approx(8.921, abs=5e-4)


@pytest.mark.parametrize(
    ("rows", "columns", "classes", "seed"),
    [(300, 5, 2, 0), (1000, 10, 3, 1), (4000, 8, 5, 2), (20000, 12, 4, 3)],
)
@pytest.mark.parametrize("name", ["gini", "entropy"])
def test_same_tree_as_scikit_learn(rows, columns, classes, seed, name):
    X, y = make_classification(
        rows,
        columns,
        n_informative=columns // 2 + 1,
        n_redundant=0,
        n_classes=classes,
        flip_y=0.05,
        random_state=seed,
    )
    X = X.astype(np.float32)
    # Leaves so large that no two splits tie.
    leaf = max(20, rows // 50)
    limits = {"min_samples_leaf": leaf, "min_samples_split": 6 * leaf}
    theirs = DecisionTreeClassifier(criterion=name, random_state=0, **limits).fit(X, y)
    ours = TreeClassifier(name, **limits).fit(X, y)
    assert ours.tree_.node_count == theirs.tree_.node_count
    assert ours.get_depth() == theirs.get_depth()
    inner = theirs.tree_.feature >= 0
    expected = sorted(zip(theirs.tree_.feature[inner], theirs.tree_.threshold[inner], strict=True))
    ours_inner = ours.tree_.column >= 0
    found = sorted(zip(ours.tree_.column[ours_inner], ours.tree_.threshold[ours_inner], strict=True))
    assert found == expected
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)
    np.testing.assert_allclose(ours.feature_importances_, theirs.feature_importances_, atol=1e-9)


@pytest.mark.parametrize("order", [("gini", 2), ("entropy", 1)])
def test_whole_trees_differ_from_scikit_learns_only_where_splits_tie(order):
    name, q = order
    X, y = make_classification(3000, 8, n_informative=5, n_classes=5, flip_y=0.05, random_state=7)
    X = X.astype(np.float32)
    theirs = DecisionTreeClassifier(criterion=name, random_state=0, min_samples_leaf=2).fit(X, y).tree_
    ours = TreeClassifier(name, min_samples_leaf=2).fit(X, y).tree_

    def score(rows, column, cut):
        left = X[rows, column] <= cut
        labels = y[rows]
        return measures.gain([np.bincount(labels[side], minlength=5) for side in (left, ~left)], q)

    compared = 0
    stack = [(0, 0, np.arange(len(y)))]
    while stack:
        mine, other, rows = stack.pop()
        assert (ours.column[mine] < 0) == (theirs.feature[other] < 0)
        if ours.column[mine] < 0:
            continue
        split = ours.column[mine], ours.threshold[mine]
        their_split = theirs.feature[other], theirs.threshold[other]
        if split != their_split:
            assert score(rows, *split) == pytest.approx(score(rows, *their_split), rel=1e-9)
            continue
        compared += 1
        left = X[rows, split[0]] <= split[1]
        first = ours.first_child[mine]
        stack.append((first, theirs.children_left[other], rows[left]))
        stack.append((first + 1, theirs.children_right[other], rows[~left]))
    assert compared > 100


@pytest.mark.parametrize("name", ["gini", "entropy"])
def test_best_first_growth_is_scikit_learns(name):
    X, y = make_classification(2000, 8, n_informative=5, n_classes=3, flip_y=0.1, random_state=5)
    X = X.astype(np.float32)
    for leaves in (2, 5, 17, 40):
        limits = {"max_leaf_nodes": leaves, "min_samples_leaf": 15}
        theirs = DecisionTreeClassifier(criterion=name, random_state=0, **limits).fit(X, y)
        ours = TreeClassifier(name, **limits).fit(X, y)
        assert ours.get_n_leaves() == leaves
        np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_values_that_differ_only_in_double_precision_are_told_apart():
    """No float32 truncation: neighbouring doubles are a cut."""
    x = np.array([1.0, np.nextafter(1.0, 2.0)] * 5)[:, None]
    y = np.array([0, 1] * 5)
    assert (TreeClassifier().fit(x, y).predict(x) == y).all()
