"""The registry of splitting criteria, as the core has it."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core

__all__ = ["Criterion", "list_criteria"]


@dataclass(frozen=True)
class Criterion:
    """What a criterion says about itself.

    Attributes
    ----------
    name, formula, meaning, origin : str
        Its name, its formula in plain text, one sentence on what it looks for, where it comes from.
    takes_order : bool
        Whether it takes an order ``q``.
    default_order : float
        The order that ``q=None`` stands for; for a criterion without one, the order of the entropy by
        which impurities and gains are reported.
    two_branches_only : bool
        Whether only splits with two branches can be scored.
    is_share : bool
        Whether scores are shares of something: ties are judged on a scale of 1 then.
    compares_entropies : bool
        Whether it is a comparison of the entropies of a split.
    """

    name: str
    formula: str
    meaning: str
    origin: str
    takes_order: bool
    default_order: float
    two_branches_only: bool
    is_share: bool
    compares_entropies: bool


#: Names that people know from elsewhere: a criterion, and the order that the name fixes.
ALIASES: dict[str, tuple[str, float | None]] = {
    "entropy": ("gain", 1.0),
    "log_loss": ("gain", 1.0),
    "gini": ("gain", 2.0),
    "tsallis": ("gain", None),
}


@cache
def _registry() -> dict[str, Criterion]:
    return {entry["name"]: Criterion(**entry) for entry in _core.list_criteria()}


def list_criteria() -> tuple[Criterion, ...]:
    """Return all criteria.

    Examples
    --------
    >>> from ramify import list_criteria
    >>> [criterion.name for criterion in list_criteria()][:3]
    ['gain', 'gain_ratio', 'lopez_de_mantaras']
    """
    return tuple(_registry().values())


def find_criterion(name: str) -> Criterion:
    """Return the criterion of that name, which is no alias, or raise a ValueError."""
    try:
        return _registry()[name]
    except KeyError:
        known = [*_registry(), *ALIASES]
        close = difflib.get_close_matches(name, known, n=1)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(
            f"criterion={name!r} is unknown.{hint} Accepted are {', '.join(map(repr, known))}, "
            "or a callable on an array of tables."
        ) from None


#: A criterion of the user's own: scores of tables (candidates, branches, classes), higher is better.
ScoreFunction = Callable[[NDArray[np.float64]], Any]


def name_of_function(function: ScoreFunction) -> str:
    """Return the name of a user's criterion, for texts."""
    return str(getattr(function, "__name__", type(function).__name__))


@dataclass(frozen=True)
class UnkeptCriterion:
    """What a model file keeps of a criterion that was a Python function: its name.

    A model with one predicts as ever; it can't be fitted before it is given the function again.

    Parameters
    ----------
    name : str
        The name of the function.
    """

    name: str

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, tables: NDArray[np.float64]) -> NDArray[np.float64]:
        raise ValueError(
            f"criterion={self.name} was a Python function when this model was saved, and a model file keeps "
            "no code; give it again before you fit: model.set_params(criterion=...)."
        )


def checked_function(function: ScoreFunction) -> _core.ScoreTables:
    """Wrap a user's criterion so that whatever it returns is one finite score a table, or an error."""
    name = name_of_function(function)

    def score(tables: NDArray[np.float64]) -> NDArray[np.float64]:
        expected = (len(tables),)
        tables.setflags(write=False)
        scores = np.asarray(function(tables))
        if scores.shape != expected:
            raise ValueError(
                f"criterion={name} returned an array of shape {scores.shape} for tables of shape "
                f"{tables.shape} (candidates, branches, classes); one score a candidate is needed, "
                f"shape {expected}."
            )
        if scores.dtype.kind not in "fiub":
            raise TypeError(
                f"criterion={name} returned an array of dtype {scores.dtype}; scores are real numbers."
            )
        scores = np.ascontiguousarray(scores, dtype=np.float64)
        finite = np.isfinite(scores)
        if not finite.all():
            first = int(np.flatnonzero(~finite)[0])
            what = "NaN" if np.isnan(scores[first]) else f"infinity ({scores[first]})"
            raise ValueError(f"criterion={name} returned {what} for the table {tables[first].tolist()}.")
        return scores

    return score
