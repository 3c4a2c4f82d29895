"""Models compared on data sets: folds, scores, what fails, what is said, what is kept."""

import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_breast_cancer, load_iris
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

from ramify import TreeClassifier, TreeClassifierCV, datasets
from ramify.experiments import compare, make_models, render
from ramify.experiments.comparing import NoScores
from ramify.experiments.identity import identity
from ramify.experiments.settings import known_models, make_known
from samples import BACKENDS, numbers

SMALL = {"cv": 3, "n_repeats": 2}
PAIR = {"one": TreeClassifier(max_depth=1), "deep": TreeClassifier(q=1)}


def several(n=6, rows=90):
    """Data sets that differ."""
    return {f"set {i}": numbers(rows=rows, seed=i) for i in range(n)}


class Recorder(ClassifierMixin, BaseEstimator):
    """A classifier that notes which rows it is trained on and asked about."""

    seen: list = []  # noqa: RUF012

    def __init__(self, name="a"):
        self.name = name

    def fit(self, X, y):
        self.classes_ = np.unique(y)
        self.seen.append((self.name, "train", tuple(X[:, 0])))
        return self

    def predict(self, X):
        self.seen.append((self.name, "test", tuple(X[:, 0])))
        return np.repeat(self.classes_[0], len(X))


class Fails(ClassifierMixin, BaseEstimator):
    """A classifier that fails when it meets the number `on`, or interrupts the run."""

    def __init__(self, on=0.0, interrupt=False):
        self.on = on
        self.interrupt = interrupt

    def fit(self, X, y):
        if self.interrupt:
            raise KeyboardInterrupt
        if (np.asarray(X)[:, 0] == self.on).any():
            raise ValueError(f"no {self.on}, please\nand a second line")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X):
        return np.repeat(self.classes_[0], len(X))


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


def test_an_interrupted_run_goes_on_where_it_was(tmp_path):
    file = tmp_path / "run"
    X = np.arange(60.0)[:, None]
    data = {"x": (X, np.arange(60) % 3)}
    with pytest.raises(KeyboardInterrupt):
        compare(data, {"a": Recorder("a"), "b": Fails(interrupt=True)}, resume=file, **SMALL)
    Recorder.seen.clear()
    models = {"a": Recorder("a"), "b": Fails(on=-1.0)}
    found = compare(data, models, resume=file, **SMALL)
    assert Recorder.seen == []
    assert found.to_json() == compare(data, models, **SMALL).to_json()
    for change in ({"random_state": 1}, {"measures": ["balanced_accuracy"]}, {"cv": 2}):
        Recorder.seen.clear()
        compare(data, models, **{"resume": file} | SMALL | change)
        assert Recorder.seen, change
    Recorder.seen.clear()
    compare({"x": (X, np.arange(60) % 2)}, models, resume=file, **SMALL)
    assert Recorder.seen


RUN = """
from sklearn.datasets import load_breast_cancer
from ramify.experiments import compare
import sys
data = {"cells": load_breast_cancer(return_X_y=True)}
found = compare(data, criteria=["gain"], qs=[1, 2, 3], cv=5, n_repeats=10, resume=sys.argv[1])
print(found.to_json())
"""


