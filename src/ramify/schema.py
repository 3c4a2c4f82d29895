"""The schema: what the columns and the classes of a model are.

A schema is made once, from the training data, and goes with the model wherever it goes: it turns new
rows into the codes that the tree was grown on, and codes back into names.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

__all__ = ["Column", "Schema"]


@dataclass(frozen=True)
class Column:
    """A column: its name, and its categories if it is nominal.

    Parameters
    ----------
    name : str
        The name in the training frame; ``x0``, ``x1``, ... for arrays, which have none.
    categories : tuple of hashable or None
        The categories of a nominal column in their declared order (sorted if none was declared);
        None for a numeric column.

    Examples
    --------
    >>> from ramify.schema import Column
    >>> Column("sex", ("female", "male")).nominal
    True
    """

    name: str
    categories: tuple[Hashable, ...] | None = None

    @property
    def nominal(self) -> bool:
        """Whether the column holds categories."""
        return self.categories is not None

    @cached_property
    def codes(self) -> dict[Hashable, int]:
        """The code of each category."""
        return {category: code for code, category in enumerate(self.categories or ())}


@dataclass(frozen=True)
class Schema:
    """The columns of a model and its classes.

    Parameters
    ----------
    columns : tuple of Column
        In the order of the training data.
    classes : ndarray
        The classes in sorted order; class counts are in this order everywhere.
    named : bool
        Whether the names come from the data; arrays have none and get ``x0``, ``x1``, ...

    Examples
    --------
    >>> import numpy as np
    >>> from ramify.schema import Column, Schema
    >>> schema = Schema((Column("age"), Column("sex", ("f", "m"))), np.array(["no", "yes"]), True)
    >>> schema.n_categories
    [0, 2]
    """

    columns: tuple[Column, ...]
    classes: NDArray[np.generic]
    named: bool

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return [column.name for column in self.columns]

    @property
    def n_categories(self) -> list[int]:
        """The number of categories of each column, 0 for a numeric one."""
        return [len(column.categories or ()) for column in self.columns]
