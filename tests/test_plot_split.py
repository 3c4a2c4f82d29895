"""The figures of a split and of the importances: bars are counts, and none stands on both sides of a cut."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure

from missing_samples import WAYS, mixed
from ramify import TreeClassifier, datasets, plot_importances, plot_split
from samples import numbers, people

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def bars_of(ax):
    """Bars by class: left, right, height."""
    return {
        container.get_label(): np.array(
            [[p.get_x(), p.get_x() + p.get_width(), p.get_height()] for p in container]
        )
        for container in ax.containers
    }


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 10**6), scale=st.sampled_from([1e-9, 0.1, 1.0, 3.7, 1e7]), digits=st.integers(0, 9)
)
def test_histograms_count_every_case_on_its_side_of_the_cut(seed, scale, digits):
    rng = np.random.default_rng(seed)
    x = (np.round(rng.normal(size=80), digits) * scale)[:, None]
    y = (x[:, 0] + rng.normal(scale=scale, size=80) > 0).astype(int)
    model = TreeClassifier(max_depth=1).fit(x, y)
    if model.tree_.node_count == 1:
        return
    ax = plot_split(model, 0, x, y)
    cut, bars = model.tree_.threshold[0], bars_of(ax)
    assert ax.lines[0].get_xdata()[0] == cut
    for k in np.unique(y):
        below, above = (bars[str(k)][:, 0] < cut - 1e-12 * scale), (bars[str(k)][:, 0] >= cut - 1e-12 * scale)
        assert bars[str(k)][below, 2].sum() == np.sum(x[y == k] <= cut)
        assert bars[str(k)][above, 2].sum() == np.sum(x[y == k] > cut)
    plt.close(ax.figure)


def test_a_deeper_node_has_its_own_rows():
    X, y = numbers()
    model = TreeClassifier().fit(X, y)
    for node in np.flatnonzero(model.tree_.n_children > 0)[:4].tolist():
        total = sum(bars[:, 2].sum() for bars in bars_of(plot_split(model, node, X, y)).values())
        assert total == model.tree_.n_rows[node]


@pytest.mark.parametrize("branching", ["binary", "multiway"])
def test_categories_have_their_counts_and_stand_by_branch(branching):
    X, y = datasets.load("titanic", return_X_y=True)
    model = TreeClassifier(branching=branching, split_order=["status"]).fit(X, y)
    ax = plot_split(model, 0, X, y)
    bars, names = bars_of(ax), [label.get_text() for label in ax.get_xticklabels()]
    table = pd.crosstab(X["status"], np.asarray(y))
    for label in ("no", "yes"):
        assert dict(zip(names, bars[label][:, 2], strict=True)) == table[label].to_dict()
    routes = dict(zip(model.schema_.columns[0].categories, model.tree_.routes_of(0), strict=True))
    branches = [routes[name] for name in names]
    assert branches == sorted(branches)
    assert ax.get_xlabel() == "status"


def test_without_data_the_branches_are_drawn_by_their_counts():
    X, y = people(rows=150)
    model = TreeClassifier().fit(X, y)
    for node in np.flatnonzero(model.tree_.n_children > 0)[:5].tolist():
        bars = bars_of(plot_split(model, node))
        for k, label in enumerate(model.classes_):
            counts = model.tree_.counts[list(model.tree_.children(node)), k]
            np.testing.assert_allclose(bars[label][:, 2] if counts.any() else 0, counts)


@pytest.mark.parametrize("way", WAYS)
def test_missing_values_are_left_out(way):
    sample = mixed(150)
    model = TreeClassifier(missing=way).fit(sample.frame, sample.y)
    path = model.decision_path(sample.frame)
    for node in np.flatnonzero(model.tree_.n_children > 0)[:8].tolist():
        ax = plot_split(model, node, sample.frame, sample.y)
        if model.tree_.kind[node] == 4:  # known or missing: by the counts
            continue
        here = path[:, [node]].toarray().ravel().astype(bool)
        known = ~sample.frame.iloc[:, model.tree_.column[node]].isna().to_numpy()
        assert sum(bars[:, 2].sum() for bars in bars_of(ax).values()) == (here & known).sum()


def test_many_categories_are_cut_and_said_so():
    codes = np.repeat(np.arange(60), np.arange(1, 61))
    X = pd.DataFrame({"city": pd.Categorical.from_codes(codes, [f"c{i}" for i in range(60)])})
    ax = plot_split(TreeClassifier().fit(X, codes % 2), 0, X, codes % 2)
    assert len(ax.get_xticklabels()) == 40 and ax.get_xlabel() == "city (20 rarer categories not drawn)"
    assert "c19" not in [label.get_text() for label in ax.get_xticklabels()]


def test_in_axes_of_ones_own():
    X, y = numbers()
    model = TreeClassifier(max_depth=2).fit(X, y)
    axes = Figure().subplots(1, 3)
    assert plot_split(model, 0, X, y, ax=axes[0]) is axes[0]
    assert plot_split(model, 0, ax=axes[1]) is axes[1]
    assert plot_importances(model, ax=axes[2]) is axes[2]


def test_what_is_refused():
    X, y = numbers()
    model = TreeClassifier(max_depth=1).fit(X, y)
    with pytest.raises(ValueError, match="node=1 is a leaf, which has no split to draw"):
        plot_split(model, 1)
    with pytest.raises(ValueError, match="node=3 is not accepted; it must be an integer from 0 to 2"):
        plot_split(model, 3)
    with pytest.raises(ValueError, match="X and y belong together"):
        plot_split(model, 0, X)
    with pytest.raises(ValueError, match=r"y has the labels \[7\]"):
        plot_split(model, 0, X, np.full(len(X), 7))
    deep = TreeClassifier(max_depth=2).fit(X, y)
    node = int(np.flatnonzero(deep.tree_.n_children[1:] > 0)[0]) + 1
    there = deep.decision_path(X)[:, [node]].toarray().ravel() == 0
    with pytest.raises(ValueError, match=f"no row of X comes to node {node}"):
        plot_split(deep, node, X[there], y[there])


# Importances


def test_importances_are_in_order_and_add_up():
    X, y = people(rows=300)
    model = TreeClassifier().fit(X, y)
    ax = plot_importances(model)
    widths = [bar.get_width() for bar in ax.patches]
    names = [label.get_text() for label in ax.get_yticklabels()]
    expected = dict(zip(model.schema_.names, model.feature_importances_, strict=True))
    assert widths == sorted(widths, reverse=True)
    assert dict(zip(names, widths, strict=True)) == pytest.approx(
        {k: v for k, v in expected.items() if v > 0}
    )
    few = plot_importances(model, max_columns=2)
    assert [label.get_text() for label in few.get_yticklabels()][-1] == f"{len(names) - 2} others"
    assert sum(bar.get_width() for bar in few.patches) == pytest.approx(1)


def test_importances_of_a_leaf():
    ax = plot_importances(TreeClassifier().fit([[1.0]], [0]))
    assert [label.get_text() for label in ax.get_yticklabels()] == ["no column gains anything"]
    with pytest.raises(ValueError, match="max_columns=0 is not accepted"):
        plot_importances(TreeClassifier().fit([[1.0]], [0]), max_columns=0)
