"""The constructor's parameters, checked: each error names parameter, value and what is accepted."""

from __future__ import annotations

import math
import numbers
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils import check_random_state

from ramify.criteria import ALIASES, checked_function, find_criterion, list_criteria
from ramify.dialects import Dialect, find_dialect

BRANCHINGS = ("binary", "multiway")
CUTS = ("exact", "quantile", "equal_width", "gaussian")
MISSING = ("fractional", "best_branch", "own_branch", "error")
UNKNOWN = ("node", "error")
PRUNINGS = ("pessimistic", "cost_complexity", "reduced_error", "merge")

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


def is_number(value: object) -> bool:
    """Whether it is a number, NaN and infinity too; a bool is none here."""
    return isinstance(value, numbers.Real) and not isinstance(value, bool)


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


def check_shown(max_depth: object, digits: object = 6, max_categories: object = 8) -> None:
    """Check what says how much of a tree is shown."""
    if max_depth is not None:
        check_integer("max_depth", max_depth, 0)
    check_integer("digits", digits, 1)
    check_integer("max_categories", max_categories, 1)


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


def check_max_features(max_features: Any, n_columns: int) -> int | None:
    """Return the number of columns drawn for a node, None for all, by scikit-learn's words."""
    if max_features is None:
        return None
    if isinstance(max_features, str) and max_features in ("sqrt", "log2"):
        root = math.sqrt(n_columns) if max_features == "sqrt" else math.log2(n_columns)
        return max(1, int(root))
    if is_integer(max_features) and max_features >= 1:
        return min(int(max_features), n_columns)
    if is_real(max_features) and not is_integer(max_features) and 0.0 < max_features <= 1.0:
        return max(1, int(max_features * n_columns))
    raise refuse(
        "max_features", max_features, "None, 'sqrt', 'log2', an integer >= 1 or a float in (0, 1], a share"
    )


def check_split_order(split_order: Any, names: list[str], named: bool) -> list[int]:
    """Return the column that each depth must split on, -1 for any."""
    if split_order is None:
        return []
    listed = isinstance(split_order, (Sequence, np.ndarray)) and not isinstance(split_order, (str, bytes))
    if not listed or (isinstance(split_order, np.ndarray) and split_order.ndim == 0):
        raise refuse("split_order", split_order, "None or a list of columns, by name or index")
    positions = []
    for entry in split_order:
        if entry is None:
            positions.append(-1)
        elif isinstance(entry, str):
            if not named or entry not in names:
                known = f"the columns are {names}" if named else "X has no column names"
                raise ValueError(f"split_order names the column {entry!r}, but {known}.")
            positions.append(names.index(entry))
        elif is_integer(entry) and 0 <= entry < len(names):
            positions.append(int(entry))
        else:
            raise ValueError(
                f"split_order has {entry!r}; it must list names of columns, indices from 0 to "
                f"{len(names) - 1}, or None where a depth is free."
            )
    return positions


def check_pruning(estimator: Any) -> str | None:
    """Return the way of pruning that `pruning`, `confidence` and `ccp_alpha` ask for together."""
    method, alpha = estimator.pruning, estimator.ccp_alpha
    if method is not None:
        check_choice("pruning", method, PRUNINGS)
    confidence = estimator.confidence
    if not is_real(confidence) or not 0.0 < confidence <= 0.5:
        raise refuse("confidence", confidence, "a number in (0, 0.5]")
    by_folds = isinstance(alpha, str) and alpha == "cv"
    if not by_folds and (not is_real(alpha) or alpha < 0):
        raise refuse("ccp_alpha", alpha, "a finite number >= 0, or 'cv'")
    if by_folds or alpha > 0:
        if method not in (None, "cost_complexity"):
            raise ValueError(
                f"ccp_alpha={alpha!r} was given with pruning={method!r}; it belongs to 'cost_complexity'."
            )
        return "cost_complexity"
    return method if method is None else str(method)


