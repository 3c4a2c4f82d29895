"""Where the document of a command goes: the screen or a file, in one of several formats."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from ramify._whole_file import write_whole
from ramify.cli.console import BAD_USAGE, errors, fail
from ramify.experiments.render import FORMATS, Rendered

#: The format of a file whose name tells it.
_SUFFIXES = {".html": "html", ".htm": "html", ".json": "json", ".md": "markdown", ".txt": "text"}


def check_output(format: str | None, output: Path | None) -> str:
    """Return the format that is wanted, by its name or by the end of the file's."""
    form = format or _SUFFIXES.get(output.suffix.lower() if output else "", "text")
    if form not in FORMATS:
        raise fail(f"--format {form} is not known; the formats are {', '.join(FORMATS)}.", BAD_USAGE)
    if form == "markdown" and output is None:
        raise fail("--format markdown needs --output: its pictures are files beside it.", BAD_USAGE)
    if output is not None:  # before a run that may take an hour
        folder = output.resolve().parent
        if not folder.is_dir():
            raise fail(f"--output {output}: there is no folder {folder}.")
        if output.is_dir():
            raise fail(f"--output {output} is a folder; give the name of a file in it.")
        if not os.access(folder, os.W_OK):
            raise fail(f"--output {output}: nothing may be written in {folder}.")
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
