"""A tree on a screen: one line a node, with a bar of its classes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ramify import TreeClassifier
from ramify._conditions import branch_texts
from ramify.explaining.amounts import number, whole_percent
from ramify.export.text import printable

#: Colours of classes that are told apart on dark and light screens, also by most who see few colours.
_COLOURS = ("blue", "dark_orange", "green", "magenta", "cyan", "yellow", "red")
_OTHERS = "bright_black"

#: Without colours the classes of a bar differ by their shades; the last is for all others.
_SHADES = "█▒░"

#: Cells of a bar, and the fewest that are left for the questions.
_BAR, _QUESTION = 12, 18

#: Of numbers of cases that are not whole: there may be parts of some.
_DIGITS = 3


@dataclass(frozen=True)
class _Line:
    """A node on its way to the screen."""

    node: int
    bars: str
    question: str
    below: int = 0  # if this line stands for nodes that are not shown: their number


def print_tree(model: TreeClassifier, console: Console, max_depth: int | None = None) -> None:
    """Print a fitted tree.

    The questions are cut to the width of a terminal; a file or a pipe gets them whole.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    console : Console
        Where to.
    max_depth : int, optional
        Nodes further down are counted, not shown.
    """
    lines = list(_lines(model, max_depth))
    styles = _styles(model)
    coloured = console.color_system is not None and not console.no_color
    answers = {line.node: _answer(model, line.node, styles) for line in lines}
    counts = {line.node: number(float(model.tree_.counts[line.node].sum()), _DIGITS) for line in lines}
    digits = max(cell_len(text) for text in counts.values())
    left = max(cell_len(line.bars + line.question) for line in lines)
    bar = _BAR
    if console.is_terminal:
        right = digits + max(cell_len(text.plain) for text in answers.values()) + 4
        if console.width < _QUESTION + right + bar + 2:
            bar = 0  # a narrow screen: the questions matter more
        room = console.width - right - (bar + 2 if bar else 0)
        left = max(min(left, room), _QUESTION)
    console.print(_legend(model, styles, coloured), soft_wrap=not console.is_terminal)
    for line in lines:
        text = Text(line.bars, style="bright_black" if coloured else "")
        if line.below:
            text.append(f"... {line.below:,} nodes below", style="italic")
            text.truncate(console.width if console.is_terminal else cell_len(text.plain), overflow="ellipsis")
            console.print(text, soft_wrap=True)
            continue
        text.append(line.question, style="default not italic")
        text.truncate(left, overflow="ellipsis", pad=True)
        text.append("  ")
        if bar:
            text.append_text(_bar(model, line.node, bar, styles, coloured))
            text.append("  ")
        text.append(counts[line.node].rjust(digits), style="default")
        text.append("  ")
        text.append_text(answers[line.node])
        missing = _missing(model, line.node)
        if not console.is_terminal or cell_len(text.plain + missing) <= console.width:
            text.append(missing, style="default")
        text.rstrip()
        if console.is_terminal:  # an answer may be longer than the screen is wide
            text.truncate(console.width, overflow="ellipsis")
        console.print(text, soft_wrap=True)


def _lines(model: TreeClassifier, max_depth: int | None) -> Iterator[_Line]:
    tree, schema = model.tree_, model.schema_
    hidden = [] if max_depth is None else tree.sizes_below().tolist()
    # A stack instead of recursion: trees may be deeper than Python's stack.
    stack: list[tuple[int, int, str, str, str]] = [(0, 0, "", "", "all rows")]
    while stack:
        node, depth, before, joint, question = stack.pop()
        yield _Line(node, before + joint, question)
        children = list(tree.children(node))
        if not children:
            continue
        below = before + {"├─ ": "│  ", "└─ ": "   "}.get(joint, "")
        if max_depth is not None and depth >= max_depth:
            yield _Line(node, f"{below}└─ ", "", hidden[node])
            continue
        texts = branch_texts(schema, tree, node)
        joints = ["├─ "] * (len(children) - 1) + ["└─ "]
        rows = [
            (child, depth + 1, below, joint, printable(text))
            for child, joint, text in zip(children, joints, texts, strict=True)
        ]
        stack.extend(reversed(rows))


def _styles(model: TreeClassifier) -> list[str]:
    """Return the colour of each class: the most frequent ones have their own, all others share one."""
    order = np.argsort(-model.tree_.counts[0], kind="stable")
    styles = [_OTHERS] * len(order)
    own = len(_COLOURS) if len(order) <= len(_COLOURS) else len(_COLOURS) - 1
    for place, k in enumerate(order[:own]):
        styles[k] = _COLOURS[place]
    return styles


def _shades(model: TreeClassifier) -> list[str]:
    order = np.argsort(-model.tree_.counts[0], kind="stable")
    shades = [_SHADES[-1]] * len(order)
    for place, k in enumerate(order[: len(_SHADES) - 1]):
        shades[k] = _SHADES[place]
    return shades


def _legend(model: TreeClassifier, styles: list[str], coloured: bool) -> Text:
    """Return which class has which colour or shade; those that share one are counted."""
    order = np.argsort(-model.tree_.counts[0], kind="stable")
    shades = _shades(model)
    text = Text()
    shared = []
    for place, k in enumerate(order):
        own = styles[k] != _OTHERS if coloured else place < len(_SHADES) - 1 or len(order) <= len(_SHADES)
        if not own:
            shared.append(k)
            continue
        text.append("█" if coloured else shades[k], style=styles[k] if coloured else "")
        text.append(f" {printable(str(model.classes_[k]))}   ")
    if shared:
        text.append("█" if coloured else _SHADES[-1], style=_OTHERS if coloured else "")
        text.append(f" {len(shared):,} more classes")
    text.rstrip()
    return text


def _bar(model: TreeClassifier, node: int, cells: int, styles: list[str], coloured: bool) -> Text:
    """Return the shares of the classes as a bar, rounded so that the cells add up."""
    counts = model.tree_.counts[node]
    total = float(counts.sum())
    text = Text()
    if total == 0:
        return Text("·" * cells, style="bright_black" if coloured else "")
    order = [k for k in np.argsort(-model.tree_.counts[0], kind="stable") if counts[k] > 0]
    exact = np.array([counts[k] / total * cells for k in order])
    sizes = np.floor(exact).astype(int)
    for place in np.argsort(-(exact - sizes), kind="stable")[: cells - int(sizes.sum())]:
        sizes[place] += 1
    shades = _shades(model)
    for k, size in zip(order, sizes, strict=True):
        text.append("█" * size if coloured else shades[k] * size, style=styles[k] if coloured else "")
    return text


def _answer(model: TreeClassifier, node: int, styles: list[str]) -> Text:
    """Return what a node answers, and how sure it is."""
    tree = model.tree_
    vote = int(model._answers.votes[node])
    leaf = tree.n_children[node] == 0
    if tree.counts[node].sum() == 0:
        return Text(
            f"→ {printable(str(model.classes_[vote]))} (no rows: like the node above)", style=styles[vote]
        )
    share = whole_percent(float(model._answers.vote_shares[node, vote]))
    if leaf:
        return Text(f"→ {printable(str(model.classes_[vote]))} {share}", style=f"bold {styles[vote]}")
    return Text(f"  {printable(str(model.classes_[vote]))} {share}", style=styles[vote])


def _missing(model: TreeClassifier, node: int) -> str:
    """Return for how many cases of a node the answer to its question is not known."""
    tree = model.tree_
    if tree.n_children[node] == 0 or tree.unknown[node] == 0:
        return ""
    column = printable(model.schema_.columns[int(tree.column[node])].name)
    return f"  ({column} missing in {number(float(tree.unknown[node]), _DIGITS)})"
