"""Tables that do not fit the model: an error that names the column, and the model left as it was."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.exceptions import NotFittedError

from ramify import TreeClassifier
from samples import people, refused

METHODS = ("apply", "decision_path", "predict", "predict_proba", "predict_log_proba")


@pytest.mark.parametrize("method", METHODS)
def test_not_fitted(method):
    X, _ = people()
    with pytest.raises(NotFittedError, match="TreeClassifier instance is not fitted"):
        getattr(TreeClassifier(), method)(X)


@pytest.mark.parametrize("ask", [TreeClassifier.get_depth, TreeClassifier.get_n_leaves])
def test_nothing_to_ask_before_fit(ask):
    with pytest.raises(NotFittedError, match="not fitted"):
        ask(TreeClassifier())


def test_attributes_are_not_there_before_fit():
    for name in ("tree_", "classes_", "schema_", "n_features_in_", "feature_names_in_"):
        assert not hasattr(TreeClassifier(), name)
    with pytest.raises(NotFittedError, match="not fitted"):
        _ = TreeClassifier().feature_importances_


def test_a_failed_first_fit_leaves_the_model_unfitted():
    model = TreeClassifier(criterion="nonsense")
    X, y = people()
    with refused(model, ValueError, "criterion='nonsense'"):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


OTHER_COLUMNS = {
    "missing": (lambda X: X.drop(columns=["size", "city"]), ["size", "city", "missing"]),
    "extra": (lambda X: X.assign(extra=1), ["extra", "unseen"]),
    "renamed": (lambda X: X.rename(columns={"age": "years"}), ["years", "unseen", "age", "missing"]),
    "re-ordered": (lambda X: X[X.columns[::-1]], ["order"]),
    "twice": (lambda X: pd.concat([X, X[["age"]]], axis=1), ["'age'"]),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("change", OTHER_COLUMNS)
def test_other_columns(change, method):
    X, y = people()
    model = TreeClassifier().fit(X, y)
    convert, texts = OTHER_COLUMNS[change]
    with refused(model, ValueError, *texts):
        getattr(model, method)(convert(X))


@pytest.mark.parametrize("columns", [1, 4, 6])
@pytest.mark.parametrize("named", [True, False])
def test_another_number_of_columns(columns, named):
    train = np.random.default_rng(0).random((30, 5))
    model = TreeClassifier().fit(pd.DataFrame(train, columns=list("abcde")) if named else train, [0, 1] * 15)
    with refused(model, ValueError, f"X has {columns} features", "expecting 5"):
        model.predict(np.zeros((3, columns)))


NUMBERS_BECOME = {
    "words": lambda X: X.assign(age="old"),
    "numbers as words": lambda X: X.assign(age=X["age"].astype(str)),
    "objects": lambda X: X.assign(age=X["age"].astype(str).astype(object)),
    "categories": lambda X: X.assign(age=X["age"].astype("category")),
    "dates": lambda X: X.assign(age=pd.Timestamp("2020-01-01")),
    "words in polars": lambda X: pl.from_pandas(X).with_columns(age=pl.col("age").cast(str)),
    "words in Arrow": lambda X: pa.Table.from_pandas(X.assign(age=X["age"].astype(str))),
}


@pytest.mark.parametrize("change", NUMBERS_BECOME)
def test_a_numeric_column_that_is_none_now(change):
    X, y = people()
    model = TreeClassifier().fit(X, y)
    with refused(model, TypeError, "[cC]olumn 'age'", "numeric"):
        model.predict(NUMBERS_BECOME[change](X))


def test_a_numeric_array_that_holds_words_now():
    model = TreeClassifier().fit([[1.0, 2.0], [3.0, 4.0]], [0, 1])
    for X in ([["1", "2"]], [[1.0, "2"]], np.array([[1.0, "2"]], dtype=object)):
        with refused(model, TypeError, "[cC]olumn 'x[01]'", "numeric"):
            model.predict(X)


@pytest.mark.parametrize(("name", "value"), [("handle_unknown", "ignore"), ("n_jobs", 0)])
def test_parameters_of_prediction_are_checked_there(name, value):
    X, y = people()
    model = TreeClassifier().fit(X, y).set_params(**{name: value})
    with refused(model, ValueError, f"{name}={value!r}"):
        model.predict(X)


def test_values_that_can_not_be_categories():
    X, y = people()
    model = TreeClassifier().fit(X, y)
    with refused(model, TypeError, "'city'", "hash"):
        model.predict(X.assign(city=[["Rome"]] * len(X)))
