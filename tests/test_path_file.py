"""Runs that are interrupted, shown and gone on with."""

import json
import os
import re
import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import KFold, ShuffleSplit, StratifiedKFold

import ramify._path_run
import ramify.tuning
from path_samples import assert_same_path
from ramify import C45, TreeClassifier, q_path
from ramify._folds import make_folds
from ramify._path_file import PathFile
from ramify._progress import ProgressBar
from samples import numbers, people

SMALL = {"qs": [1, 2], "cv": 2, "n_repeats": 2, "max_depth": 2}


@pytest.fixture
def scored(monkeypatch):
    """The folds that were computed; each chunk is one fold."""
    seen = []
    score = ramify.tuning.Plan.score

    def watch(plan, start, stop):
        seen.extend(range(start, stop))
        return score(plan, start, stop)

    monkeypatch.setattr(ramify.tuning.Plan, "score", watch)
    monkeypatch.setattr(ramify._path_run, "CHUNK", 0.0)
    return seen


@pytest.fixture
def interrupt_after(monkeypatch):
    """Make the run end with Ctrl-C after some folds."""

    def interrupt(folds):
        score = ramify.tuning.Plan.score

        def stop_at(plan, start, stop):
            if start >= folds:
                raise KeyboardInterrupt
            return score(plan, start, stop)

        monkeypatch.setattr(ramify.tuning.Plan, "score", stop_at)

    return interrupt


@pytest.mark.parametrize("nested", [False, True])
def test_a_file_gives_the_same_path_at_once(nested, tmp_path, scored):
    X, y = people()
    given = {"qs": [0.3, 1, 2], "cv": 3, "n_repeats": 1, "nested": nested, "inner_cv": 2 if nested else None}
    plain = q_path(X, y, **given)
    file = tmp_path / "run"
    assert_same_path(q_path(X, y, **given, resume=file), plain)
    written = file.read_bytes()
    assert [p.name for p in tmp_path.iterdir()] == ["run"]
    scored.clear()
    assert_same_path(q_path(X, y, **given, resume=str(file)), plain)
    assert scored == []
    assert file.read_bytes() == written


def test_numbers_are_kept_to_the_last_bit(tmp_path):
    X, y = people()
    weights = np.random.default_rng(0).random(len(y))
    given = {"qs": [0.3, 1, 2], "cv": 3, "n_repeats": 1, "smoothing": 0.7, "sample_weight": weights}
    once = q_path(X, y, **given, resume=tmp_path / "run")
    again = q_path(X, y, **given, resume=tmp_path / "run")
    assert once.fold_log_loss_.tobytes() == again.fold_log_loss_.tobytes()
    assert once.fold_accuracy_.tobytes() == again.fold_accuracy_.tobytes()


def make_plan(X, y):
    """The plan of `SMALL`."""
    orders = np.array(SMALL["qs"], dtype=float)
    model = TreeClassifier(max_depth=SMALL["max_depth"], random_state=0)
    grower = ramify.tuning.make_grower(model, X, y, None, orders)
    folds = make_folds(SMALL["cv"], SMALL["n_repeats"], 0, X, grower.numbers, grower.classes)
    return ramify.tuning.Plan(grower, orders, folds)


def test_a_file_cut_short_at_any_byte_is_gone_on_with(tmp_path, scored, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda file: None)  # thousands of them would take long
    X, y = numbers(rows=30)
    file = tmp_path / "run"
    plain = q_path(X, y, **SMALL, resume=file)
    whole = file.read_bytes()
    ends = np.cumsum([len(line) for line in whole.splitlines(keepends=True)])
    assert len(ends) == 1 + 4  # the header, and one fold a line
    plan = make_plan(X, y)
    parts = [plan.score(i, i + 1) for i in range(4)]
    file.write_bytes(whole)
    for cut in range(len(whole) - 1, -1, -1):
        os.truncate(file, cut)
        store = PathFile(file, plan)
        kept = max(int(np.searchsorted(ends, cut, side="right")) - 1, 0)
        restored = store.restored()
        assert (0 if restored is None else len(restored[0])) == kept, cut
        if kept:
            np.testing.assert_array_equal(restored[0].log_loss, plain.fold_log_loss_[:kept])
        if cut % 16 == 0 or cut in ends:
            for scores, chosen in parts[kept:]:
                store.append(scores, chosen)
            assert file.read_bytes() == whole, cut
    file.write_bytes(whole[: ends[2] + 7])
    scored.clear()
    assert_same_path(q_path(X, y, **SMALL, resume=file), plain)
    assert scored == [2, 3]


