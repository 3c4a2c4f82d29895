"""Loading: from a name to a data set in the frame library of the caller."""

from __future__ import annotations

from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from . import _registry
from ._dataset import Dataset
from ._frame import choose_backend, make_frame


def list_datasets() -> tuple[str, ...]:
    """Return the names that `load` accepts.

    Returns
    -------
    tuple of str
        The names, sorted.

    Examples
    --------
    >>> from ramify.datasets import list_datasets
    >>> [name for name in list_datasets() if name.startswith("ti")]
    ['tic-tac-toe', 'titanic']
    """
    return _registry.names()


@overload
def load(
    name: str, *, backend: str | None = ..., return_X_y: Literal[False] = ..., download: bool = ...
) -> Dataset: ...
@overload
def load(
    name: str, *, backend: str | None = ..., return_X_y: Literal[True], download: bool = ...
) -> tuple[Any, NDArray[np.object_]]: ...
@overload
def load(
    name: str, *, backend: str | None = ..., return_X_y: bool, download: bool = ...
) -> Dataset | tuple[Any, NDArray[np.object_]]: ...
def load(
    name: str, *, backend: str | None = None, return_X_y: bool = False, download: bool = False
) -> Dataset | tuple[Any, NDArray[np.object_]]:
    """Load a data set by name.

    Parameters
    ----------
    name : str
        One of `list_datasets()`. Case does not matter, nor whether words are joined by ``-``
        or ``_``.
    backend : {"pandas", "polars", "pyarrow"}, optional
        The library of the frame `X`. By default the first of these three, in this order, that
        is installed.
    return_X_y : bool, default=False
        Return ``(X, y)`` instead of a `Dataset`.
    download : bool, default=False
        Download a set that may not be shipped with the package, and keep it in the cache. Most sets come
        with the package and never need it. Without it, such a set is sought as ``NAME.csv`` in the folder
        that the environment variable RAMIFY_DATA names, and in the cache (RAMIFY_CACHE names another).

    Returns
    -------
    Dataset or tuple
        The data set, or its `X` and `y` alone. Each call makes them anew, so changing them
        changes nothing else.

    Raises
    ------
    ValueError
        If no data set has that name, or `backend` is not one of the three.
    TypeError
        If `name` is not a str, or `return_X_y` or `download` not a bool.
    MissingDataset
        If the set may not be shipped, and is not here; the text says how to get it. A `LookupError`.
    DownloadError
        If it could not be downloaded. An `OSError`.
    ImportError
        If the library that `backend` names, or with None every one of them, is not installed.

    Examples
    --------
    >>> from ramify.datasets import load
    >>> data = load("balance-scale")
    >>> data.X.shape, data.target, data.classes
    ((625, 4), 'class', ('L', 'B', 'R'))

    >>> X, y = load("Buys-Computer", return_X_y=True)
    >>> y[:3]
    array(['no', 'no', 'yes'], dtype=object)

    >>> load("titanik")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    ValueError: unknown data set 'titanik'; did you mean 'titanic'? the names are ...
    """
    entry = _registry.find(name)
    # Checked before any row is made, so that a wrong call fails at once whatever the set.
    backend = choose_backend(backend)
    for word, value in (("return_X_y", return_X_y), ("download", download)):
        if not isinstance(value, (bool, np.bool_)):
            raise TypeError(f"{word} must be True or False, got {value!r}")
    table = entry.read(bool(download))
    X = make_frame(table, backend)
    y = np.array(table.labels, dtype=object)
    if return_X_y:
        return X, y
    return Dataset(
        name=entry.name,
        X=X,
        y=y,
        target=table.target,
        classes=table.classes,
        categories=table.categories,
        description=entry.description,
        source=entry.source,
        licence=entry.licence,
    )
