"""Ctrl-C stops a long fit soon."""

import signal
import subprocess
import sys
import time

import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to one process"),
]

PROGRAM = """
import numpy as np
from ramify import TreeClassifier

rng = np.random.default_rng(0)
X = rng.random(({rows}, {columns}))
y = rng.integers(0, {classes}, {rows})
weights = rng.random({rows}) if {weighted} else None
model = TreeClassifier({parameters})
print("ready", flush=True)
model.fit(X, y, weights)
print("finished", flush=True)
"""


def seconds_to_stop(delay, rows, columns, classes=5, weighted=False, parameters=""):
    """Start a fit, interrupt it after a while, and return how long it went on."""
    code = PROGRAM.format(
        rows=rows, columns=columns, classes=classes, weighted=weighted, parameters=parameters
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(delay)
        start = time.perf_counter()
        child.send_signal(signal.SIGINT)
        try:
            out, errors = child.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            child.kill()
            pytest.fail("the fit was not stopped within 20 seconds")
    stopped = time.perf_counter() - start
    assert "finished" not in out, "the fit was over before it could be interrupted"
    assert child.returncode == -signal.SIGINT, errors
    assert errors.rstrip().endswith("KeyboardInterrupt")
    return stopped


# One second is the promise; the rest is for leaving Python and for busy machines.


@pytest.mark.parametrize("n_jobs", [1, 2])
@pytest.mark.parametrize("delay", [0.3, 3])
@pytest.mark.parametrize("limit", ["", ", max_leaf_nodes=100_000"], ids=["depth first", "best first"])
def test_a_large_fit(n_jobs, delay, limit):
    assert seconds_to_stop(delay, 2_000_000, 30, parameters=f"n_jobs={n_jobs}{limit}") < 3


@pytest.mark.parametrize("criterion", ["mpi", "hellinger", "distance"])
def test_a_large_fit_with_real_weights(criterion):
    assert seconds_to_stop(2, 1_000_000, 20, weighted=True, parameters=f"{criterion!r}") < 3


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_long_search_of_a_single_column(n_jobs):
    # Pairs of classes at every cut: a minute for one column of one node.
    parameters = f"'hellinger', n_jobs={n_jobs}"
    assert seconds_to_stop(1, 50_000, 2, classes=400, parameters=parameters) < 3


def test_a_single_long_column():
    assert seconds_to_stop(2, 20_000_000, 1) < 3


def test_a_long_search_of_categories():
    assert seconds_to_stop(1, 200_000, 1, parameters="'distance', categorical_features=[0]") < 3
