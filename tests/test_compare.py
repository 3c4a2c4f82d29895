"""Models compared on data sets: folds, scores, tests, and what fails."""

import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import get_scorer
from sklearn.model_selection import (
    GridSearchCV,
    LeaveOneOut,
    RepeatedStratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from compared import PAIR, SMALL, Fails, Recorder, several
from ramify import TreeClassifier, TreeClassifierCV, datasets
from ramify.experiments import compare, make_models
from ramify.experiments.comparing import NoScores
from ramify.experiments.identity import identity
from ramify.experiments.settings import known_models, make_known
from samples import BACKENDS, numbers


def test_all_models_have_the_same_folds_and_they_are_scikit_learns():
    X = np.arange(60.0)[:, None]
    y = np.arange(60) % 3
    Recorder.seen.clear()
    compare((X, y), {"a": Recorder("a"), "b": Recorder("b")}, measures="accuracy", random_state=5, **SMALL)
    of = {name: [rows for n, _, rows in Recorder.seen if n == name] for name in "ab"}
    assert of["a"] == of["b"]
    expected = []
    for train, test in RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=5).split(X, y):
        expected += [tuple(train.astype(float)), tuple(test.astype(float))]
    assert of["a"] == expected


@pytest.mark.parametrize("measure", ["accuracy", "balanced_accuracy", "f1_macro"])
def test_scores_are_those_of_cross_val_score(measure):
    X, y = numbers()
    model = TreeClassifier(q=1.5, min_samples_leaf=4)
    found = compare({"x": (X, y)}, PAIR | {"m": model}, measures=[measure], **SMALL)
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    expected = cross_val_score(model, X, y, cv=folds, scoring=get_scorer(measure))
    np.testing.assert_array_equal(found.folds()[0, 2].ravel(), expected)
    assert found.means_.loc["x", "m"] == pytest.approx(expected.mean())
    error = np.sqrt((1 / 6 + 1 / 2) * expected.var(ddof=1))
    assert found.standard_errors_.loc["x", "m"] == pytest.approx(error, rel=1e-3)


def test_sizes_are_those_of_the_trees():
    X, y = numbers()
    models = {
        "ramify": TreeClassifier(),
        "sklearn": DecisionTreeClassifier(random_state=0),
        "pipeline": make_pipeline(StandardScaler(), DecisionTreeClassifier(random_state=0)),
        "search": GridSearchCV(DecisionTreeClassifier(random_state=0), {"max_depth": [3]}, cv=2),
        "linear": make_pipeline(StandardScaler(), LogisticRegression()),
    }
    found = compare({"x": (X, y)}, models, measures=["accuracy", "n_nodes", "n_leaves", "depth"], **SMALL)
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    trees = [TreeClassifier().fit(X[train], y[train]) for train, _ in folds.split(X, y)]
    assert found.folds("n_nodes")[0, 0].ravel().tolist() == [t.tree_.node_count for t in trees]
    assert found.folds("depth")[0, 0].ravel().tolist() == [t.get_depth() for t in trees]
    assert found.means("n_nodes").loc["x", "pipeline"] == found.means("n_nodes").loc["x", "sklearn"]
    assert found.means("depth").loc["x", "search"] == 3
    assert np.isnan(found.means("n_leaves").loc["x", "linear"])
    assert "not ranked: linear" in found.to_text()


def test_log_loss_counts_a_class_that_training_rows_lack():
    X = np.arange(31.0)[:, None]
    y = np.array(["a", "b"] * 15 + ["rare"])
    found = compare((X, y), {"a": TreeClassifier(), "b": DummyClassifier()}, measures=["log_loss"], cv=3)
    assert np.isfinite(found.folds()).all()
    assert any("'rare' has 1" in note for note in found.notes_)


def test_random_states_are_the_runs():
    X, y = numbers()
    models = {"free": DecisionTreeClassifier(max_features=1), "deep": TreeClassifier()}
    one, again, other = (
        compare((X, y), models, random_state=seed, n_repeats=1, cv=3).to_json() for seed in (0, 0, 1)
    )
    assert one == again != other
    assert models["free"].random_state is None


