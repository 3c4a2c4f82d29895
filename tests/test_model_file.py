"""Models as files."""

import json
import re
import shutil
import subprocess
import sys
import time
from dataclasses import replace
from inspect import signature
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone

from model_kinds import FOLDER, KINDS, array, from_json, people
from ramify import ModelFormatError, TreeClassifier, TreeClassifierCV, load_model, prune, save_model
from ramify.model_file import VERSION, json_schema
from ramify.tree import ARRAYS
from test_determinism import mixed, same


@pytest.fixture
def model():
    X, y = mixed(500)
    return TreeClassifier(q=1.5, max_depth=4, class_weight={0: 2.0}).fit(X, y)


@pytest.fixture
def document(model, tmp_path):
    save_model(model, tmp_path / "model.json")
    document = json.loads((tmp_path / "model.json").read_text(encoding="utf-8"))
    del document["checksum"]  # damage is to be found by the other checks
    return document


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
    y = np.empty(2, dtype=object)
    y[:] = [(1, 2), (3, 4)]
    with pytest.raises(ValueError, match=r"a class is .*tuple"):
        save_model(TreeClassifier().fit([[0.0], [1.0]], y), tmp_path / "m.json")
    generator = np.random.RandomState(0)
    model = TreeClassifier(random_state=generator).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(ValueError, match="the parameter random_state is RandomState"):
        save_model(model, tmp_path / "m.json")
    frame = pd.DataFrame([[0.0], [1.0]], columns=pd.Index(["half \ud800"], dtype=object))
    with pytest.raises(ValueError, match="lone surrogate"):
        save_model(TreeClassifier().fit(frame, [0, 1]), tmp_path / "m.json")
    assert not list(tmp_path.iterdir())


def first_class_apart(tables):
    return tables[:, 0, 0] - tables[:, 1, 0]


