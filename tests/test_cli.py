"""The command line, as a user runs it."""

import subprocess
import sys

import pytest

from ramify import datasets, list_criteria, load_model


def run(*arguments, program=("-m", "ramify"), check=True):
    done = subprocess.run(
        [sys.executable, *program, *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
    )
    if check:
        assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def csv(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "people.csv"
    data = datasets.load("titanic", backend="polars")
    data.X.with_columns(survived=data.y).write_csv(path)
    return path


def test_fit_a_named_data_set():
    out = run("fit", "titanic").stdout
    assert "sex = female: 470 cases: yes 73%, no 27%" in out
    assert "79.1% on these rows" in out
    assert "67.7% by always saying no" in out
    assert "25 nodes, 13 leaves, depth 5" in out


def test_fit_a_file_and_save_the_model(csv, tmp_path):
    out = run(
        "fit",
        csv,
        "--target",
        "survived",
        "--criterion",
        "gain_ratio",
        "--save",
        tmp_path / "m.json",
    ).stdout
    assert "3 nominal columns" in out
    model = load_model(tmp_path / "m.json")
    assert model.criterion == "gain_ratio"
    assert model.feature_names_in_.tolist() == ["status", "age", "sex"]


def test_criteria_lists_the_registry():
    out = run("criteria").stdout
    assert all(info.name in out for info in list_criteria())


def test_datasets_lists_the_data_sets():
    out = run("datasets").stdout
    assert all(name in out for name in datasets.list_datasets())


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["fit", "no-such.csv", "--target", "x"], 1, "no-such.csv"),
        (["fit", "titanik"], 1, "titanic"),
        (["fit", "{csv}"], 1, "--target"),
        (["fit", "{csv}", "--target", "sexx"], 1, "sexx"),
        (["fit", "titanic", "--q", "-1"], 2, "q=-1"),
        (["fit", "titanic", "--criterion", "gini", "--q", "1"], 2, "q=1"),
        (["fit", "titanic", "--criterion", "giny"], 2, "gini"),
        (["fit", "titanic", "--colour"], 2, "colour"),
        (["fit", "titanic", "--save", "/no/such/folder/m.json"], 1, "folder"),
    ],
)
def test_errors_are_one_line(arguments, code, text, csv):
    done = run(*(a.format(csv=csv) for a in arguments), check=False)
    assert done.returncode == code
    assert text in done.stderr.replace("\n", " ")
    assert "Traceback" not in done.stderr


def test_help_and_version():
    assert "criteria" in run("--help").stdout
    assert run("--version").stdout.startswith("ramify ")
