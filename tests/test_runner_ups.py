"""The best splits of the columns that a node did not choose."""

import json
import pickle
from dataclasses import FrozenInstanceError

import numpy as np
import pytest

from missing_samples import WAYS, fit, mixed
from ramify import ModelFormatError, TreeClassifier, c45, list_criteria, load_model, prune, save_model
from ramify.tree import KINDS, RunnerUp
from samples import BRANCHINGS, assert_same_tree, numbers, people

CRITERIA = [info.name for info in list_criteria()]
RUNNERS = tuple(
    name for name in TreeClassifier().fit([[0.0]], [0]).tree_.arrays() if name.startswith("runner")
)
each_branching = pytest.mark.parametrize("branching", BRANCHINGS)


def rows_of(model, X, node):
    return np.flatnonzero(model.decision_path(X)[:, [node]].toarray().ravel())


def check_arrays(model, most):
    """Sizes, order, columns and what belongs to which kind of split."""
    tree = model.tree_
    tree.validate(model.schema_.n_categories)
    assert tree.runner_size.sum() == len(tree.runner_column)
    for node in range(tree.node_count):
        runners = tree.runner_ups(node)
        assert len(runners) == tree.runner_size[node] <= most
        assert tree.n_children[node] > 0 or not runners
        columns = [runner.column for runner in runners]
        assert len(set(columns)) == len(columns) and tree.column[node] not in columns
        scores = [runner.score for runner in runners]
        assert scores == sorted(scores, reverse=True)
        for runner in runners:
            categories = model.schema_.n_categories[runner.column]
            assert (runner.threshold is not None) == (runner.kind == "threshold")
            assert len(runner.routes) == (categories if runner.kind in ("subset", "multiway") else 0)
            assert runner.kind in KINDS[1:]


def check_scores(model, X, y, **parameters):
    """Every runner-up is the split of a stump that sees the node's rows and that column only."""
    tree, checked = model.tree_, 0
    for node in np.flatnonzero(tree.n_children > 0):
        rows = rows_of(model, X, node)
        found = {runner.column: runner for runner in tree.runner_ups(node)}
        for column in set(range(X.shape[1])) - {int(tree.column[node])}:
            one = X.iloc[rows, [column]]
            stump = TreeClassifier(**parameters, max_depth=1).fit(one, y[rows])
            if stump.tree_.node_count == 1:
                assert column not in found
                continue
            runner = found.pop(column, None)
            if runner is None:  # a nominal column that a node above spent
                assert parameters["branching"] == "multiway" and column in path_columns(tree, node)
                continue
            same_split(runner, stump.tree_)
            checked += 1
        assert not found
    return checked


def path_columns(tree, node):
    columns = set()
    while node > 0:
        node = tree.parent[node]
        columns.add(int(tree.column[node]))
    return columns


def same_split(runner, stump):
    assert runner.score == pytest.approx(stump.score[0], rel=1e-12, abs=1e-12)
    assert runner.gain == pytest.approx(stump.gain[0], rel=1e-12, abs=1e-12)
    assert runner.kind == KINDS[stump.kind[0]]
    if runner.kind == "threshold":
        assert runner.threshold == stump.threshold[0]
    else:
        assert list(runner.routes) == stump.routes_of(0).tolist()


@each_branching
@pytest.mark.parametrize("criterion", CRITERIA)
def test_all_other_columns_with_their_best_splits(criterion, branching):
    X, y = people(rows=60)
    X = X.astype({"city": "category"})  # so that the rows of a node have all categories too
    parameters = {"criterion": criterion, "branching": branching, "min_samples_leaf": 3}
    model = TreeClassifier(**parameters, n_runner_ups=10).fit(X, y)
    check_arrays(model, 4)
    assert check_scores(model, X, np.asarray(y), **parameters) >= 4


