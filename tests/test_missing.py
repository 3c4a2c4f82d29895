"""Trees with missing values, against the slow reference: splits, nodes, weights and predictions."""

from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from missing_samples import CRITERIA, WAYS, Sample, fit, mixed, new_columns, options, rules_of, samples
from ramify import TreeClassifier
from reference import missing as reference
from samples import BRANCHINGS, assert_same_tree

each_way = pytest.mark.parametrize("way", WAYS)
each_criterion = pytest.mark.parametrize("criterion", CRITERIA)
each_branching = pytest.mark.parametrize("branching", BRANCHINGS)
#: What differs by rounding when weights are summed in another order.
SUMS = ("counts", "unknown", "impurity", "score", "gain")


def check_score(found, node, rules):
    """The score is the best of the node, or within the width of a tie below it."""
    low, high = reference.best_bounds(node, rules)
    width = reference.tie_width(node, rules, low)
    assert low - 1.1 * width <= found <= high + 0.1 * width


# One split


def check_root(sample, model):
    tree, rules = model.tree_, rules_of(sample, model)
    root = reference.make_node(sample.columns, sample.y, sample.weights)
    best = reference.best_bounds(root, rules)
    if best is None or reference.must_be_leaf(root, 0, rules):
        assert tree.node_count == 1
        return
    assert tree.node_count > 1
    assert tree.exact[0] == 1
    check_score(tree.score[0], root, rules)


@each_way
@each_branching
@each_criterion
@settings(max_examples=20, deadline=None)
@given(sample=samples(), limits=options())
def test_best_admissible_score(criterion, branching, way, sample, limits):
    check_root(sample, fit(sample, way, criterion, branching=branching, max_depth=1, **limits))


@pytest.mark.slow
@each_way
@each_branching
@each_criterion
@settings(max_examples=120, deadline=None)
@given(sample=samples(max_rows=40, max_columns=3), limits=options())
def test_best_admissible_score_at_length(criterion, branching, way, sample, limits):
    check_root(sample, fit(sample, way, criterion, branching=branching, max_depth=1, **limits))


NAN = np.nan


def one_column(x, y, kind="numeric", size=None):
    return Sample([np.array(x, dtype=float)], [kind], [size], np.array(y), None)


def test_three_ways_with_one_cut():
    """Four cases, the last two without a value. Worked by hand, with Gini: the root has 3/8."""
    sample = one_column([1, 2, NAN, NAN], [0, 1, 1, 1])
    best = fit(sample, "best_branch", max_depth=1).tree_
    assert best.counts.tolist() == [[1, 3], [1, 0], [0, 3]]
    assert (best.threshold[0], best.missing_route[0], best.unknown[0]) == (1.5, 1, 2)
    assert best.score[0] == pytest.approx(3 / 8)
    own = fit(sample, "own_branch", max_depth=1).tree_
    assert own.counts.tolist() == [[1, 3], [1, 0], [0, 1], [0, 2]]
    assert (own.n_children[0], own.missing_route[0], own.unknown[0]) == (3, 2, 2)
    assert own.score[0] == pytest.approx(3 / 8)
    # The known half has an impurity of 1/2 and loses all of it; each unknown case goes half and half.
    parts = fit(sample, "fractional", max_depth=1).tree_
    assert parts.counts.tolist() == [[1, 3], [1, 1], [0, 2]]
    assert (parts.missing_route[0], parts.unknown[0]) == (-2, 2)
    assert parts.n_rows.tolist() == [4, 3, 3]
    assert parts.score[0] == pytest.approx(1 / 4)
    assert parts.gain[0] == pytest.approx(1 / 4)


@each_branching
@pytest.mark.parametrize("kind", ["numeric", "nominal"])
def test_a_constant_column_can_still_be_missing_or_not(kind, branching):
    sample = one_column([0, 0, NAN, NAN, 0], [0, 0, 1, 1, 1], kind, 1 if kind == "nominal" else None)
    for way in ("best_branch", "own_branch"):
        tree = fit(sample, way, branching=branching, max_depth=1).tree_
        assert tree.counts.tolist()[0] == [2, 3]
        assert sorted(row for row in tree.counts.tolist()[1:] if sum(row)) == [[0, 2], [2, 1]]
        assert tree.unknown[0] == 2
    assert fit(sample, "fractional", branching=branching).tree_.node_count == 1


