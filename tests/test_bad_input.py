"""Bad tables: an error that names the column, and a model that is left as it was."""

import datetime
import subprocess
import sys
import time
from decimal import Decimal

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
Y = ["no", "no", "yes", "yes"]
GOOD = [1.0, 2.0, 3.0, 4.0]


def fitted(**parameters):
    return TreeClassifier(**parameters).fit([[1.0, 2.0], [2.0, 5.0], [3.0, 1.0], [4.0, 3.0]], Y)


# Ways to make a table of a good column and another one, which is x1 in arrays and "bad" in frames.


def in_lists(values):
    return [list(row) for row in zip(GOOD, values, strict=True)]


def in_array(dtype):
    return lambda values: np.array(in_lists(values), dtype=dtype)


def in_pandas(dtype=None):
    return lambda values: pd.DataFrame({"good": GOOD, "bad": pd.Series(values, dtype=dtype)})


def in_polars(dtype=None):
    return lambda values: pl.DataFrame({"good": GOOD, "bad": pl.Series(values, dtype=dtype)})


def in_arrow(values):
    return pa.table({"good": GOOD, "bad": values})


def in_dictionary(values):
    return in_arrow(pa.array(values).dictionary_encode())


def in_dictionary_with_null(values):
    """The null is an entry of the dictionary, not of the codes."""
    entries = list(dict.fromkeys(values))
    codes = pa.array([entries.index(value) for value in values])
    return in_arrow(pa.DictionaryArray.from_arrays(codes, pa.array(entries)))


def name_in(X):
    return "'bad'" if isinstance(X, pd.DataFrame | pl.DataFrame | pa.Table) else "'x1'"


#: How the table is made, two values that are there, and one that is not.
MISSING = {
    "float64": (in_array("f8"), (1, 2), NAN),
    "float32": (in_array("f4"), (1, 2), NAN),
    "lists, NaN": (in_lists, (1.5, 2.5), NAN),
    "lists, None": (in_lists, (1.5, 2.5), None),
    "lists of words, NaN": (in_lists, ("a", "b"), NAN),
    "lists of words, None": (in_lists, ("a", "b"), None),
    "objects, None": (in_array(object), (1.5, 2.5), None),
    "objects, NA": (in_array(object), (1.5, 2.5), pd.NA),
    "objects, NaT": (in_array(object), (1.5, 2.5), pd.NaT),
    "strings, None": (in_array(object), ("a", "b"), None),
    "pandas float": (in_pandas(), (1.5, 2.5), NAN),
    "pandas Int64": (in_pandas("Int64"), (1, 2), None),
    "pandas Float64": (in_pandas("Float64"), (1.5, 2.5), None),
    "pandas objects, NaN": (in_pandas(object), ("a", "b"), NAN),
    "pandas objects, None": (in_pandas(object), ("a", "b"), None),
    "pandas objects, NA": (in_pandas(object), ("a", "b"), pd.NA),
    "pandas booleans as objects": (in_pandas(object), (True, False), None),
    "pandas str": (in_pandas(), ("a", "b"), None),
    "pandas string": (in_pandas("string"), ("a", "b"), None),
    "pandas string[pyarrow]": (in_pandas("string[pyarrow]"), ("a", "b"), None),
    "pandas category": (in_pandas("category"), ("a", "b"), None),
    "pandas boolean": (in_pandas("boolean"), (True, False), None),
    "pandas bool[pyarrow]": (in_pandas("bool[pyarrow]"), (True, False), None),
    "polars NaN": (in_polars(), (1.5, 2.5), NAN),
    "polars float": (in_polars(), (1.5, 2.5), None),
    "polars int": (in_polars(), (1, 2), None),
    "polars string": (in_polars(), ("a", "b"), None),
    "polars Categorical": (in_polars(pl.Categorical), ("a", "b"), None),
    "polars Enum": (in_polars(pl.Enum(["a", "b"])), ("a", "b"), None),
    "polars bool": (in_polars(), (True, False), None),
    "Arrow float": (in_arrow, (1.5, 2.5), None),
    "Arrow int": (in_arrow, (1, 2), None),
    "Arrow string": (in_arrow, ("a", "b"), None),
    "Arrow dictionary": (in_dictionary, ("a", "b"), None),
    "Arrow dictionary with null": (in_dictionary_with_null, ("a", "b"), None),
    "Arrow bool": (in_arrow, (True, False), None),
}


@pytest.mark.parametrize("sort", MISSING)
@pytest.mark.parametrize("categorical_features", ["from_dtype", [1]], ids=["from_dtype", "nominal"])
def test_missing_values(sort, categorical_features):
    make, (low, high), nothing = MISSING[sort]
    X = make([low, high, nothing, low])
    model = fitted(categorical_features=categorical_features, missing="error")
    with refused(model, ValueError, f"column {name_in(X)}", "missing value"):
        model.fit(X, Y)


