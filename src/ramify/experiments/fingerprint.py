"""Fingerprints: digests of what a result depends on."""

from __future__ import annotations

import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import ramify

if TYPE_CHECKING:
    from ramify.datasets import Dataset

#: What makes no number of a report: files of the package that may change without harm to a journal.
_HARMLESS = ("cli", "render", "plotting.py", "__main__.py")


@cache
def of_code() -> str:
    """Return a digest of the package's own code, the core and the published values, as installed."""
    folder = Path(ramify.__file__).parent
    digest = hashlib.sha256(ramify.__version__.encode())
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("published/*.json")]):
        name = path.relative_to(folder).as_posix()
        if not any(part in _HARMLESS for part in name.split("/")):
            digest.update(name.encode() + b"\0" + path.read_bytes())
    digest.update(Path(ramify._core.__file__).read_bytes())
    return digest.hexdigest()[:24]


def of_data(data: Dataset) -> str:
    """Return a digest of a data set's rows, kinds, categories and classes, whatever library holds it.

    Examples
    --------
    >>> from ramify.datasets import load
    >>> from ramify.experiments.fingerprint import of_data
    >>> of_data(load("titanic", backend="polars")) == of_data(load("titanic", backend="pandas"))
    True
    >>> of_data(load("titanic")) == of_data(load("buys_computer"))
    False
    """
    import narwhals.stable.v2 as nw

    digest = hashlib.sha256()
    frame = nw.from_native(data.X, eager_only=True)
    for name in frame.columns:
        declared = data.categories.get(name)
        cells = frame[name].to_list()
        # NaN and None are one: libraries differ in how they hold a missing value.
        cells = [None if cell is None or cell != cell else cell for cell in cells]
        digest.update(repr((name, declared, cells)).encode())
    digest.update(repr((data.target, data.classes, data.y.tolist())).encode())
    return digest.hexdigest()[:24]


def versions() -> dict[str, str]:
    """Return the versions of what makes the numbers."""
    names = ("ramify", "numpy", "scikit-learn", "scipy")
    return {"python": platform.python_version()} | {name: version(name) for name in names}
