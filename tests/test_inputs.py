"""What X may be: the same content gives the same tree, in whatever it comes."""

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ramify import TreeClassifier
from samples import BACKENDS, BRANCHINGS, assert_same_tree, make_column, make_frame, numbers, people


def unaligned(X):
    raw = np.zeros(X.nbytes + 1, np.uint8)
    view = raw[1:].view(X.dtype).reshape(X.shape)
    view[...] = X
    assert not view.flags.aligned
    return view


def read_only(X):
    X = X.copy()
    X.setflags(write=False)
    return X


def every_other(X):
    wide = np.full((2 * X.shape[0], 3 * X.shape[1]), np.nan)
    wide[::2, 1::3] = X
    return wide[::2, 1::3]


class Subclass(np.ndarray):
    pass


TYPES = [
    *("f2", "f4", "f8", "g", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
    *(">f2", ">f4", ">f8", ">i2", ">i4", ">i8", ">u4", ">u8", "O"),
]
LAYOUTS = {
    "Fortran order": np.asfortranarray,
    "rows backwards": lambda X: X[::-1].copy()[::-1],
    "all backwards": lambda X: X[::-1, ::-1].copy()[::-1, ::-1],
    "every other": every_other,
    "every other float32": lambda X: every_other(X).astype("f4")[:, ::1],
    "transposed": lambda X: X.T.copy().T,
    "read-only": read_only,
    "unaligned": unaligned,
    "subclass": lambda X: X.view(Subclass),
    "nested lists": lambda X: X.tolist(),
    "tuples": lambda X: tuple(map(tuple, X.tolist())),
    "lists of ints": lambda X: X.astype(int).tolist(),
    "list of arrays": list,
}


def assert_same_as_plain(X, convert):
    plain, y = X, (X[:, 0] + X[:, -1] > X.mean()).astype(int)
    model = TreeClassifier().fit(plain, y)
    other = convert(plain)
    assert_same_tree(TreeClassifier().fit(other, y), model)
    np.testing.assert_array_equal(model.apply(other), model.apply(plain))


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_number_types(dtype, order):
    assert_same_as_plain(numbers()[0], lambda X: X.astype(dtype, order=order))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_layouts(layout):
    assert_same_as_plain(numbers()[0], LAYOUTS[layout])


@pytest.mark.parametrize("dtype", ["f4", "f8", "i2"])
def test_memory_mapped(dtype, tmp_path):
    def mapped(X):
        np.save(tmp_path / "X.npy", X.astype(dtype))
        return np.load(tmp_path / "X.npy", mmap_mode="r")

    assert_same_as_plain(numbers()[0], mapped)


def test_booleans_are_zero_and_one():
    assert_same_as_plain(numbers()[0] % 2, lambda X: X.astype(bool))


def test_no_broadcast_array_is_copied_or_misread():
    X = np.broadcast_to(np.arange(6.0)[:, None], (6, 1000))
    model = TreeClassifier().fit(X, [0, 0, 0, 1, 1, 1])
    assert (model.tree_.node_count, model.tree_.column[0], model.tree_.threshold[0]) == (3, 0, 2.5)


def test_zeros_have_one_sign():
    X = np.array([[-0.0], [0.0], [-0.0], [0.0], [1.0]])
    tree = TreeClassifier().fit(X, [0, 1, 0, 1, 1]).tree_
    assert (tree.node_count, tree.threshold[0]) == (3, 0.5)


@pytest.mark.parametrize("low", [1.0, 2.0**52, 1e300, 5e-324, -1e-310])
def test_neighbouring_floats_are_told_apart(low):
    high = np.nextafter(low, np.inf)
    X = [[low], [high]] * 4
    model = TreeClassifier().fit(X, [0, 1] * 4)
    assert model.predict([[low], [high]]).tolist() == [0, 1]


def test_the_whole_range_of_floats():
    largest = np.finfo(float).max
    X = [[-largest], [-1.0], [1.0], [largest]]
    model = TreeClassifier().fit(X, list("abcd"))
    assert model.predict(X).tolist() == list("abcd")


def test_integers_that_floats_hold_exactly_may_be_large():
    X = np.array([[-(2**62)], [0], [2**62]])
    assert TreeClassifier().fit(X, list("abc")).predict(X).tolist() == list("abc")
    assert TreeClassifier().fit(X[1:].astype(np.uint64), list("ab")).tree_.threshold[0] == 2.0**61


# Frames


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_frames_of_all_libraries_give_the_same_tree(backend, branching):
    frame, y = people("pandas")
    model = TreeClassifier(branching=branching).fit(frame, y)
    other, _ = people(backend)
    again = TreeClassifier(branching=branching).fit(other, y)
    assert_same_tree(again, model)
    assert again.schema_.columns == model.schema_.columns
    assert again.feature_names_in_.tolist() == ["age", "weight", "size", "city", "member"]
    np.testing.assert_array_equal(model.apply(other), model.apply(frame))


def test_kinds_of_columns_by_their_types():
    model = TreeClassifier().fit(*people())
    categories = {column.name: column.categories for column in model.schema_.columns}
    assert categories == {
        "age": None,
        "weight": None,
        "size": ("small", "medium", "huge", "large"),
        "city": ("Bern", "Graz", "Oslo", "Rome"),
        "member": (False, True),
    }


def cities_as(dtype):
    return lambda X: X.assign(city=X["city"].astype(dtype))


PANDAS = {
    "objects": cities_as(object),
    "string": cities_as("string"),
    "string of Arrow": cities_as("string[pyarrow]"),
    "category of strings": cities_as("category"),
    "nullable types": lambda X: X.convert_dtypes(),
    "Arrow types": lambda X: X.convert_dtypes(dtype_backend="pyarrow"),
    "booleans as objects": lambda X: X.assign(member=X["member"].astype(object)),
    "numbers as objects": lambda X: X.assign(age=X["age"].astype(object)),
    "numbers of two types": lambda X: X.assign(age=X["age"].astype("u1"), weight=X["weight"].astype("f8")),
    "another index": lambda X: X.set_index(pd.Index(range(len(X), 0, -1))),
    "the same index everywhere": lambda X: X.set_index(pd.Index([0] * len(X))),
    "narwhals": nw.from_native,
}
POLARS = {
    "Categorical": lambda X: X.with_columns(pl.col("city").cast(pl.Categorical)),
    "chunks": lambda X: pl.concat([X[:7], X[7:]], rechunk=False),
    "numbers of two types": lambda X: X.with_columns(pl.col("age").cast(pl.UInt8)),
    "narwhals": nw.from_native,
}
ARROW = {
    "chunks": lambda X: pa.concat_tables([X[:7], X[7:]]),
    "record batch": lambda X: X.to_batches()[0],
    "large strings": lambda X: X.set_column(3, "city", X["city"].cast(pa.large_string())),
    "numbers of two types": lambda X: X.set_column(0, "age", X["age"].cast(pa.uint8())),
}
VARIANTS = [
    pytest.param(backend, convert, id=f"{backend}: {name}")
    for backend, variants in zip(BACKENDS, (PANDAS, POLARS, ARROW), strict=True)
    for name, convert in variants.items()
]


@pytest.mark.parametrize(("backend", "convert"), VARIANTS)
def test_variants_of_frames_give_the_same_tree(backend, convert):
    frame, y = people(backend)
    model = TreeClassifier().fit(frame, y)
    other = convert(frame)
    again = TreeClassifier().fit(other, y)
    assert_same_tree(again, model)
    np.testing.assert_array_equal(again.feature_names_in_, model.feature_names_in_)
    np.testing.assert_array_equal(model.apply(other), model.apply(frame))


def test_a_dictionary_that_differs_from_chunk_to_chunk():
    chunks = [pa.array(values).dictionary_encode() for values in (["b", "a"], ["c", "b"])]
    table = pa.table({"c": pa.chunked_array(chunks)})
    model = TreeClassifier(branching="multiway").fit(table, list("baxb"))
    assert model.predict(table).tolist() == list("baxb")


@pytest.mark.parametrize("backend", BACKENDS)
def test_categories_are_matched_by_name_not_by_code(backend):
    train = make_frame(backend, {"c": make_column(backend, ["x", "y", "z"], ["x", "y", "z"])})
    test = make_frame(backend, {"c": make_column(backend, ["x", "y", "z"], ["z", "new", "y", "x"])})
    model = TreeClassifier(branching="multiway").fit(train, [1, 2, 3])
    assert model.predict(test).tolist() == [1, 2, 3]


@pytest.mark.parametrize("make", [lambda rows: np.array(rows, dtype=object), list], ids=["objects", "lists"])
@pytest.mark.parametrize("values", [[1, 2, 3], [1.5, 2.5, 3.5], [True, False, True], ["1", "2", "3"]])
def test_rows_of_several_types_are_read_column_by_column(values, make):
    rows = [list(row) for row in zip(values, "aba", strict=True)]
    frame = pd.DataFrame({"x0": values, "x1": list("aba")})
    y = [0, 1, 2]
    model = TreeClassifier().fit(make(rows), y)
    expected = TreeClassifier().fit(frame, y)
    assert_same_tree(model, expected)
    assert model.schema_.columns == expected.schema_.columns
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize("dtype", ["U", "S", "O", np.dtypes.StringDType()], ids=str)
def test_arrays_of_strings_are_nominal(dtype):
    X = np.array([["1", "b"], ["2", "a"], ["2", "b"]]).astype(dtype)
    model = TreeClassifier().fit(X, [0, 1, 2])
    assert all(column.nominal for column in model.schema_.columns)
    assert model.predict(X).tolist() == [0, 1, 2]
