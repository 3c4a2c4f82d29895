"""``ramify compare``."""

from __future__ import annotations

import hashlib
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ramify._folders import cache_folder
from ramify.cli.console import BAD_USAGE, INTERRUPTED, console, errors, fail
from ramify.cli.option_groups import with_groups
from ramify.cli.output import check_output, write_document
from ramify.experiments import Comparison, JournalError, make_models, render
from ramify.experiments import compare as run_comparison
from ramify.experiments.comparing import NoScores
from ramify.experiments.render import FORMATS, Rendered
from ramify.experiments.render.text import print_text
from ramify.experiments.settings import AUTO, known_models, make_known
from ramify.experiments.subjects import Subject, find_subjects

EXAMPLES = (
    ("ramify compare iris wine glass --criteria gain,gain_ratio --q 1,2,auto", "two criteria, three orders"),
    (
        "ramify compare car.csv:class vote --criteria gini,gain_ratio --with c45 --output report.html",
        "a file of yours and a data set, a page as report",
    ),
)

_KNOWN = "; ".join(f"{name}: {words}" for name, words in known_models().items())


@dataclass(frozen=True)
class _Models:
    """The models to compare: trees of all combinations, and others by their names."""

    criteria: Annotated[str, typer.Option(help="Criteria with commas; see `ramify criteria`.")] = ""
    q: Annotated[
        str, typer.Option(help=f"Orders with commas, for criteria that take one; {AUTO}: chosen inside.")
    ] = ""
    with_: Annotated[str, typer.Option("--with", help=f"More models, with commas. {_KNOWN}.")] = ""
    branching: Annotated[str, typer.Option(help="binary, multiway, or both with a comma.")] = "binary"
    prune: Annotated[
        str, typer.Option(help="none, pessimistic, cost_complexity, reduced_error, merge, or several.")
    ] = "none"
    min_samples_leaf: Annotated[str, typer.Option(help="The fewest rows of a branch, or several.")] = "1"
    max_depth: Annotated[str, typer.Option(help="The longest path, none, or several.")] = "none"

    def grid(self) -> dict[str, str]:
        """Return the parameters of trees that may have several values, in the words of the command."""
        return {
            "branching": self.branching,
            "pruning": self.prune,
            "min_samples_leaf": self.min_samples_leaf,
            "max_depth": self.max_depth,
        }

    def make(self) -> dict[str, Any]:
        """Return the models of all options; those with several values are told apart by them."""
        extra, settings = _words(self.with_), {name: _values(text) for name, text in self.grid().items()}
        names = _words(self.criteria) or ([] if extra and not _words(self.q) else ["gain", "gain_ratio"])
        orders = [_order(word) for word in _words(self.q)]
        fixed = {name: values[0] for name, values in settings.items() if len(values) == 1}
        several = {name: values for name, values in settings.items() if len(values) > 1}
        models = make_models(names, orders, grid=several, **fixed)
        for name in extra:
            if name in models:
                raise ValueError(
                    f"--with has {name!r}, which is there already; each model needs a name of its own."
                )
            models[name] = make_known(name)
        return models


@dataclass(frozen=True)
class _Plan:
    """How they are compared."""

    folds: Annotated[int, typer.Option(help="Folds of the cross-validation.")] = 10
    repeats: Annotated[int, typer.Option(help="How often they are dealt anew.")] = 10
    measures: Annotated[
        str, typer.Option(help="accuracy, n_nodes, n_leaves, depth, log_loss, ..., the main one first.")
    ] = "accuracy,n_nodes"
    reference: Annotated[str | None, typer.Option(help="The model to set others against.")] = None
    alpha: Annotated[float, typer.Option(help="The level of significance.")] = 0.05
    seed: Annotated[int, typer.Option(help="Deals the folds.")] = 0
    jobs: Annotated[int, typer.Option(help="Processes; -1 for all cores.")] = -1

    def given(self) -> dict[str, Any]:
        """Return it as parameters of `ramify.experiments.compare`."""
        return {
            "cv": self.folds,
            "n_repeats": self.repeats,
            "measures": _words(self.measures),
            "reference": self.reference,
            "alpha": self.alpha,
            "random_state": self.seed,
            "n_jobs": self.jobs,
        }


