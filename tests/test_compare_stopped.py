"""Comparisons that are stopped go on where they were."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer

from compared import SMALL, Fails, Recorder
from ramify.experiments import compare


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


@pytest.mark.slow
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
