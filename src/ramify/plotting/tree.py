"""A tree as a figure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify._parameters import check_choice, check_shown
from ramify.plotting.axes import new_axes
from ramify.plotting.layout import breadths
from ramify.plotting.node_block import (
    CARD_BAR,
    LINE,
    PAD,
    ROW_BAR,
    SMALL_SIZE,
    SPACE,
    TITLE_SIZE,
    NodeBlock,
    class_shares,
    make_blocks,
)
from ramify.plotting.palette import class_colours, tint

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text

    from ramify.estimator import TreeClassifier

__all__ = ["plot_tree"]

#: Inches between the levels, and between the nodes of a level.
_LEVEL_GAP = {"down": 0.42, "right": 0.5}
_GAP = {"down": 0.14, "right": 0.05}

#: Inches between an edge and the text that it leads to.
_CLEAR = 0.03

#: Inches of the largest figure; pictures can have 65,535 pixels a side.
_LARGEST = 400.0

#: A tree of so many leaves or fewer is drawn from the top down if it may choose.
_FEW_LEAVES = 14

#: Inches that the legend takes, and classes that are named in it.
_LEGEND, _NAMED = 0.35, 12

#: Left, top, width and height, in inches.
_Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True)
class _Drawing:
    """Blocks with their places: the left and upper edge of each, in inches, and their sizes."""

    blocks: list[NodeBlock]
    children: list[list[int]]
    left: NDArray[np.float64]
    top: NDArray[np.float64]
    width: NDArray[np.float64]
    height: NDArray[np.float64]

    @property
    def size(self) -> tuple[float, float]:
        return float((self.left + self.width).max()), float((self.top + self.height).max())


def plot_tree(
    model: TreeClassifier,
    *,
    max_depth: int | None = None,
    direction: str = "auto",
    ax: Axes | None = None,
) -> Axes:
    """Draw the tree: each node with the column it asks about, its cases and a bar of their classes.

    Leaves have the colour of their answer. Branches stand in the order of the tree, with what sends cases to
    them above, or before, the node below.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    max_depth : int, optional
        Nodes below this depth are left out; a node that has some ends in "...".
    direction : {"auto", "down", "right"}, default="auto"
        Where the tree grows. Large trees are easier to read as rows that grow to the right, which ``"auto"``
        chooses for more than 14 leaves.
    ax : matplotlib Axes, optional
        Where to draw; the texts are made as small as it takes. None makes a new figure, as large as the tree.

    Returns
    -------
    Axes

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    Examples
    --------
    >>> import io
    >>> from ramify import TreeClassifier, datasets, plot_tree
    >>> X, y = datasets.load("titanic", return_X_y=True)
    >>> ax = plot_tree(TreeClassifier(max_depth=3).fit(X, y))
    >>> ax.figure.savefig(io.BytesIO(), format="svg")
    """
    check_is_fitted(model, "tree_")
    check_choice("direction", direction, ("auto", "down", "right"))
    check_shown(max_depth)
    own_axes = ax is None
    if ax is None:
        ax = new_axes("plot_tree", 4.0, 3.0)
    nodes, children, cut = _shown(model, max_depth)
    leaves = sum(not below for below in children)
    if direction == "auto":
        direction = "down" if leaves <= _FEW_LEAVES else "right"
    drawing = _arranged(make_blocks(model, nodes, cut, direction == "right"), children, direction)
    width, height = drawing.size
    if own_axes:
        # What is too large for a picture is drawn smaller, so that it can be saved all the same.
        fits = min(1.0, _LARGEST / (width + 0.2), _LARGEST / (height + _LEGEND + 0.2))
        ax.figure.set_size_inches(fits * (width + 0.2), fits * (height + _LEGEND + 0.2))  # type: ignore[union-attr]
    scale = _prepare(ax, width, height, own_axes)
    colours = class_colours(len(model.classes_))
    _draw_edges(ax, drawing, direction, scale)
    for place in range(len(drawing.blocks)):
        _draw_block(ax, model, drawing, place, colours, direction, scale)
    _draw_bars(ax, model, drawing, colours, direction)
    _draw_legend(ax, model, colours, scale)
    return ax


def _shown(model: TreeClassifier, max_depth: int | None) -> tuple[list[int], list[list[int]], set[int]]:
    """Return the nodes to draw, their children as places among them, and the nodes with more below."""
    tree = model.tree_
    depth = np.zeros(tree.node_count, dtype=np.int64)
    place = {0: 0}
    nodes, children = [0], list[list[int]]([[]])
    cut: set[int] = set()
    for node in nodes:  # grows while it is walked: level by level, as the tree numbers its nodes
        below = tree.children(node)
        if len(below) and max_depth is not None and depth[node] >= max_depth:
            cut.add(node)
            continue
        for child in below:
            depth[child] = depth[node] + 1
            place[child] = len(nodes)
            children[place[node]].append(len(nodes))
            nodes.append(child)
            children.append([])
    return nodes, children, cut


def _arranged(blocks: list[NodeBlock], children: list[list[int]], direction: str) -> _Drawing:
    down = direction == "down"
    sizes = np.array([block.card_size() if down else block.row_size() for block in blocks])
    level = np.zeros(len(blocks), dtype=np.int64)
    for place, below in enumerate(children):
        level[below] = level[place] + 1
    across, along = (sizes[:, 0], sizes[:, 1]) if down else (sizes[:, 1], sizes[:, 0])
    middles = breadths(children, across.tolist(), _GAP[direction])
    deepest = np.zeros(level.max() + 1)
    np.maximum.at(deepest, level, along)
    starts = np.concatenate([[0.0], np.cumsum(deepest + _LEVEL_GAP[direction])[:-1]])[level]
    edges = middles - across / 2.0
    left, top = (edges, starts) if down else (starts, edges)
    return _Drawing(blocks, children, left, top, sizes[:, 0], sizes[:, 1])


def _prepare(ax: Axes, width: float, height: float, own: bool) -> float:
    """Make the data of the axes inches of the drawing, and return how many inches of paper one of them is."""
    ax.set_axis_off()
    ax.set_xlim(-0.1, width + 0.1)
    ax.set_ylim(height + 0.1 + _LEGEND, -0.1)
    ax.set_aspect("equal", adjustable="box")
    if own:
        ax.figure.set_layout_engine(None)  # type: ignore[union-attr]
        ax.set_position((0.0, 0.0, 1.0, 1.0))
    box = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    scale = min(box.width / (width + 0.2), box.height / (height + 0.2 + _LEGEND))
    if scale > 1.0 and not own:  # room to spare stays free
        middle = width / 2.0
        ax.set_xlim(middle - box.width / 2.0, middle + box.width / 2.0)
        ax.set_ylim(box.height - 0.1, -0.1)
        scale = 1.0
    return float(min(scale, 1.0))


def _draw_edges(ax: Axes, drawing: _Drawing, direction: str, scale: float) -> None:
    from matplotlib.collections import LineCollection

    lines = [
        _edge(drawing, place, child, direction)
        for place, below in enumerate(drawing.children)
        for child in below
    ]
    ax.add_collection(LineCollection(lines, colors="0.6", linewidths=0.9 * scale, zorder=1, capstyle="round"))


def _edge(drawing: _Drawing, above: int, below: int, direction: str) -> list[tuple[float, float]]:
    """Return a curve from a node to its child, so steep at both ends that neighbours do not cross it."""
    if direction == "down":
        start = (drawing.left[above] + drawing.width[above] / 2, drawing.top[above] + drawing.height[above])
        end = (drawing.left[below] + drawing.width[below] / 2, float(drawing.top[below]) - _CLEAR)
    else:
        start = (drawing.left[above] + drawing.width[above], drawing.top[above] + drawing.height[above] / 2)
        beside = drawing.blocks[below].before - drawing.blocks[below].condition_width()
        end = (float(drawing.left[below]) + beside - _CLEAR, drawing.top[below] + drawing.height[below] / 2)
    t = np.linspace(0.0, 1.0, 12)
    ease = t * t * (3.0 - 2.0 * t)
    gap = _LEVEL_GAP[direction] - _CLEAR
    # The curve bends in the gap above the child; from a node that ends before others of its level a straight
    # line leads there.
    if direction == "down":
        bend = end[1] - gap
        xs, ys = start[0] + (end[0] - start[0]) * ease, bend + gap * t
    else:
        bend = float(drawing.left[below]) - _CLEAR - gap
        xs, ys = bend + (end[0] - bend) * t, start[1] + (end[1] - start[1]) * ease
    return [(float(start[0]), float(start[1])), *zip(xs.tolist(), ys.tolist(), strict=True)]


def _draw_block(
    ax: Axes,
    model: TreeClassifier,
    drawing: _Drawing,
    place: int,
    colours: list[str],
    direction: str,
    scale: float,
) -> None:
    """Draw the box of a node with its texts, each findable in an SVG by its name and the node's number."""
    block, box = drawing.blocks[place], _box(drawing, place, direction)
    _draw_box(ax, block, box, colours[int(model._answers.votes[block.node])], scale)
    texts = _row_texts(ax, block, box, scale) if direction == "right" else _card_texts(ax, block, box, scale)
    for text, part in zip(texts, ("condition", "title", "caption"), strict=True):
        text.set_gid(f"{part}-{block.node}")