@pytest.mark.parametrize("criterion", ["gain", "distance", "purity"])
def test_the_lecture_with_one_unknown(criterion):
    """[[2, 3], [3, 0], [3, 2]] and one more case without the value: Quinlan's example."""
    x = [0] * 5 + [1] * 3 + [2] * 5 + [NAN]
    y = [0, 0, 1, 1, 1] + [0] * 3 + [0, 0, 0, 1, 1] + [0]
    sample = one_column(x, y, "nominal", 3)
    q = 1 if criterion == "gain" else None
    tree = fit(sample, "fractional", criterion, q, branching="multiway", max_depth=1).tree_
    expected = {
        "gain": 0.1990407 * np.log(2),
        # K is 9/13 before and after levelling 8/13; the unknown case is one of fourteen.
        "purity": 8 / 13 + 13 / 14 * (9 / 13 - 8 / 13),
    }
    if criterion in expected:
        assert tree.score[0] == pytest.approx(expected[criterion], abs=1e-7)
    assert tree.gain[0] >= 0
    assert tree.counts[1:].sum(axis=1) == pytest.approx([5 * 14 / 13, 3 * 14 / 13, 5 * 14 / 13])


def test_a_distance_is_not_better_for_missing_values():
    """Two columns that say the same, one of them with gaps: the full one is chosen."""
    y = np.array([0, 1] * 6)
    full, holes = y.astype(float), np.where(np.arange(12) < 6, NAN, y)
    for criterion in ("distance", "normalized_distance", "generalized_gini", "gain"):
        sample = Sample([holes, full], ["numeric"] * 2, [None] * 2, y, None)
        assert fit(sample, "fractional", criterion).tree_.column[0] == 1


# Whole trees


def depths(tree):
    found = np.zeros(tree.node_count, dtype=int)
    for node in range(1, tree.node_count):
        found[node] = found[tree.parent[node]] + 1
    return found


def check_inner(tree, node, cases, rules, arrived, sample):
    """The stored score is the best, and score, gain, routes and unknowns are those of the children."""
    column = sample.columns[tree.column[node]]
    missing = np.isnan(column)
    unknown = float(arrived[missing, node].sum())
    assert tree.unknown[node] == pytest.approx(unknown, abs=1e-9)
    children = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
    has_unknown = bool((arrived[missing, node] > 0).any())
    kind, route = int(tree.kind[node]), int(tree.missing_route[node])
    branches = {reference.MULTIWAY: rules.sizes[tree.column[node]]}.get(kind, 2)
    more = rules.way == "own_branch" and has_unknown and kind != reference.KNOWN
    assert len(children) == branches + more
    table = np.array([reference.class_counts(sample.y, rules.n_classes, arrived[:, c]) for c in children])
    share = 1.0
    if rules.way == "fractional":
        assert route == reference.EVERY_BRANCH and kind != reference.KNOWN
        there = np.where(missing[:, np.newaxis], 0, arrived)
        table = np.array([reference.class_counts(sample.y, rules.n_classes, there[:, c]) for c in children])
        share = table.sum() / cases.weights.sum()
    elif kind == reference.KNOWN:
        assert route == 1 and has_unknown
    elif rules.way == "own_branch":
        assert route == (branches if has_unknown else reference.STAYS)
    elif has_unknown:
        assert 0 <= route < branches
    else:
        sizes = table.sum(axis=1)
        assert sizes[route] == pytest.approx(sizes.max(), rel=1e-9)
        assert not cases.is_exact or route == np.argmax(sizes)  # the first of equals
    low, high = reference.score_bounds(table, share, rules, cases.is_exact)
    width = reference.tie_width(cases, rules, low) / 10
    assert low - width <= tree.score[node] <= high + width
    assert tree.gain[node] == pytest.approx(reference.gain_of(table, share, rules), rel=1e-9, abs=1e-9)
    check_score(tree.score[node], cases, rules)


