"""The folder of the source CSV files, for tests that compare with them."""

import os
from pathlib import Path

import pytest

#: As it was when the tests began: some of them take the variable away.
_GIVEN = os.environ.get("RAMIFY_DATA")


def data_folder() -> Path:
    """Return the folder that RAMIFY_DATA names, or the one beside the repository; else skip."""
    if _GIVEN:
        # Asked for by name, so its absence is a mistake and not a reason to skip.
        assert Path(_GIVEN).is_dir(), f"RAMIFY_DATA={_GIVEN!r} is not a folder"
        return Path(_GIVEN)
    beside = Path(__file__).resolve().parents[2] / "shared" / "data"
    if not beside.is_dir():
        pytest.skip("no folder of CSV files: set RAMIFY_DATA to compare with the sources")
    return beside
