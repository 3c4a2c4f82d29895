"""Every criterion, and the entropy of order q, as a function of count tables.

A table has branches down and classes across; leading axes are kept, so many tables are scored at
once. The functions are made from the registry of criteria: ``measures.gain``, ``measures.distance``
and so on exist for every criterion that `ramify.list_criteria` names, and compute just what a tree
is grown by. Scores are higher for better splits; what a paper minimises is negated.

Examples
--------
The four attributes of the lecture's example, ``buys_computer``; gains in nats, so divide by ln 2:

>>> import numpy as np
>>> from ramify import measures
>>> age = [[2, 3], [4, 0], [3, 2]]
>>> round(float(measures.gain(age, q=1) / np.log(2)), 4)
0.2467
>>> round(float(measures.gain_ratio(age)), 4)
0.1564
>>> measures.gain([age, age], q=2).round(4)
array([0.1163, 0.1163])
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ramify import _core
from ramify.criteria import Criterion, find_criterion, list_criteria

Measure = Callable[..., Any]


def entropy(counts: ArrayLike, q: float = 1.0) -> NDArray[np.float64] | np.float64:
    """Entropy of order q of the distributions along the last axis.

    ``(1 - sum p^q) / (q - 1)`` over the classes present, and its limit, Shannon's entropy in nats, at
    q = 1; q = 2 is the Gini index.

    Parameters
    ----------
    counts : array-like, shape (..., classes)
        Counts or probabilities; they need not sum to one. All zero gives 0.
    q : float, default=1
        Any real order.

    Returns
    -------
    ndarray or float
        Shape ``(...)``.

    Examples
    --------
    >>> from ramify import measures
    >>> float(measures.entropy([1, 1], q=2))
    0.5
    """
    array = _counts(counts, 1)
    flat = np.ascontiguousarray(array.reshape(-1, array.shape[-1]))
    return _core.entropies(_order(q), flat).reshape(array.shape[:-1])[()]


def score(
    criterion: str, tables: ArrayLike, q: float | None = None, min_support: float = 0.0
) -> NDArray[np.float64] | np.float64:
    """Score of tables under a criterion by its name.

    Parameters
    ----------
    criterion : str
        A name from `ramify.list_criteria`.
    tables : array-like, shape (..., branches, classes)
        Class counts of each branch; they may be any weights. Branches without cases do not count.
    q : float, optional
        The order, for criteria that take one; any real number. None is the criterion's default.
    min_support : float, default=0
        A branch in which no class has this many cases has no support and earns nothing.

    Returns
    -------
    ndarray or float
        Shape ``(...)``; higher is better. NaN where the criterion is not defined for the table.

    Examples
    --------
    >>> from ramify import measures
    >>> float(measures.score("purity", [[9, 1], [2, 8]]))
    0.85
    """
    info = find_criterion(criterion)
    if q is not None and not info.takes_order:
        raise ValueError(f"q={q!r} was given, but the criterion {criterion!r} takes no order.")
    if not min_support >= 0:
        raise ValueError(f"min_support={min_support!r} must be a number >= 0.")
    order = info.default_order if q is None else _order(q)
    array = _counts(tables, 2)
    flat = np.ascontiguousarray(array.reshape(-1, *array.shape[-2:]))
    scores = _core.score_tables(criterion, order, float(min_support), flat)
    return scores.reshape(array.shape[:-2])[()]


def _order(q: float) -> float:
    if not np.isfinite(q):
        raise ValueError(f"q={q!r} must be a finite number.")
    return float(q)


def _counts(values: ArrayLike, axes: int) -> NDArray[np.float64]:
    array = np.asarray(values, dtype=np.float64)
    if array.ndim < axes or array.shape[-1] == 0 or 0 in array.shape[array.ndim - axes :]:
        wanted = "(..., branches, classes)" if axes == 2 else "(..., classes)"
        raise ValueError(f"counts of shape {array.shape} were given; {wanted} is needed.")
    if not np.isfinite(array).all() or (array < 0).any():
        raise ValueError("counts must be finite and not negative.")
    return array


def _make(info: Criterion) -> Measure:
    """Make the function of one criterion."""
    if info.takes_order:

        def measure(tables: ArrayLike, q: float = info.default_order, min_support: float = 0.0) -> Any:
            return score(info.name, tables, q, min_support)

    else:

        def measure(tables: ArrayLike, min_support: float = 0.0) -> Any:  # type: ignore[misc]
            return score(info.name, tables, None, min_support)

    order = (
        f"\n    q : float, default={info.default_order:g}\n        The order; any real number."
        if info.takes_order
        else ""
    )
    measure.__name__ = measure.__qualname__ = info.name
    measure.__module__ = __name__
    measure.__doc__ = f"""Score tables by ``{info.formula}``.

    In words: {info.meaning}. Origin: {info.origin}.

    Parameters
    ----------
    tables : array-like, shape (..., branches, classes)
        Class counts of each branch.{order}
    min_support : float, default=0
        A branch in which no class has this many cases has no support and earns nothing.

    Returns
    -------
    ndarray or float
        Shape ``(...)``; higher is better.

    Examples
    --------
    >>> from ramify import measures
    >>> bool(measures.{info.name}([[9, 1], [2, 8]]) >= measures.{info.name}([[5, 5], [6, 4]]))
    True
    """
    return measure


_MEASURES: dict[str, Measure] = {info.name: _make(info) for info in list_criteria()}
globals().update(_MEASURES)
__all__ = ["entropy", "score", *_MEASURES]  # noqa: PLE0604  (made from the registry)


def __getattr__(name: str) -> Measure:
    # For type checkers, which can't see the registry; at run time only unknown names get here.
    raise AttributeError(f"module 'ramify.measures' has no measure {name!r}")
