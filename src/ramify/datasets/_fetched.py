"""The sets that may not be shipped: from a folder of the user, from the cache, or from the network."""

from __future__ import annotations

import csv
import hashlib
import io
import os
from pathlib import Path
from typing import Any

from ramify._folders import cache_folder
from ramify._whole_file import write_whole

from ._download import download_file
from ._missing import MissingDataset
from ._origin import rows_of


def content(name: str, record: dict[str, Any], download: bool) -> bytes:
    """Return the text of a set's file, which has the checksum of its record.

    Sought in the folder RAMIFY_DATA, then in the cache, then, if `download`, at its address.
    """
    given = os.environ.get("RAMIFY_DATA")
    cached = cache_folder() / "datasets" / f"{name}.csv"
    places = [Path(given) / f"{name}.csv", cached] if given else [cached]
    for path in places:
        if path.is_file():
            text = path.read_bytes().replace(b"\r\n", b"\n")
            _check(text, record, f"the data set {name!r} in {path}")
            return text
    if not download:
        raise MissingDataset(name, _how_to_get(name, record, given, cached))
    text = _canonical(rows_of(download_file(record["address"]), record), record)
    _check(text, record, f"the data set {name!r} from {record['address']}")
    cached.parent.mkdir(parents=True, exist_ok=True)
    write_whole(cached, text)
    return text


def _check(text: bytes, record: dict[str, Any], what: str) -> None:
    found = hashlib.sha256(text).hexdigest()
    if found != record["sha256"]:
        raise ValueError(
            f"{what} is not the one that is meant: the SHA-256 of its rows is {found}, "
            f"and {record['sha256']} is wanted."
        )


def _canonical(rows: list[list[str]], record: dict[str, Any]) -> bytes:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([[*record["columns"], record["target"]], *rows])
    return file.getvalue().encode()


def _how_to_get(name: str, record: dict[str, Any], given: str | None, cached: Path) -> str:
    folder = f"the folder RAMIFY_DATA={given}" if given else "a folder named by RAMIFY_DATA (not set)"
    return (
        f"the data set {name!r} may not be shipped with ramify and is not here: there is no {name}.csv in "
        f"{folder}, and no {cached}. Get it with ramify.datasets.load({name!r}, download=True) or "
        f"`ramify datasets --download {name}`; it comes from {record['address']}."
    )
