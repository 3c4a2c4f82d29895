"""The splits of a tree as tests on the columns of a query."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from sqlglot import exp

from ramify.export.sql.terms import any_of, column, is_in, is_null, number
from ramify.schema import Schema
from ramify.tree import KINDS, Tree


@dataclass(frozen=True)
class Splits:
    """The splits of a tree.

    Parameters
    ----------
    tree : Tree
        The tree.
    schema : Schema
        Its columns.
    complete : frozenset of int
        The columns that have no missing values.
    """

    tree: Tree
    schema: Schema
    complete: frozenset[int]

    @cached_property
    def used(self) -> list[int]:
        """The columns that the tree asks for."""
        return sorted(set(self.tree.column[self.tree.column >= 0].tolist()))

    def value(self, node: int) -> exp.Expression:
        """Return the value that a node asks for."""
        return column(f"v{self.tree.column[node]}")

    def may_miss(self, node: int) -> bool:
        """Whether the value that a node asks for may be missing."""
        return int(self.tree.column[node]) not in self.complete

    def parts(self, node: int) -> bool:
        """Whether a missing value goes down all branches of a node."""
        return self.may_miss(node) and int(self.tree.missing_route[node]) == -2

    def stays_if_missing(self, node: int) -> bool:
        """Whether a missing value stays in a node."""
        return self.may_miss(node) and int(self.tree.missing_route[node]) == -1

    def nominal(self, node: int) -> bool:
        """Whether a node asks for a category; then one without a branch stays in it."""
        return KINDS[self.tree.kind[node]] in ("subset", "multiway")

    def may_stay(self, node: int) -> bool:
        """Whether a case may end in a node: in a leaf, with an unknown category, or with a missing value."""
        return self.tree.n_children[node] == 0 or self.nominal(node) or self.stays_if_missing(node)

    def tests(self, node: int) -> list[exp.Expression | None]:
        """Return the test of each branch of a node, None where no case can take it.

        NULL, as SQL has it, is no answer: of a value that is missing no test holds but those that ask for it.
        """
        tree, kind = self.tree, KINDS[self.tree.kind[node]]
        branches = int(tree.n_children[node])
        tests: list[list[exp.Expression]] = [[] for _ in range(branches)]
        if kind == "known":
            tests[0].append(exp.not_(is_null(self.value(node))) if self.may_miss(node) else exp.true())
        elif kind == "threshold":
            cut = float(tree.threshold[node])
            tests[0].append(exp.LTE(this=self.value(node), expression=number(cut)))
            tests[1].append(exp.GT(this=self.value(node), expression=number(cut)))
        else:
            for branch, some in enumerate(self.categories(node)):
                if some:
                    tests[branch].append(is_in(self.value(node), some, self._name(node)))
        route = int(tree.missing_route[node])
        if self.may_miss(node) and route >= 0:
            tests[route].insert(0, is_null(self.value(node)))
        return [any_of(some) if some else None for some in tests]

    def categories(self, node: int) -> list[list[object]]:
        """Return the categories of each branch of a nominal split."""
        every = self.schema.columns[int(self.tree.column[node])].categories or ()
        routes = self.tree.routes_of(node)
        branches = range(int(self.tree.n_children[node]))
        return [[every[code] for code in np.flatnonzero(routes == branch)] for branch in branches]

    def stays(self, node: int) -> exp.Expression | None:
        """Return the test whether a case stays in a node that splits, None if none does."""
        tests = []
        if self.stays_if_missing(node):
            tests.append(is_null(self.value(node)))
        if self.nominal(node):
            routed = [category for some in self.categories(node) for category in some]
            tests.append(exp.not_(is_in(self.value(node), routed, self._name(node))))  # type: ignore[arg-type]
        return any_of(tests) if tests else None

    def _name(self, node: int) -> str:
        return self.schema.columns[int(self.tree.column[node])].name
