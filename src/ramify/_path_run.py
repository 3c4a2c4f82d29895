"""One run over the folds: in chunks that can be shown, kept and interrupted."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from ramify._choice import choose, standard_errors
from ramify._folds import Folds, make_folds
from ramify._parameters import is_integer, refuse
from ramify._path_growth import Orders, PathGrower
from ramify._path_scores import Scores, check_test_weights, score_folds

if TYPE_CHECKING:
    from sklearn.model_selection import StratifiedGroupKFold

#: Seconds that a chunk should take: short enough to stop soon, long enough that nothing is lost by it.
CHUNK = 0.2

#: Folds a thread that a chunk should have, so that no thread waits long for another, and how many times
#: longer than others it may take for that.
EVEN, STRETCH = 8, 10

#: Folds of the inner cross-validation, unless asked otherwise.
INNER_FOLDS = 10


class Store(Protocol):
    """Where finished folds are kept, if anywhere."""

    def restored(self) -> tuple[Scores, NDArray[np.intp]] | None:
        """Return the folds that were finished before, from the first on, and the q chosen inside."""

    def append(self, scores: Scores, chosen: NDArray[np.intp]) -> None:
        """Keep more folds."""


class Bar(Protocol):
    """What shows how far a run has come."""

    def show(self, done: int, left: float = 0.0) -> None:
        """Say how many folds are done, and how many seconds the others may take, if that is known."""


@dataclass(frozen=True)
class Inner:
    """How q is chosen inside the training rows of a fold.

    Attributes
    ----------
    cv : None, int or splitter
        The inner folds; None is 10, or as many as the largest class has cases.
    seed : int
        Shuffles them.
    X : Any
        What a splitter is shown rows of.
    groups : ndarray, optional
        The group of each row; then groups stay together in the inner folds, too.
    """

    cv: Any
    seed: int
    X: Any
    groups: NDArray[Any] | None = None

    def check(self) -> None:
        """Refuse what can't be used for one training set after the other."""
        if self.cv is not None and not is_integer(self.cv) and not hasattr(self.cv, "split"):
            raise refuse("inner_cv", self.cv, "None, an integer >= 2 or a splitter of scikit-learn")

    def folds(self, grower: PathGrower, train: NDArray[np.uint32]) -> Folds:
        """Return the folds of some training rows."""
        numbers, cv = grower.numbers[train], self.cv
        groups = None if self.groups is None else self.groups[train]
        if cv is None:
            cv = max(2, min(INNER_FOLDS, int(np.bincount(numbers).max())))
            if groups is not None:
                cv = self._grouped(cv, groups)
        X = _safe_indexing(self.X, train) if hasattr(cv, "split") else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of small classes: the outer folds warned already
            folds = make_folds(cv, 1, self.seed, X, numbers, grower.classes, "inner_cv", groups=groups).of(
                train
            )
        check_test_weights(grower, folds, "inner_cv")
        return folds

    def _grouped(self, most: int, groups: NDArray[Any]) -> StratifiedGroupKFold:
        n_groups = len(np.unique(groups))
        if n_groups < 2:
            raise ValueError(
                "nested=True needs two groups at least in the training rows of each fold to choose q by, and "
                f"one has {n_groups}; use fewer folds."
            )
        # Only groups need it, and it imports much.
        from sklearn.model_selection import StratifiedGroupKFold

        return StratifiedGroupKFold(min(most, n_groups), shuffle=True, random_state=self.seed)


@dataclass(frozen=True)
class Plan:
    """What is to be done: all folds of a path."""

    grower: PathGrower
    qs: Orders
    folds: Folds
    inner: Inner | None = None

    def score(self, start: int, stop: int) -> tuple[Scores, NDArray[np.intp]]:
        """Return the scores of some folds, and the positions of the q that were chosen inside (-1: none)."""
        train, test = self.folds.train[start:stop], self.folds.test[start:stop]
        n_folds = stop - start
        if self.inner is None:
            return score_folds(self.grower, Folds(train, test), self.qs), np.full(n_folds, -1)
        inside = [self.inner.folds(self.grower, rows) for rows in train]
        together = Folds(
            [*train, *(rows for folds in inside for rows in folds.train)],
            [*test, *(rows for folds in inside for rows in folds.test)],
        )
        scores = score_folds(self.grower, together, self.qs)
        chosen, at = np.empty(n_folds, dtype=np.intp), n_folds
        for i, folds in enumerate(inside):
            of_fold = scores.take(slice(at, at + len(folds)))
            at += len(folds)
            accuracy, size = of_fold.accuracy.mean(axis=0), of_fold.n_nodes.mean(axis=0)
            chosen[i] = choose("accuracy", accuracy, standard_errors(of_fold.accuracy), size)
        return scores.take(slice(n_folds)), chosen


@dataclass(frozen=True)
class Finished:
    """The folds that are done, from the first on."""

    scores: Scores
    chosen: NDArray[np.intp]
    interrupted: bool


def run(plan: Plan, guess: float, store: Store | None = None, bar: Bar | None = None) -> Finished:
    """Go through the folds. An interruption ends it with the folds done so far.

    Parameters
    ----------
    plan : Plan
        What to do.
    guess : float
        Seconds that a fold may take; about what the trees of all rows took.
    store : Store, optional
        Where finished folds are kept.
    bar : Bar, optional
        What shows how far it has come.

    Raises
    ------
    KeyboardInterrupt
        If it is interrupted before a fold is done.
    """
    parts: list[Scores] = []
    choices: list[NDArray[np.intp]] = []
    restored = None if store is None else store.restored()
    if restored is not None:
        parts, choices = [restored[0]], [restored[1]]
    done = sum(map(len, parts))
    inner_folds = 0 if plan.inner is None else INNER_FOLDS
    size, interrupted = _chunk_size(plan, guess * (1 + inner_folds)), False
    try:
        if bar is not None:
            bar.show(done, guess * (1 + inner_folds) * (len(plan.folds) - done) / plan.grower.n_jobs)
        while done < len(plan.folds):
            start = perf_counter()
            stop = min(done + size, len(plan.folds))
            scores, chosen = plan.score(done, stop)
            if store is not None:
                store.append(scores, chosen)
            parts.append(scores)
            choices.append(chosen)
            size = _chunk_size(plan, (perf_counter() - start) / (stop - done))
            done = stop
            if bar is not None:
                bar.show(done)
    except KeyboardInterrupt:
        if not parts:
            raise
        interrupted = True
    return Finished(Scores.join(parts), np.concatenate(choices), interrupted)


def _chunk_size(plan: Plan, seconds: float) -> int:
    """Return the folds of a chunk if one takes so many seconds."""
    n_jobs = plan.grower.n_jobs
    in_time = CHUNK / max(seconds, 1e-6)
    return max(n_jobs, int(in_time), min(EVEN * n_jobs, int(STRETCH * in_time)))
