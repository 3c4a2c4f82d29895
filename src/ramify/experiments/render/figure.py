"""Figures as SVG, by matplotlib, the same bytes for the same points."""

from __future__ import annotations

import io
import re
from importlib.util import find_spec
from typing import Any

from ramify.experiments.report import Figure, Series

#: Blocks of a bar chart in one line of text.
_BARS = "▁▂▃▄▅▆▇█"

#: Colours that people with any kind of colour vision can tell apart (Okabe and Ito).
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#b8a900")


def check_pictures(form: str) -> None:
    """Raise an error if a format has pictures and there is nothing to draw them with.

    For long runs, which should say so before they begin.
    """
    if form in ("html", "markdown") and find_spec("matplotlib") is None:
        raise ImportError(f'The pictures of {form} need matplotlib: pip install "ramify[experiments]".')


def svg_of(figure: Figure) -> str:
    """Return the drawing, without an XML head, so that it can stand in a page."""
    if figure.svg:
        return _body(figure.svg)
    check_pictures("html")
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Canvas

    settings: Any = {"svg.hashsalt": figure.title, "svg.fonttype": "none", "font.family": "sans-serif"}
    with rc_context(settings):
        canvas = Canvas(figsize=(7.2, 3.8), layout="constrained")
        axes = canvas.subplots()
        for n, series in enumerate(figure.series):
            _draw(axes, series, _COLOURS[n % len(_COLOURS)])
        for n, (name, x) in enumerate(figure.verticals):
            axes.axvline(
                x, color=_COLOURS[(n + len(figure.series)) % len(_COLOURS)], linestyle="--", label=name
            )
        axes.set_xlabel(figure.x_label)
        axes.set_ylabel(figure.y_label)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False, fontsize="small")
        file = io.StringIO()
        canvas.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return _body(file.getvalue())


def _draw(axes: Any, series: Series, colour: str) -> None:
    look = {"color": colour, "label": series.name}
    if series.style == "bars":
        axes.bar(series.x, series.y, _width(series), alpha=0.6, **look)
    elif series.style == "steps":
        axes.step(series.x, series.y, where="mid", **look)
    else:
        axes.plot(series.x, series.y, "o" if series.style == "points" else "-", markersize=5, **look)


def _width(series: Series) -> float:
    gaps = [b - a for a, b in zip(sorted(series.x), sorted(series.x)[1:], strict=False) if b > a]
    return 0.9 * min(gaps, default=1.0)


def _body(svg: str) -> str:
    start = svg.index("<svg")
    return re.sub(r"\s+$", "\n", svg[start:])


def sparkline(series: Series, width: int = 60) -> str:
    """Return the heights of a series in one line, from its lowest to its highest.

    Examples
    --------
    >>> from ramify.experiments.report import Series
    >>> from ramify.experiments.render.figure import sparkline
    >>> sparkline(Series("x", (0, 1, 2), (0, 5, 10)))
    '▁▄█'
    """
    points = sorted(zip(series.x, series.y, strict=True))
    picked = points if len(points) <= width else [points[i * len(points) // width] for i in range(width)]
    heights = [y for _, y in picked]
    low, high = min(heights), max(heights)
    span = (high - low) or 1.0
    return "".join(_BARS[int((y - low) / span * (len(_BARS) - 1))] for y in heights)