def _box(drawing: _Drawing, place: int, direction: str) -> _Rectangle:
    """Return left, top, width and height of a node's box: its block without what sends cases to it."""
    left, top = float(drawing.left[place]), float(drawing.top[place])
    width, height = float(drawing.width[place]), float(drawing.height[place])
    if direction == "right":
        before = drawing.blocks[place].before
        return left + before, top, width - before, height
    above = drawing.blocks[place].condition_height()
    return left, top + above, width, height - above


def _draw_box(ax: Axes, block: NodeBlock, box: _Rectangle, colour: str, scale: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    left, top, width, height = box
    patch = FancyBboxPatch(
        (left, top),
        width,
        height,
        boxstyle="round,pad=0,rounding_size=0.05",
        zorder=2,
        linewidth=0.9 * scale,
        edgecolor=colour if block.leaf else "0.55",
        facecolor=tint(colour) if block.leaf else "white",
    )
    patch.set_gid(f"node-{block.node}")
    ax.add_artist(patch)


def _row_texts(ax: Axes, block: NodeBlock, box: _Rectangle, scale: float) -> list[Text]:
    """Write condition, title and caption of a node beside each other; its bar stands before the title."""
    left, top, _, height = box
    middle, title = top + height / 2.0, left + PAD + ROW_BAR[0] + 2 * SPACE
    small, large = _small(scale) | {"va": "center_baseline"}, _large(scale) | {"va": "center_baseline"}
    return [
        ax.text(left - SPACE, middle, block.condition, ha="right", color="0.3", **small),
        ax.text(title, middle, block.title, **large),
        ax.text(title + block.title_width(), middle, block.caption, color="0.25", **small),
    ]


def _card_texts(ax: Axes, block: NodeBlock, box: _Rectangle, scale: float) -> list[Text]:
    """Write condition, title and caption of a node below each other; its bar stands above the caption."""
    left, top, width, height = box
    middle, bottom = left + width / 2.0, top + height
    centred = {"ha": "center", "multialignment": "center"}
    small, large = _small(scale) | centred, _large(scale) | centred
    return [
        ax.text(middle, top - block.condition_height(), block.condition, va="top", color="0.3", **small),
        ax.text(middle, top + PAD, block.title, va="top", **large),
        ax.text(middle, bottom - PAD, block.caption, va="bottom", color="0.25", **small),
    ]


def _small(scale: float) -> dict[str, Any]:
    """Return the look of conditions and captions."""
    return {"fontsize": SMALL_SIZE * scale, "parse_math": False, "zorder": 4, "linespacing": 1.05}


def _large(scale: float) -> dict[str, Any]:
    """Return the look of titles."""
    return _small(scale) | {"fontsize": TITLE_SIZE * scale, "fontweight": "bold"}


def _draw_bars(
    ax: Axes, model: TreeClassifier, drawing: _Drawing, colours: list[str], direction: str
) -> None:
    """Draw the class shares of each node beside each other; an empty node has an empty bar.

    All are one collection, since thousands of artists take matplotlib minutes.
    """
    from matplotlib.collections import PolyCollection

    corners, faces = [], []
    for place, block in enumerate(drawing.blocks):
        left, top, width, height = _bar(drawing, place, direction)
        shares = class_shares(model, block.node)
        ends = left + width * np.concatenate([[0.0], np.cumsum(shares)])
        parts = [(left, left + width, "0.92")]
        parts += [(ends[k], ends[k + 1], colours[k]) for k in range(len(shares)) if shares[k] > 0]
        for start, end, colour in parts:
            corners.append([(start, top), (end, top), (end, top + height), (start, top + height)])
            faces.append(colour)
    ax.add_collection(PolyCollection(corners, facecolors=faces, linewidths=0, zorder=3, gid="bars"))


def _bar(drawing: _Drawing, place: int, direction: str) -> _Rectangle:
    """Return left, top, width and height of a node's bar."""
    left, top, width, height = _box(drawing, place, direction)
    if direction == "right":
        return left + PAD, top + height / 2.0 - ROW_BAR[1] / 2.0, *ROW_BAR
    bottom = top + height - PAD - SMALL_SIZE * LINE / 72.0 - SPACE
    return left + PAD, bottom - CARD_BAR[1], width - 2 * PAD, CARD_BAR[1]


def _draw_legend(ax: Axes, model: TreeClassifier, colours: list[str], scale: float) -> None:
    from matplotlib.patches import Patch

    named = list(zip(model.classes_, colours, strict=True))[:_NAMED]
    handles = [Patch(color=colour, label=str(label)) for label, colour in named]
    if len(colours) > _NAMED:
        handles.append(Patch(color="none", label=f"{len(colours) - _NAMED:,} more"))
    ax.legend(
        handles=handles,
        loc="lower center",
        ncols=min(len(handles), 6),
        frameon=False,
        fontsize=SMALL_SIZE * scale,
        borderaxespad=0.1,
        handlelength=1.0,
        columnspacing=1.2,
    )