@pytest.mark.slow
def test_nothing_depends_on_n_jobs(tmp_path):
    models = PAIR | {"sklearn": DecisionTreeClassifier(), "bad": Fails(on=5.0), "base": DummyClassifier()}
    alone = compare(several(), models, **SMALL)
    many = compare(several(), models, n_jobs=2, resume=tmp_path / "file", **SMALL)
    read = compare(several(), models, resume=tmp_path / "file", **SMALL)
    assert alone.to_json() == many.to_json() == read.to_json()
    assert alone.to_html() == many.to_html() == read.to_html()
    assert alone.to_text() == many.to_text()


def test_a_splitter_deals_the_folds():
    data = {"iris": load_iris(return_X_y=True), "x": numbers(rows=90)}
    splitter = StratifiedShuffleSplit(7, test_size=0.25, random_state=3)
    result = compare(data, PAIR, cv=splitter)
    assert result.folds().shape == (2, 2, 1, 7)
    assert result.protocol.cv == 7
    wanted = cross_val_score(PAIR["deep"], *data["iris"], cv=splitter)
    assert result.folds()[0, 1, 0].tolist() == wanted.tolist()
    # One third as many test rows as training rows: what Nadeau and Bengio's correction needs.
    assert result._test_shares[0] == pytest.approx(38 / 112)
    assert "7 folds by StratifiedShuffleSplit(" in result.to_text()
    again = compare(data, PAIR, cv=RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0))
    assert again.folds().ravel().tolist() == compare(data, PAIR, **SMALL).folds().ravel().tolist()


def test_a_splitter_must_give_as_many_folds_for_every_data_set():
    with pytest.raises(ValueError, match=r"gives 30 folds for 'a' and 33 for 'b'"):
        compare({"a": numbers(rows=30), "b": numbers(rows=33)}, PAIR, cv=LeaveOneOut())


def make_criterion(weight, best=np.max):
    """Return one of many functions that have a name and a body in common."""
    return lambda table: weight * best(table)


def smallest(table):
    return np.min(table)


def largest(table):
    return np.max(table)


def test_functions_that_look_alike_are_told_apart():
    functions = [make_criterion(1.0), make_criterion(2.0), make_criterion(1.0, np.min), smallest, largest]
    texts = [identity(function) for function in functions]
    assert len(set(texts)) == len(texts)
    assert identity(make_criterion(1.0)) == texts[0]
    largest.__qualname__ = smallest.__qualname__ = "one"
    assert identity(smallest) != identity(largest)  # all that differs is the name of what they call


def test_a_model_that_fails_is_named_and_the_rest_goes_on():
    data = several(7)
    data["set 3"][0][:, 0] += 0.5  # one number that only this set has, in some of the folds' training rows
    data["set 3"][0][0, 0] = -1.0
    models = PAIR | {"fussy": Fails(on=-1.0)}
    found = compare(data, models, **SMALL)
    assert [(f.dataset, f.model) for f in found.failures_] == [("set 3", "fussy")]
    assert found.failures_[0].message == "ValueError: no -1.0, please"
    assert np.isnan(found.means_.loc["set 3", "fussy"])
    assert found.means_.drop(index="set 3").notna().all(axis=None)
    assert found.tests().datasets == tuple(name for name in data if name != "set 3")
    text = found.to_text()
    assert "fussy on set 3: ValueError: no -1.0, please" in text
    assert "left out: set 3." in text
    assert "failed" in text
    assert np.isnan(found.paired("fussy", "one", "set 3").pvalue)


def test_a_data_set_that_can_not_be_dealt_is_named_and_the_rest_goes_on():
    data = several(2) | {"tiny": (np.eye(4), [0, 1, 2, 3])}
    found = compare(data, PAIR, **SMALL)
    assert {f.dataset for f in found.failures_} == {"tiny"}
    assert re.search(r"every model on tiny: cv=3 asks for more folds than any\s+class has", found.to_text())
    assert "splitter" not in found.to_text()


