"""Trees for Graphviz."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from ramify.export._drawing import draw

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["export_dot"]


def export_dot(
    model: TreeClassifier, *, max_depth: int | None = None, digits: int = 6, max_categories: int = 8
) -> str:
    r"""Return the tree in DOT, the language of Graphviz: ``dot -Tsvg tree.dot -o tree.svg``.

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
    >>> from ramify import TreeClassifier, export_dot
    >>> print(export_dot(TreeClassifier().fit([[1.0], [2.0], [4.0]], ["a", "b", "b"])))
    digraph tree {
      node [shape=box, fontname="Helvetica"];
      edge [fontname="Helvetica"];
      n0 [label="3 cases\nb 67%, a 33%"];
      n1 [label="1 case\na (100%)", style=rounded];
      n2 [label="2 cases\nb (100%)", style=rounded];
      n0 -> n1 [label="x0 <= 1.5"];
      n0 -> n2 [label="x0 > 1.5"];
    }
    """
    check_is_fitted(model, "tree_")
    boxes, arrows = draw(model, max_depth, digits, max_categories)
    lines = ["digraph tree {", '  node [shape=box, fontname="Helvetica"];', '  edge [fontname="Helvetica"];']
    for box in boxes:
        label = "\\n".join(escape(line) for line in box.lines)
        lines.append(f'  {box.name} [label="{label}"{", style=rounded" if box.leaf else ""}];')
    lines += [f'  {arrow.start} -> {arrow.end} [label="{escape(arrow.text)}"];' for arrow in arrows]
    return "\n".join([*lines, "}"])


def escape(text: str) -> str:
    r"""Return a text as it must stand between quotes; ``\`` and ``&`` are more than themselves there."""
    return text.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"')
