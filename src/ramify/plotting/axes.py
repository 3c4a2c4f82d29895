"""Axes to draw in, and the error without matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def new_axes(name: str, width: float, height: float) -> Axes:
    """Return the axes of a new figure; `name` is the function that needs them, sizes are in inches.

    Raises
    ------
    ImportError
        If matplotlib is not installed; the text says how to get it.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError(f'{name} needs matplotlib: pip install "ramify[plot]".') from None
    _, ax = plt.subplots(figsize=(width, height), layout="constrained")
    return ax
