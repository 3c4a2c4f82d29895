"""All places where a case can end, and what each asks of the columns.

A case ends in a leaf, or stays in a node that has no branch for its category or its missing value. It ends
whole in such a place just if every column meets the condition there. Which columns do not is what would have
to change for the case to end there: so the fewest changes are found by looking at every end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ramify.explaining.conditions import Condition, walk
from ramify.explaining.encoded_cases import EncodedCases
from ramify.tree import KINDS

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier


@dataclass(frozen=True)
class End:
    """A node in which cases can end, and the conditions, by column, of those that do."""

    node: int
    conditions: dict[int, Condition]
    #: The column in which a category that was never seen makes a case stay here.
    unseen_in: int | None = None


def find_ends(model: TreeClassifier) -> list[End]:
    """Return all ends, those of most training cases first."""
    tree = model.tree_
    found = []
    for node, conditions in walk(model):
        if tree.n_children[node] == 0:
            found.append(End(node, conditions))
        else:
            found += _staying(model, node, conditions)
    weights = tree.counts.sum(axis=1)
    return sorted(found, key=lambda end: (-weights[end.node], end.node))


def _staying(model: TreeClassifier, node: int, conditions: dict[int, Condition]) -> list[End]:
    """Return the end of the cases that stay in an inner node, if there can be any."""
    tree, index = model.tree_, int(model.tree_.column[node])
    column = model.schema_.columns[index]
    before = conditions.get(index, Condition(column.name))
    missing = before.missing and int(tree.missing_route[node]) == -1 and KINDS[tree.kind[node]] != "known"
    categories: frozenset[object] = frozenset()
    if KINDS[tree.kind[node]] in ("subset", "multiway"):
        unrouted = (tree.routes_of(node) == -1).nonzero()[0].tolist()
        categories = frozenset((column.categories or ())[code] for code in unrouted)
        if before.categories is not None:
            categories &= before.categories
    elif not missing:
        return []
    stay = replace(before, categories=categories, known=before.known and bool(categories), missing=missing)
    # Where a node above asked for the category already, one that was never seen stayed there.
    unseen = index if column.nominal and before.categories is None else None
    return [End(node, {**conditions, index: stay}, unseen_in=unseen)]


class Distances:
    """How many columns of each case do not meet the conditions of each end.

    Parameters
    ----------
    ends : list of End
        The ends.
    cases : EncodedCases
        The cases.

    Attributes
    ----------
    unmet : ndarray, shape (ends, cases)
        The number of columns; `NEVER` where a column does not that no known value could make do so.
    """

    NEVER = np.iinfo(np.int16).max

    def __init__(self, ends: list[End], cases: EncodedCases) -> None:
        self.unmet = np.zeros((len(ends), len(cases)), dtype=np.int16)
        for place, end in enumerate(ends):
            never = np.zeros(len(cases), dtype=bool)
            for index, condition in end.conditions.items():
                refused = ~accepted(condition, cases, index, unseen=end.unseen_in == index)
                self.unmet[place] += refused
                if not condition.known:
                    never |= refused
            self.unmet[place, never] = self.NEVER


def accepted(
    condition: Condition, cases: EncodedCases, index: int, unseen: bool = False
) -> NDArray[np.bool_]:
    """Say for each case whether its column meets a condition.

    Parameters
    ----------
    condition : Condition
        Of that column.
    cases : EncodedCases
        The cases.
    index : int
        The column.
    unseen : bool
        Whether a category that no training case had makes a case stay where the condition is asked.
    """
    values, column = cases.columns[index], cases.model.schema_.columns[index]
    if not column.nominal:
        inside: NDArray[np.bool_] = (values > condition.low) & (values <= condition.high)
        return np.where(np.isnan(values), condition.missing, inside & condition.known)
    categories = column.categories or ()
    named = [
        condition.known and (condition.categories is None or c in condition.categories) for c in categories
    ]
    # Codes -2 and -1 are a missing value and a category never seen: the last two of the table.
    table = np.array(
        [*named, condition.missing, unseen or (condition.known and condition.categories is None)]
    )
    met: NDArray[np.bool_] = table[values]
    return met
