"""Models compared on data sets, under repeated stratified cross-validation on the same folds."""

from __future__ import annotations

import hashlib
import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from sklearn.base import clone

from ramify._folds import Folds, make_folds
from ramify._parameters import check_integer, check_jobs, is_integer, is_real, refuse
from ramify.experiments import fingerprint
from ramify.experiments.comparison import Comparison, Failure, Protocol
from ramify.experiments.identity import described, identity
from ramify.experiments.journal import Journal, Unit
from ramify.experiments.scoring import Measure, Trial, find_measures
from ramify.experiments.settings import make_models
from ramify.experiments.subjects import Subject, find_subjects
from ramify.tuning import fixed_seed

__all__ = ["NoScores", "compare"]


class NoScores(ValueError):  # noqa: N818  (what there is none of, not what went wrong)
    """No model could be scored on any data set; the text says why."""


#: What is measured unless asked otherwise.
MEASURES = ("accuracy", "n_nodes")


def compare(
    datasets: Any,
    models: Any = None,
    *,
    criteria: Any = None,
    qs: Any = (),
    cv: Any = 10,
    n_repeats: int = 10,
    measures: Any = MEASURES,
    reference: str | None = None,
    alpha: float = 0.05,
    target: str | None = None,
    resume: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    n_jobs: int | None = None,
    random_state: int = 0,
) -> Comparison:
    """Compare models on data sets, and test whether they differ.

    Every model is trained and tested on the same folds. A model that fails on a data set is named, and the
    rest goes on without it.

    Parameters
    ----------
    datasets : str, (X, y), Dataset, list of these, or dict of names to them
        Names of `ramify.datasets`, files as ``"data.csv:target"``, or data.
    models : dict of str to classifier, optional
        Any classifiers of scikit-learn, ramify's among them, unfitted. A `random_state` of None becomes that
        of the comparison.
    criteria, qs : iterable, optional
        More models: one tree for each criterion and order, see `make_models`.
    cv : int or splitter, default=10
        An integer: as many stratified and shuffled folds, `n_repeats` times. Or any splitter of scikit-learn,
        which must give as many folds for every data set; its own `random_state` deals them.
    n_repeats : int, default=10
        How often an integer's folds are dealt anew.
    measures : iterable of str, default=("accuracy", "n_nodes")
        What is measured, the one that matters most first: ``"n_nodes"``, ``"n_leaves"``, ``"depth"``,
        ``"log_loss"``, ``"fit_seconds"``, and the scorers of scikit-learn.
    reference : str, optional
        The model that the others are set against, data set by data set; None is the first.
    alpha : float, default=0.05
        The level of significance.
    target : str, optional
        The column to predict, of files that do not name theirs.
    resume : str or path-like, optional
        A file that keeps what is done. If the run is interrupted, the same call goes on from there; what
        depends on anything that has changed since is done again.
    progress : bool, optional
        Whether to show a bar on stderr, which needs rich. None: if the run is a long one on a terminal.
    n_jobs : int, optional
        Processes; None is 1, -1 all cores. No figure depends on it but for times.
    random_state : int, default=0
        Deals the folds.

    Returns
    -------
    Comparison

    Raises
    ------
    ValueError, TypeError
        If a parameter is not accepted, data can't be read, or (`NoScores`) no model has a score on any data
        set.
    ImportError
        If scipy or scikit-posthocs is not installed.
    KeyboardInterrupt
        If Ctrl-C interrupts it; with `resume`, what is done is kept.

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from ramify import TreeClassifier
    >>> from ramify.experiments import compare
    >>> from sklearn.datasets import load_iris, load_wine
    >>> result = compare(
    ...     {"iris": load_iris(return_X_y=True), "wine": load_wine(return_X_y=True)},
    ...     {"ramify": TreeClassifier(q=1), "scikit-learn": DecisionTreeClassifier()},
    ...     n_repeats=1,
    ... )
    >>> result.means_.round(3)
          ramify  scikit-learn
    iris   0.947         0.940
    wine   0.931         0.882
    >>> round(result.paired("ramify", "scikit-learn", "wine").pvalue, 3)
    0.198
    """
    _check_extras()
    subjects = find_subjects(datasets, target)
    chosen = _check_models(models, criteria, qs)
    measured = find_measures(measures)
    seed = fixed_seed(random_state)
    check_integer("n_repeats", n_repeats, 1)
    if is_integer(cv):
        protocol = Protocol(check_integer("cv", cv, 2), n_repeats, seed, _check_alpha(alpha))
    elif hasattr(cv, "split") and not isinstance(cv, (str, bytes)):
        protocol = Protocol(0, 1, seed, _check_alpha(alpha), described(cv))
    else:
        raise refuse("cv", cv, "an integer >= 2 or a splitter of scikit-learn")
    if reference is not None and reference not in chosen:
        raise refuse("reference", reference, f"the name of a model: {', '.join(map(repr, chosen))}")
    run = Run(subjects, chosen, measured, protocol, cv)
    journal = Journal(_check_file(resume), "compare", run.key())
    units = list(run.units())
    results = journal.run(
        units,
        _score,
        given=run.given,
        jobs=check_jobs(n_jobs),
        progress=progress,
        fingerprints=run.fingerprints(units),
    )
    return run.collect(units, results, reference or next(iter(chosen)))


