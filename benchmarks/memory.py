"""Peak memory of a fit, measured in a process of its own.

The data is made elsewhere and read from a file, so that making it leaves no peak behind. What
counts is the highest resident size during the fit minus the resident size just before it, after
a small fit has paid for imports and thread pools.

On Linux the peak is the ``VmHWM`` of the process, reset before the fit: ``ru_maxrss`` starts at
the size of the process that launched this one. Elsewhere it is ``ru_maxrss``.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np

from .contenders import Contender, Limits, from_spec, to_spec
from .suites import Case
from .timing import WARM_ROWS, Measurement, Progress, Result, Sample
from .workloads import Data

_STATUS = Path("/proc/self/status")
_CHECKOUT = Path(__file__).resolve().parent.parent


def measure(case: Case, data: Data, progress: Progress) -> Result:
    """Fit every contender once, each in a new process."""
    measurements = [Measurement(contender) for contender in case.contenders]
    with tempfile.TemporaryDirectory() as folder:
        np.save(Path(folder) / "X.npy", data.X)
        np.save(Path(folder) / "y.npy", data.y)
        for measurement in measurements:
            contender = measurement.contender
            if not contender.installed():
                measurement.status = "not installed"
                continue
            progress(f"    {contender.name}, {contender.threads} thread(s)")
            _launch(measurement, case.limits, data.classes, folder)
    return Result(case, measurements, len(data.y))


def _launch(measurement: Measurement, limits: Limits, classes: int, folder: str) -> None:
    order = {
        "contender": to_spec(measurement.contender),
        "limits": asdict(limits),
        "classes": classes,
        "folder": folder,
    }
    command = [sys.executable, "-m", "benchmarks.memory", json.dumps(order)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=_CHECKOUT, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"exit status {done.returncode}"])[-1]
        measurement.status = f"failed: {last}"
        return
    answer = json.loads(done.stdout.strip().splitlines()[-1])
    measurement.samples.append(Sample(answer.pop("seconds")))
    measurement.nodes = answer.pop("nodes")
    measurement.memory = answer


def fit_and_weigh(
    contender: Contender, limits: Limits, classes: int, folder: Path
) -> dict[str, float | int | None]:
    """Fit once in this process and return bytes, seconds and nodes."""
    data = Data(np.load(folder / "X.npy"), np.load(folder / "y.npy"), classes)
    small = data.head(WARM_ROWS)
    contender.train(contender.prepare(small, limits), limits)
    _forget_peak()
    before = _resident()
    begin = time.perf_counter()
    model = contender.train(contender.prepare(data, limits), limits)
    seconds = time.perf_counter() - begin
    extra = max(0, _peak() - before)
    return {
        "seconds": seconds,
        "nodes": contender.nodes(model),
        "before_bytes": before,
        "extra_bytes": extra,
        "bytes_per_cell": extra / data.cells,
        "returned_bytes": contender.returned_bytes(model),
    }


def _forget_peak() -> None:
    """Let the peak start again at the present size, where the system can."""
    with contextlib.suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")


def _status(key: str) -> int | None:
    if not _STATUS.exists():
        return None
    for line in _STATUS.read_text().splitlines():
        if line.startswith(f"{key}:"):
            return int(line.split()[1]) * 1024
    return None


def _resident() -> int:
    """Resident bytes now; where that is not known, the peak so far."""
    now = _status("VmRSS")
    return _peak() if now is None else now


def _peak() -> int:
    """Highest resident bytes of this process."""
    peak = _status("VmHWM")
    if peak is not None:
        return peak
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def _child(text: str) -> None:
    order = json.loads(text)
    answer = fit_and_weigh(
        from_spec(order["contender"]),
        Limits(**order["limits"]),
        order["classes"],
        Path(order["folder"]),
    )
    sys.stdout.write(json.dumps(answer) + os.linesep)


if __name__ == "__main__":
    _child(sys.argv[1])
