"""Missing values at the doors: how they come in, what is refused, files, text, and scikit-learn."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from missing_samples import CRITERIA, WAYS, Sample, fit, mixed, new_columns, rules_of, samples
from ramify import TreeClassifier, export_text, load_model, save_model
from reference import missing as reference
from samples import BRANCHINGS, assert_same_tree, refused

NAN = np.nan
each_way = pytest.mark.parametrize("way", WAYS)
each_branching = pytest.mark.parametrize("branching", BRANCHINGS)


# The same content in all forms


def with_gaps(values, gap, seed=0, share=0.25):
    """A list of the values, some of them replaced by what stands for nothing in its place."""
    rng = np.random.default_rng(seed)
    gaps = gap if isinstance(gap, list) else [gap]
    return [gaps[i % len(gaps)] if rng.random() < share else v for i, v in enumerate(values)]


ROWS = 60
WHOLE = [int(v) for v in np.random.default_rng(5).integers(0, 9, ROWS)]
WORDS = [["ash", "box", "fir", "oak"][v % 4] for v in WHOLE]
FLAGS = [v % 3 == 0 for v in WHOLE]
OTHER = np.random.default_rng(6).integers(0, 4, ROWS).astype(float)
LABELS = np.array([(v > 4) + int(o > 2) for v, o in zip(WHOLE, OTHER, strict=True)])
EVERY_GAP = [None, NAN, pd.NA, pd.NaT]


def in_pandas(dtype, gap=None):
    return lambda values: pd.DataFrame({"x0": pd.Series(with_gaps(values, gap), dtype=dtype), "x1": OTHER})


def in_polars(dtype=None, gap=None):
    return lambda values: pl.DataFrame(
        {"x0": pl.Series(with_gaps(values, gap), dtype=dtype, strict=False), "x1": OTHER}
    )


def in_arrow(kind=None, gap=None):
    return lambda values: pa.table(
        {"x0": pa.array(with_gaps(values, gap), kind, from_pandas=False), "x1": OTHER}
    )


def in_arrow_dictionary(values):
    return pa.table({"x0": pa.array(with_gaps(values, None)).dictionary_encode(), "x1": OTHER})


def in_objects(gap):
    def make(values):
        X = np.empty((ROWS, 2), dtype=object)
        X[:, 0], X[:, 1] = with_gaps(values, gap), OTHER
        return X

    return make


def in_floats(dtype):
    return lambda values: np.column_stack([np.array(with_gaps(values, NAN), dtype=dtype), OTHER]).astype(
        dtype
    )


NUMBERS = {
    "float64": in_floats("f8"),
    "float32": in_floats("f4"),
    "big-endian": in_floats(">f8"),
    "lists, NaN": lambda values: in_floats("f8")(values).tolist(),
    "lists, None": lambda values: in_objects(None)(values).tolist(),
    "objects, None": in_objects(None),
    "objects, NA": in_objects(pd.NA),
    "objects, everything": in_objects(EVERY_GAP),
    "pandas float": in_pandas("f8", NAN),
    "pandas Int64": in_pandas("Int64", pd.NA),
    "pandas Int8": in_pandas("Int8", None),
    "pandas Float64": in_pandas("Float64", pd.NA),
    "pandas objects": in_pandas(object, EVERY_GAP),
    "pandas int64[pyarrow]": in_pandas("int64[pyarrow]", pd.NA),
    "polars int": in_polars(pl.Int64),
    "polars float": in_polars(pl.Float64),
    "polars NaN": in_polars(pl.Float64, NAN),
    "polars NaN and null": in_polars(pl.Float64, [NAN, None]),
    "Arrow int": in_arrow(pa.int16()),
    "Arrow float": in_arrow(pa.float64()),
    "Arrow NaN": in_arrow(pa.float64(), NAN),
}
STRINGS = {
    "objects, None": in_objects(None),
    "objects, everything": in_objects(EVERY_GAP),
    "pandas objects, None": in_pandas(object, None),
    "pandas objects, everything": in_pandas(object, EVERY_GAP),
    "pandas str": in_pandas("str", None),
    "pandas string": in_pandas("string", pd.NA),
    "pandas string[pyarrow]": in_pandas("string[pyarrow]", pd.NA),
    "pandas category": in_pandas(pd.CategoricalDtype(["ash", "box", "fir", "oak"]), NAN),
    "polars string": in_polars(pl.String),
    "polars Categorical": in_polars(pl.Categorical),
    "polars Enum": in_polars(pl.Enum(["ash", "box", "fir", "oak"])),
    "Arrow string": in_arrow(pa.string()),
}
BOOLEANS = {
    "objects, None": in_objects(None),
    "pandas objects": in_pandas(object, EVERY_GAP),
    "pandas boolean": in_pandas("boolean", pd.NA),
    "pandas bool[pyarrow]": in_pandas("bool[pyarrow]", pd.NA),
    "polars bool": in_polars(pl.Boolean),
    "Arrow bool": in_arrow(pa.bool_()),
}


def check_form(X, plain, way, **settings):
    model = TreeClassifier(missing=way, **settings).fit(X, LABELS)
    expected = TreeClassifier(missing=way, **settings).fit(plain, LABELS)
    assert expected.tree_.unknown.sum() > 0
    assert_same_tree(model, expected)
    np.testing.assert_array_equal(model.predict_proba(X), expected.predict_proba(plain))


@each_way
@pytest.mark.parametrize("form", NUMBERS)
def test_numbers_of_all_forms(form, way):
    check_form(NUMBERS[form](WHOLE), in_floats("f8")(WHOLE), way)


def categories(values):
    return pd.DataFrame(
        {"x0": pd.Categorical(with_gaps(values, NAN), categories=sorted(set(values))), "x1": OTHER}
    )


@each_way
@each_branching
@pytest.mark.parametrize("form", STRINGS)
def test_strings_of_all_forms(form, branching, way):
    chosen = [0] if form.startswith("objects") else "from_dtype"
    settings = {"categorical_features": [0], "branching": branching}
    model = TreeClassifier(missing=way, **{**settings, "categorical_features": chosen})
    model.fit(STRINGS[form](WORDS), LABELS)
    assert model.schema_.columns[0].categories == ("ash", "box", "fir", "oak")
    check_form(STRINGS[form](WORDS), categories(WORDS), way, **settings)


@each_way
def test_categories_in_another_order(way):
    """Arrow's dictionary is in the order of appearance, so that branches have other numbers."""
    X, plain = in_arrow_dictionary(WORDS), categories(WORDS)
    model = TreeClassifier(missing=way).fit(X, LABELS)
    assert sorted(model.schema_.columns[0].categories) == ["ash", "box", "fir", "oak"]
    expected = TreeClassifier(missing=way).fit(plain, LABELS)
    assert model.tree_.score[0] == pytest.approx(expected.tree_.score[0], rel=1e-9)
    assert model.tree_.unknown[0] == expected.tree_.unknown[0]


