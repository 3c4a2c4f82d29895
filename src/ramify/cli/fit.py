"""``ramify fit``."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.text import Text

from ramify import TreeClassifier, view, why
from ramify._orders import check_takes_order
from ramify.cli import options
from ramify.cli.accuracy import ORDERS, Accuracy, choose_order, cross_validate
from ramify.cli.console import BAD_USAGE, console, fail, one_line_errors
from ramify.cli.facts import print_facts
from ramify.cli.models import save_fitted
from ramify.cli.option_groups import with_groups
from ramify.cli.output import check_different, check_folder, writing
from ramify.cli.settings import check, make_settings, order_of
from ramify.cli.told import tell
from ramify.cli.tree_view import print_tree
from ramify.cli.waiting import waiting
from ramify.explaining.amounts import whole_percent
from ramify.export.text import printable
from ramify.tables.training import TrainingTable, read_training

EXAMPLES = (
    ("ramify fit titanic", "a data set that comes with the package"),
    ("ramify fit people.csv --target churn --max-depth 4", "a file, a small tree"),
    ("ramify fit people.csv --prune pessimistic --save model.json", "keep the tree for `ramify predict`"),
    ("ramify fit people.csv --q auto --html tree.html", "try all entropies, and make a page of the tree"),
    ("ramify fit people.csv --preset c45 --ignore name,phone", "C4.5, without two columns"),
    ("zcat big.csv.gz | ramify fit - --target y", "standard input"),
)


@dataclass
class _Times:
    read: float = 0.0
    grow: float = 0.0
    check: float = 0.0

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        """Keep the seconds that something takes."""
        start = time.perf_counter()
        yield
        setattr(self, name, time.perf_counter() - start)

    def told(self) -> str:
        """Return what took how long."""
        spent = {"read": self.read, "grown": self.grow, "cross-validated": self.check}
        return ", ".join(f"{name} in {_seconds(value)}" for name, value in spent.items() if value > 1e-4)


@dataclass(frozen=True)
class _Written:
    """The files that a tree is written to."""

    save: Annotated[
        Path | None, typer.Option(help="Write the model to this JSON file.", show_default=False)
    ] = None
    html: Annotated[
        Path | None,
        typer.Option(help="Write a page that explores the tree to this file.", show_default=False),
    ] = None
    with_rows: Annotated[
        bool,
        typer.Option("--with-rows", help="Put up to 200 of the rows into the page, to follow their paths."),
    ] = False

    def check(self, data: str) -> None:
        """End the command if they could not be written, before the work is done."""
        if self.with_rows and self.html is None:
            raise fail("--with-rows was given without --html, which it belongs to.", BAD_USAGE)
        check_folder(self.save, "--save")
        check_folder(self.html, "--html")
        check_different({"DATA": data, "--save": self.save, "--html": self.html})

    def write(self, model: TreeClassifier, table: TrainingTable) -> None:
        """Write them."""
        if self.save is not None:
            with writing(self.save):
                save_fitted(model, table.target, self.save)
        if self.html is not None:
            rows: dict[str, Any] = {"X": table.X, "y": table.y} if self.with_rows else {}
            with writing(self.html):
                view(model, self.html, title=f"{table.target} of {table.name}", **rows)

    def facts(self) -> Iterator[tuple[str, str]]:
        """Say where they are."""
        if self.save is not None:
            yield "saved", f"{self.save}, for `ramify predict {self.save} DATA`"
        if self.html is not None:
            yield "page", f"{self.html}, to be opened in a browser"


@with_groups
def fit(
    *,
    data: options.Data,
    target: options.Target = None,
    q: options.Q = None,
    tree: options.TreeOptions,
    preset: options.Preset = None,
    cv: Annotated[int, typer.Option(help="Folds of the cross-validation; 0 for none.")] = 10,
    seed: options.Seed = 0,
    jobs: options.Jobs = -1,
    show_depth: Annotated[int, typer.Option(help="Levels of the tree to print; 0 for all.", min=0)] = 4,
    written: _Written,
    columns: options.ColumnOptions,
    files: options.FileOptions,
) -> None:
    """Grow a tree, and show it with the accuracy to expect of it."""
    with one_line_errors(TypeError, ValueError):
        reading = files.reading()
        order = order_of(q)
        fixed = {
            "q": None if order == "auto" else order,
            "n_runner_ups": 3,  # so that a reason can name what came second
            "n_jobs": jobs,
            "random_state": seed,
        }
        settings = make_settings(preset, tree.given() | fixed)
        check(TreeClassifier(**settings))
        if order == "auto":
            check_takes_order(settings.get("criterion", "gain"))
        if cv < 0 or cv == 1:
            raise ValueError(f"--cv {cv} is not accepted; it must be at least 2, or 0 for none.")
    written.check(data)
    times = _Times()
    with one_line_errors():
        with waiting(f"reading {data}"), times.of("read"):
            table = read_training(data, target, columns.wishes(), reading)
        tell(table, console)
        if order == "auto":
            with times.of("check"):
                model, accuracy = choose_order(settings, table, cv, seed)
        else:
            with waiting("growing the tree"), times.of("grow"):
                model = TreeClassifier(**settings).fit(table.X, table.y)
            with times.of("check"):
                accuracy = cross_validate(model, table, cv, seed) if cv else None
        written.write(model, table)
    print_tree(model, console, show_depth or None)
    console.print()
    facts = list(_facts(model, table, accuracy, cv))
    if order == "auto":
        words = f"{model.q:g} was the most accurate of {', '.join(f'{tried:g}' for tried in ORDERS)}"
        facts.insert(3, ("q", f"{words}; `ramify qpath` tries more"))
    print_facts([*facts, ("time", times.told()), *written.facts()], console)


def _facts(
    model: TreeClassifier, table: TrainingTable, accuracy: Accuracy | None, cv: int
) -> Iterator[tuple[str, Text | str]]:
    tree = model.tree_
    counts = np.unique(table.y, return_counts=True)[1]
    common = float(counts.max() / counts.sum())
    here = f"{model.score(table.X, table.y):.1%} on the rows that it was grown on"
    if accuracy is not None:
        text = Text(f"{accuracy.mean:.1%}", style="bold green" if accuracy.mean > common else "bold yellow")
        text.append(
            f" ± {accuracy.error:.1%} on rows not seen ({accuracy.n_folds}-fold cross-validation); {here}",
            style="not bold default",
        )
        yield "accuracy", text
    else:
        yield "accuracy", here + ("; a class is too rare for cross-validation" if cv else "")
    baseline = f"{common:.1%} by always saying {printable(str(model.classes_[int(np.argmax(counts))]))}"
    if accuracy is not None and accuracy.mean < common - accuracy.error:
        baseline += "; the tree does worse, --prune pessimistic or --min-samples-leaf may help"
    elif accuracy is not None and accuracy.mean - common < accuracy.error:
        baseline += "; the tree is not clearly better than that"
    yield "baseline", baseline
    nodes = f"{tree.node_count:,} node{'' if tree.node_count == 1 else 's'}"
    leaves = f"{tree.n_leaves:,} {'leaf' if tree.n_leaves == 1 else 'leaves'}"
    yield "size", f"{nodes}, {leaves}, depth {tree.max_depth}"
    yield "why", " ".join(_why_first(model))
    importances = model.feature_importances_
    order = [i for i in np.argsort(-importances, kind="stable")[:4] if importances[i] > 0]
    telling = [f"{printable(model.schema_.names[i])} {whole_percent(float(importances[i]))}" for i in order]
    none = "the tree is a single leaf" if tree.node_count == 1 else "no question tells the classes apart"
    yield "telling", ", ".join(telling) or f"no column; {none}"


def _why_first(model: TreeClassifier) -> Iterator[str]:
    """Return the reason for the first question, and what came second, if anything did."""
    reason = why(model, cases="rows")
    yield printable(reason.sentences[0])
    if reason.runner_ups:  # they end the text, a sentence each
        yield printable(reason.sentences[-len(reason.runner_ups)])


def _seconds(seconds: float) -> str:
    if seconds < 0.1:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds:.1f} s" if seconds < 60 else f"{int(seconds // 60)} min {int(seconds % 60)} s"