def test_a_data_set_that_is_not_here_is_named_and_the_rest_goes_on(monkeypatch, tmp_path):
    monkeypatch.delenv("RAMIFY_DATA", raising=False)
    monkeypatch.setenv("RAMIFY_CACHE", str(tmp_path))
    absent = []
    for name in datasets.list_datasets():
        try:
            datasets.load(name)
        except datasets.MissingDataset:
            absent.append(name)
    if not absent:
        pytest.skip("every data set is shipped")
    found = compare(["iris", absent[0]], PAIR, **SMALL)
    assert {f.dataset for f in found.failures_} == {absent[0]}
    assert found.means_.loc["iris"].notna().all()


def test_no_score_at_all_is_an_error():
    with pytest.raises(NoScores, match=r"No model has a score on any data set. a on data 1: ValueError: no"):
        compare(numbers(), {"a": Fails(on=numbers()[0][0, 0]), "b": Fails(on=numbers()[0][0, 0])}, **SMALL)


def test_equal_models():
    found = compare(several(), {"a": TreeClassifier(), "b": TreeClassifier(), "c": TreeClassifier()}, **SMALL)
    assert found.friedman_ is found.nemenyi_ is found.wilcoxon_ is None
    assert found.ranks_.tolist() == [2.0, 2.0, 2.0]
    assert "all models have the same score on every data set" in found.to_text()
    assert found.paired("a", "b", "set 0").pvalue == 1.0
    with pytest.raises(ValueError, match="no critical-difference diagram"):
        found.plot()
    json.loads(found.to_json())


def test_two_models_and_one_data_set():
    two = compare(several(), PAIR, **SMALL)
    assert "Two models are compared by Wilcoxon's test alone" in two.to_text()
    assert two.wilcoxon_.shape == (2, 2)
    one = compare({"x": numbers()}, PAIR, **SMALL)
    assert "One data set has a score of every model; a test across data sets needs 5." in one.to_text()
    assert one.to_html()


def test_a_baseline_is_scored_and_not_ranked():
    found = compare(several(), PAIR | {"base": DummyClassifier(), "more": TreeClassifier(q=3)}, **SMALL)
    assert found.baselines == ("base",)
    assert found.tests().models == ("one", "deep", "more")
    assert found.means_["base"].notna().all()
    assert "A baseline, so neither ranked nor tested across data sets: base." in found.to_text()
    alone = compare(several(), {"tree": TreeClassifier(), "base": DummyClassifier()}, **SMALL)
    assert alone.tests().models == ("tree", "base")


def test_signs_are_those_of_the_paired_test():
    found = compare(several(), PAIR | {"mid": TreeClassifier(max_depth=3)}, reference="deep", **SMALL)
    table = found.report().sections[0].blocks[0]
    for i, name in enumerate(found.datasets):
        for j, model in enumerate(found.models):
            test = found.paired(model, "deep", name)
            sign = "" if test.pvalue >= 0.05 else "✓" if test.difference > 0 else "✗"
            assert table.cells[i][j].flag == sign
    nodes = found.report().sections[1].blocks[0]
    assert nodes.cells[0][0].flag == "✓"  # a smaller tree is the better one
    assert any(cell.flag == "✗" for row in table.cells for cell in row)


def test_paired_is_the_corrected_t_of_the_folds():
    found = compare({"iris": load_iris(return_X_y=True)}, PAIR, cv=10, n_repeats=3)
    one, deep = found.folds()[0].reshape(2, -1)
    test = found.paired("deep", "one", "iris")
    assert test.difference == pytest.approx((deep - one).mean())
    error = np.sqrt((1 / 30 + 1 / 9) * (deep - one).var(ddof=1))
    assert test.statistic == pytest.approx(test.difference / error)
    assert found.paired("one", "deep", "iris").statistic == -test.statistic
    with pytest.raises(ValueError, match="model='two' is not accepted"):
        found.paired("one", "two", "iris")
    with pytest.raises(ValueError, match="measure='depth' is not accepted"):
        found.means("depth")


