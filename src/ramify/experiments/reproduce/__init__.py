"""The papers' numbers made again, each set beside the published one."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path
from time import perf_counter

from ramify._parameters import refuse
from ramify.experiments.fingerprint import versions
from ramify.experiments.journal import Journal
from ramify.experiments.report import Report
from ramify.experiments.reproduce.registry import find_study, list_studies
from ramify.experiments.reproduce.study import Options, Study

__all__ = ["Options", "Study", "list_studies", "reproduce"]


def reproduce(
    study: str,
    *,
    quick: bool = False,
    seed: int = 0,
    jobs: int = 1,
    resume: str | os.PathLike[str] | None = None,
    fresh: bool = False,
    progress: bool | None = None,
) -> Report:
    """Make a paper's numbers again, and set them beside the published ones.

    Parameters
    ----------
    study : str
        One of `list_studies()`.
    quick : bool, default=False
        Take minutes: fewer repetitions or smaller data, as the report says.
    seed : int, default=0
        Of every random number; the same seed gives the same report.
    jobs : int, default=1
        Processes; -1 for all cores. The report does not depend on it.
    resume : path, optional
        A file that keeps what is done, so that a run that was ended half-way goes on where it was.
    fresh : bool, default=False
        Drop what that file holds.
    progress : bool, optional
        A bar: always, never, or (None) for long runs on a terminal.

    Returns
    -------
    Report
        See `ramify.experiments.render` for text, Markdown, HTML and JSON of it.

    Raises
    ------
    ValueError
        If there is no such study, or another value is not accepted; `JournalError` if the file belongs
        to something else.

    Examples
    --------
    >>> from ramify.experiments import reproduce
    >>> report = reproduce("lecture")
    >>> report.counts()["missing"]
    0
    """
    found = find_study(study)
    for name, flag in (("quick", quick), ("fresh", fresh)):
        if not isinstance(flag, bool):
            raise refuse(name, flag, "True or False")
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise refuse("seed", seed, "an integer >= 0")
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs == 0:
        raise refuse("jobs", jobs, "an integer >= 1, or -1 for all cores")
    options = Options(quick=quick, seed=seed, jobs=jobs, progress=progress)
    path = None if resume is None else Path(resume)
    key = {"seed": seed, "versions": versions()}
    journal = Journal(path, found.name, key, fresh=fresh)
    begin = perf_counter()
    report = found.run(options, journal)
    units = sum(journal.seconds.values())
    seconds = dict(report.seconds) | {"units": units, "total": perf_counter() - begin}
    settings = dict(report.settings) | {"quick": quick}
    return dataclasses.replace(report, seed=seed, versions=versions(), settings=settings, seconds=seconds)
