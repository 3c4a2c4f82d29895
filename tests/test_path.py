"""The path over q: every figure is that of single fits, fold by fold."""

import dataclasses
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score, log_loss
from sklearn.model_selection import (
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedKFold,
    cross_validate,
)

import ramify
from ramify import C45, Dialect, QPath, TreeClassifier, q_path
from samples import assert_same_tree, make_frame, numbers, people

ORDERS = [info.name for info in ramify.list_criteria() if info.takes_order]
GRID = [0.0, 0.4, 1.0, 7.0]


def holes(rows=90, seed=0):
    """Numbers and categories, some of them missing."""
    X, y = people(rows=rows, seed=seed)
    rng = np.random.default_rng(seed)
    X = X.drop(columns="member")
    return X.mask(rng.random(X.shape) < 0.15), y


def take(X, rows):
    return X.iloc[rows] if isinstance(X, pd.DataFrame) else X[rows]


def by_definition(X, y, qs, folds, weights=None, **parameters):
    """One fit a fold and q, and scikit-learn's scores: (folds, qs) arrays by name."""
    found = {name: np.empty((len(folds), len(qs))) for name in SCORES}
    for i, (train, test) in enumerate(folds):
        train_weights = None if weights is None else weights[train]
        test_weights = None if weights is None else weights[test]
        for j, q in enumerate(qs):
            model = TreeClassifier(q=q, random_state=0, **parameters)
            model.fit(take(X, train), y[train], train_weights)
            shares = np.zeros((len(test), len(np.unique(y))))
            shares[:, np.isin(np.unique(y), model.classes_)] = model.predict_proba(take(X, test))
            found["accuracy"][i, j] = accuracy_score(
                y[test], model.predict(take(X, test)), sample_weight=test_weights
            )
            found["log_loss"][i, j] = log_loss(
                y[test], shares, labels=np.unique(y), sample_weight=test_weights
            )
            found["n_nodes"][i, j] = model.tree_.node_count
            found["n_leaves"][i, j] = model.get_n_leaves()
            found["depth"][i, j] = model.get_depth()
    return found


SCORES = ("accuracy", "log_loss", "n_nodes", "n_leaves", "depth")


def assert_exact(X, y, weights=None, qs=GRID, cv=None, **parameters):
    """The path agrees with single fits in every figure, and its models are the single fits."""
    cv = StratifiedKFold(2, shuffle=True, random_state=1) if cv is None else cv
    folds = list(cv.split(X, y))
    path = q_path(X, y, qs, cv=cv, sample_weight=weights, **parameters)
    for name, values in by_definition(X, y, qs, folds, weights, **parameters).items():
        np.testing.assert_allclose(
            getattr(path, f"fold_{name}_"), values, rtol=1e-12, atol=1e-12, err_msg=name
        )
    for i, q in enumerate(qs):
        single = TreeClassifier(q=q, random_state=0, **parameters).fit(X, y, weights)
        model = path.model(q)
        assert_same_tree(model, single)
        assert path.full_n_nodes_[i] == path.tree(q).node_count == single.tree_.node_count
        np.testing.assert_array_equal(path.tree(q).threshold, single.tree_.threshold)
        np.testing.assert_array_equal(model.predict(X), single.predict(X))
        np.testing.assert_array_equal(model.predict_proba(X), single.predict_proba(X))
        assert model.get_params() == single.get_params()
        assert getattr(model, "ccp_alpha_", None) == getattr(single, "ccp_alpha_", None)
    return path


@pytest.mark.parametrize("criterion", ORDERS)
@pytest.mark.parametrize("branching", ["binary", "multiway"])
def test_every_family_that_takes_an_order(criterion, branching):
    assert_exact(*people(), criterion=criterion, branching=branching)


