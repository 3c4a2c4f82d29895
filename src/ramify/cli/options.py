"""Options that several commands have, each said once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ramify.tables import Reading
from ramify.tables.kinds import Wishes

_TREE, _COLUMNS, _FILES = "The tree", "The columns", "Reading files"

DATA = (
    "A file (CSV, TSV, Parquet, Arrow, JSON lines, also .gz and .zst), - for standard input, or the name of "
    "a data set (`ramify datasets`)."
)

Data = Annotated[str, typer.Argument(help=DATA, metavar="DATA", show_default=False)]
ManyData = Annotated[
    list[str],
    typer.Argument(
        help="One or more of: a file (CSV, TSV, Parquet, Arrow, JSON lines, also .gz and .zst), a folder or "
        "a pattern of files, which are read in the order of their names, - for standard input, or the name "
        "of a data set.",
        metavar="DATA...",
        show_default=False,
    ),
]
Model = Annotated[
    Path, typer.Argument(help="A model that `ramify fit --save` wrote.", metavar="MODEL", show_default=False)
]
Target = Annotated[
    str | None,
    typer.Option(help="The column to predict; guessed and told if you do not say it.", show_default=False),
]

Criterion = Annotated[
    str | None,
    typer.Option(
        help="How questions are compared, see `ramify criteria`. Default: gain.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
Branching = Annotated[
    str | None,
    typer.Option(
        help="binary, or multiway: one branch a category. Default: binary.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
Prune = Annotated[
    str | None,
    typer.Option(
        help="Cut the tree back: none, pessimistic, cost_complexity, reduced_error or merge. Default: none.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
Confidence = Annotated[
    float | None,
    typer.Option(
        help="Of pessimistic pruning; smaller prunes more. Default: 0.25.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
CcpAlpha = Annotated[
    str | None,
    typer.Option(
        help="Of cost_complexity pruning: a number, or cv to choose it. Default: cv.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
MaxDepth = Annotated[
    int | None,
    typer.Option(help="The most questions on a path.", rich_help_panel=_TREE, show_default=False),
]
MaxLeaves = Annotated[
    int | None,
    typer.Option(
        "--max-leaf-nodes", help="The most leaves of the tree.", rich_help_panel=_TREE, show_default=False
    ),
]
MinSamplesLeaf = Annotated[
    float | None,
    typer.Option(
        help="The fewest rows of a branch; below 1 a share of all. Default: 1.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
MinSamplesSplit = Annotated[
    float | None,
    typer.Option(
        help="The fewest rows of a node that is split. Default: 2.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
Missing = Annotated[
    str | None,
    typer.Option(
        help="Rows with missing values: fractional (down every branch in parts), best_branch, own_branch or "
        "error. Default: fractional.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
Balanced = Annotated[
    bool, typer.Option("--balanced", help="Let all classes weigh the same.", rich_help_panel=_TREE)
]
Preset = Annotated[
    str | None,
    typer.Option(
        help="Begin with the settings of id3, c45 or cart; other options change them.",
        rich_help_panel=_TREE,
        show_default=False,
    ),
]
Seed = Annotated[int, typer.Option(help="Deals the folds, and whatever else is drawn.")]
Jobs = Annotated[int, typer.Option(help="Threads; -1 for all cores. The result does not depend on it.")]

Nominal = Annotated[
    list[str] | None,
    typer.Option(
        help="Columns that hold categories, though they look like numbers.",
        metavar="COLUMN,...",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
Numeric = Annotated[
    list[str] | None,
    typer.Option(
        help="Columns that hold numbers or dates, though they were taken for something else.",
        metavar="COLUMN,...",
        rich_help_panel=_COLUMNS,
        show_default=False,
    ),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(
        help="Columns to leave out.", metavar="COLUMN,...", rich_help_panel=_COLUMNS, show_default=False
    ),
]

Separator = Annotated[
    str | None,
    typer.Option(
        help="What stands between fields: one character, or tab. Found out by default.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
Decimal = Annotated[
    str | None,
    typer.Option(
        help="The decimal mark, . or , Found out by default.", rich_help_panel=_FILES, show_default=False
    ),
]
Encoding = Annotated[
    str | None,
    typer.Option(
        help="Of the text, such as latin-1. Found out by default.",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]
NoHeader = Annotated[
    bool,
    typer.Option(
        "--no-header",
        help="The first line holds data; the columns are called column_1, ...",
        rich_help_panel=_FILES,
    ),
]
Null = Annotated[
    list[str] | None,
    typer.Option(
        help="Also stands for a missing value, as '?', NA, N/A, NaN, NULL and nothing do.",
        metavar="TEXT",
        rich_help_panel=_FILES,
        show_default=False,
    ),
]


def make_reading(
    separator: str | None,
    decimal: str | None,
    encoding: str | None,
    no_header: bool,
    null: list[str] | None,
) -> Reading:
    """Return what a user says about a text file.

    Raises
    ------
    ValueError
        If a value is not accepted.
    """
    return Reading(separator, decimal, encoding, not no_header, tuple(null or ()))


def make_wishes(nominal: list[str] | None, numeric: list[str] | None, ignore: list[str] | None) -> Wishes:
    """Return what a user says about columns."""
    return Wishes(tuple(nominal or ()), tuple(numeric or ()), tuple(ignore or ()))
