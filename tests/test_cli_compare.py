"""`ramify compare`, as a user runs it."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from typer.testing import CliRunner

from ramify import datasets
from ramify.cli import app

QUICK = ["--folds", "3", "--repeats", "1", "--jobs", "1"]
SIX = ["iris", "wine", "glass", "hepatitis", "haberman", "hayes-roth"]


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the command in a folder of its own, with a cache of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAMIFY_CACHE", str(tmp_path / "cache"))

    def start(*arguments, code=0):
        done = CliRunner().invoke(app, ["compare", *map(str, arguments)])
        assert done.exit_code == code, done.output
        assert done.exception is None or isinstance(done.exception, SystemExit)
        return done

    return start


@pytest.fixture
def csv(tmp_path):
    data = datasets.load("titanic", backend="polars")
    data.X.with_columns(survived=data.y).write_csv(tmp_path / "people.csv")
    return "people.csv"


def test_text(run, tmp_path):
    out = run(*SIX, "--criteria", "gain,twoing", "--q", "1,2", "--with", "majority", *QUICK).stdout
    assert "4 models on 6 data sets" in out
    assert "gain q=1" in out and "gain q=2" in out and "twoing" in out and "twoing q" not in out
    assert "Friedman's test over 6 data sets" in out
    assert "neither ranked nor tested across data sets: majority" in out
    assert list((tmp_path / "cache").rglob("*.jsonl")) == []  # nothing is left of a run that is done


def test_combinations_and_files(run, csv):
    arguments = (csv + ":survived", "vote", "--criteria", "gain", "--prune", "none,pessimistic")
    out = run(*arguments, "--branching", "binary,multiway", "--format", "json", *QUICK).stdout
    content = json.loads(out)
    assert [entry["name"] for entry in content["datasets"]] == ["people.csv", "vote"]
    assert content["models"] == [
        f"gain branching={branching} pruning={pruning}"
        for branching in ("binary", "multiway")
        for pruning in ("None", "pessimistic")
    ]


@pytest.mark.slow
def test_files_are_written_whole_and_are_the_same_each_time(run, tmp_path):
    for name in ("one.html", "two.html", "page.md", "data.json", "page.txt"):
        # Kept in a file, so that only the first of them has to compute.
        run(*SIX, "--criteria", "gain,gain_ratio,twoing", "--output", name, "--resume", "run", *QUICK)
    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "two.html").read_bytes()
    assert (tmp_path / "one.html").read_text().startswith("<!doctype html>")
    assert len(list((tmp_path / "page_files").iterdir())) == 2
    json.loads((tmp_path / "data.json").read_text())


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["titanik"], 1, "titanic"),
        (["people.csv"], 1, "people.csv: --target is needed"),
        (["people.csv:sexx"], 1, "sexx"),
        (["people.csv", "--target", "sexx"], 1, "sexx"),
        (["buys_computer", "--folds", "10"], 1, "buys_computer: cv=10"),
        (["iris", "--output", "no/such/folder.html"], 1, "folder"),
        (["iris", "--resume", "people.csv"], 1, "people.csv"),
        (["iris", "--criteria", "giny"], 2, "gini"),
        (["iris", "--criteria", "gain"], 2, "one model"),
        (["iris", "--q", "1,x"], 2, "'x'"),
        (["iris", "--q", "-1"], 2, "-1"),
        (["iris", "--with", "xgboost"], 2, "'sklearn'"),
        (["iris", "--with", "c45,c45"], 2, "--with has 'c45', which is there already"),
        (["iris", "--output", "."], 2, "is a folder"),
        (["iris", "--prune", "yes"], 2, "pruning='yes'"),
        (["iris", "--min-samples-leaf", "0"], 2, "min_samples_leaf=0"),
        (["iris", "--measures", "acuracy"], 2, "'accuracy'"),
        (["iris", "--reference", "cart"], 2, "reference='cart'"),
        (["iris", "--folds", "1"], 2, "cv=1"),
        (["iris", "--format", "pdf"], 2, "pdf"),
        ([], 2, "data"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_errors_are_one_line(arguments, code, text, run, csv):
    done = run(*arguments, "--repeats", "1", "--jobs", "1", code=code)
    assert text in done.stderr.replace("\n", " ")
    if arguments:
        assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(tmp_path, run):
    command = ["car", "--criteria", "gain,gain_ratio", "--repeats", "40", "--folds", "3", "--jobs", "1"]
    environment = os.environ | {"RAMIFY_CACHE": str(tmp_path / "cache")}
    process = subprocess.Popen(
        [sys.executable, "-m", "ramify", "compare", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        env=environment,
        start_new_session=True,
    )
    end, kept = time.monotonic() + 60, []
    while time.monotonic() < end and not (kept and kept[0].read_bytes().count(b"\n") > 1):
        time.sleep(0.02)
        kept = list((tmp_path / "cache").rglob("*.jsonl"))
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "the same command goes on" in said
    assert "Traceback" not in said
    before = kept[0].read_bytes().count(b"\n")
    assert before >= 2
    out = run(*command).stdout
    assert "2 models on 1 data set" in out
    assert not kept[0].exists()