@pytest.mark.parametrize(
    "parameters",
    [
        {"max_depth": 3},
        {"min_samples_leaf": 0.05, "min_samples_split": 0.2},
        {"min_support": 0.05},
        {"min_support": 3},
        {"min_impurity_decrease": 0.01},
        {"max_leaf_nodes": 6},
        {"max_features": 2},
        {"cuts": "quantile", "max_bins": 6},
        {"cuts": "equal_width", "max_bins": 5},
        {"cuts": "gaussian"},
        {"class_weight": "balanced"},
        {"class_weight": {0: 3.0, 1: 0.0}},
        {"smoothing": "laplace", "max_depth": 3},
        {"smoothing": 2.5, "max_depth": 3},
        {"cost_matrix": [[0, 1, 5], [1, 0, 1], [2, 1, 0]], "max_depth": 3},
        {"split_order": [2, None, 1]},
        {"n_runner_ups": 2},
        {"pruning": "pessimistic", "confidence": 0.1},
        {"pruning": "reduced_error"},
        {"pruning": "merge"},
        {"ccp_alpha": 0.02},
        {"dialect": "c45", "criterion": "gain_ratio", "min_samples_leaf": 2, "pruning": "pessimistic"},
        {"dialect": "c45", "criterion": "gain_ratio"},
        {"dialect": Dialect(merging=True), "criterion": "gain", "branching": "multiway"},
        {
            "dialect": Dialect(merging=True, pruning_z=0.0, available_gain_gate=True),
            "criterion": "gain_ratio",
            "branching": "multiway",
            "pruning": "pessimistic",
        },
        {"dialect": dataclasses.replace(C45, raising=False, collapsing=False), "criterion": "gain_ratio"},
    ],
    ids=str,
)
def test_every_parameter(parameters):
    # Fractions of rows, balanced weights and rows set aside are those of the fold, not of all the data.
    assert_exact(*numbers(rows=120), qs=[0.4, 1.0, 2.0, 7.0], **parameters)


def test_the_cost_of_a_leaf_is_chosen_fold_by_fold():
    assert_exact(*numbers(rows=80), qs=[0.5, 1.0, 3.0], ccp_alpha="cv")


@pytest.mark.parametrize("missing", ["fractional", "best_branch", "own_branch"])
@pytest.mark.parametrize("branching", ["binary", "multiway"])
def test_missing_values(missing, branching):
    assert_exact(*holes(), missing=missing, branching=branching, class_weight="balanced")


@pytest.mark.parametrize("pruning", ["pessimistic", "reduced_error", "merge"])
def test_missing_values_and_pruning(pruning):
    assert_exact(*holes(), qs=[0.5, 1.0, 2.0], pruning=pruning)


@pytest.mark.parametrize("kind", ["whole", "real", "equal"])
@pytest.mark.parametrize("parameters", [{}, {"class_weight": "balanced", "min_support": 0.02}], ids=str)
def test_weights_and_rows_of_weight_zero(kind, parameters):
    X, y = numbers(rows=120)
    rng = np.random.default_rng(3)
    weights = {
        "whole": rng.integers(0, 4, len(y)).astype(float),
        "real": rng.random(len(y)) * (rng.random(len(y)) < 0.8),
        "equal": np.full(len(y), 2.5),
    }[kind]
    assert_exact(X, y, weights, qs=[0.4, 1.0, 2.0], **parameters)


def test_weights_with_missing_values_and_pruning():
    X, y = holes()
    weights = np.random.default_rng(5).integers(0, 3, len(y)).astype(float)
    for pruning in ("pessimistic", "reduced_error"):
        assert_exact(X, y, weights, qs=[0.5, 2.0], pruning=pruning)


@pytest.mark.parametrize("backend", ["polars", "pyarrow"])
def test_frames_of_all_libraries(backend):
    X, y = people("pandas")
    other = make_frame(backend, {name: X[name].tolist() for name in ("age", "weight", "city", "member")})
    path = q_path(other, y, GRID, cv=3, n_repeats=1)
    same = q_path(X[["age", "weight", "city", "member"]], y, GRID, cv=3, n_repeats=1)
    np.testing.assert_array_equal(path.fold_accuracy_, same.fold_accuracy_)
    np.testing.assert_array_equal(path.full_n_nodes_, same.full_n_nodes_)


