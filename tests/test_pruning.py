"""The core's pruning against slow definitions, scikit-learn, and by what must always hold."""

import copy
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.tree import DecisionTreeClassifier

from ramify import TreeClassifier, _core, cost_complexity_pruning_path, prune
from random_trees import assert_is, chain, random_data, sample, to_core, to_nodes
from reference import pruning as slow

SEEDS = st.integers(0, 10**9)
CONFIDENCES = st.sampled_from([0.5, 0.25, 0.1, 0.01])


# The estimate


@pytest.mark.parametrize(
    ("weight", "wrong", "share"), [(6, 0, 0.206), (9, 0, 0.143), (1, 0, 0.750), (16, 1, 0.1547)]
)
def test_upper_limits_of_the_books(weight, wrong, share):
    limit = (wrong + _core.added_errors(weight, wrong, 0.25)) / weight
    assert limit == pytest.approx(share, abs=5e-4 if share != 0.1547 else 5e-5)


@given(st.floats(0.01, 1e6), st.floats(0, 1), CONFIDENCES, st.sampled_from([None, 0.0, 1.0]))
def test_added_errors_by_definition(weight, share, confidence, z):
    for wrong in (0.0, share * weight, math.floor(share * weight)):
        mine = _core.added_errors(weight, wrong, confidence, z)
        assert mine == pytest.approx(slow.added(weight, wrong, confidence, z), rel=1e-9, abs=1e-9)


def test_without_a_z_a_mixed_leaf_costs_half_an_error_more():
    assert _core.added_errors(20.0, 3.0, 0.25, 0.0) == pytest.approx(0.5, abs=1e-12)
    assert _core.added_errors(20.0, 0.0, 0.25, 0.0) == pytest.approx(20 * (1 - 0.25 ** (1 / 20)))


@given(st.floats(1e-300, 0.5))
def test_normal_quantile_to_full_precision(probability):
    expected = norm.ppf(probability)
    assert _core.normal_quantile(probability) == pytest.approx(expected, rel=1e-13, abs=1e-15)
    if probability > 1e-12:
        assert _core.normal_quantile(1 - probability) == pytest.approx(norm.ppf(1 - probability), rel=1e-9)


# Pessimistic pruning


@settings(deadline=None)
@given(SEEDS, CONFIDENCES, st.sampled_from([None, 0.0]), st.booleans(), st.sampled_from(["unit", "real"]))
def test_replacement_by_definition(seed, confidence, z, collapse, weights):
    data, root = sample(seed, weights=weights)
    core = to_core(root, data)
    if collapse:
        slow.collapse(root)
        assert_is(_core.collapse(core, data.n_categories), root, data)
    before = slow.tree_estimate(root, confidence, z)
    slow.replace(root, confidence, z)
    assert_is(_core.prune_pessimistic(core, data.n_categories, confidence, z, collapse), root, data)
    # Every replacement may cost 0.1 at most, and none can be made where a leaf was.
    assert slow.tree_estimate(root, confidence, z) <= before + 0.1 * len(slow.inner(to_nodes(core))) + 1e-6


@settings(deadline=None, max_examples=60)
@given(SEEDS, CONFIDENCES, st.sampled_from(["unit", "whole", "real"]), st.sampled_from([0.0, 0.15, 0.5]))
def test_raising_by_definition(seed, confidence, weights, missing):
    data, root = sample(seed, rows=70, depth=5, weights=weights, missing=missing)
    core = to_core(root, data)
    w = None if weights == "unit" else data.w
    mine = _core.prune_raising(core, data.blocks(), data.y, w, confidence, None, False, 2.0)
    slow.raise_branches(data, root, data.cases(), confidence)
    assert_is(mine, root, data)


def test_the_samples_do_raise():
    raised = 0
    for seed in range(30):
        data, root = sample(seed, rows=70, depth=5)
        raised += slow.raise_branches(data, copy.deepcopy(root), data.cases(), 0.25)
    assert raised >= 10


