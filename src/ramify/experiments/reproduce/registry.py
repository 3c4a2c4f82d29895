"""The registry: every study, by name. Each is a module of this package with a `STUDY`."""

from __future__ import annotations

import difflib
import importlib

from ramify.experiments.reproduce.study import Study

#: In the order in which `all` runs them.
_NAMES: tuple[str, ...] = ("lecture", "berzal", "simovici", "utcdt", "hart")


def list_studies() -> tuple[str, ...]:
    """Return the names of the studies.

    Examples
    --------
    >>> from ramify.experiments import list_studies
    >>> "lecture" in list_studies()
    True
    """
    return _NAMES


def find_study(name: str) -> Study:
    """Return the study called `name`, or raise an error that lists the names."""
    if name not in _NAMES:
        close = difflib.get_close_matches(str(name), _NAMES, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        raise ValueError(f"study={name!r} is not known; {hint}the names are {', '.join(_NAMES)}.")
    study: Study = importlib.import_module(f"ramify.experiments.reproduce.{name}").STUDY
    return study