def check_tree(sample, model):
    """Every node holds the cases that the splits above send it, and is split as well as can be."""
    tree, rules = model.tree_, rules_of(sample, model)
    tree.validate(model.schema_.n_categories)
    arrived, _ = reference.arrivals(tree, sample.columns, sample.own_weights, training=True)
    for node, depth in enumerate(depths(tree)):
        cases = reference.make_node(sample.columns, sample.y, arrived[:, node], sample.own_weights)
        assert tree.n_rows[node] == cases.n_rows
        np.testing.assert_allclose(tree.counts[node], cases.counts(rules.n_classes), rtol=1e-9, atol=1e-12)
        if tree.n_children[node]:
            assert not reference.must_be_leaf(cases, depth, rules)
            assert tree.exact[node] == 1
            check_inner(tree, node, cases, rules, arrived, sample)
        else:
            assert tree.unknown[node] == 0
            assert reference.must_be_leaf(cases, depth, rules) or reference.best_bounds(cases, rules) is None


@st.composite
def growth(draw):
    limits = draw(options())
    limits["criterion"] = draw(st.sampled_from(sorted(CRITERIA)))
    limits["min_samples_split"] = draw(st.sampled_from([2, 2, 6]))
    limits["max_depth"] = draw(st.sampled_from([None, None, 3]))
    return limits


@each_way
@each_branching
@settings(max_examples=20, deadline=None)
@given(sample=samples(max_rows=30, max_columns=3), limits=growth())
def test_every_node_has_its_cases_and_the_best_split(way, branching, sample, limits):
    check_tree(sample, fit(sample, way, branching=branching, **limits))


@pytest.mark.slow
@each_way
@each_branching
@settings(max_examples=150, deadline=None)
@given(sample=samples(max_rows=45, max_columns=4), limits=growth())
def test_every_node_has_its_cases_and_the_best_split_at_length(way, branching, sample, limits):
    check_tree(sample, fit(sample, way, branching=branching, **limits))


@each_way
@each_branching
def test_every_node_of_a_larger_tree(way, branching):
    sample = mixed(150)
    model = fit(sample, way, "gain_ratio", branching=branching, min_samples_leaf=3)
    assert model.get_depth() >= 3
    check_tree(sample, model)


# Weights of cases on their way down


