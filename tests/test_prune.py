"""`prune` and its companions: models in, new models out."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError

from ramify import TreeClassifier, _core, choose_ccp_alpha, cost_complexity_pruning_path, prune
from samples import BACKENDS, assert_same_tree, numbers, people

METHODS = {
    "pessimistic": {},
    "raising": {"method": "pessimistic", "raising": True},
    "cost_complexity": {"method": "cost_complexity", "ccp_alpha": 0.01},
    "reduced_error": {"method": "reduced_error"},
    "merge": {"method": "merge"},
}


@pytest.mark.parametrize("branching", ["binary", "multiway"])
@pytest.mark.parametrize("name", METHODS)
def test_the_given_model_is_not_changed_and_the_new_one_works(name, branching):
    X, y = people()
    model = TreeClassifier(branching=branching, criterion="entropy").fit(X, y)
    before = {key: values.tobytes() for key, values in model.tree_.arrays().items()}
    params = model.get_params()
    data = {"X": X, "y": y} if name in ("raising", "reduced_error") else {}
    pruned = prune(model, **METHODS[name], **data)
    assert {key: values.tobytes() for key, values in model.tree_.arrays().items()} == before
    assert model.get_params() == params
    pruned.tree_.validate(pruned.schema_.n_categories)
    assert pruned.tree_.node_count <= model.tree_.node_count
    assert set(pruned.predict(X)) <= set(model.classes_)
    np.testing.assert_allclose(pruned.predict_proba(X).sum(axis=1), 1.0)
    assert pruned.pruning == METHODS[name].get("method", "pessimistic")
    np.testing.assert_array_equal(pruned.feature_names_in_, model.feature_names_in_)
    np.testing.assert_allclose(pruned.tree_.impurity, _core.entropies(1.0, pruned.tree_.counts), atol=1e-12)


def test_parameters_and_other_fitted_attributes_go_with_the_model():
    X, y = numbers()
    model = TreeClassifier(confidence=0.1, ccp_alpha=0.0, min_samples_leaf=2).fit(X, y)
    model.remembered_ = "this"
    pruned = prune(model)
    assert (pruned.confidence, pruned.min_samples_leaf, pruned.remembered_) == (0.1, 2, "this")
    assert_same_tree(pruned, prune(model, confidence=0.1))
    assert prune(model, confidence=0.4).confidence == 0.4
    assert prune(model, confidence=0.01).tree_.node_count < prune(model, confidence=0.5).tree_.node_count
    assert prune(model, "cost_complexity", ccp_alpha=0.02).ccp_alpha == 0.02


def test_weights_are_those_of_fit():
    X, y = numbers()
    w = np.random.default_rng(0).integers(0, 3, len(y))
    model = TreeClassifier(class_weight={0: 2.0}).fit(X, y, w)
    pruned = prune(model, X=X, y=y, sample_weight=w, raising=True)
    pruned.tree_.validate(pruned.schema_.n_categories)
    with pytest.raises(ValueError, match="other data"):
        prune(model, X=X, y=y, raising=True)


def test_the_dialect_says_whether_to_raise():
    X, y = numbers()
    model = TreeClassifier().fit(X, y)
    model.dialect = "c45"
    with pytest.raises(ValueError, match="raising needs X and y, the training data; X and y are absent"):
        prune(model)
    assert_same_tree(prune(model, X=X, y=y), prune(model, X=X, y=y, raising=True))
    assert prune(model, raising=False).tree_.node_count <= model.tree_.node_count


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"method": "best"}, "method='best' is not accepted; it must be one of 'pessimistic'"),
        ({"confidence": 0.0}, r"confidence=0.0 is not accepted; it must be a number in \(0, 0.5\]"),
        ({"confidence": 0.6}, "confidence=0.6"),
        ({"confidence": "x"}, "confidence='x'"),
        ({"confidence": float("nan")}, "confidence=nan"),
        ({"method": "cost_complexity", "ccp_alpha": -1}, "ccp_alpha=-1 is not accepted; it must be a finite"),
        ({"method": "cost_complexity", "ccp_alpha": np.inf}, "ccp_alpha=inf"),
        (
            {"method": "cost_complexity", "confidence": 0.1},
            "confidence was given, but method='cost_complexity'",
        ),
        ({"method": "merge", "X": [[1.0]]}, "X was given, but method='merge' does not use it"),
        ({"raising": "yes"}, "raising='yes' is not accepted"),
        ({"raising": True}, "raising needs X and y, the training data"),
        ({"method": "reduced_error"}, "method='reduced_error' needs X and y"),
        ({"method": "reduced_error", "X": np.ones((2, 4)), "y": [0, 7]}, r"labels \[7\].*classes are \[0, 1"),
        ({"method": "reduced_error", "X": np.ones((2, 3)), "y": [0, 1]}, "X has 3 features"),
        ({"method": "reduced_error", "X": np.ones((2, 4)), "y": [0]}, "inconsistent numbers"),
    ],
)
def test_bad_arguments_are_named(arguments, words):
    model = TreeClassifier().fit(*numbers())
    with pytest.raises(ValueError, match=words):
        prune(model, **arguments)


@pytest.mark.parametrize("function", [prune, cost_complexity_pruning_path])
def test_a_model_must_be_fitted(function):
    with pytest.raises(NotFittedError):
        function(TreeClassifier())


def test_frames_of_every_library_validate():
    X, y = people("pandas")
    model = TreeClassifier().fit(X, y)
    trees = [prune(model, "reduced_error", *people(backend, seed=1)) for backend in BACKENDS]
    for other in trees[1:]:
        assert_same_tree(trees[0], other)


def test_merging_joins_branches_in_the_order_of_their_first_category():
    frame = pd.DataFrame({"c": pd.Categorical(list("aabbccdd"), categories=list("abcde"))})
    model = TreeClassifier(branching="multiway").fit(frame, [1, 1, 0, 0, 1, 1, 0, 0])
    merged_model = prune(model, "merge")
    tree = merged_model.tree_
    assert tree.node_count == 3 and tree.counts.tolist() == [[4, 4], [0, 4], [4, 0]]
    routes = tree.routes_of(0).tolist()
    assert routes[:4] == [0, 1, 0, 1]
    assert tree.n_rows.tolist() == [8, 4, 4]
    np.testing.assert_array_equal(merged_model.predict(frame), model.predict(frame))


def test_an_alpha_of_zero_cuts_nothing_and_a_large_one_all():
    X, y = numbers()
    model = TreeClassifier().fit(X, y)
    assert_same_tree(prune(model, "cost_complexity", ccp_alpha=0.0), model)
    assert prune(model, "cost_complexity", ccp_alpha=1.0).tree_.node_count == 1


# Choosing alpha


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
def test_the_chosen_alpha_prunes_and_depends_on_nothing_but_the_seed(load):
    X, y = load(return_X_y=True)
    model = TreeClassifier(random_state=3)
    alpha = choose_ccp_alpha(model, X, y)
    assert alpha == choose_ccp_alpha(model, X, y) > 0
    assert not hasattr(model, "tree_")
    model.fit(X, y)
    assert 1 < prune(model, "cost_complexity", ccp_alpha=alpha).get_n_leaves() < model.get_n_leaves()


def test_the_chosen_alpha_of_noise_is_that_of_the_root():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 2)), rng.integers(0, 2, 200)
    model = TreeClassifier(random_state=0).fit(X, y)
    alpha = choose_ccp_alpha(model, X, y, folds=5)
    assert prune(model, "cost_complexity", ccp_alpha=alpha).get_n_leaves() < 10


@pytest.mark.parametrize("backend", BACKENDS)
def test_choosing_reads_frames(backend):
    X, y = people(backend)
    assert choose_ccp_alpha(TreeClassifier(random_state=0), X, y, folds=3) >= 0


def test_choosing_needs_two_rows():
    X, y = np.arange(5.0).reshape(-1, 1), list("aaabb")
    assert choose_ccp_alpha(TreeClassifier(random_state=0), X, y) >= 0
    assert choose_ccp_alpha(TreeClassifier(random_state=0), X, list("aaaab")) >= 0
    with pytest.raises(ValueError, match="at least 2 samples"):
        choose_ccp_alpha(TreeClassifier(), X[:1], y[:1])
    with pytest.raises(ValueError, match="folds=1 is not accepted"):
        choose_ccp_alpha(TreeClassifier(), X, y, folds=1)
