"""The folds of a path: those of scikit-learn, and what is wrong with others."""

import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneOut,
    PredefinedSplit,
    RepeatedStratifiedKFold,
    StratifiedKFold,
    TimeSeriesSplit,
    cross_val_score,
)

from ramify import TreeClassifier, TreeClassifierCV, q_path
from ramify._folds import make_folds
from samples import numbers, people


def folds_of(cv, y, n_repeats=1, seed=0, X=None):
    classes, codes = np.unique(y, return_inverse=True)
    return make_folds(cv, n_repeats, seed, y if X is None else X, codes.astype(np.uint32), classes)


@pytest.mark.parametrize(("cv", "n_repeats", "seed"), [(2, 1, 0), (10, 3, 0), (7, 2, 42)])
def test_an_integer_means_scikit_learns_repeated_folds(cv, n_repeats, seed):
    _, y = people(rows=200)
    y = np.where(np.isin(y, ["two", "three"]), "more", y)
    expected = list(RepeatedStratifiedKFold(n_splits=cv, n_repeats=n_repeats, random_state=seed).split(y, y))
    folds = folds_of(cv, y, n_repeats, seed)
    assert len(folds) == cv * n_repeats
    for i, (train, test) in enumerate(expected):
        np.testing.assert_array_equal(folds.train[i], train)
        np.testing.assert_array_equal(folds.test[i], test)
        assert folds.train[i].dtype == folds.test[i].dtype == np.uint32


@pytest.mark.parametrize("seed", range(20))
def test_the_same_folds_for_any_labels(seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, rng.integers(1, 8), rng.integers(20, 200)) * 3
    n_folds = min(int(rng.integers(2, 9)), np.bincount(y).max())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        folds = folds_of(n_folds, y, 2, seed)
        expected = RepeatedStratifiedKFold(n_splits=n_folds, n_repeats=2, random_state=seed).split(y, y)
        for i, (train, test) in enumerate(expected):
            np.testing.assert_array_equal(folds.train[i], train)
            np.testing.assert_array_equal(folds.test[i], test)


@pytest.mark.parametrize(
    "cv",
    [KFold(3), StratifiedKFold(3), TimeSeriesSplit(4), LeaveOneOut(), PredefinedSplit([0, 1, -1] * 10)],
    ids=lambda cv: type(cv).__name__,
)
def test_any_splitter_goes_in(cv):
    X, y = numbers(rows=30)
    expected = list(cv.split(X, y))
    for folds in (folds_of(cv, y, X=X), folds_of(iter(expected), y)):
        assert len(folds) == len(expected)
        for i, (train, test) in enumerate(expected):
            np.testing.assert_array_equal(folds.train[i], train)
            np.testing.assert_array_equal(folds.test[i], test)
    path = q_path(X, y, [1, 2], cv=cv)
    assert path.n_folds_ == len(expected)


class ByColumn:
    """A splitter that looks at the data and at the labels."""

    def split(self, X, y):
        assert isinstance(X, pd.DataFrame)
        assert set(y) <= {"none", "one", "two", "three"}
        old = X["age"].to_numpy() > 50
        yield np.flatnonzero(old), np.flatnonzero(~old)


def test_a_splitter_sees_the_data_as_given():
    X, y = people()
    path = q_path(X, y, [1, 2], cv=ByColumn(), nested=True, inner_cv=3)
    assert path.n_folds_ == 1


def test_rows_are_put_in_order():
    _, y = numbers(rows=10)
    folds = folds_of([([5, 1, 3], np.array([9, 0]))], y)
    assert folds.train[0].tolist() == [1, 3, 5]
    assert folds.test[0].tolist() == [0, 9]


def test_other_folds_have_another_digest():
    _, y = numbers(rows=30)
    digests = {
        folds_of(2, y).digest(),
        folds_of(3, y).digest(),
        folds_of(2, y, 2).digest(),
        folds_of(2, y, 1, 5).digest(),
        folds_of([([0, 1], [2]), ([3], [4])], y).digest(),
        folds_of([([0], [1, 2]), ([3], [4])], y).digest(),
    }
    assert len(digests) == 6
    assert folds_of(2, y).digest() == folds_of(2, y).digest()


