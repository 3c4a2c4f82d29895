"""`view`: a tree or a path as an interactive page."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path
from typing import Any

from ramify._whole_file import write_whole
from ramify.viewer.data import page_data
from ramify.viewer.page import render
from ramify.viewer.subject import Subject
from ramify.viewer.words import MAX_NODES_UNASKED

#: More nodes than these are not shown unasked: each output would be megabytes. `view` shows them all.
MAX_SHOWN = 5000

#: Pixels that the page is high in a notebook.
_NOTEBOOK_HEIGHT = 640


class View:
    """A page that explores a tree, or the trees of a path over q.

    In a notebook it shows itself. What `view` returns.

    Attributes
    ----------
    html : str
        The whole page; it needs no other file and no network.
    title : str
        Its heading.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import TreeClassifier, view
    >>> page = view(TreeClassifier(max_depth=3).fit(*load_iris(return_X_y=True)), title="Iris")
    >>> page.title, page.html.startswith("<!doctype html>")
    ('Iris', True)
    """

    def __init__(self, html: str, title: str) -> None:
        self.html = html
        self.title = title

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file.

        Parameters
        ----------
        path : str or path-like
            Where to; a file that is there is replaced.

        Returns
        -------
        Path
            Where it is now.

        Raises
        ------
        OSError
            If the file can't be written; one that was there is left as it was.
        """
        place = Path(path)
        write_whole(place, self.html.encode())
        return place

    def _repr_html_(self) -> str:
        # A frame of its own keeps the styles and scripts of page and notebook apart; its sandbox lets the
        # page run its script and print, and reach nothing of the notebook. Where notebooks are shown without
        # their scripts, frames and styles are taken out, and the text that is hidden here tells what to do.
        title = escape(self.title.encode("utf-8", "replace").decode())
        return (
            f'<iframe title="{title}" srcdoc="{escape(self.html)}" sandbox="allow-scripts allow-modals" '
            f'width="100%" height="{_NOTEBOOK_HEIGHT}" style="border:0;border-radius:8px"></iframe>'
            f'<p style="display:none">{title}: trust this notebook, or run the cell again, to explore it.</p>'
        )

    def __repr__(self) -> str:
        return f"<View: {self.title!r}, {len(self.html) / 1000:.0f} kB of HTML>"


def view(
    model: Any,
    path: str | os.PathLike[str] | None = None,
    *,
    X: Any = None,
    y: Any = None,
    title: str | None = None,
    q: float | None = None,
) -> View:
    """Explore a tree, or all trees of a path over q, in an interactive page.

    The page is one HTML file that works from disk, without any network: pan, zoom, fold and search the tree,
    click a node for its cases and the reasons for its split, paste or pick a case and follow its path. Of a
    path it has a slider of q over the distinct trees, beside the curves of accuracy and size.

    Parameters
    ----------
    model : TreeClassifier, TreeClassifierCV or QPath
        Fitted, or what `q_path` returns. A `TreeClassifierCV` shows the path that it chose from.
    path : str or path-like, optional
        Where to write the page. None writes nothing: show what is returned in a notebook, or `save` it.
    X : array-like or frame, optional
        Cases that can be picked in the page, with the columns of the training data; of more than 200, 200
        spread evenly. They are in the page then: think before you send it on.
    y : array-like, optional
        The true classes of `X`, shown beside the answers.
    title : str, optional
        The heading; None is one made from the model.
    q : float, optional
        Of a path, the order whose tree is shown first. None is `QPath.tradeoff_q_`, or what a
        `TreeClassifierCV` chose.

    Returns
    -------
    View

    Raises
    ------
    TypeError
        If `model` is none of these.
    ValueError
        If `X` does not have the columns of the training data, `y` is not as long, or `q` is not in the grid.
    OSError
        If `path` can't be written.

    Examples
    --------
    >>> from ramify import TreeClassifier, datasets, view
    >>> X, y = datasets.load("buys_computer", return_X_y=True)
    >>> model = TreeClassifier(q=1, branching="multiway").fit(X, y)
    >>> page = view(model, "tree.html", X=X, y=y, title="Who buys a computer?")  # doctest: +SKIP
    >>> view(model).title
    'Decision tree'
    """
    subject = Subject.of(model, q)
    if title is None:
        title = _title(subject)
    elif not isinstance(title, str):
        raise TypeError(f"title={title!r} is not accepted; it must be a text or None.")
    page = View(render(page_data(subject, title, X, y), title), title)
    if path is not None:
        page.save(path)
    return page


def notebook_html(model: Any) -> str | None:
    """Return what a notebook shows of a fitted model or a path that is the value of a cell.

    None if it has more than `MAX_SHOWN` nodes.
    """
    subject = Subject.of(model)
    if sum(each.tree_.node_count for each in subject.models) > MAX_SHOWN:
        return None
    title = _title(subject)
    data = page_data(subject, title, max_told=MAX_NODES_UNASKED)
    return View(render(data, title), title)._repr_html_()


def _title(subject: Subject) -> str:
    if subject.path is None:
        return "Decision tree"
    qs, trees = subject.path.qs_, len(subject.models)
    span = f"q = {qs[0]:g}" if len(qs) == 1 else f"q from {qs[0]:g} to {qs[-1]:g}"
    return f"{trees} decision tree{'' if trees == 1 else 's'}, {span}"