def test_raising_with_values_that_the_branch_never_saw():
    # The left child never saw categories 2 and 3 nor a missing value; raised, it sees them.
    nominal = np.array([0, 0, 1, 1, 0, 0, 1, 1, 2, 3, -2], dtype=np.int32)
    first = np.array([0.0] * 8 + [1.0] * 3)
    data = slow.Data(
        [first, nominal], [0, 4], np.array([0, 0, 1, 1] * 2 + [1, 1, 1], np.uint32), np.ones(11), 2
    )
    son = slow.Node(np.array([4.0, 4.0]), 8, 1, slow.SUBSET, routes=[0, 1, -1, -1])
    son.children = [slow.Node(np.array([4.0, 0.0]), 4), slow.Node(np.array([0.0, 4.0]), 4)]
    root = slow.Node(np.array([4.0, 7.0]), 11, 0, slow.THRESHOLD, 0.5)
    root.children = [son, slow.Node(np.array([0.0, 3.0]), 3)]
    mine = _core.prune_raising(to_core(root, data), data.blocks(), data.y, None, 0.25, None, False, 2.0)
    assert slow.raise_branches(data, root, data.cases(), 0.25) == 1
    assert_is(mine, root, data)
    assert mine.arrays()["counts"][2].tolist() == [0.0, 7.0]


def test_raising_where_all_values_are_missing_shares_alike():
    y = np.array([0, 1] * 8, np.uint32)
    data = slow.Data([np.full(16, np.nan), y.astype(float)], [0, 0], y, np.ones(16), 2)
    root = slow.Node(np.array([8.0, 8.0]), 16, 0, slow.THRESHOLD, 0.5, missing_route=slow.EVERY, unknown=16.0)
    for _ in range(2):
        son = slow.Node(np.array([4.0, 4.0]), 16, 1, slow.THRESHOLD, 0.5)
        son.children = [slow.Node(np.array(c), 8) for c in ([4.0, 0.0], [0.0, 4.0])]
        root.children.append(son)
    mine = _core.prune_raising(to_core(root, data), data.blocks(), data.y, None, 0.25, None, False, 2.0)
    assert slow.raise_branches(data, root, data.cases(), 0.25) == 1
    assert_is(mine, root, data)
    assert mine.arrays()["counts"].tolist() == [[8, 8], [8, 0], [0, 8]]


# Cost-complexity


def merged(alphas, *others):
    """Steps with the same alpha (to 1e-12) as one: the last of them."""
    last = np.append(np.diff(alphas) > 1e-12, True)
    return [np.asarray(values)[last] for values in (alphas, *others)]


@settings(deadline=None)
@given(SEEDS)
def test_cost_complexity_path_by_definition(seed):
    data, root = sample(seed)
    path = _core.cost_complexity_path(to_core(root, data), data.n_categories)
    steps = np.array(slow.cost_complexity(root)).reshape(-1, 3)
    steps[:, 0] = np.maximum.accumulate(steps[:, 0])
    mine = merged(path["ccp_alphas"], path["impurities"], path["n_leaves"])
    for a, b in zip(mine, merged(*steps.T), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("criterion", "scale"), [("gini", 1.0), ("entropy", math.log(2))])
@pytest.mark.parametrize("seed", range(4))
def test_cost_complexity_path_is_scikit_learns(criterion, scale, seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(400, 1)).astype(np.float32)
    y = (np.digitize(X[:, 0], [-0.5, 0.7]) + (rng.random(400) < 0.3)) % 3
    limits = {"criterion": criterion, "min_samples_leaf": 3}
    model, theirs = TreeClassifier(**limits).fit(X, y), DecisionTreeClassifier(**limits).fit(X, y)
    assert model.tree_.node_count == theirs.tree_.node_count > 40
    path, expected = cost_complexity_pruning_path(model), theirs.cost_complexity_pruning_path(X, y)
    mine = merged(path.ccp_alphas, path.impurities)
    wanted = merged(expected.ccp_alphas * scale, expected.impurities * scale)
    for a, b in zip(mine, wanted, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-10)
    for alpha in mine[0][1:-1:4] * 1.000001:
        pruned = prune(model, "cost_complexity", ccp_alpha=alpha)
        other = DecisionTreeClassifier(**limits, ccp_alpha=alpha / scale).fit(X, y)
        assert pruned.tree_.node_count == other.tree_.node_count
        np.testing.assert_array_equal(pruned.predict(X), other.predict(X))


@settings(deadline=None)
@given(SEEDS)
def test_errors_along_the_path_are_those_of_the_pruned_trees(seed):
    data, root = sample(seed)
    fresh = random_data(np.random.default_rng(seed + 1), 40)
    core = to_core(root, data)
    path = _core.validated_path(core, fresh.blocks(), fresh.y, fresh.w)
    for alpha in path["ccp_alphas"][1:]:
        pruned = to_nodes(_core.prune_cost_complexity(core, data.n_categories, alpha))
        step = np.searchsorted(path["ccp_alphas"], alpha, side="right") - 1
        assert len(slow.leaves(pruned)) == path["n_leaves"][step]
        assert slow.errors_of(fresh, pruned, fresh.cases()) == pytest.approx(path["errors"][step], abs=1e-9)


