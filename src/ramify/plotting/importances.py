"""The columns of a tree by their share in its gain."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ramify._parameters import check_integer
from ramify.explaining.amounts import percent
from ramify.plotting.axes import new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ramify.estimator import TreeClassifier

__all__ = ["plot_importances"]

_COLOUR = "#0072B2"


def plot_importances(model: TreeClassifier, *, max_columns: int = 20, ax: Axes | None = None) -> Axes:
    """Draw ``feature_importances_`` as bars, the largest on top; columns that are not used are left out.

    They describe this tree: a column that it does not need has none, however much it tells, and one of many
    values gets more than its due.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    max_columns : int, default=20
        As many are drawn; the others are added up in one bar.
    ax : matplotlib Axes, optional
        Where to draw; None makes a new figure.

    Returns
    -------
    Axes

    Examples
    --------
    >>> from ramify import TreeClassifier, datasets, plot_importances
    >>> X, y = datasets.load("titanic", return_X_y=True)
    >>> ax = plot_importances(TreeClassifier().fit(X, y))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['sex', 'status', 'age']
    """
    check_is_fitted(model, "tree_")
    shown = check_integer("max_columns", max_columns, 1)
    shares = model.feature_importances_
    used = [int(i) for i in np.argsort(-shares, kind="stable") if shares[i] > 0]
    names = ["\n".join(textwrap.wrap(model.schema_.columns[i].name, 24)) for i in used[:shown]]
    values = shares[used[:shown]].tolist()
    if len(used) > shown:
        names.append(f"{len(used) - shown} others")
        values.append(float(shares[used[shown:]].sum()))
    if not used:
        names, values = ["no column gains anything"], [0.0]
    if ax is None:
        lines = sum(name.count("\n") + 1 for name in names)
        ax = new_axes("plot_importances", 5.2, 0.75 + 0.24 * max(lines, 2))
    places = np.arange(len(values))
    ax.barh(places, values, color=_COLOUR, height=0.66)
    for place, value in zip(places, values, strict=True):
        ax.annotate(
            percent(value),
            (value, place),
            (3, 0),
            textcoords="offset points",
            va="center",
            fontsize="small",
        )
    ax.set_yticks(places, names)
    ax.invert_yaxis()
    ax.set_xlim(0, max([*values, 0.05]) * 1.15)
    ax.set_xlabel("share of the tree's gain")
    ax.xaxis.set_major_formatter(lambda value, _: percent(round(value, 3)))
    ax.spines[["top", "right"]].set_visible(False)
    ax.tick_params(axis="y", length=0)
    return ax
