"""The journal: what is done is never done again, and never taken for something else."""

import functools
import json
import os
import pickle
import signal
import subprocess
import sys
import time

import pytest

from ramify import datasets
from ramify.experiments import Journal, JournalError, fingerprint
from ramify.experiments.fingerprint import of_code, of_data, versions

UNITS = [("square", 3), ("square", 1), ("square", 2)]


def slow_square(unit):
    time.sleep(0.05 * unit[1])
    return unit[1] ** 2, os.getpid()


def fail_on_two(unit):
    if unit[1] == 2:
        raise ZeroDivisionError("two")
    return unit[1]


def power(unit, exponent):
    return unit[1] ** exponent


class Counted:
    """A function that says what it was called with."""

    def __init__(self):
        self.calls = []

    def __call__(self, unit):
        self.calls.append(unit)
        return [unit[1] ** 2, (1, 2)]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "deep" / "journal.jsonl"


def test_results_come_in_the_order_of_the_units(path):
    journal = Journal(path, "s", {})
    assert journal.run(UNITS, lambda unit: unit[1]) == [3, 1, 2]
    assert set(journal.seconds) == set(UNITS)


@pytest.mark.slow
def test_processes_give_the_same_in_the_same_order(path):
    results = Journal(path, "s", {}).run(UNITS, slow_square, jobs=2)
    assert [value for value, _ in results] == [9, 1, 4]
    assert all(pid != os.getpid() for _, pid in results)
    done = [json.loads(line)["unit"][1] for line in path.read_text().splitlines()[1:]]
    assert sorted(done) == [1, 2, 3]
    assert Journal(path, "s", {}).run(UNITS, slow_square) == results


def test_what_is_done_is_not_done_again(path):
    function = Counted()
    first = Journal(path, "s", {"a": 1}).run(UNITS[:2], function)
    again = Journal(path, "s", {"a": 1})
    results = again.run(UNITS, function)
    assert function.calls == UNITS
    assert results[:2] == first
    assert again.n_found == 2
    # A result that was made is what a result that was read would be: tuples are lists.
    assert results[2] == [4, [1, 2]]


@pytest.mark.parametrize("change", ["settings", "data"])
def test_what_depends_on_something_else_is_done_again(path, change):
    function = Counted()
    key, fingerprints = {"seed": 0}, dict.fromkeys(UNITS, "rows")
    Journal(path, "s", key).run(UNITS, function, fingerprints=fingerprints)
    if change == "settings":
        other = {"key": {"seed": 1}, "fingerprints": fingerprints, "again": 3}
    else:
        other = {"key": key, "fingerprints": fingerprints | {UNITS[0]: "other rows"}, "again": 1}
    journal = Journal(path, "s", other["key"])
    journal.run(UNITS, function, fingerprints=other["fingerprints"])
    assert len(function.calls) == 3 + other["again"]
    # The old results are still there for whoever goes back.
    Journal(path, "s", key).run(UNITS, function, fingerprints=fingerprints)
    assert len(function.calls) == 3 + other["again"]


@pytest.mark.parametrize("cut", [1, 10, 40])
def test_a_last_line_that_was_cut_short_is_done_again(path, cut):
    Journal(path, "s", {}).run(UNITS, Counted())
    path.write_bytes(path.read_bytes()[:-cut])
    function = Counted()
    assert Journal(path, "s", {}).run(UNITS, function) == [[9, [1, 2]], [1, [1, 2]], [4, [1, 2]]]
    assert function.calls == UNITS[2:]
    assert len([json.loads(line) for line in path.read_text().splitlines()]) == 4


def test_a_file_with_half_a_head_begins_anew(path):
    Journal(path, "s", {}).run(UNITS[:1], Counted())
    head = path.read_bytes().split(b"\n")[0]
    path.write_bytes(head[:20])
    function = Counted()
    Journal(path, "s", {}).run(UNITS, function)
    assert function.calls == UNITS


def test_a_spoiled_line_is_done_again(path):
    Journal(path, "s", {}).run(UNITS, Counted())
    lines = path.read_text().splitlines()
    lines[1] = "{not json"
    lines[2] = "[1, 2]"
    path.write_text("\n".join(lines) + "\n")
    function = Counted()
    Journal(path, "s", {}).run(UNITS, function)
    assert function.calls == UNITS[:2]


def test_files_of_others_are_refused_and_left_alone(path):
    path.parent.mkdir()
    for content in ("some,data\n1,2\n", "x", '{"format": "other"}\n'):
        path.write_text(content)
        with pytest.raises(JournalError, match=r"journal.jsonl is no journal of ramify"):
            Journal(path, "s", {})
        assert path.read_text() == content
    path.unlink()
    Journal(path, "other", {}).run(UNITS, Counted())
    with pytest.raises(JournalError, match="journal of the study 'other', not of 's'"):
        Journal(path, "s", {})


