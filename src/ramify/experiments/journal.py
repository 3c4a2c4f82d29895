"""The journal: finished units of a long run, kept in a file so that a run can be taken up again.

A file of JSON lines. The first line says which study the file belongs to; each of the others is one
finished unit with a digest of all that its result depends on: the study's settings, the code that does
the unit, and its data. A line whose digest is not the one of this run is left alone and its unit is done
again, so a result can never be stale, and a quick and a full run share one file without harm.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from time import perf_counter
from typing import Any

from joblib import Parallel, delayed, effective_n_jobs

from ramify._progress import ProgressBar
from ramify._whole_file import write_whole
from ramify.experiments.fingerprint import of_code

#: A unit of work: a tuple of strings and numbers, which says what is to be done.
Unit = tuple[str | int | float, ...]

#: What a unit needs beside its name.
Given = Callable[[Unit], Any]

_FORMAT = "ramify journal 1"


class JournalError(ValueError):
    """A file that is no journal, or the journal of another study; the text says which."""


class Journal:
    """The finished units of one study.

    Parameters
    ----------
    path : Path, optional
        The file; it is made when there is something to do. None keeps nothing.
    study : str
        Whose journal it is.
    key : mapping of str to JSON values
        All that every result depends on beside the code of the function that is run: settings, seed,
        versions.
    fresh : bool, default=False
        Begin anew: what the file holds is dropped.

    Raises
    ------
    JournalError
        If the file is no journal, one of another study, or can't be read or written.

    Examples
    --------
    >>> from ramify.experiments import Journal
    >>> Journal(None, "squares", {}).run([(2,), (3,)], lambda unit: unit[0] ** 2)
    [4, 9]
    """

    def __init__(self, path: Path | None, study: str, key: Mapping[str, Any], *, fresh: bool = False) -> None:
        self.path, self.study, self.key = path, study, dict(key)
        #: Seconds of every unit of `run`, as measured when it was done, and how many were found in the file.
        self.seconds: dict[Unit, float] = {}
        self.n_found = 0
        self._done: dict[tuple[Unit, str], tuple[Any, float]] = {}
        if path is not None:
            if fresh:
                path.unlink(missing_ok=True)
            self._read(path)

    def run(
        self,
        units: Iterable[Unit],
        function: Callable[..., Any],
        *,
        given: Given | None = None,
        jobs: int = 1,
        progress: bool | None = None,
        fingerprints: Mapping[Unit, str] | None = None,
    ) -> list[Any]:
        """Do the units that are not done, and return the results of all in the order of the units.

        Parameters
        ----------
        units : iterable of tuples
            What to do; no two alike.
        function : callable
            Takes a unit, and what `given` has for it; returns what JSON can hold. What other code of the
            package it reaches is part of the digests, and so is what `functools.partial` has set.
        given : callable, optional
            Takes a unit, and returns what else `function` needs, such as its data: made when its turn comes,
            and sent to the process that does it.
        jobs : int, default=1
            Processes.
        progress : bool, optional
            A bar: always, never, or (None) for long runs on a terminal.
        fingerprints : mapping of units to str, optional
            What else the result of a unit depends on, such as its data.

        Returns
        -------
        list
            The results as JSON gives them back (tuples are lists), whether they were found or made.
        """
        todo = list(units)
        if len(set(todo)) != len(todo):
            raise ValueError("the same unit was given twice.")
        code = _code_of(function)
        digests = {unit: self._digest(code, (fingerprints or {}).get(unit, "")) for unit in todo}
        missing = [unit for unit in todo if (unit, digests[unit]) not in self._done]
        self.n_found += len(todo) - len(missing)
        if missing and self.path is not None:
            self._begin(self.path)  # now, as hours of work that can't be kept are no use
        with ProgressBar(progress, self.study, len(todo), "units") as bar:
            bar.show(len(todo) - len(missing))
            finished = _finished(missing, function, given, jobs)
            for n, (unit, result, seconds) in enumerate(finished, len(todo) - len(missing) + 1):
                self._keep(unit, digests[unit], result, seconds)
                bar.show(n)
        self.seconds.update({unit: self._done[unit, digests[unit]][1] for unit in todo})
        return [self._done[unit, digests[unit]][0] for unit in todo]

    def _digest(self, *others: str) -> str:
        text = json.dumps([self.key, *others], sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:24]

    def _begin(self, path: Path) -> None:
        """Make the file, if there is none."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("ab") as file:
                if file.tell() == 0:
                    file.write(self._header())
        except OSError as error:
            raise JournalError(
                f"{path} can't be written ({error.strerror}), so nothing would be kept; name another file."
            ) from None

    def _read(self, path: Path) -> None:
        try:
            lines = path.read_bytes().split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise JournalError(f"{path} can't be read ({error.strerror}); name another file.") from None
        *whole, rest = lines  # what follows the last line feed was cut short
        if not whole:
            if rest and not self._header().startswith(rest):
                raise JournalError(f"{path} is no journal of ramify; name another file, or use fresh=True.")
            path.unlink()
            return
        self._check_header(path, whole[0])
        for line in whole[1:]:
            try:
                entry = json.loads(line)
                unit, digest = tuple(entry["unit"]), entry["digest"]
                self._done[unit, digest] = entry["result"], entry["seconds"]
            except (ValueError, TypeError, KeyError):
                continue  # a line that another program spoiled: its unit is done again
        if rest:  # or the next line would be joined to the half one
            write_whole(path, b"\n".join(whole) + b"\n")

    def _check_header(self, path: Path, line: bytes) -> None:
        try:
            header = json.loads(line)
        except ValueError:
            header = None
        if not isinstance(header, dict) or header.get("format") != _FORMAT:
            raise JournalError(f"{path} is no journal of ramify; name another file, or use fresh=True.")
        if header.get("study") != self.study:
            raise JournalError(
                f"{path} is the journal of the study {header.get('study')!r}, not of {self.study!r}."
            )

    def _header(self) -> bytes:
        return json.dumps({"format": _FORMAT, "study": self.study}, sort_keys=True).encode() + b"\n"

    def _keep(self, unit: Unit, digest: str, result: Any, seconds: float) -> None:
        entry = {"unit": list(unit), "digest": digest, "result": result, "seconds": seconds}
        text = json.dumps(entry, sort_keys=True)
        # As read from the file, so that a run that was taken up again gives the same report.
        self._done[unit, digest] = json.loads(text)["result"], seconds
        if self.path is None:
            return
        with self.path.open("ab") as file:
            file.write(text.encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _code_of(function: Callable[..., Any]) -> str:
    """Return what tells a function from another: the code that it reaches, and parameters that are set."""
    if isinstance(function, partial):
        return f"{_code_of(function.func)} {function.args!r} {sorted(function.keywords.items())!r}"
    return of_code(getattr(function, "__module__", ""))


def _timed(function: Callable[..., Any], unit: Unit, *given: Any) -> tuple[Unit, Any, float]:
    begin = perf_counter()
    try:
        result = function(unit, *given)
    except Exception as error:
        error.add_note(f"while doing the unit {unit!r}")
        raise
    return unit, result, perf_counter() - begin


def _finished(
    units: list[Unit], function: Callable[..., Any], given: Given | None, jobs: int
) -> Iterator[Any]:
    """Do units, in processes if there are several jobs; they come back as they are finished."""
    tasks = ((function, unit) if given is None else (function, unit, given(unit)) for unit in units)
    if jobs == 1:
        return (_timed(*task) for task in tasks)
    # joblib's processes need no guard of the main module, and take functions that it defines.
    pool = Parallel(n_jobs=min(effective_n_jobs(jobs), max(1, len(units))), return_as="generator_unordered")
    with _deaf_children():
        found: Iterator[Any] = pool(delayed(_timed)(*task) for task in tasks)
    return found


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Start processes that do not hear Ctrl-C.

    A terminal sends it to all of them, and each would end with a traceback of its own; this process ends
    them. To block the signal would not do: multiprocessing unblocks it. For the moment that it takes to start
    them, this process does not hear it either.
    """
    if current_thread() is not main_thread():  # which can't change how signals are met
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)
