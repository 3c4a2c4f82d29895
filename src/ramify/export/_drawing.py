"""What a drawing of a tree shows, whatever the language it is written in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ramify._conditions import branch_texts
from ramify._parameters import check_shown
from ramify.export.text import node_lines, printable

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier


@dataclass(frozen=True)
class Box:
    """A node of a drawing: its name, the lines in it, and whether it is a leaf of the tree."""

    name: str
    lines: tuple[str, ...]
    leaf: bool


@dataclass(frozen=True)
class Arrow:
    """A branch: the names of the boxes that it joins, and its condition."""

    start: str
    end: str
    text: str


def draw(
    model: TreeClassifier, max_depth: int | None, digits: int, max_categories: int
) -> tuple[list[Box], list[Arrow]]:
    """Return the boxes and arrows of a drawing, parents before their children.

    Nodes below `max_depth` are counted in one box.
    """
    check_shown(max_depth, digits, max_categories)
    tree = model.tree_
    hidden = [] if max_depth is None else tree.sizes_below().tolist()
    boxes, arrows = [], []
    level, depth = [0], 0
    while level:
        below: list[int] = []
        for node in level:
            name, children = f"n{node}", list(tree.children(node))
            lines = tuple(printable(line) for line in node_lines(model, node, digits))
            boxes.append(Box(name, lines, not children))
            if children and max_depth is not None and depth >= max_depth:
                boxes.append(Box(f"{name}below", (f"... {hidden[node]:,} nodes below",), False))
                arrows.append(Arrow(name, f"{name}below", ""))
                continue
            texts = branch_texts(model.schema_, tree, node, digits, max_categories) if children else []
            for child, text in zip(children, texts, strict=True):
                arrows.append(Arrow(name, f"n{child}", printable(text)))
            below += children
        level, depth = below, depth + 1
    return boxes, arrows
