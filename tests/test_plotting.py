"""The figure of a path."""

import sys

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.figure import Figure

from ramify import TreeClassifierCV, plot_q_path, q_path
from samples import numbers

mpl.use("Agg")


@pytest.fixture(scope="module")
def path():
    return q_path(*numbers(), [0.5, 1, 2, 4, 8], cv=3, n_repeats=2)


def texts(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()]


def close(ax):
    plt.close(ax.figure)


def test_lines_band_and_axes(path):
    ax, nodes = plot_q_path(path)
    line, dashes = ax.lines[0], nodes.lines[0]
    np.testing.assert_array_equal(line.get_xdata(), path.qs_)
    np.testing.assert_array_equal(line.get_ydata(), path.accuracy_)
    np.testing.assert_array_equal(dashes.get_ydata(), path.n_nodes_)
    assert (line.get_linestyle(), dashes.get_linestyle()) == ("-", "--")
    band = ax.collections[0].get_paths()[0].vertices
    assert band[:, 1].max() == pytest.approx((path.accuracy_ + path.accuracy_se_).max())
    assert "accuracy" in ax.get_ylabel() and "nodes" in nodes.get_ylabel() and "q" in ax.get_xlabel()
    assert ax.get_title() == ""
    close(ax)


def test_the_q_that_stand_out_are_named_with_their_figures(path):
    ax, nodes = plot_q_path(path)
    legend = " | ".join(texts(ax))
    for name, q in (("best", path.best_q_), ("smallest", path.smallest_q_), ("trade-off", path.tradeoff_q_)):
        i = path.position(q)
        entry = next(text for text in texts(ax) if name in text)
        assert f"q = {q:g}," in entry
        assert f"{path.accuracy_[i]:.3f}" in entry
        assert f"{path.n_nodes_[i]:.1f} nodes" in entry
        for axes, value in ((ax, path.accuracy_[i]), (nodes, path.n_nodes_[i])):
            marked = [
                (line.get_xdata()[0], line.get_ydata()[0])
                for line in axes.lines
                if line.get_marker() in "o^s"
            ]
            assert (q, value) in marked
    assert legend.count("q = ") == len({path.best_q_, path.smallest_q_, path.tradeoff_q_})
    assert "nested" not in legend
    close(ax)


def test_in_axes_of_ones_own_and_of_other_paths(path):
    figure = Figure()
    mine = figure.add_subplot()
    ax, _ = plot_q_path(path, ax=mine)
    assert ax is mine
    nested = q_path(*numbers(), [1, 2], cv=3, n_repeats=1, nested=True, inner_cv=2)
    ax, _ = plot_q_path(nested)
    assert f"nested: {nested.nested_accuracy_:.3f}" in " ".join(texts(ax))
    close(ax)
    one = q_path(*numbers(), [2], cv=[(range(100), range(100, 150))])  # a single q, no standard error
    ax, _ = plot_q_path(one)
    ax.figure.canvas.draw()
    assert "nan" not in " ".join(texts(ax))
    close(ax)
    ax, _ = plot_q_path(TreeClassifierCV(qs=[1, 2], cv=2).fit(*numbers()).path_)
    close(ax)


def test_a_page_holds_it(path, tmp_path):
    ax, _ = plot_q_path(path)
    figure = ax.figure
    figure.savefig(tmp_path / "figure.png")
    width, height = figure.get_size_inches()
    assert width <= 6.7 and height <= 5
    box = ax.get_legend().get_window_extent()
    assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1
    close(ax)


def test_small_axes_keep_their_width_and_their_legend(path):
    figure, axes = plt.subplots(2, 2, figsize=(9, 8), layout="constrained")
    for ax in axes.flat:
        plot_q_path(path, ax=ax)
    figure.canvas.draw()
    for ax in axes.flat:
        box, inside = ax.get_legend().get_window_extent(), ax.get_window_extent()
        assert inside.width > 0.3 * figure.bbox.width
        assert box.y1 < ax.xaxis.label.get_window_extent().y0
        assert box.x0 >= 0 and box.x1 <= figure.bbox.x1
    plt.close(figure)


def test_one_q_has_its_standard_error_drawn():
    one = q_path(*numbers(), [2], cv=3, n_repeats=1)
    ax, _ = plot_q_path(one)
    (low, high) = ax.collections[0].get_segments()[0][:, 1]
    assert high - low == pytest.approx(2 * one.accuracy_se_[0])
    close(ax)


def test_axes_of_ones_own_have_the_legend_below_the_lines(path, tmp_path):
    figure, ax = plt.subplots()
    ax, nodes = plot_q_path(path, ax=ax)
    figure.savefig(tmp_path / "figure.png")
    box = ax.get_legend().get_window_extent()
    assert ax.get_window_extent().y0 <= box.y0 and box.x1 <= ax.get_window_extent().x1
    for axes in (ax, nodes):
        for line in axes.lines:
            if len(line.get_xdata()) == len(path.qs_):
                assert axes.transData.transform(line.get_xydata())[:, 1].min() > box.y1
    close(ax)


def test_orders_far_apart_are_spread():
    path = q_path(*numbers(), [0, 0.5, 1, 2, 5, 100, 1000], cv=3, n_repeats=1)
    ax, _ = plot_q_path(path)
    ax.figure.canvas.draw()
    assert [label.get_text() for label in ax.get_xticklabels()] == ["0", "1", "10", "100", "1000"]
    left, right = ax.get_xlim()
    assert left < 0 and right > 1000
    close(ax)


def test_one_fold_has_no_error_in_the_legend():
    ax, _ = plot_q_path(q_path(*numbers(), [1, 2], cv=[(range(100), range(100, 150))]))
    assert "±" not in " ".join(texts(ax))
    close(ax)


def test_what_is_no_axes_is_refused(path):
    with pytest.raises(TypeError, match="ax=3 is not accepted; it must be None or the Axes of matplotlib"):
        plot_q_path(path, ax=3)


def test_a_model_is_not_a_path():
    with pytest.raises(TypeError, match="is not a QPath; give what q_path returns"):
        plot_q_path(TreeClassifierCV())


def test_without_matplotlib(path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match=r'plot_q_path needs matplotlib: pip install "ramify\[plot\]"'):
        plot_q_path(path)
