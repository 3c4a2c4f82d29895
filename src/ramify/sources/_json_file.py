"""The JSON files that fits from sources write: whole or not there, and with a checksum."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ramify._whole_file import write_whole


@dataclass(frozen=True)
class JsonFile:
    """A kind of file.

    Parameters
    ----------
    option : str
        The parameter that names it, and the word for it in messages.
    format, version : str and int
        What the file says of itself.
    error : type
        What is raised if one can't be used.
    """

    option: str
    format: str
    version: int
    error: type[ValueError]

    def write(self, path: Path, content: dict[str, Any]) -> None:
        """Write a file in the place of an old one.

        Raises
        ------
        OSError
            If it can't be written; the old one is still there then.
        """
        from ramify import __version__
        from ramify.model_file.writing import checksum

        document = {"format": self.format, "version": self.version, "ramify": __version__} | content
        document["checksum"] = checksum(document)
        try:
            write_whole(path, json.dumps(document, ensure_ascii=False, allow_nan=False).encode())
        except OSError as error:
            text = f"the {self.option} {os.fspath(path)!r} can't be written ({error.strerror})"
            raise OSError(error.errno, text) from error

    def read(self, path: Path) -> dict[str, Any] | None:
        """Read a file; None if there is none, or nothing in it.

        Raises
        ------
        ValueError
            If it is damaged, or of another kind. It is left as it is.
        """
        from ramify.model_file.writing import checksum

        if not path.exists() or path.stat().st_size == 0:
            return None
        try:
            document = json.loads(path.read_bytes())
            whole = document["checksum"] == checksum(document)
        except (ValueError, TypeError, KeyError, RecursionError):
            whole = False
        if not whole:
            raise self.error(
                f"{self.option}={os.fspath(path)!r} is damaged, or no {self.option}; it was left as it was."
            )
        if document.get("format") != self.format or document.get("version") != self.version:
            raise self.error(
                f"{self.option}={os.fspath(path)!r} is no {self.option} that this version reads."
            )
        return dict(document)