@each_branching
@pytest.mark.parametrize("way", WAYS)
def test_with_missing_values(way, branching):
    """At the root; in nodes below there may be parts of cases, which no stump of whole rows has."""
    sample = mixed(120)
    parameters = {"branching": branching, "missing": way}
    model = TreeClassifier(**parameters, n_runner_ups=9, max_depth=3).fit(sample.frame, sample.y)
    check_arrays(model, 3)
    runners = model.tree_.runner_ups(0)
    assert len(runners) == 3
    for runner in runners:
        one = sample.frame.iloc[:, [runner.column]]
        stump = TreeClassifier(**parameters, max_depth=1).fit(one, sample.y).tree_
        same_split(runner, stump)


@each_branching
def test_the_tree_itself_does_not_depend_on_them(branching):
    X, y = people(rows=200)
    plain = TreeClassifier(branching=branching).fit(X, y)
    for most in (1, 2, 3, 100, 10**30):
        model = TreeClassifier(branching=branching, n_runner_ups=most).fit(X, y)
        check_arrays(model, min(most, 4))
        assert_same_tree(plain, model, but=[*RUNNERS, "routes", "routes_begin"])
        for node in range(plain.tree_.node_count):
            np.testing.assert_array_equal(model.tree_.routes_of(node), plain.tree_.routes_of(node))
        np.testing.assert_array_equal(model.predict_proba(X), plain.predict_proba(X))
    assert not any(plain.tree_.runner_ups(node) for node in range(plain.tree_.node_count))


def test_fewer_are_the_first_of_more():
    X, y = numbers()
    many = TreeClassifier(n_runner_ups=3).fit(X, y).tree_
    for most in (1, 2):
        few = TreeClassifier(n_runner_ups=most).fit(X, y).tree_
        for node in range(many.node_count):
            assert few.runner_ups(node) == many.runner_ups(node)[:most]


def test_equal_scores_stand_in_the_order_of_their_columns():
    x = np.array([0.0, 0, 1, 1, 2, 2])
    model = TreeClassifier(n_runner_ups=3).fit(np.column_stack([x] * 4), [0, 0, 1, 1, 0, 0])
    assert model.tree_.column[0] == 0
    assert [runner.column for runner in model.tree_.runner_ups(0)] == [1, 2, 3]


def test_constant_columns_are_none():
    X = np.column_stack([np.arange(4.0), np.zeros(4), np.full(4, np.nan), [0, 0, 1, 1]])
    tree = TreeClassifier(n_runner_ups=3).fit(X, [0, 0, 1, 1]).tree_
    assert tree.runner_ups(0) == [RunnerUp(3, "threshold", 0.5, (), 0.5, 0.5)]
    assert tree.runner_ups(1) == []


def test_they_can_not_be_changed_and_compare_by_value():
    X, y = numbers()
    first = TreeClassifier(n_runner_ups=1).fit(X, y).tree_.runner_ups(0)
    assert first == TreeClassifier(n_runner_ups=1).fit(X, y).tree_.runner_ups(0)
    with pytest.raises(FrozenInstanceError):
        first[0].score = 1.0
    assert isinstance(first[0].column, int) and isinstance(first[0].score, float)


@pytest.mark.parametrize("kind", ["numbers", "people", "gaps"])
def test_threads_do_not_matter(kind):
    if kind == "numbers":
        X, y = numbers(rows=20_000, columns=12)
    elif kind == "people":
        X, y = people(rows=20_000)
    else:
        sample = mixed(10_000, share=0.1)
        X, y = sample.frame, sample.y
    limits = {"n_runner_ups": 3, "max_depth": 4, "missing": "own_branch"}
    assert_same_tree(TreeClassifier(**limits).fit(X, y), TreeClassifier(**limits, n_jobs=3).fit(X, y))


def test_c45_keeps_those_of_its_columns():
    X, y = people(rows=300)
    model = c45(n_runner_ups=4, pruning=None).fit(X, y)
    check_arrays(model, 4)
    for runner in model.tree_.runner_ups(0):
        stump = c45(pruning=None, max_depth=1).fit(X.iloc[:, [runner.column]], y).tree_
        if stump.node_count > 1:  # else it gains nothing, or makes no fewer errors than a leaf
            same_split(runner, stump)
            assert runner.score <= model.tree_.score[0] + 1e-6 or runner.gain < model.tree_.gain[0]


# What happens to a model