def test_fresh_drops_what_was_done(path):
    Journal(path, "s", {}).run(UNITS, Counted())
    function = Counted()
    Journal(path, "s", {}, fresh=True).run(UNITS, function)
    assert function.calls == UNITS


def test_without_a_file_nothing_is_kept(tmp_path):
    Journal(None, "s", {}).run(UNITS, Counted())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_an_error_names_its_unit_and_keeps_what_is_done(path, jobs):
    with pytest.raises(ZeroDivisionError) as caught:
        Journal(path, "s", {}).run(UNITS, fail_on_two, jobs=jobs)
    assert "while doing the unit ('square', 2)" in caught.value.__notes__
    if jobs == 1:
        assert Journal(path, "s", {}).run(UNITS[:2], lambda unit: None) == [3, 1]


def test_the_same_unit_twice_is_a_mistake():
    with pytest.raises(ValueError, match="twice"):
        Journal(None, "s", {}).run([("a", 1), ("a", 1)], Counted())


INTERRUPTED = """
import sys, time
from pathlib import Path
from ramify.experiments import Journal

def work(unit):
    time.sleep(0.01 if unit[0] < 4 else 60)
    return unit[0]

if __name__ == "__main__":
    try:
        Journal(Path(sys.argv[1]), "s", {}).run([(i,) for i in range(8)], work, jobs=int(sys.argv[2]))
    except KeyboardInterrupt:
        print("stopped", flush=True)
"""


@pytest.mark.parametrize("jobs", [pytest.param(1, marks=pytest.mark.slow), 2])
def test_ctrl_c_ends_it_at_once_and_keeps_what_is_done(path, tmp_path, jobs):
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    path.parent.mkdir()
    process = subprocess.Popen(
        [sys.executable, str(script), str(path), str(jobs)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and not (path.exists() and path.read_bytes().count(b"\n") == 5):
        time.sleep(0.05)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)  # to the first process alone: its helpers must end all the same
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - begin < 20
    assert out == "stopped\n"
    assert "Traceback" not in err
    assert Journal(path, "s", {}).run([(i,) for i in range(4)], lambda unit: "again") == [0, 1, 2, 3]


def test_fingerprints_of_data_see_every_difference():
    data = datasets.load("hepatitis", backend="pandas")
    found = {of_data(data)}
    assert found == {of_data(datasets.load("hepatitis", backend=b)) for b in ("polars", "pyarrow")}
    other = pickle.loads(pickle.dumps(data))
    other.X.iloc[3, 0] = other.X.iloc[3, 0] + 1
    found.add(of_data(other))
    other.y[0] = "LIVE" if other.y[0] == "DIE" else "DIE"
    found.add(of_data(other))
    assert len(found) == 3


@pytest.mark.parametrize("module", ["_berzal_trees", "_simovici_trees", "_utcdt_runs", "unbalanced"])
def test_fingerprint_of_code_sees_what_makes_numbers_and_not_what_tells_of_them(module):
    reached = fingerprint._reached(f"ramify.experiments.reproduce.{module}")
    makes = {"ramify", "ramify.estimator", "ramify._folds", "ramify.measures"}
    assert makes <= set(reached)
    studies = ("berzal", "simovici", "utcdt", "hart", "_utcdt_tables", "_berzal_findings")
    assert not {f"ramify.experiments.reproduce.{name}" for name in studies} & set(reached)
    assert not [name for name in reached if name.startswith(("ramify.cli", "ramify.experiments.render"))]


def test_fingerprint_of_code_follows_every_import_of_the_package():
    """What the interpreter has loaded for the estimator alone is among what was found by reading."""
    code = "import sys, ramify; print(*(n for n in sys.modules if n.split('.')[0] == 'ramify'))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    reached = set(fingerprint._reached("ramify"))
    free = ("ramify.datasets", "ramify.explaining", "ramify.plotting", "ramify.viewer")
    without = {name for name in loaded.split() if not name.startswith(free)}
    assert without - reached == {"ramify._core", "ramify._folders"}


def test_another_function_or_another_setting_of_it_is_another_result(path):
    settings = functools.partial(power, exponent=2), functools.partial(power, exponent=3)
    results = [Journal(path, "s", {}).run(UNITS[:1], setting) for setting in settings]
    assert results == [[9], [27]]
    assert len(path.read_text().splitlines()) == 3


def test_fingerprint_of_code_and_versions():
    assert of_code("ramify") == of_code("ramify") != of_code("ramify.experiments.comparing")
    assert {"python", "ramify", "numpy", "scikit-learn"} <= set(versions())
