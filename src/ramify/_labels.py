"""Labels of any hashable sort as class numbers, and weights."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import check_classification_targets

from ramify._table import is_missing, stored_categories, without_null

ClassNumbers = NDArray[np.uint32]


def read_labels(y: Any, n_rows: int, declared: bool = False) -> tuple[NDArray[Any], ClassNumbers]:
    """Return the classes in sorted order, and the class of every row.

    Parameters
    ----------
    y : array-like
        The labels.
    n_rows : int
        How many there must be.
    declared : bool
        Keep the classes that the type of y declares, in their order, whether they occur or not.

    Raises
    ------
    ValueError, TypeError
        If labels are missing, are real numbers, can't be hashed, or are not as many as rows.
    """
    if y is None:
        raise ValueError("This TreeClassifier estimator requires y to be passed, but the target y is None.")
    labels = _as_array(y)
    if len(labels) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, "
            f"y has {len(labels)} labels."
        )
    stored = _declared_classes(y) if declared else None
    if stored is not None:
        return stored
    if labels.dtype.kind in "iu":
        counted = _count_small_integers(labels)
        if counted is not None:
            return counted
    if labels.dtype.kind in "OT":
        return _read_objects(labels)
    if labels.dtype.kind == "c":
        raise ValueError("Complex data not supported: labels in y are complex numbers.")
    if labels.dtype.kind in "fmM" and not np.isfinite(labels).all():
        raise ValueError("Input y contains NaN or infinity: every row needs a label.")
    try:
        check_classification_targets(labels)
    except ValueError as error:
        raise ValueError(f"y is not accepted: {error}") from None
    classes, numbers = np.unique(labels, return_inverse=True)
    return classes, numbers.astype(np.uint32)


def _declared_classes(y: Any) -> tuple[NDArray[Any], ClassNumbers] | None:
    """Return the classes that the type of y declares, and those of the rows; None if it declares none."""
    if hasattr(y, "categories") and hasattr(y, "codes"):  # pandas.Categorical itself
        stored = tuple(y.categories), np.asarray(y.codes, dtype=np.int64)
    elif hasattr(y, "dictionary") and hasattr(y, "indices"):  # an Arrow array that is not chunked
        codes = y.indices.fill_null(-1).to_numpy(zero_copy_only=False)
        stored = without_null(y.dictionary.to_pylist(), codes.astype(np.int64, copy=False))
    else:
        series = nw.from_native(y, allow_series=True, pass_through=True)
        found = stored_categories(series) if isinstance(series, nw.Series) else None
        if found is None or isinstance(series.dtype, nw.Boolean):
            return None
        stored = found
    classes, codes = stored
    if (codes < 0).any():
        raise ValueError("Input y contains NaN or None: every row needs a label.")
    several = len({type(label) for label in classes}) > 1 or isinstance(classes[0], tuple)
    return (_objects(list(classes)) if several else np.asarray(list(classes))), codes.astype(np.uint32)


def _as_array(y: Any) -> NDArray[Any]:
    """Return labels as an array of one dimension, each label staying what it is."""
    if isinstance(y, np.ma.MaskedArray) and np.ma.getmaskarray(y).any():
        raise ValueError("y is a masked array with masked, that is missing, labels.")
    if isinstance(y, np.ndarray) and y.ndim == 1:
        return y
    if isinstance(y, (list, tuple)) and not all(isinstance(label, str) for label in y):
        kinds = {type(label) for label in y}
        if len(kinds) > 1 or kinds in ({tuple}, {bytes}):  # NumPy would make strings of them, or a table
            return _objects(list(y))
    try:
        array = np.asarray(y)
        return np.asarray(column_or_1d(array, warn=True))
    except ValueError as error:
        raise ValueError(f"y is not accepted, it must be a 1d array of labels: {error}") from None


def _objects(values: list[Any]) -> NDArray[Any]:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def _count_small_integers(labels: NDArray[Any]) -> tuple[NDArray[Any], ClassNumbers] | None:
    """Do without the sort of np.unique where the labels are integers of a small range."""
    if len(labels) == 0:
        return None
    low, high = int(labels.min()), int(labels.max())
    if high - low > min(len(labels), 65535):
        return None
    kind = labels.dtype.newbyteorder("=").type
    shifted = (labels - kind(low)).astype(np.intp)
    present = np.bincount(shifted) > 0
    rank = np.cumsum(present, dtype=np.uint32) - np.uint32(1)
    classes = np.flatnonzero(present).astype(kind) + kind(low)
    return classes, rank[shifted]


def _read_objects(labels: NDArray[Any]) -> tuple[NDArray[Any], ClassNumbers]:
    listed = labels.tolist()
    try:
        found = set(listed)
    except TypeError:
        raise TypeError("Labels in y must be hashable (strings, numbers, booleans, tuples).") from None
    if any(is_missing(label) for label in found):
        raise ValueError("Input y contains NaN or None: every row needs a label.")
    if any(isinstance(label, float) and not label.is_integer() for label in found):
        raise ValueError(
            "Unknown label type: continuous. Labels in y are real numbers; a classifier needs classes."
        )
    ordered = _in_order(found)
    number = {label: i for i, label in enumerate(ordered)}
    return _objects(ordered), np.array([number[label] for label in listed], dtype=np.uint32)


def _in_order(labels: set[Any]) -> list[Any]:
    """Sort labels by value; if they have no common order (several types, sets), by type and text."""
    try:
        ordered = sorted(labels)
        if all(low < high for low, high in pairwise(ordered)):
            return ordered
    except TypeError:
        pass
    return sorted(labels, key=lambda label: (type(label).__name__, repr(label)))


def read_weights(
    sample_weight: Any, class_weight: Any, classes: NDArray[Any], numbers: ClassNumbers
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64]]:
    """Return the weight of every row, or None if all count once, and the weight of every class.

    Raises
    ------
    ValueError, TypeError
        If a weight is negative, NaN or infinite, if all are zero, or if they are not as many as rows.
    """
    weights = None if sample_weight is None else sample_weights(sample_weight, len(numbers))
    by_class = np.ones(len(classes))
    if class_weight is not None:
        counts = np.bincount(numbers, weights, minlength=len(classes))
        by_class = class_weights(class_weight, classes, counts)
        with np.errstate(over="ignore"):
            weights = by_class[numbers] if weights is None else weights * by_class[numbers]
    if weights is None:
        return None, by_class
    if not (weights > 0).any():
        raise ValueError(
            "All weights are zero (sample_weight times class_weight); at least one row must count."
        )
    with np.errstate(over="ignore"):
        total = weights.sum()
    if not np.isfinite(total):
        raise ValueError("The sum of sample_weight (times class_weight) is too large for a float64.")
    return weights, by_class


def one_case(weights: NDArray[np.float64] | None, class_weight: Any) -> float:
    """Return what one case weighs, where parts of cases must add up to some.

    Weights that are whole numbers, not all the same and of a mean up to 16, say how often a row occurs, and
    one case weighs 1: so w copies of a row equal a weight of w. With any other weights, class weights among
    them, it is the mean, so that their unit does not matter.
    """
    if weights is None:
        return 1.0
    counted = weights[weights > 0]
    mean = float(counted.mean())
    same = bool((counted == counted[0]).all())
    whole = class_weight is None and not same and mean <= 16 and bool((counted == np.floor(counted)).all())
    return 1.0 if whole else mean


def sample_weights(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return the weights of rows, checked."""
    if isinstance(sample_weight, np.ma.MaskedArray) and np.ma.getmaskarray(sample_weight).any():
        raise ValueError("sample_weight is a masked array with masked, that is missing, weights.")
    try:
        given = np.asarray(sample_weight)
        if given.dtype.kind not in "fiubO" or (given.ndim == 0 and given.dtype.kind == "O"):
            raise TypeError(f"an array of dtype {given.dtype}")
        weights = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise TypeError(f"sample_weight must be numbers, one a row; received {error}.") from None
    if weights.size == 1 and weights.ndim <= 1:
        weights = np.full(n_rows, float(weights.ravel()[0])) if weights.ndim == 0 or n_rows == 1 else weights
    if weights.shape != (n_rows,):
        raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(n_rows,)}: one weight a row.")
    bad = ~np.isfinite(weights) | (weights < 0)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise ValueError(
            f"sample_weight has {weights[row]} in row {row}; weights must be finite and not negative."
        )
    return np.ascontiguousarray(weights)


def class_weights(
    class_weight: Any, classes: NDArray[Any], counts: NDArray[np.floating[Any] | np.integer[Any]]
) -> NDArray[np.float64]:
    """Return the weight of every class, whose rows weigh `counts` without it."""
    if isinstance(class_weight, str) and class_weight == "balanced":
        present = np.count_nonzero(counts)
        balanced = np.ones(len(classes))
        np.divide(counts.sum(), present * counts, out=balanced, where=counts > 0)
        return balanced
    if not isinstance(class_weight, dict):
        raise ValueError(
            f"class_weight={class_weight!r} is not accepted; it must be None, 'balanced' or a dict from "
            "class to weight."
        )
    known = classes.tolist()
    unknown = [label for label in class_weight if label not in known]
    if unknown:
        raise ValueError(f"class_weight names the classes {unknown}, which are not in y; y has {known}.")
    try:
        values = np.array([class_weight.get(label, 1.0) for label in known], dtype=np.float64)
        right = values.ndim == 1 and np.isfinite(values).all() and not (values < 0).any()
    except (TypeError, ValueError):
        right = False
    if not right:
        raise ValueError(
            f"class_weight={class_weight!r} is not accepted; weights must be finite and not negative."
        )
    return values
