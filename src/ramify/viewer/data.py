"""What a page knows: columns, classes, trees, the path over q and sample cases, as JSON."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.estimator import TreeClassifier
from ramify.path import QPath
from ramify.schema import Column
from ramify.viewer.cases import cases_data
from ramify.viewer.pool import SubtreePool
from ramify.viewer.subject import Subject
from ramify.viewer.texts import Texts
from ramify.viewer.words import MAX_NODES, Words

#: Changes with every change of what is below, so that script and data always fit.
FORMAT = 1

#: Digits of figures that are only shown; what predictions depend on is kept exact.
_DIGITS = 6


def page_data(
    subject: Subject, title: str, X: Any = None, y: Any = None, max_told: int = MAX_NODES
) -> dict[str, Any]:
    """Return all that the page of a subject needs.

    Parameters
    ----------
    subject : Subject
        The trees.
    title : str
        The heading of the page.
    X, y
        Cases to pick from, and their true classes.
    max_told : int
        How many nodes get sentences.

    Returns
    -------
    dict
        Of lists, texts, numbers and None only.
    """
    texts = Texts()
    pool = SubtreePool(subject.schema, texts)
    words = Words(subject, texts, max_told)
    trees = [_tree_data(model, pool, words) for model in subject.models]
    cases = cases_data(subject, X, y)
    return {
        "format": FORMAT,
        "title": title,
        "columns": [_column_data(column) for column in subject.schema.columns],
        "classes": [str(label) for label in subject.schema.classes.tolist()],
        "model": _model_data(subject.models[0]),
        "settings": _settings(subject),
        "trees": trees,
        **pool.data(),
        "path": None if subject.path is None else _path_data(subject.path, subject.start),
        "cases": cases,
        "texts": texts.data(),
    }


def shown(values: NDArray[np.float64]) -> list[float | None]:
    """Return figures that are only shown, in few digits; None for what is no number."""
    return [float(f"{value:.{_DIGITS}g}") if np.isfinite(value) else None for value in values.tolist()]


def _column_data(column: Column) -> dict[str, Any]:
    """Return a column; the sort of its categories says which texts mean the same one (1 and 1.0)."""
    if column.categories is None:
        return {"name": column.name, "sort": "numeric", "categories": None}
    sort = "text"
    if column.categories and all(isinstance(value, (bool, np.bool_)) for value in column.categories):
        sort = "boolean"
    elif column.categories and all(isinstance(value, numbers.Real) for value in column.categories):
        sort = "number"
    return {"name": column.name, "sort": sort, "categories": [str(value) for value in column.categories]}


def _model_data(model: TreeClassifier) -> dict[str, Any]:
    """Return how nodes answer, and what the model does with missing and unknown values."""
    how = model._answers.answering
    weight, costs = how["class_weight"], how["costs"]
    return {
        "missing": model.missing,
        "handle_unknown": model.handle_unknown,
        "class_weight": None if weight is None else weight.tolist(),
        "smoothing": how["smoothing"],
        "voting": how["voting"],
        "costs": None if costs is None else costs.tolist(),
        "tolerance": how["tolerance"],
    }


def _settings(subject: Subject) -> list[list[str]]:
    """Return the parameters that say how the trees were grown: the criterion, and what is not the default."""
    model = subject.models[0]
    usual = TreeClassifier().get_params()
    settings = []
    for name, value in model.get_params().items():
        if name == "q" and subject.path is not None:
            continue
        if name in ("n_jobs", "random_state", "categorical_features"):
            continue  # nothing in the tree tells of them
        if name == "criterion" or not _same(value, usual[name]):
            told = getattr(value, "__name__", None) if callable(value) else value
            settings.append([name, str(told)])
    return settings


def _same(value: Any, usual: Any) -> bool:
    return type(value) is type(usual) and bool(value == usual)


def _tree_data(model: TreeClassifier, pool: SubtreePool, words: Words) -> dict[str, Any]:
    """Return a tree: its root in the pool, and what depends on q, node by node."""
    tree = model.tree_
    return {
        "root": pool.add(model),
        "q": None if model.q is None else float(model.q),
        "score": shown(tree.score),
        "gain": shown(tree.gain),
        "impurity": shown(tree.impurity),
        "search": tree.search.tolist(),
        **words.of(model),
    }


def _path_data(path: QPath, start: int) -> dict[str, Any]:
    """Return the curves, the tree of each q, and the q that stand out."""
    of_q = np.empty(len(path.qs_), dtype=np.int64)
    for place, entry in enumerate(path.trees_):
        of_q[np.searchsorted(path.qs_, entry.qs)] = place
    nested = path.nested_accuracy_
    error = path.nested_accuracy_se_
    return {
        "qs": path.qs_.tolist(),
        "tree": of_q.tolist(),
        "accuracy": shown(path.accuracy_),
        "accuracy_se": shown(path.accuracy_se_),
        "n_nodes": shown(path.n_nodes_),
        "full_n_nodes": path.full_n_nodes_.tolist(),
        "best": path.position(path.best_q_),
        "tradeoff": path.position(path.tradeoff_q_),
        "smallest": path.position(path.smallest_q_),
        "nested": None if nested is None else shown(np.array([nested, np.nan if error is None else error])),
        "folds": path.n_folds_,
        "folds_planned": path.n_folds_planned_,
        "start": start,
    }