@pytest.mark.parametrize(
    ("cv", "text"),
    [
        (1, "cv=1 is not accepted; it must be an integer >= 2"),
        (-3, "cv=-3 is not accepted"),
        (True, "cv=True is not accepted; it must be an integer >= 2, a splitter"),
        (None, "cv=None is not accepted"),
        ("10", "cv='10' is not accepted"),
        (2.5, "cv=2.5 is not accepted"),
        (31, r"cv=31 asks for more folds than there are rows \(n_samples=30\).*Use fewer folds"),
        (GroupKFold(3), "needs to know the groups of the rows; give them as groups"),
        (iter(()), "cv gives no folds. An iterator gives its folds once only; make a list of it"),
        ([], "cv gives no folds"),
        ([([0, 1], [])], "the test rows of fold 0 of cv are none"),
        ([([0], [1]), ([], [1])], "the training rows of fold 1 of cv are none"),
        ([([0, 1, 0], [2])], "the training rows of fold 0 of cv have the row 0 twice"),
        ([([0, 1], [2, 2])], "the test rows of fold 0 of cv have the row 2 twice"),
        ([([0, 30], [2])], "have the row 30; rows are numbered from 0 to 29"),
        ([([0, -1], [2])], "have the row -1; rows are numbered from 0 to 29"),
        ([([0, 1, 2], [2, 3])], r"trains and tests fold 0 on the same rows, \[2\] among them"),
        ([([0.0, 1.0], [2])], "an array of float64 of 1 dimensions; row numbers in one dimension are needed"),
        ([([[0, 1]], [2])], "of 2 dimensions"),
        ([(np.array([True, False]), [2])], "an array of bool"),
        ([0, 1], "cv gives int as fold 0; pairs"),
        ([([0], [1], [2])], "cv gives tuple as fold 0; pairs"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_folds_that_are_refused(cv, text):
    X, y = numbers(rows=30)
    with pytest.raises(ValueError, match=text):
        q_path(X, y, [1, 2], cv=cv)
    with pytest.raises(ValueError, match=text):
        TreeClassifierCV(qs=[1, 2], cv=cv).fit(X, y)


def test_classes_of_one_case_are_not_told_to_use_one_fold():
    for cv in (3, 9):
        with pytest.raises(ValueError, match="Get more cases"):
            q_path(np.arange(6.0)[:, None], list("abcdef"), [1, 2], cv=cv)


@pytest.mark.parametrize("n_repeats", [0, -1, 1.5, None])
def test_repeats_that_are_refused(n_repeats):
    with pytest.raises(ValueError, match="n_repeats="):
        q_path(*numbers(), [1, 2], n_repeats=n_repeats)


def test_a_class_with_fewer_cases_than_folds_is_named_once():
    X, _ = numbers(rows=60)
    y = np.array(["a"] * 40 + ["b"] * 14 + ["rare"] * 4 + ["rarer"] * 2)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        path = q_path(X, y, [1, 2], cv=5, n_repeats=3, nested=True, inner_cv=2)
    assert path.n_folds_ == 15
    assert len(caught) == 1
    assert caught[0].category is UserWarning
    assert caught[0].filename == __file__
    text = str(caught[0].message)
    assert "cv=5 asks for more folds" in text
    assert "'rarer' has 2, 'rare' has 4" in text
    for way_out in ("fewer folds", "join classes", "splitter"):
        assert way_out in text
    with pytest.warns(UserWarning, match="'rarer' has 2") as caught:
        TreeClassifierCV(qs=[1, 2], cv=5).fit(X, y)
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        q_path(X, y, [1, 2], cv=2, n_repeats=1)


def test_many_small_classes_are_counted_not_listed():
    X, _ = numbers(rows=100)
    y = np.arange(100) % 50
    y[:20] = 99
    with pytest.warns(UserWarning, match=r"and \d+ more classes have fewer than 5"):
        q_path(X, y, [2], cv=5, n_repeats=1)


def test_more_folds_than_cases_of_any_class():
    X, _ = numbers(rows=12)
    y = np.array(["x", "y", "z"] * 4)
    text = (
        r"cv=5 asks for more folds than any class has cases: 'x' has 4, 'y' has 4.*cv up to 4.*join classes"
    )
    with pytest.raises(ValueError, match=text):
        q_path(X, y, [1, 2], cv=5)
    text = "inner_cv=4 asks for more folds than any class has cases"
    with pytest.raises(ValueError, match=text):
        q_path(X, y, [1, 2], cv=4, nested=True, inner_cv=4)
    assert q_path(X, y, [1, 2], cv=4, n_repeats=1, nested=True).nested_accuracy_ is not None


def test_a_fold_without_weight_is_named():
    X, y = numbers(rows=30)
    weights = np.ones(30)
    weights[10:20] = 0
    with pytest.raises(ValueError, match="sample_weight is 0 for all test rows of fold 1 of cv"):
        q_path(X, y, [1, 2], cv=KFold(3), sample_weight=weights)
    with pytest.raises(ValueError, match="sample_weight is 0 for all training rows of fold 0 of cv"):
        q_path(X, y, [1, 2], cv=[(range(10, 20), range(5))], sample_weight=weights)


def test_a_class_that_is_in_no_training_row():
    X, y = numbers(rows=40)
    order = np.argsort(y, kind="stable")
    folds = [(order[20:], order[:20])]
    path = q_path(X, y, [1, 2], cv=folds, class_weight="balanced")
    assert path.accuracy_.max() < 1
    assert np.isfinite(path.log_loss_).all()


@pytest.mark.parametrize("random_state", [None, np.random.RandomState(3)])
def test_any_random_state_goes_in(random_state):
    X, y = numbers()
    path = q_path(X, y, [1, 2], cv=2, n_repeats=1, random_state=random_state, max_features=2)
    assert path.n_folds_ == 2
    model = path.model(2.0)
    assert isinstance(model.random_state, int)


def test_powers_that_stay_in_range_for_the_folds_but_not_for_all_rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100_200, 1))  # 100,200^60 is beyond the range of a double, two thirds of it are not
    y = (X[:, 0] + rng.normal(size=len(X)) > 0).astype(int)
    path = q_path(X, y, [2.0, 60.0], cv=KFold(3), max_depth=2)
    for q, accuracy in zip(path.qs_, path.accuracy_, strict=True):
        assert accuracy == cross_val_score(TreeClassifier(q=q, max_depth=2), X, y, cv=KFold(3)).mean()


def test_folds_with_weights_beside_folds_without():
    """A fold with balanced classes has no weights, another does: only the former looks counts up."""
    rng = np.random.default_rng(0)
    X, y = rng.random((161, 4)), np.arange(161) % 2
    fold = np.repeat([0, 1], [80, 81])  # trains on 81 rows, 41 of a class, and on 80, 40 of each
    cv, qs = PredefinedSplit(fold), [0.5, 1.5, 2, 3.3]
    path = q_path(X, y, qs, cv=cv, class_weight="balanced", nested=False)
    for q, accuracy in zip(qs, path.accuracy_, strict=True):
        scores = cross_val_score(TreeClassifier(q=q, class_weight="balanced"), X, y, cv=cv)
        assert accuracy == pytest.approx(scores.mean())


def test_a_fold_without_the_one_heavy_row():
    """The weights of all other folds add up to more than any table could have."""
    rng = np.random.default_rng(1)
    X, y = rng.random((60, 3)), rng.integers(0, 3, 60)
    weights = np.ones(60)
    weights[7] = 1e9 + 0.5
    path = q_path(X, y, [0.5, 1.5, 4], cv=KFold(3), sample_weight=weights, nested=False)
    assert np.isfinite(path.log_loss_).all()
