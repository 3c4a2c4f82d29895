"""The command line: one command a file, each with a function that bears the command's name."""

from __future__ import annotations

from typing import Annotated

import typer

from ramify import __version__
from ramify.cli import compare, criteria, datasets, explain, fit, predict, qpath, reproduce, show
from ramify.cli.console import Commands, console
from ramify.cli.examples import epilog

__all__ = ["app"]

app = typer.Typer(
    name="ramify",
    cls=Commands,
    help="Classification trees under every splitting criterion.",
    epilog=epilog(
        (
            ("ramify fit titanic", "grow a tree, and look at it"),
            ("ramify fit people.csv --target churn --save model.json", "on a file of yours"),
            ("ramify predict model.json new.csv -o answers.csv", "answer for new rows"),
        )
    ),
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
)
for module in (fit, show, explain, predict, qpath, compare, reproduce, criteria, datasets):
    name = module.__name__.rpartition(".")[2]
    app.command(name, epilog=epilog(module.EXAMPLES))(getattr(module, name))


def _show_version(wanted: bool) -> None:
    if wanted:
        console.print(f"ramify {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Classification trees under every splitting criterion."""
