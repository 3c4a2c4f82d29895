"""Dialects: what each rule does, what is refused, and files."""

import json
from dataclasses import FrozenInstanceError, asdict, fields, replace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.stats import norm

from missing_samples import mixed
from ramify import C45, PLAIN, Dialect, ModelFormatError, TreeClassifier, c45, load_model, prune, save_model
from samples import BACKENDS, assert_same_tree, make_column, numbers, people, refused

NAN = float("nan")
SIX = np.array([[1.0], [2.0], [3.0], [10.0], [11.0], [12.0]])
HALVES = [0, 0, 0, 1, 1, 1]


def without(*rules, **others):
    """C4.5 without some of its rules."""
    return replace(C45, **dict.fromkeys(rules, False), **others)


def test_names_are_values():
    X, y = people()
    assert Dialect() == PLAIN and PLAIN != C45
    assert_same_tree(TreeClassifier(dialect=PLAIN).fit(X, y), TreeClassifier().fit(X, y))
    assert_same_tree(c45(dialect=C45).fit(X, y), c45().fit(X, y))
    with pytest.raises(FrozenInstanceError):
        C45.raising = False


# The rules, one by one


def test_thresholds_are_values_of_the_data():
    assert c45().fit(SIX, HALVES).tree_.threshold[0] == 3.0
    assert c45(dialect=without("cut_at_value")).fit(SIX, HALVES).tree_.threshold[0] == 6.5
    # The largest value of all rows up to the midpoint, not only of the rows in the node.
    x = np.array([[0.0, 1], [0, 2], [0, 9], [0, 10], [1, 5], [1, 5], [1, 5], [1, 5]])
    model = c45(pruning=None, split_order=[0]).fit(x, [0, 0, 1, 1, 1, 1, 1, 1])
    assert model.tree_.column.tolist() == [0, 1, -1, -1, -1]
    assert model.tree_.threshold[1] == 5.0


def test_the_gain_of_a_cut_pays_for_the_choice_of_the_cut():
    """Three cuts leave two cases on both sides: log2(3) bits for six cases."""
    tree = c45().fit(SIX, HALVES).tree_
    assert tree.score[0] == pytest.approx(1 - np.log2(3) / 6, rel=1e-12)
    free = c45(dialect=without("mdl_correction")).fit(SIX, HALVES).tree_
    assert free.score[0] == pytest.approx(1.0, rel=1e-12)
    assert tree.gain[0] == free.gain[0]


def test_close_neighbours_are_not_parted():
    x, y = np.array([[1.0], [1.0], [1 + 9e-6], [1 + 9e-6]]), [0, 0, 1, 1]
    assert c45(pruning=None).fit(x, y).tree_.node_count == 1
    assert c45(pruning=None, dialect=without(min_gap=0.0)).fit(x, y).tree_.node_count == 3
    assert c45(pruning=None).fit(1 + (x - 1) * 2, y).tree_.node_count == 3


def test_a_cut_needs_a_tenth_of_the_cases_a_class():
    """Eighty cases, two classes: four on each side. Three of the other class can not be cut off."""
    x, y = np.arange(80.0)[:, np.newaxis], np.arange(80) < 3
    assert c45(pruning=None).fit(x, y).tree_.n_rows[1:].min() >= 4
    alone = c45(pruning=None, dialect=without("cut_minimum")).fit(x, y).tree_
    assert alone.n_rows.tolist() == [80, 3, 77]


def test_only_columns_of_average_gain_compete():
    """A key-like column has little gain and the best ratio; the gate keeps it out."""
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, 200)
    rare = np.where((y == 1) & (np.arange(200) < 12), 1, 0)
    good = np.where(rng.random(200) < 0.35, 1 - y, y)
    X = pd.DataFrame({"rare": rare, "good": good}).astype("category")
    gated = c45(max_depth=1, pruning=None, dialect=without("collapsing")).fit(X, y).tree_
    open_to_all = (
        c45(max_depth=1, pruning=None, dialect=without("average_gain_gate", "collapsing")).fit(X, y).tree_
    )
    assert (gated.column[0], open_to_all.column[0]) == (1, 0)
    assert open_to_all.score[0] > gated.score[0] and open_to_all.gain[0] < gated.gain[0]


