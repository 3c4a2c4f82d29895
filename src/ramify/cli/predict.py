"""``ramify predict``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from ramify import TreeClassifier
from ramify._progress import ProgressBar
from ramify.cli import options
from ramify.cli.console import BAD_USAGE, errors, fail, one_line_errors
from ramify.cli.models import read_model
from ramify.cli.option_groups import with_groups
from ramify.cli.output import check_folder
from ramify.explaining.amounts import percent
from ramify.export.text import printable
from ramify.tables import Reading
from ramify.tables.kinds import as_texts
from ramify.tables.new_rows import check_columns, conform
from ramify.tables.scans import Scan, scan
from ramify.tables.sources import find_source
from ramify.tables.values import clean, numbers_of
from ramify.tables.writing import format_of, print_batches, write_batches

EXAMPLES = (
    ("ramify predict model.json new.csv -o answers.csv", "the rows with their predicted class"),
    ("ramify predict model.json new.parquet -o answers.parquet --proba", "and with the share of each class"),
    ("ramify predict model.json new.csv --only | sort | uniq -c", "the classes alone, to another program"),
)


@with_groups
def predict(
    *,
    model: options.Model,
    data: options.Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help="Write to this file: .csv, .tsv, .parquet, .arrow or .jsonl. Default: CSV on the screen.",
            show_default=False,
        ),
    ] = None,
    proba: Annotated[bool, typer.Option("--proba", help="Add the share of each class.")] = False,
    only: Annotated[bool, typer.Option("--only", help="Leave out the columns of the data.")] = False,
    name: Annotated[str, typer.Option("--as", help="What to call the new column.")] = "prediction",
    files: options.FileOptions,
) -> None:
    """Predict the class of each row, in batches: files may be larger than the memory.

    The columns of the model are found by their names, in any order, among others. If the target is among
    them too, --output tells how many answers are right.
    """
    with one_line_errors(TypeError, ValueError):
        reading = files.reading()
        if output is not None:
            format_of(output)
    check_folder(output, "--output")
    with one_line_errors():
        tree = read_model(model)
        start = time.perf_counter()
        with scan(find_source(data), reading) as found:
            check_columns(tree.schema_, found.columns, found.name)
            added = {name: _type_of(tree)}
            if proba:
                added |= {f"{name}_{label}": pl.Float64() for label in tree.classes_}
            taken = [column for column in added if column in found.columns and not only]
            if taken:
                raise fail(f"{found.name} has a column {taken[0]!r} already; --as names another.", BAD_USAGE)
            kept = {} if only else dict(found.frame.collect_schema())
            work = _Answers(tree, found, reading, list(added), proba, only)
            batches = work.batches()
            if output is None:
                print_batches(batches)
                return
            write_batches(batches, pl.Schema(kept | added), output)
            notes = work.notes()
    for note in notes:
        errors.print(f"note: {note}", style="yellow", soft_wrap=True)
    spent = time.perf_counter() - start
    errors.print(f"wrote {output}: {work.done:,} rows in {spent:.1f} s{work.accuracy()}", soft_wrap=True)


class _Answers:
    """Batches of rows with their answers, and how many there were."""

    def __init__(
        self, model: TreeClassifier, found: Scan, reading: Reading, names: list[str], proba: bool, only: bool
    ) -> None:
        self._model, self._found, self._reading = model, found, reading
        self._names, self._proba, self._only = names, proba, only
        self._gaps = False  # whether the last field of some rows is empty, or not there
        self.done = 0
        self._known = self._right = 0  # rows whose class is in the file, and those that are answered with it

    def batches(self) -> Iterator[pl.DataFrame]:
        """Read, answer and count the rows."""
        total = self._found.count() if errors.is_terminal else 0
        with ProgressBar(None, "predicting", total, "rows") as bar:
            bar.show(0)
            for batch in self._found.batches():
                yield self._answer(batch)
                self.done += batch.height
                bar.show(self.done)
                self._gaps |= self._found.is_text and batch.to_series(batch.width - 1).null_count() > 0

    def notes(self) -> list[str]:
        """Return what there is to say about the file, once it is read."""
        short = self._found.short_lines() if self._gaps else None
        return [*self._found.notes, *([short] if short else [])]

    def accuracy(self) -> str:
        """Return how many answers are right, for the end of a sentence; nothing if no class is known."""
        if self._known == 0:
            return ""
        target = printable(self._model.provenance_.target or "")
        share = percent(self._right / self._known)
        return f"; {share} right, {self._right:,} of {self._known:,} with a known {target}"

    def _compare(self, rows: pl.DataFrame, answers: pl.Series) -> None:
        """Count the answers that are the classes of the rows, where these are known."""
        target = self._model.provenance_.target
        if target is None or target not in rows.columns:
            return
        given = rows[target]
        if answers.dtype.is_numeric():
            classes = numbers_of(given, ".") if given.dtype == pl.String else given
            same = classes.cast(pl.Float64, strict=False) == answers.cast(pl.Float64)
        else:
            same = as_texts(given).cast(pl.String) == answers.cast(pl.String)
        self._known += len(given) - given.null_count()
        self._right += int(same.sum())

    def _answer(self, batch: pl.DataFrame) -> pl.DataFrame:
        rows = clean(batch, self._reading.all_nulls)
        if batch.height == 0:  # a file without rows has answers without rows
            answers = [pl.Series(name, [], dtype=pl.Float64) for name in self._names]
            answers[0] = pl.Series(self._names[0], [], dtype=_type_of(self._model))
        else:
            X = conform(rows, self._model.schema_, self._found.decimal, self.done + 1)
            answers = [pl.Series(self._names[0], self._model.predict(X), dtype=_type_of(self._model))]
            self._compare(rows, answers[0])
            if self._proba:
                shares = self._model.predict_proba(X)
                answers += [pl.Series(name, shares[:, k]) for k, name in enumerate(self._names[1:])]
        if self._only:
            return pl.DataFrame(answers)
        return batch.with_columns(answers)


def _type_of(model: TreeClassifier) -> pl.DataType:
    """Return the type of the column of answers."""
    kinds = {"b": pl.Boolean(), "i": pl.Int64(), "u": pl.Int64(), "f": pl.Float64()}
    return kinds.get(model.classes_.dtype.kind, pl.String())