@each_way
@each_branching
@pytest.mark.parametrize("form", BOOLEANS)
def test_booleans_of_all_forms(form, branching, way):
    settings = {"categorical_features": [0], "branching": branching}
    check_form(BOOLEANS[form](FLAGS), categories(FLAGS), way, **settings)


@pytest.mark.parametrize("form", ["pandas boolean", "pandas bool[pyarrow]", "polars bool", "Arrow bool"])
def test_a_type_of_booleans_declares_both_with_gaps_too(form):
    model = TreeClassifier().fit(BOOLEANS[form]([True] * ROWS), LABELS)
    assert model.schema_.columns[0].categories == (False, True)


# What is refused, and what goes on


@pytest.mark.parametrize("form", NUMBERS)
def test_an_error_names_the_column(form):
    X, full = NUMBERS[form](WHOLE), np.column_stack([WHOLE, OTHER])
    model = TreeClassifier(missing="error")
    with refused(model, ValueError, "'x0'", "missing value"):
        model.fit(X, LABELS)
    model.fit(full, LABELS)
    with refused(model, ValueError, "'x0'", "missing value"):
        model.predict(in_floats("f8")(WHOLE))


@pytest.mark.parametrize("way", ["error", *WAYS])
@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinity_is_no_number_and_not_missing(way, value):
    X = in_floats("f8")(WHOLE) if way != "error" else np.column_stack([WHOLE, OTHER]).astype(float)
    model = TreeClassifier(missing=way).fit(X, LABELS)
    bad = X.copy()
    bad[7, 1] = value
    with refused(model, ValueError, "'x1'", "inf"):
        model.fit(bad, LABELS)
    with refused(model, ValueError, "'x1'", "inf"):
        model.predict(bad)