def test_subtrees_without_use_collapse():
    """Two classes, one of which wins in every branch: the split makes no fewer errors."""
    X = pd.DataFrame({"x": pd.Categorical(list("aaaabbbb"))})
    y = [0, 0, 0, 0, 0, 0, 0, 1]
    assert c45(pruning=None).fit(X, y).tree_.node_count == 1
    assert c45(pruning=None, dialect=without("collapsing")).fit(X, y).tree_.node_count == 3


def test_raising_and_replacement_differ():
    found = set()
    for seed in range(20):
        sample = mixed(150, seed=seed)
        raised = c45().fit(sample.frame, sample.y)
        replaced = c45(dialect=without("raising")).fit(sample.frame, sample.y)
        found.add(raised.tree_.node_count == replaced.tree_.node_count)
        full = c45(pruning=None).fit(sample.frame, sample.y)
        assert_same_tree(replaced, prune(full, raising=False))
        assert_same_tree(raised, prune(full, X=sample.frame, y=sample.y))
    assert found == {True, False}


@pytest.mark.parametrize("confidence", [0.25, 0.01])
def test_a_z_of_pruning_stands_for_the_confidence(confidence):
    """In mixed leaves; pure ones go by the confidence itself."""
    X, y = numbers(rows=300)
    model = c45(confidence=confidence).fit(X, y)
    z = norm.ppf(1 - confidence)
    assert_same_tree(model, c45(confidence=confidence, dialect=replace(C45, pruning_z=z)).fit(X, y))
    other = c45(confidence=confidence, dialect=replace(C45, pruning_z=0.0)).fit(X, y)
    assert other.tree_.node_count != model.tree_.node_count


def test_the_least_decrease_counts_or_is_refused():
    X, y = numbers(rows=300)
    assert c45(pruning=None).fit(X, y).tree_.node_count > 1
    try:
        model = c45(pruning=None, min_impurity_decrease=0.9).fit(X, y)
    except ValueError as error:
        assert "min_impurity_decrease" in str(error)  # noqa: PT017
    else:
        assert model.tree_.node_count == 1


def most_in_a_branch(tables):
    return tables.max(axis=2).sum(axis=1)


@pytest.mark.parametrize("gaps", [False, True])
def test_functions_and_high_orders(gaps):
    """Whether counts are whole or not, there is a tree, and the same by name and by function."""
    X, y = numbers(rows=300)
    if gaps:
        X = np.where(np.random.default_rng(0).random(X.shape) < 0.1, np.nan, X)
    assert c45(criterion=most_in_a_branch, q=None).fit(X, y).tree_.node_count > 1
    assert c45(q=300).fit(X, y).tree_.node_count >= 1


# Classes in declared order

LABELS = ["b", "a", "b", "a"]
DECLARED = ["z", "b", "a"]
COLUMN = [[1.0], [2.0], [1.0], [2.0]]


@pytest.mark.parametrize("backend", BACKENDS)
def test_declared_classes_keep_their_order_and_need_not_occur(backend):
    y = make_column(backend, LABELS, DECLARED)
    check_declared(pa.chunked_array([y]) if backend == "pyarrow" else y)
    if backend == "pandas":
        check_declared(pd.Series(y))


def check_declared(y):
    model = c45(min_samples_leaf=1).fit(COLUMN, y)
    assert model.classes_.tolist() == DECLARED
    assert model.n_classes_ == 3
    assert model.tree_.counts.tolist() == [[0, 2, 2], [0, 2, 0], [0, 0, 2]]
    assert model.predict_proba(COLUMN).tolist() == [[0, 1, 0], [0, 0, 1]] * 2
    assert model.predict(COLUMN).tolist() == LABELS
    assert TreeClassifier().fit(COLUMN, y).classes_.tolist() == ["a", "b"]


def test_declared_classes_of_an_arrow_array():
    check_declared(make_column("pyarrow", LABELS, DECLARED))