def test_the_means_are_those_of_cross_validate():
    X, y = load_iris(return_X_y=True)
    path = q_path(X, y, [0.5, 2.0], cv=5, n_repeats=2, min_samples_leaf=5)
    splitter = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
    for i, q in enumerate(path.qs_):
        model = TreeClassifier(q=q, min_samples_leaf=5)
        scores = cross_validate(model, X, y, cv=splitter, scoring=["accuracy", "neg_log_loss"])
        assert path.accuracy_[i] == pytest.approx(scores["test_accuracy"].mean(), abs=1e-15)
        error = scores["test_accuracy"].std(ddof=1) / np.sqrt(10)
        assert path.accuracy_se_[i] == pytest.approx(error, abs=1e-15)
        assert path.log_loss_[i] == pytest.approx(-scores["test_neg_log_loss"].mean(), rel=1e-12)


def test_the_grid_of_the_paper_is_the_default():
    X, y = numbers(rows=40)
    path = q_path(X, y, cv=2, n_repeats=1)
    assert path.qs_.tolist() == [float(f"{q / 10:.1f}") for q in range(1, 101)]


def test_the_orders_are_put_in_rising_order():
    X, y = numbers()
    path = q_path(X, y, [2, 0.5, 1], cv=2, n_repeats=1)
    assert path.qs_.tolist() == [0.5, 1.0, 2.0]
    same = q_path(X, y, np.array([0.5, 1, 2]), cv=2, n_repeats=1)
    np.testing.assert_array_equal(path.accuracy_, same.accuracy_)


def test_nothing_depends_on_the_number_of_threads():
    X, y = numbers()
    one, two = (q_path(X, y, GRID, cv=4, n_repeats=2, nested=True, inner_cv=3, n_jobs=n) for n in (1, 2))
    for name in SCORES:
        np.testing.assert_array_equal(getattr(one, f"fold_{name}_"), getattr(two, f"fold_{name}_"))
    assert one.nested_accuracy_ == two.nested_accuracy_


def test_the_distinct_trees_share_out_the_grid():
    X, y = load_iris(return_X_y=True)
    path = q_path(X, y, cv=2, n_repeats=1)
    served = sorted(q for entry in path.trees_ for q in entry.qs)
    assert served == path.qs_.tolist()
    assert 1 < len(path.trees_) < 100
    for entry in path.trees_:
        assert (entry.q_low, entry.q_high) == (entry.qs[0], entry.qs[-1])
        assert entry.node_count == entry.tree.node_count
        inside = [q for low, high in entry.intervals for q in path.qs_ if low <= q <= high]
        assert inside == list(entry.qs)
        assert "nodes, q = " in repr(entry)
    shapes = {(entry.tree.column.tobytes(), entry.tree.threshold.tobytes()) for entry in path.trees_}
    assert len(shapes) == len(path.trees_)


def test_trees_with_other_runner_ups_are_the_same():
    X, y = people(rows=200)
    qs = np.arange(1, 21) / 4
    given = {"branching": "multiway", "min_samples_leaf": 8}
    plain, path = (q_path(X, y, qs, cv=2, n_repeats=1, n_runner_ups=n, **given) for n in (0, 3))
    assert [entry.qs for entry in path.trees_] == [entry.qs for entry in plain.trees_]
    assert len(path.trees_) < len(qs)
    for q in qs:
        single = TreeClassifier(q=q, random_state=0, n_runner_ups=3, **given).fit(X, y)
        assert_same_tree(path.model(q), single)


def test_trees_that_pruning_makes_alike_are_one():
    X, y = numbers()
    path = q_path(X, y, GRID, cv=2, n_repeats=1, ccp_alpha=1e6)
    assert len(path.trees_) == 1
    assert path.trees_[0].qs == tuple(GRID)
    assert path.full_n_nodes_.tolist() == [1] * len(GRID)