NOTHING = {
    "NaN": np.full(ROWS, NAN),
    "objects": np.full(ROWS, None),
    "Int64": pd.array([None] * ROWS, dtype="Int64"),
    "string": pd.array([None] * ROWS, dtype="string"),
    "boolean": pd.array([None] * ROWS, dtype="boolean"),
    "categories": pd.Categorical([None] * ROWS, categories=["a", "b"]),
    "no categories": pd.Categorical([None] * ROWS),
}


@each_way
@each_branching
@pytest.mark.parametrize("sort", NOTHING)
def test_a_column_without_a_value_is_never_chosen(sort, branching, way):
    X = pd.DataFrame({"nothing": NOTHING[sort], "x": with_gaps(WHOLE, NAN), "o": OTHER})
    model = TreeClassifier(missing=way, branching=branching).fit(X, LABELS)
    without = TreeClassifier(missing=way, branching=branching).fit(X[["x", "o"]], LABELS)
    assert (model.tree_.column != 0).all()
    assert model.tree_.node_count == without.tree_.node_count > 1
    np.testing.assert_array_equal(model.predict_proba(X), without.predict_proba(X[["x", "o"]]))
    with refused(model.set_params(missing="error"), ValueError, "'nothing'", "missing value"):
        model.fit(X, LABELS)


@each_way
def test_a_table_without_a_value_is_a_leaf(way):
    X = np.full((ROWS, 3), NAN)
    model = TreeClassifier(missing=way).fit(X, LABELS)
    assert model.tree_.node_count == 1
    shares = np.bincount(LABELS) / ROWS
    np.testing.assert_allclose(model.predict_proba(X), np.tile(shares, (ROWS, 1)))
    np.testing.assert_allclose(model.predict_proba(np.ones((2, 3))), np.tile(shares, (2, 1)))


@each_way
@pytest.mark.parametrize("nothing", [NAN, None, pd.NA])
def test_labels_are_never_missing(way, nothing):
    model = TreeClassifier(missing=way)
    X = in_floats("f8")(WHOLE)
    for labels in ([nothing] * ROWS, [nothing, *LABELS[1:].tolist()]):
        with refused(model, ValueError, r"\by\b"):
            model.fit(X, labels)


@each_way
@each_branching
def test_one_row_and_one_value(way, branching):
    X = np.array([[NAN, 1.0]])
    assert TreeClassifier(missing=way, branching=branching).fit(X, ["a"]).predict([[NAN, NAN]]) == ["a"]
    X = np.array([[NAN, 1.0], [2.0, 1.0]])
    model = TreeClassifier(missing=way, branching=branching).fit(X, ["a", "b"])
    apart = way != "fractional"  # one known value: the two rows differ only by its being there
    assert (model.predict(X).tolist() == ["a", "b"]) == apart


@each_way
def test_a_row_of_weight_zero_makes_no_missing_value(way):
    X = np.array([[1.0], [2.0], [3.0], [NAN]])
    model = TreeClassifier(missing=way).fit(X, [0, 0, 1, 1], [1, 1, 1, 0])
    assert_same_tree(model, TreeClassifier(missing=way).fit(X[:3], [0, 0, 1]))


# scikit-learn


