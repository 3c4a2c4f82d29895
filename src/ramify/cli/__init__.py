"""The command line: one command a file, each with a function that bears the command's name."""

from __future__ import annotations

from typing import Annotated

import typer

from ramify import __version__
from ramify.cli import criteria, datasets, fit, reproduce
from ramify.cli.console import console

__all__ = ["app"]

app = typer.Typer(
    name="ramify",
    help="Classification trees under every splitting criterion.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for command in (fit.fit, criteria.criteria, datasets.datasets, reproduce.reproduce):
    app.command()(command)


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"ramify {__version__}", highlight=False)
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Classification trees under every splitting criterion."""