def test_declared_classes_decide_ties():
    for declared, winner in ((["b", "a"], "b"), (["a", "b"], "a")):
        y = pd.Categorical(["a", "b"], categories=declared)
        assert c45().fit([[0.0], [0.0]], y).predict([[0.0]]).tolist() == [winner]
        assert TreeClassifier().fit([[0.0], [0.0]], y).predict([[0.0]]).tolist() == ["a"]


def test_labels_without_a_declaration_are_sorted():
    for y in (LABELS, np.array(LABELS), pd.Series(LABELS), pl.Series(LABELS)):
        assert c45().fit(COLUMN, y).classes_.tolist() == ["a", "b"]


def test_files_keep_declared_classes(tmp_path):
    model = c45(min_samples_leaf=1, smoothing="laplace").fit(COLUMN, pd.Categorical(LABELS, DECLARED))
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded.classes_.tolist() == DECLARED
    np.testing.assert_array_equal(loaded.predict_proba(COLUMN), model.predict_proba(COLUMN))


@pytest.mark.parametrize(
    "y", [pd.Categorical([None] * 4, DECLARED), pd.Categorical(["a", None, "b", "a"], DECLARED)]
)
def test_declared_labels_are_never_missing(y):
    model = c45()
    with refused(model, ValueError, r"\by\b", "every row needs a label"):
        model.fit(COLUMN, y)


@pytest.mark.parametrize("declared", [[1, "a"], [(1, 2), (3, 4)], [True, 2]])
def test_declared_classes_stay_what_they_are(declared):
    index = pd.Index(declared, dtype=object, tupleize_cols=False)
    y = pd.Categorical.from_codes([0, 1, 0, 1], categories=index)
    model = c45(min_samples_leaf=1).fit(COLUMN, y)
    assert model.classes_.shape == (2,)
    assert [(type(c), c) for c in model.predict(COLUMN[:2]).tolist()] == [(type(c), c) for c in declared]


# What is refused


@pytest.mark.parametrize("dialect", ["j48", "C45", "", None, 3, True, {"by_columns": True}, Dialect])
def test_what_is_no_dialect(dialect):
    model = TreeClassifier(dialect=dialect)
    with refused(model, ValueError, "dialect=", "'plain', 'c45'", "ramify.Dialect"):
        model.fit(SIX, HALVES)


@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("missing", "best_branch", "'fractional' or 'error'"),
        ("missing", "own_branch", "'fractional' or 'error'"),
        ("cuts", "equal_width", "'exact'"),
        ("cuts", "gaussian", "'exact'"),
    ],
)
@pytest.mark.parametrize("dialect", ["c45", C45, Dialect(by_columns=True)])
def test_what_does_not_go_with_c45(name, value, accepted, dialect):
    model = c45(dialect=dialect, **{name: value})
    with refused(model, ValueError, f"{name}='{value}'", "dialect", accepted):
        model.fit(SIX, HALVES)


@pytest.mark.parametrize("value", ["maxdif", "", "Gain", None, 3])
def test_a_cut_criterion_must_compare_entropies(value):
    model = c45(dialect=replace(C45, cut_criterion=value))
    with refused(model, ValueError, f"dialect.cut_criterion={value!r}", "'gain', 'gain_ratio'"):
        model.fit(SIX, HALVES)


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("by_columns", "yes"),
        ("mdl_correction", None),
        ("collapsing", 3),
        ("merging", "yes"),
        ("available_gain_gate", 1),
        ("cuts_must_improve", None),
        ("known_cases_only", 0),
        ("last_of_equal_cuts", "no"),
        ("raising", "no"),
        ("declared_classes", "no"),
        ("tie_tolerance", "x"),
        ("tie_tolerance", -1.0),
        ("tie_tolerance", NAN),
        ("min_gap", "x"),
        ("min_gap", -1.0),
        ("min_gap", NAN),
        ("pruning_z", "x"),
        ("pruning_z", NAN),
        ("pruning_z", -5.0),
    ],
)
def test_rules_out_of_range(rule, value):
    model = c45()
    with pytest.raises((ValueError, TypeError), match=rf"\b{rule}={value!r}"):
        model.set_params(dialect=replace(C45, **{rule: value})).fit(SIX, HALVES)


