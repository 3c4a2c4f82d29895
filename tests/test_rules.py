"""Rules: they part the training rows, and answer what the model answers."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest
from sklearn.exceptions import NotFittedError

from missing_samples import mixed
from ramify import TreeClassifier, c45, datasets, prune, rules
from ramify.explaining.rules import wilson_interval
from samples import BRANCHINGS, numbers, people


def matches(found, X):
    """Rules by rows: which rule each row of a frame meets, by nothing but the conditions."""
    meets = np.ones((len(found), len(X)), dtype=bool)
    for i, rule in enumerate(found):
        for condition in rule.conditions:
            meets[i] &= [condition.accepts(value) for value in X[condition.column]]
    return meets


def check(model, X, whole=None):
    """Each row (of those that go down whole) meets one rule, that of its leaf, and gets its answer."""
    found = rules(model)
    assert len(found) == model.get_n_leaves()
    whole = np.ones(len(X), dtype=bool) if whole is None else whole
    meets = matches(found, X)[:, whole]
    assert (meets.sum(axis=0) == 1).all()
    first = meets.argmax(axis=0)
    nodes, answers = np.array([rule.node for rule in found]), np.array([rule.answer for rule in found])
    np.testing.assert_array_equal(nodes[first], model.apply(X)[whole])
    np.testing.assert_array_equal(answers[first], model.predict(X)[whole])
    for rule in found:
        columns = [condition.column for condition in rule.conditions]
        assert len(set(columns)) == len(columns)
        assert rule.support == pytest.approx(model.tree_.counts[rule.node].sum())
    return found, meets


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("criterion", ["gain", "gain_ratio", "distance"])
def test_rules_part_the_rows(criterion, branching):
    X, y = people(rows=300)
    found, meets = check(TreeClassifier(criterion, branching=branching).fit(X, y), X)
    np.testing.assert_array_equal(meets.sum(axis=1), [rule.n_rows for rule in found])
    for rule, rows in zip(found, meets, strict=True):
        if rows.any():
            assert rule.confidence == pytest.approx(np.mean(y[rows] == rule.answer))
            assert rule.interval[0] <= rule.confidence <= rule.interval[1]


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    way=st.sampled_from(["fractional", "best_branch", "own_branch"]),
    branching=st.sampled_from(BRANCHINGS),
    depth=st.integers(1, 7),
)
def test_with_missing_values(seed, way, branching, depth):
    """Where a missing value has a branch the rules say so; a row in parts meets no rule."""
    sample = mixed(80, seed=seed)
    model = TreeClassifier(missing=way, branching=branching, max_depth=depth).fit(sample.frame, sample.y)
    tree = model.tree_
    path = model.decision_path(sample.frame)
    inner = tree.n_children == 0
    ends = np.asarray(path[:, np.flatnonzero(inner)].sum(axis=1)).ravel()
    stays = tree.n_children[model.apply(sample.frame)] > 0
    check(model, sample.frame, (ends == 1) & ~stays)
    assert (matches(rules(model), sample.frame)[:, ends != 1].sum(axis=0) == 0).all()


def test_pruned_and_c45():
    X, y = people(rows=300)
    check(prune(TreeClassifier().fit(X, y)), X)
    check(c45().fit(X, y), X)


def test_thresholds_are_merged_to_intervals_and_subsets_met():
    X, y = numbers()
    frame = pd.DataFrame(X, columns=list("abcd"))
    found, _ = check(TreeClassifier().fit(frame, y), frame)
    both = [c for rule in found for c in rule.conditions if np.isfinite([c.low, c.high]).all()]
    assert both and all(f"{c.low:.6g} < {c.column} <= {c.high:.6g}" == c.text() for c in both)


def test_text():
    X, y = datasets.load("titanic", return_X_y=True)
    found = rules(TreeClassifier(max_depth=2).fit(X, y), cases="passengers", level=0.9)
    assert str(found[1]) == (
        "if sex = female and status = third then no (54.1% of 196 passengers, 90% interval 48.2% to 59.8%)"
    )
    assert str(found) == found.text == "\n".join(rule.text for rule in found)
    assert found[1:3] == (found[1], found[2]) and repr(found) == "<Rules: 4 rules>"
    alone = rules(TreeClassifier().fit([[1.0], [1.0]], ["a", "a"]))
    assert str(alone) == "always a (100% of 2 cases, 95% interval 34.2% to 100%)"


def test_rules_without_a_training_case_say_so():
    X, y = datasets.load("titanic", return_X_y=True)
    found = rules(TreeClassifier("gain_ratio", branching="multiway").fit(X, y))
    empty = [rule for rule in found if rule.support == 0]
    assert empty and all("no training case; the answer of the node above" in rule.text for rule in empty)
    assert all(rule.interval == (0.0, 1.0) for rule in empty)


def test_weights():
    X, y = people(rows=100)
    weights = np.random.default_rng(0).random(100) + 0.1
    found = rules(TreeClassifier(max_depth=2).fit(X, y, sample_weight=weights))
    assert sum(rule.support for rule in found) == pytest.approx(weights.sum())
    assert "(by weight)" in str(found)


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_frames(backend):
    X, y = people(rows=100)
    found = rules(TreeClassifier(max_depth=3).fit(X, y))
    frame = found.to_frame(backend)
    if backend == "pyarrow":
        frame = frame.to_pandas()
    assert list(frame.columns) == [
        "rule", "answer", "support", "confidence", "low", "high", "n_rows", "n_conditions", "node",
    ]  # fmt: skip
    assert isinstance(frame, pl.DataFrame if backend == "polars" else pd.DataFrame)
    assert list(frame["answer"]) == [rule.answer for rule in found]
    assert all(f"if {text} then" in rule.text for text, rule in zip(frame["rule"], found, strict=True))


@settings(max_examples=100, deadline=None)
@given(trials=st.integers(1, 5000), share=st.floats(0, 1), level=st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_is_scipys(trials, share, level):
    successes = round(share * trials)
    theirs = binomtest(successes, trials).proportion_ci(level, method="wilson")
    assert wilson_interval(successes, trials, level) == pytest.approx(tuple(theirs), abs=1e-9)
    low, high = wilson_interval(successes, trials, level)
    assert 0 <= low <= successes / trials <= high <= 1


def test_what_is_refused():
    with pytest.raises(NotFittedError):
        rules(TreeClassifier())
    model = TreeClassifier().fit([[1.0], [2.0]], [0, 1])
    for level in (0, 1, 1.5, "high", None, True):
        with pytest.raises(ValueError, match=r"level=.* is not accepted; it must be a number in \(0, 1\)"):
            rules(model, level=level)
    with pytest.raises(ValueError, match="backend='spark' is not accepted"):
        rules(model).to_frame("spark")


def test_deep_trees():
    model = TreeClassifier("distance").fit(np.arange(2001.0)[:, None], np.arange(2001) % 2)
    found = rules(model)
    assert len(found) == model.get_n_leaves() and max(len(rule.conditions) for rule in found) == 1
