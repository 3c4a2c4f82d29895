"""Explanations of cases: the path is the model's, the change the smallest that gives another answer."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import NotFittedError

from missing_samples import mixed
from ramify import TreeClassifier, c45, datasets, explain
from samples import BACKENDS, BRANCHINGS, numbers, people


def changed(X, row, change):
    """The row as a frame of its own, with the new values."""
    one = X.iloc[[row]].copy()
    for column in change.columns:
        if isinstance(one[column.column].dtype, pd.CategoricalDtype):
            kept = one[column.column].cat.categories
            one[column.column] = pd.Categorical([column.new], categories=kept)
        else:
            one[column.column] = [column.new]
    return one


def values_that_differ(model, index):
    """A value of each kind that the tree tells apart in a column: all others behave like one of them."""
    column, tree = model.schema_.columns[index], model.tree_
    if column.categories is not None:
        return list(column.categories)
    cuts = np.unique(tree.threshold[(tree.column == index) & (tree.kind == 1)])
    return [*cuts.tolist(), float(cuts[-1]) + 1.0] if len(cuts) else [0.0]


def fewest_by_trying(model, X, row, most):
    """The fewest columns, up to `most`, whose change gives another answer; None if there are none."""
    own = model.predict(X.iloc[[row]])[0]
    for size in range(1, most + 1):
        for columns in combinations(range(X.shape[1]), size):
            tries = list(product(*(values_that_differ(model, i) for i in columns)))
            rows = pd.concat([X.iloc[[row]]] * len(tries), ignore_index=True)
            for place, index in enumerate(columns):
                values = [values[place] for values in tries]
                dtype = X.dtypes.iloc[index]
                is_category = isinstance(dtype, pd.CategoricalDtype)
                rows[X.columns[index]] = pd.Categorical(values, dtype.categories) if is_category else values
            if (model.predict(rows) != own).any():
                return size
    return None


def check(model, X, most=2):
    found = explain(model, X)
    answers, shares = model.predict(X), model.predict_proba(X)
    for row, one in enumerate(found):
        assert one.row == row and one.answer == answers[row]
        assert one.share == shares[row, list(model.classes_).index(one.answer)]
        assert one.sentences[-1] == (
            one.change.text if one.change else "No other values would give another answer."
        )
        np.testing.assert_array_equal(one.nodes, model.decision_path(X.iloc[[row]]).indices)
        fewest = fewest_by_trying(model, X, row, most)
        if one.change is None:
            assert fewest is None
            continue
        new = model.predict(changed(X, row, one.change))[0]
        assert new == one.change.answer != one.answer
        size = len(one.change.columns)
        assert len({column.column for column in one.change.columns}) == size
        for column in one.change.columns:
            assert column.accepted.accepts(column.new) and column.column in column.text
        if one.change.smallest:
            assert fewest == size if size <= most else fewest is None
        else:
            assert size > 2
    return found


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    way=st.sampled_from(["fractional", "best_branch", "own_branch"]),
    branching=st.sampled_from(BRANCHINGS),
    depth=st.integers(1, 6),
    share=st.sampled_from([0.0, 0.15]),
)
def test_the_change_is_the_smallest_and_predict_agrees(seed, way, branching, depth, share):
    rng = np.random.default_rng(seed)
    rows = 50
    y = rng.integers(0, 3, rows)
    X = pd.DataFrame(
        {
            "a": rng.normal(y, 1.0).round(1),
            "b": pd.Categorical.from_codes((y + rng.integers(0, 3, rows)) % 4, list("wxyz")),
            "c": rng.integers(0, 6, rows).astype(float),
            "d": pd.Categorical.from_codes(rng.integers(0, 3, rows), list("pqr")),
        }
    )
    for name in X:
        X.loc[rng.random(rows) < share, name] = np.nan if X[name].dtype.kind == "f" else None
    model = TreeClassifier(missing=way, branching=branching, max_depth=depth, min_samples_leaf=2).fit(X, y)
    check(model, X.iloc[:6].reset_index(drop=True))


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_people(branching):
    X, y = people(rows=120)
    X = X.astype({"city": "category", "age": float})
    check(TreeClassifier(branching=branching, min_samples_leaf=3).fit(X, y), X.head(15), most=1)


def test_with_costs_smoothing_and_class_weights():
    X, y = people(rows=120)
    X = X.astype({"city": "category", "age": float})
    model = TreeClassifier(class_weight="balanced", smoothing=2.0, max_depth=4).fit(X, y)
    check(model, X.head(6), most=1)
    check(TreeClassifier(cost_matrix=1.0 - np.eye(4), max_depth=4).fit(X, y), X.head(6), most=1)
    check(c45().fit(X, y), X.head(6), most=1)


def test_categories_never_seen_stay_and_are_named():
    X = pd.DataFrame({"city": ["Rome", "Oslo", "Rome", "Oslo"] * 5, "age": np.arange(20.0)})
    model = TreeClassifier().fit(X, [0, 1] * 10)
    one = explain(model, pd.DataFrame({"city": ["Bern"], "age": [3.0]}))[0]
    assert "city is Bern, which no training case was here" in str(one)
    assert one.nodes == (0,)
    new = {column.column: column.new for column in one.change.columns}
    assert (
        model.predict(pd.DataFrame({"city": ["Bern"], "age": [3.0]} | {k: [v] for k, v in new.items()}))
        != one.answer
    )


def test_a_whole_text():
    X, y = datasets.load("titanic", return_X_y=True)
    model = TreeClassifier(max_depth=2).fit(X, y)
    rows = X[(X["sex"] == "male")].head(1)
    assert str(explain(model, rows, cases="passengers")).splitlines() == [
        "There are 2,201 passengers, 1,490 no and 711 yes.",
        "sex is male: 1,731 passengers, 1,364 no and 367 yes.",
        "age is adult: 1,667 passengers, 1,329 no and 338 yes.",
        "So the answer is no (79.7%).",
        "It would be yes if sex were female (not male) and status were crew, first or second (not first)."
        if rows["status"].iloc[0] not in ("crew", "first", "second")
        else "It would be yes if sex were female (not male).",
    ]


def test_numbers_and_intervals():
    X, y = numbers()
    model = TreeClassifier(max_depth=3).fit(X, y)
    text = str(explain(model, X[:1]))
    assert ", at most " in text or ", more than " in text
    assert "It would be" in text


def test_missing_values_in_parts():
    sample = mixed(150)
    model = TreeClassifier(max_depth=3).fit(sample.frame, sample.y)
    column = model.schema_.columns[int(model.tree_.column[0])].name
    rows = sample.frame[sample.frame[column].isna()].head(2).reset_index(drop=True)
    for one in check(model, rows):
        assert f"{column} is missing, so it goes on in parts, " in str(one)
    assert explain(model, rows).text.startswith("Case 0\n")


@pytest.mark.parametrize("backend", BACKENDS)
def test_frames_of_all_libraries_give_the_same(backend):
    X, y = people(rows=60)
    model = TreeClassifier(max_depth=4).fit(X, y)
    other, _ = people(backend, rows=60)
    assert explain(model, other).text == explain(model, X).text


def test_one_answer_has_no_other():
    assert str(explain(TreeClassifier().fit([[1.0], [2.0]], ["a", "a"]), [[5.0]])).endswith(
        "would give another answer."
    )


def test_neighbouring_numbers():
    """Thresholds with no short number between them."""
    x = np.array([[1.0], [np.nextafter(1.0, 2)], [1.0 + 2**-50], [2.0]])
    model = TreeClassifier().fit(x, ["a", "b", "a", "a"])
    change = explain(model, x[:1])[0].change
    assert model.predict([[change.columns[0].new]])[0] == "b"


def test_what_is_refused():
    with pytest.raises(NotFittedError):
        explain(TreeClassifier(), [[1.0]])
    model = TreeClassifier().fit([[1.0, 2.0], [2.0, 1.0]], [0, 1])
    with pytest.raises(ValueError, match="expecting 2 features"):
        explain(model, [[1.0]])


def test_many_cases_and_leaves():
    X, y = numbers(rows=3000, columns=6)
    model = TreeClassifier().fit(X, y)
    found = explain(model, X[:700])
    assert len(found) == 700 and all(one.change.smallest for one in found)
