"""The critical-difference diagram (Demsar 2006), by scikit-posthocs."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np

from ramify.experiments.significance import RankTests

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _BAR = "#1c2126", "#0072b2"


#: Inches: the length of the axis, the height of a line, and what is left free round the drawing.
_AXIS, _LINE, _EDGE = 4.8, 0.22, 0.12


def draw_diagram(tests: RankTests, ax: Axes | None = None) -> Axes:
    """Draw mean ranks, with a bar over models that Nemenyi's test does not tell apart.

    Parameters
    ----------
    tests : RankTests
        The ranks and the test.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure, as large as the names need.

    Raises
    ------
    ValueError
        If there is no such test.
    ImportError
        If matplotlib is not installed.
    """
    if tests.nemenyi is None or tests.critical_difference is None:
        raise ValueError(f"There is no critical-difference diagram. {tests.reasons['nemenyi']}")
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError('plot needs matplotlib: pip install "ramify[experiments]".') from None
    if ax is None:
        _, ax = plt.subplots()
        _draw(tests, ax)
        _make_room(ax)
    else:
        _draw(tests, ax)
    return ax


def _draw(tests: RankTests, ax: Axes) -> None:
    import pandas as pd
    from matplotlib.ticker import MaxNLocator
    from scikit_posthocs import critical_difference_diagram

    names = list(tests.models)
    margin = 0.02 * len(names)
    drawn = critical_difference_diagram(
        # The order of names breaks ties of ranks, so that the drawing is the same each time.
        pd.Series(tests.ranks, index=names).sort_values(kind="stable"),
        pd.DataFrame(tests.nemenyi, index=names, columns=names),
        alpha=tests.alpha,
        ax=ax,
        label_fmt_left="{label}  {rank:.2f} ",
        label_fmt_right=" {rank:.2f}  {label}",
        label_props={"fontsize": 9},
        elbow_props={"color": _INK, "linewidth": 0.8},
        marker_props={"color": _INK, "s": 12},
        crossbar_props={"color": _BAR, "linewidth": 3, "solid_capstyle": "butt"},
        text_h_margin=2 * margin,
    )
    for (bar,) in drawn["crossbars"]:
        # Its points come from a set, in an order that differs from process to process.
        places = np.asarray(bar.get_xdata(), dtype=np.float64)
        bar.set_data([places.min(), places.max()], bar.get_ydata()[:2])
    ax.set_xlim(1 - margin, len(names) + margin)
    ax.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    ax.tick_params(labelsize=9)
    _draw_length(ax, tests)


def _draw_length(ax: Axes, tests: RankTests) -> None:
    """Draw the critical difference as a length above the axis, from its left end on."""
    assert tests.critical_difference is not None
    look: dict[str, Any] = {"color": _BAR, "linewidth": 1.2, "clip_on": False}
    y, end = 1.9, min(1 + tests.critical_difference, float(len(tests.models)))
    words = f"critical difference {tests.critical_difference:.2f} (level {tests.alpha:g})"
    if end == 1 + tests.critical_difference:
        ax.plot([1, end], [y, y], marker="|", markersize=7, **look)
        ax.text(1, y + 0.45, words, va="bottom", ha="left", fontsize=9, color=_BAR)
    else:  # longer than the axis: no two models can be told apart
        ax.text(1, y, f"{words}: longer than the axis", va="bottom", ha="left", fontsize=9, color=_BAR)
    ax.set_ylim(top=3.2)


def _make_room(ax: Axes) -> None:
    """Make the figure as large as its names and lines need, round an axis of a fixed length."""
    from matplotlib.figure import Figure

    figure = ax.figure
    assert isinstance(figure, Figure)
    low, high = ax.get_ylim()
    height = _LINE * (high - low)
    figure.set_size_inches(_AXIS, height)
    ax.set_position((0.0, 0.0, 1.0, 1.0))
    boxes = [text.get_window_extent() for text in ax.texts]
    left = max(0.0, -min(box.x0 for box in boxes) / figure.dpi) + _EDGE
    right = max(0.0, max(box.x1 for box in boxes) / figure.dpi - _AXIS) + _EDGE
    width, tall = left + _AXIS + right, height + 2 * _EDGE
    figure.set_size_inches(width, tall)
    ax.set_position((left / width, _EDGE / tall, _AXIS / width, height / tall))


def diagram_svg(tests: RankTests, title: str) -> str:
    """Return the diagram as SVG, the same bytes for the same tests."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    settings: Any = {"svg.hashsalt": title, "svg.fonttype": "path", "font.family": "sans-serif"}
    with mpl.rc_context(settings):
        figure = Figure()
        ax = figure.subplots()
        _draw(tests, ax)
        _make_room(ax)
        file = io.StringIO()
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()
