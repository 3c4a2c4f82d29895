"""``ramify qpath``."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.text import Text

from ramify import QPath, TreeClassifier, plot_q_path, q_path, view
from ramify._choice import RULES
from ramify._orders import check_orders, check_takes_order
from ramify._parameters import check_choice
from ramify._whole_file import write_whole
from ramify.cli import options
from ramify.cli.console import INTERRUPTED, console, errors, fail, one_line_errors
from ramify.cli.facts import print_facts
from ramify.cli.models import save_fitted
from ramify.cli.option_groups import with_groups
from ramify.cli.output import check_different, check_folder, writing
from ramify.cli.settings import check, make_settings
from ramify.cli.told import tell
from ramify.cli.waiting import waiting
from ramify.tables.training import TrainingTable, read_training

EXAMPLES = (
    ("ramify qpath iris", "100 orders, 10 times 10 folds"),
    ("ramify qpath people.csv --target churn --q 0.5,1,2,4 --repeats 1", "a few orders, quickly"),
    (
        "ramify qpath people.csv --nested --resume run.json",
        "the honest accuracy; can be stopped and taken up",
    ),
    ("ramify qpath people.csv --plot q.png --save best.json", "a picture, and the tree of the best order"),
)

#: Heights of a line that is drawn with characters.
_HEIGHTS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class _Written:
    """The files that a path is written to, and kept in while it is made."""

    select: Annotated[
        str,
        typer.Option(
            help="The order to save and to show: of the best accuracy, size, or one_se between them."
        ),
    ] = "accuracy"
    save: Annotated[
        Path | None, typer.Option(help="Write the tree of the chosen order to this file.", show_default=False)
    ] = None
    plot: Annotated[
        Path | None,
        typer.Option(help="Draw accuracy and size against q: .png, .svg or .pdf.", show_default=False),
    ] = None
    html: Annotated[
        Path | None,
        typer.Option(help="Write a page with the trees of all orders to this file.", show_default=False),
    ] = None
    resume: Annotated[
        Path | None,
        typer.Option(help="A file that keeps what is done; the same command goes on.", show_default=False),
    ] = None

    def check(self, data: str) -> None:
        """End the command if they could not be written, before the work is done."""
        with one_line_errors(ValueError):
            check_choice("select", self.select, RULES)
            if self.plot is not None and self.plot.suffix.lower() not in (".png", ".svg", ".pdf"):
                raise ValueError(f"--plot {self.plot}: a name that ends in .png, .svg or .pdf is needed.")
        paths = {"--save": self.save, "--plot": self.plot, "--html": self.html, "--resume": self.resume}
        for option, path in paths.items():
            check_folder(path, option)
        check_different({"DATA": data, **paths})

    def write(self, path: QPath, table: TrainingTable) -> Iterator[tuple[str, str]]:
        """Write them, and say where each is."""
        if self.save is not None:
            order = path.choose(self.select)
            with writing(self.save):
                save_fitted(path.model(order), table.target, self.save)
            yield "saved", f"{self.save}, the tree of q = {order:g} on all rows"
        if self.plot is not None:
            with writing(self.plot):
                write_whole(self.plot, _drawn(path, self.plot.suffix.lower()[1:]))
            yield "drawn", f"{self.plot}"
        if self.html is not None:
            with writing(self.html):
                view(path, self.html, title=f"{table.target} of {table.name}", q=path.choose(self.select))
            yield "page", f"{self.html}, to be opened in a browser"


@with_groups
def qpath(
    *,
    data: options.Data,
    target: options.Target = None,
    q: Annotated[
        str | None,
        typer.Option(help="Orders with commas. Default: 0.1, 0.2, ..., 10.", show_default=False),
    ] = None,
    cv: Annotated[int, typer.Option(min=2, help="Folds of the cross-validation.")] = 10,
    repeats: Annotated[int, typer.Option(min=1, help="How often they are dealt anew.")] = 10,
    nested: Annotated[
        bool,
        typer.Option("--nested", help="Choose q once more inside each fold, for the honest accuracy."),
    ] = False,
    written: _Written,
    tree: options.TreeOptions,
    seed: options.Seed = 0,
    jobs: options.Jobs = -1,
    columns: options.ColumnOptions,
    files: options.FileOptions,
) -> None:
    """Try the entropies of every order q: how accurate and how large their trees are."""
    with one_line_errors(TypeError, ValueError):
        reading = files.reading()
        settings = make_settings(None, tree.given())
        check(TreeClassifier(**settings, n_jobs=jobs))
        check_takes_order(settings.get("criterion", "gain"))
        orders = _orders(q)
    written.check(data)
    plan = {"cv": cv, "n_repeats": repeats, "nested": nested, "n_jobs": jobs, "random_state": seed}
    with one_line_errors():
        with waiting(f"reading {data}"):
            table = read_training(data, target, columns.wishes(), reading)
        tell(table, console)
        found = _made(table, orders, written.resume, plan | settings)
        _report(found)
        facts = list(written.write(found, table))
    if facts:
        console.print()
        print_facts(facts, console)
    if not found.complete_:
        kept = f"are kept in {written.resume}, and the same command goes on"
        goes_on = kept if written.resume else "are counted"
        words = f"stopped: {found.n_folds_} of {found.n_folds_planned_} folds {goes_on}."
        raise fail(words, INTERRUPTED)


def _made(
    table: TrainingTable, orders: list[float] | None, resume: Path | None, settings: dict[str, Any]
) -> QPath:
    """Make the path; what it warns of is told in a line each, unless it was stopped."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", UserWarning)
        found = q_path(table.X, table.y, orders, resume=resume, **settings)
    for warning in told:
        if found.complete_:
            errors.print(f"note: {warning.message}", style="yellow", soft_wrap=True)
    return found


