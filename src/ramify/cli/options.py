"""Options that several commands have, each said once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from ramify.tables import Reading
from ramify.tables.kinds import Wishes

#: Options whose defaults are told in their words, by the panel of the help that they stand in.
_plain = partial(typer.Option, show_default=False)
_of_tree = partial(_plain, rich_help_panel="The tree")
_of_columns = partial(_plain, rich_help_panel="The columns", metavar="COLUMN,...")
_of_files = partial(_plain, rich_help_panel="Reading files")

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
Target = Annotated[str | None, _plain(help="The column to predict; guessed and told if you do not say it.")]
Q = Annotated[
    str | None,
    _of_tree(
        help="The order of the entropy: 1 is Shannon's, 2 the Gini index; auto: the best under "
        "cross-validation. Default: the criterion's own."
    ),
]
Preset = Annotated[
    str | None, _of_tree(help="Begin with the settings of id3, c45 or cart; other options change them.")
]
Seed = Annotated[int, typer.Option(min=0, max=2**32 - 1, help="Deals the folds, and whatever else is drawn.")]
Jobs = Annotated[int, typer.Option(help="Threads; -1 for all cores. The result does not depend on it.")]


@dataclass(frozen=True)
class TreeOptions:
    """How a tree is grown and cut back; None is what was not given."""

    criterion: Annotated[
        str | None, _of_tree(help="How questions are compared, see `ramify criteria`. Default: gain.")
    ] = None
    branching: Annotated[
        str | None, _of_tree(help="binary, or multiway: one branch a category. Default: binary.")
    ] = None
    prune: Annotated[
        str | None,
        _of_tree(
            help="Cut the tree back: none, pessimistic, cost_complexity, reduced_error or merge. "
            "Default: none."
        ),
    ] = None
    confidence: Annotated[
        float | None, _of_tree(help="Of pessimistic pruning; smaller prunes more. Default: 0.25.")
    ] = None
    ccp_alpha: Annotated[
        str | None, _of_tree(help="Of cost_complexity pruning: a number, or cv to choose it. Default: cv.")
    ] = None
    max_depth: Annotated[int | None, _of_tree(help="The most questions on a path.")] = None
    max_leaf_nodes: Annotated[int | None, _of_tree(help="The most leaves of the tree.")] = None
    min_samples_leaf: Annotated[
        float | None, _of_tree(help="The fewest rows of a branch; below 1 a share of all. Default: 1.")
    ] = None
    min_samples_split: Annotated[
        float | None, _of_tree(help="The fewest rows of a node that is split. Default: 2.")
    ] = None
    missing: Annotated[
        str | None,
        _of_tree(
            help="Rows with missing values: fractional (down every branch in parts), best_branch, own_branch "
            "or error. Default: fractional."
        ),
    ] = None
    balanced: Annotated[bool, _of_tree("--balanced", help="Let all classes weigh the same.")] = False

    def given(self) -> dict[str, Any]:
        """Return them as parameters of `TreeClassifier`, see `settings.make_settings`."""
        return {
            "criterion": self.criterion,
            "branching": self.branching,
            "pruning": self.prune,
            "confidence": self.confidence,
            "ccp_alpha": self.ccp_alpha,
            "max_depth": self.max_depth,
            "max_leaf_nodes": self.max_leaf_nodes,
            "min_samples_leaf": self.min_samples_leaf,
            "min_samples_split": self.min_samples_split,
            "missing": self.missing,
            "class_weight": "balanced" if self.balanced else None,
        }


@dataclass(frozen=True)
class ColumnOptions:
    """What a user says about columns."""

    nominal: Annotated[
        list[str] | None, _of_columns(help="Columns that hold categories, though they look like numbers.")
    ] = None
    numeric: Annotated[
        list[str] | None,
        _of_columns(help="Columns that hold numbers or dates, though they were taken for something else."),
    ] = None
    ignore: Annotated[list[str] | None, _of_columns(help="Columns to leave out.")] = None

    def wishes(self) -> Wishes:
        """Return them for a reader of tables."""
        return Wishes(tuple(self.nominal or ()), tuple(self.numeric or ()), tuple(self.ignore or ()))


@dataclass(frozen=True)
class FileOptions:
    """What a user says about a text file."""

    separator: Annotated[
        str | None,
        _of_files(help="What stands between fields: one character, or tab. Found out by default."),
    ] = None
    decimal: Annotated[str | None, _of_files(help="The decimal mark, . or , Found out by default.")] = None
    encoding: Annotated[str | None, _of_files(help="Of the text, such as latin-1. Found out by default.")] = (
        None
    )
    no_header: Annotated[
        bool,
        _of_files("--no-header", help="The first line holds data; the columns are called column_1, ..."),
    ] = False
    null: Annotated[
        list[str] | None,
        _of_files(
            help="Also stands for a missing value, as '?', NA, N/A, NaN, NULL and nothing do.", metavar="TEXT"
        ),
    ] = None

    def reading(self) -> Reading:
        """Return them for a reader of tables.

        Raises
        ------
        ValueError
            If a value is not accepted.
        """
        return Reading(
            self.separator, self.decimal, self.encoding, not self.no_header, tuple(self.null or ())
        )
