"""The figure of a tree: nothing overlaps, parents are in the middle, texts stay in their boxes."""

import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError

from missing_samples import mixed
from ramify import TreeClassifier, datasets, plot_tree
from ramify.plotting.layout import breadths
from ramify.plotting.palette import class_colours
from samples import people

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _close_figures():
    yield
    plt.close("all")


def random_trees(seed, size):
    """Children of the nodes of a random tree, numbered level by level."""
    rng = np.random.default_rng(seed)
    children, place = [[]], 0
    while place < len(children) and len(children) < size:
        for _ in range(int(rng.choice([0, 1, 2, 2, 3, 6])) if place else 3):
            children[place].append(len(children))
            children.append([])
        place += 1
    return children, rng.uniform(0.2, 4.0, len(children))


def levels(children):
    level = np.zeros(len(children), dtype=int)
    for node, below in enumerate(children):
        level[below] = level[node] + 1
    return level


@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9), size=st.integers(1, 150), gap=st.floats(0, 2))
def test_layout(seed, size, gap):
    children, sizes = random_trees(seed, size)
    middles, level = breadths(children, sizes, gap), levels(children)
    assert (middles - sizes / 2).min() == pytest.approx(0, abs=1e-9)
    for of in range(level.max() + 1):
        nodes = np.flatnonzero(level == of)
        free = (middles - sizes / 2)[nodes[1:]] - (middles + sizes / 2)[nodes[:-1]]
        assert (free >= gap - 1e-9).all()
    for node, below in enumerate(children):
        if below:
            assert middles[node] == pytest.approx((middles[below[0]] + middles[below[-1]]) / 2)


def test_layout_of_mirrored_trees_and_of_equal_subtrees():
    children = [[1, 2], [3, 4], [5, 6], [], [], [], []]
    middles = breadths(children, np.ones(7), 0.5)
    np.testing.assert_allclose(np.diff(middles[3:]), [1.5, 1.75, 1.5])
    assert middles[4] - middles[3] == pytest.approx(middles[6] - middles[5])
    assert middles[0] == pytest.approx(middles[1:3].mean())


def test_small_subtrees_between_large_ones_are_spread():
    """The improvement over Reingold and Tilford: the leaves between two wide subtrees stand evenly."""
    children = [[1, 2, 3, 4], [5, 6, 7], [], [], [8, 9, 10], *([[]] * 6)]
    middles = breadths(children, np.ones(11), 0.5)
    np.testing.assert_allclose(np.diff(middles[1:5]), np.diff(middles[1:5])[0])


def test_layout_takes_linear_time_on_a_long_chain():
    size = 20_000
    children = [[i + 1, i + 2] if i % 2 == 0 and i + 2 < size else [] for i in range(size)]
    middles = breadths(children, np.ones(size), 0.1)
    assert np.isfinite(middles).all()


def extents(ax):
    """Boxes of the nodes and extents of their texts, in pixels, by node."""
    ax.figure.draw_without_rendering()
    boxes = {
        int(patch.get_gid().split("-")[1]): patch.get_window_extent()
        for patch in ax.patches
        if (patch.get_gid() or "").startswith("node-")
    }
    texts = {text.get_gid(): text.get_window_extent() for text in ax.texts if text.get_text()}
    return boxes, texts


def overlap(a, b):
    return min(a.x1, b.x1) - max(a.x0, b.x0) > 0.5 and min(a.y1, b.y1) - max(a.y0, b.y0) > 0.5


def check_figure(ax, model, nodes=None):
    """No two boxes overlap, no condition lies on another node's box or text, texts fit into their boxes."""
    boxes, texts = extents(ax)
    assert sorted(boxes) == (list(range(model.tree_.node_count)) if nodes is None else nodes)
    items = [(node, box) for node, box in boxes.items()]
    items += [(int(gid.split("-")[1]), box) for gid, box in texts.items() if gid.startswith("condition")]
    edges = np.array([[box.x0, box.x1, box.y0, box.y1] for _, box in items])
    for i in range(len(items)):
        wide = np.minimum(edges[i, 1], edges[i + 1 :, 1]) - np.maximum(edges[i, 0], edges[i + 1 :, 0])
        high = np.minimum(edges[i, 3], edges[i + 1 :, 3]) - np.maximum(edges[i, 2], edges[i + 1 :, 2])
        assert not ((wide > 0.5) & (high > 1.0)).any(), items[i]
    for gid, text in texts.items():
        part, node = gid.split("-")
        box = boxes[int(node)]
        if part != "condition":
            assert box.x0 - 1 <= text.x0 and text.x1 <= box.x1 + 1, gid
            assert box.y0 - 1.5 <= text.y0 and text.y1 <= box.y1 + 1.5, gid
    whole = ax.get_window_extent()
    assert all(whole.x0 - 1 <= box.x0 and box.x1 <= whole.x1 + 1 for box in boxes.values())
    assert all(whole.y0 - 1 <= box.y0 and box.y1 <= whole.y1 + 1 for box in boxes.values())
    legend = ax.get_legend().get_window_extent()
    assert not any(overlap(legend, box) for box in boxes.values())
    return boxes, texts


def check_parents(model, boxes, direction):
    tree = model.tree_
    for node in np.flatnonzero(tree.n_children > 0).tolist():
        below = [boxes[child] for child in tree.children(node) if child in boxes]
        if below and direction == "right":
            middle = (below[0].y0 + below[0].y1 + below[-1].y0 + below[-1].y1) / 4
            assert (boxes[node].y0 + boxes[node].y1) / 2 == pytest.approx(middle, abs=1)
        elif below:
            middle = (below[0].x0 + below[0].x1 + below[-1].x0 + below[-1].x1) / 4
            assert (boxes[node].x0 + boxes[node].x1) / 2 == pytest.approx(middle, abs=1)


