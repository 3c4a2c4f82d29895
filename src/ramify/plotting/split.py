"""The split of a node: how the classes lie in the column that it asks about."""

from __future__ import annotations

import textwrap
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify._conditions import branch_texts, number_text
from ramify._parameters import check_integer
from ramify._pruning import class_numbers
from ramify.explaining.amounts import number
from ramify.explaining.encoded_cases import EncodedCases
from ramify.plotting.axes import new_axes
from ramify.plotting.palette import class_colours, tint
from ramify.tree import KINDS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ramify.estimator import TreeClassifier

__all__ = ["plot_split"]

#: Bars of a histogram, those of one that has a bar for each value, and categories that are drawn.
_BINS, _FINE_BINS, _CATEGORIES = 30, 60, 40


#: The branches of a split in two.
_BRANCHES = {0: "first branch", 1: "second branch"}


def plot_split(
    model: TreeClassifier, node: int = 0, X: Any = None, y: Any = None, *, ax: Axes | None = None
) -> Axes:
    """Draw how the classes of a node's cases lie in the column that it asks about, and where it cuts.

    With data, a numeric column is a histogram of its classes with the cut as a line, a nominal one a bar of
    class counts for each category, those of one branch beside each other. Without, the branches are drawn by
    the counts that the model keeps.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    node : int, default=0
        A node that asks something.
    X, y : array-like or frame, and array-like, optional
        The training data, or other data with its columns; those rows are drawn that come to the node whole or
        in part, each as one, and whose value is known.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes

    Raises
    ------
    ValueError
        If the node is a leaf, if only one of `X` and `y` is given, or if `y` has classes that the model does
        not know.

    Examples
    --------
    >>> from ramify import TreeClassifier, datasets, plot_split
    >>> X, y = datasets.load("titanic", return_X_y=True)
    >>> ax = plot_split(TreeClassifier().fit(X, y), 0, X, y)
    >>> ax.get_ylabel()
    'cases'
    """
    check_is_fitted(model, "tree_")
    node = check_integer("node", node, 0, model.tree_.node_count - 1)
    if model.tree_.n_children[node] == 0:
        raise ValueError(f"node={node} is a leaf, which has no split to draw.")
    if (X is None) != (y is None):
        raise ValueError("X and y belong together: give both, or neither.")
    index = int(model.tree_.column[node])
    kind = KINDS[model.tree_.kind[node]]
    if X is None or kind == "known":
        ax = ax or new_axes("plot_split", *_bars_size(int(model.tree_.n_children[node])))
        _draw_branches(ax, model, node)
    else:
        values, labels = _cases_of(model, node, index, X, y)
        if kind == "threshold":
            ax = ax or new_axes("plot_split", 5.2, 3.0)
            _draw_histogram(ax, model, float(model.tree_.threshold[node]), values, labels)
            ax.set_xlabel(model.schema_.columns[index].name)
        else:
            codes = np.unique(values)
            ax = ax or new_axes("plot_split", *_bars_size(min(len(codes), _CATEGORIES)))
            _draw_categories(ax, model, node, values.astype(np.int64), labels)
    ax.set_ylabel("weight" if X is None and _weighted(model) else "cases")
    ax.spines[["top", "right"]].set_visible(False)
    _draw_legend(ax, beside=X is None or kind != "threshold")
    return ax


def _draw_legend(ax: Axes, beside: bool) -> None:
    """Name the classes that are there; bars may fill the axes, so that the names stand beside them."""
    handles, labels = ax.get_legend_handles_labels()
    ncols = 1 + len(labels) // 9
    look: dict[str, Any] = {"fontsize": "small", "frameon": False, "ncols": ncols, "handlelength": 1.2}
    look |= {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0)} if beside else {"loc": "best"}
    ax.legend(handles, labels, **look)


def _weighted(model: TreeClassifier) -> bool:
    return float(model.tree_.counts[0].sum()) != float(model.tree_.n_rows[0])


def _bars_size(bars: int) -> tuple[float, float]:
    return max(4.2, min(2.0 + 0.55 * bars, 14.0)), 3.2


def _cases_of(
    model: TreeClassifier, node: int, index: int, X: Any, y: Any
) -> tuple[NDArray[Any], NDArray[np.uint32]]:
    """Return the known values and class numbers of the rows that come to a node."""
    read = EncodedCases.read(model, X)
    numbers = class_numbers(y, len(read), model.classes_)
    here = np.array([bool((nodes == node).any()) for nodes in read.passed()])
    here &= ~read.is_missing(index)
    if model.schema_.columns[index].nominal:
        here &= read.columns[index] >= 0
    if not here.any():
        raise ValueError(f"no row of X comes to node {node} with a known value, so there is nothing to draw.")
    return read.columns[index][here], numbers[here]


