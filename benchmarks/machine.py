"""Where a run happened: machine, Python and the versions of everything compared."""

from __future__ import annotations

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from .contenders import FAMILIES
from .weka import J48

NOT_INSTALLED = "not installed"


def describe() -> dict[str, Any]:
    """Return the facts that a reader of the numbers needs."""
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "cores_usable": usable_cores(),
        "memory_bytes": memory_bytes(),
        "load_before": list(os.getloadavg()) if hasattr(os, "getloadavg") else None,
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "revision": revision(),
        "versions": versions(),
    }


def versions() -> dict[str, str]:
    """Version of every contender's package, and of NumPy."""
    import numpy as np

    found = {kind.package: kind().version() or NOT_INSTALLED for kind in (*FAMILIES, J48)}
    return found | {"numpy": np.__version__}


def cpu_model() -> str:
    """Name of the processor."""
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.processor() or platform.machine()


def usable_cores() -> int | None:
    """Cores that this process may run on."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count()


def memory_bytes() -> int | None:
    """Physical memory."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def revision() -> str | None:
    """Return the checkout's commit, with a mark if it was changed since; None outside git."""
    here = Path(__file__).resolve().parent
    command = ["git", "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        done = subprocess.run(command, cwd=here, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()