# Files


@pytest.mark.parametrize(
    "dialect",
    [PLAIN, C45, without("raising", pruning_z=1.5), Dialect(collapsing=True), "c45", "plain"],
    ids=["plain", "c45", "changed", "collapsing", "name c45", "name plain"],
)
def test_dialects_survive(dialect, tmp_path):
    sample = mixed(120)
    model = c45(dialect=dialect).fit(sample.frame, sample.y)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded.dialect == dialect and type(loaded.dialect) is type(dialect)
    assert loaded.get_params() == model.get_params()
    assert_same_tree(loaded, model)
    np.testing.assert_array_equal(loaded.predict_proba(sample.frame), model.predict_proba(sample.frame))


def damaged(tmp_path, parameters, model=None):
    path = tmp_path / "m.json"
    save_model(model or c45(dialect=C45).fit(SIX, HALVES), path)
    document = json.loads(path.read_text(encoding="utf-8"))
    document["parameters"] |= parameters
    del document["checksum"]  # the other checks are to find it
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


@pytest.mark.parametrize("rule", [field.name for field in fields(Dialect)])
def test_every_rule_in_a_file_is_checked(rule, tmp_path):
    path = damaged(tmp_path, {"dialect": {"dialect": asdict(C45) | {rule: ["x"]}}})
    with pytest.raises(ModelFormatError, match=rf"m\.json: \$\.parameters\.dialect\.dialect\.{rule}: "):
        load_model(path)


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        ({"dialect": asdict(C45) | {"colour": 1}}, '"colour" has no meaning here'),
        ({"dialect": {"raising": True}}, "'by_columns' is missing"),
        ({"dialect": [1]}, "an object is needed, found a list"),
        ({"items": []}, "'dialect' is missing"),
        ({"dialect": asdict(C45) | {"raising": 1}}, "raising"),
        ({"dialect": asdict(C45) | {"tie_tolerance": True}}, "tie_tolerance"),
    ],
)
def test_damaged_dialects(dialect, text, tmp_path):
    with pytest.raises(ModelFormatError, match=text):
        load_model(damaged(tmp_path, {"dialect": dialect}))


@pytest.mark.parametrize(
    "parameters",
    [
        {"dialect": "j48"},
        {"dialect": 3},
        {"dialect": {"dialect": asdict(C45) | {"cut_criterion": 3}}},
        {"dialect": {"dialect": asdict(C45) | {"tie_tolerance": -1.0}}},
        {"smoothing": "x"},
        {"smoothing": -3},
        {"smoothing": [1]},
        {"cost_matrix": [[1]]},
        {"cost_matrix": "x"},
    ],
    ids=str,
)
def test_damaged_parameters(parameters, tmp_path):
    with pytest.raises(ModelFormatError, match=next(iter(parameters))):
        load_model(damaged(tmp_path, parameters))


# Hard input


@pytest.mark.parametrize("kind", ["numbers", "categories"])
def test_c45_never_chooses_a_column_without_a_value(kind):
    X, y = people(rows=200)
    nothing = np.full(200, NAN) if kind == "numbers" else pd.Categorical([None] * 200, ["a", "b"])
    model = c45().fit(X.assign(nothing=nothing), y)
    assert 5 not in model.tree_.column
    assert_same_tree(model, c45().fit(X, y))
    empty = c45().fit(pd.DataFrame({"nothing": nothing}), y)
    assert empty.tree_.node_count == 1


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_c45_refuses_infinity(value):
    X, y = numbers()
    X[5, 2] = value
    model = c45()
    with refused(model, ValueError, "'x2'", "row 5", "finite"):
        model.fit(X, y)


def test_c45_of_very_little():
    assert c45().fit([[1.0]], ["a"]).predict([[NAN]]).tolist() == ["a"]
    assert c45().fit([[NAN]] * 3, list("aab")).predict([[1.0]]).tolist() == ["a"]
    assert c45().fit(SIX, [7] * 6).tree_.node_count == 1