def check_dialect(estimator: Any) -> Dialect:
    """Return the dialect, checked against the parameters that it restricts."""
    dialect = find_dialect(estimator.dialect)
    if dialect.available_gain_gate:
        for name in ("max_features", "split_order"):
            value = getattr(estimator, name)
            if value is not None:
                raise ValueError(
                    f"{name}={value!r} does not go with dialect.available_gain_gate, which looks at all "
                    "columns; use None."
                )
    if dialect.by_columns:
        for name, choices in (("missing", ("fractional", "error")), ("cuts", ("exact",))):
            value = getattr(estimator, name)
            if value not in choices:
                accepted = " or ".join(map(repr, choices))
                raise ValueError(
                    f"{name}={value!r} does not go with this dialect, which has rules of its own for it; "
                    f"use {accepted}."
                )
        names = [info.name for info in list_criteria() if info.compares_entropies]
        check_choice("dialect.cut_criterion", dialect.cut_criterion, tuple(names))
    return dialect


def seed_of(random_state: Any, draws: bool) -> int:
    """Return a seed for the core's draws of columns, 0 if it draws none."""
    try:
        generator = check_random_state(random_state)
    except (TypeError, ValueError):
        accepted = "None, an integer from 0 to 4294967295 or a numpy.random.RandomState"
        raise refuse("random_state", random_state, accepted) from None
    return int(generator.randint(0, 2**31 - 1)) if draws else 0


def rows_or_share(name: str, value: Any, n_rows: int, low: int) -> int:
    """Return a number of rows given as such, or as a share of all rows, as scikit-learn counts it."""
    if is_integer(value) and value >= low:
        return min(int(value), LARGEST)
    if is_real(value) and not is_integer(value) and 0.0 < float(value) <= 1.0:
        return max(low, math.ceil(float(value) * n_rows))
    raise refuse(name, value, f"an integer >= {low} or a float in (0, 1], a share of the rows")


def check_support(support: Any, weight: float) -> float:
    """Return the weight that `min_support` asks for."""
    if support is None:
        return 0.0
    if is_integer(support) and support >= 1:
        return float(min(int(support), LARGEST))
    if is_real(support) and not is_integer(support) and 0.0 < support < 1.0:
        return float(support) * weight
    raise refuse(
        "min_support",
        support,
        "None, an integer >= 1, or a float in (0, 1), a share of the cases",
    )


def check_settings(
    estimator: Any, n_rows: int, weight: float, names: list[str], named: bool
) -> dict[str, Any]:
    """Check all parameters and return what the core wants.

    Parameters
    ----------
    estimator : TreeClassifier
        Whose parameters are checked.
    n_rows : int
        Training rows, of which shares are taken.
    weight : float
        Their weight, of which `min_support` may be a share.
    names : list of str
        The columns.
    named : bool
        Whether the names come from the data.
    """
    check_choice("missing", estimator.missing, MISSING)
    check_choice("cuts", estimator.cuts, CUTS)
    checked = check_criterion(estimator.criterion, estimator.q)
    check_choice("branching", estimator.branching, BRANCHINGS)
    check_choice("handle_unknown", estimator.handle_unknown, UNKNOWN)
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
        "min_support": check_support(estimator.min_support, weight),
        "min_impurity_decrease": float(decrease),
        "missing": estimator.missing,
        "dialect": dict(vars(check_dialect(estimator))),  # the core reads the rules of growing
        "n_runner_ups": check_integer("n_runner_ups", estimator.n_runner_ups, 0),
        "max_features": check_max_features(estimator.max_features, len(names)),
        "seed": seed_of(estimator.random_state, estimator.max_features is not None),
        "split_order": check_split_order(estimator.split_order, names, named),
    }


def check_jobs(n_jobs: object) -> int:
    """Return the number of threads that `n_jobs` asks for, as scikit-learn means it."""
    if n_jobs is not None and (not is_integer(n_jobs) or n_jobs == 0):
        raise refuse("n_jobs", n_jobs, "None or an integer that is not 0 (-1: all cores)")
    jobs = int(effective_n_jobs(n_jobs))
    # More threads than cores only cost; the tree does not depend on their number. Cores are counted only
    # where it matters, since that takes long beside a small fit or prediction.
    return jobs if jobs <= 4 else min(jobs, 4 * (os.cpu_count() or 1))