@with_groups
def compare(
    *,
    data: Annotated[
        list[str],
        typer.Argument(help="Names of data sets (`ramify datasets`) and files, as data.csv:target."),
    ],
    trees: _Models,
    target: Annotated[str | None, typer.Option(help="The target of files that do not name theirs.")] = None,
    plan: _Plan,
    format: Annotated[
        str | None,
        typer.Option(help=f"{', '.join(FORMATS)}; by default as the name of the output ends, or text."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Write to this file instead of the screen.")] = None,
    resume: Annotated[
        Path | None,
        typer.Option(help="A file that keeps what is done; else one in the cache until all is done."),
    ] = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Drop what an earlier run has done.")] = False,
) -> None:
    """Compare criteria, orders and other settings on data sets, and test whether they differ.

    Trees of all combinations of --criteria, --q, --branching, --prune, --min-samples-leaf and --max-depth,
    and the models of --with, on the same folds. A run that was ended goes on where it was.
    """
    form = check_output(format, output)
    try:
        models = trees.make()
    except (TypeError, ValueError) as error:
        raise fail(str(error), BAD_USAGE) from None
    subjects = _subjects(data, target)
    journal = resume or _journal_of(data, trees, target, plan)
    if fresh:
        journal.unlink(missing_ok=True)
    try:
        found = run_comparison(subjects, models, resume=journal, **plan.given())
        _write(found, form, output)
    except JournalError as error:
        raise fail(f"--resume: {error}") from None
    except (NoScores, ImportError, OSError) as error:
        raise fail(str(error)) from None
    except (TypeError, ValueError) as error:
        raise fail(str(error), BAD_USAGE) from None
    except KeyboardInterrupt:
        words = f"stopped; what is done is kept in {journal}, and the same command goes on."
        raise fail(words, INTERRUPTED) from None
    if resume is None:
        journal.unlink(missing_ok=True)


def _subjects(data: list[str], target: str | None) -> list[Subject]:
    """Return the data to compare on; what there is to say about them is told in a line each."""
    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            subjects = find_subjects(data, target)
    except (ImportError, OSError, TypeError, ValueError) as error:
        raise fail(str(error)) from None
    for warning in told:
        errors.print(f"note: {warning.message}", style="yellow", soft_wrap=True)
    return subjects


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _value(word: str) -> int | float | str | None:
    """Return a word as what it stands for: nothing, a number, or itself."""
    if word.lower() == "none":
        return None
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def _values(text: str) -> list[Any]:
    return [_value(word) for word in _words(text)] or [None]


def _order(word: str) -> float | str:
    if word == AUTO:
        return word
    try:
        return float(word)
    except ValueError:
        raise ValueError(
            f"--q has {word!r}; it must be numbers >= 0 with commas between, or {AUTO}."
        ) from None


def _journal_of(data: list[str], trees: _Models, target: str | None, plan: _Plan) -> Path:
    """Return the file in the cache that belongs to a command: to all of it that its scores depend on."""
    of_trees = (trees.criteria, trees.q, trees.with_, trees.grid())
    given = (data, *of_trees, target, plan.folds, plan.repeats, plan.measures, plan.seed)
    digest = hashlib.sha256(repr((Path.cwd(), given)).encode()).hexdigest()[:16]
    return cache_folder() / "compare" / f"{digest}.jsonl"


def _write(found: Comparison, form: str, output: Path | None) -> None:
    if output is None and form == "text" and console.is_terminal:
        print_text([found.report()], console)
    elif form == "json":
        write_document(Rendered(found.to_json()), output)
    else:
        write_document(render(found.report(), form, stem=output.stem if output else "report"), output)
