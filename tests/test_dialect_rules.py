"""The rules of dialects by which experiments were made, against the slow reference."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ramify import C45, Dialect, TreeClassifier, c45, load_model, prune, save_model
from reference import dialects as reference
from reference import tree
from samples import assert_same_tree, people, refused
from test_search import CRITERIA, frame, nodes

SCREENS = {
    "gate": Dialect(available_gain_gate=True),
    "improve": Dialect(cuts_must_improve=True),
    "both": Dialect(available_gain_gate=True, cuts_must_improve=True),
}


def sizes_of(columns, kinds):
    return [None if k == "numeric" else int(c.max()) + 1 for c, k in zip(columns, kinds, strict=True)]


def assert_is(model, X, columns, expected):
    assert model.tree_.node_count == tree.count_nodes(expected)
    assert model.tree_.n_empty == tree.count_empty(expected)
    assert model.get_depth() == tree.depth(expected)
    np.testing.assert_array_equal(model.predict(X), tree.predict(expected, columns))


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", CRITERIA)
@settings(max_examples=15, deadline=None)
@given(
    node=nodes(max_rows=40),
    branching=st.sampled_from(["binary", "multiway"]),
    merging=st.booleans(),
)
def test_screened_trees_are_the_reference_trees(name, screen, node, branching, merging):
    columns, kinds, y, weights = node
    q = CRITERIA[name].default_order if CRITERIA[name].takes_order else None
    dialect = replace(SCREENS[screen], merging=merging)
    rules = reference.Screen(
        kinds,
        sizes_of(columns, kinds),
        int(y.max()) + 1,
        name,
        q,
        branching,
        dialect.available_gain_gate,
        dialect.cuts_must_improve,
    )
    expected = reference.grow_screened(columns, y, np.ones(len(y)) if weights is None else weights, rules)
    model = TreeClassifier(name, branching=branching, dialect=dialect)
    X = frame(columns, kinds)
    model.fit(X, y, sample_weight=weights)
    assert_is(model, X, columns, reference.merged(expected) if merging else expected)


@settings(max_examples=150, deadline=None)
@given(
    node=nodes(max_rows=40),
    share=st.sampled_from([0.0, 0.2, 0.5]),
    q=st.sampled_from([0.5, 1.0, 1.5, 2.0, 2.5]),
    seed=st.integers(0, 99),
)
def test_columns_are_judged_by_their_known_cases(node, share, q, seed):
    columns, kinds, y, _ = node
    gone = np.random.default_rng(seed).random((len(columns), len(y))) < share
    gaps = [np.where(out, np.nan, column.astype(float)) for column, out in zip(columns, gone, strict=True)]
    X = frame(columns, kinds)
    for i, out in enumerate(gone):
        X[f"c{i}"] = X[f"c{i}"].mask(out)
    dialect = Dialect(
        by_columns=True,
        cut_criterion="distance",
        known_cases_only=True,
        last_of_equal_cuts=True,
        tie_tolerance=1e-9,
    )
    model = TreeClassifier("normalized_distance", q=q, branching="multiway", max_depth=1, dialect=dialect)
    found = model.fit(X, y).tree_
    expected = reference.judge_by_columns(gaps, kinds, sizes_of(columns, kinds), y, int(y.max()) + 1, q)
    assert found.column[0] == (-1 if expected is None else expected.column)
    if expected is not None and expected.kind == "threshold":
        assert found.threshold[0] == expected.cut


def test_the_last_of_equal_cuts():
    """The two outer cuts are alike."""
    x, y = np.array([[1.0], [2.0], [3.0], [4.0]]), [0, 1, 1, 0]
    rules = {"by_columns": True, "tie_tolerance": 1e-9}
    cuts = [
        TreeClassifier("gain", max_depth=1, dialect=Dialect(last_of_equal_cuts=last, **rules)).fit(x, y)
        for last in (False, True)
    ]
    assert [model.tree_.threshold[0] for model in cuts] == [1.5, 3.5]


def test_columns_that_are_used_up_do_not_count():
    """The mean is over the columns that are left: with one more counted, other trees would grow."""
    rng = np.random.default_rng(3)
    seen = set()
    for _ in range(300):
        codes = [rng.integers(0, k, 30) for k in (2, 3, 5)]
        y = rng.integers(0, 2, 30)
        X = frame(codes, ["nominal"] * 3)
        rules = ("nominal", "nominal", "nominal"), sizes_of(codes, ["nominal"] * 3), 2, "gain_ratio", 1.0
        screen = reference.Screen(*rules, "multiway", gate=True, improve=False)
        model = TreeClassifier("gain_ratio", branching="multiway", dialect=SCREENS["gate"]).fit(X, y)
        right = reference.grow_screened(codes, y, np.ones(30), screen)
        assert_is(model, X, codes, right)
        wrong = reference.grow_screened(codes, y, np.ones(30), screen, spent=-1)
        seen.add(tree.count_nodes(right) == tree.count_nodes(wrong))
    assert seen == {True, False}


def test_merging_keeps_branches_of_a_split_that_stays_apart():
    X = pd.DataFrame({"x": pd.Categorical(list("aabbccdd")), "z": pd.Categorical(list("uvuvuvuv"))})
    y = [0, 0, 0, 0, 1, 1, 0, 0]
    merging = TreeClassifier(branching="multiway", dialect=Dialect(merging=True)).fit(X, y)
    assert merging.tree_.node_count == 5
    assert prune(merging, "merge").tree_.node_count == 3
    # A split that all of its leaves agree on goes, pruning or not.
    y = [0, 0, 0, 1, 0, 0, 0, 1]
    grown = TreeClassifier(branching="multiway").fit(X, y)
    merging = TreeClassifier(branching="multiway", dialect=Dialect(merging=True)).fit(X, y)
    assert merging.tree_.node_count <= grown.tree_.node_count
    np.testing.assert_array_equal(merging.predict(X), grown.predict(X))


def test_merging_comes_before_pruning():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({f"c{i}": pd.Categorical(rng.integers(0, 3, 200)) for i in range(5)})
    y = (rng.random(200) < 0.3).astype(int)
    settings = {"branching": "multiway", "dialect": Dialect(merging=True, pruning_z=0.0)}
    merged = TreeClassifier(**settings).fit(X, y)
    assert merged.tree_.node_count < TreeClassifier(branching="multiway").fit(X, y).tree_.node_count
    pruned = TreeClassifier(pruning="pessimistic", **settings).fit(X, y)
    assert_same_tree(pruned, prune(merged, "pessimistic"))


@pytest.mark.parametrize(("name", "value"), [("max_features", 1), ("split_order", [0])])
def test_the_gate_looks_at_all_columns(name, value):
    X, y = people()
    model = TreeClassifier(dialect=SCREENS["gate"], **{name: value})
    with refused(model, ValueError, re.escape(f"{name}={value!r}"), "available_gain_gate", "None"):
        model.fit(X, y)


def test_two_readings_of_the_gate():
    X, y = people()
    model = c45(dialect=replace(C45, available_gain_gate=True))
    with refused(model, ValueError, "average_gain_gate", "available_gain_gate", "one of them"):
        model.fit(X, y)


@pytest.mark.parametrize("dialect", [*SCREENS.values(), Dialect(merging=True)], ids=[*SCREENS, "merging"])
def test_the_rules_survive_a_file(dialect, tmp_path):
    X, y = people()
    model = TreeClassifier(branching="multiway", dialect=dialect).fit(X, y)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded.dialect == dialect
    assert_same_tree(loaded, model)