def _draw_histogram(
    ax: Axes, model: TreeClassifier, cut: float, values: NDArray[np.float64], labels: NDArray[np.uint32]
) -> None:
    low, high = min(float(values.min()), cut), max(float(values.max()), cut)
    distinct = np.unique(values)
    step = float(np.diff(distinct).min()) if len(distinct) > 1 else high - low
    if not 0 < (high - low) <= _FINE_BINS * step:  # too many values for a bar each
        step = max((high - low) / _BINS, np.finfo(np.float64).tiny)
    # The cut is an edge of a bin, so that no bar stands on both sides of it.
    edges = cut + step * np.arange(np.floor((low - cut) / step) - 1, np.ceil((high - cut) / step) + 1)
    bottom = np.zeros(len(edges) - 1)
    for k, colour in enumerate(class_colours(len(model.classes_))):
        if not (labels == k).any():
            continue
        # A number at the cut goes to the first branch: bars are open to the left.
        counts = np.histogram(-values[labels == k], -edges[::-1])[0][::-1]
        ax.bar(
            edges[:-1], counts, np.diff(edges), bottom=bottom, align="edge", color=colour, edgecolor="white",
            linewidth=0.4, label=str(model.classes_[k]),
        )  # fmt: skip
        bottom += counts
    ax.axvline(cut, color="0.15", linewidth=1.4)
    ax.set_ylim(0, bottom.max() * 1.16)
    for side, text in (("right", f"≤ {number_text(cut, 4)} "), ("left", f" > {number_text(cut, 4)}")):
        ax.annotate(
            text, (cut, 0.995), xycoords=("data", "axes fraction"), ha=side, va="top", fontsize="small"
        )


def _draw_categories(
    ax: Axes, model: TreeClassifier, node: int, values: NDArray[np.int64], labels: NDArray[np.uint32]
) -> None:
    column = model.schema_.columns[int(model.tree_.column[node])]
    categories = column.categories or ()
    routes = model.tree_.routes_of(node)
    counts = np.zeros((len(categories), len(model.classes_)))
    np.add.at(counts, (values, labels), 1.0)
    branch = np.where(routes < 0, len(routes), routes)
    shown = [int(code) for code in np.lexsort((-counts.sum(axis=1), branch)) if counts[code].sum() > 0]
    hidden = len(shown) - _CATEGORIES
    if hidden > 0:
        largest = set(np.argsort(-counts.sum(axis=1), kind="stable")[:_CATEGORIES].tolist())
        shown = [code for code in shown if code in largest]
    steps = [
        0.0,
        *np.cumsum([1.0 + 0.5 * (branch[a] != branch[b]) for a, b in pairwise(shown)]),
    ]
    if int(model.tree_.n_children[node]) == 2:
        _shade_branches(ax, [int(branch[code]) for code in shown], steps)
    _draw_bars(ax, model, np.array(steps), counts[shown], [str(categories[code]) for code in shown])
    ax.set_xlabel(f"{column.name} ({hidden} rarer categories not drawn)" if hidden > 0 else column.name)


def _shade_branches(ax: Axes, branches: list[int], places: list[float]) -> None:
    """Put the categories of each of two branches on a ground of their own."""
    for branch in sorted(set(branches)):
        inside = [place for place, of in zip(places, branches, strict=True) if of == branch]
        ground = tint("#000000", 0.05 if branch else 0.11)
        ax.axvspan(inside[0] - 0.6, inside[-1] + 0.6, color=ground, linewidth=0, zorder=0)
        ax.annotate(
            _BRANCHES.get(branch, "no branch"),
            ((inside[0] + inside[-1]) / 2.0, 1.0),
            (0, 2),
            xycoords=("data", "axes fraction"),
            textcoords="offset points",
            ha="center",
            fontsize="x-small",
            color="0.35",
        )


def _draw_branches(ax: Axes, model: TreeClassifier, node: int) -> None:
    children = list(model.tree_.children(node))
    names = branch_texts(model.schema_, model.tree_, node, 4, 5)
    _draw_bars(ax, model, np.arange(len(children), dtype=np.float64), model.tree_.counts[children], names)


def _draw_bars(
    ax: Axes,
    model: TreeClassifier,
    places: NDArray[np.float64],
    counts: NDArray[np.float64],
    names: list[str],
) -> None:
    bottom = np.zeros(len(counts))
    for k, colour in enumerate(class_colours(len(model.classes_))):
        ax.bar(
            places, counts[:, k], 0.78, bottom=bottom, color=colour, label=str(model.classes_[k]), zorder=2
        )
        bottom += counts[:, k]
    for place, total in zip(places, bottom, strict=True):
        ax.annotate(
            number(float(total)),
            (place, total),
            (0, 2),
            textcoords="offset points",
            ha="center",
            fontsize="x-small",
        )
    wrapped = ["\n".join(textwrap.wrap(name, 14)) for name in names]
    longest = max(len(line) for name in wrapped for line in name.split("\n"))
    turned = len(names) > 6 and longest > 3
    ax.set_xticks(places, names if turned else wrapped, rotation=90 if turned else 0, fontsize="small")
    ax.set_xlim(places[0] - 0.6, places[-1] + 0.6)
    ax.set_ylim(0, max(float(bottom.max()), 1e-12) * 1.12)
    ax.tick_params(axis="x", length=0)