def _orders(text: str | None) -> list[float] | None:
    if text is None:
        return None
    accepted = "different numbers >= 0 with commas between"
    try:
        orders = [float(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"--q {text} is not accepted; it must be {accepted}.") from None
    try:
        check_orders(orders)
    except ValueError as error:
        wrong = str(error).partition(";")[0].removeprefix("qs ")  # "has 1 more than once", for example
        raise ValueError(f"--q {text} {wrong}; it must be {accepted}.") from None
    return orders


def _report(path: QPath) -> None:
    if len(path.qs_) > 2:
        facts: list[tuple[str, Text | str]] = [
            ("accuracy", _line(path.accuracy_, "{:.3f}", "green")),
            ("nodes", _line(path.n_nodes_, "{:.1f}", "dark_orange")),
            ("q", f"{path.qs_[0]:g} to {path.qs_[-1]:g}, from left to right"),
        ]
        print_facts(facts, console)
        console.print()
    summary = path.summary().replace("nested=True", "--nested")  # the same in the words of a command
    console.print(Text(summary), soft_wrap=not console.is_terminal)


def _line(values: NDArray[np.float64], form: str, style: str) -> Text:
    """Return values as a line of characters, as many as fit; the lowest and the highest are told."""
    room = max(min(len(values), (console.width if console.is_terminal else 200) - 34), 8)
    shown = np.array([part.mean() for part in np.array_split(values, min(room, len(values)))])
    low, high = float(values.min()), float(values.max())
    lowest, highest = form.format(low), form.format(high)
    if lowest == highest:  # what can't be told apart is drawn as one, too
        return Text.assemble((_HEIGHTS[0] * len(shown), style), f"  {lowest} for all")
    drawn = "".join(_HEIGHTS[int(step)] for step in (shown - low) / (high - low) * 7.999)
    return Text.assemble((drawn, style), f"  {lowest} to {highest}")


def _drawn(path: QPath, format: str) -> bytes:
    """Return the picture of a path."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fonts that lack a character of a name
        figure: Any = plot_q_path(path)[0].figure
        picture = io.BytesIO()
        figure.savefig(picture, format=format, dpi=150)
    return picture.getvalue()