@pytest.mark.parametrize("direction", ["down", "right"])
@pytest.mark.parametrize("name", ["titanic", "iris", "people", "multiway", "gaps", "one leaf"])
def test_nothing_overlaps(name, direction):
    if name in ("titanic", "iris"):
        model = TreeClassifier(max_depth=4).fit(*datasets.load(name, return_X_y=True))
    elif name == "gaps":
        sample = mixed(100)
        model = TreeClassifier(missing="own_branch", max_depth=3).fit(sample.frame, sample.y)
    elif name == "one leaf":
        model = TreeClassifier().fit([[1.0]], ["a"])
    else:
        branching = "multiway" if name == "multiway" else "binary"
        model = TreeClassifier(branching=branching, max_depth=3).fit(*people(rows=150))
    boxes, _ = check_figure(plot_tree(model, direction=direction), model)
    check_parents(model, boxes, direction)


def test_two_hundred_leaves():
    rng = np.random.default_rng(0)
    model = TreeClassifier(max_leaf_nodes=200).fit(rng.random((2000, 5)), rng.integers(0, 4, 2000))
    assert model.get_n_leaves() == 200
    with mpl.rc_context({"figure.dpi": 50}):
        ax = plot_tree(model)
    boxes, _ = check_figure(ax, model)
    check_parents(model, boxes, "right")
    assert ax.figure.get_size_inches()[1] < 60


def test_a_deep_chain():
    model = TreeClassifier("distance").fit(np.arange(60.0)[:, None], np.arange(60) % 2)
    assert model.get_depth() >= 20
    boxes, _ = check_figure(plot_tree(model), model)
    check_parents(model, boxes, "right")


@pytest.mark.parametrize("direction", ["down", "right"])
def test_thirty_branches_with_long_names(direction):
    codes = np.repeat(np.arange(30), 4)
    names = [f"a category of a rather long name, number {i}" for i in range(29)] + [
        "Donaudampfschifffahrt" * 3
    ]
    X = pd.DataFrame({"a column $with$ a_long name, too": pd.Categorical.from_codes(codes, names)})
    model = TreeClassifier(branching="multiway").fit(X, codes % 7)
    assert model.get_n_leaves() == 30
    boxes, _ = check_figure(plot_tree(model, direction=direction), model)
    check_parents(model, boxes, direction)


@pytest.mark.parametrize("size", [(3, 2), (6, 4), (16, 9)])
def test_in_axes_of_ones_own_it_shrinks_but_never_grows(size):
    model = TreeClassifier(max_depth=3).fit(*datasets.load("titanic", return_X_y=True))
    figure = Figure(figsize=size)
    mine = figure.add_subplot()
    assert plot_tree(model, ax=mine) is mine
    boxes, _ = check_figure(mine, model)
    check_parents(model, boxes, "down")
    assert max(text.get_fontsize() for text in mine.texts) <= 8.5
    assert tuple(figure.get_size_inches()) == size


def test_a_tree_too_large_for_a_picture_is_drawn_smaller(monkeypatch):
    model = TreeClassifier().fit(*datasets.load("titanic", return_X_y=True))
    whole = plot_tree(model)
    monkeypatch.setattr("ramify.plotting.tree._LARGEST", 4.0)
    ax = plot_tree(model)
    assert max(ax.figure.get_size_inches()) == pytest.approx(4.0)
    assert max(whole.figure.get_size_inches()) > 5
    check_figure(ax, model)


def test_depth_limit_says_that_there_is_more():
    model = TreeClassifier().fit(*datasets.load("titanic", return_X_y=True))
    ax = plot_tree(model, max_depth=1)
    check_figure(ax, model, [0, 1, 2])
    captions = [text.get_text() for text in ax.texts if text.get_gid().startswith("caption")]
    assert captions == ["2,201", "470 ...", "1,731 ..."]
    check_figure(plot_tree(model, max_depth=0), model, [0])


def test_bars_are_the_class_shares_and_leaves_have_the_colour_of_their_answer():
    X, y = datasets.load("titanic", return_X_y=True)
    model = TreeClassifier(max_depth=1).fit(X, y)
    ax = plot_tree(model)
    colours = [mpl.colors.to_rgb(colour) for colour in class_colours(2)]
    (bars,) = (collection for collection in ax.collections if collection.get_gid() == "bars")
    paths = [path.get_extents() for path in bars.get_paths()]
    assert len(paths) == 3 * 3  # a frame and two classes, in three nodes
    for node in range(3):
        frame, *parts = paths[3 * node : 3 * node + 3]
        shares = model.tree_.counts[node] / model.tree_.counts[node].sum()
        np.testing.assert_allclose([part.width / frame.width for part in parts], shares)
        np.testing.assert_allclose(bars.get_facecolors()[3 * node + 1 : 3 * node + 3, :3], colours)
    edge = {patch.get_gid(): patch.get_edgecolor()[:3] for patch in ax.patches if patch.get_gid()}
    assert edge["node-1"] == pytest.approx(colours[1]) and edge["node-2"] == pytest.approx(colours[0])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["no", "yes"]


def test_many_classes_have_colours_of_their_own():
    for n in (1, 2, 8, 9, 40):
        assert len(set(class_colours(n))) == n


def test_what_is_refused(monkeypatch):
    with pytest.raises(NotFittedError):
        plot_tree(TreeClassifier())
    model = TreeClassifier().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match="direction='up' is not accepted"):
        plot_tree(model, direction="up")
    with pytest.raises(ValueError, match="max_depth=-1 is not accepted"):
        plot_tree(model, max_depth=-1)
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'plot_tree needs matplotlib: pip install "ramify\[plot\]"'):
        plot_tree(model)
