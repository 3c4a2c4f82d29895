"""The block that stands for a node in a drawn tree: its texts and how large they are, in inches."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from ramify._conditions import branch_texts
from ramify.explaining.amounts import number, whole_percent

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

#: Characters in a line of a card, lines of a name, and characters of a row's condition.
WRAP, LINES, ROW_WRAP = 18, 4, 34

#: Inches: around the texts of a block, between them, and the bar of class shares.
PAD, SPACE = 0.06, 0.045
CARD_BAR, ROW_BAR = (0.78, 0.10), (0.5, 0.11)

#: Points.
TITLE_SIZE, SMALL_SIZE = 8.5, 7.0
_POINT = 1.0 / 72.0
LINE = 1.25  # the height of a line, in its size


@dataclass(frozen=True)
class NodeBlock:
    """A node to be drawn.

    Attributes
    ----------
    node : int
        Its number.
    condition : str
        What sends cases here, without the column's name; empty for the root. It may have several lines.
    title : str
        The column that is asked about, or the answer of a leaf.
    caption : str
        How many cases there are.
    leaf : bool
        Whether it answers.
    before : float
        Inches that a row keeps for the condition, the same for all children of a node.
    """

    node: int
    condition: str
    title: str
    caption: str
    leaf: bool
    before: float = 0.0

    def card_size(self) -> tuple[float, float]:
        """Return width and height with the texts below each other, the condition above the box."""
        width = max(CARD_BAR[0], _width(self.title, TITLE_SIZE, True), _width(self.caption, SMALL_SIZE))
        width = max(width + 2 * PAD, _width(self.condition, SMALL_SIZE))
        return width, self.box_height() + self.condition_height()

    def condition_height(self) -> float:
        """Return the height of the condition above a card's box."""
        return _height(self.condition, SMALL_SIZE) + (0.02 if self.condition else 0.0)

    def box_height(self) -> float:
        """Return the height of a card's box."""
        texts = _height(self.title, TITLE_SIZE) + _height(self.caption, SMALL_SIZE)
        return texts + CARD_BAR[1] + 2 * PAD + 2 * SPACE

    def condition_width(self) -> float:
        """Return the width of the condition before a row's box, and of the space after it."""
        return _width(self.condition, SMALL_SIZE) + SPACE if self.condition else 0.0

    def title_width(self) -> float:
        """Return the width of a row's title and of the space after it."""
        return _width(self.title, TITLE_SIZE, True) + SPACE

    def row_size(self) -> tuple[float, float]:
        """Return width and height of such a row."""
        texts = self.before + self.title_width() + _width(self.caption, SMALL_SIZE)
        width = texts + ROW_BAR[0] + 2 * PAD + 2 * SPACE
        return width, TITLE_SIZE * LINE * _POINT + 2 * PAD * 0.7


def make_blocks(model: TreeClassifier, nodes: list[int], cut: set[int], rows: bool) -> list[NodeBlock]:
    """Return the blocks of some nodes; those in `cut` have more below that is not drawn."""
    tree, blocks = model.tree_, []
    conditions = {0: ""}
    for node in nodes:
        if tree.n_children[node] and node not in cut:
            name = model.schema_.columns[int(tree.column[node])].name
            for child, text in zip(
                tree.children(node), branch_texts(model.schema_, tree, node, 4, 6), strict=True
            ):
                conditions[child] = _wrapped(_without_name(text, name), rows)
        blocks.append(_block(model, node, conditions[node], node in cut, rows))
    return _aligned(model, blocks)


def _aligned(model: TreeClassifier, blocks: list[NodeBlock]) -> list[NodeBlock]:
    """Give siblings the same room for their conditions, so that their boxes stand in line."""
    widest: dict[int, float] = {}
    for block in blocks:
        parent = int(model.tree_.parent[block.node])
        widest[parent] = max(widest.get(parent, 0.0), block.condition_width())
    return [replace(block, before=widest[int(model.tree_.parent[block.node])]) for block in blocks]


def _block(model: TreeClassifier, node: int, condition: str, cut: bool, rows: bool) -> NodeBlock:
    tree = model.tree_
    weight = float(tree.counts[node].sum())
    leaf = bool(tree.n_children[node] == 0)
    vote = int(model._answers.votes[node])
    if not leaf:
        title = f"{model.schema_.columns[int(tree.column[node])].name}?"
        caption = f"{number(weight)} ..." if cut else number(weight)
    elif weight > 0:
        title = str(model.classes_[vote])
        caption = f"{whole_percent(float(tree.counts[node, vote]) / weight)} of {number(weight)}"
    else:
        title, caption = str(model.classes_[vote]), "no cases"
    return NodeBlock(node, condition, _wrapped(title, rows), caption, leaf)


def _without_name(text: str, name: str) -> str:
    """Return a condition without the column's name, which stands in the node above."""
    said = text[len(name) + 1 :]
    for long, short in (("<= ", "≤ "), ("= ", ""), ("in {", "")):
        if said.startswith(long):
            said = short + said[len(long) :].replace("}", "") if long == "in {" else short + said[len(long) :]
            break
    return said


def _wrapped(text: str, rows: bool) -> str:
    if rows:
        return textwrap.shorten(text, ROW_WRAP, placeholder=" ...") if " " in text else text[: 2 * WRAP]
    lines = textwrap.wrap(text, WRAP, break_long_words=True) or [""]
    if len(lines) > LINES:
        lines = [*lines[: LINES - 1], lines[LINES - 1][: WRAP - 4] + " ..."]
    return "\n".join(lines)


def _height(text: str, size: float) -> float:
    return (text.count("\n") + 1) * size * LINE * _POINT if text else 0.0


def _width(text: str, size: float, bold: bool = False) -> float:
    return max((_line_width(line, size, bold) for line in text.split("\n") if line), default=0.0)


@cache
def _line_width(line: str, size: float, bold: bool) -> float:
    """Inches of a line; a little more than measured, because renderers round each letter up."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=size, weight="bold" if bold else "normal")
    width, _, _ = TextToPath().get_text_width_height_descent(line, font, ismath=False)
    return float(width) * _POINT * 1.06 + 0.02


def class_shares(model: TreeClassifier, node: int) -> np.ndarray:
    """Return the shares by which a node's bar is coloured: its own, or none if it has no cases."""
    counts = model.tree_.counts[node]
    return np.asarray(counts / max(float(counts.sum()), 1e-300))
