"""Every q at once, under cross-validation."""

from __future__ import annotations

import inspect
import os
import warnings
from copy import copy
from difflib import get_close_matches
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from ramify._folds import Folds, check_groups, make_folds
from ramify._orders import check_orders, check_takes_order
from ramify._parameters import is_integer, refuse, seed_of
from ramify._path_file import PathFile
from ramify._path_growth import Orders, PathGrower
from ramify._path_run import Finished, Inner, Plan, run
from ramify._path_scores import NAMES, baselines, check_test_weights
from ramify._preparation import prepare
from ramify._progress import ProgressBar
from ramify.estimator import TreeClassifier
from ramify.path import QPath, distinct_trees

__all__ = ["q_path"]


def q_path(
    X: Any,
    y: Any = None,
    qs: Any = None,
    *,
    cv: Any = 10,
    n_repeats: int = 10,
    sample_weight: Any = None,
    groups: Any = None,
    nested: bool = False,
    inner_cv: Any = None,
    resume: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    n_jobs: int | None = None,
    random_state: Any = 0,
    **parameters: Any,
) -> QPath:
    """Try every order q under cross-validation: accuracy, size and the trees themselves.

    The defaults are the protocol of Wang and Xia (2016): q = 0.1, 0.2, ..., 10.0 and 10 times 10 stratified
    folds, that is 10,000 trees; add ``min_samples_leaf=5`` for theirs. Each tree is the one that
    ``TreeClassifier(q=q, ...).fit`` grows: on all rows bit by bit, on the training rows of a fold but for the
    rounding of sums of fractions.

    Orders share all nodes that they have in common, except with `max_leaf_nodes`, where each is grown by
    itself. Folds share the reading and sorting of the data, and are scored while they are grown. They are
    grown one after the other, and their trees are scored afterwards, with `max_leaf_nodes`, pruning, missing
    values, ``cuts="quantile"`` or ``"equal_width"``, and the rules of C4.5; that takes longer, and gives the
    same figures.

    Parameters
    ----------
    X, y : array-like or frame, and array-like
        As for `TreeClassifier.fit`. Columns, categories and classes are read once, from all rows: a
        category that the training rows of a fold lack is known all the same, but has no cases.
    qs : list of float, optional
        The orders: different finite numbers >= 0, no more than 65,535 of them. None is 0.1, 0.2, ..., 10.0.
    cv : int, splitter or iterable, default=10
        An integer: as many stratified and shuffled folds, `n_repeats` times. Or any splitter of scikit-learn,
        or an iterable of (train, test) row numbers.
    n_repeats : int, default=10
        How often an integer `cv` is repeated with other folds.
    sample_weight : array-like, shape (rows,), optional
        What each row counts, in training and in the scores.
    groups : array-like, shape (rows,), optional
        The group of each row, for a splitter that keeps groups together, such as ``cv=GroupKFold(10)``.
    nested : bool, default=False
        Whether to choose q once more for each fold by an inner cross-validation on its training rows, which
        gives the honest estimate `QPath.nested_accuracy_`. The choice is that of `QPath.best_q_`: the highest
        mean accuracy, the smaller tree on ties. It takes about as many times longer as there are inner folds.
    inner_cv : int or splitter, optional
        The folds of this inner cross-validation. None is 10 stratified folds, fewer if no class has 10 cases;
        with `groups` these stay together there, too.
    resume : str or path-like, optional
        A file that keeps the finished folds, written every few folds. If it is there already, from the same
        data, parameters and version of ramify, its folds are not computed again; so an interrupted run goes
        on where it was. `n_jobs` may be another. The trees on all rows are grown in each run. The folds must
        be the same each time, so `random_state`, and that of a splitter that shuffles, must be a number.
    progress : bool, optional
        Whether to show a bar with the time left on stderr, which needs rich. None: if stderr is a terminal,
        rich is installed, and the run takes more than about a second.
    n_jobs : int, optional
        Threads; None is 1, -1 all cores. No figure depends on it.
    random_state : int, RandomState or None, default=0
        Shuffles the folds, and is the `random_state` of the trees.
    **parameters
        All other parameters of `TreeClassifier`, but for `q`. The criterion must take an order.

    Returns
    -------
    QPath

    Raises
    ------
    ValueError
        If `qs` is empty, too long or has duplicate, negative or infinite values; if no class has as many
        cases as there are folds; if folds train and test on the same rows; if `resume` is a file of another
        run, the text says what differs, or if its folds could not be drawn again; or if anything is wrong
        with the data or with a parameter.
    TypeError
        If a parameter is not known, or `resume` is no name.
    OSError
        If `resume` can't be read or written.
    ImportError
        If ``progress=True``, and rich is not installed.
    KeyboardInterrupt
        If Ctrl-C interrupts the growth of the trees on all rows, which comes first, or the very first folds.

    Warns
    -----
    UserWarning
        If some class has fewer cases than there are folds; or if Ctrl-C interrupts the run after that: then
        the path of the finished folds is returned, and `QPath.complete_` is False. The few folds that are at
        hand at that moment are lost.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from ramify import q_path
    >>> X, y = load_iris(return_X_y=True)
    >>> path = q_path(X, y, qs=[0.5, 1, 2, 4], n_repeats=1, min_samples_leaf=5)
    >>> path.best_q_, path.smallest_q_
    (0.5, 2.0)
    >>> path.accuracy_.round(3)
    array([0.94 , 0.933, 0.933, 0.933])
    >>> path.trees_[0]
    <PathTree: 13 nodes, q = 0.5>
    """
    orders = check_orders(qs)
    if resume is not None:
        _check_repeatable(random_state=random_state, cv=cv, inner_cv=inner_cv)
    seed = fixed_seed(random_state)
    model = _make_model(parameters, n_jobs, seed)
    grower = make_grower(model, X, y, sample_weight, orders)
    of_rows = check_groups(groups, grower.n_rows)
    folds = make_folds(cv, n_repeats, seed, X, grower.numbers, grower.classes, groups=of_rows)
    check_test_weights(grower, folds)
    inner = None
    if not isinstance(nested, (bool, np.bool_)):
        raise refuse("nested", nested, "True or False")
    if nested:
        inner = Inner(inner_cv, seed, X, of_rows)
        inner.check()
    elif inner_cv is not None:
        raise ValueError(f"inner_cv={inner_cv!r} was given without nested=True, which it belongs to.")
    return compute_path(Plan(grower, orders, folds, inner), resume, progress)