def test_frames_and_files_and_names_are_the_same_data(tmp_path):
    load = datasets.load
    frame = load("titanic", backend="polars")
    frame.X.with_columns(survived=frame.y).write_parquet(tmp_path / "people.parquet")
    given = {backend: load("titanic", backend=backend) for backend in BACKENDS}
    given |= {"pair": load("titanic", return_X_y=True), "name": "titanic"}
    given |= {"file": f"{tmp_path / 'people.parquet'}:survived"}
    found = compare(given, {"tree": TreeClassifier(), "sklearn": make_known("sklearn")}, cv=3, n_repeats=1)
    assert not found.failures_
    assert (found.folds() == found.folds()[:1]).all()


def test_files_of_one_name(tmp_path):
    files = []
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        path = tmp_path / folder / "data.csv"
        path.write_text("x,y\n" + "".join(f"{i % 9},{i % 2}\n" for i in range(30)))
        files.append(f"{path}:y")
    assert compare(files, PAIR, **SMALL).datasets == tuple(files)


def test_make_models():
    models = make_models(["gain", "gini", "twoing"], [1, 2.5, "auto"], branching="multiway")
    assert list(models) == ["gain q=1", "gain q=2.5", "gain q=auto", "gini", "twoing"]
    assert isinstance(models["gain q=auto"], TreeClassifierCV)
    assert all(model.branching == "multiway" for model in models.values())
    assert list(make_models(["gain_ratio"])) == ["gain_ratio"]
    X, y = numbers()
    for name in known_models():
        make_known(name).fit(X, y).predict(X)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"datasets": []}, ValueError, "datasets is empty"),
        ({"datasets": 3}, TypeError, "datasets=3"),
        ({"datasets": [3]}, TypeError, "datasets has int at place 1"),
        ({"datasets": ["titanik"]}, ValueError, "did you mean the data set titanic"),
        ({"datasets": ["no.csv:x"]}, ValueError, r"no\.csv"),
        ({"datasets": ["iris", "iris"]}, ValueError, "'iris' more than once"),
        ({"datasets": [(np.eye(3), [0, 1])]}, ValueError, "3 rows, and y has 2 labels"),
        ({"datasets": [(np.arange(3), [0, 1, 0])]}, ValueError, "1 dimensions"),
        ({"models": {"a": TreeClassifier()}}, ValueError, "one model, 'a'"),
        ({"models": [TreeClassifier()]}, TypeError, "a dict of names"),
        ({"models": {"a": TreeClassifier, "b": TreeClassifier()}}, TypeError, r"models\['a'\]"),
        ({"models": {"gain": TreeClassifier()}, "criteria": ["gain"]}, ValueError, "models has 'gain'"),
        ({"criteria": ["giny"]}, ValueError, "'gini'"),
        ({"criteria": ["gain", "gain"]}, ValueError, "'gain' is there more than once"),
        ({"qs": [1, -2]}, ValueError, "-2"),
        ({"qs": [1, "best"]}, ValueError, "'best'"),
        ({"cv": 1}, ValueError, "cv=1"),
        ({"cv": "five"}, ValueError, "cv='five'"),
        ({"cv": None}, ValueError, "cv=None"),
        ({"n_repeats": 0}, ValueError, "n_repeats=0"),
        ({"measures": ["acuracy"]}, ValueError, "Did you mean 'accuracy'"),
        ({"measures": []}, ValueError, r"measures=\[\]"),
        ({"reference": "x"}, ValueError, "reference='x'"),
        ({"alpha": 1.0}, ValueError, "alpha=1.0"),
        ({"n_jobs": 0}, ValueError, "n_jobs=0"),
        ({"resume": 3}, TypeError, "resume=3"),
        ({"resume": "."}, OSError, "is a folder"),
        ({"random_state": "x"}, ValueError, "random_state='x'"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_bad_arguments(arguments, error, text):
    given = {"datasets": {"x": numbers()}, "cv": 2, "n_repeats": 1} | arguments
    if "models" not in given and "criteria" not in given and "qs" not in given:
        given["models"] = PAIR
    with pytest.raises(error, match=text):
        compare(**given)