def test_what_follows_a_damaged_record_is_computed_anew(tmp_path, scored):
    X, y = numbers(rows=30)
    file = tmp_path / "run"
    q_path(X, y, **SMALL, resume=file)
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    swapped = b"".join([lines[0], lines[2], lines[1], *lines[3:]])
    changed = whole.replace(lines[2], lines[2].replace(b"0.", b"1.", 1))
    longer = whole + lines[1] + b"more\n"
    document = json.loads(lines[2].partition(b" ")[2]) | {"accuracy": [[0.5]]}
    text = json.dumps(document).encode()
    shape = whole.replace(lines[2], b"%08x %s\n" % (zlib.crc32(text), text))
    for content, expected in ((swapped, 0), (changed, 1), (longer, 4), (shape, 1)):
        file.write_bytes(content)
        scored.clear()
        q_path(X, y, **SMALL, resume=file)
        assert scored == list(range(expected, 4))
        assert file.read_bytes()[: len(whole)] == whole


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"min_samples_leaf": 3}, "min_samples_leaf was 1 and is 3 now"),
        ({"max_depth": None}, "max_depth was 2 and is None now"),
        ({"criterion": "gain_ratio"}, "criterion was 'gain' and is 'gain_ratio' now"),
        ({"class_weight": {0: 2}}, r"class_weight was None and is \{0: 2\} now"),
        ({"dialect": C45}, "dialect was 'plain' and is Dialect"),
        ({"qs": [1, 3]}, "another run: qs has other values"),
        ({"qs": [1, 2, 3]}, "another run: qs has other values"),
        ({"n_repeats": 3}, "another run: there were 4 folds and are 6 now"),
        ({"random_state": 1}, "random_state was 0 and is 1 now; the folds have other rows"),
        ({"cv": ShuffleSplit(4, random_state=0)}, "another run: the folds have other rows"),
        ({"nested": True}, "another run: nested was False and is True now"),
        ({"sample_weight": np.full(60, 2.0)}, "another run: sample_weight is another"),
    ],
)
def test_a_file_of_another_run_is_refused(change, text, tmp_path):
    X, y = numbers(rows=60)
    file = tmp_path / "run"
    q_path(X, y, **SMALL, resume=file)
    before = file.read_bytes()
    with pytest.raises(ValueError, match=text) as caught:
        q_path(X, y, **(SMALL | change), resume=file)
    assert str(file) in str(caught.value)
    assert file.read_bytes() == before


def test_a_file_of_other_data_is_refused(tmp_path):
    X, y = people()
    file = tmp_path / "run"
    q_path(X, y, **SMALL, resume=file)
    other = X.assign(age=X["age"].where(X.index != 3, 17))
    with pytest.raises(ValueError, match="another run: X has other values"):
        q_path(other, y, **SMALL, resume=file)
    with pytest.raises(ValueError, match="another run: X has other values"):
        q_path(X.rename(columns={"age": "years"}), y, **SMALL, resume=file)
    folds = list(StratifiedKFold(2).split(X, y))
    fixed = SMALL | {"cv": folds}
    q_path(X, y, **fixed, resume=tmp_path / "fixed")
    swapped = y.copy()
    swapped[[0, np.flatnonzero(y != y[0])[0]]] = swapped[[np.flatnonzero(y != y[0])[0], 0]]
    with pytest.raises(ValueError, match="another run: y has other labels"):
        q_path(X, swapped, **fixed, resume=tmp_path / "fixed")