def test_a_criterion_of_ones_own_is_kept_by_name(tmp_path):
    X, y = array()
    model = TreeClassifier(first_class_apart, max_depth=3).fit(X, y)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))
    with pytest.raises(ValueError, match=r"first_class_apart was a Python function .*set_params"):
        loaded.fit(X, y)
    save_model(loaded, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()
    same(clone(loaded).set_params(criterion=first_class_apart).fit(X, y), model)


def test_parameters_that_were_changed_after_fit(tmp_path):
    X, y = array()
    path = tmp_path / "m.json"
    model = TreeClassifier(max_depth=3).fit(X, y)
    with pytest.raises(ValueError, match="smoothing was changed after fit"):
        save_model(model.set_params(smoothing="laplace"), path)
    model.set_params(smoothing=None)
    with pytest.raises(ValueError, match="cost_matrix was changed after fit"):
        save_model(model.set_params(cost_matrix=1 - np.eye(3)), path)
    model.set_params(cost_matrix=None)
    with pytest.raises(ValueError, match=r"class_weight={1: 2\.0} is not what the tree was grown with"):
        save_model(model.set_params(class_weight={1: 2.0}), path)
    model.set_params(class_weight=None)
    with pytest.raises(ValueError, match="max_depth='deep' is not accepted"):
        save_model(model.set_params(max_depth="deep"), path)
    save_model(model.set_params(max_depth=7), path)
    assert load_model(path).max_depth == 7


def test_a_model_that_chose_its_order_is_saved_as_what_it_chose(tmp_path):
    X, y = array()
    model = TreeClassifierCV(qs=[0.5, 3], cv=3, min_samples_leaf=[2, 5]).fit(X, y)
    save_model(model, tmp_path / "m.json")
    loaded = load_model(tmp_path / "m.json")
    assert type(loaded) is TreeClassifier
    assert (loaded.q, loaded.min_samples_leaf) == (model.q_, model.min_samples_leaf_)
    assert loaded.provenance_ == model.provenance_
    same(loaded, model)


def test_the_alpha_in_use_survives(tmp_path):
    X, y = people()
    model = TreeClassifier(ccp_alpha="cv", random_state=0).fit(X, y)
    save_model(model, tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").ccp_alpha_ == model.ccp_alpha_


def test_provenance(tmp_path):
    X, y = people(gaps=0.1)
    order = np.random.default_rng(0).permutation(len(y))
    model = TreeClassifier(max_depth=3).fit(X, y)
    shuffled = TreeClassifier(q=1).fit(X.iloc[order], y[order], sample_weight=np.arange(len(y)))
    assert shuffled.provenance_.fingerprint == model.provenance_.fingerprint
    assert model.provenance_.n_rows == len(y)
    single = X.assign(age=X["age"].round().astype(np.float32))
    double = X.assign(age=X["age"].round())
    assert len({TreeClassifier().fit(some, y).provenance_.fingerprint for some in (single, double)}) == 1
    changed = [X.assign(age=X["age"] + 1), X.rename(columns={"age": "years"}), X[list(X)[::-1]], X]
    labels = [y, y, y, 2 - y]
    marks = {TreeClassifier().fit(a, b).provenance_.fingerprint for a, b in zip(changed, labels, strict=True)}
    assert len(marks | {model.provenance_.fingerprint}) == 5
    save_model(prune(model), tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").provenance_ == model.provenance_


def test_the_target_is_kept_where_it_is_known(tmp_path):
    X, y = people()
    model, path = TreeClassifier(max_depth=2).fit(X, y), tmp_path / "m.json"
    save_model(model, path)
    assert "target" not in json.loads(path.read_text(encoding="utf-8"))["provenance"]
    assert load_model(path).provenance_.target is None
    model.provenance_ = replace(model.provenance_, target="größe")
    save_model(model, path)
    assert load_model(path).provenance_ == model.provenance_
    jsonschema.validate(json.loads(path.read_text(encoding="utf-8")), json_schema())
    model.provenance_ = replace(model.provenance_, target="\ud800")
    with pytest.raises(ValueError, match="half a character"):
        save_model(model, path)


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.v?.json")), ids=lambda path: path.stem)
def test_models_of_all_versions_load_forever(path, tmp_path):
    model = load_model(path)
    expected = json.loads(path.with_name(f"{path.stem}.expected.json").read_text(encoding="utf-8"))
    rows = from_json(expected["rows"], model)
    assert model.predict(rows).tolist() == expected["predict"]
    np.testing.assert_array_equal(model.predict_proba(rows), np.array(expected["predict_proba"]))
    save_model(model, tmp_path / "again.json")
    again = json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))
    jsonschema.validate(again, json_schema())
    if path.stem.endswith(f".v{VERSION}"):
        assert again == json.loads(path.read_text(encoding="utf-8")) | {
            k: again[k] for k in ("ramify", "checksum")
        }


def test_there_is_a_saved_model_of_every_kind():
    saved = {path.name for path in FOLDER.glob("*.json")}
    for name in KINDS:
        assert {f"{name}.v{VERSION}.json", f"{name}.v{VERSION}.expected.json"} <= saved


def test_the_schema_has_the_parameters_and_arrays_that_there_are():
    schema = json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    assert list(schema["properties"]["parameters"]["properties"]) == list(
        signature(TreeClassifier).parameters
    )
    assert tuple(schema["properties"]["tree"]["properties"]) == ARRAYS


def in_another_process(code, *arguments):
    prelude = "import sys, resource, numpy as np\nfrom ramify import TreeClassifier, save_model\n"
    return subprocess.run(
        [sys.executable, "-c", prelude + code, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


LARGE = "X = np.arange(4000.0)[:, None]\nmodel = TreeClassifier().fit(X, np.arange(4000) % 3)\n"


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file sizes are Unix's")
def test_a_file_that_grows_too_large_leaves_the_old_one(model, tmp_path):
    path = tmp_path / "model.json"
    save_model(model, path)
    before = path.read_bytes()
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))\nsave_model(model, sys.argv[1])"
    done = in_another_process(LARGE + limit, path)
    assert "File too large" in done.stderr
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["model.json"]


def test_a_full_disk_leaves_the_old_file(model, tmp_path):
    """A disk of 64 KB, mounted for one process alone."""
    try_mount = ["unshare", "--mount", "mount", "-t", "tmpfs", "-o", "size=64k", "none", str(tmp_path)]
    if (
        shutil.which("unshare") is None
        or subprocess.run(try_mount, capture_output=True, check=False).returncode
    ):
        pytest.skip("a small disk can't be mounted here")
    small = tmp_path / "small.json"
    save_model(TreeClassifier().fit([[0.0], [1.0]], [0, 1]), small)
    disk = tmp_path / "disk"
    disk.mkdir()
    code = (
        LARGE + "import pathlib, shutil\npath = pathlib.Path(sys.argv[1]) / 'model.json'\n"
        "shutil.copy(sys.argv[2], path)\nbefore = path.read_bytes()\n"
        "try:\n    save_model(model, path)\nexcept OSError as error:\n    print(error.strerror)\n"
        "assert path.read_bytes() == before\nprint([p.name for p in path.parent.iterdir()])"
    )
    prelude = "import sys, numpy as np\nfrom ramify import TreeClassifier, save_model\n"
    script = f'mount -t tmpfs -o size=64k none "{disk}" && exec "$0" -c "$1" "{disk}" "{small}"'
    command = ["unshare", "--mount", "sh", "-c", script, sys.executable, prelude + code]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.stdout.splitlines() == ["No space left on device", "['model.json']"], done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are ended in another way there")
def test_a_process_that_is_killed_leaves_a_whole_file(model, tmp_path):
    path = tmp_path / "model.json"
    save_model(model, path)
    code = "import sys, numpy as np\nfrom ramify import TreeClassifier, save_model\n" + LARGE
    code += "print('ready', flush=True)\nwhile True: save_model(model, sys.argv[1])"
    for wait in (0.05, 0.11, 0.17):
        process = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE)
        assert process.stdout.readline() == b"ready\n"
        time.sleep(wait)
        process.kill()
        process.communicate()
        load_model(path)


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
    "a text for a number": (
        _set(["tree", "column", 3], "1"),
        r"\$\.tree\.column\[3\]: a whole number is needed",
    ),
    "a float for an integer": (_set(["tree", "column", 0], 0.5), "found a number"),
    "true for a number": (_set(["tree", "column", 0], True), "found true or false"),
    "an infinity": (_set(["tree", "threshold", 1], 1e308 * 10), "Infinity"),
    "another array": (_set(["tree", "colour"], []), '"colour" has no meaning here'),
    "another key": (_set(["author"], "me"), '"author" has no meaning here'),
    "counts that do not add up": (_set(["tree", "counts", 1, 0], 7.0), "node 0: the counts of its children"),
    "rows that do not add up": (_set(["tree", "n_rows", -1], 10**6), "it has no more rows than its parent"),
    "a leaf with a score": (_set(["tree", "score", -1], 0.5), "a leaf has score 0"),
    "a huge type": (
        _set(["schema", "classes"], {"dtype": "<U999999999", "values": ["a", "b", "c"]}),
        "longest class",
    ),
    "a type of objects": (_set(["schema", "classes", "dtype"], "<O8"), "no type of classes"),
    "a name twice": (_set(["schema", "columns", 1, "name"], "number"), "two columns have the same name"),
    "half a character": (_set(["schema", "columns", 1, "name"], "\ud800"), "half a character"),
    "a parameter out of range": (_set(["parameters", "max_bins"], 1), r"\$\.parameters: max_bins=1"),
    "a parameter missing": (lambda d: d["parameters"].pop("q"), "'q' is missing"),
    "a weight of another class": (
        _set(["parameters", "class_weight"], {"items": [[9, 1.0]]}),
        "names the classes",
    ),
    "weights of no parameter": (_set(["class_weight"], [2, 1, 3]), "is not what the tree was grown with"),
    "negative weights": (_set(["class_weight"], [1, -1, 1]), r"\$\.class_weight: weights are not negative"),
    "a date of its own": (
        _set(["provenance", "fitted"], "yesterday"),
        r"\$\.provenance\.fitted: a time such as",
    ),
    "a target that is none": (
        _set(["provenance", "target"], 3),
        r"\$\.provenance\.target: a text is needed",
    ),
    "half a target": (_set(["provenance", "target"], "\ud800"), "half a character"),
    "a wrong checksum": (_set(["checksum"], "sha256:" + "0" * 64), "not what it was when this was written"),
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
    ("content", "text"),
    [
        (b"", "not JSON"),
        (b"{", "not JSON"),
        (b"[]", "an object is needed, found a list"),
        (b"null", "an object is needed, found null"),
        (b"\xff\xfe", "byte 0 is not UTF-8"),
        ('{"format": "ramify-model"}'.encode("utf-16"), "UTF-8"),
        (b'\xef\xbb\xbf{"format": "ramify-model"}', "byte order mark"),
        (b'{"format": NaN}', "NaN is no JSON number"),
        (b'{"format": -Infinity}', "-Infinity is no JSON number"),
        (b"[" * 100_000, "nested deeper"),
        (b'{"a":' * 100_000, "nested deeper"),
        (b'{"format": "]]]]]]", "a": ' + b"[" * 50, "nested deeper"),
        (b'{"format": "ramify-model", "format": "ramify-model"}', 'the key "format" stands twice'),
        (b'{"format": "ramify-model", "version": ' + b"9" * 5000 + b"}", "not JSON"),
        (b'{"format": "ramify-model", "version": 1}', "reads 2 and 3; the version is unknown"),
    ],
)
def test_what_is_no_model_at_all(content, text, tmp_path):
    path = tmp_path / "m.json"
    path.write_bytes(content)
    with pytest.raises(ModelFormatError, match=r"m\.json: .*" + re.escape(text)):
        load_model(path)


def test_a_deep_file_does_not_overflow_the_stack(tmp_path):
    """Not even where Python's own limit was raised."""
    path = tmp_path / "m.json"
    path.write_bytes(b"[" * 1_000_000)
    code = "from ramify import load_model\nsys.setrecursionlimit(10**7)\nload_model(sys.argv[1])"
    assert "nested deeper than 8 levels" in in_another_process(code, path).stderr


def test_a_missing_file_is_an_os_error():
    with pytest.raises(FileNotFoundError):
        load_model(Path("no-such-model.json"))
