"""Weights of very different sizes: sums that lose the small ones must not make a split of nothing."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import TreeClassifier, c45

NAN = np.nan
WAYS = ["fractional", "best_branch", "own_branch"]


@pytest.mark.parametrize(
    ("x", "y", "weights"),
    [
        ([2, 2, NAN], [0, 0, 1], [1, 1, 1e-16]),
        ([1, NAN, NAN], [0, 0, 1], [1e9, 1e-8, 1e-8]),
        (
            [1, 1, NAN, NAN, 1, 1, 1, 0],
            [1, 1, 0, 1, 1, 1, 0, 1],
            [1e-9, 1e9, 1e-9, 1e-9, 1e9, 1e-9, 1e-9, 1e9],
        ),
    ],
)
@pytest.mark.parametrize("way", WAYS)
def test_cases_that_once_broke_it(x, y, weights, way):
    model = TreeClassifier(missing=way).fit(np.c_[x].astype(float), y, weights)
    assert np.isfinite(model.tree_.score).all()
    assert model.predict(np.c_[x].astype(float)).shape == (len(y),)


@pytest.mark.parametrize("criterion", ["gain", "distance", "gain_ratio"])
def test_a_tiny_case_does_not_hide_a_perfect_split(criterion):
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1], [2, 0], [2, 1], [3, 1.0]])
    y = [0, 1, 0, 1, 0, 1, 2]
    model = TreeClassifier(criterion, max_depth=1).fit(X, y, [1e12] * 6 + [1e-6])
    assert model.score(X[:6], y[:6]) == 1.0


@settings(max_examples=150, deadline=2000)
@given(
    seed=st.integers(0, 2**32 - 1),
    way=st.sampled_from(WAYS),
    multiway=st.booleans(),
    q=st.sampled_from([1, 2, 3.3]),
)
def test_any_weights_make_a_tree(seed, way, multiway, q):
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(3, 60))
    columns = {"a": rng.integers(0, 4, rows).astype(float), "b": rng.normal(size=rows).round(1)}
    frame = pd.DataFrame(columns).mask(rng.random((rows, 2)) < 0.2)
    frame["c"] = pd.Categorical.from_codes(rng.integers(-1, 4, rows), list("wxyz"))
    y = rng.integers(0, 3, rows)
    weights = 10 ** rng.uniform(-14, 14, rows)
    branching = "multiway" if multiway else "binary"
    model = TreeClassifier(q=q, missing=way, branching=branching).fit(frame, y, weights)
    tree = model.tree_
    assert np.isfinite(tree.score).all() and np.isfinite(tree.gain).all()
    assert tree.max_depth < 4 * rows
    np.testing.assert_allclose(model.predict_proba(frame).sum(axis=1), 1)
    c45(q=q).fit(frame, y, weights)
