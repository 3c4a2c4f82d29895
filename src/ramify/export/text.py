"""Trees as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ramify._conditions import branch_texts
from ramify._parameters import check_shown
from ramify.explaining.amounts import number, whole_percent

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["export_text"]


def export_text(
    model: TreeClassifier, *, max_depth: int | None = None, digits: int = 6, max_categories: int = 8
) -> str:
    """Return the tree as indented text: one line a node, with its cases and class shares.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    max_depth : int, optional
        Nodes below this depth are counted, not shown.
    digits : int, default=6
        Significant digits of thresholds and weights.
    max_categories : int, default=8
        Longer lists of categories are cut.

    Returns
    -------
    str

    Examples
    --------
    >>> from ramify import TreeClassifier, datasets, export_text
    >>> X, y = datasets.load("buys_computer", return_X_y=True)
    >>> print(export_text(TreeClassifier(q=1, branching="multiway").fit(X, y)))
    14 cases: yes 64%, no 36%
    ├─ age = <=30: 5 cases: no 60%, yes 40%
    │  ├─ student = no: 3 cases -> no (100%)
    │  └─ student = yes: 2 cases -> yes (100%)
    ├─ age = 31...40: 4 cases -> yes (100%)
    └─ age = >40: 5 cases: yes 60%, no 40%
       ├─ credit_rating = fair: 3 cases -> yes (100%)
       └─ credit_rating = excellent: 2 cases -> no (100%)
    """
    check_is_fitted(model, "tree_")
    check_shown(max_depth, digits, max_categories)
    tree, schema = model.tree_, model.schema_
    hidden = [] if max_depth is None else tree.sizes_below().tolist()
    lines: list[str] = []
    # A stack instead of recursion: trees may be deeper than Python's stack.
    stack: list[tuple[int, int, str, str, str]] = [(0, 0, "", "", "")]
    while stack:
        node, depth, bar, joint, condition = stack.pop()
        lines.append(bar + joint + printable(condition + node_text(model, node, digits)))
        children = list(tree.children(node))
        if not children:
            continue
        below = bar + {"├─ ": "│  ", "└─ ": "   "}.get(joint, "")
        if max_depth is not None and depth >= max_depth:
            lines.append(f"{below}└─ ... {hidden[node]:,} nodes below")
            continue
        texts = branch_texts(schema, tree, node, digits, max_categories)
        rows = [
            (child, depth + 1, below, "├─ ", f"{text}: ") for child, text in zip(children, texts, strict=True)
        ]
        rows[-1] = (*rows[-1][:3], "└─ ", rows[-1][4])
        stack.extend(reversed(rows))
    return "\n".join(lines)


def node_text(model: TreeClassifier, node: int, digits: int = 6, max_classes: int = 4) -> str:
    """Return the cases of a node and its class shares; for a leaf its answer."""
    cases, rest = node_lines(model, node, digits, max_classes)
    return f"{cases}: {rest}" if model.tree_.n_children[node] else f"{cases} -> {rest}"


def node_lines(model: TreeClassifier, node: int, digits: int = 6, max_classes: int = 4) -> tuple[str, str]:
    """Return the same in two parts: the cases, and the shares or the answer."""
    tree = model.tree_
    counts = tree.counts[node]
    weight = float(counts.sum())
    answer = model.classes_[int(model._answers.votes[node])]
    if weight == 0:
        return "no cases", f"{answer} (like the node above)"
    cases = f"{number(weight, digits)} case{'' if weight == 1 else 's'}"
    order = [k for k in np.argsort(-counts, kind="stable") if counts[k] > 0]
    if tree.n_children[node] == 0:
        share = model._answers.vote_shares[node, int(model._answers.votes[node])]
        return cases, f"{answer} ({whole_percent(float(share))})"
    shares = [f"{model.classes_[k]} {whole_percent(counts[k] / weight)}" for k in order[:max_classes]]
    if len(order) > max_classes:
        shares.append(f"{len(order) - max_classes:,} more")
    text = ", ".join(shares)
    if tree.unknown[node] > 0:
        column = model.schema_.columns[int(tree.column[node])].name
        text += f" ({column} missing in {number(float(tree.unknown[node]), digits)})"
    return cases, text


def printable(text: str) -> str:
    """Return a text with control characters written out: names may hold anything."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
