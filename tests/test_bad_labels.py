"""Bad labels and weights: an error that names them, and a model that is left as it was."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse

from ramify import TreeClassifier
from samples import refused

NAN, INF = float("nan"), float("inf")
REFUSED = (ValueError, TypeError)
X = np.arange(8.0).reshape(4, 2)
Y = ["no", "no", "yes", "yes"]


def objects(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


MISSING = {
    "NaN": np.array([1, 0, NAN, 1]),
    "NaN in float32": np.array([1, 0, NAN, 1], dtype="f4"),
    "NaN in a list of numbers": [1, 0, NAN, 1],
    "NaN in a list of strings": ["a", "b", NAN, "a"],
    "NaN in objects": objects(["a", "b", NAN, "a"]),
    "None in a list": ["a", "b", None, "a"],
    "None among numbers": [1, 0, None, 1],
    "None in objects": objects(["a", "b", None, "a"]),
    "NaT": np.array(["2020-01-01", "2020-01-02", "NaT", "2020-01-01"], dtype="M8[D]"),
    "NaT of a duration": np.array([1, 2, "NaT", 1], dtype="m8[s]"),
    "NA in objects": objects(["a", "b", pd.NA, "a"]),
    "NaT in objects": objects(["a", "b", pd.NaT, "a"]),
    "masked": np.ma.array([1, 0, 1, 0], mask=[False, False, True, False]),
    "pandas strings": pd.Series(["a", "b", None, "a"]),
    "pandas string": pd.Series(["a", "b", None, "a"], dtype="string"),
    "pandas category": pd.Series(["a", "b", None, "a"], dtype="category"),
    "pandas Categorical": pd.Categorical(["a", "b", None, "a"]),
    "pandas Int64": pd.Series([1, 0, None, 1], dtype="Int64"),
    "pandas boolean": pd.Series([True, False, None, True], dtype="boolean"),
    "polars strings": pl.Series(["a", "b", None, "a"]),
    "polars Enum": pl.Series(["a", "b", None, "a"], dtype=pl.Enum(["a", "b"])),
    "polars numbers": pl.Series([1, 0, None, 1]),
    "polars booleans": pl.Series([True, False, None, True]),
    "Arrow strings": pa.array(["a", "b", None, "a"]),
    "Arrow dictionary": pa.array(["a", "b", None, "a"]).dictionary_encode(),
    "Arrow numbers": pa.array([1, 0, None, 1]),
    "Arrow booleans": pa.array([True, False, None, True]),
}


@pytest.mark.parametrize("sort", MISSING)
def test_missing_labels(sort):
    model = TreeClassifier().fit(X, Y)
    with refused(model, ValueError, r"\by\b", "NaN|None|missing|mask"):
        model.fit(X, MISSING[sort])


#: Labels, and what the error says beside the name of the parameter.
BAD_LABELS = {
    "none": (None, "None"),
    "too few": (Y[:3], "4.*3"),
    "too many": ([*Y, "no"], "4.*5"),
    "no labels at all": ([], "4.*0"),
    "a word": ("yes", "1d|1-dim"),
    "a number": (1, "1d|1-dim"),
    "a generator": ((label for label in Y), "1d|1-dim|generator"),
    "a set": ({1, 2, 3, 4}, "1d|1-dim|set"),
    "a dict": (dict(enumerate(Y)), "1d|1-dim|dict"),
    "two columns": (np.zeros((4, 2), int), r"1d|1-dim|\(4, 2\)"),
    "two columns in pandas": (pd.DataFrame({"a": [1, 2, 1, 2], "b": [1, 2, 1, 2]}), r"1d|1-dim|\(4, 2\)"),
    "three dimensions": (np.zeros((4, 1, 1), int), r"1d|1-dim|\(4, 1, 1\)"),
    "ragged": ([[1], [1, 2], [1], [2]], ""),
    "lists as labels": (objects([[1], [2], [1], [2]]), "hash"),
    "dicts as labels": (objects([{}, {}, {}, {}]), "hash"),
    "real numbers": (np.array([0.5, 1.5, 0.5, 1.5]), "continuous"),
    "real numbers in objects": (objects([0.5, 1.5, 0.5, 1.5]), "continuous"),
    "infinity": (np.array([1, INF, 1, 0]), "inf"),
    "infinity in objects": (objects([1, INF, 1, 0]), "inf|continuous"),
    "complex": (np.array([1j, 2j, 1j, 2j]), "[cC]omplex"),
    "sparse": (scipy.sparse.csr_matrix([[1, 0, 1, 0]]), "[sS]parse|1d"),
}


@pytest.mark.parametrize("sort", BAD_LABELS)
def test_bad_labels(sort):
    labels, text = BAD_LABELS[sort]
    model = TreeClassifier().fit(X, Y)
    with refused(model, REFUSED, r"\by\b", text):
        model.fit(X, labels)


#: The same for weights.
BAD_WEIGHTS = {
    "negative": ([1, 1, -2.5, 1], "-2.5.* row 2"),
    "NaN": ([1, NAN, 1, 1], "nan.* row 1"),
    "infinite": ([1, 1, 1, INF], "inf.* row 3"),
    "None": ([1, None, 1, 1], "nan.* row 1|None"),
    "null in polars": (pl.Series([1.0, None, 1.0, 1.0]), "nan.* row 1"),
    "masked": (np.ma.array(np.ones(4), mask=[True, False, False, False]), "mask|missing"),
    "all zero": (np.zeros(4), "zero"),
    "all zero, as one number": (0.0, "zero"),
    "a negative number": (-1.0, "-1"),
    "too few": (np.ones(3), r"\(3,\).*\(4,\)"),
    "too many": (np.ones(5), r"\(5,\).*\(4,\)"),
    "a column": (np.ones((4, 1)), r"\(4, 1\).*\(4,\)"),
    "a row": (np.ones((1, 4)), r"\(1, 4\).*\(4,\)"),
    "ragged": ([[1], [1, 2], [1], [1]], ""),
    "words": (["a", "b", "c", "d"], ""),
    "numbers as words": (["1", "2", "1", "2"], ""),
    "one word": ("balanced", ""),
    "a dict": ({0: 1.0}, ""),
    "complex": (np.ones(4) * 1j, ""),
    "datetimes": (np.full(4, np.datetime64("2020-01-01")), ""),
    "durations": (np.full(4, np.timedelta64(1, "s")), ""),
    "sparse": (scipy.sparse.csr_matrix([[1.0, 1, 1, 1]]), ""),
    "an infinite sum": (np.full(4, 1e308), "sum|large"),
}


@pytest.mark.parametrize("sort", BAD_WEIGHTS)
def test_bad_weights(sort):
    weights, text = BAD_WEIGHTS[sort]
    model = TreeClassifier().fit(X, Y)
    with refused(model, REFUSED, "sample_weight|All weights", text):
        model.fit(X, Y, sample_weight=weights)


BAD_CLASS_WEIGHTS = {
    "a word": ("balance", "'balance'"),
    "a number": (2.0, "2.0"),
    "a list": ([1, 2], r"\[1, 2\]"),
    "an unknown class": ({"maybe": 2}, "'maybe'"),
    "negative": ({"no": -1}, "-1"),
    "NaN": ({"no": NAN}, "nan"),
    "infinite": ({"no": INF}, "inf"),
    "None": ({"no": None}, "None"),
    "words": ({"no": "heavy"}, "'heavy'"),
    "lists": ({"no": [1, 2]}, r"\[1, 2\]"),
    "all zero": ({"no": 0, "yes": 0}, "zero"),
    "an infinite product": ({"no": 1e300}, "sum|large|inf"),
}


@pytest.mark.parametrize("sort", BAD_CLASS_WEIGHTS)
def test_bad_class_weights(sort):
    class_weight, text = BAD_CLASS_WEIGHTS[sort]
    model = TreeClassifier().fit(X, Y).set_params(class_weight=class_weight)
    weights = np.full(4, 1e300) if "product" in sort else None
    with refused(model, REFUSED, "class_weight|All weights", text):
        model.fit(X, Y, weights)
