"""Fingerprints: digests of what a result depends on."""

from __future__ import annotations

import ast
import hashlib
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import ramify

if TYPE_CHECKING:
    from ramify.datasets import Dataset

#: What makes no number, though modules that do import it: it may change without harm to a journal. Data sets
#: have fingerprints of their own, see `of_data`.
_HARMLESS = (
    "ramify.__main__",
    "ramify.cli",
    "ramify.datasets",
    "ramify.experiments.render",
    "ramify.explaining",
    "ramify.plotting",
    "ramify.viewer",
)


@cache
def of_code(module: str) -> str:
    """Return a digest of a module of the package, of all that it imports from the package, and of the core.

    Other modules can't change its results: the words of a report may, and nothing need be done again.
    A module of somebody else has none.

    Examples
    --------
    >>> from ramify.experiments.fingerprint import of_code
    >>> of_code("ramify.measures") == of_code("ramify.experiments.comparing")
    False
    >>> of_code("json")
    ''
    """
    if _file_of(module) is None:
        return ""
    digest = hashlib.sha256(ramify.__version__.encode())
    for name, path in sorted(_reached(module).items()):
        digest.update(name.encode() + b"\0" + path.read_bytes())
    digest.update(Path(ramify._core.__file__).read_bytes())
    return digest.hexdigest()[:24]


def _reached(module: str) -> dict[str, Path]:
    """Return the files of a module and of all that it imports from the package, directly or not."""
    found: dict[str, Path] = {}
    waiting = [module]
    while waiting:
        name = waiting.pop()
        path = _file_of(name)
        if name in found or path is None or any(f"{name}.".startswith(f"{free}.") for free in _HARMLESS):
            continue
        found[name] = path
        waiting += _imported(name, path)
    return found


def _file_of(module: str) -> Path | None:
    """Return the file of a module of the package; None if it is another's, or not written in Python."""
    package, *parts = module.split(".")
    if package != ramify.__name__:
        return None
    place = Path(ramify.__file__).parent.joinpath(*parts)
    return next((path for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)


def _imported(module: str, path: Path) -> list[str]:
    """Return what a file imports, wherever in it; a name that is no module does no harm.

    Packages on the way to a module are not among them: they only pass its names on.
    """
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            inner = [f"{base}.{alias.name}" for alias in node.names]
            modules = [name for name in inner if _file_of(name) is not None]
            names += modules if len(modules) == len(inner) else [*modules, base]
    return names


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
