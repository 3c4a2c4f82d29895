"""The grid of orders q."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._parameters import is_number, is_real, refuse
from ramify.criteria import ALIASES, find_criterion, list_criteria

#: As many as the core counts.
MOST = 65535

_ACCEPTED = "None or a list of different finite numbers >= 0"


def check_orders(qs: Any) -> NDArray[np.float64]:
    """Return the orders in rising order; None is 0.1, 0.2, ..., 10.0, the grid of Wang and Xia (2016).

    Raises
    ------
    ValueError
        If there is none, or too many, or one is there twice, is negative, infinite or no number.
    """
    if qs is None:
        return np.arange(1, 101) / 10
    if not is_flat(qs):
        raise refuse("qs", qs, _ACCEPTED)
    listed = np.asarray(qs, dtype=object).tolist()
    if not listed:
        raise ValueError(f"qs is empty; it must be {_ACCEPTED}.")
    if len(listed) > MOST:
        raise ValueError(f"qs has {len(listed)} values; it must be {_ACCEPTED}, at most {MOST} of them.")
    for q in listed:
        if not is_number(q):
            raise ValueError(f"qs has {q!r}; it must be {_ACCEPTED}.")
        if not is_real(q) or q < 0:
            raise ValueError(f"qs has {q}; it must be {_ACCEPTED}.")
    orders = np.sort(np.array(listed, dtype=np.float64)) + 0.0  # a minus zero becomes a zero
    twice = np.flatnonzero(same_order(orders[1:], orders[:-1]))
    if len(twice):
        low, high = orders[twice[0]], orders[twice[0] + 1]
        rounding = "" if low == high else f" ({float(low)!r} and {float(high)!r})"
        raise ValueError(f"qs has {low:g} more than once{rounding}; it must be {_ACCEPTED}.")
    return orders


def same_order(one: Any, other: Any) -> NDArray[np.bool_]:
    """Whether orders are the same but for rounding, as 0.3 and 0.1 + 0.2 are."""
    same: NDArray[np.bool_] = np.isclose(one, other, rtol=1e-9, atol=1e-12)
    return same


def is_flat(values: Any) -> bool:
    """Whether something is a list, or an array or series, of single values."""
    try:
        return not isinstance(values, (str, bytes)) and np.ndim(values) == 1
    except ValueError:  # lists of different lengths
        return False


def check_takes_order(criterion: Any) -> None:
    """Refuse a criterion that can't be tried with several q; the text says what to use instead."""
    if callable(criterion):
        raise ValueError(f"criterion={criterion!r} is a callable, which takes no q; {_with_order()}.")
    if not isinstance(criterion, str):
        raise TypeError(f"criterion={criterion!r} is not accepted; {_with_order()}.")
    name, fixed = ALIASES.get(criterion, (criterion, None))
    info = find_criterion(name)
    if fixed is not None:
        raise ValueError(
            f"criterion={criterion!r} is {name!r} with q={fixed:g}, and many q are to be tried; "
            f"use criterion={name!r}."
        )
    if not info.takes_order:
        raise ValueError(f"criterion={criterion!r} takes no q; {_with_order()}.")


def _with_order() -> str:
    names = ", ".join(repr(info.name) for info in list_criteria() if info.takes_order)
    return f"use one of those that do: {names}"
