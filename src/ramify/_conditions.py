"""The words for the branches of a node, wherever a tree is shown."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from ramify.schema import Column, Schema
from ramify.tree import KINDS, Tree


def number_text(value: float, digits: int = 6) -> str:
    """Return a number in few digits: whole numbers whole, others to `digits` significant ones."""
    if float(value).is_integer() and abs(value) < 1e15:
        return f"{int(value)}"
    return f"{value:.{digits}g}"


def categories_text(categories: Sequence[Hashable], max_categories: int) -> str:
    """Return ``= a`` for one category, ``in {a, b}`` for several, the rest counted if there are many."""
    if len(categories) == 1:
        return f"= {categories[0]}"
    shown = [str(category) for category in categories[:max_categories]]
    hidden = len(categories) - len(shown)
    more = [f"... {hidden:,} more"] if hidden else []
    return f"in {{{', '.join([*shown, *more])}}}"


def routed_categories(column: Column, routes: ArrayLike, branch: int) -> list[Hashable]:
    """Return the categories of a nominal column that go to a branch."""
    categories = column.categories or ()
    return [categories[code] for code in np.flatnonzero(np.asarray(routes) == branch)]


def branch_texts(
    schema: Schema, tree: Tree, node: int, digits: int = 6, max_categories: int = 8
) -> list[str]:
    """Return the condition of each branch of a node, in the order of its children."""
    column = schema.columns[int(tree.column[node])]
    if KINDS[tree.kind[node]] == "known":
        return [f"{column.name} is known", f"{column.name} is missing"]
    if KINDS[tree.kind[node]] == "threshold":
        cut = number_text(float(tree.threshold[node]), digits)
        texts = [f"{column.name} <= {cut}", f"{column.name} > {cut}"]
    else:
        routes = tree.routes_of(node)
        of_branch = [
            routed_categories(column, routes, branch) for branch in range(int(tree.n_children[node]))
        ]
        texts = [
            f"{column.name} {categories_text(categories, max_categories)}"
            for categories in of_branch
            if categories
        ]
    route = int(tree.missing_route[node])
    if len(texts) < tree.n_children[node]:
        texts.append(f"{column.name} is missing")
    elif route >= 0 and tree.unknown[node] > 0:
        texts[route] += " or missing"
    return texts
