"""The colours of the classes, which people who see few colours can tell apart too."""

from __future__ import annotations

#: Okabe and Ito's colours, the ones that are hard to see on white left for last.
_FEW = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#7F7F7F", "#F0E442")


def class_colours(n_classes: int) -> list[str]:
    """Return a colour for each class; more than eight come from a scale from dark blue to yellow.

    Examples
    --------
    >>> from ramify.plotting.palette import class_colours
    >>> class_colours(2)
    ['#0072B2', '#E69F00']
    """
    if n_classes <= len(_FEW):
        return list(_FEW[:n_classes])
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    scale = colormaps["viridis"]
    return [to_hex(scale(i / (n_classes - 1))) for i in range(n_classes)]


def tint(colour: str, strength: float = 0.18) -> str:
    """Return a colour mixed with white.

    Examples
    --------
    >>> from ramify.plotting.palette import tint
    >>> tint("#000000", 0.5)
    '#808080'
    """
    from matplotlib.colors import to_hex, to_rgb

    red, green, blue = (1.0 - strength * (1.0 - part) for part in to_rgb(colour))
    return to_hex((red, green, blue))
