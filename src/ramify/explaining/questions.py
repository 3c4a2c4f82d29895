"""The question that a split asks, as a phrase of a sentence."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from numpy.typing import ArrayLike

from ramify._conditions import number_text, routed_categories
from ramify.explaining.amounts import listed
from ramify.schema import Column

#: Longer lists of categories are cut.
MAX_CATEGORIES = 6


def categories_phrase(categories: Sequence[Hashable], last: str = "or") -> str:
    """Return categories as a list, the rest counted if there are many."""
    shown = [str(category) for category in categories[:MAX_CATEGORIES]]
    hidden = len(categories) - len(shown)
    return listed([*shown, f"{hidden:,} more"] if hidden else shown, last)


def question(column: Column, kind: str, threshold: float | None, routes: ArrayLike) -> str:
    """Return what a split asks: ``about sex`` or ``whether age is at most 30``.

    Parameters
    ----------
    column : Column
        The column of the schema.
    kind : str
        One of ``ramify.tree.KINDS``, no leaf.
    threshold : float or None
        Of a split of kind "threshold".
    routes : array-like of int
        The branch of each category, of a split of a nominal column.

    Examples
    --------
    >>> from ramify.schema import Column
    >>> from ramify.explaining.questions import question
    >>> question(Column("age"), "threshold", 30.5, ())
    'whether age is at most 30.5'
    >>> question(Column("size", ("s", "m", "l", "xl")), "subset", None, (0, 0, 1, 1))
    'whether size is s or m'
    """
    if kind == "known":
        return f"whether {column.name} is known"
    if kind == "threshold":
        return f"whether {column.name} is at most {number_text(threshold or 0.0)}"
    if kind == "multiway":
        return f"about {column.name}"
    left, right = (routed_categories(column, routes, branch) for branch in (0, 1))
    if len(left) == len(right) == 1:
        return f"about {column.name}"
    return f"whether {column.name} is {categories_phrase(left if len(left) <= len(right) else right)}"