@dataclass(frozen=True)
class Work:
    """What one unit needs: a model, a data set and the folds of one repeat."""

    subject: Subject
    model: Any
    folds: Folds
    measures: tuple[str, ...]


class Run:
    """All units of a comparison: each model on each data set, repeat by repeat."""

    def __init__(
        self,
        subjects: list[Subject],
        models: dict[str, Any],
        measures: tuple[Measure, ...],
        protocol: Protocol,
        cv: Any,
    ) -> None:
        self._subjects = {subject.name: subject for subject in subjects}
        self._models = {name: _seeded(model, protocol.seed) for name, model in models.items()}
        self._measures, self._protocol, self._cv = measures, protocol, cv
        self._failures: list[Failure] = []
        self._notes: dict[tuple[str, str], None] = {}
        self._folds = {}
        for subject in subjects:
            folds = self._deal(subject)
            if folds is not None:
                self._folds[subject.name] = folds
        if protocol.splitter:
            self._protocol = replace(protocol, cv=_number_of(self._folds, protocol.splitter))

    def _deal(self, subject: Subject) -> Folds | None:
        """Return the folds of a data set; None if they can't be dealt, which is a failure of every model."""
        protocol = self._protocol
        if subject.missing:
            self._failures += [Failure(subject.name, model, subject.missing) for model in self._models]
            return None
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                classes, numbers = subject.labels
                dealt = self._cv, protocol.n_repeats, protocol.seed
                folds = make_folds(*dealt, subject.X, numbers, classes, splitters=False)
            except (TypeError, ValueError) as error:
                self._failures += [Failure(subject.name, model, str(error)) for model in self._models]
                return None
        for warning in caught:
            self._notes[subject.name, str(warning.message)] = None
        return folds

    def units(self) -> list[Unit]:
        """Return what is to be done."""
        repeats = range(self._protocol.n_repeats)
        return [(name, model, i) for name in self._folds for model in self._models for i in repeats]

    def key(self) -> dict[str, Any]:
        """Return what every result depends on."""
        names = [measure.name for measure in self._measures]
        return {"versions": fingerprint.versions(), "measures": names}

    def fingerprints(self, units: list[Unit]) -> dict[Unit, str]:
        """Return what the result of each unit depends on beside: data, model and folds."""
        data = {name: self._subjects[name].digest() + self._folds[name].digest() for name in self._folds}
        models = {name: identity(model) for name, model in self._models.items()}
        texts = {unit: data[_parts(unit)[0]] + models[_parts(unit)[1]] for unit in units}
        return {unit: hashlib.sha256(text.encode()).hexdigest() for unit, text in texts.items()}

    def given(self, unit: Unit) -> Work:
        """Return what a unit needs."""
        name, model, repeat = _parts(unit)
        folds, start = self._folds[name], repeat * self._protocol.cv
        here = slice(start, start + self._protocol.cv)
        part = Folds(folds.train[here], folds.test[here])
        names = tuple(measure.name for measure in self._measures)
        return Work(self._subjects[name], self._models[model], part, names)

    def collect(self, units: list[Unit], results: list[Any], reference: str) -> Comparison:
        """Return the scores of all units as one comparison."""
        names, models = list(self._subjects), list(self._models)
        protocol, measures = self._protocol, self._measures
        shape = len(measures), len(names), len(models), protocol.n_repeats, protocol.cv
        scores = np.full(shape, np.nan)
        failed: dict[tuple[int, int], Failure] = {}
        for unit, result in zip(units, results, strict=True):
            name, model, repeat = _parts(unit)
            place = names.index(name), models.index(model)
            for text in result["warnings"]:
                self._notes[f"{model} on {name}", text] = None
            if result["error"] is not None:
                failed.setdefault(place, Failure(name, model, result["error"]))
            else:
                scores[:, place[0], place[1], repeat] = np.array(result["scores"]).T
        for place in failed:
            scores[:, place[0], place[1]] = np.nan  # half of its folds are no fair share
        failures = [*self._failures, *failed.values()]
        if np.isnan(scores[0]).all():
            told = f" {failures[0]}" if failures else f" None has a {measures[0].name}."
            raise NoScores(f"No model has a score on any data set.{told}")
        return Comparison(
            datasets=tuple(names),
            models=tuple(models),
            measures=measures,
            protocol=protocol,
            reference=reference,
            baselines=tuple(name for name, model in self._models.items() if _is_baseline(model)),
            failures_=tuple(sorted(failures, key=lambda f: (names.index(f.dataset), models.index(f.model)))),
            notes_=tuple(f"{where}: {text}" for where, text in self._notes),
            settings=tuple(described(model) for model in self._models.values()),
            sizes=tuple((subject.n_rows, subject.n_columns) for subject in self._subjects.values()),
            _scores=scores,
            _test_shares=tuple(_test_share(self._folds.get(name)) for name in names),
        )


