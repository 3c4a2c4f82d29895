"""What the page answers to a case is what the model predicts, to the last bit."""

import numpy as np
import pandas as pd
import pytest

import missing_samples
from ramify import TreeClassifier, c45, prune, view
from samples import people

WAYS = {
    "fractional": {},
    "best_branch": {"missing": "best_branch"},
    "own_branch": {"missing": "own_branch"},
    "multiway": {"branching": "multiway"},
    "multiway, own branch": {"branching": "multiway", "missing": "own_branch"},
    "class weights": {"class_weight": {0: 3.0, 1: 0.7, 2: 1.0}, "smoothing": 2.5},
    "laplace, costs": {"smoothing": "laplace", "cost_matrix": [[0, 1, 5], [0.3, 0, 1], [2, 2, 0]]},
    "bins": {"cuts": "quantile", "max_bins": 6, "min_samples_leaf": 4},
    "gaussian cuts": {"cuts": "gaussian", "max_depth": 5},
    "best first": {"max_leaf_nodes": 20, "criterion": "gain_ratio", "q": 1},
}

#: The others take their turn among the slow tests.
QUICK = ("fractional", "own_branch", "multiway", "class weights", "laplace, costs", "bins")


def as_json(frame):
    """Rows as dicts of plain values, None where they are missing."""
    return [
        {name: None if pd.isna(value) else value for name, value in row.items()}
        for row in frame.astype(object).to_dict("records")
    ]


def assert_answers_alike(browser, model, frame, tmp_path):
    view(model, tmp_path / "page.html")
    browser.open(tmp_path / "page.html")
    found = browser.answers(as_json(frame))
    assert [each["answer"] for each in found] == [str(label) for label in model.predict(frame)]
    np.testing.assert_array_equal([each["shares"] for each in found], model.predict_proba(frame))
    if model.class_weight is None:  # else parts are those of the honest weights
        passed = model.decision_path(frame)
        assert [each["path"] for each in found] == [row.indices.tolist() for row in passed]


@pytest.mark.parametrize(
    "way", [way if way in QUICK else pytest.param(way, marks=pytest.mark.slow) for way in WAYS]
)
def test_answers_are_those_of_the_model(way, browser, tmp_path):
    sample = missing_samples.mixed(rows=300, seed=len(way))
    model = TreeClassifier(**WAYS[way]).fit(sample.frame, sample.y)
    assert model.tree_.node_count > 15
    rng = np.random.default_rng(1)
    columns = missing_samples.new_columns(rng, sample, rows=120)
    frame = missing_samples.make_frame(columns, sample.kinds, sample.sizes)
    unseen = [frame[f"c{i}"].isin([f"v{size}", f"v{size + 1}"]).sum() for i, size in ((2, 6), (3, 4))]
    assert min(unseen) > 0 and frame.isna().any(axis=1).sum() > 50
    assert_answers_alike(browser, model, frame, tmp_path)


@pytest.mark.parametrize("make", [c45, lambda: TreeClassifier(pruning="pessimistic")])
def test_pruned_trees_with_empty_branches(make, browser, tmp_path):
    frame, y = people(rows=200)
    frame = frame.assign(floor=np.arange(200) % 4, flag=pd.Categorical(np.arange(200) % 3 - 1.0))
    model = make().set_params(branching="multiway", min_samples_leaf=1).fit(frame, y)
    assert_answers_alike(browser, model, frame.iloc[::3], tmp_path)
    pruned = prune(model, "cost_complexity", ccp_alpha=0.002)
    assert_answers_alike(browser, pruned, frame.iloc[::3], tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_answers_of_random_models(seed, browser, tmp_path):
    rng = np.random.default_rng(seed)
    sample = missing_samples.mixed(rows=int(rng.integers(30, 600)), seed=seed, share=float(rng.random()) / 2)
    parameters = {}
    for name in rng.permutation(list(WAYS))[:3]:
        parameters |= WAYS[str(name)]
    weights = [None, rng.random(len(sample.y)), rng.integers(1, 4, len(sample.y))][seed % 3]
    model = TreeClassifier(**parameters).fit(sample.frame, sample.y, sample_weight=weights)
    columns = missing_samples.new_columns(rng, sample, rows=200)
    frame = missing_samples.make_frame(columns, sample.kinds, sample.sizes)
    assert_answers_alike(browser, model, frame, tmp_path)
