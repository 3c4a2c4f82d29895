"""What would have to change in a case for another answer: the fewest columns."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._conditions import number_text
from ramify.explaining.amounts import listed
from ramify.explaining.conditions import Condition
from ramify.explaining.encoded_cases import EncodedCases
from ramify.explaining.ends import Distances, End, accepted, find_ends
from ramify.explaining.questions import categories_phrase
from ramify.tree import KINDS

#: Cases that are looked at together; memory is this times the number of ends.
_CHUNK = 512


@dataclass(frozen=True)
class ColumnChange:
    """A new value of a column.

    Attributes
    ----------
    column : str
        Its name.
    old, new : hashable
        The value, None if it is missing, and one that would do.
    accepted : Condition
        All values that would do.
    text : str
        The same in words.
    """

    column: str
    old: Any
    new: Any
    accepted: Condition
    text: str


@dataclass(frozen=True)
class Change:
    """Changes of a case that together give it another answer.

    Attributes
    ----------
    columns : tuple of ColumnChange
        What has to change.
    answer : hashable
        The answer then.
    smallest : bool
        Whether it is proved that no smaller number of columns would do. It is, unless a case goes down the
        tree in parts, because of missing values, and more than two columns are named.
    text : str
        The same in words.
    """

    columns: tuple[ColumnChange, ...]
    answer: Any
    smallest: bool
    text: str


def smallest_changes(cases: EncodedCases, votes: NDArray[np.int64]) -> list[Change | None]:
    """Return for each case the fewest columns to change for another answer; None if there is no other.

    Values may become any number or any category of the training data, not missing. Every change is tried on
    the model itself before it is returned.

    Parameters
    ----------
    cases : EncodedCases
        The cases.
    votes : ndarray
        The class number that each of them gets.
    """
    model = cases.model
    ends = find_ends(model)
    of_ends = model._answers.votes[[end.node for end in ends]]
    found: list[Change | None] = []
    for start in range(0, len(cases), _CHUNK):
        rows = np.arange(start, min(start + _CHUNK, len(cases)))
        part = cases.repeated(rows)
        unmet = Distances(ends, part).unmet
        unmet[of_ends[:, None] == votes[rows][None, :]] = Distances.NEVER
        best = unmet.argmin(axis=0)
        fewest = unmet[best, np.arange(len(rows))]
        in_parts = _may_part(part)
        for row in range(len(rows)):
            changes, proved = None, True
            if fewest[row] < Distances.NEVER:
                changes = _towards(part, row, ends[int(best[row])])
            if in_parts[row] and fewest[row] > 1:
                single = _single_change(part, row, int(votes[rows[row]]))
                changes, proved = (single, True) if single else (changes, fewest[row] == 2)
            found.append(_checked(part, row, changes, proved, int(votes[rows[row]])) if changes else None)
    return found


def _may_part(cases: EncodedCases) -> NDArray[np.bool_]:
    """Say for each case whether a missing value may send it down several branches."""
    tree = cases.model.tree_
    parting = np.unique(tree.column[(tree.missing_route == -2) & (tree.column >= 0)])
    found = np.zeros(len(cases), dtype=bool)
    for column in parting.tolist():
        found |= cases.is_missing(column)
    return found


def _towards(cases: EncodedCases, row: int, end: End) -> list[ColumnChange]:
    """Return what a case lacks to come to an end."""
    one = cases.repeated(np.array([row]))
    return [
        _column_change(cases, row, index, condition)
        for index, condition in end.conditions.items()
        if not accepted(condition, one, index, unseen=end.unseen_in == index)[0]
    ]


def _single_change(cases: EncodedCases, row: int, vote: int) -> list[ColumnChange] | None:
    """Return the change of one column that gives another answer, all that differ for the tree being tried."""
    tree, schema = cases.model.tree_, cases.model.schema_
    tries: list[tuple[int, Hashable | float]] = []
    for index in np.unique(tree.column[tree.column >= 0]).tolist():
        categories = schema.columns[index].categories
        if categories is not None:
            tries += [(index, category) for category in categories]
            continue
        cuts = np.unique(tree.threshold[(tree.column == index) & (tree.kind == KINDS.index("threshold"))])
        tries += [(index, cut) for cut in cuts.tolist()]
        tries.append((index, _above(float(cuts[-1]), math.inf) if len(cuts) else 0.0))
    varied = cases.repeated(np.full(len(tries), row))
    for place, (index, value) in enumerate(tries):
        varied.columns[index][place] = cases.code(index, value)
    others = np.flatnonzero(varied.votes() != vote)
    if len(others) == 0:
        return None
    index, value = tries[int(others[0])]
    name = schema.columns[index].name
    if schema.columns[index].nominal:
        only = Condition(name, categories=frozenset([value]), missing=False)
    else:
        number = float(value)  # type: ignore[arg-type]
        only = Condition(name, low=float(np.nextafter(number, -math.inf)), high=number, missing=False)
    old = cases.value(row, index)
    shown = number_text(value) if isinstance(value, float) else str(value)
    return [ColumnChange(name, old, value, only, f"{name} were {shown}{_instead(old)}")]


def _column_change(cases: EncodedCases, row: int, index: int, condition: Condition) -> ColumnChange:
    column = cases.model.schema_.columns[index]
    old = cases.value(row, index)
    if column.categories is not None:
        would_do = [c for c in column.categories if condition.categories is None or c in condition.categories]
        text = f"{column.name} were {categories_phrase(would_do)}{_instead(old)}"
        return ColumnChange(column.name, old, would_do[0], condition, text)
    new = condition.high if math.isinf(condition.low) else _above(condition.low, condition.high)
    if math.isinf(new):
        new = 0.0  # any number will do
    limits = [
        words
        for limit, words in (
            (condition.low, f"more than {number_text(condition.low)}"),
            (condition.high, f"at most {number_text(condition.high)}"),
        )
        if not math.isinf(limit)
    ]
    text = f"{column.name} were {listed(limits) or 'known'}{_instead(old)}"
    return ColumnChange(column.name, old, new, condition, text)


def _instead(old: object) -> str:
    if old is None:
        return " (it is missing)"
    return f" (not {number_text(old) if isinstance(old, float) else old})"


def _above(low: float, high: float) -> float:
    """Return a short number that is more than `low` and at most `high`."""
    for digits in range(16):
        scale = 10.0**digits
        number = (math.floor(low * scale) + 1) / scale if abs(low * scale) < 2**53 else low
        if low < number <= high:
            return number
    return min(float(np.nextafter(low, math.inf)), high)


def _checked(cases: EncodedCases, row: int, changes: list[ColumnChange], proved: bool, vote: int) -> Change:
    """Try a change on the model, and put it into words."""
    model = cases.model
    changed = cases.repeated(np.array([row]))
    for change in changes:
        index = model.schema_.names.index(change.column)
        changed.columns[index][0] = cases.code(index, change.new)
    new = int(changed.votes()[0])
    if new == vote:
        told = ", ".join(change.text for change in changes)
        raise RuntimeError(f"a change that was found does not change the answer; please report it: {told}")
    answer = model.classes_[new]
    text = f"It would be {answer} if {' and '.join(change.text for change in changes)}."
    return Change(tuple(changes), answer.item() if hasattr(answer, "item") else answer, proved, text)