def test_a_killed_run_goes_on_where_it_was(tmp_path):
    file = tmp_path / "run.jsonl"
    command = [sys.executable, "-c", RUN, str(file)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    end = time.monotonic() + 60
    while time.monotonic() < end and (not file.exists() or file.read_bytes().count(b"\n") < 4):
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = [line for line in file.read_bytes().split(b"\n")[1:-1] if line]
    assert 3 <= len(kept) < 30
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    data = {"cells": load_breast_cancer(return_X_y=True)}
    fresh = compare(data, criteria=["gain"], qs=[1, 2, 3], cv=5, n_repeats=10)
    assert done.stdout.strip() == fresh.to_json().strip()
    lines = file.read_bytes().split(b"\n")[1:-1]
    assert lines[: len(kept)] == kept
    assert len(lines) == 3 * 10


def test_json_has_every_score_and_test():
    found = compare(several(), PAIR | {"mid": TreeClassifier(max_depth=3)}, **SMALL)
    content = json.loads(found.to_json())
    accuracy = content["measures"]["accuracy"]
    assert np.shape(accuracy["folds"]) == (6, 3, 2, 3)
    np.testing.assert_array_equal(accuracy["folds"], found.folds())
    assert accuracy["across_datasets"]["friedman"]["pvalue"] == found.friedman_.pvalue
    np.testing.assert_array_equal(accuracy["across_datasets"]["nemenyi"], found.nemenyi_)
    assert len(accuracy["corrected_t"]) == 6 * 3
    assert content["settings"]["one"] == "TreeClassifier(max_depth=1, random_state=0)"
    assert content["protocol"] == {
        "cv": 3,
        "n_repeats": 2,
        "seed": 0,
        "alpha": 0.05,
        "splitter": "",
    }


def test_scores_frame():
    found = compare(several(2), PAIR, **SMALL)
    frame = found.scores_
    assert frame.shape == (2 * 2 * 2 * 3, 6)
    one = frame.query("dataset == 'set 1' and model == 'deep' and repeat == 1 and fold == 2")
    assert one["accuracy"].item() == found.folds()[1, 1, 1, 2]


def test_html_stands_alone_and_names_are_escaped():
    models = {"<b>": TreeClassifier(), "a&b": TreeClassifier(max_depth=1), "c": TreeClassifier(max_depth=2)}
    page = compare(several(), models, **SMALL).to_html()
    assert "<b>:" not in page and "&lt;b&gt;" in page
    assert not re.search(r"""(src|href)=["'](?!#)""", page)
    assert page.count("<svg") == 2
    assert "<td>failed" not in page
    assert "published" not in page


def test_markdown_needs_no_pictures():
    found = compare(several(), PAIR | {"mid": TreeClassifier(max_depth=3)}, **SMALL)
    text = found.to_markdown()
    assert "![" not in text
    assert "| mean rank |" in text
    assert len(render(found.report(), "markdown").files) == 2


DRAW = """
import hashlib, numpy as np
from ramify.experiments.diagram import diagram_svg
from ramify.experiments.significance import rank_tests
table = np.random.default_rng(0).normal(size=(12, 9)) + np.linspace(0, 2, 9)
svg = diagram_svg(rank_tests(table, tuple("abcdefghi"), tuple(map(str, range(12)))), "x")
print(hashlib.sha256(svg.encode()).hexdigest())
"""


def test_the_diagram_is_the_same_in_every_process():
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", DRAW],
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
        )
        for seed in (1, 2)
    ]
    told = [run.communicate(timeout=120)[0] for run in runs]
    assert len(told[0]) > 60
    assert told[0] == told[1]


@pytest.mark.parametrize("n_models", [3, 8, 20])
@pytest.mark.parametrize("name", ["m{}", "normalized_distance q={} pruning=pessimistic"])
def test_no_label_of_the_diagram_is_cut_or_covers_another(n_models, name):
    import matplotlib.pyplot as plt

    from ramify.experiments.diagram import draw_diagram
    from ramify.experiments.significance import rank_tests

    rng = np.random.default_rng(n_models)
    table = rng.normal(size=(12, n_models)) + np.linspace(0, 2, n_models)
    names = tuple(name.format(i) for i in range(n_models))
    ax = draw_diagram(rank_tests(table, names, tuple(map(str, range(12)))))
    ax.figure.canvas.draw()
    page = ax.figure.bbox
    boxes = [text.get_window_extent() for text in ax.texts] + [
        tick.label1.get_window_extent() for tick in ax.xaxis.get_major_ticks() if tick.label1.get_visible()
    ]
    plt.close(ax.figure)
    for box in boxes[: len(names) + 1]:
        assert page.x0 <= box.x0 and box.x1 <= page.x1 and page.y0 <= box.y0 and box.y1 <= page.y1
    for i, box in enumerate(boxes):
        assert not any(box.overlaps(other) for other in boxes[:i])