def test_nested_is_a_choice_inside_the_training_rows():
    X, y = numbers(rows=90)
    qs, outer = [0.5, 1.0, 2.0, 5.0], RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    path = q_path(X, y, qs, cv=3, n_repeats=2, nested=True, inner_cv=4, max_depth=4)
    for fold, (train, test) in enumerate(outer.split(X, y)):
        inner = q_path(X[train], y[train], qs, cv=4, n_repeats=1, max_depth=4)
        assert path.nested_fold_q_[fold] == inner.best_q_
        model = TreeClassifier(q=inner.best_q_, max_depth=4).fit(X[train], y[train])
        assert path.nested_fold_accuracy_[fold] == pytest.approx(model.score(X[test], y[test]))
    assert path.nested_accuracy_ == path.nested_fold_accuracy_.mean()
    assert path.nested_accuracy_se_ == pytest.approx(path.nested_fold_accuracy_.std(ddof=1) / np.sqrt(6))
    plain = q_path(X, y, qs, cv=3, n_repeats=2, max_depth=4)
    np.testing.assert_array_equal(path.fold_accuracy_, plain.fold_accuracy_)
    assert plain.nested_accuracy_ is plain.nested_accuracy_se_ is plain.nested_fold_q_ is None


def test_nested_with_small_classes_and_with_a_splitter():
    X, y = numbers(rows=60)
    y[:4] = 9
    with pytest.warns(UserWarning, match="9 has 4"):
        path = q_path(X, y, [1, 2], cv=5, n_repeats=1, nested=True)
    assert len(path.nested_fold_q_) == 5
    frame = pd.DataFrame(X)
    path = q_path(frame, y, [1, 2], cv=2, n_repeats=1, nested=True, inner_cv=ShuffleSplit(3, random_state=0))
    assert 0 < path.nested_accuracy_ <= 1


def a_path(accuracy, nodes, errors=0.0):
    """A path with such means over two folds; the standard error is `errors`."""
    accuracy, nodes = np.array(accuracy, float), np.array(nodes, float)
    path = q_path(*numbers(), np.arange(1, len(nodes) + 1), cv=2, n_repeats=1)
    return dataclasses.replace(
        path,
        fold_accuracy_=np.array([accuracy - errors, accuracy + errors]),
        fold_n_nodes_=np.array([nodes, nodes]),
    )


def test_which_q_is_best_smallest_and_between():
    path = a_path([0.80, 0.90, 0.90, 0.88, 0.85], [9, 30, 20, 12, 5], errors=0.03)
    assert path.accuracy_se_ == pytest.approx([0.03] * 5)
    assert (path.best_q_, path.smallest_q_, path.tradeoff_q_) == (3.0, 5.0, 4.0)
    assert path.pareto_q_.tolist() == [5.0, 4.0, 3.0]
    assert path.pareto()[1] == (4.0, pytest.approx(0.88), 12.0)


def test_ties_are_ties_whatever_the_rounding():
    tiny = 1e-14
    path = a_path([0.7, 0.9, 0.9 + tiny, 0.9 - tiny], [5, 8, 8, 8])
    assert (path.best_q_, path.tradeoff_q_) == (2.0, 2.0)
    assert path.pareto_q_.tolist()[0] == 1.0
    assert len(path.pareto()) == 2
    path = a_path([0.7, 0.8, 0.8 + tiny], [5, 5, 5])
    assert path.smallest_q_ == 2.0


def test_a_single_fold_has_no_standard_error():
    X, y = numbers()
    path = q_path(X, y, [1, 2], cv=ShuffleSplit(1, random_state=0), nested=True, inner_cv=2)
    assert np.isnan(path.accuracy_se_).all()
    assert path.tradeoff_q_ in (1.0, 2.0)
    assert np.isnan(path.nested_accuracy_se_)
    assert "nan" not in path.summary()


def test_the_summary_says_that_the_best_figure_is_flattered():
    X, y = numbers()
    text = q_path(X, y, [1, 2], cv=3, n_repeats=1).summary()
    assert "flattered" in text and "nested=True" in text
    path = q_path(X, y, [1, 2], cv=3, n_repeats=1, nested=True)
    text = str(path)
    assert f"{path.nested_accuracy_:.3f}" in text
    assert f"{path.accuracy_.max():.3f}" in text
    assert re.search("first figure is flattered.*same|flattered.*very folds", text)
    for word in ("best", "smallest", "trade-off", "log-loss"):
        assert word in text
    assert repr(path).startswith("<QPath: 2 q from 1 to 2, 3 folds")


