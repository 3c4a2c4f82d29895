"""Where the document of a command goes: the screen or a file, in one of several formats."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from ramify._whole_file import is_special, write_whole
from ramify.cli.console import BAD_USAGE, errors, fail
from ramify.experiments.render import FORMATS, Rendered
from ramify.tables import DataError
from ramify.tables.errors import why_not

#: The format of a file whose name tells it.
_SUFFIXES = {".html": "html", ".htm": "html", ".json": "json", ".md": "markdown", ".txt": "text"}


def check_folder(path: Path | None, option: str) -> None:
    """End the command if a file could not be written where it is to be, before the work is done."""
    if path is not None and path.is_dir():
        raise fail(f"{option} {path} is a folder; give the name of a file in it.", BAD_USAGE)
    if path is not None and not path.resolve().parent.is_dir():
        raise fail(f"{option} {path}: there is no folder {path.resolve().parent}.")
    if path is not None and not os.access(path.resolve().parent, os.W_OK):
        raise fail(f"{option} {path}: nothing may be written in {path.resolve().parent}.")


def check_different(named: Mapping[str, str | Path | None]) -> None:
    """End the command if two of its files, by their options, are the same: one would be lost."""
    places: dict[Path, str] = {}
    for option, path in named.items():
        if path is None:
            continue
        place = Path(path).resolve()
        if place in places and not is_special(Path(path)):
            raise fail(
                f"{places[place]} and {option} are both {path}; give each a file of its own.", BAD_USAGE
            )
        places[place] = option


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Say which file can't be written, and why; the functions within leave an old one as it was.

    Raises
    ------
    DataError
        Instead of an OSError.
    """
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} can't be written: {why_not(error)}; nothing was changed.") from None


def check_output(format: str | None, output: Path | None) -> str:
    """Return the format that is wanted, by its name or by the end of the file's."""
    form = format or _SUFFIXES.get(output.suffix.lower() if output else "", "text")
    if form not in FORMATS:
        raise fail(f"--format {form} is not known; the formats are {', '.join(FORMATS)}.", BAD_USAGE)
    if form == "markdown" and output is None:
        raise fail("--format markdown needs --output: its pictures are files beside it.", BAD_USAGE)
    check_folder(output, "--output")
    return form


def write_document(made: Rendered, output: Path | None) -> None:
    """Write a document and the files beside it, or print it if there is no file to write to."""
    if output is None:
        sys.stdout.write(made.text)
        return
    for name, content in made.files.items():
        path = output.parent / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, content)
    write_whole(output, made.text.encode())
    errors.print(f"wrote {output}", highlight=False, soft_wrap=True)
