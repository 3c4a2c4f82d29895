"""What several test files share: small samples, frames of all libraries, and when two trees are the same."""

import re
from contextlib import contextmanager

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

BRANCHINGS = ("binary", "multiway")
BACKENDS = ("pandas", "polars", "pyarrow")


def assert_same_tree(a, b, but=()):
    """Two fitted models have the same tree, node by node, save the arrays named in `but`."""
    mine, other = a.tree_.arrays(), b.tree_.arrays()
    for name, values in mine.items():
        if name not in but:
            np.testing.assert_array_equal(values, other[name], err_msg=name)


def numbers(rows=150, columns=4, classes=3, seed=0):
    """Whole numbers from 0 to 126, so that any type can hold them, and labels that depend on them.

    The last column has few values, the others many: the core keeps the two sorts in different ways.
    """
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 127, size=(rows, columns)).astype(np.float64)
    X[:, -1] %= 5
    y = (X[:, 0] + X[:, 1] + rng.integers(0, 60, rows)) * classes // 313
    return X, y.astype(int)


def make_column(backend, values, categories=None):
    """A column of a library; with `categories`, of the type that declares them in this order."""
    values = list(values)
    if backend == "pandas":
        return values if categories is None else pd.Categorical(values, categories=categories)
    if backend == "polars":
        return pl.Series(values, dtype=None if categories is None else pl.Enum(categories))
    if categories is None:
        return pa.array(values)
    codes = pa.array([categories.index(value) for value in values], pa.int32())
    return pa.DictionaryArray.from_arrays(codes, pa.array(categories))


def make_frame(backend, columns):
    """A frame of a library, from columns that `make_column` made."""
    return {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table}[backend](columns)


def people(backend="pandas", rows=90, seed=0):
    """A frame with a column of every accepted type, and labels.

    `size` declares its categories neither in alphabetical order nor all in use.
    """
    rng = np.random.default_rng(seed)
    age, sex = rng.integers(18, 80, rows), rng.integers(0, 2, rows)
    size, city = rng.integers(0, 3, rows), rng.integers(0, 4, rows)
    y = (age > 45).astype(int) + (size == 1) + (rng.random(rows) < 0.2)
    sizes = ["small", "medium", "huge", "large"]
    columns = {
        "age": make_column(backend, age.tolist()),
        "weight": make_column(backend, (50 + 40 * rng.random(rows)).tolist()),
        "size": make_column(backend, np.array(["small", "large", "medium"])[size].tolist(), sizes),
        "city": make_column(backend, np.array(["Rome", "Oslo", "Bern", "Graz"])[city].tolist()),
        "member": make_column(backend, (sex == 1).tolist()),
    }
    return make_frame(backend, columns), np.array(["none", "one", "two", "three"])[y]


@contextmanager
def refused(model, error, *texts):
    """The block raises an error of this type with all these texts, and leaves the model as it was."""
    before = dict(vars(model))
    with pytest.raises(error) as caught:
        yield
    message = str(caught.value)
    for text in texts:
        assert re.search(text, message), f"{text!r} is not in {message!r}"
    assert vars(model).keys() == before.keys()
    assert all(vars(model)[name] is value for name, value in before.items())
