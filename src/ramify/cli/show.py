"""``ramify show``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from ramify import (
    TreeClassifier,
    export_dict,
    export_dot,
    export_mermaid,
    export_sql,
    export_text,
    rules,
    view,
)
from ramify._whole_file import write_whole
from ramify.cli import options
from ramify.cli.console import BAD_USAGE, console, errors, fail, one_line_errors
from ramify.cli.models import read_model
from ramify.cli.output import check_different, check_folder, writing
from ramify.cli.tree_view import print_tree
from ramify.export.text import printable

EXAMPLES = (
    ("ramify show model.json", "the tree, with bars of the classes"),
    ("ramify show model.json --format rules", "if ... then ..., one rule a line"),
    ("ramify show model.json -o tree.html", "a page to explore the tree in"),
    ("ramify show model.json --format sql --dialect postgres", "a query that predicts in a database"),
)


#: What a tree can be written as; each is a function of the model, the levels to show, and SQL's dialect.
FORMATS: dict[str, Callable[[TreeClassifier, int | None, str], str]] = {
    "text": lambda model, depth, _: export_text(model, max_depth=depth),
    "rules": lambda model, depth, _: "\n".join(printable(rule.text) for rule in rules(model)),
    "dot": lambda model, depth, _: export_dot(model, max_depth=depth),
    "mermaid": lambda model, depth, _: export_mermaid(model, max_depth=depth),
    "sql": lambda model, depth, dialect: export_sql(model, dialect=dialect),
    "json": lambda model, depth, _: json.dumps(
        export_dict(model, max_depth=depth), ensure_ascii=False, indent=1
    ),
    "html": lambda model, depth, _: view(model).html,
}

#: The format of a file whose name tells it.
_SUFFIXES = {
    **{".txt": "text", ".dot": "dot", ".gv": "dot", ".mmd": "mermaid", ".sql": "sql", ".json": "json"},
    **{".html": "html", ".htm": "html"},
}

#: Those that show the whole tree or nothing.
_WHOLE = ("rules", "sql", "html")


def show(
    model: options.Model,
    format: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(FORMATS)}. Default: as the name of the output ends, else a tree with bars.",
            show_default=False,
        ),
    ] = None,
    depth: Annotated[int, typer.Option(help="Levels to show; 0 for all.", min=0)] = 0,
    dialect: Annotated[
        str, typer.Option(help="Of SQL: standard, duckdb, postgres, bigquery, snowflake or spark.")
    ] = "standard",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write to this file instead of the screen.", show_default=False),
    ] = None,
) -> None:
    """Show a saved model: on the screen, as rules, or in a format for other programs."""
    if format is None and output is not None:
        format = _SUFFIXES.get(output.suffix.lower(), "text")
    if format is not None and format not in FORMATS:
        raise fail(f"--format {format} is not known; the formats are {', '.join(FORMATS)}.", BAD_USAGE)
    if format in _WHOLE and depth:
        raise fail(f"--depth {depth} is not for the format {format}, which has the whole tree.", BAD_USAGE)
    check_folder(output, "--output")
    check_different({"MODEL": model, "--output": output})
    if format == "sql":
        with one_line_errors(ValueError):
            from ramify.export.sql.dialects import find_sql_dialect

            find_sql_dialect(dialect)
    with one_line_errors():
        tree = read_model(model)
        if format is None:
            print_tree(tree, console, depth or None)
            return
        text = FORMATS[format](tree, depth or None, dialect)
        if output is not None:
            with writing(output):
                write_whole(output, (text.rstrip("\n") + "\n").encode())
            errors.print(f"wrote {output}", soft_wrap=True)
            return
    sys.stdout.write(text.rstrip("\n") + "\n")
