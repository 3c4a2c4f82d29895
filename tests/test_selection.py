"""The tree that chooses its own q, as a citizen of scikit-learn."""

import copy
import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import (
    GridSearchCV,
    StratifiedKFold,
    StratifiedShuffleSplit,
    cross_val_score,
    cross_validate,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import ramify._path_run
import ramify.tuning
from ramify import (
    TreeClassifier,
    TreeClassifierCV,
    choose_ccp_alpha,
    export_text,
    load_model,
    prune,
    q_path,
    save_model,
)
from samples import assert_same_tree, numbers, people, refused

NOT_APPLICABLE = {
    "check_class_weight_classifiers": "it sets min_weight_fraction_leaf, which there is not",
}
GRID = [0.5, 1.0, 2.0, 5.0]


@pytest.mark.filterwarnings("ignore:cv=2 asks for more folds")
@parametrize_with_checks(
    [
        TreeClassifierCV(qs=[1, 3], cv=2),
        TreeClassifierCV(qs=[2], cv=2, select="one_se", min_samples_leaf=[1, 2]),
    ],
    expected_failed_checks=lambda estimator: NOT_APPLICABLE,
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


@pytest.mark.parametrize("select", ["accuracy", "size", "one_se"])
def test_it_is_the_tree_of_the_q_that_the_path_chooses(select):
    X, y = people()
    model = TreeClassifierCV(qs=GRID, cv=4, n_repeats=2, select=select, max_depth=4).fit(X, y)
    path = q_path(X, y, GRID, cv=4, n_repeats=2, max_depth=4)
    expected = {"accuracy": path.best_q_, "size": path.smallest_q_, "one_se": path.tradeoff_q_}[select]
    assert model.q_ == expected
    single = TreeClassifier(q=expected, max_depth=4, random_state=0).fit(X, y)
    assert_same_tree(model, single)
    assert_same_tree(model.best_estimator_, single)
    assert model.best_estimator_.get_params() == single.get_params()
    np.testing.assert_array_equal(model.path_.fold_accuracy_, path.fold_accuracy_)
    assert (model.paths_, model.grid_) == ([model.path_], [{}])
    assert (model.min_samples_leaf_, model.confidence_) == (1, 0.25)
    for ask in ("predict", "predict_proba", "apply"):
        np.testing.assert_array_equal(getattr(model, ask)(X), getattr(single, ask)(X))
    np.testing.assert_array_equal(model.feature_importances_, single.feature_importances_)
    assert export_text(model) == export_text(single)
    assert model.feature_names_in_.tolist() == list(X.columns)


def test_a_second_axis_is_chosen_along_with_q():
    X, y = numbers(rows=120)
    leaves = [1, 4, 9, 0.2]
    model = TreeClassifierCV(qs=GRID, cv=3, min_samples_leaf=leaves).fit(X, y)
    paths = [q_path(X, y, GRID, cv=3, n_repeats=1, min_samples_leaf=leaf) for leaf in leaves]
    best = max(path.accuracy_.max() for path in paths)
    chosen = leaves.index(model.min_samples_leaf_)
    assert model.path_ is model.paths_[chosen]
    assert model.path_.accuracy_[model.path_.position(model.q_)] == best
    assert model.grid_ == [{"min_samples_leaf": leaf} for leaf in leaves]
    for path, expected in zip(model.paths_, paths, strict=True):
        np.testing.assert_array_equal(path.fold_accuracy_, expected.fold_accuracy_)
    single = TreeClassifier(q=model.q_, min_samples_leaf=model.min_samples_leaf_).fit(X, y)
    assert_same_tree(model, single)
    small = TreeClassifierCV(qs=GRID, cv=3, min_samples_leaf=leaves, select="size").fit(X, y)
    assert small.tree_.node_count <= model.tree_.node_count
    assert small.path_.n_nodes_.min() == min(path.n_nodes_.min() for path in paths)


def test_values_of_a_second_axis_may_be_a_series_or_an_array():
    X, y = numbers()
    for values in (pd.Series([2, 5], index=[7, 8]), np.array([2, 5]), (2, 5), range(2, 6, 3)):
        model = TreeClassifierCV(qs=[1, 2], cv=2, min_samples_leaf=values).fit(X, y)
        assert model.grid_ == [{"min_samples_leaf": 2}, {"min_samples_leaf": 5}]


def test_two_more_axes_make_a_grid():
    X, y = numbers()
    model = TreeClassifierCV(
        qs=[1, 2], cv=2, min_samples_leaf=(1, 5), confidence=np.array([0.1, 0.5]), pruning="pessimistic"
    ).fit(X, y)
    assert len(model.paths_) == len(model.grid_) == 4
    assert {"min_samples_leaf": model.min_samples_leaf_, "confidence": model.confidence_} in model.grid_
    single = TreeClassifier(
        q=model.q_,
        min_samples_leaf=model.min_samples_leaf_,
        confidence=model.confidence_,
        pruning="pessimistic",
    ).fit(X, y)
    assert_same_tree(model, single)


def test_the_smaller_q_wins_what_ties_to_the_last():
    X, y = numbers(classes=2)
    model = TreeClassifierCV(qs=[1, 2], cv=2, max_depth=1, min_samples_leaf=[3, 2, 1]).fit(X, y)
    stumps = {path.accuracy_[0] for path in model.paths_}
    assert len(stumps) == 1
    if model.path_.accuracy_[0] >= model.path_.accuracy_[1]:
        assert (model.q_, model.min_samples_leaf_) == (1.0, 3)


def test_folds_are_the_same_for_all_values_of_the_second_axis():
    X, y = numbers()
    splitter = StratifiedShuffleSplit(3)  # draws other folds each time that it is asked
    model = TreeClassifierCV(qs=[2], cv=splitter, min_samples_leaf=[1, 1.0 / 150]).fit(X, y)
    np.testing.assert_array_equal(model.paths_[0].fold_accuracy_, model.paths_[1].fold_accuracy_)


def test_parameters_are_kept_as_given_and_cloned():
    given = {"qs": [2, 1], "cv": 3, "select": "size", "min_samples_leaf": [1, 2], "branching": "multiway"}
    model = TreeClassifierCV(**given)
    copied = clone(model.fit(*people()))
    assert {name: copied.get_params()[name] for name in given} == given
    assert not hasattr(copied, "tree_")
    assert is_classifier(copied)
    assert "q" not in model.get_params()
    expected = set(TreeClassifier().get_params()) - {"q"} | {"qs", "cv", "n_repeats", "select", "progress"}
    assert set(model.get_params()) == expected
    for name in expected - {"qs", "cv", "n_repeats", "select", "progress", "random_state"}:
        assert TreeClassifierCV().get_params()[name] == TreeClassifier().get_params()[name]
    assert repr(TreeClassifierCV(cv=3)) == "TreeClassifierCV(cv=3)"
    with pytest.raises(ValueError, match="Invalid parameter 'q'"):
        model.set_params(q=3)
    with pytest.raises(TypeError):
        TreeClassifierCV(q=3)


def test_the_nested_estimate_is_that_of_q_path():
    X, y = numbers()
    inner = StratifiedKFold(4, shuffle=True, random_state=0)
    outer = StratifiedKFold(3, shuffle=True, random_state=5)
    scores = cross_val_score(TreeClassifierCV(qs=GRID, cv=inner), X, y, cv=outer)
    path = q_path(X, y, GRID, cv=outer, nested=True, inner_cv=inner)
    np.testing.assert_allclose(path.nested_fold_accuracy_, scores, rtol=1e-12)


def test_in_pipelines_searches_and_with_weights():
    X, y = numbers()
    frame = pd.DataFrame(X, columns=list("abcd"))
    steps = make_pipeline(StandardScaler(), TreeClassifierCV(qs=[1, 2], cv=2)).set_output(transform="pandas")
    assert steps.fit(frame, y).score(frame, y) > 0.9
    search = GridSearchCV(
        TreeClassifierCV(qs=[1, 2], cv=2), {"criterion": ["gain", "gain_ratio"]}, cv=2, error_score="raise"
    ).fit(X, y)
    assert search.best_estimator_.q_ in (1.0, 2.0)
    weights = np.arange(len(y)) % 4
    model = TreeClassifierCV(qs=GRID, cv=3).fit(X, y, weights)
    path = q_path(X, y, GRID, cv=3, n_repeats=1, sample_weight=weights)
    assert model.q_ == path.best_q_
    assert_same_tree(model, path.model(path.best_q_))
    results = cross_validate(
        TreeClassifierCV(qs=[1, 2], cv=2), X, y, cv=2, params={"sample_weight": weights}, error_score="raise"
    )
    assert len(results["test_score"]) == 2


def test_nothing_depends_on_the_number_of_threads():
    X, y = numbers()
    one, two = (TreeClassifierCV(qs=GRID, cv=3, n_jobs=n).fit(X, y) for n in (1, 2))
    assert one.q_ == two.q_
    assert_same_tree(one, two)


@pytest.mark.parametrize("round_trip", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy])
def test_a_copy_is_the_same_model_and_keeps_no_data(round_trip):
    X, y = numbers(rows=4000)
    model = TreeClassifierCV(qs=[1, 2], cv=2, max_depth=2).fit(X, y)
    again = round_trip(model)
    assert_same_tree(model, again)
    assert again.path_.summary() == model.path_.summary()
    assert "cross_val_score" in model.path_.summary()
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert len(pickle.dumps(model)) < X.nbytes / 4
    with pytest.raises(ValueError, match="keeps no data"):
        again.path_.model(1)
    assert again.path_.tree(again.q_).node_count == again.tree_.node_count


def test_a_saved_model_is_a_plain_tree(tmp_path):
    X, y = people()
    model = TreeClassifierCV(qs=[1, 2], cv=2, min_samples_leaf=[1, 3]).fit(X, y)
    save_model(model, tmp_path / "model.json")
    loaded = load_model(tmp_path / "model.json")
    assert type(loaded) is TreeClassifier
    assert loaded.q == model.q_
    assert_same_tree(loaded, model)
    np.testing.assert_array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_it_can_be_pruned_afterwards():
    X, y = numbers()
    model = TreeClassifierCV(
        qs=[0.5, 2], cv=2, confidence=[0.25, 0.5], pruning="pessimistic", dialect="plain"
    ).fit(X, y)
    pruned = prune(model, "pessimistic", confidence=0.01)
    assert type(pruned) is TreeClassifier
    assert pruned.q == model.q_
    assert pruned.tree_.node_count <= model.tree_.node_count
    assert prune(model, "merge").tree_.node_count <= model.tree_.node_count
    assert choose_ccp_alpha(model, X, y) >= 0


def test_the_cost_of_a_leaf_is_kept():
    X, y = numbers()
    model = TreeClassifierCV(qs=[0.5, 2], cv=2, ccp_alpha=0.03).fit(X, y)
    assert model.ccp_alpha_ == 0.03


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"qs": []}, "qs is empty"),
        ({"qs": [1, 1]}, "qs has 1 more than once"),
        ({"select": "best"}, "select='best'.*'accuracy', 'size', 'one_se'"),
        ({"cv": 1}, "cv=1"),
        ({"cv": 1000}, "more folds than there are rows"),
        ({"n_repeats": 0}, "n_repeats=0"),
        ({"criterion": "gini"}, "use criterion='gain'"),
        ({"min_samples_leaf": []}, r"min_samples_leaf=\[\]"),
        ({"min_samples_leaf": [2, 2]}, "min_samples_leaf has 2 more than once"),
        ({"min_samples_leaf": [1, 0]}, "min_samples_leaf=0"),
        ({"min_samples_leaf": [[1]]}, "min_samples_leaf="),
        ({"min_samples_leaf": [[1], [2, 3]]}, "one value or a list of values"),
        ({"min_samples_leaf": {1, 2}}, "one value or a list of values"),
        ({"min_samples_leaf": "2"}, "min_samples_leaf='2'"),
        ({"confidence": [0.1, 0.2]}, "confidence has several values, but pruning=None"),
        ({"confidence": [0.1, 2], "pruning": "pessimistic"}, "confidence=2"),
    ],
)
def test_bad_parameters_leave_the_model_as_it_was(parameters, text):
    X, y = numbers()
    model = TreeClassifierCV(qs=[1, 2], cv=2).fit(X, y)
    model.set_params(**parameters)
    with refused(model, ValueError, text):
        model.fit(X, y)