def test_the_summary_of_one_q_or_one_fold_claims_no_more_than_there_is():
    X, y = numbers()
    for nested in (False, True):
        text = q_path(X, y, [2], cv=3, n_repeats=1, nested=nested).summary()
        assert "one q only" in text and "flattered" not in text and "smallest" not in text
        assert "1 distinct tree on" in text
    path = q_path(X, y, [1, 2], cv=ShuffleSplit(1, random_state=0))
    assert "figures of 1 fold;" in path.summary() and "±" not in path.summary()
    assert "1 fold," in repr(path)


def test_the_summary_does_not_call_the_lower_figure_flattered():
    path = q_path(*numbers(), [1, 2], cv=3, n_repeats=1, nested=True)
    better = dataclasses.replace(path, nested_fold_accuracy_=np.ones(3))
    assert "flattered as a rule, if not here:" in better.summary()
    worse = dataclasses.replace(path, nested_fold_accuracy_=np.zeros(3))
    assert "is flattered:" in worse.summary()


def test_a_rule_or_nested_that_is_refused():
    X, y = numbers()
    with pytest.raises(ValueError, match="rule='best' is not accepted; it must be one of 'accuracy'"):
        q_path(X, y, [1, 2], cv=2, n_repeats=1).choose("best")
    with pytest.raises(ValueError, match="nested='no' is not accepted; it must be True or False"):
        q_path(X, y, [1, 2], cv=2, n_repeats=1, nested="no")


