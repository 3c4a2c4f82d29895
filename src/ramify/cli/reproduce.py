"""``ramify reproduce``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ramify._folders import cache_folder
from ramify.cli.console import BAD_USAGE, INTERRUPTED, console, fail
from ramify.cli.output import check_output, write_document
from ramify.experiments import JournalError, Report, list_studies, render
from ramify.experiments import reproduce as run_study
from ramify.experiments.render import FORMATS
from ramify.experiments.render.figure import check_pictures
from ramify.experiments.render.text import print_text

EXAMPLES = (
    ("ramify reproduce lecture", "the figures of a lecture"),
    ("ramify reproduce all --quick --output report.html", "all studies, with fewer repetitions"),
)


def reproduce(
    study: Annotated[str, typer.Argument(help=f"{', '.join(list_studies())}, or all.")],
    quick: Annotated[bool, typer.Option("--quick", help="Minutes: fewer repetitions, as it says.")] = False,
    format: Annotated[
        str | None,
        typer.Option(help=f"{', '.join(FORMATS)}; by default as the name of the output ends, or text."),
    ] = None,
    output: Annotated[Path | None, typer.Option(help="Write to this file instead of the screen.")] = None,
    jobs: Annotated[int, typer.Option(help="Processes; -1 for all cores.")] = -1,
    seed: Annotated[int, typer.Option(help="Of every random number.")] = 0,
    fresh: Annotated[bool, typer.Option("--fresh", help="Drop what an earlier run has done.")] = False,
    resume: Annotated[
        Path | None,
        typer.Option(help="The file that keeps what is done (for all: a folder); else one in the cache."),
    ] = None,
) -> None:
    """Make a paper's numbers again, and set them beside the published ones.

    A run that was ended goes on where it was.
    """
    names = list_studies() if study == "all" else (study,)
    form = check_output(format, output)
    reports = []
    for name in names:
        path = _journal_of(name, resume, study == "all")
        try:
            check_pictures(form)
            report = run_study(name, quick=quick, seed=seed, jobs=jobs, resume=path, fresh=fresh)
        except JournalError as error:
            raise fail(f"--resume: {error}") from None
        except ValueError as error:
            raise fail(str(error), BAD_USAGE) from None
        except (ImportError, OSError) as error:
            raise fail(str(error)) from None
        except KeyboardInterrupt:
            words = f"stopped; what is done is kept in {path}, and the same command goes on."
            raise fail(words, INTERRUPTED) from None
        reports.append(report)
    try:
        _write(reports, form, output)
    except (ImportError, OSError) as error:
        raise fail(str(error)) from None


def _journal_of(name: str, resume: Path | None, several: bool) -> Path:
    if resume is None:
        return cache_folder() / "reproduce" / f"{name}.jsonl"
    return resume / f"{name}.jsonl" if several else resume


def _write(reports: list[Report], form: str, output: Path | None) -> None:
    if output is None and form == "text" and console.is_terminal:
        print_text(reports, console)
        return
    write_document(render(reports, form, stem=output.stem if output else "report"), output)
