"""``ramify explain``."""

from __future__ import annotations

from typing import Annotated

import polars as pl
import typer
from rich.text import Text

from ramify import explain as explain_cases
from ramify.cli import options
from ramify.cli.console import BAD_USAGE, console, fail, one_line_errors
from ramify.cli.facts import print_in_words
from ramify.cli.models import read_model
from ramify.cli.option_groups import with_groups
from ramify.cli.waiting import waiting
from ramify.export.text import printable
from ramify.tables import DataError
from ramify.tables.errors import first_line
from ramify.tables.new_rows import check_columns, conform
from ramify.tables.scans import scan
from ramify.tables.sources import find_source
from ramify.tables.values import clean

EXAMPLES = (
    ("ramify explain model.json new.csv", "the first row of the file"),
    ("ramify explain model.json new.csv --row 17 --row 18", "two others; the first row is 1"),
)


@with_groups
def explain(
    *,
    model: options.Model,
    data: options.Data,
    row: Annotated[
        list[int] | None,
        typer.Option(
            help="The number of a row; may be given more than once. Default: 1.", show_default=False
        ),
    ] = None,
    files: options.FileOptions,
) -> None:
    """Say for a row how the model comes to its answer, and what would have to change for another."""
    rows = row or [1]
    with one_line_errors(TypeError, ValueError):
        reading = files.reading()
    if min(rows) < 1:
        raise fail(f"--row {min(rows)} is not accepted; the first row is 1.", BAD_USAGE)
    with one_line_errors():
        tree = read_model(model)
        with waiting(f"reading {data}"), scan(find_source(data), reading) as found:
            check_columns(tree.schema_, found.columns, found.name)
            try:
                given = found.frame.with_row_index("row number of the file", 1)
                some = given.filter(pl.col("row number of the file").is_in(rows)).collect()
            except pl.exceptions.PolarsError as error:
                raise DataError(f"{found.name} can't be read: {first_line(error)}.") from None
            numbers = some["row number of the file"].to_list()
            absent = [number for number in rows if number not in numbers]
            if absent:
                raise DataError(f"--row {absent[0]}: {found.name} has {found.count():,} rows.")
            cleaned = clean(some, reading.all_nulls)
            explanations = [  # one by one, so that an error names the right row
                explain_cases(
                    tree,
                    conform(cleaned[place : place + 1], tree.schema_, found.decimal, number),
                    cases="training rows",
                )[0]
                for place, number in enumerate(numbers)
            ]
    for place, number in enumerate(numbers):
        if place:
            console.print()
        console.print(Text(f"Row {number} of {printable(found.name)}", style="bold"), soft_wrap=True)
        for sentence in explanations[place].sentences:
            print_in_words(printable(sentence), console)
