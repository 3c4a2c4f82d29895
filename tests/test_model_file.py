"""Models as files."""

import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from ramify import ModelFormatError, TreeClassifier, load_model, save_model
from test_determinism import mixed, same


@pytest.fixture
def model():
    X, y = mixed(500)
    return TreeClassifier(q=1.5, max_depth=4, class_weight={0: 2.0}).fit(X, y)


@pytest.fixture
def document(model, tmp_path):
    save_model(model, tmp_path / "model.json")
    return json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))


def load(document, folder):
    path = folder / "changed.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return load_model(path)


def test_round_trip(model, tmp_path):
    X, _ = mixed(300, seed=9)
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    same(model, loaded)
    assert loaded.get_params() == model.get_params()
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert loaded.feature_names_in_.tolist() == model.feature_names_in_.tolist()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["model.json"]


@pytest.mark.parametrize(
    "labels",
    [
        [0, 1],
        [-3, 10**12],
        ["no", "yes"],
        [True, False],
        [1.0, 2.0],
        np.array([1, "a"], dtype=object),
    ],
)
def test_labels_survive(labels, tmp_path):
    y = np.array(labels, dtype=getattr(labels, "dtype", None))
    model = TreeClassifier().fit([[0.0], [1.0]], y)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert loaded.classes_.dtype == model.classes_.dtype
    assert loaded.predict([[0.0], [1.0]]).tolist() == y.tolist()


def test_categories_of_all_kinds_survive(tmp_path):
    X = pd.DataFrame({"b": [True, False] * 4, "i": pd.Categorical([1, 2, 3, 4] * 2), "s": list("abcdefgh")})
    model = TreeClassifier(branching="multiway").fit(X, [0, 1, 1, 0] * 2)
    save_model(model, tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").predict(X).tolist() == model.predict(X).tolist()


def test_what_can_not_be_saved_is_named(tmp_path):
    fitted = TreeClassifier(lambda tables: tables[:, 0, 0]).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="criterion"):
        save_model(fitted, tmp_path / "m.json")
    y = np.empty(2, dtype=object)
    y[:] = [(1, 2), (3, 4)]
    with pytest.raises(ValueError, match="class"):
        save_model(TreeClassifier().fit([[0.0], [1.0]], y), tmp_path / "m.json")
    assert not list(tmp_path.iterdir())


def test_a_failed_write_leaves_the_old_file(model, tmp_path, monkeypatch):
    path = tmp_path / "model.json"
    save_model(model, path)
    before = path.read_bytes()

    def full_disk(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full_disk)
    with pytest.raises(OSError, match="No space"):
        save_model(TreeClassifier().fit([[0.0], [1.0]], [0, 1]), path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["model.json"]


def _set(path, value):
    def change(document):
        *keys, last = path
        for key in keys:
            document = document[key]
        document[last] = value

    return change


CHANGES = {
    "format": (_set(["format"], "other"), "format"),
    "version": (_set(["version"], 99), "upgrade"),
    "version as text": (_set(["version"], "1"), "version"),
    "no tree": (lambda d: d.pop("tree"), "tree"),
    "unknown parameter": (_set(["parameters", "colour"], 1), "colour"),
    "a cycle": (_set(["tree", "first_child", 1], 0), "children"),
    "a child outside": (_set(["tree", "first_child", 0], 10**6), "children"),
    "too many children": (_set(["tree", "n_children", 0], 2**31 - 1), "children"),
    "negative children": (_set(["tree", "n_children", 0], -2), "children"),
    "a huge number": (_set(["tree", "first_child", 0], 2**80), "range"),
    "a column outside": (_set(["tree", "column", 0], 99), "column"),
    "a text for a number": (_set(["tree", "column", 0], "1"), "integers"),
    "a float for an integer": (_set(["tree", "column", 0], 0.5), "integers"),
    "a wrong parent": (_set(["tree", "parent", 1], 7), "parent"),
    "a short array": (lambda d: d["tree"]["kind"].pop(), "one element a node"),
    "negative counts": (_set(["tree", "counts", 0, 0], -1.0), "counts"),
    "a short row of counts": (_set(["tree", "counts", 0], [1.0]), "counts"),
    "routes outside": (_set(["tree", "routes_begin", 0], 10**9), "routes|threshold|kind"),
    "classes twice": (_set(["schema", "classes", "values"], [0, 0, 1]), "classes"),
    "classes of another type": (_set(["schema", "classes", "dtype"], "<M8[s]"), "classes"),
    "no columns": (_set(["schema", "columns"], []), "columns"),
    "a category list": (_set(["schema", "columns", 2, "categories"], [[1]]), "categories"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_damaged_files_are_refused(name, document, tmp_path):
    change, text = CHANGES[name]
    change(document)
    with pytest.raises(ModelFormatError, match=text):
        load(document, tmp_path)


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"format": NaN}', b"[" * 100_000]
)
def test_what_is_no_model_at_all(content, tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(content)
    with pytest.raises(ModelFormatError, match=r"m\.json"):
        load_model(path)


def test_random_damage_is_refused_or_harmless(document, tmp_path):
    """Whatever loads is a valid tree that predicts."""
    rng = np.random.default_rng(0)
    X, _ = mixed(50)
    names = [name for name in document["tree"] if name != "counts"]
    accepted = 0
    for _ in range(400):
        changed = json.loads(json.dumps(document))
        for _ in range(rng.integers(1, 3)):
            array = changed["tree"][names[rng.integers(len(names))]]
            if array:
                array[rng.integers(len(array))] = int(rng.choice([-2, -1, 0, 1, 2, 3, 5, 40, 2**31 - 1]))
        try:
            model = load(changed, tmp_path)
        except ModelFormatError:
            continue
        accepted += 1
        assert model.predict(X).shape == (50,)
        assert model.decision_path(X).shape[0] == 50
    assert accepted < 400


def test_a_missing_file_is_an_os_error():
    with pytest.raises(FileNotFoundError):
        load_model(Path("no-such-model.json"))