def numeric(rows, seed, values):
    """Whole numbers, which float32 holds exactly, some missing, and more of them in one class."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=rows)
    X = rng.integers(0, values, size=(rows, 4)) + 2.0 * y[:, np.newaxis] * rng.integers(0, 2, size=4)
    X[rng.random(X.shape) < 0.1 + 0.2 * (y == 1)[:, np.newaxis]] = NAN
    return X, y


@pytest.mark.parametrize("leaf", [1, 5, 20])
@pytest.mark.parametrize("values", [2, 10, 500])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_the_root_gains_what_scikit_learns_gains(criterion, values, leaf):
    for seed in range(4):
        X, y = numeric(120, seed, values)
        limits = {"max_depth": 1, "min_samples_leaf": leaf}
        theirs = DecisionTreeClassifier(criterion=criterion, random_state=0, **limits).fit(X, y).tree_
        ours = TreeClassifier(criterion, missing="best_branch", **limits).fit(X, y).tree_
        sizes = theirs.weighted_n_node_samples
        decrease = theirs.impurity[0] - (theirs.impurity[1:] * sizes[1:]).sum() / sizes[0]
        nats = np.log(2) if criterion == "entropy" else 1
        assert ours.score[0] == pytest.approx(decrease * nats, rel=1e-9)
        assert ours.gain[0] == pytest.approx(ours.score[0], rel=1e-12)


@pytest.mark.parametrize("values", [2, 10, 500])
@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_whole_trees_tell_apart_what_scikit_learns_do(criterion, values):
    X, y = numeric(200, 9, values)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0).fit(X, y)
    ours = TreeClassifier(criterion, missing="best_branch").fit(X, y)
    assert ours.score(X, y) == theirs.score(X, y)
    # Rows of the same values, missing ones alike, share a leaf; all others may be told apart.
    np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X), atol=1e-12)


def test_the_reference_gains_what_scikit_learns_gains():
    """The reference itself, against a search that it does not share a line with."""
    for seed in range(6):
        X, y = numeric(50, seed, 6)
        sample = Sample(list(X.T), ["numeric"] * 4, [None] * 4, y, None)
        model = TreeClassifier(missing="best_branch", min_samples_leaf=1 + 2 * (seed % 2))
        rules = rules_of(sample, model)
        theirs = DecisionTreeClassifier(max_depth=1, min_samples_leaf=model.min_samples_leaf).fit(X, y).tree_
        sizes = theirs.weighted_n_node_samples
        decrease = theirs.impurity[0] - (theirs.impurity[1:] * sizes[1:]).sum() / sizes[0]
        low, high = reference.best_bounds(reference.make_node(sample.columns, y), rules)
        assert low == high == pytest.approx(decrease, rel=1e-9)


# What can be done with a model


@each_way
@each_branching
@settings(max_examples=15, deadline=None)
@given(sample=samples(max_rows=40, max_columns=3), criterion=st.sampled_from(sorted(CRITERIA)))
def test_importances_are_shares(way, branching, sample, criterion):
    model = fit(sample, way, criterion, branching=branching)
    found, tree = model.feature_importances_, model.tree_
    assert found.shape == (len(sample.columns),)
    assert (found >= -1e-12).all()
    assert found.sum() == pytest.approx(1 if (tree.gain > 1e-12).any() else 0, abs=1e-9)
    unused = set(range(len(sample.columns))) - set(tree.column.tolist())
    assert all(found[column] == 0 for column in unused)


def fitted(way, branching):
    sample = mixed(250)
    return sample, fit(sample, way, q=1.5, branching=branching, min_samples_leaf=4)


@each_way
@each_branching
def test_files_and_pickles_keep_the_way(way, branching, tmp_path):
    sample, model = fitted(way, branching)
    columns = new_columns(np.random.default_rng(3), sample, rows=80)
    X = Sample(columns, sample.kinds, sample.sizes, sample.y, None).frame
    save_model(model, tmp_path / "model.json")
    for other in (load_model(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert other.missing == way
        assert_same_tree(other, model)
        np.testing.assert_array_equal(other.predict_proba(X), model.predict_proba(X))
        np.testing.assert_array_equal(other.apply(X), model.apply(X))
        assert (other.decision_path(X) != model.decision_path(X)).nnz == 0


@each_way
@each_branching
def test_text_names_the_columns(way, branching):
    _, model = fitted(way, branching)
    text = export_text(model)
    used = {model.schema_.names[column] for column in model.tree_.column if column >= 0}
    assert len(used) >= 3
    assert all(name in text for name in used)
    assert len(text.splitlines()) == model.tree_.node_count


@each_branching
def test_text_of_a_split_into_known_and_missing(branching):
    """Both branches have a line of their own that names the column, and the two lines differ."""
    X = np.array([[1.0], [1.0], [NAN], [NAN]])
    for way in ("best_branch", "own_branch"):
        model = TreeClassifier(missing=way, branching=branching).fit(X, ["a", "a", "b", "b"])
        assert model.tree_.kind[0] == reference.KNOWN
        _, known, absent = export_text(model).splitlines()
        assert "x0" in known and "x0" in absent
        assert known.split(":")[0] != absent.split(":")[0]
        assert model.predict([[7.0], [NAN]]).tolist() == ["a", "b"]


@pytest.mark.parametrize("way", ["error", *WAYS])
def test_the_tags_say_whether_missing_values_are_welcome(way):
    assert TreeClassifier(missing=way).__sklearn_tags__().input_tags.allow_nan == (way != "error")