def check_flow(tree, columns):
    """Nothing is lost or made: what arrives is what stays and what goes on, and all of it ends somewhere."""
    arrived, ended = reference.arrivals(tree, columns)
    np.testing.assert_allclose(ended.sum(axis=1), 1, rtol=1e-9)
    for node in np.flatnonzero(tree.n_children > 0):
        children = range(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
        onwards = ended[:, node] + arrived[:, children].sum(axis=1)
        np.testing.assert_allclose(arrived[:, node], onwards, rtol=1e-9, atol=1e-15)
    return arrived, ended


def check_predictions(sample, model, columns):
    """Shares, ends and paths by definition."""
    X = Sample(columns, sample.kinds, sample.sizes, sample.y, None).frame
    tree = model.tree_
    arrived, ended = check_flow(tree, columns)
    expected = reference.predict_proba(tree, columns)
    found = model.predict_proba(X)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(found.sum(axis=1), 1, rtol=1e-9)
    rows = np.arange(len(found))
    votes = np.searchsorted(model.classes_, model.predict(X))
    assert (found[rows, votes] >= found.max(axis=1) - 1e-12).all()
    # The end that takes the most; of equal ones, which may differ by rounding, any.
    assert (ended[rows, model.apply(X)] >= ended.max(axis=1) - 1e-12).all()
    path = model.decision_path(X)
    assert path.shape == arrived.shape
    np.testing.assert_array_equal(path.toarray() > 0, arrived > 0)


@each_way
@each_branching
@settings(max_examples=25, deadline=None)
@given(
    sample=samples(max_rows=40, max_columns=3), seed=st.integers(0, 2**32 - 1), leaf=st.sampled_from([1, 3])
)
def test_predictions(way, branching, sample, seed, leaf):
    model = fit(sample, way, branching=branching, min_samples_leaf=leaf)
    check_predictions(sample, model, sample.columns)
    check_predictions(sample, model, new_columns(np.random.default_rng(seed), sample))


@each_way
@each_branching
def test_values_that_were_never_missing_before(way, branching):
    """Missing in prediction only: every branch by its share, the largest branch, or the node itself."""
    sample = mixed(200, share=0)
    model = fit(sample, way, branching=branching, min_samples_leaf=5)
    rng = np.random.default_rng(1)
    check_predictions(sample, model, new_columns(rng, sample, rows=100, share=0.5))
    nothing = [np.full(3, NAN)] * 4
    check_predictions(sample, model, nothing)
    tree = model.tree_
    X = Sample(nothing, sample.kinds, sample.sizes, sample.y, None).frame
    root = tree.counts[0] / tree.counts[0].sum()
    ends = model.apply(X)
    if way == "own_branch":
        assert (ends == 0).all()
    else:
        assert (tree.n_children[ends] == 0).all()
    if way != "best_branch":  # the shares of the leaves, by their weights, are those of the root
        np.testing.assert_allclose(model.predict_proba(X), np.tile(root, (3, 1)), rtol=1e-9)


def test_no_probability_is_above_one():
    """One row of these goes down in parts that add up to the float after 1."""
    rng = np.random.default_rng(438)
    X = rng.integers(0, 6, (60, 4)).astype(float)
    y = (X[:, 0] + rng.random(60) * 2 > 3).astype(int)
    X[rng.random(X.shape) < 0.25] = NAN
    assert TreeClassifier().fit(X, y).predict_proba(X).max() <= 1


def test_an_empty_branch_answers_like_its_parent_in_part_too():
    """The category v2 is declared and never there; a case there in part gets its parent's answer."""
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 40).astype(float)
    c = rng.integers(0, 2, 40).astype(float)
    y = ((a == 1) & (c == 1)).astype(int)
    sample = Sample([a, c], ["numeric", "nominal"], [None, 3], y, None)
    model = fit(sample, "fractional", branching="multiway")
    assert model.tree_.n_empty >= 1
    check_predictions(sample, model, [np.array([NAN, 0, 1, NAN]), np.array([2, 2, 2, NAN])])


# Copies, order, threads


def assert_nearly_same_tree(a, b, but=()):
    """The same splits; sums of parts of cases agree to rounding."""
    assert_same_tree(a, b, but=(*SUMS, *but))
    for name in SUMS:
        if name not in but:
            np.testing.assert_allclose(
                getattr(a.tree_, name), getattr(b.tree_, name), rtol=1e-9, atol=1e-9, err_msg=name
            )


def assert_same(way, a, b, but=()):
    (assert_nearly_same_tree if way == "fractional" else assert_same_tree)(a, b, but=but)


@each_way
@each_branching
@settings(max_examples=20, deadline=None)
@given(sample=samples(weights=("whole",), max_columns=3), criterion=st.sampled_from(sorted(CRITERIA)))
def test_a_weight_is_as_many_copies(way, branching, sample, criterion):
    model = fit(sample, way, criterion, branching=branching)
    copies = sample.take(np.repeat(np.arange(len(sample.y)), sample.weights.astype(int)))
    copies.weights = None
    other = fit(copies, way, criterion, branching=branching)
    assert_same(way, model, other, but=["n_rows"])
    found, expected = model.predict_proba(sample.frame), other.predict_proba(sample.frame)
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@each_branching
@pytest.mark.parametrize("way", ["best_branch", "own_branch"])
@settings(max_examples=15, deadline=None)
@given(sample=samples(weights=("whole",)), scale=st.sampled_from([1e-12, 0.1, 3.7, 2.0**40]))
def test_scaling_all_weights_changes_nothing(way, branching, sample, scale):
    model = fit(sample, way, branching=branching)
    weights = sample.weights * scale
    scaled = Sample(sample.columns, sample.kinds, sample.sizes, sample.y, weights)
    other = fit(scaled, way, branching=branching)
    assert_nearly_same_tree(model, other, but=["counts", "unknown", "missing_route"])
    np.testing.assert_allclose(other.tree_.unknown / scale, model.tree_.unknown, rtol=1e-9)
    for node in np.flatnonzero(~heaviest_branches_tie(model.tree_)):
        assert other.tree_.missing_route[node] == model.tree_.missing_route[node]