@pytest.mark.parametrize("sort", MISSING)
@pytest.mark.parametrize("categorical_features", ["from_dtype", [1]], ids=["from_dtype", "nominal"])
def test_missing_values_in_prediction(sort, categorical_features):
    make, (low, high), nothing = MISSING[sort]
    model = TreeClassifier(categorical_features=categorical_features, missing="error")
    model.fit(make([low, high, high, low]), Y)
    X = make([low, high, nothing, low])
    with refused(model, ValueError, f"column {name_in(X)}", "missing value"):
        model.predict(X)


def test_masked_values_are_not_read():
    X = np.ma.array(in_array(float)(GOOD), mask=[[False, False]] * 3 + [[False, True]])
    model = fitted()
    with refused(model, REFUSED, "mask|missing"):
        model.fit(X, Y)
    with refused(model, REFUSED, "mask|missing"):
        model.predict(X)


#: How the table is made, the four values, and what the error says beside the column.
BAD_COLUMNS = {
    "infinity": (in_array("f8"), [1, 2, INF, 4], "inf.* row 2"),
    "minus infinity in float32": (in_array("f4"), [1, 2, 3, -INF], "-inf.* row 3"),
    "infinity in polars": (in_polars(), [1.0, 2.0, INF, 4.0], "inf.* row 2"),
    "infinity in objects": (in_array(object), [1, 2, INF, 4], "inf.* row 2"),
    "infinity after conversion": (in_array("g"), [1, 2, np.longdouble("1e400"), 4], "infinity|large"),
    "numbers and strings": (in_array(object), [1, "b", 3, "d"], "numbers and strings"),
    "numbers and strings in pandas": (in_pandas(object), [1, "b", 3, "d"], "numbers and strings"),
    "booleans and numbers": (in_pandas(object), [True, 2, False, 1], "booleans and numbers"),
    "booleans and strings": (in_pandas(object), [True, "True", False, "a"], "booleans and strings"),
    "lists in pandas": (in_pandas(), [[1], [2], [1], [2]], "list"),
    "lists in polars": (in_polars(), [[1], [2], [1], [2]], "List"),
    "lists in Arrow": (in_arrow, [[1], [2], [1], [2]], "List"),
    "structs": (in_polars(), [{"a": 1}] * 4, "Struct"),
    "objects of no known sort": (in_pandas(object), [object()] * 4, "object"),
    "datetimes in pandas": (in_pandas(), list(pd.date_range("2020", periods=4)), "Datetime"),
    "dates in polars": (in_polars(), [datetime.date(2020, 1, 1)] * 4, "Date"),
    "durations in Arrow": (in_arrow, [datetime.timedelta(1)] * 4, "Duration"),
    "times in polars": (in_polars(), [datetime.time(12)] * 4, "Time"),
    "periods": (in_pandas("period[D]"), ["2020-01-01"] * 4, "dtype"),
    "complex in pandas": (in_pandas(), [1j, 2j, 3j, 4j], "dtype|complex"),
    "integers that floats confuse": (in_array("i8"), [2**60, 2**60 + 1, 0, 1], "2\\^53"),
    "integers that floats confuse, in pandas": (in_pandas("int64"), [2**60, 2**60 + 1, 0, 1], "2\\^53"),
    "the largest int64": (in_pandas("int64"), [0, 1, 2, 2**63 - 1], "2\\^53"),
    "the largest uint64": (in_pandas("uint64"), [0, 1, 2, 2**64 - 1], "2\\^53"),
    "integers that no machine type holds": (in_array(object), [2**64, 2**64 + 1, 0, 1], "2\\^53"),
    "integers that no float holds": (in_array(object), [10**400, 1, 2, 3], "large|2\\^53"),
    "decimals as objects": (in_array(object), [Decimal(1)] * 4, "Decimal"),
}


@pytest.mark.parametrize("make", [in_pandas(), in_polars(), in_arrow], ids=["pandas", "polars", "Arrow"])
def test_a_column_of_nothing_but_nulls_is_never_chosen(make):
    X = make([None] * 4)
    model = TreeClassifier().fit(X, Y)
    # A type of nulls says nothing of what the values would be: numbers, as those of NaN.
    assert not model.schema_.columns[1].nominal or isinstance(X, pd.DataFrame)
    assert model.tree_.column.tolist() == [0, -1, -1]
    assert model.predict(X).tolist() == Y
    with refused(model.set_params(missing="error"), ValueError, "column 'bad'", "missing value in row 0"):
        model.fit(X, Y)
    with refused(model, ValueError, "column 'bad'", "missing value in row 0"):
        model.predict(X)


def name_or_x(X):
    return "X" if isinstance(X, np.ndarray) else "[cC]olumn 'bad'"


@pytest.mark.parametrize("sort", BAD_COLUMNS)
def test_bad_columns(sort):
    make, values, text = BAD_COLUMNS[sort]
    X = make(values)
    model = fitted()
    with refused(model, REFUSED, f"{name_or_x(X)}|'x1'", text):
        model.fit(X, Y)


