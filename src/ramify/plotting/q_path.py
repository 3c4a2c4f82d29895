"""Accuracy and size against q."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ramify._path_report import with_error

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

    from ramify.path import QPath

__all__ = ["plot_q_path"]

_DARK, _LIGHT = "#1f4e79", "#b35900"

#: Inches that the legend needs for two columns.
_NARROW = 4.5

#: The marked q: the attribute, the name and the marker.
_MARKS = (("best_q_", "best", "o"), ("tradeoff_q_", "trade-off", "^"), ("smallest_q_", "smallest", "s"))


def plot_q_path(path: QPath, ax: Axes | None = None) -> tuple[Axes, Axes]:
    """Draw accuracy and tree size against q, as Figure 1 of Wang and Xia (2016).

    The accuracy is a solid line (left axis) in a band of one standard error to each side, the mean number of
    nodes a dashed one (right axis). The best, the smallest and the trade-off q are marked on both lines, and
    the legend has their figures. If the path is nested, a dotted line is the honest accuracy; if its run was
    interrupted, the title says how many folds it has.

    Parameters
    ----------
    path : QPath
        From `q_path`, or `TreeClassifierCV.path_`.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure, of the width of a page. The legend is below the axes where the
        layout of the figure leaves room for it (``layout="constrained"`` does), and else at their bottom.

    Returns
    -------
    tuple of Axes
        That of the accuracy and that of the nodes.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    TypeError
        If `path` is not a path, or `ax` no Axes.

    Examples
    --------
    >>> import io
    >>> from sklearn.datasets import load_iris
    >>> from ramify import plot_q_path, q_path
    >>> path = q_path(*load_iris(return_X_y=True), qs=[0.5, 1, 2, 4], n_repeats=1)
    >>> ax, nodes = plot_q_path(path)
    >>> ax.figure.savefig(io.BytesIO(), format="pdf")
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        raise ImportError('plot_q_path needs matplotlib: pip install "ramify[plot]".') from None
    if not hasattr(path, "tradeoff_q_"):
        raise TypeError(
            f"path={path!r} is not a QPath; give what q_path returns, or a TreeClassifierCV's path_."
        )
    if ax is not None and not hasattr(ax, "twinx"):
        raise TypeError(f"ax={ax!r} is not accepted; it must be None or the Axes of matplotlib.")
    if ax is None:
        _, ax = plt.subplots(figsize=(6.6, 4.4), layout="constrained")
    narrow = ax.get_window_extent().width < _NARROW * ax.figure.dpi
    nodes = ax.twinx()
    qs, accuracy, error = path.qs_, path.accuracy_, np.nan_to_num(path.accuracy_se_)
    few = "." if len(qs) <= 25 else ""  # a marker for each q, where there is room for them
    if len(qs) > 1:
        ax.fill_between(qs, accuracy - error, accuracy + error, color=_DARK, alpha=0.18, linewidth=0)
    else:  # a band of no width can't be seen
        ax.vlines(qs, accuracy - error, accuracy + error, color=_DARK, alpha=0.4)
    label = "accuracy" if path.n_folds_ == 1 else "accuracy ± 1 SE"
    (line,) = ax.plot(qs, accuracy, "-", marker=few, color=_DARK, linewidth=1.6, label=label)
    (dashes,) = nodes.plot(qs, path.n_nodes_, "--", marker=few, color=_LIGHT, linewidth=1.4, label="nodes")
    lines: list[Line2D] = [line, dashes]
    if path.nested_accuracy_ is not None:
        label = f"nested: {with_error(path.nested_accuracy_, path.nested_accuracy_se_)}"
        look: dict[str, Any] = {"color": _DARK, "linestyle": ":", "linewidth": 1.2, "label": label}
        lines.append(ax.axhline(path.nested_accuracy_, **look))
    marks = _mark(path, ax, nodes, ":\n" if narrow else ": ")
    _share_the_height(path, ax, nodes)
    if _is_uneven(qs):
        _spread(ax, qs)
    ax.set_xlabel("order q of the entropy")
    ax.set_ylabel("accuracy (solid)", color=_DARK, loc="top")
    nodes.set_ylabel("mean nodes (dashed)", color=_LIGHT, loc="bottom")
    if not path.complete_:
        ax.set_title(f"{path.n_folds_} of {path.n_folds_planned_} folds", fontsize="small")
    _tell(ax, nodes, lines, marks, narrow)
    return ax, nodes


def _is_uneven(qs: NDArray[np.float64]) -> bool:
    """Whether most orders would be squeezed into a corner of an axis with even steps."""
    return len(qs) > 2 and float(np.median(qs) - qs[0]) < 0.1 * float(qs[-1] - qs[0])


