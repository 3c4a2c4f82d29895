"""The data set as a user holds it: a frame, its labels, and what is known about both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


# eq=False: the generated comparison would compare frames and arrays, whose `==` is elementwise
# and has no single truth value.
@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """A loaded data set.

    Attributes
    ----------
    name : str
        The name under which it was loaded, in its canonical spelling.
    X : pandas.DataFrame, polars.DataFrame or pyarrow.Table
        One column per attribute. Nominal columns have the categorical type of the library, with
        the categories in declared order; numeric columns are int64 or float64. A missing value is
        what the library has for it.
    y : ndarray of str objects, shape (n_rows,)
        The class of each row, the same NumPy array whichever library made `X`.
    target : str
        The name of the class column in the source; it is not a column of `X`.
    classes : tuple of str
        The classes in declared order. A declared class need not occur in the rows.
    categories : dict of str to tuple of str
        For every nominal column, in the order of `X`, its declared categories. A declared
        category need not occur in the rows.
    description : str
        What a row and the classes are.
    source : str
        Where the data come from.
    licence : str
        The terms under which they may be used.

    Examples
    --------
    >>> from ramify.datasets import load
    >>> data = load("titanic")
    >>> data
    <Dataset 'titanic': 2201 rows, 3 columns, classes no, yes>
    >>> data.categories["age"]
    ('adult', 'child')
    """

    name: str
    X: Any
    y: NDArray[np.object_]
    target: str
    classes: tuple[str, ...]
    categories: dict[str, tuple[str, ...]]
    description: str
    source: str
    licence: str

    def __repr__(self) -> str:
        # The frame itself would fill a screen; its size and the classes tell the sets apart.
        rows, columns = self.X.shape
        few = len(self.classes) <= 6
        classes = f"classes {', '.join(self.classes)}" if few else f"{len(self.classes)} classes"
        return f"<Dataset {self.name!r}: {rows} rows, {columns} columns, {classes}>"
