"""The sets in files: every cell against the sources, and what is shipped."""

import csv
import hashlib
import json
import lzma
from collections import Counter
from importlib.resources import files

import numpy as np
import pytest

from data_folder import data_folder
from ramify.datasets import list_datasets, load
from ramify.datasets._catalogue import as_table, records
from ramify.datasets._registry import entries, find

#: The lecture's rows are in no file; the joined robots are compared with their parts.
WITHOUT = ("buys_computer", "monks-1", "monks-2", "monks-3")
NAMES = [name for name in list_datasets() if name not in WITHOUT]
SHIPPED = [name for name, record in records().items() if "address" not in record]
FETCHED = [name for name, record in records().items() if "address" in record]


@pytest.fixture(scope="module")
def sources():
    folder = data_folder()
    path = folder / "datasets.json"
    if not path.is_file():
        pytest.skip(f"no {path.name} in the folder of CSV files")
    return folder, json.loads(path.read_text(encoding="utf-8"))["datasets"]


def test_all_sets_of_the_sources_are_known(sources):
    assert set(sources[1]) <= set(list_datasets())


def test_what_may_be_shipped_is_and_nothing_else(sources):
    may = {name for name, known in sources[1].items() if known["redistributable"]}
    assert {entry.name for entry in entries() if entry.comes == "fetched"} == set(sources[1]) - may
    assert {path.name for path in (files("ramify.datasets") / "files").iterdir()} == {
        f"{name}.csv.xz" for name in SHIPPED
    }
    assert set(SHIPPED) <= may


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_kind_and_class_is_the_sources(name, sources, monkeypatch):
    folder, known = sources
    monkeypatch.setenv("RAMIFY_DATA", str(folder))
    with (folder / known[name]["file"]).open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    data = load(name, backend="pandas")
    assert [*data.X.columns, data.target] == head
    assert data.y.tolist() == [row[-1] for row in rows]
    assert list(data.X.shape) == [known[name]["rows"], known[name]["n_attributes"]]
    for place, attribute in enumerate(known[name]["attributes"]):
        cells = [row[place] for row in rows]
        column = data.X[attribute["name"]]
        assert int(column.isna().sum()) == attribute["missing"] == cells.count("")
        if attribute["kind"] == "nominal":
            assert data.categories[attribute["name"]] == tuple(attribute["values"])
            assert column.astype(object).where(column.notna(), "").tolist() == cells
        else:
            assert attribute["name"] not in data.categories
            numbers = np.array([float(cell) if cell else np.nan for cell in cells])
            assert np.array_equal(column.to_numpy(dtype=float), numbers, equal_nan=True)
    empty = known[name].get("classes_declared_but_empty", [])
    assert [label for label in data.classes if label not in empty] == list(known[name]["classes"])
    assert set(data.classes) == set(known[name]["classes"]) | set(empty)
    assert dict(Counter(data.y.tolist())) == known[name]["classes"]


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_missing_values_are_those_of_the_library(backend):
    pytest.importorskip(backend)
    X, _ = load("hepatitis", backend=backend, return_X_y=True)
    if backend == "pandas":
        counts = {name: int(X[name].isna().sum()) for name in X.columns}
    elif backend == "polars":
        counts = {name: X[name].null_count() for name in X.columns}
        assert not any(X[name].is_nan().any() for name in X.columns if X[name].dtype.is_float())
    else:
        counts = {name: X.column(name).null_count for name in X.column_names}
    assert sum(counts.values()) == records()["hepatitis"]["missing"] == 167
    assert counts["PROTIME"] == 67
    assert counts["LIVER_BIG"] == 10


@pytest.mark.parametrize("problem", [1, 2, 3])
def test_the_training_robots_follow_the_rule_of_the_test_robots(problem):
    train, test, both = (load(f"monks-{problem}{part}", backend="pandas") for part in ("-train", "-test", ""))
    right = dict(zip(test.X.itertuples(index=False, name=None), test.y, strict=True))
    assert len(right) == 432
    robots = list(train.X.itertuples(index=False, name=None))
    wrong = sum(right[robot] != label for robot, label in zip(robots, train.y, strict=True))
    assert wrong == (6 if problem == 3 else 0)  # the documented noise
    assert both.y.tolist() == train.y.tolist() + test.y.tolist()
    assert list(both.X.itertuples(index=False, name=None)) == robots + list(right)
    assert both.categories == train.categories == test.categories


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_files_have_their_checksum(name):
    packed = (files("ramify.datasets") / "files" / f"{name}.csv.xz").read_bytes()
    content = lzma.decompress(packed)
    assert hashlib.sha256(content).hexdigest() == records()[name]["sha256"]
    assert len(as_table(content, records()[name]).labels) == records()[name]["rows"]


def test_a_spoiled_file_is_noticed(monkeypatch):
    monkeypatch.setitem(records()["iris"], "sha256", "0" * 64)
    with pytest.raises(ValueError, match="'iris' is spoiled"):
        load("iris")


def test_shipped_files_are_small():
    assert sum(len(path.read_bytes()) for path in (files("ramify.datasets") / "files").iterdir()) < 250_000


def test_many_classes_are_counted_not_listed():
    assert repr(load("abalone")) == "<Dataset 'abalone': 4177 rows, 8 columns, 29 classes>"


def test_every_entry_says_how_it_comes():
    assert {find(name).comes for name in FETCHED} == {"fetched"}
    assert find("titanic").comes == "generated"
    assert find("hayes-roth").comes == "shipped"