def test_not_fitted():
    with pytest.raises(NotFittedError):
        TreeClassifierCV().predict([[1.0]])
    with pytest.raises(NotFittedError):
        choose_ccp_alpha(TreeClassifierCV(), [[1.0]], [0])


@pytest.mark.parametrize("progress", [False, True])
def test_a_bar_is_shown_if_it_is_asked_for(progress, capsys):
    TreeClassifierCV(qs=[1, 2], cv=2, min_samples_leaf=[1, 5], progress=progress).fit(*numbers())
    assert capsys.readouterr().err.count("2 q") == (2 if progress else 0)
    with pytest.raises(ValueError, match="progress='yes' is not accepted; it must be None, True or False"):
        TreeClassifierCV(qs=[1, 2], cv=2, progress="yes").fit(*numbers())


def test_an_interrupted_fit_chooses_nothing(monkeypatch):
    X, y = numbers()
    model = TreeClassifierCV(qs=[1, 2], cv=5)

    def interrupt(plan, start, stop):
        if start > 0:
            raise KeyboardInterrupt
        return score(plan, start, stop)

    score = ramify.tuning.Plan.score
    monkeypatch.setattr(ramify._path_run, "CHUNK", 0.0)
    monkeypatch.setattr(ramify.tuning.Plan, "score", interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert not hasattr(model, "tree_")