def test_other_inner_folds_are_refused(tmp_path):
    X, y = numbers(rows=60)
    q_path(X, y, **SMALL, nested=True, inner_cv=2, resume=tmp_path / "run")
    with pytest.raises(ValueError, match="another run: the inner folds are others"):
        q_path(X, y, **SMALL, nested=True, inner_cv=3, resume=tmp_path / "run")


def test_lists_and_arrays_of_the_same_values_are_the_same_run(tmp_path, scored):
    X, y = numbers(rows=60)
    costs = [[0, 1, 2], [1, 0, 1], [1, 1, 0]]
    q_path(X, y, **SMALL, cost_matrix=costs, resume=tmp_path / "run")
    scored.clear()
    q_path(X, y, **SMALL, cost_matrix=np.array(costs), n_jobs=2, resume=tmp_path / "run")
    assert scored == []


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"q,accuracy\n1,0.5\n", "is not a file that q_path wrote"),
        (b"\x00\xff" * 40, "is not a file that q_path wrote"),
        (b"00000000 {}\n", "is not a file that q_path wrote"),
        (None, "has the format 99, but this version of ramify reads 1"),
        ("ramify", "made by ramify 0.0.0, and this is"),
    ],
)
def test_other_files_are_refused_and_left_as_they_are(content, text, tmp_path):
    X, y = numbers(rows=30)
    file = tmp_path / "run"
    if content is None or content == "ramify":
        q_path(X, y, **SMALL, resume=file)
        header = json.loads(file.read_bytes().splitlines()[0].partition(b" ")[2])
        header |= {"version": 99} if content is None else {"ramify": "0.0.0"}
        line = json.dumps(header).encode()
        content = b"%08x %s\n" % (zlib.crc32(line), line)
    file.write_bytes(content)
    with pytest.raises(ValueError, match=text):
        q_path(X, y, **SMALL, resume=file)
    assert file.read_bytes() == content


def test_a_file_that_can_not_be_written_stops_before_the_work(tmp_path, scored):
    X, y = numbers(rows=30)
    with pytest.raises(FileNotFoundError, match=r"resume=.*run' can't be written: there is no folder"):
        q_path(X, y, **SMALL, resume=tmp_path / "nowhere" / "run")
    with pytest.raises(IsADirectoryError, match=r"resume=.* is a folder; give the name of a file"):
        q_path(X, y, **SMALL, resume=tmp_path)
    with pytest.raises(TypeError, match="resume=True is not accepted"):
        q_path(X, y, **SMALL, resume=True)
    with pytest.raises(OSError, match=r"resume='.*x' can't be written: "):
        q_path(X, y, **SMALL, resume=tmp_path / ("x" * 300))
    with pytest.raises(ValueError, match="resume='/dev/null' is a device or a pipe; give the name of a file"):
        q_path(X, y, **SMALL, resume="/dev/null")
    assert scored == []


@pytest.mark.skipif(sys.platform != "linux", reason="limits what a process may write")
def test_a_disk_that_is_full_is_named_and_what_was_written_is_used(tmp_path):
    code = """
import resource, sys
from ramify import q_path
from samples import numbers
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
q_path(*numbers(rows=60), [1, 2], cv=5, n_repeats=40, resume=sys.argv[1])
"""
    file = tmp_path / "run"
    done = subprocess.run(
        [sys.executable, "-c", code, file],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parent,
    )
    assert re.search("OSError: .*resume='.*run' can't be written: File too large", done.stderr)
    assert 0 < file.stat().st_size <= 4096
    X, y = numbers(rows=60)
    given = {"qs": [1, 2], "cv": 5, "n_repeats": 40}
    assert_same_path(q_path(X, y, **given, resume=file), q_path(X, y, **given))


