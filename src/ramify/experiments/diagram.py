"""The critical-difference diagram (Demsar 2006), by scikit-posthocs."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from ramify.experiments.significance import RankTests

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_INK, _BAR = "#1c2126", "#0072b2"


def draw_diagram(tests: RankTests, ax: Axes | None = None) -> Axes:
    """Draw mean ranks, with a bar over models that Nemenyi's test does not tell apart.

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
    import pandas as pd
    from scikit_posthocs import critical_difference_diagram

    names = list(tests.models)
    if ax is None:
        _, ax = plt.subplots(figsize=(7.2, 1.3 + 0.2 * len(names)), layout="constrained")
    # The order of names breaks ties of ranks, so that the drawing is the same each time.
    ranks = pd.Series(tests.ranks, index=names).sort_values(kind="stable")
    critical_difference_diagram(
        ranks,
        pd.DataFrame(tests.nemenyi, index=names, columns=names),
        alpha=tests.alpha,
        ax=ax,
        label_fmt_left="{label}  {rank:.2f} ",
        label_fmt_right=" {rank:.2f}  {label}",
        label_props={"fontsize": 9},
        elbow_props={"color": _INK, "linewidth": 0.8},
        marker_props={"color": _INK, "s": 12},
        crossbar_props={"color": _BAR, "linewidth": 3, "solid_capstyle": "butt"},
        text_h_margin=0.15,
    )
    low, high = 1.0, float(len(names))
    ax.set_xlim(low - 0.2, high + 0.2)
    ax.set_xticks(range(1, len(names) + 1))
    ax.tick_params(labelsize=9)
    _draw_length(ax, low, tests.critical_difference, tests.alpha)
    return ax


def _draw_length(ax: Axes, start: float, length: float, alpha: float) -> None:
    """Draw the critical difference as a length above the axis."""
    look: dict[str, Any] = {"color": _BAR, "linewidth": 1.2, "clip_on": False}
    y = 1.6
    ax.plot([start, start + length], [y, y], marker="|", markersize=7, **look)
    words = f"critical difference {length:.2f} (p = {alpha:g})"
    ax.text(start + length, y, f"  {words}", va="center", ha="left", fontsize=9, color=_BAR)
    ax.set_ylim(top=2.2)


def diagram_svg(tests: RankTests, title: str) -> str:
    """Return the diagram as SVG, the same bytes for the same tests."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    settings: Any = {"svg.hashsalt": title, "svg.fonttype": "path", "font.family": "sans-serif"}
    with mpl.rc_context(settings):
        figure = Figure(figsize=(7.2, 1.3 + 0.2 * len(tests.models)), layout="constrained")
        draw_diagram(tests, figure.subplots())
        file = io.StringIO()
        figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None, "Creator": None})
    return file.getvalue()
