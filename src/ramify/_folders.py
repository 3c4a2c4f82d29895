"""The folder in which things are kept that can be had again."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """Return the folder that RAMIFY_CACHE names, or the one that the system has for such things.

    It need not exist.
    """
    given = os.environ.get("RAMIFY_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "ramify" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "ramify"
    given = os.environ.get("XDG_CACHE_HOME")
    return (Path(given) if given else Path.home() / ".cache") / "ramify"
