"""What the path to a node asks of a case: one condition a column, however often it was asked about."""

from __future__ import annotations

import math
import numbers
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from ramify._conditions import categories_text, number_text
from ramify.schema import Column, Schema
from ramify.tree import KINDS, Tree

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["Condition", "conditions_of", "path_to", "walk"]


@dataclass(frozen=True)
class Condition:
    """What a rule asks of one column.

    Attributes
    ----------
    column : str
        Its name.
    low, high : float
        A number must be more than `low` and at most `high`; infinite where there is no limit.
    categories : frozenset or None
        The categories that are accepted, None if any is, or if the column is numeric.
    known : bool
        Whether a value that is there can be accepted; False if the value must be missing.
    missing : bool
        Whether a missing value is accepted.
    missing_seen : bool
        Whether the question was put to missing values in training, so that they are worth a word.

    Examples
    --------
    >>> from ramify.explaining.conditions import Condition
    >>> Condition("age", low=18.5).accepts(30), Condition("age", low=18.5, high=40.0).accepts(41)
    (True, False)
    """

    column: str
    low: float = -math.inf
    high: float = math.inf
    categories: frozenset[Hashable] | None = None
    known: bool = True
    missing: bool = True
    missing_seen: bool = False

    def accepts(self, value: object) -> bool:
        """Whether a value, None or NaN if it is missing, meets the condition."""
        if value is None or value != value:
            return self.missing
        if not self.known:
            return False
        if self.categories is not None:
            return value in self.categories
        if math.isinf(self.low) and math.isinf(self.high):
            return True
        return isinstance(value, numbers.Real) and self.low < float(value) <= self.high

    def text(self, order: tuple[Hashable, ...] = (), digits: int = 6, max_categories: int = 8) -> str:
        """Return it in words, categories in a given order."""
        if not self.known:
            return f"{self.column} is missing"
        said = self._text_if_known(order, digits, max_categories)
        return f"({said} or missing)" if self.missing and self.missing_seen else said

    def _text_if_known(self, order: tuple[Hashable, ...], digits: int, max_categories: int) -> str:
        if self.categories is not None:
            listed = [category for category in order if category in self.categories]
            return f"{self.column} {categories_text(listed, max_categories)}"
        low, high = (number_text(limit, digits) for limit in (self.low, self.high))
        if math.isinf(self.low):
            return f"{self.column} is known" if math.isinf(self.high) else f"{self.column} <= {high}"
        return f"{self.column} > {low}" if math.isinf(self.high) else f"{low} < {self.column} <= {high}"


def path_to(tree: Tree, node: int) -> list[int]:
    """Return the nodes from the root to a node, both included.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.explaining.conditions import path_to
    >>> path_to(TreeClassifier().fit([[1.0], [2.0], [3.0]], [0, 1, 0]).tree_, 3)
    [0, 2, 3]
    """
    path = [node]
    while node > 0:
        node = int(tree.parent[node])
        path.append(node)
    return path[::-1]


def conditions_of(model: TreeClassifier, node: int) -> list[Condition]:
    """Return what the path to a node asks, one condition a column, in the order of the first questions.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.explaining.conditions import conditions_of
    >>> model = TreeClassifier().fit([[1.0], [2.0], [3.0]], [0, 1, 0])
    >>> [condition.text() for condition in conditions_of(model, 3)]
    ['1.5 < x0 <= 2.5']
    """
    path = path_to(model.tree_, node)
    found: dict[int, Condition] = {}
    for above, below in pairwise(path):
        _add_step(found, model.schema_, model.tree_, above, below)
    return list(found.values())


def walk(model: TreeClassifier) -> Iterator[tuple[int, dict[int, Condition]]]:
    """Go through all nodes, from the first branch to the last, each with its conditions by column."""
    tree = model.tree_
    # A stack instead of recursion: trees may be deeper than Python's stack.
    stack: list[tuple[int, dict[int, Condition]]] = [(0, {})]
    while stack:
        node, conditions = stack.pop()
        yield node, conditions
        for child in reversed(tree.children(node)):
            narrowed = dict(conditions)
            _add_step(narrowed, model.schema_, tree, node, child)
            stack.append((child, narrowed))


def _add_step(found: dict[int, Condition], schema: Schema, tree: Tree, above: int, below: int) -> None:
    """Narrow the conditions, by column, to the cases that go from a node to its child."""
    index = int(tree.column[above])
    column = schema.columns[index]
    before = found.get(index, Condition(column.name))
    found[index] = _narrowed(before, column, tree, above, below - int(tree.first_child[above]))


def _narrowed(before: Condition, column: Column, tree: Tree, node: int, branch: int) -> Condition:
    kind = KINDS[tree.kind[node]]
    seen = before.missing_seen or bool(tree.unknown[node] > 0)
    if kind == "known":
        return replace(before, known=before.known and branch == 0, missing=before.missing and branch == 1)
    missing = before.missing and int(tree.missing_route[node]) == branch
    if kind == "threshold":
        narrowed = replace(before, missing=missing, missing_seen=seen)
        cut = float(tree.threshold[node])
        if branch == 0:
            return replace(narrowed, high=min(before.high, cut))
        if branch == 1:
            return replace(narrowed, low=max(before.low, cut))
        return replace(narrowed, known=False)  # a third branch is that of the missing values
    codes = (tree.routes_of(node) == branch).nonzero()[0].tolist()
    taken = frozenset((column.categories or ())[code] for code in codes)
    both = taken if before.categories is None else before.categories & taken
    return replace(
        before, categories=both, missing=missing, missing_seen=seen, known=before.known and bool(both)
    )
