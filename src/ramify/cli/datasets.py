"""``ramify datasets``."""

from __future__ import annotations

import re
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from ramify.cli.console import console, fail
from ramify.datasets import DownloadError, MissingDataset, list_datasets, load
from ramify.datasets._registry import find

EXAMPLES = (
    ("ramify datasets", "what there is"),
    ("ramify datasets --download splice --download audiology", "get two that can't be shipped"),
)


def datasets(
    download: Annotated[
        list[str] | None,
        typer.Option(help="Download a data set that may not be shipped; may be given more than once."),
    ] = None,
) -> None:
    """List the data sets, or download those that can't come with the package."""
    if download:
        for name in download:
            try:
                data = load(name, backend="polars", download=True)
            except (DownloadError, OSError, ValueError) as error:
                raise fail(str(error)) from None
            console.print(f"{data.name}: {data.X.height:,} rows are here", highlight=False)
        return
    table = Table(title="Data sets", title_justify="left")
    for heading in ("name", "rows", "columns", "classes", "comes", "what it is"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "name")
    missing = False
    for name in list_datasets():
        entry = find(name)
        try:
            data = load(name, backend="polars")
            sizes = f"{data.X.height:,}", str(data.X.width), str(len(data.classes))
            comes: str = entry.comes
        except (MissingDataset, ValueError):
            sizes, comes, missing = ("-", "-", "-"), "not here", True
        table.add_row(name, *sizes, comes, Text(re.split(r"[;.] |;|\.$", entry.description)[0]))
    console.print(table)
    if missing:
        console.print(
            "Those that are not here can't be shipped; get one with `ramify datasets --download NAME`."
        )
