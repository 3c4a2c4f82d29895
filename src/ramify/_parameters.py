"""The constructor's parameters, checked: each error names parameter, value and what is accepted."""

from __future__ import annotations

import math
import numbers
import os
from dataclasses import dataclass
from typing import Any

from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from ramify.criteria import ALIASES, checked_function, find_criterion

BRANCHINGS = ("binary", "multiway")
CUTS = ("exact", "quantile", "equal_width", "gaussian")
MISSING = ("fractional", "best_branch", "own_branch", "error")
UNKNOWN = ("node", "error")

#: More than any tree can have of anything, and less than the core's integers hold.
LARGEST = 2**62


@dataclass(frozen=True)
class CheckedCriterion:
    """A criterion with its order."""

    criterion: Any  # a registered name, or a function of tables
    q: float  # of the entropy in use


def refuse(name: str, value: object, accepted: str) -> ValueError:
    """Return the error for a parameter's value."""
    return ValueError(f"{name}={value!r} is not accepted; it must be {accepted}.")


def is_integer(value: object) -> bool:
    """Whether it is a whole number; a bool is none here."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_real(value: object) -> bool:
    """Whether it is a finite number; a bool is none here."""
    try:
        return isinstance(value, numbers.Real) and not isinstance(value, bool) and math.isfinite(value)
    except OverflowError:  # an integer that no float holds
        return False


def check_choice(name: str, value: object, choices: tuple[str, ...]) -> None:
    """Check that a parameter is one of some words."""
    if not isinstance(value, str) or value not in choices:
        raise refuse(name, value, "one of " + ", ".join(map(repr, choices)))


def check_integer(name: str, value: object, low: int, high: int | None = None) -> int:
    """Check that a parameter is a whole number in a range."""
    if not is_integer(value) or value < low or (high is not None and value > high):  # type: ignore[operator]
        span = f"an integer >= {low}" if high is None else f"an integer from {low} to {high}"
        raise refuse(name, value, span)
    return min(int(value), LARGEST)  # type: ignore[call-overload, no-any-return]


def check_criterion(criterion: object, q: object) -> CheckedCriterion:
    """Check `criterion` and `q`, which belong together."""
    if q is not None and (not is_real(q) or q < 0):  # type: ignore[operator]
        raise refuse(
            "q",
            q,
            "None or a finite number >= 0 (below 0 the entropy is convex, and every split would lose)",
        )
    order = None if q is None else float(q)  # type: ignore[arg-type]
    if callable(criterion):
        if order is not None:
            raise ValueError(f"q={q!r} was given with a callable criterion, which takes none.")
        return CheckedCriterion(checked_function(criterion), 1.0)
    if not isinstance(criterion, str):
        raise TypeError(
            f"criterion={criterion!r} is not accepted; it must be a name from list_criteria() or a "
            "callable on an array of tables."
        )
    name, fixed = ALIASES.get(criterion, (criterion, None))
    info = find_criterion(name)
    if order is not None and fixed is not None:
        raise ValueError(
            f"q={q!r} was given, but criterion={criterion!r} is {name!r} with q={fixed:g}; "
            f"choose criterion={name!r} to set q."
        )
    if order is not None and not info.takes_order:
        raise ValueError(f"q={q!r} was given, but criterion={criterion!r} takes no order.")
    return CheckedCriterion(name, next(o for o in (fixed, order, info.default_order) if o is not None))


def check_later(estimator: Any) -> None:
    """Refuse what is accepted by design but not built yet, by name."""
    later: dict[str, tuple[object, ...]] = {
        "pruning": (None,),
        "smoothing": (None,),
        "cost_matrix": (None,),
        "split_order": (None,),
        "max_features": (None,),
        "n_runner_ups": (0,),
        "ccp_alpha": (0.0,),
    }
    for name, built in later.items():
        value = getattr(estimator, name)
        if not any(value is one or (is_real(value) and value == one) for one in built):
            raise NotImplementedError(f"{name}={value!r} is not available yet; leave it at {built[0]!r}.")
    if not isinstance(estimator.dialect, str) or estimator.dialect != "plain":
        raise NotImplementedError(f"dialect={estimator.dialect!r} is not available yet; use 'plain'.")
    check_choice("missing", estimator.missing, MISSING)
    if estimator.missing in ("best_branch", "own_branch"):
        raise NotImplementedError(f"missing={estimator.missing!r} is not available yet.")
    check_choice("cuts", estimator.cuts, CUTS)
    if estimator.cuts == "quantile":
        raise NotImplementedError(
            "cuts='quantile' is not available yet; use 'exact', 'equal_width' or 'gaussian'."
        )


def rows_or_share(name: str, value: Any, n_rows: int, low: int) -> int:
    """Return a number of rows given as such, or as a share of all rows, as scikit-learn counts it."""
    if is_integer(value) and value >= low:
        return min(int(value), LARGEST)
    if is_real(value) and not is_integer(value) and 0.0 < float(value) <= 1.0:
        return max(low, math.ceil(float(value) * n_rows))
    raise refuse(name, value, f"an integer >= {low} or a float in (0, 1], a share of the rows")


def check_settings(estimator: Any, n_rows: int, weight: float) -> dict[str, Any]:
    """Check all parameters and return what the core wants.

    Parameters
    ----------
    estimator : TreeClassifier
        Whose parameters are checked.
    n_rows : int
        Training rows, of which shares are taken.
    weight : float
        Their weight, of which `min_support` may be a share.
    """
    check_later(estimator)
    checked = check_criterion(estimator.criterion, estimator.q)
    check_choice("branching", estimator.branching, BRANCHINGS)
    check_choice("handle_unknown", estimator.handle_unknown, UNKNOWN)
    support = estimator.min_support
    if support is None:
        min_support = 0.0
    elif is_integer(support) and support >= 1:
        min_support = float(min(int(support), LARGEST))
    elif is_real(support) and not is_integer(support) and 0.0 < support < 1.0:
        min_support = float(support) * weight
    else:
        raise refuse(
            "min_support",
            support,
            "None, an integer >= 1, or a float in (0, 1), a share of the cases",
        )
    confidence = estimator.confidence
    if not is_real(confidence) or not 0.0 < confidence <= 0.5:
        raise refuse("confidence", confidence, "a number in (0, 0.5]")
    try:
        check_random_state(estimator.random_state)
    except (TypeError, ValueError):
        raise refuse(
            "random_state", estimator.random_state, "None, an integer or a numpy.random.RandomState"
        ) from None
    decrease = estimator.min_impurity_decrease
    if not is_real(decrease) or decrease < 0:
        raise refuse("min_impurity_decrease", decrease, "a finite number >= 0")
    depth, leaves = estimator.max_depth, estimator.max_leaf_nodes
    return {
        "criterion": checked.criterion,
        "q": checked.q,
        "multiway": estimator.branching == "multiway",
        "cuts": estimator.cuts,
        "max_bins": check_integer("max_bins", estimator.max_bins, 2, 65535),
        "max_depth": None if depth is None else check_integer("max_depth", depth, 1),
        "min_samples_split": rows_or_share("min_samples_split", estimator.min_samples_split, n_rows, 2),
        "min_samples_leaf": rows_or_share("min_samples_leaf", estimator.min_samples_leaf, n_rows, 1),
        "max_leaf_nodes": None if leaves is None else check_integer("max_leaf_nodes", leaves, 2),
        "min_support": min_support,
        "min_impurity_decrease": float(decrease),
    }


def check_jobs(n_jobs: object) -> int:
    """Return the number of threads that `n_jobs` asks for, as scikit-learn means it."""
    if n_jobs is not None and (not is_integer(n_jobs) or n_jobs == 0):
        raise refuse("n_jobs", n_jobs, "None or an integer that is not 0 (-1: all cores)")
    # More threads than cores only cost; the tree does not depend on their number.
    return min(int(effective_n_jobs(n_jobs)), 4 * (os.cpu_count() or 1))