def _number_of(folds: dict[str, Folds], splitter: str) -> int:
    """Return how many folds a splitter gives, the same for every data set."""
    first = next(iter(folds), "")
    for name, some in folds.items():
        if len(some) != len(folds[first]):
            raise ValueError(
                f"cv={splitter} gives {len(folds[first])} folds for {first!r} and {len(some)} for {name!r}; "
                "a comparison needs the same number for every data set."
            )
    return len(folds[first]) if folds else 0


def _parts(unit: Unit) -> tuple[str, str, int]:
    """Return the data set, the model and the repeat of a unit."""
    name, model, repeat = unit
    return str(name), str(model), int(repeat)


def _score(unit: Unit, work: Work) -> dict[str, Any]:
    """Return the scores of one model on the folds of one repeat, or why there are none."""
    measures = find_measures(work.measures)
    classes, numbers = work.subject.labels
    rows: list[list[float]] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            for train, test in zip(work.folds.train, work.folds.test, strict=True):
                model = clone(work.model)
                X, y = work.subject.take(train)
                begin = perf_counter()
                model.fit(X, y)
                seconds = perf_counter() - begin
                trial = Trial(model, work.subject.take(test)[0], classes[numbers[test]], classes, seconds)
                rows.append([measure.of(trial) for measure in measures])
            error = None
        except Exception as failure:  # of anybody's model: whatever it is, the others go on
            error = (
                f"{type(failure).__name__}: {str(failure).strip().splitlines()[0] if str(failure) else ''}"
            )
    told = list(dict.fromkeys(str(warning.message).strip().splitlines()[0] for warning in caught))
    return {"scores": None if error else rows, "error": error, "warnings": told}


def _test_share(folds: Folds | None) -> float:
    """Return the test rows for each training row."""
    if folds is None:
        return float("nan")
    return sum(map(len, folds.test)) / sum(map(len, folds.train))


def _check_extras() -> None:
    try:
        import scikit_posthocs  # noqa: F401
        import scipy.stats  # noqa: F401
    except ImportError as error:
        raise ImportError(f'compare needs {error.name}: pip install "ramify[experiments]".') from None


def _check_alpha(alpha: Any) -> float:
    if not is_real(alpha) or not 0.0 < alpha < 1.0:
        raise refuse("alpha", alpha, "a number between 0 and 1")
    return float(alpha)


def _check_file(resume: Any) -> Path | None:
    if resume is None:
        return None
    if not isinstance(resume, (str, os.PathLike)):
        raise TypeError(f"resume={resume!r} is not accepted; it must be None or the name of a file.")
    path = Path(resume)
    if path.is_dir():
        raise IsADirectoryError(f"resume={os.fspath(resume)!r} is a folder; give the name of a file.")
    return path


def _check_models(models: Any, criteria: Any, qs: Any) -> dict[str, Any]:
    """Return all models by name."""
    if models is not None and not isinstance(models, Mapping):
        raise TypeError(f"models={models!r} is not accepted; it must be a dict of names to classifiers.")
    found = {str(name): model for name, model in (models or {}).items()}
    if isinstance(criteria, str):
        criteria = [criteria]
    if criteria is None and (len(found) == 0 or list(qs)):
        criteria = ["gain"]
    for name, model in (make_models(criteria, qs) if criteria is not None else {}).items():
        if name in found:
            raise ValueError(f"models has {name!r}, which criteria and qs make too.")
        found[name] = model
    for name, model in found.items():
        if isinstance(model, type) or not all(
            hasattr(model, part) for part in ("fit", "predict", "get_params")
        ):
            raise TypeError(f"models[{name!r}]={model!r} is not a classifier; give an instance, unfitted.")
    if len(found) < 2:
        raise ValueError(f"There is one model, {next(iter(found))!r}; a comparison needs two or more.")
    return found


def _is_baseline(model: Any) -> bool:
    from sklearn.dummy import DummyClassifier

    return isinstance(model, DummyClassifier)


def _seeded(model: Any, seed: int) -> Any:
    """Return a copy whose random states, where they are None, are the seed."""
    model = clone(model)
    free = {
        name: seed
        for name, value in model.get_params(deep=True).items()
        if value is None and name.rpartition("__")[2] == "random_state"
    }
    return model.set_params(**free)