# Reduced error


@settings(deadline=None)
@given(SEEDS, st.sampled_from(["unit", "real"]))
def test_reduced_error_by_definition(seed, weights):
    data, root = sample(seed)
    fresh = random_data(np.random.default_rng(seed + 1), 50, weights=weights)
    fresh.columns[3][:3] = -1  # a category never seen stays in the node
    core = to_core(root, data)
    mine = _core.prune_reduced_error(core, fresh.blocks(), fresh.y, None if weights == "unit" else fresh.w)
    before = slow.errors_of(fresh, root, fresh.cases())
    slow.reduce_errors(fresh, root, fresh.cases())
    assert_is(mine, root, data)
    assert slow.errors_of(fresh, root, fresh.cases()) <= before + 1e-6


def test_reduced_error_with_answers_of_the_caller():
    data, root = sample(1)
    core = to_core(root, data)
    answers = np.zeros(core.node_count, dtype=np.uint32)
    pruned = _core.prune_reduced_error(core, data.blocks(), data.y, None, answers)
    assert pruned.node_count == 1  # all nodes answer alike, so every leaf is as good as its subtree


# Merging


def assert_merged(core):
    """No node has only leaves of its own class, and no multi-way split two leaves of one class."""
    nodes = to_nodes(core)
    for node in slow.inner(nodes):
        vote = int(node.counts.argmax())
        votes = [int(c.counts.argmax()) if c.n_rows else vote for c in node.children if c.leaf]
        assert len(votes) < len(node.children) or set(votes) != {vote}
        if node.kind == slow.MULTIWAY and (len(votes) < len(node.children) or len(set(votes)) > 1):
            assert len(votes) == len(set(votes))


@settings(deadline=None)
@given(SEEDS)
def test_merging_changes_no_answer(seed):
    data, root = sample(seed)
    core = to_core(root, data)
    merged_core = _core.merge_leaves(core, data.n_categories, 2.0)
    assert merged_core.problem(data.n_categories) == ""
    assert_merged(merged_core)
    np.testing.assert_allclose(merged_core.arrays()["counts"][0], root.counts)
    after = to_nodes(merged_core)
    for leaf in slow.inner(after) + slow.leaves(after):
        assert leaf.n_rows <= root.n_rows
    np.testing.assert_allclose(
        merged_core.arrays()["impurity"], [slow.gini(c) for c in merged_core.arrays()["counts"]], atol=1e-12
    )
    known = random_data(np.random.default_rng(seed), 40, missing=0.0)
    for row, weight in known.cases():
        for answer in range(3):  # as if the class were this: the same parts err
            known.y[row] = answer
            assert slow.walk(known, after, row, weight, -1) == slow.walk(known, root, row, weight, -1)


def test_merging_maps_the_branch_of_missing_values():
    leaf = [slow.Node(np.array(c), 2) for c in ([2.0, 0.0], [0.0, 2.0], [2.0, 0.0], [0.0, 2.0])]
    root = slow.Node(
        np.array([4.0, 4.0]), 8, 0, slow.MULTIWAY, routes=[0, 1, 2], missing_route=3, children=leaf
    )
    data = slow.Data([np.zeros(1, np.int32)], [3], np.zeros(1, np.uint32), np.ones(1), 2)
    core = _core.merge_leaves(to_core(root, data), [3], 2.0)
    assert core.problem([3]) == ""
    arrays = core.arrays()
    assert arrays["routes"].tolist() == [0, 1, 0] and arrays["missing_route"][0] == 1
    assert arrays["counts"].tolist() == [[4, 4], [4, 0], [0, 4]]


@pytest.mark.parametrize(("third", "nodes"), [([0.0, 2.0], 4), ([2.0, 0.0], 1)])
def test_merging_leaves_the_own_branch_of_missing_values_alone(third, nodes):
    leaf = [slow.Node(np.array(c), 2) for c in ([2.0, 0.0], [2.0, 0.0], third)]
    counts = sum(c.counts for c in leaf)
    root = slow.Node(counts, 6, 0, slow.THRESHOLD, 0.5, missing_route=2, children=leaf)
    data = slow.Data([np.zeros(1)], [0], np.zeros(1, np.uint32), np.ones(1), 2)
    assert _core.merge_leaves(to_core(root, data), [0], 2.0).node_count == nodes


