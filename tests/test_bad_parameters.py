"""Bad parameters: an error that names parameter and value, and a model that is left as it was."""

import re
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

from ramify import TreeClassifier, list_criteria
from samples import numbers, refused

NAN, INF = float("nan"), float("inf")
REFUSED = (ValueError, TypeError)
X, Y = numbers()
DEFAULTS = TreeClassifier().get_params()


def check_refused(error, *texts, **parameters):
    """Check that a fitted model refuses to be fitted with these parameters, and stays as it is."""
    model = TreeClassifier().fit(X, Y)
    before = model.predict(X)
    model.set_params(**parameters)
    with refused(model, error, *texts):
        model.fit(X[:50], Y[:50])
    np.testing.assert_array_equal(model.set_params(**DEFAULTS).predict(X), before)


def each(values_by_name):
    return pytest.mark.parametrize(
        ("name", "value"),
        [
            pytest.param(name, value, id=f"{name}={value!r}")
            for name, values in values_by_name.items()
            for value in values
        ],
    )


@each(
    {
        "q": [-1, -1e-9, NAN, INF, -INF, "2", True, False, np.True_, 1j, [2], np.array([2.0])],
        "branching": ["ternary", "BINARY", None, 2, True],
        "max_depth": [0, -1, 2.0, 2.5, "3", True, NAN, INF, [3]],
        "min_samples_split": [1, 0, -1, 0.0, -0.5, 1.5, "2", None, True, NAN, INF],
        "min_samples_leaf": [0, -1, 0.0, -0.5, 1.5, "1", None, True, NAN, INF],
        "min_support": [0, -1, 0.0, 1.0, 1.5, -0.5, True, "2", NAN, INF],
        "min_impurity_decrease": [-0.1, NAN, INF, "0", None, True],
        "max_leaf_nodes": [0, 1, -1, 2.0, "3", True, NAN, INF],
        "cuts": ["quantiles", "", None, 3],
        "max_bins": [1, 0, -1, 65536, 256.0, "256", None, True],
        "missing": ["median", "", None, 1],
        "handle_unknown": ["ignore", "", None, 1],
        "class_weight": ["balance", 2, [1, 2, 3]],
        "confidence": [-1, 0, 0.0, 0.5001, 1.5, NAN, INF, "high", None, True, [0.25]],
        "ccp_alpha": [-1, -1e-9, NAN, INF, "CV", "0.1", None, True, [0.1]],
        "pruning": ["pessimism", "cv", "", True, False, 0, ["merge"]],
        "smoothing": ["Laplace", "m", 0, 0.0, -1, NAN, INF, True, [1.0]],
        "max_features": ["cube", "auto", 0, -1, 0.0, -0.5, 1.5, NAN, INF, True, False, [2]],
        "n_runner_ups": [-1, 1.0, 1.5, "3", None, True, NAN],
        "split_order": ["x0", b"x0", 0, True, {0: 1}, {0}, 1.5],
        "dialect": ["J48", "C45", "", None, 1, True, ("c45",), {"raising": True}],
        "n_jobs": [0, 1.5, "2", True, NAN],
        "random_state": ["seed", 1.5, [0.5]],
        "categorical_features": [
            "all",
            "x0",
            3,
            True,
            {0: 1},
            {0},
            [1.5],
            [None],
            np.array(1),
            np.array([[0]]),
        ],
    }
)
def test_out_of_range(name, value):
    check_refused(REFUSED, name, re.escape(repr(value)), **{name: value})


@pytest.mark.parametrize("name", ["q", "min_impurity_decrease"])
def test_numbers_that_no_float_holds(name):
    check_refused(REFUSED, name, **{name: 10**400})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ([4], "index 4.*4 columns"),
        ([-1], "index -1"),
        ([2**70], "index 1180591620717411303424"),
        (["age"], "'age'"),
        ([True, False], "mask of 2 for 4"),
        ([True, 1, False, 0], "True, 1, False, 0"),
    ],
)
def test_categorical_features_that_do_not_fit_the_table(value, text):
    check_refused(REFUSED, "categorical_features", text, categorical_features=value)


def test_categorical_features_that_the_frame_does_not_have():
    frame = pd.DataFrame(X, columns=list("abcd"))
    with pytest.raises(ValueError, match=r"categorical_features.*'e'.*'a', 'b', 'c', 'd'"):
        TreeClassifier(categorical_features=["a", "e"]).fit(frame, Y)


# Criteria


