"""The tree depends on the data and the parameters, and on nothing else."""

import os
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification

from ramify import TreeClassifier
from test_search import CRITERIA


def same(a, b):
    for name, values in a.tree_.arrays().items():
        np.testing.assert_array_equal(values, b.tree_.arrays()[name], err_msg=name)


def data(rows=20_000, seed=0):
    X, y = make_classification(rows, 10, n_informative=6, n_classes=4, flip_y=0.1, random_state=seed)
    return X.astype(np.float32), y


def mixed(rows=6000, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=rows)
    noise = rng.integers(0, 40, size=rows)
    return pd.DataFrame(
        {
            "number": rng.normal(size=rows) + y,
            "few": rng.integers(0, 30, size=rows) + y,
            "kind": pd.Categorical((noise + 7 * y) % 40),
            "many": pd.Categorical(rng.integers(0, 900, size=rows) + 20 * y),
        }
    ), y


@pytest.mark.parametrize("q", [0.5, 1.0, 2.0, 3.3])
def test_threads_do_not_matter(q):
    X, y = data(60_000)
    one = TreeClassifier(q=q, min_samples_leaf=3, n_jobs=1).fit(X, y)
    for n_jobs in (2, 4, -1):
        same(one, TreeClassifier(q=q, min_samples_leaf=3, n_jobs=n_jobs).fit(X, y))


@pytest.mark.parametrize("branching", ["binary", "multiway"])
def test_threads_do_not_matter_for_mixed_columns(branching):
    X, y = mixed(40_000)
    one = TreeClassifier(branching=branching, min_samples_leaf=5, max_depth=8).fit(X, y)
    two = TreeClassifier(branching=branching, min_samples_leaf=5, max_depth=8, n_jobs=3).fit(X, y)
    same(one, two)


@pytest.mark.parametrize("q", [0.5, 1.0, 2.0, 7.0])
def test_row_order_does_not_matter(q):
    X, y = data()
    order = np.random.default_rng(0).permutation(len(y))
    limits = {"q": q, "min_samples_leaf": 4}
    same(TreeClassifier(**limits).fit(X, y), TreeClassifier(**limits).fit(X[order], y[order]))


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("branching", ["binary", "multiway"])
def test_row_order_does_not_matter_for_any_criterion(name, branching):
    X, y = mixed(800)
    order = np.random.default_rng(0).permutation(len(y))
    options = {"branching": branching, "max_depth": 4, "min_samples_leaf": 5}
    a = TreeClassifier(name, **options).fit(X, y)
    same(a, TreeClassifier(name, **options).fit(X.iloc[order], y[order]))


@pytest.mark.parametrize("name", CRITERIA)
def test_monotone_transforms_change_only_thresholds(name):
    rng = np.random.default_rng(3)
    X = rng.integers(-9, 10, size=(300, 3)).astype(float)
    y = rng.integers(0, 3, size=300)
    plain = TreeClassifier(name, max_depth=5).fit(X, y)
    bent = TreeClassifier(name, max_depth=5).fit(X**3 * 2 + 1, y)
    for array in ("column", "counts", "first_child", "score"):
        np.testing.assert_array_equal(getattr(plain.tree_, array), getattr(bent.tree_, array))


@pytest.mark.parametrize("name", CRITERIA)
def test_relabelling_classes_changes_only_names(name):
    X, y = mixed(600)
    X = X.assign(kind=pd.Categorical((X["few"] * 5) % 8)).drop(columns="many")  # searched exactly
    names = np.array(["zebra", "ape", "newt"])
    options = {"max_depth": 3, "min_samples_leaf": 10}
    numbered = TreeClassifier(name, **options).fit(X, y)
    named = TreeClassifier(name, **options).fit(X, names[y])
    assert named.tree_.node_count == numbered.tree_.node_count
    np.testing.assert_allclose(named.tree_.score, numbered.tree_.score, atol=1e-12)


@pytest.mark.slow
def test_hash_seeds_do_not_matter():
    code = (
        "import numpy as np, ramify\n"
        "X, y = ramify.datasets.load('tic-tac-toe', backend='pandas', return_X_y=True)\n"
        "tree = ramify.TreeClassifier('gain_ratio').fit(X.astype(str), y).tree_\n"
        "print(tree.column.tolist(), tree.routes.tolist())"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(outputs) == 1
