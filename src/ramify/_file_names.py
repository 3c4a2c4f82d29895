"""The files that a folder or a pattern stands for, in the order of their names."""

from __future__ import annotations

import glob
from collections.abc import Iterable
from pathlib import Path


def files_below(folder: Path, endings: Iterable[str]) -> list[Path]:
    """Return the files in a folder, and in those below it, whose names end in one of the endings."""
    wanted = tuple(endings)
    return sorted(file for file in folder.rglob("*") if file.name.lower().endswith(wanted) and file.is_file())


def files_like(pattern: str) -> list[Path]:
    """Return the files that a pattern such as ``data/2024-*.parquet`` stands for; ``**`` is any folders."""
    found = glob.glob(pattern, recursive=True)  # noqa: PTH207 - patterns may begin anywhere
    return sorted(file for file in map(Path, found) if file.is_file())
