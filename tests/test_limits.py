"""Limits on growth, checked on the arrays of the tree."""

import math

import numpy as np
import pytest

from ramify import TreeClassifier, list_criteria
from samples import BRANCHINGS, assert_same_tree, people

ROWS = 240
CRITERIA = [info.name for info in list_criteria()]


def grown(**limits):
    return TreeClassifier(**limits).fit(*people(rows=ROWS)).tree_


def splits(tree):
    """Each node that is split, with its children."""
    return [(node, list(tree.children(node))) for node in np.flatnonzero(tree.n_children > 0)]


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("depth", [1, 2, 4])
def test_max_depth(depth, branching):
    full = grown(branching=branching)
    tree = grown(branching=branching, max_depth=depth)
    assert tree.max_depth == depth < full.max_depth
    # Nodes are numbered level by level, so the short tree is the beginning of the long one.
    np.testing.assert_array_equal(tree.counts, full.counts[: tree.node_count])
    assert grown(branching=branching, max_depth=1000).node_count == full.node_count


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("limit", [2, 10, 0.1, 0.333, 1.0])
def test_min_samples_split(limit, branching):
    tree = grown(branching=branching, min_samples_split=limit)
    fewest = limit if isinstance(limit, int) else math.ceil(limit * ROWS)
    assert tree.n_rows[tree.n_children > 0].min() >= fewest
    assert tree.node_count > 1


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("limit", [1, 7, 0.05, 0.25])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_min_samples_leaf(criterion, limit, branching):
    tree = grown(criterion=criterion, branching=branching, min_samples_leaf=limit)
    fewest = limit if isinstance(limit, int) else math.ceil(limit * ROWS)
    assert tree.node_count > 1
    for _, children in splits(tree):
        large = (tree.n_rows[children] >= fewest).sum()
        assert large == 2 if len(children) == 2 else large >= 2


def test_a_share_of_more_than_half_the_rows_leaves_the_root():
    assert grown(min_samples_leaf=0.51).node_count == 1


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("q", [0.5, 1, 2])
@pytest.mark.parametrize("decrease", [0.01, 0.03, 0.1])
def test_min_impurity_decrease(decrease, q, branching):
    tree = grown(q=q, branching=branching, min_impurity_decrease=decrease)
    full = grown(q=q, branching=branching)
    weight = tree.counts.sum(axis=1)
    for node, children in splits(tree):
        after = (weight[children] * tree.impurity[children]).sum() / weight[node]
        assert tree.gain[node] == pytest.approx(tree.impurity[node] - after)
        assert tree.gain[node] * weight[node] / weight[0] >= decrease * (1 - 1e-9)
    assert tree.node_count < full.node_count


@pytest.mark.parametrize("branching", BRANCHINGS)
@pytest.mark.parametrize("most", [2, 3, 8, 10_000])
def test_max_leaf_nodes(most, branching):
    full = grown(branching=branching)
    tree = grown(branching=branching, max_leaf_nodes=most)
    assert tree.n_leaves <= most
    if branching == "binary":
        assert tree.n_leaves == min(most, full.n_leaves)


@pytest.mark.parametrize("branching", BRANCHINGS)
def test_many_leaves_are_no_limit(branching):
    X, y = people(rows=ROWS)
    free = TreeClassifier(branching=branching).fit(X, y)
    assert_same_tree(TreeClassifier(branching=branching, max_leaf_nodes=10**6).fit(X, y), free)


def test_limits_hold_together():
    tree = grown(max_depth=6, max_leaf_nodes=9, min_samples_leaf=5, min_samples_split=30)
    assert tree.max_depth <= 6
    assert tree.n_leaves <= 9
    assert tree.n_rows.min() >= 5
    assert tree.n_rows[tree.n_children > 0].min() >= 30


@pytest.mark.parametrize("name", ["max_depth", "max_leaf_nodes"])
def test_limits_beyond_any_tree_are_none(name):
    X, y = people()
    for large in (2**63, 2**64, 10**30):
        assert_same_tree(TreeClassifier(**{name: large}).fit(X, y), TreeClassifier().fit(X, y))


@pytest.mark.parametrize("name", ["min_samples_split", "min_samples_leaf"])
@pytest.mark.parametrize("rows", [2**63, 2**64, 10**30])
def test_more_rows_than_there_can_be_leave_the_root(name, rows):
    assert grown(**{name: rows}).node_count == 1


def test_more_support_than_there_can_be():
    assert_same_tree(*(TreeClassifier(min_support=cases).fit(*people()) for cases in (10**6, 10**400)))