@pytest.mark.parametrize("sort", BAD_COLUMNS)
def test_bad_columns_in_prediction(sort):
    make, values, _ = BAD_COLUMNS[sort]
    X = make(values)
    model = fitted() if isinstance(X, np.ndarray) else TreeClassifier().fit(in_pandas()(GOOD), Y)
    with refused(model, REFUSED, f"{name_or_x(X)}|'x1'"):
        model.predict(X)


@pytest.mark.parametrize("make", [in_pandas(), in_polars(), in_arrow], ids=["pandas", "polars", "Arrow"])
def test_values_that_can_not_be_categories(make):
    X = make([[1], [2], [1], [2]])
    model = fitted().set_params(categorical_features=["bad"])
    with refused(model, TypeError, "'bad'", "hash"):
        model.fit(X, Y)


#: Tables that are none, and what the error says: at least the name of the parameter or column.
BAD_TABLES = {
    "no rows": (np.zeros((0, 2)), r"\bX\b", "0 sample"),
    "no rows in pandas": (pd.DataFrame({"a": []}), r"\bX\b", "0 sample"),
    "no columns": (np.zeros((4, 0)), r"\bX\b", "0 feature"),
    "no columns in pandas": (pd.DataFrame(index=range(4)), r"\bX\b", "0 feature"),
    "nothing in polars": (pl.DataFrame(), r"\bX\b", "0 sample|0 feature"),
    "an empty list": ([], r"\bX\b"),
    "one dimension": (np.zeros(4), r"\bX\b", "1D|1-dim"),
    "a list of numbers": ([1.0, 2.0, 3.0, 4.0], r"\bX\b", "1D|1-dim"),
    "a pandas series": (pd.Series(GOOD), r"\bX\b", "1D|1-dim|2-dim"),
    "a polars series": (pl.Series(GOOD), r"\bX\b", "1D|1-dim|2-dim"),
    "an Arrow array": (pa.array(GOOD), r"\bX\b", "1D|1-dim|2-dim"),
    "a structured array": (np.zeros((4, 1), dtype=[("a", float)]), r"\bX\b|x0", "dtype|void"),
    "three dimensions": (np.zeros((4, 2, 2)), r"\bX\b", "dim"),
    "lists in lists in lists": ([[[1], [2]]] * 4, r"\bX\b", "dim"),
    "ragged rows": ([[1, 2], [3], [4, 5], [6, 7]], r"\bX\b"),
    "a number": (3.0, r"\bX\b"),
    "a string": ("hello", r"\bX\b"),
    "None": (None, r"\bX\b"),
    "a dict": ({"a": GOOD}, r"\bX\b"),
    "a generator": ((row for row in in_lists(GOOD)), r"\bX\b"),
    "sparse matrix": (scipy.sparse.csr_matrix(np.eye(4)), r"\bX\b", "[sS]parse"),
    "sparse array": (scipy.sparse.coo_array(np.eye(4)), r"\bX\b", "[sS]parse"),
    "a lazy frame": (pl.LazyFrame({"a": GOOD}), r"\bX\b", "lazy", "collect"),
    "complex": (np.eye(4) * 1j, r"\bX\b", "[cC]omplex"),
    "datetimes": (np.full((4, 2), np.datetime64("2020-01-01")), r"\bX\b|x0", "datetime64"),
    "durations": (np.full((4, 2), np.timedelta64(3, "s")), r"\bX\b|x0", "timedelta64"),
    "NaT": (np.full((4, 2), np.datetime64("NaT")), r"\bX\b|x0", "datetime64|missing"),
    "a name twice": (pd.DataFrame(np.eye(4), columns=["a", "b", "a", "c"]), "'a'"),
    "a name twice in Arrow": (pa.table([GOOD, GOOD], names=["a", "a"]), "'a'"),
}


@pytest.mark.parametrize("sort", BAD_TABLES)
def test_bad_tables(sort):
    X, *texts = BAD_TABLES[sort]
    model = fitted()
    with refused(model, REFUSED, *texts):
        model.fit(X, Y)
    with refused(model, REFUSED, *texts):
        model.predict(X)


@pytest.mark.parametrize("dtype", ["f8", "f4", "f2", "i8", "O"])
def test_too_many_rows_are_refused_at_once(dtype):
    # Strides of 0, so that the array takes no memory; a copy of it would not fit anywhere.
    X = np.broadcast_to(np.zeros((1, 2), dtype), (2**31, 2))
    y = np.broadcast_to(np.zeros(1, int), len(X))
    model = fitted()
    start = time.perf_counter()
    with refused(model, ValueError, "X has 2147483648 rows", "2147483647"):
        model.fit(X, y)
    with refused(model, ValueError, "X has 2147483648 rows"):
        model.predict(X)
    assert time.perf_counter() - start < 1


def test_too_many_columns_are_refused_at_once():
    code = """if True:
        import resource
        import numpy as np
        from ramify import TreeClassifier
        resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        X = np.broadcast_to(np.zeros((1, 1)), (2, 2**33))
        try:
            TreeClassifier().fit(X, [0, 1])
        except ValueError as error:
            print(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr[-500:]
    assert "X has 8589934592" in done.stdout