def test_a_path_can_not_be_changed():
    path = q_path(*numbers(), [1, 2], cv=2, n_repeats=1)
    with pytest.raises(dataclasses.FrozenInstanceError):
        path.qs_ = None
    for name in ("qs_", "accuracy_", "accuracy_se_", "fold_n_nodes_", "full_n_nodes_"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(path, name)[0] = 1


def test_a_pickled_path_is_the_same():
    path = q_path(*people(), [1, 2], cv=2, n_repeats=1)
    again = pickle.loads(pickle.dumps(path))
    assert isinstance(again, QPath)
    np.testing.assert_array_equal(again.accuracy_, path.accuracy_)
    assert_same_tree(again.model(2.0), path.model(2.0))
    assert again.summary() == path.summary()


def test_as_a_frame():
    path = q_path(*numbers(), [1, 2], cv=2, n_repeats=1)
    frame = path.to_frame()
    assert frame["q"].tolist() == [1.0, 2.0]
    np.testing.assert_array_equal(frame["accuracy_se"], path.accuracy_se_)


def test_a_q_outside_the_grid_has_no_tree():
    path = q_path(*numbers(), [0.1 * i for i in range(1, 5)], cv=2, n_repeats=1)
    assert path.model(0.3).q == path.qs_[2]
    for ask in (path.model, path.tree, path.position):
        with pytest.raises(ValueError, match=r"q=0\.35 is not in the grid of 4 values from 0\.1 to 0\.4"):
            ask(0.35)
        with pytest.raises(ValueError, match=r"q='a' is not accepted; it must be a number of the grid of 4"):
            ask("a")


def test_data_that_changed_are_not_taken_for_the_same():
    X, y = numbers()
    path = q_path(X, y, [1, 2], cv=2, n_repeats=1)
    X[:, 0] = X[::-1, 0].copy()
    with pytest.raises(ValueError, match="changed in place"):
        path.model(1)


@pytest.mark.parametrize(
    ("qs", "text"),
    [
        ([], "qs is empty"),
        (range(65536), "qs has 65536 values; .* at most 65535"),
        ([1, 2, 1.0], "qs has 1 more than once"),
        ([0.1 + 0.2, 0.3], r"qs has 0.3 more than once \(0.3 and 0.30000000000000004\)"),
        ([1, float("nan")], "qs has nan"),
        ([1, float("inf")], "qs has inf"),
        ([1, -0.5], "qs has -0.5"),
        ([0, -0.0], "qs has 0 more than once"),
        (["1"], "qs has '1'"),
        ([True, 2], "qs has True"),
        ([None], "qs has None"),
        (2.0, "qs=2.0 is not accepted"),
        ("12", "qs='12' is not accepted"),
        ([1, 10**400], "qs has 1000"),
        ([[1], [2, 3]], "qs="),
        ([[1, 2]], r"qs=\[\[1, 2\]\] is not accepted"),
    ],
)
def test_bad_orders(qs, text):
    with pytest.raises(ValueError, match=text):
        q_path(*numbers(), qs)


@pytest.mark.parametrize(
    ("parameters", "error", "text"),
    [
        ({"q": 2}, ValueError, r"q=2 was given, but q_path tries all of qs; use qs=\[2\]"),
        ({"criterion": "gini"}, ValueError, "'gini' is 'gain' with q=2.*use criterion='gain'"),
        ({"criterion": "entropy"}, ValueError, "'entropy' is 'gain' with q=1.*use criterion='gain'"),
        ({"criterion": "hellinger"}, ValueError, "'hellinger' takes no q; use one of those that do: 'gain'"),
        ({"criterion": "gian"}, ValueError, "criterion='gian' is unknown. Did you mean 'gini'"),
        ({"criterion": len}, ValueError, "callable, which takes no q"),
        ({"criterion": 3}, TypeError, "criterion=3 is not accepted"),
        ({"min_leaf": 3}, TypeError, "'min_leaf', which is neither"),
        ({"min_sample_leaf": 3}, TypeError, "'min_sample_leaf'.*Did you mean 'min_samples_leaf'"),
        ({"min_samples_leaf": 0}, ValueError, "min_samples_leaf=0"),
        ({"pruning": "hard"}, ValueError, "pruning='hard'"),
        ({"n_jobs": 0}, ValueError, "n_jobs=0"),
        ({"random_state": "x"}, ValueError, "random_state='x'"),
        ({"random_state": -1}, ValueError, "random_state=-1.*an integer from 0 to 4294967295"),
        ({"inner_cv": 3}, ValueError, "inner_cv=3 was given without nested=True"),
        ({"nested": True, "inner_cv": 1}, ValueError, "inner_cv=1"),
        ({"nested": True, "inner_cv": "3"}, ValueError, "inner_cv='3'"),
        ({"nested": True, "inner_cv": [([0], [1])]}, ValueError, "inner_cv=.*a splitter"),
        ({"sample_weight": [1, 2]}, ValueError, "sample_weight.shape"),
        ({"sample_weight": [0.0] * 150}, ValueError, "All weights are zero .sample_weight"),
        ({"split_order": [9]}, ValueError, "split_order has 9"),
    ],
)
def test_bad_parameters(parameters, error, text):
    with pytest.raises(error, match=text):
        q_path(*numbers(), **({"qs": [1, 2], "cv": 3, "n_repeats": 1} | parameters))


def test_a_first_column_that_can_not_be_split():
    X, y = numbers()
    X[:, 1] = 3
    with pytest.raises(ValueError, match="split_order asks for 'x1' first"):
        q_path(X, y, [1, 2], cv=2, split_order=[1])


def test_the_baseline_is_the_most_common_class_of_the_training_rows():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 2)), np.repeat(["a", "b"], [40, 20])
    weights = np.where(y == "a", 1.0, 3.0)
    for given in ({}, {"sample_weight": weights}):
        path = q_path(X, y, [1, 2], cv=3, n_repeats=1, **given)
        common = "b" if given else "a"
        expected = [
            accuracy_score(
                y[test], np.full(len(test), common), sample_weight=weights[test] if given else None
            )
            for _, test in StratifiedKFold(3, shuffle=True, random_state=0).split(X, y)
        ]
        np.testing.assert_allclose(path.fold_baseline_, expected, rtol=0, atol=1e-15)
        assert path.baseline_accuracy_ == pytest.approx(np.mean(expected))
        assert re.search(rf"^baseline +- +{path.baseline_accuracy_:.3f} ", path.summary(), re.MULTILINE)
