"""The estimator as a citizen of scikit-learn."""

import copy
import itertools
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone, is_classifier
from sklearn.datasets import load_iris, make_classification
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from ramify import TreeClassifier, list_criteria
from samples import BRANCHINGS, assert_same_tree, numbers, people

NOT_APPLICABLE = {
    "check_class_weight_classifiers": "it sets min_weight_fraction_leaf, which there is not, and a fully "
    "grown tree has pure leaves, so that class weights can't change its answers",
}


@parametrize_with_checks(
    [TreeClassifier(branching=branching) for branching in BRANCHINGS],
    expected_failed_checks=lambda estimator: NOT_APPLICABLE,
)
def test_scikit_learn_accepts_it(estimator, check):
    check(estimator)


def iris():
    return load_iris(return_X_y=True)


def test_parameters_are_kept_as_given_and_cloned():
    given = {"criterion": "gain_ratio", "q": 1.5, "branching": "multiway", "max_depth": 3, "n_jobs": 2}
    model = TreeClassifier(**given)
    copied = clone(model.fit(*iris()))
    assert {name: copied.get_params()[name] for name in given} == given
    assert not hasattr(copied, "tree_")
    assert is_classifier(copied)
    assert repr(TreeClassifier(q=3)) == "TreeClassifier(q=3)"
    assert "TreeClassifier" in copied._repr_html_()


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("round_trip", [lambda m: pickle.loads(pickle.dumps(m)), copy.deepcopy, copy.copy])
def test_a_copy_is_the_same_model(round_trip, branching):
    X, y = people()
    model = TreeClassifier(branching=branching).fit(X, y)
    again = round_trip(model)
    assert_same_tree(model, again)
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    assert again.schema_.columns == model.schema_.columns
    assert again.get_params() == model.get_params()
    np.testing.assert_array_equal(again.feature_names_in_, model.feature_names_in_)
    assert_same_tree(again.fit(X, y), model)


def test_a_pickled_tree_can_not_be_changed():
    tree = pickle.loads(pickle.dumps(TreeClassifier().fit(*iris()))).tree_
    with pytest.raises(ValueError, match="read-only"):
        tree.threshold[0] = 0
    with pytest.raises(AttributeError, match="threshold"):
        tree.threshold = tree.threshold.copy()


def test_grid_search_over_criteria_and_orders():
    X, y = iris()
    grid = [
        {"criterion": ["gain", "gain_ratio"], "q": [0.5, 1, 2.5]},
        {"criterion": ["gini", "hellinger", "purity"], "max_depth": [2, None]},
    ]
    search = GridSearchCV(TreeClassifier(), grid, cv=3, error_score="raise").fit(X, y)
    assert len(search.cv_results_["params"]) == 12
    assert search.best_score_ > 0.9
    assert search.best_estimator_.score(X, y) > 0.9


def test_in_a_pipeline_with_frames():
    X, y = load_iris(return_X_y=True, as_frame=True)
    steps = make_pipeline(StandardScaler(), TreeClassifier(max_depth=3)).set_output(transform="pandas")
    assert steps.fit(X, y).score(X, y) > 0.95
    assert list(steps[-1].feature_names_in_) == list(X.columns)
    assert cross_val_score(steps, X, y, cv=5).mean() > 0.9


def test_names_of_columns_come_from_frames_only():
    X, y = iris()
    model = TreeClassifier().fit(X, y)
    assert model.n_features_in_ == 4
    assert not hasattr(model, "feature_names_in_")
    names = ["a", "b", "c", "d"]
    model.fit(pd.DataFrame(X, columns=names), y)
    assert model.feature_names_in_.tolist() == names
    assert model.feature_names_in_.dtype == object
    model.fit(X[:, :2], y)
    assert model.n_features_in_ == 2
    assert not hasattr(model, "feature_names_in_")


@pytest.mark.parametrize("names", [[0, 1, 2, 3], ["a", "b", "c", 3], [None, float("nan"), 1, 2]])
def test_names_that_are_not_strings_are_none(names):
    X, y = iris()
    model = TreeClassifier().fit(pd.DataFrame(X, columns=names), y)
    assert not hasattr(model, "feature_names_in_")
    assert_same_tree(model, TreeClassifier().fit(X, y))


@pytest.mark.parametrize("named", [True, False])
def test_names_on_one_side_only_warn_in_scikit_learns_words(named):
    X, y = iris()
    frame = pd.DataFrame(X, columns=list("abcd"))
    train, test = (frame, X) if named else (X, frame)
    warned = []
    for model in (DecisionTreeClassifier(), TreeClassifier()):
        with pytest.warns(UserWarning, match="feature names") as caught:
            model.fit(train, y).predict(test)
        warned += [str(warning.message).replace(type(model).__name__, "") for warning in caught]
    assert warned[0] == warned[1]


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
def test_importances_are_scikit_learns(criterion):
    X, y = make_classification(3000, 8, n_informative=5, n_classes=3, random_state=1)
    X = X.astype(np.float32)
    limits = {"criterion": criterion, "max_depth": 5, "min_samples_leaf": 20}
    model = TreeClassifier(**limits).fit(X, y)
    theirs = DecisionTreeClassifier(**limits, random_state=0).fit(X, y)
    assert model.get_n_leaves() == theirs.get_n_leaves()
    assert model.feature_importances_.sum() == pytest.approx(1)
    np.testing.assert_allclose(model.feature_importances_, theirs.feature_importances_, rtol=1e-9)


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("criterion", [info.name for info in list_criteria()])
def test_importances_are_shares(criterion, branching):
    X, y = people()
    importances = TreeClassifier(criterion, branching=branching).fit(X, y).feature_importances_
    assert importances.shape == (5,)
    assert (importances >= 0).all()
    assert importances.sum() == pytest.approx(1)


