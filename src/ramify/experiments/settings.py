"""Settings to compare: models made of criteria and orders, and some that everybody knows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from sklearn.base import ClassifierMixin

from ramify._orders import check_orders
from ramify._parameters import check_choice, check_pruning, check_settings
from ramify.criteria import ALIASES, find_criterion
from ramify.estimator import TreeClassifier
from ramify.presets import c45, cart, id3
from ramify.selection import TreeClassifierCV

Models = dict[str, ClassifierMixin]

#: The order that a cross-validation inside the training rows chooses.
AUTO = "auto"


def make_models(
    criteria: Iterable[str] = ("gain",),
    qs: Iterable[float | str] = (),
    *,
    grid: Mapping[str, Sequence[Any]] | None = None,
    **parameters: Any,
) -> Models:
    """Return one tree for each criterion and order, and each combination of other parameters.

    Parameters
    ----------
    criteria : iterable of str
        Names from `ramify.list_criteria`, or aliases.
    qs : iterable of float or "auto"
        Orders for the criteria that take one; the others are there once. None of them: each criterion's own
        default. ``"auto"`` is `ramify.TreeClassifierCV`, which chooses q inside the training rows.
    grid : mapping of str to lists, optional
        Values to try of other parameters of `ramify.TreeClassifier`.
    **parameters
        Parameters of `ramify.TreeClassifier` for all models.

    Returns
    -------
    dict of str to model
        By names such as ``"gain q=1.5"``, with the values of `grid` behind them.

    Raises
    ------
    ValueError, TypeError
        If a criterion is unknown or there twice, or a value is not accepted.

    Examples
    --------
    >>> from ramify.experiments import make_models
    >>> list(make_models(["gain", "twoing"], [1, 2, "auto"], min_samples_leaf=5))
    ['gain q=1', 'gain q=2', 'gain q=auto', 'twoing']
    >>> list(make_models(["gain_ratio"], grid={"pruning": [None, "pessimistic"], "max_depth": [3, 6]}))[:2]
    ['gain_ratio pruning=None max_depth=3', 'gain_ratio pruning=None max_depth=6']
    """
    orders = list(qs)
    numbers = [q for q in orders if not (isinstance(q, str) and q == AUTO)]
    if numbers:
        check_orders(numbers)
    axes = dict(grid or {})
    models: Models = {}
    for criterion in criteria:
        name, fixed = ALIASES.get(criterion, (criterion, None))
        takes_order = find_criterion(name).takes_order and fixed is None
        for q in orders if orders and takes_order else [None]:
            for values in product(*axes.values()):
                chosen = dict(zip(axes, values, strict=True))
                label = _label(criterion, q, chosen)
                if label in models:
                    raise ValueError(f"{label!r} is there more than once.")
                models[label] = _make(criterion, q, parameters | chosen)
    return models


def _label(criterion: str, q: float | str | None, chosen: dict[str, Any]) -> str:
    order = [] if q is None else [f"q={q}" if isinstance(q, str) else f"q={q:.12g}"]
    return " ".join([criterion, *order, *(f"{name}={value}" for name, value in chosen.items())])


def _make(criterion: str, q: float | str | None, parameters: dict[str, Any]) -> ClassifierMixin:
    plain = TreeClassifier(criterion=criterion, q=None if isinstance(q, str) else q, **parameters)
    check_settings(plain, n_rows=2, weight=2.0, names=["x"], named=True)
    check_pruning(plain)
    return TreeClassifierCV(criterion=criterion, **parameters) if isinstance(q, str) else plain


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
