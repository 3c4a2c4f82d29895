"""Trees for Mermaid, which GitHub, GitLab and many notebooks draw."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from ramify._parameters import check_choice
from ramify.export._drawing import draw

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["export_mermaid"]

#: What Mermaid, or the Markdown and HTML that it makes of a label, would take for more than itself: quotes,
#: marks of HTML and of entities, code, emphasis (an underscore between letters is none), links, and what
#: makes a list or a heading at the start.
_MARKS = re.compile(r"[\"#&<>`\\*~\[\]|]|(?<![^\W_])_|_(?![^\W_])|^[-+=](?=\s|$)|(?<=^\d)[.)]|(?<=^\d\d)[.)]")


def export_mermaid(
    model: TreeClassifier,
    *,
    max_depth: int | None = None,
    digits: int = 6,
    max_categories: int = 8,
    direction: str = "TD",
) -> str:
    """Return the tree as a Mermaid flowchart, to be put between ```` ```mermaid ```` and ```` ``` ````.

    Mermaid draws up to 500 branches unless its ``maxEdges`` says more; `max_depth` keeps a large tree below.

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
    direction : {"TD", "LR"}, default="TD"
        From the top down, or from left to right.

    Returns
    -------
    str

    Examples
    --------
    >>> from ramify import TreeClassifier, export_mermaid
    >>> print(export_mermaid(TreeClassifier().fit([[1.0], [2.0], [4.0]], ["a", "b", "b"])))
    flowchart TD
      n0["3 cases<br/>b 67%, a 33%"]
      n1(["1 case<br/>a (100%)"])
      n2(["2 cases<br/>b (100%)"])
      n0 -->|"x0 #lt;= 1.5"| n1
      n0 -->|"x0 #gt; 1.5"| n2
    """
    check_is_fitted(model, "tree_")
    check_choice("direction", direction, ("TD", "LR"))
    boxes, arrows = draw(model, max_depth, digits, max_categories)
    lines = [f"flowchart {direction}"]
    for box in boxes:
        opening, closing = ("([", "])") if box.leaf else ("[", "]")
        label = "<br/>".join(escape(line) for line in box.lines)
        lines.append(f'  {box.name}{opening}"{label}"{closing}')
    for arrow in arrows:
        text = f'|"{escape(arrow.text)}"|' if arrow.text else ""
        lines.append(f"  {arrow.start} -->{text} {arrow.end}")
    return "\n".join(lines)


def escape(text: str) -> str:
    """Return a text in which every mark that means something to Mermaid is written as an entity."""
    names = {'"': "#quot;", "<": "#lt;", ">": "#gt;", "&": "#amp;"}
    return _MARKS.sub(lambda found: names.get(found[0], f"#{ord(found[0])};"), text)
