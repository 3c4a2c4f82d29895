"""The data sets: their rows against the source files and against rules derived anew."""

from __future__ import annotations

import csv
import dataclasses
import json
import math
import os
import pickle
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from data_folder import data_folder
from ramify.datasets import Dataset, list_datasets, load
from ramify.datasets._frame import make_frame
from ramify.datasets._table import NominalColumn, NumericColumn, Table

BACKENDS = ("pandas", "polars", "pyarrow")
NAMES = ("balance-scale", "buys_computer", "tic-tac-toe", "titanic")
IN_FILES = ("balance-scale", "tic-tac-toe", "titanic")


@pytest.fixture(params=BACKENDS)
def backend(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    pytest.importorskip(name)
    return name


@pytest.fixture(scope="module", name="data_folder")
def folder_of_sources() -> Path:
    return data_folder()


def existing(path: Path) -> Path:
    if not path.is_file():
        pytest.skip(f"the folder of CSV files has no {path.name}")
    return path


def columns(X: Any) -> dict[str, list[Any]]:
    """The cells of a frame of any backend, column by column, as Python objects."""
    kind = type(X).__module__.partition(".")[0]
    if kind == "pandas":
        return {name: X[name].astype(object).tolist() for name in X.columns}
    if kind == "polars":
        return {name: X[name].to_list() for name in X.columns}
    return {name: X.column(name).to_pylist() for name in X.column_names}


def declared(X: Any) -> dict[str, tuple[str, ...]]:
    """The categories that the frame itself declares; any other column must hold numbers."""
    kind = type(X).__module__.partition(".")[0]
    found: dict[str, tuple[str, ...]] = {}
    for name in columns(X):
        dtype = X.schema.field(name).type if kind == "pyarrow" else X[name].dtype
        if str(dtype).lower() in ("int64", "float64", "double"):
            continue
        if kind == "polars":
            assert str(dtype).startswith("Enum")
            found[name] = tuple(dtype.categories)
            continue
        assert not dtype.ordered
        if kind == "pandas":
            found[name] = tuple(dtype.categories)
        else:
            found[name] = tuple(X.column(name).chunk(0).dictionary.to_pylist())
    return found


def rows(data: Dataset) -> list[tuple[Any, ...]]:
    """The rows with the class last."""
    return list(zip(*columns(data.X).values(), data.y.tolist(), strict=True))


def entropy(counts: Counter[str]) -> float:
    n = sum(counts.values())
    return -sum(c / n * math.log2(c / n) for c in counts.values())


@pytest.mark.parametrize("name", IN_FILES)
def test_every_cell_and_the_row_order_equal_the_source_file(
    name: str, backend: str, data_folder: Path
) -> None:
    with existing(data_folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        header, *expected = csv.reader(file)
    data = load(name, backend=backend)
    assert [*columns(data.X), data.target] == header
    assert [[str(cell) for cell in row] for row in rows(data)] == expected


@pytest.mark.parametrize("name", IN_FILES)
def test_kinds_categories_and_classes_are_those_declared(name: str, data_folder: Path) -> None:
    text = existing(data_folder / "datasets.json").read_text(encoding="utf-8")
    known = json.loads(text)["datasets"][name]
    data = load(name)
    assert data.categories == {
        a["name"]: tuple(a["values"]) for a in known["attributes"] if a["kind"] == "nominal"
    }
    assert data.classes == tuple(known["classes"])
    assert dict(Counter(data.y.tolist())) == known["classes"]


def test_buys_computer_gives_the_figures_of_the_lecture() -> None:
    data = load("buys_computer")
    assert Counter(data.y.tolist()) == {"yes": 9, "no": 5}
    labels = data.y.tolist()
    gain = {}
    for name, cells in columns(data.X).items():
        branches: dict[str, Counter[str]] = {}
        for cell, label in zip(cells, labels, strict=True):
            branches.setdefault(cell, Counter())[label] += 1
        after = sum(sum(b.values()) / len(labels) * entropy(b) for b in branches.values())
        gain[name] = entropy(Counter(labels)) - after
    # The lecture subtracts rounded entropies (0.940 - 0.694), hence the tolerance of one unit.
    assert gain == pytest.approx(
        {"age": 0.246, "income": 0.029, "student": 0.151, "credit_rating": 0.048}, abs=1e-3
    )
    assert entropy(Counter(columns(data.X)["income"])) == pytest.approx(1.557, abs=5e-4)


def test_buys_computer_declares_its_categories_in_their_natural_order() -> None:
    data = load("buys_computer")
    assert data.target == "buys_computer"
    assert data.classes == ("no", "yes")
    assert list(data.categories.items()) == [
        ("age", ("<=30", "31...40", ">40")),
        ("income", ("low", "medium", "high")),
        ("student", ("no", "yes")),
        ("credit_rating", ("fair", "excellent")),
    ]
    assert rows(data)[0] == ("<=30", "high", "no", "fair", "no")
    assert "".join(label[0] for label in data.y) == "nnyyynynyyyyyn"


def test_titanic_has_the_published_margins() -> None:
    everyone = rows(load("titanic"))
    survivors = [row for row in everyone if row[-1] == "yes"]
    assert (len(everyone), len(survivors)) == (2201, 711)

    def margin(people: list[tuple[Any, ...]], column: int) -> dict[str, int]:
        return dict(Counter(row[column] for row in people))

    assert margin(everyone, 0) == {"first": 325, "second": 285, "third": 706, "crew": 885}
    assert margin(survivors, 0) == {"first": 203, "second": 118, "third": 178, "crew": 212}
    assert margin(everyone, 1) == {"adult": 2092, "child": 109}
    assert margin(survivors, 1) == {"adult": 654, "child": 57}
    assert margin(everyone, 2) == {"male": 1731, "female": 470}
    assert margin(survivors, 2) == {"male": 367, "female": 344}


def test_balance_scale_tips_to_the_greater_moment() -> None:
    expected = []
    for n in range(5**4):
        a, b, c, d = (n // 5**k % 5 + 1 for k in (3, 2, 1, 0))
        expected.append((a, b, c, d, "L" if a * b > c * d else "R" if a * b < c * d else "B"))
    data = load("balance-scale")
    assert rows(data) == expected
    assert Counter(data.y.tolist()) == {"L": 288, "B": 49, "R": 288}
    assert data.categories == {}


def final_boards() -> dict[str, str]:
    """All boards that end a game, with their winner, found by playing every game."""
    lines = ("012", "345", "678", "036", "147", "258", "048", "246")
    finals: dict[str, str] = {}
    frontier = {"b" * 9}
    for player in "xoxoxoxox":
        moved = {
            board[:square] + player + board[square + 1 :]
            for board in frontier
            for square in range(9)
            if board[square] == "b"
        }
        frontier = set()
        for board in moved:
            if any({board[int(square)] for square in line} == {player} for line in lines):
                finals[board] = player
            else:
                frontier.add(board)
    return finals | dict.fromkeys(frontier, "nobody")


def test_tic_tac_toe_has_every_board_that_a_game_can_end_with() -> None:
    data = load("tic-tac-toe")
    finals = final_boards()
    assert Counter(finals.values()) == {"x": 626, "o": 316, "nobody": 16}
    found = {"".join(row[:-1]): row[-1] for row in rows(data)}
    assert len(found) == len(data.y) == 958
    assert found == {board: "positive" if winner == "x" else "negative" for board, winner in finals.items()}


@pytest.mark.parametrize("name", NAMES)
def test_backends_give_the_same_content(name: str, backend: str) -> None:
    data, default = load(name, backend=backend), load(name)
    assert type(data.X).__module__.partition(".")[0] == backend
    assert columns(data.X) == columns(default.X)
    assert list(columns(data.X)) == list(columns(default.X))
    assert data.y.tolist() == default.y.tolist()
    for field in dataclasses.fields(Dataset):
        if field.name not in ("X", "y"):
            assert getattr(data, field.name) == getattr(default, field.name)


@pytest.mark.parametrize("name", NAMES)
def test_nominal_columns_are_categorical_in_declared_order(name: str, backend: str) -> None:
    data = load(name, backend=backend)
    assert list(declared(data.X).items()) == list(data.categories.items())


@pytest.mark.parametrize("name", NAMES)
def test_labels_are_an_object_array_of_str(name: str, backend: str) -> None:
    data = load(name, backend=backend)
    assert isinstance(data.y, np.ndarray)
    assert data.y.dtype == object
    assert data.y.shape == (data.X.shape[0],)
    assert {type(label) for label in data.y} == {str}
    assert set(data.y) == set(data.classes)


def test_return_X_y_gives_the_two_parts(backend: str) -> None:
    data = load("titanic", backend=backend)
    X, y = load("titanic", backend=backend, return_X_y=True)
    assert type(X) is type(data.X)
    assert columns(X) == columns(data.X)
    assert y.tolist() == data.y.tolist()


@pytest.mark.parametrize("name", NAMES)
def test_loaded_sets_share_nothing(name: str) -> None:
    first, again = load(name), load(name)
    first.y[:] = "changed"
    first.categories.clear()
    assert set(again.y) == set(again.classes)
    assert again.categories == load(name).categories == declared(again.X)


@pytest.mark.parametrize("name", NAMES)
def test_every_set_says_what_it_is(name: str) -> None:
    data = load(name)
    assert data.name == name
    assert data.target not in columns(data.X)
    for text in (data.description, data.source, data.licence):
        assert isinstance(text, str)
        assert text


def test_dataset_is_frozen_short_to_print_and_picklable(backend: str) -> None:
    data = load("tic-tac-toe", backend=backend)
    with pytest.raises(dataclasses.FrozenInstanceError):
        data.name = "other"  # type: ignore[misc]
    assert repr(data) == ("<Dataset 'tic-tac-toe': 958 rows, 9 columns, classes negative, positive>")
    assert rows(pickle.loads(pickle.dumps(data))) == rows(data)


def test_list_datasets_is_sorted_and_loadable() -> None:
    names = list_datasets()
    assert isinstance(names, tuple)
    assert set(NAMES) <= set(names)
    assert list(names) == sorted(names, key=lambda name: name.replace("-", "_"))


@pytest.mark.parametrize(
    ("spelling", "name"),
    [("tic_tac-Toe", "tic-tac-toe"), ("BUYS-COMPUTER", "buys_computer"), ("Titanic", "titanic")],
)
def test_names_may_be_spelled_freely(spelling: str, name: str) -> None:
    assert load(spelling).name == name


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [("titanik", "titanic"), ("TicTacToe", "tic-tac-toe"), ("qqqqqqqq", None), ("", None)],
)
def test_unknown_name_is_answered_with_the_names(wrong: str, meant: str | None) -> None:
    with pytest.raises(ValueError, match="unknown data set") as caught:
        load(wrong)
    message = str(caught.value)
    assert repr(wrong) in message
    assert all(name in message for name in list_datasets())
    assert ("did you mean" in message) == (meant is not None)
    assert meant is None or f"did you mean {meant!r}?" in message


@pytest.mark.parametrize("wrong", [None, 3, b"titanic", ["titanic"]])
def test_name_that_is_no_str_is_a_type_error(wrong: Any) -> None:
    with pytest.raises(TypeError, match="name must be a str") as caught:
        load(wrong)
    assert repr(wrong) in str(caught.value)


@pytest.mark.parametrize("wrong", ["Pandas", "numpy", "", 0, ["pandas"]])
def test_unknown_backend_is_a_value_error(wrong: Any) -> None:
    with pytest.raises(ValueError, match="backend must be one of") as caught:
        load("titanic", backend=wrong)
    message = str(caught.value)
    assert repr(wrong) in message
    assert all(repr(name) in message for name in BACKENDS)


@pytest.mark.parametrize("wrong", ["no", 1, None])
def test_return_X_y_must_be_a_bool(wrong: Any) -> None:
    with pytest.raises(TypeError, match="return_X_y must be True or False") as caught:
        load("titanic", return_X_y=wrong)
    assert repr(wrong) in str(caught.value)


def hide(monkeypatch: pytest.MonkeyPatch, library: str) -> None:
    """Make a library look as if it were not installed: None is Python's own mark for that."""
    monkeypatch.setitem(sys.modules, library, None)


@pytest.mark.parametrize("missing", BACKENDS)
def test_missing_backend_says_what_to_install(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hide(monkeypatch, missing)
    with pytest.raises(ImportError, match=f"pip install {missing}"):
        load("titanic", backend=missing)


def test_default_backend_is_the_first_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for library in BACKENDS:
        pytest.importorskip(library)
    for library in BACKENDS:
        assert type(load("titanic").X).__module__.partition(".")[0] == library
        hide(monkeypatch, library)
    with pytest.raises(ImportError, match="none is installed") as caught:
        load("titanic")
    assert all(library in str(caught.value) for library in BACKENDS)


def test_broken_backend_keeps_its_own_message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "polars.py").write_text("import a_module_that_is_not_there\n", encoding="utf-8")
    monkeypatch.delitem(sys.modules, "polars", raising=False)
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_not_there"):
        load("titanic", backend="polars")


def test_table_refuses_undeclared_values_and_unequal_lengths() -> None:
    with pytest.raises(ValueError, match=r"column 'c' holds \['z'\]"):
        NominalColumn("c", ["a", "z"], ("a", "b"))
    with pytest.raises(ValueError, match=r"target 't' holds \['maybe'\]"):
        Table((), "t", ["maybe"], ("no", "yes"))
    with pytest.raises(ValueError, match="column 'n' has 2 rows, target 't' has 1"):
        Table((NumericColumn("n", np.array([1.0, 2.0])),), "t", ["no"], ("no", "yes"))


def test_declared_but_unused_categories_and_floats_reach_the_frame(backend: str) -> None:
    c = NominalColumn("c", ["b", "b"], ("z", "b", "a"))
    n = NumericColumn("n", np.array([0.1, 0.2]))
    X = make_frame(Table((c, n), "t", ["no", "yes"], ("no", "yes")), backend)
    assert columns(X) == {"c": ["b", "b"], "n": [0.1, 0.2]}
    assert declared(X) == {"c": ("z", "b", "a")}


def imported_after(statement: str, folder: Path) -> set[str]:
    """The frame libraries that a new interpreter has imported after a statement."""
    code = f"import sys, ramify.datasets\n{statement}\nprint(*set({BACKENDS!r}) & set(sys.modules))"
    # The same places to import from as here; the folder is empty, so nothing local can intrude.
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


@pytest.mark.slow
def test_loading_imports_the_library_asked_for_alone(backend: str, tmp_path: Path) -> None:
    before = imported_after("ramify.datasets.list_datasets()", tmp_path)  # what scikit-learn imports
    imported = imported_after(f"ramify.datasets.load('titanic', backend={backend!r})", tmp_path)
    assert backend in imported
    # pandas and pyarrow import each other where they can, which is not ours to prevent.
    assert ("polars" in imported) == (backend == "polars")
    assert backend != "polars" or imported == before | {"polars"}