@pytest.mark.parametrize("q", [0, 0.5, 1, 2, 7, 300])
def test_a_split_that_gains_nothing_gains_nothing_and_not_less(q):
    for a, b, times in itertools.product(range(1, 8), range(1, 8), (1, 2, 3, 4)):
        # Two branches with the same shares of the classes: what is left of the gain is rounding.
        y = ([0] * a + [1] * b) * (1 + times)
        X = np.repeat([[0.0], [1.0]], [a + b, times * (a + b)], axis=0)
        model = TreeClassifier(q=q).fit(X, y)
        assert model.tree_.node_count == 3
        assert model.tree_.gain[0] >= 0
        assert model.feature_importances_[0] >= 0


def test_importances_of_a_leaf_are_zero():
    model = TreeClassifier().fit([[1.0, 2.0], [3.0, 4.0]], ["a", "a"])
    np.testing.assert_array_equal(model.feature_importances_, [0, 0])


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_answers_agree_with_the_nodes_where_rows_end(branching):
    X, y = people(rows=200)
    model = TreeClassifier(branching=branching, max_depth=4).fit(X, y)
    new, _ = people(rows=300, seed=5)
    tree, ends = model.tree_, model.apply(new)
    answers = tree.answers()[ends]
    np.testing.assert_array_equal(model.predict(new), model.classes_[answers.argmax(axis=1)])
    np.testing.assert_array_equal(model.predict_proba(new), answers / answers.sum(axis=1, keepdims=True))
    with np.errstate(divide="ignore"):
        np.testing.assert_array_equal(model.predict_log_proba(new), np.log(model.predict_proba(new)))
    assert model.score(X, y) == (model.predict(X) == y).mean()

    paths = model.decision_path(new)
    assert paths.shape == (300, tree.node_count)
    assert set(paths.data) == {1}
    for row, end in enumerate(ends):
        nodes = sorted(paths[[row]].indices)
        assert (nodes[0], nodes[-1]) == (0, end)
        assert all(tree.parent[child] == node for node, child in itertools.pairwise(nodes))


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_training_rows_end_where_the_tree_counted_them(branching):
    X, y = people(rows=200)
    model = TreeClassifier(branching=branching, min_samples_leaf=3).fit(X, y)
    tree, ends = model.tree_, model.apply(X)
    assert (tree.n_children[ends] == 0).all()
    passed = np.asarray(model.decision_path(X).sum(axis=0)).ravel()
    np.testing.assert_array_equal(passed, tree.n_rows)
    for number, label in enumerate(model.classes_):
        here = np.bincount(ends[y == label], minlength=tree.node_count)
        leaves = tree.n_children == 0
        np.testing.assert_array_equal(here[leaves], tree.counts[leaves, number])


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_depth_and_leaves_are_those_of_the_arrays(branching):
    X, y = people()
    model = TreeClassifier(branching=branching).fit(X, y)
    depth = [0]
    for parent in model.tree_.parent[1:]:
        depth.append(depth[parent] + 1)
    assert model.get_depth() == model.tree_.max_depth == max(depth)
    assert model.get_n_leaves() == model.tree_.n_leaves == (model.tree_.n_children == 0).sum()
    assert model.tree_.node_count == len(depth)
    model.tree_.validate(model.schema_.n_categories)


def test_one_class_gives_a_single_leaf():
    X, _ = numbers()
    model = TreeClassifier().fit(X, np.full(len(X), "only"))
    assert (model.tree_.node_count, model.get_depth(), model.get_n_leaves()) == (1, 0, 1)
    assert model.classes_.tolist() == ["only"]
    np.testing.assert_array_equal(model.predict_proba(X), np.ones((len(X), 1)))
    assert set(model.predict(X)) == {"only"}


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("criterion", [info.name for info in list_criteria()])
def test_a_constant_column_is_never_chosen(criterion, branching):
    X, y = numbers(classes=2)
    kind = pd.Categorical(["b"] * len(y), ["a", "b", "c"])
    frame = pd.DataFrame({"number": 7.5, "word": "same", "kind": kind})
    model = TreeClassifier(criterion, branching=branching).fit(frame.assign(x=X[:, 0], z=X[:, 1]), y)
    assert not set(model.tree_.column) & {0, 1, 2}
    alone = TreeClassifier(criterion, branching=branching).fit(frame, y)
    assert alone.tree_.node_count == 1


def test_one_row_is_a_leaf():
    model = TreeClassifier().fit([[1.0]], ["a"])
    assert model.tree_.node_count == 1
    assert model.predict([[-1e300], [1e300]]).tolist() == ["a", "a"]


def test_models_may_be_fitted_in_many_threads_at_once():
    samples = [numbers(rows=2000, seed=seed) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        models = list(pool.map(lambda sample: TreeClassifier(n_jobs=2).fit(*sample), samples))
    for model, sample in zip(models, samples, strict=True):
        assert_same_tree(model, TreeClassifier().fit(*sample))


def test_the_input_is_left_as_it_was():
    X, y = numbers()
    weights = np.arange(len(y)) % 3
    before = X.copy(), y.copy(), weights.copy()
    TreeClassifier(class_weight="balanced").fit(X, y, weights).predict(X)
    for now, then in zip((X, y, weights), before, strict=True):
        np.testing.assert_array_equal(now, then)