def heaviest_branches_tie(tree):
    """The nodes without a missing value whose two heaviest branches weigh the same."""
    ties = np.zeros(tree.node_count, dtype=bool)
    for node in np.flatnonzero((tree.n_children > 0) & (tree.unknown == 0)):
        sizes = np.sort(tree.counts[list(tree.children(node))].sum(axis=1))
        ties[node] = sizes[-1] == sizes[-2]
    return ties


@settings(max_examples=25, deadline=None)
@given(sample=samples(weights=("real",)), scale=st.sampled_from([1e-12, 0.1, 3.7, 2.0**40]))
def test_scaling_real_weights_changes_nothing_in_parts_of_cases(sample, scale):
    model = fit(sample, "fractional")
    scaled = Sample(sample.columns, sample.kinds, sample.sizes, sample.y, sample.weights * scale)
    assert_nearly_same_tree(model, fit(scaled, "fractional"), but=["counts", "unknown"])


@pytest.mark.parametrize("weight", [1e-9, 1, 1000, 1e12])
def test_one_weight_for_all_does_not_let_parts_of_cases_grow_wild(weight):
    """A minimum of 2, as a bare number, would be nothing for large weights and too much for small ones."""
    sample = mixed(400, share=0.2)
    plain = fit(sample, "fractional")
    sample.weights = np.full(400, float(weight))
    assert fit(sample, "fractional").tree_.node_count == plain.tree_.node_count


def test_scaling_all_weights_does_not_move_missing_values():
    X, y = [[0.0], [1.0], [1.0]], [0, 1, 1]
    model = TreeClassifier(missing="best_branch").fit(X, y, [3, 1, 2])
    scaled = TreeClassifier(missing="best_branch").fit(X, y, [0.3, 0.1, 0.2])
    assert model.predict([[NAN]]).tolist() == [0]
    assert scaled.predict([[NAN]]).tolist() == [0]


def test_missing_values_join_the_first_of_branches_that_are_as_good():
    """Two branches are alike, and the sums of the scaled weights differ in the last digit."""
    column, weights = np.array([2, 0, 0, NAN, 1, 2, 1]), np.array([3.0, 2, 1, 2, 3, 3, 3])
    y = np.array([0, 0, 0, 1, 0, 1, 1])
    for scale in (1, 1e-12, 0.1, 3.7):
        sample = Sample([column], ["nominal"], [3], y, weights * scale)
        model = fit(sample, "best_branch", branching="multiway")
        assert model.tree_.missing_route[0] == 1


@each_way
@each_branching
@settings(max_examples=15, deadline=None)
@given(sample=samples(weights=("none", "whole"), max_columns=3), seed=st.integers(0, 2**32 - 1))
def test_row_order_does_not_matter(way, branching, sample, seed):
    order = np.random.default_rng(seed).permutation(len(sample.y))
    model = fit(sample, way, branching=branching)
    assert_same(way, model, fit(sample.take(order), way, branching=branching))


@each_way
@each_branching
@pytest.mark.parametrize("weighted", [False, True])
def test_threads_do_not_matter(way, branching, weighted):
    sample = mixed(3000, share=0.1)
    if weighted:
        sample.weights = np.random.default_rng(0).random(3000) + 0.1
    limits = {"branching": branching, "min_samples_leaf": 10, "max_depth": 7}
    model = fit(sample, way, **limits)
    for n_jobs in (2, 4):
        other = fit(sample, way, n_jobs=n_jobs, **limits)
        (assert_nearly_same_tree if weighted else partial(assert_same, way))(model, other)
        X = sample.frame
        np.testing.assert_allclose(other.predict_proba(X), model.predict_proba(X), rtol=1e-9, atol=1e-12)


@each_branching
@each_criterion
def test_without_missing_values_all_ways_are_one(criterion, branching):
    sample = mixed(120, share=0)
    plain = TreeClassifier(criterion, branching=branching, missing="error").fit(sample.frame, sample.y)
    for way in WAYS:
        assert_same_tree(fit(sample, way, criterion, branching=branching), plain, but=["missing_route"])
