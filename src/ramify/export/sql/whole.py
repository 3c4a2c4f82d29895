"""Trees down which every case goes as a whole: first the node where it ends, then what that node answers.

The text is as long as the tree is large. It is nested no deeper than a few levels of the tree: a node at that
depth is noted, and the next step goes on from there.
"""

from __future__ import annotations


import numpy as np
from sqlglot import exp

from ramify.export.sql.splits import Splits
from ramify.export.sql.steps import Steps
from ramify.export.sql.terms import case, column

#: Levels of the tree that a step goes down: parsers and databases recurse.
LEVELS = 20


def add_end_nodes(steps: Steps, splits: Splits) -> exp.Expression:
    """Add the steps that find the node where a case ends; return the term for its number."""
    ends: list[str] = []
    frontier = [0]
    while frontier:
        beyond: list[int] = []
        walks = {node: _walk(splits, node, LEVELS, beyond) for node in frontier}
        name = f"node_{len(ends) + 1}"
        if ends:
            found = exp.Case(this=column(ends[-1]))
            for node, walk in walks.items():
                found.append("ifs", exp.If(this=exp.Literal.number(node), true=walk))
        else:
            found = walks[0]
        steps.add({name: found})
        ends.append(name)
        frontier = beyond
    last_first = [column(name) for name in reversed(ends)]
    return last_first[0] if len(ends) == 1 else exp.Coalesce(this=last_first[0], expressions=last_first[1:])


def _walk(splits: Splits, node: int, levels: int, beyond: list[int]) -> exp.Expression:
    """Return the number of the node that a case reaches from a node, at most some levels below."""
    here = exp.Literal.number(node)
    children = list(splits.tree.children(node))
    if not children:
        return here
    if levels == 0:
        beyond.append(node)
        return here
    taken = [
        (test, child) for test, child in zip(splits.tests(node), children, strict=True) if test is not None
    ]
    last: exp.Expression = here
    if not splits.may_stay(node):
        # Every case takes a branch, so one needs no test: that of missing values, or the last.
        route = int(splits.tree.missing_route[node]) if splits.may_miss(node) else -1
        final = children[route] if route >= 0 else taken[-1][1]
        taken = [(test, child) for test, child in taken if child != final]
        last = _walk(splits, final, levels - 1, beyond)
    return case([(test, _walk(splits, child, levels - 1, beyond)) for test, child in taken], last)


def end_nodes(splits: Splits) -> list[int]:
    """Return the nodes where a case may end."""
    return [node for node in range(splits.tree.node_count) if splits.may_stay(node)]


def may_part(splits: Splits) -> bool:
    """Whether a case may go down a tree in parts."""
    inner = np.flatnonzero(splits.tree.n_children > 0)
    return any(splits.parts(int(node)) for node in inner)
