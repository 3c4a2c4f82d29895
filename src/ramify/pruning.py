"""Pruning: a smaller tree from a grown one. Growing and pruning are separate acts."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from ramify import _core
from ramify._labels import read_weights
from ramify._parameters import PRUNINGS, check_choice, check_integer
from ramify._preparation import prepare
from ramify._pruning import (
    check_alpha,
    check_confidence,
    check_training_rows,
    choose_alpha,
    class_numbers,
    merge,
    order_of,
    prune_cost_complexity,
    prune_pessimistic,
)
from ramify._training import TrainingRows
from ramify.dialects import find_dialect
from ramify.estimator import TreeClassifier
from ramify.tree import Tree

__all__ = ["choose_ccp_alpha", "cost_complexity_pruning_path", "prune"]

#: The methods that each optional argument belongs to.
_TAKEN_BY = {
    "X": ("pessimistic", "reduced_error"),
    "y": ("pessimistic", "reduced_error"),
    "sample_weight": ("pessimistic", "reduced_error"),
    "confidence": ("pessimistic",),
    "raising": ("pessimistic",),
    "ccp_alpha": ("cost_complexity",),
}


def prune(
    model: TreeClassifier,
    method: str = "pessimistic",
    X: Any = None,
    y: Any = None,
    *,
    sample_weight: Any = None,
    confidence: float | None = None,
    ccp_alpha: float | None = None,
    raising: bool | None = None,
) -> TreeClassifier:
    """Return a pruned copy of a fitted model. The model itself is not changed.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    method : {"pessimistic", "cost_complexity", "reduced_error", "merge"}, default="pessimistic"
        ``"pessimistic"``: C4.5's way. A subtree becomes a leaf if the leaf's estimated errors, an upper
        confidence limit, are at most those of the subtree + 0.1.
        ``"cost_complexity"``: the weakest links are cut, as in scikit-learn.
        ``"reduced_error"``: a subtree becomes a leaf if the leaf makes no more errors on `X` and `y`,
        which should be other data than the training data.
        ``"merge"``: sibling leaves that predict the same class become one; no prediction changes for a
        case that goes down one path.
    X, y : array-like or frame, and array-like, optional
        Validation data for ``"reduced_error"``; the training data if branches are raised.
    sample_weight : array-like, optional
        Weights of these rows; they are multiplied with the model's `class_weight`, as in ``fit``.
    confidence : float in (0, 0.5], optional
        For ``"pessimistic"``: less prunes more. None is the model's own.
    ccp_alpha : float >= 0, optional
        For ``"cost_complexity"``: the weakness up to which links are cut, 0 cuts none. None is the
        model's own.
    raising : bool, optional
        For ``"pessimistic"``: whether a node may be replaced by its largest branch. None is what the
        model's dialect does. A raised split keeps the score that it had in its old place.

    Returns
    -------
    TreeClassifier
        A new fitted model. Its parameters `pruning`, `confidence` and `ccp_alpha` say what was done.

    Raises
    ------
    NotFittedError
        If the model is not fitted.
    ValueError
        If an argument is not accepted or does not belong to the method, if `X` and `y` are needed and
        absent, or if `y` has labels that the model does not know.

    Notes
    -----
    A validation case with a missing value may go down several branches; each part of it that ends in a
    leaf of another class is an error of the part's weight.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import TreeClassifier, prune
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TreeClassifier().fit(X, y)
    >>> prune(model).tree_
    <Tree: 13 nodes, 7 leaves, depth 5>
    >>> prune(model, "cost_complexity", ccp_alpha=0.02).get_n_leaves()
    4
    """
    check_is_fitted(model, "tree_")
    model = model._plain()
    check_choice("method", method, PRUNINGS)
    given = {"X": X, "y": y, "sample_weight": sample_weight}
    given |= {"confidence": confidence, "raising": raising, "ccp_alpha": ccp_alpha}
    for name, value in given.items():
        if value is not None and method not in _TAKEN_BY[name]:
            raise ValueError(f"{name} was given, but method={method!r} does not use it.")
    core, n_categories = model.tree_.core, model.schema_.n_categories
    done: dict[str, Any] = {"pruning": method, "ccp_alpha": 0.0}
    if method == "pessimistic":
        done["confidence"] = check_confidence(model.confidence if confidence is None else confidence)
        core = _prune_pessimistic(model, done["confidence"], raising, X, y, sample_weight)
    elif method == "cost_complexity":
        own = getattr(model, "ccp_alpha_", model.ccp_alpha)
        if ccp_alpha is None and own == 0:
            raise ValueError(
                "method='cost_complexity' needs ccp_alpha: the model's own is 0, which cuts nothing."
            )
        done["ccp_alpha"] = check_alpha(own if ccp_alpha is None else ccp_alpha)
        core = prune_cost_complexity(core, n_categories, done["ccp_alpha"])
    elif method == "reduced_error":
        rows = _read_rows(model, X, y, sample_weight, "method='reduced_error'", "validation data")
        votes = model._answers.votes.astype(np.uint32)
        core = _core.prune_reduced_error(core, rows.blocks, rows.numbers, rows.weights, votes)
    else:
        core = merge(core, n_categories, model, model._answers.votes.astype(np.uint32))
    return _with_tree(model, core, done)


def _prune_pessimistic(
    model: TreeClassifier, confidence: float, raising: Any, X: Any, y: Any, sample_weight: Any
) -> _core.Tree:
    dialect = find_dialect(model.dialect)
    if raising is not None:
        if not isinstance(raising, (bool, np.bool_)):
            raise ValueError(f"raising={raising!r} is not accepted; it must be None, True or False.")
        dialect = replace(dialect, raising=bool(raising))
    core, n_categories = model.tree_.core, model.schema_.n_categories
    rows = None
    if dialect.raising:
        rows = _read_rows(model, X, y, sample_weight, "raising", "the training data")
        check_training_rows(core, rows)
    return prune_pessimistic(core, n_categories, order_of(model), dialect, confidence, rows)


def _read_rows(
    model: TreeClassifier, X: Any, y: Any, sample_weight: Any, who: str, what: str
) -> TrainingRows:
    if X is None or y is None:
        absent = [name for name, value in (("X", X), ("y", y)) if value is None]
        are = "is" if len(absent) == 1 else "are"
        way_out = " Or pass raising=False." if who == "raising" else ""
        raise ValueError(f"{who} needs X and y, {what}; {' and '.join(absent)} {are} absent.{way_out}")
    blocks, n_rows = model._encode(X)
    numbers = class_numbers(y, n_rows, model.classes_)
    weights, _ = read_weights(sample_weight, None, model.classes_, numbers)
    if (model.class_weight_ != 1.0).any():
        by_class = model.class_weight_[numbers]
        weights = by_class if weights is None else weights * by_class
    return TrainingRows(blocks, numbers, weights)


def _with_tree(model: TreeClassifier, core: _core.Tree, done: dict[str, Any]) -> TreeClassifier:
    """Return a fitted copy of a model with another tree and other parameters."""
    pruned: TreeClassifier = clone(model).set_params(**done)
    pruned._set_fitted(model.schema_, Tree(core), model.class_weight_)
    for name, value in vars(model).items():
        if name not in vars(pruned):
            setattr(pruned, name, value)
    return pruned


def cost_complexity_pruning_path(model: TreeClassifier) -> Bunch:
    """Return the trees of minimal cost-complexity pruning, by their alphas.

    The weakest link of the tree is cut again and again until only the root is left. Unlike
    scikit-learn's method of this name it starts from a fitted model and needs no data.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.

    Returns
    -------
    Bunch
        ``ccp_alphas``, ``impurities`` (of the leaves, weighted by their shares of the cases) and
        ``n_leaves``: one element for the whole tree, whose alpha is 0, and one for each link cut.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import TreeClassifier, cost_complexity_pruning_path
    >>> model = TreeClassifier(max_depth=2).fit(*load_iris(return_X_y=True))
    >>> path = cost_complexity_pruning_path(model)
    >>> path.ccp_alphas.round(3)
    array([0.   , 0.26 , 0.333])
    >>> path.n_leaves.tolist()
    [3, 2, 1]
    """
    check_is_fitted(model, "tree_")
    path = _core.cost_complexity_path(model.tree_.core, model.schema_.n_categories)
    return Bunch(**{name: path[name] for name in ("ccp_alphas", "impurities", "n_leaves")})


def choose_ccp_alpha(
    model: TreeClassifier, X: Any, y: Any, sample_weight: Any = None, folds: int = 10
) -> float:
    """Choose `ccp_alpha` by cross-validation with the rule of one standard error.

    For each fold a full tree is grown on the other folds and pruned at every alpha of the path of the
    tree of all data; between neighbouring alphas their geometric mean stands for both. The largest
    alpha is chosen whose mean error is within one standard error of the smallest (Breiman et al. 1984).

    Parameters
    ----------
    model : TreeClassifier
        Its parameters are used, but for `pruning` and `ccp_alpha`; it need not be fitted, and is not
        changed. `random_state` shuffles the folds.
    X, y, sample_weight
        Training data, as for ``fit``.
    folds : int, default=10
        As many stratified folds; fewer if there are fewer rows.

    Returns
    -------
    float
        The alpha, to be given to `prune` or to the model.

    Raises
    ------
    ValueError
        If there is a single row, or `folds` is not an integer >= 2.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import TreeClassifier, choose_ccp_alpha, prune
    >>> X, y = load_iris(return_X_y=True)
    >>> model = TreeClassifier(random_state=0).fit(X, y)
    >>> alpha = choose_ccp_alpha(model, X, y)
    >>> prune(model, "cost_complexity", ccp_alpha=alpha).get_n_leaves()
    3
    """
    folds = check_integer("folds", folds, 2)
    model = model._plain()
    grower: TreeClassifier = clone(model).set_params(pruning=None, ccp_alpha=0.0)
    work = prepare(grower, X, y, sample_weight)
    return choose_alpha(
        work.grow,
        work.votes,
        work.rows,
        work.schema.n_categories,
        model.random_state,
        folds,
    )
