"""Labels of any hashable sort as class numbers, and weights."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import column_or_1d, compute_sample_weight
from sklearn.utils.multiclass import check_classification_targets

ClassNumbers = NDArray[np.uint32]


def read_labels(y: Any, n_rows: int) -> tuple[NDArray[Any], ClassNumbers]:
    """Return the classes in sorted order, and the class of every row.

    Raises
    ------
    ValueError
        If labels are missing, are real numbers, or are not as many as rows.
    """
    if y is None:
        raise ValueError("This TreeClassifier estimator requires y to be passed, but the target y is None.")
    labels = y if isinstance(y, np.ndarray) and y.ndim == 1 else column_or_1d(np.asarray(y), warn=True)
    if len(labels) != n_rows:
        raise ValueError(
            f"Found input variables with inconsistent numbers of samples: X has {n_rows} rows, "
            f"y has {len(labels)} labels."
        )
    if labels.dtype.kind in "iu":
        counted = _count_small_integers(labels)
        if counted is not None:
            return counted
    if labels.dtype.kind == "O":
        return _read_objects(labels)
    if labels.dtype.kind == "f" and not np.isfinite(labels).all():
        raise ValueError("Input y contains NaN or infinity: every row needs a label.")
    check_classification_targets(labels)
    classes, numbers = np.unique(labels, return_inverse=True)
    return classes, numbers.astype(np.uint32)


def _count_small_integers(labels: NDArray[Any]) -> tuple[NDArray[Any], ClassNumbers] | None:
    """Do without the sort of np.unique where the labels are integers of a small range."""
    low, high = int(labels.min()), int(labels.max())
    if high - low > min(len(labels), 65535):
        return None
    shifted = labels - labels.dtype.type(low)
    present = np.bincount(shifted.astype(np.intp)) > 0
    rank = np.cumsum(present, dtype=np.uint32) - np.uint32(1)
    classes = (np.flatnonzero(present) + low).astype(labels.dtype)
    return classes, rank[shifted]


def _read_objects(labels: NDArray[Any]) -> tuple[NDArray[Any], ClassNumbers]:
    listed = labels.tolist()
    try:
        found = set(listed)
    except TypeError:
        raise TypeError("Labels in y must be hashable (strings, numbers, booleans, tuples).") from None
    if any(label is None or label != label for label in found):
        raise ValueError("Input y contains NaN or None: every row needs a label.")
    if any(isinstance(label, float) and not label.is_integer() for label in found):
        raise ValueError(
            "Unknown label type: continuous. Labels in y are real numbers; a classifier needs classes."
        )
    try:
        ordered = sorted(found)
    except TypeError:  # labels of several types: by type, then by value
        ordered = sorted(found, key=lambda label: (type(label).__name__, repr(label)))
    classes = np.empty(len(ordered), dtype=object)
    classes[:] = ordered
    number = {label: i for i, label in enumerate(ordered)}
    return classes, np.array([number[label] for label in listed], dtype=np.uint32)


def read_weights(
    sample_weight: Any, class_weight: Any, classes: NDArray[Any], numbers: ClassNumbers
) -> NDArray[np.float64] | None:
    """Return the weight of every row, or None if all count once.

    Raises
    ------
    ValueError
        If a weight is negative, NaN or infinite, if all are zero, or if they are not as many as rows.
    """
    weights = None
    if sample_weight is not None:
        weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
        if weights.ndim == 0:
            weights = np.full(len(numbers), float(weights))
        if weights.shape != (len(numbers),):
            raise ValueError(
                f"sample_weight.shape == {weights.shape}, expected {(len(numbers),)}: one weight a row."
            )
        bad = ~np.isfinite(weights) | (weights < 0)
        if bad.any():
            row = int(np.flatnonzero(bad)[0])
            raise ValueError(
                f"sample_weight has {weights[row]} in row {row}; weights must be finite and not negative."
            )
    if class_weight is not None:
        by_class = _class_weights(class_weight, classes, numbers)
        weights = by_class if weights is None else weights * by_class
    if weights is not None and not (weights > 0).any():
        raise ValueError("All weights are zero; at least one row must count.")
    return weights


def _class_weights(class_weight: Any, classes: NDArray[Any], numbers: ClassNumbers) -> NDArray[np.float64]:
    if isinstance(class_weight, dict):
        unknown = [label for label in class_weight if label not in set(classes.tolist())]
        if unknown:
            raise ValueError(
                f"class_weight names the classes {unknown}, which are not in y; y has {classes.tolist()}."
            )
        values = np.array([class_weight.get(label, 1.0) for label in classes.tolist()], dtype=np.float64)
        if not np.isfinite(values).all() or (values < 0).any():
            raise ValueError(
                f"class_weight={class_weight!r} is not accepted; weights must be finite and not negative."
            )
        return values[numbers]
    if isinstance(class_weight, str) and class_weight == "balanced":
        return np.asarray(compute_sample_weight("balanced", numbers), dtype=np.float64)
    raise ValueError(
        f"class_weight={class_weight!r} is not accepted; "
        "it must be None, 'balanced' or a dict from class to weight."
    )
