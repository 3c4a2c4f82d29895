"""Settings to compare: models made of criteria and orders, and some that everybody knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.base import ClassifierMixin

from ramify._orders import check_orders
from ramify._parameters import check_choice
from ramify.criteria import ALIASES, find_criterion
from ramify.estimator import TreeClassifier
from ramify.presets import c45, cart, id3
from ramify.selection import TreeClassifierCV

Models = dict[str, ClassifierMixin]

#: The order that a cross-validation inside the training rows chooses.
AUTO = "auto"


def make_models(
    criteria: Iterable[str] = ("gain",), qs: Iterable[float | str] = (), **parameters: Any
) -> Models:
    """Return one tree for each criterion and order.

    Parameters
    ----------
    criteria : iterable of str
        Names from `ramify.list_criteria`, or aliases.
    qs : iterable of float or "auto"
        Orders for the criteria that take one; the others are there once. None of them: each criterion's own
        default. ``"auto"`` is `ramify.TreeClassifierCV`, which chooses q inside the training rows.
    **parameters
        Parameters of `ramify.TreeClassifier` for all of them.

    Returns
    -------
    dict of str to model
        By names such as ``"gain q=1.5"``.

    Raises
    ------
    ValueError
        If a criterion is unknown, there twice or an alias of another, or an order is not accepted.

    Examples
    --------
    >>> from ramify.experiments import make_models
    >>> list(make_models(["gain", "twoing"], [1, 2, "auto"], min_samples_leaf=5))
    ['gain q=1', 'gain q=2', 'gain q=auto', 'twoing']
    """
    orders = list(qs)
    numbers = [q for q in orders if not (isinstance(q, str) and q == AUTO)]
    if numbers:
        check_orders(numbers)
    if orders.count(AUTO) > 1:
        raise ValueError(f"qs has {AUTO!r} more than once.")
    models: Models = {}
    for criterion in criteria:
        name, fixed = ALIASES.get(criterion, (criterion, None))
        takes_order = find_criterion(name).takes_order and fixed is None
        for q in orders if orders and takes_order else [None]:
            label = _label(criterion, q)
            if label in models:
                raise ValueError(f"criteria has {criterion!r} more than once.")
            if isinstance(q, str):
                models[label] = TreeClassifierCV(criterion=criterion, **parameters)
            else:
                models[label] = TreeClassifier(criterion=criterion, q=q, **parameters)
    return models


def _label(criterion: str, q: float | str | None) -> str:
    if q is None:
        return criterion
    return f"{criterion} q={q}" if isinstance(q, str) else f"{criterion} q={q:g}"


def _nominal_columns(X: Any) -> list[int]:
    """Return the columns of a frame that are not numbers; an array has none."""
    frame = nw.from_native(X, eager_only=True, pass_through=True)
    if not isinstance(frame, nw.DataFrame):
        return []
    return [i for i, dtype in enumerate(frame.schema.values()) if not dtype.is_numeric()]


def _numeric_columns(X: Any) -> list[int]:
    nominal = set(_nominal_columns(X))
    return [i for i in range(np.shape(X)[1]) if i not in nominal]


def _sklearn() -> ClassifierMixin:
    from sklearn.compose import make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder
    from sklearn.tree import DecisionTreeClassifier

    columns = make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), _nominal_columns),
        ("passthrough", _numeric_columns),
    )
    return make_pipeline(columns, DecisionTreeClassifier(random_state=0))


def _majority() -> ClassifierMixin:
    from sklearn.dummy import DummyClassifier

    return DummyClassifier()


_KNOWN: dict[str, tuple[Callable[[], ClassifierMixin], str]] = {
    "id3": (id3, "ID3: gain, q = 1, one branch a category"),
    "c45": (c45, "C4.5 with its own rules and pruning, as Weka's J48"),
    "cart": (cart, "CART: the Gini index, two branches, cost-complexity pruning by cross-validation"),
    "sklearn": (_sklearn, "scikit-learn's DecisionTreeClassifier, nominal columns one-hot"),
    "majority": (_majority, "the most common class, whatever the case: the baseline"),
}


def known_models() -> dict[str, str]:
    """Return the names that `make_known` takes, with what they are."""
    return {name: words for name, (_, words) in _KNOWN.items()}


def make_known(name: str) -> ClassifierMixin:
    """Return a model that everybody knows, at its own defaults.

    Examples
    --------
    >>> from ramify.experiments.settings import known_models, make_known
    >>> list(known_models())
    ['id3', 'c45', 'cart', 'sklearn', 'majority']
    >>> make_known("cart").q
    2.0
    """
    check_choice("model", name, tuple(_KNOWN))
    return _KNOWN[name][0]()