def test_a_huge_file_of_something_else_is_not_read(tmp_path):
    file = tmp_path / "run"
    with file.open("wb") as sparse:
        sparse.truncate(1 << 40)
    with pytest.raises(ValueError, match="is not a file that q_path wrote"):
        q_path(*numbers(rows=30), **SMALL, resume=file)
    assert file.stat().st_size == 1 << 40


def test_an_interrupted_run_returns_what_is_done(interrupt_after, monkeypatch):
    monkeypatch.setattr(ramify._path_run, "CHUNK", 0.0)
    X, y = numbers()
    given = SMALL | {"nested": True, "inner_cv": 2}
    plain = q_path(X, y, **given)
    interrupt_after(3)
    with pytest.warns(UserWarning, match="3 of 4 folds are done"):
        path = q_path(X, y, **given)
    assert not path.complete_
    assert (path.n_folds_, path.n_folds_planned_) == (3, 4)
    np.testing.assert_array_equal(path.fold_accuracy_, plain.fold_accuracy_[:3])
    np.testing.assert_array_equal(path.nested_fold_q_, plain.nested_fold_q_[:3])
    np.testing.assert_array_equal(path.accuracy_, plain.fold_accuracy_[:3].mean(axis=0))
    assert "3 of 4 folds" in path.summary()
    assert "3 of 4 folds" in repr(path)
    assert plain.complete_
    interrupt_after(0)
    with pytest.raises(KeyboardInterrupt):
        q_path(X, y, **given)


def test_an_interrupted_run_goes_on_where_it_was(monkeypatch, tmp_path, scored):
    X, y = numbers()
    plain = q_path(X, y, **SMALL)
    scored.clear()
    with monkeypatch.context() as patched:
        score = ramify.tuning.Plan.score

        def stop_at(plan, start, stop):
            if start >= 3:
                raise KeyboardInterrupt
            return score(plan, start, stop)

        patched.setattr(ramify.tuning.Plan, "score", stop_at)
        with pytest.warns(UserWarning, match=r"3 of 4 folds are done.*the same call goes on there"):
            q_path(X, y, **SMALL, resume=tmp_path / "run")
    assert scored == [0, 1, 2]
    path = q_path(X, y, **SMALL, resume=tmp_path / "run")
    assert scored == [0, 1, 2, 3]
    assert path.complete_
    assert_same_path(path, plain)


class Terminal:
    """A stderr that says it is a terminal."""

    def __init__(self):
        self.text = ""

    def isatty(self):
        return True

    def write(self, text):
        self.text += text
        return len(text)

    def flush(self):
        pass


@pytest.mark.parametrize(
    ("wanted", "terminal", "seconds", "shown"),
    [
        (None, True, 0.5, True),
        (None, True, 0.001, False),
        (None, False, 0.5, False),
        (False, True, 0.5, False),
        (True, True, 0.001, True),
    ],
)
def test_a_bar_is_shown_on_terminals_for_long_runs(wanted, terminal, seconds, shown, monkeypatch):
    stderr = Terminal()
    stderr.isatty = lambda: terminal
    monkeypatch.setattr("sys.stderr", stderr)
    monkeypatch.setenv("TERM", "xterm")
    clock = iter(np.arange(0, 100, seconds))
    monkeypatch.setattr("ramify._progress.perf_counter", lambda: next(clock))
    with ProgressBar(wanted, "5 q", 10) as bar:
        for done in range(11):
            bar.show(done)
    assert ("folds" in stderr.text) == shown


def test_a_run_that_is_sure_to_be_long_has_a_bar_before_its_first_folds(monkeypatch):
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    for left, shown in ((100.0, True), (0.1, False)):
        sys.stderr.text = ""
        with ProgressBar(None, "5 q", 10) as bar:
            bar.show(0, left)
        assert ("folds" in sys.stderr.text) == shown