def _spread(ax: Axes, qs: NDArray[np.float64]) -> None:
    """Give the orders an axis by powers of ten, 0 in front of them."""
    from matplotlib.ticker import NullLocator

    lowest, highest = float(qs[qs > 0].min()), float(qs[-1])
    ax.set_xscale("symlog", linthresh=lowest)
    ax.set_xlim(qs[0] - 0.1 * lowest, 1.2 * highest)
    powers = 10.0 ** np.arange(np.ceil(np.log10(lowest)), np.log10(highest) + 1e-9)
    ticks = [*(qs[:1] if qs[0] == 0 else ()), *powers]
    ax.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    ax.xaxis.set_minor_locator(NullLocator())


def _tell(ax: Axes, nodes: Axes, lines: list[Line2D], marks: list[Line2D], narrow: bool) -> None:
    """Draw the legend."""
    from matplotlib.lines import Line2D

    figure = ax.get_figure(root=True)
    if figure is not None and figure.get_layout_engine() is None:  # below the axes nobody would see it
        rows = sum(1 + str(handle.get_label()).count("\n") for handle in (*lines, *marks))
        share = min((0.2 * rows + 0.15) * figure.dpi / ax.get_window_extent().height, 0.6)
        for axis in (ax, nodes):
            low, high = axis.get_ylim()
            axis.set_ylim(low - (high - low) * share / (1.0 - share), high)
        ax.legend(
            handles=[*lines, *marks], loc="lower center", framealpha=0.9, edgecolor="none", fontsize="small"
        )
        return
    handles = [*lines, *marks]
    if not narrow:
        rows = max(len(lines), len(marks))
        empty = Line2D([], [], linestyle="none", label=" ")
        handles = [*lines, *[empty] * (rows - len(lines)), *marks, *[empty] * (rows - len(marks))]
    place: dict[str, Any] = {"loc": "upper center", "bbox_to_anchor": (0.5, 0), "columnspacing": 1.2}
    place["borderaxespad"] = 4.6  # of the size of the font, below the label of the axis
    ax.legend(handles=handles, ncols=1 if narrow else 2, frameon=False, fontsize="small", **place)


def _mark(path: QPath, ax: Axes, nodes: Axes, colon: str) -> list[Line2D]:
    """Mark the q that stand out on both lines; a q that is several of them is marked once."""
    named: dict[float, list[tuple[str, str]]] = {}
    for attribute, name, marker in _MARKS:
        named.setdefault(getattr(path, attribute), []).append((name, marker))
    handles = []
    for q, names in named.items():
        i, marker = path.position(q), names[0][1]
        label = (
            f"{' = '.join(name for name, _ in names)}{colon}q = {q:g}, "
            f"{with_error(path.accuracy_[i], path.accuracy_se_[i])}, {path.n_nodes_[i]:.1f} nodes"
        )
        ax.axvline(q, color="0.55", linewidth=0.7, linestyle=(0, (1, 3)), zorder=0)
        look: dict[str, Any] = {
            "marker": marker,
            "linestyle": "none",
            "markersize": 7.5,
            "markeredgewidth": 1.5,
        }
        look |= {"markerfacecolor": "white", "zorder": 5, "clip_on": False}
        nodes.plot([q], [path.n_nodes_[i]], color=_LIGHT, **look)
        (handle,) = ax.plot([q], [path.accuracy_[i]], color=_DARK, label=label, **look)
        handles.append(handle)
    return handles


def _share_the_height(path: QPath, ax: Axes, nodes: Axes) -> None:
    """Give the accuracy the upper part of the figure and the nodes the lower, so that they do not cross.

    Each axis has ticks for its own part only.
    """
    from matplotlib.ticker import MaxNLocator

    error = np.nan_to_num(path.accuracy_se_)
    low, high = float((path.accuracy_ - error).min()), float((path.accuracy_ + error).max())
    if path.nested_accuracy_ is not None:
        low, high = min(low, path.nested_accuracy_), max(high, path.nested_accuracy_)
    fewest, most = float(path.n_nodes_.min()), float(path.n_nodes_.max())
    for axis, start, stop, least, below, above in (
        (ax, low, high, 0.01, 0.72, 0.06),
        (nodes, fewest, most, 1.0, 0.15, 1.75),
    ):
        span = max(stop - start, least)
        ticks = MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]).tick_values(start, start + span)
        axis.set_ylim(start - below * span, start + span + above * span)
        axis.set_yticks([tick for tick in ticks if -0.1 * span <= tick - start <= 1.06 * span])
