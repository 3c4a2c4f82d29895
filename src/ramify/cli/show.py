"""``ramify show``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ramify import TreeClassifier, export_text, load_model, rules
from ramify._whole_file import write_whole
from ramify.cli import options
from ramify.cli.console import BAD_USAGE, console, errors, fail, one_line_errors
from ramify.cli.fit import check_folder
from ramify.cli.safe_text import printable
from ramify.cli.tree_view import print_tree

EXAMPLES = (
    ("ramify show model.json", "the tree, with bars of the classes"),
    ("ramify show model.json --format rules", "if ... then ..., one rule a line"),
)


def _text(model: TreeClassifier, max_depth: int | None) -> str:
    return export_text(model, max_depth=max_depth)


def _rules(model: TreeClassifier, max_depth: int | None) -> str:
    return "\n".join(printable(rule.text) for rule in rules(model))


#: What a tree can be written as; each is a function of the model and the levels to show.
FORMATS: dict[str, Callable[[TreeClassifier, int | None], str]] = {
    "text": _text,
    "rules": _rules,
}


def show(
    model: options.Model,
    format: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(FORMATS)}. Default: the tree with bars of the classes.", show_default=False
        ),
    ] = None,
    depth: Annotated[int, typer.Option(help="Levels to show; 0 for all.")] = 0,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to this file instead of the screen.", show_default=False),
    ] = None,
) -> None:
    """Show a saved model: on the screen, as rules, or in a format for other programs."""
    if format is not None and format not in FORMATS:
        raise fail(f"--format {format} is not known; the formats are {', '.join(FORMATS)}.", BAD_USAGE)
    check_folder(output, "--output")
    with one_line_errors():
        tree = load_model(model)
        if format is None and output is None:
            print_tree(tree, console, depth or None)
            return
        text = FORMATS[format or "text"](tree, depth or None)
        if output is not None:
            write_whole(output, (text.rstrip("\n") + "\n").encode())
            errors.print(f"wrote {output}", soft_wrap=True)
            return
    sys.stdout.write(text.rstrip("\n") + "\n")
