"""The folds of a cross-validation: which rows train and which test, checked once."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_random_state

from ramify._orders import is_flat
from ramify._parameters import check_integer, is_integer, refuse

Rows = NDArray[np.uint32]

_ACCEPTED = "an integer >= 2, a splitter of scikit-learn or an iterable of (train, test) row numbers"


@dataclass(frozen=True)
class Folds:
    """Training and test rows of each fold, both in rising order and without a row in common."""

    train: list[Rows]
    test: list[Rows]

    def __len__(self) -> int:
        return len(self.train)

    def digest(self) -> str:
        """Return a fingerprint: other folds have another."""
        sha = hashlib.sha256()
        for rows in (*self.train, *self.test):
            sha.update(len(rows).to_bytes(8, "little"))
            sha.update(rows.tobytes())
        return sha.hexdigest()

    def of(self, rows: Rows) -> Folds:
        """Return the same folds where row i is `rows[i]` of a larger table; `rows` is rising."""
        return Folds([rows[train] for train in self.train], [rows[test] for test in self.test])


def make_folds(
    cv: Any,
    n_repeats: int,
    seed: int,
    X: Any,
    numbers: NDArray[np.uint32],
    classes: NDArray[Any],
    name: str = "cv",
    splitters: bool = True,
    groups: NDArray[Any] | None = None,
) -> Folds:
    """Return the folds that `cv` asks for.

    Parameters
    ----------
    cv : int, splitter or iterable
        As many stratified and shuffled folds, `n_repeats` times; or whatever scikit-learn takes.
    n_repeats, seed : int
        For an integer `cv`.
    X : Any
        What a splitter is shown.
    numbers, classes : ndarray
        The class of each row, and the labels.
    name : str
        What the parameter is called in error texts.
    splitters : bool
        Whether the caller takes a splitter too, as error texts advise.
    groups : ndarray, optional
        The group of each row, for a splitter that keeps groups together.

    Raises
    ------
    ValueError
        If there are more folds than rows, or than cases of any class, or if a splitter gives rows that can't
        train or test.
    """
    if is_integer(cv):
        if groups is not None:
            raise ValueError(
                f"groups was given, but {name}={cv} deals rows without heeding groups; give a splitter that "
                f"does, such as {name}=StratifiedGroupKFold({cv}) of scikit-learn."
            )
        n_folds = check_integer(name, cv, 2)
        n_repeats = check_integer("n_repeats", n_repeats, 1)
        _check_cases(
            n_folds,
            numbers,
            classes,
            name,
            f", join classes, or pass a splitter as {name}" if splitters else " or join classes",
        )
        return _stratified(n_folds, n_repeats, seed, numbers)
    if cv is None or isinstance(cv, (bool, str, bytes)):
        raise refuse(name, cv, _ACCEPTED)
    if hasattr(cv, "split"):
        pairs = _split(cv, X, classes[numbers], groups, name)
    elif isinstance(cv, Iterable):
        pairs = cv
    else:
        raise refuse(name, cv, _ACCEPTED)
    return _checked(pairs, len(numbers), name)


def _split(splitter: Any, X: Any, y: NDArray[Any], groups: NDArray[Any] | None, name: str) -> Iterable[Any]:
    try:
        return list(splitter.split(X, y) if groups is None else splitter.split(X, y, groups))
    except ValueError as error:
        if groups is not None or "groups" not in str(error):
            raise
        raise ValueError(
            f"{name}={splitter!r} needs to know the groups of the rows; give them as groups."
        ) from error


def check_groups(groups: Any, n_rows: int) -> NDArray[Any] | None:
    """Return the group of each row as an array; None if there are none."""
    if groups is None:
        return None
    if not is_flat(groups):
        raise ValueError(f"groups is {type(groups).__name__}; one value a row is needed, in one dimension.")
    listed = np.asarray(groups)
    if len(listed) != n_rows:
        raise ValueError(f"groups has {len(listed)} values, but there are {n_rows} rows.")
    return listed


def _check_cases(
    n_folds: int, numbers: NDArray[np.uint32], classes: NDArray[Any], name: str, instead: str
) -> None:
    """Warn of classes with fewer cases than folds; they are an error if they are all."""
    n_rows = len(numbers)
    counts = np.bincount(numbers, minlength=len(classes))
    fewer = f"Use fewer folds ({name} up to {counts.max()})" if counts.max() > 1 else "Get more cases"
    if n_folds > n_rows:
        raise ValueError(
            f"{name}={n_folds} asks for more folds than there are rows (n_samples={n_rows}), and the largest "
            f"class, {_label(classes[counts.argmax()])}, has {counts.max()}. {fewer}."
        )
    few = np.flatnonzero((counts > 0) & (counts < n_folds))
    if len(few) == 0:
        return
    listed = few[np.argsort(counts[few], kind="stable")]
    told = ", ".join(f"{_label(classes[k])} has {counts[k]}" for k in listed[:5])
    if len(listed) > 5:
        told += f" and {len(listed) - 5:,} more classes have fewer than {n_folds}"
    if counts.max() < n_folds:
        raise ValueError(
            f"{name}={n_folds} asks for more folds than any class has cases: {told}. {fewer}{instead}."
        )
    warnings.warn(
        f"{name}={n_folds} asks for more folds than there are cases of a class: {told}. Some folds "
        f"have no case of it to test. Use fewer folds{instead}.",
        UserWarning,
        stacklevel=4,
    )


def _label(label: Any) -> str:
    return repr(label.item() if isinstance(label, np.generic) else label)


def _stratified(n_folds: int, n_repeats: int, seed: int, numbers: NDArray[np.uint32]) -> Folds:
    """Return the folds of scikit-learn's RepeatedStratifiedKFold, row for row.

    They are dealt here because that takes a fraction of the time, and there may be thousands of few rows.
    """
    generator = check_random_state(seed)
    _, first, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    rank = np.argsort(np.argsort(first))  # classes in the order in which they come
    encoded = rank[inverse]
    ordered = np.sort(encoded)
    share = np.stack([np.bincount(ordered[i::n_folds], minlength=len(first)) for i in range(n_folds)])
    members = [np.flatnonzero(encoded == k) for k in range(len(first))]
    folds, fold = Folds([], []), np.empty(len(numbers), dtype=np.intp)
    for _ in range(n_repeats):
        for k, rows in enumerate(members):
            dealt = np.arange(n_folds).repeat(share[:, k])
            generator.shuffle(dealt)
            fold[rows] = dealt
        for i in range(n_folds):
            tested = fold == i
            folds.train.append(np.flatnonzero(~tested).astype(np.uint32))
            folds.test.append(np.flatnonzero(tested).astype(np.uint32))
    return folds


def _checked(pairs: Iterable[Any], n_rows: int, name: str) -> Folds:
    train, test = [], []
    for fold, pair in enumerate(pairs):
        try:
            some, others = pair
        except (TypeError, ValueError):
            raise ValueError(
                f"{name} gives {type(pair).__name__} as fold {fold}; pairs (train, test) of row numbers are "
                "needed."
            ) from None
        train.append(_row_numbers(some, n_rows, f"the training rows of fold {fold} of {name}"))
        test.append(_row_numbers(others, n_rows, f"the test rows of fold {fold} of {name}"))
        both = np.intersect1d(train[-1], test[-1], assume_unique=True)
        if len(both):
            raise ValueError(
                f"{name} trains and tests fold {fold} on the same rows, {both[:5].tolist()} among them; "
                "a test on training rows says nothing."
            )
    if not train:
        once = " An iterator gives its folds once only; make a list of it." if iter(pairs) is pairs else ""
        raise ValueError(f"{name} gives no folds.{once}")
    return Folds(train, test)


def _row_numbers(given: Any, n_rows: int, what: str) -> Rows:
    rows = np.asarray(given)
    if rows.ndim != 1 or (rows.dtype.kind not in "iu" and rows.size):
        raise ValueError(
            f"{what} are an array of {rows.dtype} of {rows.ndim} dimensions; row numbers in one dimension "
            "are needed."
        )
    if rows.size == 0:
        raise ValueError(f"{what} are none; every fold needs rows to train and rows to test.")
    ordered = np.sort(rows)
    if ordered[0] < 0 or ordered[-1] >= n_rows:
        wrong = ordered[0] if ordered[0] < 0 else ordered[-1]
        raise ValueError(f"{what} have the row {wrong}; rows are numbered from 0 to {n_rows - 1}.")
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(twice):
        raise ValueError(
            f"{what} have the row {twice[0]} twice; each row may be there once (use sample_weight for more)."
        )
    return ordered.astype(np.uint32)