def _check_repeatable(random_state: Any, **splitters: Any) -> None:
    """Refuse what draws other folds in each run, so that no later run could go on with them."""
    drawn = ["random_state"] if random_state is None else []
    for name, cv in splitters.items():
        if hasattr(cv, "split") and getattr(cv, "random_state", 0) is None and getattr(cv, "shuffle", True):
            drawn.append(f"random_state of {name}")
    if drawn:
        raise ValueError(
            f"{drawn[0]} is None, which draws other folds in each run, so that none could go on from the "
            "file resume; give a number."
        )


def fixed_seed(random_state: Any) -> int:
    """Return a seed that is the same for all folds and trees of a run."""
    seed_of(random_state, False)  # refuses what is no random state
    if is_integer(random_state):
        return int(random_state)
    return int(check_random_state(random_state).randint(0, 2**31 - 1))


def _make_model(parameters: dict[str, Any], n_jobs: Any, seed: int) -> TreeClassifier:
    if "q" in parameters:
        raise ValueError(
            f"q={parameters['q']!r} was given, but q_path tries all of qs; use qs={[parameters['q']]}."
        )
    known = inspect.signature(TreeClassifier).parameters
    unknown = [name for name in parameters if name not in known]
    if unknown:
        near = get_close_matches(unknown[0], [*known, *inspect.signature(q_path).parameters], 1)
        meant = f" Did you mean {near[0]!r}?" if near else ""
        raise TypeError(
            f"q_path got {unknown[0]!r}, which is neither its own parameter nor TreeClassifier's.{meant}"
        )
    return TreeClassifier(**parameters, n_jobs=n_jobs, random_state=seed)


def make_grower(model: TreeClassifier, X: Any, y: Any, sample_weight: Any, orders: Orders) -> PathGrower:
    """Check data and parameters, and return what grows the trees of all orders."""
    check_takes_order(model.criterion)
    model.q = float(orders[0])
    return PathGrower(model, prepare(model, X, y, sample_weight), sample_weight)


def compute_path(plan: Plan, resume: Any = None, progress: Any = None, partial: bool = True) -> QPath:
    """Carry a plan out.

    Parameters
    ----------
    plan : Plan
        What to do.
    resume, progress
        As for `q_path`.
    partial : bool
        Whether an interruption returns the folds that are done; else it is raised.
    """
    with ProgressBar(progress, f"{len(plan.qs)} q", len(plan.folds)) as bar:
        store = None if resume is None else PathFile(resume, plan)
        start = perf_counter()
        trees, full_n_nodes = distinct_trees(plan.grower, plan.qs)
        finished = run(plan, perf_counter() - start, store, bar)
    if finished.interrupted:
        if not partial:
            raise KeyboardInterrupt
        kept = (
            "" if resume is None else f" They are kept in {os.fspath(resume)!r}; the same call goes on there."
        )
        warnings.warn(
            f"Interrupted: {len(finished.scores)} of {len(plan.folds)} folds are done, and the path is of "
            f"these only (complete_ is False).{kept}",
            UserWarning,
            stacklevel=3,
        )
    chosen = _chosen_inside(plan, finished)
    n_done = len(finished.scores)
    done = Folds(plan.folds.train[:n_done], plan.folds.test[:n_done])
    return QPath(
        qs_=plan.qs,
        full_n_nodes_=full_n_nodes,
        trees_=trees,
        **{f"fold_{name}_": getattr(finished.scores, name) for name in NAMES},
        nested_fold_q_=None if chosen is None else chosen[0],
        nested_fold_accuracy_=None if chosen is None else chosen[1],
        fold_baseline_=baselines(plan.grower, done),
        n_folds_planned_=len(plan.folds),
        _grower=copy(plan.grower),  # without what the core made of the data
    )


def _chosen_inside(plan: Plan, finished: Finished) -> tuple[Orders, Orders] | None:
    """Return the q that was chosen inside each fold, and its accuracy there."""
    if plan.inner is None:
        return None
    rows = np.arange(len(finished.chosen))
    return plan.qs[finished.chosen], finished.scores.accuracy[rows, finished.chosen]
