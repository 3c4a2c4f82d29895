"""Labels of any hashable sort."""

import datetime
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ramify import TreeClassifier
from samples import BRANCHINGS, assert_same_tree, numbers


def column(values):
    """An array of objects, whatever the objects are."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


#: Three labels each, in sorted order.
SORTS = {
    "integers": [0, 1, 2],
    "negative integers": [-7, -1, 0],
    "integers of a huge range": [-(2**63), 0, 2**63 - 1],
    "integers at the lower end": [-(2**63), -(2**63) + 1, -(2**63) + 2],
    "integers that no machine type holds": [-(10**40), 5, 10**30],
    "whole floats": [-1.0, 0.0, 1e15],
    "strings": ["", "Ω", "ω and more"],
    "strings that look like numbers": ["1", "10", "2"],
    "tuples": [(0, "b"), (1, "a"), (1, "b")],
    "tuples of different lengths": [(), (1,), (1, 2)],
    "dates": [datetime.date(2020, 1, day) for day in (1, 2, 3)],
    "decimals": [Decimal("0.1"), Decimal("0.2"), Decimal(3)],
    "fractions": [Fraction(1, 3), Fraction(1, 2), Fraction(2)],
    "bytes": [b"a", b"b", b"c"],
}


def fitted_alike(labels, classes):
    """Check that a model of `labels` is that of the numbers 0, 1, 2, with other names; return it."""
    X, y = numbers()
    plain = TreeClassifier().fit(X, y)
    model = TreeClassifier().fit(X, labels)
    assert_same_tree(model, plain)
    assert model.classes_.tolist() == list(classes)
    assert [type(label) for label in model.classes_.tolist()] == [type(label) for label in classes]
    assert model.predict(X).tolist() == [classes[number] for number in plain.predict(X)]
    return model


@pytest.mark.parametrize("sort", SORTS)
def test_objects(sort):
    fitted_alike(column([SORTS[sort][number] for number in numbers()[1]]), SORTS[sort])


@pytest.mark.parametrize("sort", SORTS)
def test_lists(sort):
    fitted_alike([SORTS[sort][number] for number in numbers()[1]], SORTS[sort])


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "u4", "u8", ">i4", ">u8", "f2", "f4", "f8", ">f8"])
def test_numbers_of_any_type(dtype):
    y = numbers()[1].astype(dtype)
    model = fitted_alike(y, [0.0, 1.0, 2.0] if y.dtype.kind == "f" else [0, 1, 2])
    assert model.classes_.dtype.newbyteorder("=") == y.dtype.newbyteorder("=")
    assert model.predict([[0.0] * 4]).dtype == model.classes_.dtype


@pytest.mark.parametrize("dtype", ["i1", "i2", "i8", "u1", "u2", "u8"])
@pytest.mark.parametrize("place", ["low", "high", "both"])
def test_the_ends_of_integer_types(dtype, place):
    low, high = np.iinfo(dtype).min, np.iinfo(dtype).max
    ends = {"low": [low, low + 1, low + 2], "high": [high - 2, high - 1, high], "both": [low, 1, high]}
    classes = ends[place]
    fitted_alike(np.array(classes, dtype=dtype)[numbers()[1]], classes)


@pytest.mark.parametrize("view", [lambda y: np.repeat(y, 2)[::2], lambda y: y[::-1].copy()[::-1]])
def test_labels_with_gaps_between_them(view):
    fitted_alike(view(numbers()[1]), [0, 1, 2])


def test_booleans():
    X, y = numbers(classes=2)
    plain = TreeClassifier().fit(X, y)
    for labels in (y == 1, (y == 1).tolist(), column((y == 1).tolist()), pd.Series(y == 1, dtype="boolean")):
        model = TreeClassifier().fit(X, labels)
        assert_same_tree(model, plain)
        assert model.classes_.tolist() == [False, True]
        np.testing.assert_array_equal(model.predict(X), plain.predict(X) == 1)


@pytest.mark.parametrize("make", [list, column])
@pytest.mark.parametrize("labels", [[1, "a", (2, 3)], [1, "1", b"1"], ["2.0", 2.0, True]])
def test_labels_of_several_types_stay_what_they_are(labels, make):
    X, y = numbers()
    given = [labels[number] for number in y]
    model = TreeClassifier().fit(X, make(given))
    assert set(model.classes_.tolist()) == set(labels)
    assert model.predict(X).tolist() == given


SETS = [frozenset({i}) for i in range(60)]
SEVERAL_TYPES = [(i, str(i), (i,))[i % 3] for i in range(60)]


@pytest.mark.parametrize("values", [SETS, SEVERAL_TYPES], ids=["sets", "several types"])
def test_the_order_of_classes_does_not_depend_on_the_order_of_rows(values):
    X, labels = np.arange(60.0)[:, np.newaxis], column(values)
    forwards = TreeClassifier().fit(X, labels)
    backwards = TreeClassifier().fit(X[::-1], labels[::-1])
    assert forwards.classes_.tolist() == backwards.classes_.tolist()


WORDS = ["large", "medium", "small"]
DECLARED = ["small", "unused", "medium", "large"]
LIBRARIES = {
    "pandas strings": pd.Series,
    "pandas string": lambda words: pd.Series(words, dtype="string"),
    "pandas Categorical": lambda words: pd.Categorical(words, categories=DECLARED),
    "pandas category": lambda words: pd.Series(words, dtype="category"),
    "pandas index": pd.Index,
    "pandas, any index": lambda words: pd.Series(words, index=range(len(words), 0, -1)),
    "polars": pl.Series,
    "polars Categorical": lambda words: pl.Series(words, dtype=pl.Categorical),
    "polars Enum": lambda words: pl.Series(words, dtype=pl.Enum(DECLARED)),
    "Arrow": pa.array,
    "Arrow dictionary": lambda words: pa.array(words).dictionary_encode(),
    "Arrow chunks": lambda words: pa.chunked_array([words[:5], words[5:]]),
    "NumPy strings": np.array,
    "NumPy variable strings": lambda words: np.array(words, dtype=np.dtypes.StringDType()),
    "NumPy objects": column,
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_words_of_all_libraries(library):
    fitted_alike(LIBRARIES[library]([WORDS[number] for number in numbers()[1]]), WORDS)


@pytest.mark.parametrize("make", [pd.Series, pl.Series, pa.array, lambda y: pd.Series(y, dtype="Int64")])
def test_numbers_of_all_libraries(make):
    fitted_alike(make(numbers()[1]), [0, 1, 2])


def test_dates_of_numpy():
    X, y = numbers()
    days = np.array(["2020-01-01", "2021-01-01", "2022-01-01"], dtype="M8[D]")
    model = TreeClassifier().fit(X, days[y])
    np.testing.assert_array_equal(model.classes_, days)
    np.testing.assert_array_equal(model.predict(X), days[TreeClassifier().fit(X, y).predict(X)])


def test_a_column_of_labels_is_read_with_a_warning():
    X, y = numbers()
    with pytest.warns(UserWarning, match="column-vector y"):
        model = TreeClassifier().fit(X, y[:, np.newaxis])
    assert_same_tree(model, TreeClassifier().fit(X, y))


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_many_classes(branching):
    X = np.arange(600.0)[:, np.newaxis]
    y = np.arange(600) // 2
    model = TreeClassifier(branching=branching).fit(X, y)
    assert len(model.classes_) == model.n_classes_ == 300
    np.testing.assert_array_equal(model.predict(X), y)


def test_an_equal_vote_goes_to_the_first_class_in_order():
    model = TreeClassifier().fit([[1.0]] * 4, ["b", "a", "b", "a"])
    assert model.predict([[1.0]]).tolist() == ["a"]
