"""Groups of rows stay together: in folds, in those that choose q inside, and where a model chooses."""

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import (
    GroupKFold,
    LeaveOneGroupOut,
    StratifiedGroupKFold,
    cross_val_score,
)

from path_samples import assert_same_path
from ramify import TreeClassifierCV, q_path
from samples import numbers

GRID = [0.5, 1.0, 2.0]


def grouped(rows=120, n_groups=9):
    """Rows of groups that have answers of their own, which other groups do not share."""
    rng = np.random.default_rng(5)
    groups = rng.integers(0, n_groups, rows)
    X = rng.normal(size=(rows, 3))
    X[:, 0] = groups + 0.01 * X[:, 0]
    return X, rng.integers(0, 2, n_groups)[groups], groups


@pytest.mark.parametrize("splitter", [GroupKFold(3), LeaveOneGroupOut(), StratifiedGroupKFold(3)])
def test_a_splitter_is_shown_the_groups(splitter):
    X, y, groups = grouped()
    path = q_path(X, y, GRID, cv=splitter, groups=groups)
    listed = q_path(X, y, GRID, cv=list(splitter.split(X, y, groups)))
    assert_same_path(path, listed)


@pytest.mark.parametrize("kind", [list, pd.Series, lambda groups: np.array([f"g{g}" for g in groups])])
def test_groups_of_any_kind(kind):
    X, y, groups = grouped()
    given = kind(groups)
    if isinstance(given, pd.Series):
        given.index = given.index[::-1]  # rows count, not their names
    path = q_path(X, y, GRID, cv=GroupKFold(3), groups=given)
    assert_same_path(path, q_path(X, y, GRID, cv=GroupKFold(3), groups=groups))


def test_groups_stay_together_inside_too(monkeypatch):
    from ramify import _path_run

    X, y, groups = grouped()
    seen = []
    original = _path_run.score_folds

    def watched(grower, folds, qs):
        seen.extend(zip(folds.train, folds.test, strict=True))
        return original(grower, folds, qs)

    monkeypatch.setattr(_path_run, "score_folds", watched)
    for inner_cv in (None, GroupKFold(2)):
        seen.clear()
        path = q_path(X, y, GRID, cv=GroupKFold(3), groups=groups, nested=True, inner_cv=inner_cv)
        assert len(seen) > 3 + 3
        assert path.nested_accuracy_ is not None
        for train, test in seen:
            assert not set(groups[train]) & set(groups[test])
    # A list of folds says nothing of groups; they do.
    seen.clear()
    q_path(X, y, GRID, cv=list(GroupKFold(3).split(X, y, groups)), groups=groups, nested=True)
    assert all(not set(groups[train]) & set(groups[test]) for train, test in seen)


def test_a_model_chooses_by_groups():
    X, y, groups = grouped()
    model = TreeClassifierCV(qs=GRID, cv=GroupKFold(3)).fit(X, y, groups=groups)
    assert_same_path(model.path_, q_path(X, y, GRID, cv=GroupKFold(3), groups=groups))
    scores = cross_val_score(model, X, y, cv=GroupKFold(3), groups=groups, params={"groups": groups})
    assert np.isfinite(scores).all()


def test_a_run_with_other_groups_is_another(tmp_path):
    X, y, groups = grouped()
    folds = list(GroupKFold(3).split(X, y, groups))
    given = {"cv": folds, "nested": True, "resume": tmp_path / "run"}
    first = q_path(X, y, GRID, groups=groups, **given)
    assert_same_path(q_path(X, y, GRID, groups=groups, **given), first)
    with pytest.raises(ValueError, match="the inner folds are others"):
        q_path(X, y, GRID, groups=groups % 5, **given)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"cv": GroupKFold(3)}, r"cv=GroupKFold.* needs to know the groups of the rows; give them as groups"),
        (
            {"cv": 3, "groups": np.arange(120)},
            r"cv=3 deals rows without heeding groups.*StratifiedGroupKFold\(3\)",
        ),
        ({"cv": GroupKFold(3), "groups": [1, 2]}, "groups has 2 values, but there are 120 rows"),
        ({"cv": GroupKFold(3), "groups": "abc"}, "groups is str; one value a row is needed"),
        (
            {"cv": GroupKFold(2), "groups": np.arange(120) % 2, "nested": True},
            "nested=True needs two groups at least in the training rows of each fold",
        ),
        (
            {"cv": GroupKFold(3), "groups": np.arange(120), "nested": True, "inner_cv": 3},
            "inner_cv=3 deals rows without heeding groups",
        ),
    ],
)
def test_groups_that_are_refused(given, text):
    X, y, _ = grouped()
    with pytest.raises(ValueError, match=text):
        q_path(X, y, GRID, **given)


def test_what_needs_no_groups_takes_none():
    X, y = numbers()
    assert q_path(X, y, GRID, cv=3, n_repeats=1, groups=None).n_folds_ == 3