@pytest.mark.parametrize(
    ("parameters", "named"),
    [
        ({"random_state": None}, "random_state is None"),
        ({"cv": ShuffleSplit(2)}, "random_state of cv is None"),
        ({"cv": KFold(2, shuffle=True)}, "random_state of cv is None"),
        ({"nested": True, "inner_cv": ShuffleSplit(2)}, "random_state of inner_cv is None"),
        ({"cv": KFold(2)}, None),
        ({"cv": ShuffleSplit(2, random_state=1)}, None),
    ],
)
def test_a_run_that_could_not_go_on_is_refused_before_the_work(tmp_path, parameters, named):
    X, y = numbers(rows=30)
    file = tmp_path / "run"
    if named is None:
        assert q_path(X, y, **(SMALL | parameters), resume=file).complete_
    else:
        with pytest.raises(ValueError, match=f"{named}, which draws other folds"):
            q_path(X, y, **(SMALL | parameters), resume=file)
        assert not file.exists()
        assert q_path(X, y, **(SMALL | parameters)).complete_


def test_the_time_left_is_known_after_the_first_step_however_long_it_takes(monkeypatch):
    now = [0.0]
    for name in ("perf_counter", "monotonic"):
        monkeypatch.setattr(f"ramify._progress.{name}", lambda: now[0])
    with ProgressBar(False, "5 q", 10) as bar:
        assert bar.time_left() == "--:--"
        bar.show(2)  # of an earlier run
        assert bar.time_left() == "--:--"
        now[0] = 600.0
        bar.show(4)
        assert bar.time_left() == "30:00"
        now[0] = 660.0
        assert bar.time_left() == "29:00"
        now[0] = 6000.0
        assert bar.time_left() == "00:00"
        bar.show(5)
        assert bar.time_left() == "2:46:40"


def test_a_bar_without_rich(monkeypatch):
    X, y = numbers(rows=30)
    for name in ("rich", "rich.console", "rich.progress"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r'progress=True needs rich: pip install "ramify\[cli\]"'):
        q_path(X, y, **SMALL, progress=True)
    monkeypatch.setattr("sys.stderr", Terminal())
    monkeypatch.setattr("ramify._progress.LONG", 0.0)
    assert q_path(X, y, **SMALL).n_folds_ == 4
    with pytest.raises(ValueError, match="progress='yes' is not accepted"):
        q_path(X, y, **SMALL, progress="yes")


def test_a_bar_is_on_stderr(capfd):
    X, y = numbers(rows=30)
    q_path(X, y, **SMALL, progress=True)
    out, error = capfd.readouterr()
    assert out == ""
    assert "4/4 folds" in error
    q_path(X, y, **SMALL)
    assert capfd.readouterr().err == ""


PROGRAM = """
import os, signal, sys, threading, time, warnings
import numpy as np
from ramify import q_path

warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
X, y = rng.random((3000, 10)), rng.integers(0, 3, 3000)

def interrupt():
    while not os.path.exists(sys.argv[1]) or open(sys.argv[1], "rb").read().count(b"\\n") < 2:
        time.sleep(0.05)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=interrupt, daemon=True).start()
path = q_path(X, y, n_repeats=50, resume=sys.argv[1])
print(path.complete_, path.n_folds_)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to one process")
def test_ctrl_c(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(tmp_path / "run")],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    complete, folds = done.stdout.split()
    assert complete == "False"
    lines = (tmp_path / "run").read_bytes().splitlines()
    kept = sum(len(json.loads(line.partition(b" ")[2])["chosen"]) for line in lines[1:])
    assert kept >= int(folds) >= 1


def test_trees_are_not_in_the_file_but_are_there(tmp_path):
    X, y = numbers(rows=60)
    for _ in range(2):
        path = q_path(X, y, **SMALL, resume=tmp_path / "run")
        single = TreeClassifier(q=2, max_depth=2).fit(X, y)
        np.testing.assert_array_equal(path.model(2).tree_.threshold, single.tree_.threshold)