# Deep trees


def test_chains_of_a_hundred_thousand_nodes():
    core, x, y = chain(50_000)
    assert core.problem([0]) == "" and core.node_count == 100_001 and core.max_depth == 50_000
    # Half of the cases are wrong in a leaf: nothing is worth pruning but the very end, by the estimate.
    for pruned in (
        _core.prune_pessimistic(core, [0], 0.25, None, True),
        _core.prune_cost_complexity(core, [0], 1e-6),
        _core.merge_leaves(core, [0], 2.0),
        _core.prune_reduced_error(core, [(x[:50].reshape(-1, 1), 0, False)], y[:50], None),
    ):
        assert pruned.problem([0]) == ""
    path = _core.cost_complexity_path(core, [0])
    assert path["n_leaves"][0] == 50_001 and path["n_leaves"][-1] == 1
    assert (np.diff(path["ccp_alphas"]) >= 0).all()


def test_raising_on_a_deep_chain():
    core, x, y = chain(300)
    pruned = _core.prune_raising(core, [(x.reshape(-1, 1), 0, False)], y, None, 0.25, None, False, 2.0)
    assert pruned.problem([0]) == ""
    data = slow.Data([x], [0], y, np.ones(len(y)), 2)
    root = to_nodes(core)
    slow.replace(root, 0.25)
    assert pruned.node_count <= len(slow.inner(root)) + len(slow.leaves(root))
    assert pruned.arrays()["counts"][0].tolist() == data.counts(data.cases()).tolist()


# Runner-ups


def test_runner_ups_stay_with_the_nodes_that_stay():
    ends = [slow.Node(np.array(c), 4) for c in ([4.0, 0.0], [0.0, 4.0])]
    useless = slow.Node(np.array([2.0, 8.0]), 10, 1, slow.THRESHOLD, 0.5)
    useless.children = [slow.Node(np.array([1.0, 4.0]), 5) for _ in range(2)]
    useful = slow.Node(np.array([4.0, 4.0]), 8, 0, slow.SUBSET, routes=[1, 0, -1], children=ends)
    root = slow.Node(np.array([6.0, 12.0]), 18, 1, slow.THRESHOLD, 2.5, children=[useless, useful])
    arrays = slow.to_arrays(root)
    # A runner-up for each split: a subset of column 0 in the nodes 0 and 1, a threshold in node 2.
    pool = arrays["routes"].tolist()
    arrays["routes"] = np.array([*pool, 0, 1, 0, 1, 1, 0], np.int32)
    arrays["runner_begin"] = np.array([0, 1, 2, 3, 3, 3, 3], np.int64)
    arrays["runner_size"] = np.array([1, 1, 1, 0, 0, 0, 0], np.int32)
    arrays["runner_column"] = np.array([0, 0, 1], np.int32)
    arrays["runner_kind"] = np.array([slow.SUBSET, slow.SUBSET, slow.THRESHOLD], np.uint8)
    arrays["runner_threshold"] = np.array([0.0, 0.0, 7.5])
    arrays["runner_routes_begin"] = np.array([3, 6, 0], np.int64)
    arrays["runner_routes_size"] = np.array([3, 3, 0], np.int32)
    arrays["runner_score"] = np.array([0.1, 0.2, 0.3])
    arrays["runner_gain"] = np.array([0.01, 0.02, 0.03])
    core = _core.Tree.from_arrays(arrays, 2)
    assert core.problem([3, 0]) == ""
    pruned = _core.prune_pessimistic(core, [3, 0], 0.25, None, False)
    assert pruned.problem([3, 0]) == ""
    found = pruned.arrays()
    assert found["n_children"].tolist() == [2, 0, 2, 0, 0]
    assert found["runner_size"].tolist() == [1, 0, 1, 0, 0]
    assert found["runner_score"].tolist() == [0.1, 0.3] and found["runner_gain"].tolist() == [0.01, 0.03]
    assert found["runner_column"].tolist() == [0, 1] and found["runner_threshold"].tolist() == [0.0, 7.5]
    begin = int(found["runner_routes_begin"][0])
    assert found["routes"][begin : begin + 3].tolist() == [0, 1, 0]
    begin = int(found["routes_begin"][2])
    assert found["routes"][begin : begin + 3].tolist() == [1, 0, -1]
    assert len(found["routes"]) == 6  # those of the node that went are gone
