"""`view` and what it writes, without a browser."""

import base64
import hashlib
import importlib
import re
from importlib.resources import files
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from sklearn.datasets import load_iris

import ramify
from explorer_pages import data_of
from ramify import TreeClassifier, TreeClassifierCV, q_path, view
from ramify.viewer import cases
from samples import numbers, people

IRIS = load_iris(return_X_y=True)


@pytest.fixture(scope="module")
def iris():
    return TreeClassifier(max_depth=3).fit(*IRIS)


def test_writes_one_file_that_refers_to_nothing_else(iris, tmp_path):
    page = view(iris, tmp_path / "tree.html", title="Iris")
    text = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert text == page.html and page.title == "Iris"
    assert list(tmp_path.iterdir()) == [tmp_path / "tree.html"]
    assert not re.search(r"(src|href)\s*=\s*[\"']?(https?:)?//", text)
    assert "@import" not in text and "url(" not in text
    assert "<title>Iris</title>" in text


def test_without_a_path_nothing_is_written(iris, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = view(iris)
    assert list(tmp_path.iterdir()) == []
    assert page.save("later.html") == Path("later.html")
    assert Path("later.html").read_text(encoding="utf-8") == page.html
    assert repr(page).startswith("<View: 'Decision tree', ")
    assert view(iris).html == page.html  # the same model gives the same bytes


def test_the_policy_allows_this_script_and_this_style_only(iris):
    html = view(iris).html
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    script = re.search(r"<script>(.*)</script>", html, re.DOTALL)[1]
    style = re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    for text in (script, style):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy and "http" not in policy


def test_nodes_have_the_numbers_of_the_model():
    X, y = numbers(rows=400)
    for model in (TreeClassifier(), TreeClassifier(max_leaf_nodes=30), TreeClassifier(pruning="pessimistic")):
        tree = model.fit(X, y).tree_
        data = data_of(view(model))
        children = data["nodes"]["children"]
        order = [data["trees"][0]["root"]]
        first = []
        for pooled in order:
            first.append(len(order) if children[pooled] else -1)
            order.extend(children[pooled])
        assert first == tree.first_child.tolist()
        for pooled, counts in zip(order, tree.counts, strict=True):
            assert data["nodes"]["present"][pooled] == np.flatnonzero(counts).tolist()
            assert data["nodes"]["counts"][pooled] == counts[counts > 0].tolist()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_sample_cases_of_every_library(backend):
    X, y = people(backend)
    data = data_of(view(TreeClassifier().fit(X, y), X=X, y=y))
    reference, _ = people("pandas")
    assert data["cases"]["rows"] == list(range(90)) and data["cases"]["labels"] == y.tolist()
    for i, column in enumerate(data["columns"]):
        given = reference.iloc[:, i].tolist()
        values = data["cases"]["values"][i]
        if column["categories"] is None:
            assert values == given
        else:
            assert [column["categories"][code] for (code,) in values] == [str(value) for value in given]


def test_sample_cases_missing_unknown_and_many():
    X, y = people("pandas")
    model = TreeClassifier().fit(X, y)
    new = X.astype({"city": object, "age": float})
    new.loc[0, "age"], new.loc[1, "city"], new.loc[2, "city"] = np.nan, None, "Wien"
    stored = data_of(view(model, X=new))["cases"]
    assert stored["values"][0][0] is None and stored["labels"] is None
    assert stored["values"][3][1] is None and stored["values"][3][2] == "Wien"
    many = data_of(view(model, X=pd.concat([X] * 20)))["cases"]
    assert len(many["rows"]) == cases.MAX_CASES
    assert (many["rows"][0], many["rows"][-1], many["of"]) == (0, 1799, 1800)


def test_a_path_its_trees_and_its_figures():
    X, y = numbers()
    path = q_path(X, y, [0.5, 1, 2, 4, 8], cv=3, n_repeats=1, nested=True, inner_cv=2)
    data = data_of(view(path))
    stored = data["path"]
    assert stored["qs"] == path.qs_.tolist()
    assert stored["qs"][stored["best"]] == path.best_q_
    assert stored["qs"][stored["smallest"]] == path.smallest_q_
    assert stored["qs"][stored["tradeoff"]] == path.tradeoff_q_
    np.testing.assert_allclose(stored["accuracy"], path.accuracy_, rtol=1e-5)
    np.testing.assert_allclose(stored["nested"], [path.nested_accuracy_, path.nested_accuracy_se_], rtol=1e-5)
    for place, q in enumerate(path.qs_):
        assert q in path.trees_[stored["tree"][place]].qs


def test_a_model_that_chose_its_q_shows_what_it_chose_from():
    model = TreeClassifierCV(qs=[0.5, 1, 2, 4], cv=3).fit(*numbers())
    stored = data_of(view(model))["path"]
    assert stored["qs"][stored["start"]] == model.q_
    with pytest.raises(ValueError, match="give the TreeClassifierCV itself"):
        view(model.path_)
    assert model.path_._repr_html_() is None  # notebooks show its text then


def test_a_page_begins_with_the_order_that_is_asked_for():
    X, y = numbers()
    path = q_path(X, y, [0.5, 1, 2, 4], cv=3, n_repeats=1)
    for q in path.qs_:
        stored = data_of(view(path, q=q))["path"]
        assert stored["qs"][stored["start"]] == q
    assert data_of(view(path))["path"]["start"] == path.position(path.tradeoff_q_)
    with pytest.raises(ValueError, match="q=3 is not in the grid"):
        view(path, q=3)
    with pytest.raises(ValueError, match="q=2 was given with a single tree"):
        view(path.model(2), q=2)


def test_a_single_fold_has_no_standard_error():
    X, y = numbers()
    path = q_path(X, y, [1, 2], cv=[(np.arange(100), np.arange(100, 150))])
    assert data_of(view(path))["path"]["accuracy_se"] == [None, None]


def test_words_are_for_the_nodes_nearest_to_the_root():
    from ramify.viewer import data as module

    X, y = numbers(rows=300)
    model = TreeClassifier().fit(X, y)
    subject = ramify.viewer.subject.Subject.of(model)
    some = module.page_data(subject, "x", max_told=7)["trees"][0]["why"]
    every = module.page_data(subject, "x")["trees"][0]["why"]
    assert (len(some), len(every)) == (7, model.tree_.node_count)


def test_names_with_half_a_surrogate_pair(tmp_path):
    X = pl.DataFrame({"\N{SNOWMAN}": [1.0, 2.0]})
    model = TreeClassifier().fit(X, ["\ud800", "b"])
    page = view(model, tmp_path / "x.html", title="\ud800 x")
    assert data_of(page)["classes"] == ["b", "\ud800"] or data_of(page)["classes"] == ["\ud800", "b"]
    assert "<title>? x</title>" in page.html


@pytest.mark.parametrize("thing", [3, "model", None, [1, 2], TreeClassifier])
def test_what_is_no_model_is_refused(thing):
    with pytest.raises(
        TypeError, match=r"must be a fitted TreeClassifier, a fitted TreeClassifierCV or a QPath"
    ):
        view(thing)


def test_other_bad_input(iris, tmp_path):
    with pytest.raises(sklearn.exceptions.NotFittedError):
        view(TreeClassifier())
    with pytest.raises(ValueError, match="y was given without X"):
        view(iris, y=IRIS[1])
    with pytest.raises(ValueError, match="3 features, but TreeClassifier is expecting 4"):
        view(iris, X=IRIS[0][:, :3])
    with pytest.raises(ValueError, match="X has 150 rows, y has 3 labels"):
        view(iris, X=IRIS[0], y=[0, 1, 2])
    with pytest.raises(TypeError, match="title=3 is not accepted"):
        view(iris, title=3)
    with pytest.raises(OSError, match="nowhere"):
        view(iris, tmp_path / "nowhere" / "x.html")


def test_notebooks_show_fitted_models_and_paths(iris, monkeypatch):
    assert iris._repr_html_().startswith('<iframe title="Decision tree" srcdoc="&lt;!doctype html&gt;')
    assert iris._repr_mimebundle_()["text/html"] == iris._repr_html_()
    assert "<iframe" not in TreeClassifier()._repr_html_()
    assert "<iframe" in q_path(*IRIS, [1, 2], cv=2, n_repeats=1)._repr_html_()
    with sklearn.config_context(display="text"):
        assert not hasattr(iris, "_repr_html_")
        assert list(iris._repr_mimebundle_()) == ["text/plain"]
    monkeypatch.setattr(importlib.import_module("ramify.viewer.view"), "MAX_SHOWN", 8)
    assert "<iframe" not in iris._repr_html_()


def test_the_parts_of_the_page_are_in_the_package():
    for name in ("page.html", "explorer.js", "explorer.css"):
        assert files("ramify.viewer").joinpath(name).is_file()