def test_drawn_columns_are_among_the_others():
    X, y = numbers(columns=8)
    model = TreeClassifier(max_features=3, n_runner_ups=7, random_state=0).fit(X, y)
    check_arrays(model, 2)
    assert model.tree_.runner_size.max() == 2


@each_branching
@pytest.mark.parametrize("way", WAYS)
def test_files_and_pickles_keep_them(way, branching, tmp_path):
    model = fit(mixed(150), way, branching=branching, n_runner_ups=2, min_samples_leaf=3)
    assert model.tree_.runner_size.sum() > 3
    save_model(model, tmp_path / "m.json")
    for other in (load_model(tmp_path / "m.json"), pickle.loads(pickle.dumps(model))):
        assert_same_tree(other, model)
        assert other.n_runner_ups == 2
        for node in range(model.tree_.node_count):
            assert other.tree_.runner_ups(node) == model.tree_.runner_ups(node)


def test_pruning_keeps_those_of_the_nodes_that_stay():
    X, y = people(rows=200)
    model = TreeClassifier(n_runner_ups=2).fit(X, y)
    pruned = prune(model, confidence=0.05)
    assert 1 < pruned.tree_.node_count < model.tree_.node_count
    check_arrays(pruned, 2)
    assert pruned.tree_.runner_ups(0) == model.tree_.runner_ups(0)


DAMAGE = {
    "a size beyond the arrays": ("runner_size", 10**6),
    "a negative size": ("runner_size", -1),
    "a beginning beyond the arrays": ("runner_begin", 10**12),
    "a negative beginning": ("runner_begin", -1),
    "a column that is none": ("runner_column", 99),
    "a negative column": ("runner_column", -1),
    "a kind that is none": ("runner_kind", 77),
    "the kind of a leaf": ("runner_kind", 0),
    "routes beyond the pool": ("runner_routes_begin", 10**12),
    "too many routes": ("runner_routes_size", 10**6),
}


@pytest.mark.parametrize("sort", DAMAGE)
def test_damaged_files_are_refused(sort, tmp_path):
    name, value = DAMAGE[sort]
    model = TreeClassifier(n_runner_ups=2).fit(*people())
    save_model(model, tmp_path / "m.json")
    document = json.loads((tmp_path / "m.json").read_text(encoding="utf-8"))
    del document["checksum"]  # the other checks are to find it
    nominal = next(i for i, kind in enumerate(model.tree_.runner_kind) if KINDS[kind] == "subset")
    document["tree"][name][0 if name in ("runner_size", "runner_begin") else nominal] = value
    (tmp_path / "m.json").write_text(json.dumps(document), encoding="utf-8")
    with pytest.raises(ModelFormatError, match="runner"):
        load_model(tmp_path / "m.json")


@pytest.mark.parametrize("way", WAYS)
def test_random_damage_is_refused_or_harmless(way, tmp_path):
    """Whatever loads is a valid tree with runner-ups that can be read."""
    sample = mixed(60)
    save_model(fit(sample, way, branching="multiway", n_runner_ups=2, max_depth=3), tmp_path / "m.json")
    text = (tmp_path / "m.json").read_text(encoding="utf-8")
    rng = np.random.default_rng(0)
    names = [name for name in json.loads(text)["tree"] if name != "counts"]
    accepted = 0
    for _ in range(300):
        document = json.loads(text)
        del document["checksum"]
        for name in rng.choice(names, rng.integers(1, 3)):
            array = document["tree"][name]
            array[rng.integers(len(array))] = int(rng.choice([-3, -2, -1, 0, 1, 2, 3, 5, 40, 2**31 - 1]))
        (tmp_path / "m.json").write_text(json.dumps(document), encoding="utf-8")
        try:
            model = load_model(tmp_path / "m.json")
        except ModelFormatError:
            continue
        accepted += 1
        assert np.isfinite(model.predict_proba(sample.frame)).all()
        for node in range(model.tree_.node_count):
            runners = model.tree_.runner_ups(node)
            assert all(0 <= runner.column < 4 for runner in runners)
    assert 0 < accepted < 250
