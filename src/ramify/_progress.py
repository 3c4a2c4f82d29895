"""A bar that says how far a run has come, and how long it will still take."""

from __future__ import annotations

import sys
from time import monotonic, perf_counter
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from ramify._parameters import refuse

if TYPE_CHECKING:
    from rich.progress import Progress

#: Seconds that a run must take before anybody wants to see a bar.
LONG = 1.0

#: Seconds that it must be expected to take for a bar before the first step is done.
SURE = 10.0


class ProgressBar:
    """A bar on stderr, which appears once it is clear that the run is a long one.

    Parameters
    ----------
    wanted : bool, optional
        True: always. False: never. None: for long runs, if stderr is a terminal and rich is installed.
    what : str
        What the run is about.
    total : int
        How many steps it has.
    steps : str, default="folds"
        What they are called.

    Raises
    ------
    ImportError
        If a bar is wanted, and rich is not installed.
    """

    def __init__(self, wanted: Any, what: str, total: int, steps: str = "folds") -> None:
        if wanted is not None and not isinstance(wanted, bool):
            raise refuse("progress", wanted, "None, True or False")
        self._what, self._total, self._steps = what, total, steps
        self._bar: Progress | None = None
        self._forced = wanted is True
        self._quiet = wanted is False or (wanted is None and not sys.stderr.isatty())
        self._begin = perf_counter()
        self._first: int | None = None
        self._end: float | None = None  # when all will be done, on the clock of `monotonic`
        if self._forced:
            self._open(0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def show(self, done: int, left: float = 0.0, what: str | None = None) -> None:
        """Say how many steps are done and, if known, how many seconds the others take and what goes on."""
        self._what = what or self._what
        if self._first is None:  # those that an earlier run did tell nothing of the speed of this one
            self._first, self._begin = done, perf_counter()
        spent, here = perf_counter() - self._begin, done - self._first
        if here > 0:
            left = spent / here * (self._total - done)
        if left > 0:
            self._end = monotonic() + left
        long = spent > LONG / 4 and spent + left > LONG if here > 0 else left > SURE
        if self._bar is None and not self._quiet and long:
            self._open(self._first)
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=done, description=self._what)

    def time_left(self) -> str:
        """Return the time that the run will still take, by the pace so far, in hours, minutes and seconds.

        rich's own estimate is of the last 30 seconds, and there is none if a step takes longer than that.
        """
        if self._end is None:
            return "--:--"
        minutes, seconds = divmod(max(0, round(self._end - monotonic())), 60)
        hours, minutes = divmod(minutes, 60)
        return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes:02}:{seconds:02}"

    def _open(self, done: int) -> None:
        try:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                MofNCompleteColumn,
                Progress,
                ProgressColumn,
                Task,
                TextColumn,
            )
            from rich.text import Text
        except ImportError:
            if self._forced:
                raise ImportError('progress=True needs rich: pip install "ramify[cli]".') from None
            self._quiet = True
            return

        class Left(ProgressColumn):
            def render(column, task: Task) -> Text:  # noqa: N805
                return Text(self.time_left(), style="progress.remaining")

        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn(f"{self._steps},"),
        )
        left = Left(), TextColumn("left")
        self._bar = Progress(*columns, *left, console=Console(stderr=True), transient=not self._forced)
        self._bar.add_task(self._what, total=self._total, completed=done)
        self._bar.start()
