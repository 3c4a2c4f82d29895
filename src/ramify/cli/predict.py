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
from ramify.tables import DataError, Reading
from ramify.tables.kinds import as_texts
from ramify.tables.new_rows import check_columns, conform
from ramify.tables.scans import Scan, scan
from ramify.tables.sources import Source, find_sources
from ramify.tables.values import clean, numbers_of
from ramify.tables.writing import format_of, print_batches, write_batches

EXAMPLES = (
    ("ramify predict model.json new.csv -o answers.csv", "the rows with their predicted class"),
    ("ramify predict model.json new.parquet -o answers.parquet --proba", "and with the share of each class"),
    (
        "ramify predict model.json rows/ -o answers.parquet",
        "all files of a folder, in the order of their names",
    ),
    ("ramify predict model.json new.csv --only | sort | uniq -c", "the classes alone, to another program"),
)


@with_groups
def predict(
    *,
    model: options.Model,
    data: options.ManyData,
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
    """Predict the class of each row, in batches: files may be larger than the memory, and many.

    The columns of the model are found by their names, in any order, among others. If the target is among
    them too, --output tells how many answers are right. Several files must have the same columns, unless the
    answers alone are wanted.
    """
    with one_line_errors(TypeError, ValueError):
        reading = files.reading()
        if output is not None:
            format_of(output)
    check_folder(output, "--output")
    with one_line_errors():
        tree = read_model(model)
        start = time.perf_counter()
        inputs = [source for given in data for source in find_sources(given)]
        with scan(inputs[0], reading) as found:
            check_columns(tree.schema_, found.columns, found.name)
            added = {name: _type_of(tree)}
            if proba:
                added |= {f"{name}_{label}": pl.Float64() for label in tree.classes_}
            taken = [column for column in added if column in found.columns and not only]
            if taken:
                raise fail(f"{found.name} has a column {taken[0]!r} already; --as names another.", BAD_USAGE)
            kept = {} if only else dict(found.frame.collect_schema())
            work = _Answers(tree, found, inputs[1:], reading, list(added), proba, only)
            batches = work.batches()
            if output is None:
                print_batches(batches)
                return
            write_batches(batches, pl.Schema(kept | added), output)
    for note in work.notes:
        errors.print(f"note: {note}", style="yellow", soft_wrap=True)
    spent = time.perf_counter() - start
    errors.print(f"wrote {output}: {work.done:,} rows in {spent:.1f} s{work.accuracy()}", soft_wrap=True)


class _Answers:
    """Batches of rows with their answers, file by file, and how many there were.

    Parameters
    ----------
    model : TreeClassifier
        It answers.
    first : Scan
        The first file, which is open.
    others : list of Source
        The files behind it, each of which is opened when its turn comes.
    reading : Reading
        What the user says about text files.
    names : list of str
        Of the new columns.
    proba, only : bool
        Whether shares are wanted, and whether nothing but answers is.
    """

    def __init__(
        self,
        model: TreeClassifier,
        first: Scan,
        others: list[Source],
        reading: Reading,
        names: list[str],
        proba: bool,
        only: bool,
    ) -> None:
        self._model, self._first, self._others, self._reading = model, first, others, reading
        self._names, self._proba, self._only = names, proba, only
        self.done = 0
        self._known = self._right = 0  # rows whose class is in the file, and those that are answered with it
        self.notes: list[str] = []  # what there is to say about the files that were read

    def batches(self) -> Iterator[pl.DataFrame]:
        """Read, answer and count the rows."""
        many = bool(self._others)
        total = 1 + len(self._others) if many else (self._first.count() if errors.is_terminal else 0)
        with ProgressBar(None, "predicting", total, "files" if many else "rows") as bar:
            bar.show(0)
            for number, found in enumerate(self._scans()):
                for batch in self._batches_of(found):
                    yield batch
                    bar.show(number if many else self.done)

    def _scans(self) -> Iterator[Scan]:
        yield self._first
        for source in self._others:
            with scan(source, self._reading) as found:
                self._check(found)
                yield found

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

    def _check(self, found: Scan) -> None:
        """Refuse a file whose rows can't stand below those of the first one."""
        check_columns(self._model.schema_, found.columns, found.name)
        if self._only:
            return
        wanted, given = self._first.frame.collect_schema(), found.frame.collect_schema()
        other = sorted(set(wanted) ^ set(given))
        if other:
            has = "has a" if other[0] in given else "has no"
            text = f"{found.name} {has} column {other[0]!r}, unlike {self._first.name}"
        else:
            other = [name for name in wanted if wanted[name] != given[name]]
            if not other:
                return
            here, there = (f"{schema[other[0]]}" for schema in (given, wanted))
            text = f"the column {other[0]!r} is {here} in {found.name} and {there} in {self._first.name}"
        raise DataError(f"{text}; --only leaves out the columns of the data.")

    def _batches_of(self, found: Scan) -> Iterator[pl.DataFrame]:
        before, gaps = self.done, False
        for batch in found.batches():
            try:
                answered = self._answer(batch, found, self.done - before + 1)
            except DataError as error:
                raise DataError(f"{found.name}: {error}" if self._others else str(error)) from None
            yield answered
            self.done += batch.height
            # The last field of some rows is empty, or not there.
            gaps |= found.is_text and batch.to_series(batch.width - 1).null_count() > 0
        notes = [*found.notes, *filter(None, [found.short_lines() if gaps else None])]
        self.notes += [f"{found.name}: {note}" if self._others else note for note in notes]

    def _answer(self, batch: pl.DataFrame, found: Scan, first_row: int) -> pl.DataFrame:
        rows = clean(batch, self._reading.all_nulls)
        if batch.height == 0:  # a file without rows has answers without rows
            answers = [pl.Series(name, [], dtype=pl.Float64) for name in self._names]
            answers[0] = pl.Series(self._names[0], [], dtype=_type_of(self._model))
        else:
            X = conform(rows, self._model.schema_, found.decimal, first_row)
            answers = [pl.Series(self._names[0], self._model.predict(X), dtype=_type_of(self._model))]
            self._compare(rows, answers[0])
            if self._proba:
                shares = self._model.predict_proba(X)
                answers += [pl.Series(name, shares[:, k]) for k, name in enumerate(self._names[1:])]
        if self._only:
            return pl.DataFrame(answers)
        return batch.select(self._first.columns).with_columns(answers)


def _type_of(model: TreeClassifier) -> pl.DataType:
    """Return the type of the column of answers."""
    kinds = {"b": pl.Boolean(), "i": pl.Int64(), "u": pl.Int64(), "f": pl.Float64()}
    return kinds.get(model.classes_.dtype.kind, pl.String())