@pytest.mark.parametrize(
    ("wrong", "meant"),
    [
        ("gian_ratio", "gain_ratio"),
        ("gini ", "gini"),
        ("Gain", "gain"),
        ("entropie", "entropy"),
        ("helinger", "hellinger"),
        ("normalised_distance", "normalized_distance"),
    ],
)
def test_an_unknown_criterion_is_answered_with_the_one_meant(wrong, meant):
    check_refused(ValueError, f"criterion='{wrong}'", f"Did you mean '{meant}'", criterion=wrong)


@pytest.mark.parametrize("wrong", ["", "nothing like it", "gain\0"])
def test_an_unknown_criterion_is_answered_with_all(wrong):
    names = [f"'{info.name}'" for info in list_criteria()]
    check_refused(ValueError, re.escape(f"criterion={wrong!r}"), *names, criterion=wrong)


@pytest.mark.parametrize("wrong", [None, 3, ["gain"], b"gain", ("gain", 2)])
def test_a_criterion_that_is_no_name(wrong):
    check_refused(TypeError, re.escape(f"criterion={wrong!r}"), criterion=wrong)


WITHOUT_ORDER = [info.name for info in list_criteria() if not info.takes_order]


@pytest.mark.parametrize("name", [*WITHOUT_ORDER, "gini", "entropy", "log_loss"])
def test_an_order_where_none_is_taken(name):
    check_refused(ValueError, "q=1.5", f"'{name}'", criterion=name, q=1.5)


def test_an_order_for_a_function():
    check_refused(ValueError, "q=2", "callable", criterion=lambda tables: tables[:, 0, 0], q=2)


ANSWERS = {
    "too few": (lambda tables: np.zeros(3), "shape"),
    "a column": (lambda tables: np.zeros((len(tables), 1)), "shape"),
    "a number": (lambda tables: 1.0, "shape"),
    "nothing": (lambda tables: None, "shape|None"),
    "NaN": (lambda tables: np.full(len(tables), NAN), "NaN"),
    "NaN in one": (lambda tables: np.where(np.arange(len(tables)) == 1, NAN, 0), "NaN"),
    "infinity": (lambda tables: np.full(len(tables), INF), "inf"),
    "minus infinity": (lambda tables: np.full(len(tables), -INF), "inf"),
    "words": (lambda tables: np.full(len(tables), "good"), "dtype"),
    "numbers as words": (lambda tables: np.full(len(tables), "1"), "dtype"),
    "objects": (lambda tables: np.full(len(tables), object()), "dtype"),
    "None": (lambda tables: np.full(len(tables), None), "dtype|NaN"),
    "complex": (lambda tables: np.ones(len(tables)) * 1j, "dtype"),
    "datetimes": (lambda tables: np.full(len(tables), np.datetime64("2020-01-01")), "dtype"),
}


@pytest.mark.parametrize("answer", ANSWERS)
@pytest.mark.parametrize(
    "categorical_features", [None, [3], [0, 1, 2, 3]], ids=["numbers", "both", "nominal"]
)
def test_a_function_with_a_bad_answer(answer, categorical_features):
    function, text = ANSWERS[answer]
    check_refused(
        REFUSED,
        "criterion=<lambda> returned",
        text,
        criterion=function,
        categorical_features=categorical_features,
    )


@pytest.mark.parametrize("error", [KeyError, ZeroDivisionError, KeyboardInterrupt, MemoryError])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_function_that_fails_keeps_its_own_error(error, n_jobs):
    def failing(tables):
        raise error("my own")

    check_refused(error, "my own", criterion=failing, n_jobs=n_jobs)


def test_a_function_can_not_change_its_tables():
    def writing(tables):
        tables[0] = 0
        return np.zeros(len(tables))

    check_refused(ValueError, "read-only", criterion=writing)


def test_a_function_may_keep_its_tables():
    kept = []

    def keeping(tables):
        kept.append((tables, tables.copy()))
        return tables[:, 0, 0]

    TreeClassifier(criterion=keeping).fit(X, Y)
    assert len(kept) > 1
    for tables, before in kept:
        np.testing.assert_array_equal(tables, before)


def test_more_threads_than_can_be_started():
    # In a process of its own with little room, so that the threads can't harm the machine.
    code = """if True:
        import resource
        import numpy as np
        from ramify import TreeClassifier
        resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
        X = np.random.default_rng(0).random((3000, 60))
        y = np.arange(3000) % 2
        plain = TreeClassifier().fit(X, y)
        try:
            model = TreeClassifier(n_jobs=10**6).fit(X, y)
            assert np.array_equal(model.tree_.threshold, plain.tree_.threshold)
        except ValueError as error:
            assert "n_jobs=1000000" in str(error)
    """
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stderr[-500:]
