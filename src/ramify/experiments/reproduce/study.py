"""The study: a paper whose numbers can be made again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ramify.experiments.journal import Journal
from ramify.experiments.report import Report


@dataclass(frozen=True)
class Options:
    """How a study is to be run.

    Attributes
    ----------
    quick : bool
        In minutes: fewer repetitions or smaller data, as the report says.
    seed : int
        Of every random number.
    jobs : int
        Processes; -1 for all cores.
    progress : bool, optional
        A bar: always, never, or (None) for long runs on a terminal.
    """

    quick: bool = False
    seed: int = 0
    jobs: int = 1
    progress: bool | None = None


@dataclass(frozen=True)
class Study:
    """A paper whose numbers can be made again.

    `run` makes the report; what takes long it does by `journal.run`. It need not fill in `seed`,
    `versions` nor the total of `seconds`: `reproduce` does.
    """

    name: str
    title: str
    paper: str
    run: Callable[[Options, Journal], Report]
