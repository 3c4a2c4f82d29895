"""Well-known systems as settings of the one estimator."""

from __future__ import annotations

from typing import Any

from ramify.estimator import TreeClassifier

__all__ = ["c45", "cart", "id3", "utcdt"]


def _preset(settings: dict[str, Any], changes: dict[str, Any]) -> TreeClassifier:
    return TreeClassifier(**(settings | changes))


def id3(**changes: Any) -> TreeClassifier:
    """Return ID3: information gain, one branch a value, no pruning (Quinlan 1986).

    "The attribute with the highest information gain" splits a node, until its cases are of one class or
    no attribute is left. That is ``criterion="gain", q=1, branching="multiway"``. ID3 knew no numbers;
    numeric columns are cut in two here.

    Parameters
    ----------
    **changes
        Parameters of `TreeClassifier` to set otherwise.

    Examples
    --------
    >>> from ramify import datasets, id3
    >>> X, y = datasets.load("buys_computer", return_X_y=True)
    >>> id3().fit(X, y).tree_.node_count
    8
    """
    return _preset({"criterion": "gain", "q": 1.0, "branching": "multiway"}, changes)


def c45(**changes: Any) -> TreeClassifier:
    """Return C4.5 (Quinlan 1993), with the rules of Weka's J48 and its defaults.

    The gain ratio among the attributes of at least average gain, one branch a value, unknown values
    going down every branch in proportion, at least two cases in two branches, and pruning by the upper
    limit of the errors at a confidence of 25%, subtrees being replaced or raised.

    ============================  =========================================================
    J48                           here
    ============================  =========================================================
    ``-C 0.25``                   ``confidence=0.25``
    ``-M 2``                      ``min_samples_leaf=2`` (a weight, in this dialect)
    ``-B``                        ``branching="binary"``
    ``-U``                        ``pruning=None``
    ``-S``                        ``dialect=dataclasses.replace(ramify.C45, raising=False)``
    ``-A``                        ``smoothing="laplace"``
    ``-O`` (where it exists)      ``dialect=dataclasses.replace(ramify.C45, collapsing=False)``
    ``-J`` (where it exists)      ``dialect=dataclasses.replace(ramify.C45, mdl_correction=False)``
    ``-R``                        ``pruning="reduced_error"`` (other folds than Weka's)
    ============================  =========================================================

    Ties go to the first value and class in declared order, so pass categorical columns and labels with
    the order that they have elsewhere.

    Parameters
    ----------
    **changes
        Parameters of `TreeClassifier` to set otherwise.

    Examples
    --------
    >>> from ramify import c45, datasets
    >>> X, y = datasets.load("titanic", return_X_y=True)
    >>> model = c45().fit(X, y)
    >>> round(model.score(X, y), 3)
    0.791
    """
    settings = {
        "criterion": "gain_ratio",
        "q": 1.0,
        "branching": "multiway",
        "min_samples_leaf": 2,
        "missing": "fractional",
        "pruning": "pessimistic",
        "confidence": 0.25,
        "dialect": "c45",
    }
    return _preset(settings, changes)


def cart(**changes: Any) -> TreeClassifier:
    """Return CART (Breiman et al. 1984): the Gini index, two branches, cost-complexity pruning.

    The cost of a leaf is chosen by cross-validation, "the smallest tree within one standard error of the
    best" (``ccp_alpha="cv"``). Missing values go to the branch that is best for them; CART's surrogate
    splits are not built.

    Parameters
    ----------
    **changes
        Parameters of `TreeClassifier` to set otherwise.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import cart
    >>> cart(random_state=0).fit(*load_iris(return_X_y=True)).get_n_leaves()
    3
    """
    settings = {
        "criterion": "gain",
        "q": 2.0,
        "branching": "binary",
        "missing": "best_branch",
        "pruning": "cost_complexity",
        "ccp_alpha": "cv",
    }
    return _preset(settings, changes)


def utcdt(q: float, **changes: Any) -> TreeClassifier:
    """Return a tree of the unified Tsallis criterion (Wang and Xia 2016): the gain at any order q.

    "The splitting criterion with the Tsallis entropy" at the given `q`, two branches, at least five cases
    in a leaf; ``criterion="gain_ratio"`` makes it their Tsallis gain ratio.

    Parameters
    ----------
    q : float
        The order: 1 is Shannon's entropy, 2 the Gini index.
    **changes
        Parameters of `TreeClassifier` to set otherwise.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import utcdt
    >>> utcdt(q=1.4).fit(*load_iris(return_X_y=True)).get_n_leaves()
    6
    """
    return _preset({"criterion": "gain", "q": q, "branching": "binary", "min_samples_leaf": 5}, changes)
