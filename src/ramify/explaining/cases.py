"""Why a case got its answer, and what would have given it another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify._conditions import branch_texts, number_text
from ramify.explaining.amounts import Amounts, classes_told, listed, percent
from ramify.explaining.changes import Change, smallest_changes
from ramify.explaining.encoded_cases import EncodedCases
from ramify.tree import KINDS

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["Explanation", "Explanations", "explain"]


@dataclass(frozen=True)
class Explanation:
    """Why one case got its answer; ``str`` of it is the text, one sentence a line.

    Attributes
    ----------
    row : int
        Its place in the data.
    answer : hashable
        What the model predicts.
    share : float
        The share of that class where the case ends, as by ``predict_proba``.
    nodes : tuple of int
        The nodes that it passes, the root first; those of several branches where it goes down in parts.
    sentences : tuple of str
        Its path and answer in words, and the change.
    change : Change or None
        What would have to change for another answer; None if no values would give another.
    """

    row: int
    answer: Any
    share: float
    nodes: tuple[int, ...]
    sentences: tuple[str, ...]
    change: Change | None

    @property
    def text(self) -> str:
        """The sentences, one a line."""
        return "\n".join(self.sentences)

    def __str__(self) -> str:
        return self.text


class Explanations(Sequence[Explanation]):
    """The explanations of several cases; ``str`` of it is the text.

    Parameters
    ----------
    found : list of Explanation
        One a case.
    """

    def __init__(self, found: list[Explanation]) -> None:
        self._found = tuple(found)

    @overload
    def __getitem__(self, place: int) -> Explanation: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Explanation, ...]: ...

    def __getitem__(self, place: int | slice) -> Explanation | tuple[Explanation, ...]:
        return self._found[place]

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Explanation]:
        return iter(self._found)

    @property
    def text(self) -> str:
        """All explanations, numbered if there are several."""
        if len(self._found) == 1:
            return self._found[0].text
        return "\n\n".join(f"Case {one.row}\n{one.text}" for one in self._found)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Explanations: {len(self)} cases>"


def explain(model: TreeClassifier, X: Any, *, cases: str = "cases") -> Explanations:
    """Say for each case how it came to its answer, in counts, and what would have to change for another.

    The change is the one of the fewest columns; of several, the one towards the leaf of the most training
    cases. A number may become any number, a category any of the training data. It says how the tree decides,
    not what would happen in the world if the value were changed.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    X : array-like or frame
        Rows with the columns of the training data.
    cases : str, default="cases"
        What a row of the data is, in the plural.

    Returns
    -------
    Explanations
        A sequence of `Explanation`; ``str`` of it is the text.

    Examples
    --------
    >>> from ramify import TreeClassifier, datasets, explain
    >>> X, y = datasets.load("titanic", return_X_y=True)
    >>> model = TreeClassifier(max_depth=2).fit(X, y)
    >>> woman = X[(X["sex"] == "female") & (X["status"] == "third")].head(1)
    >>> print(explain(model, woman, cases="passengers"))
    There are 2,201 passengers, 1,490 no and 711 yes.
    sex is female: 470 passengers, 344 yes and 126 no.
    status is third: 196 passengers, 106 no and 90 yes.
    So the answer is no (54.1%).
    It would be yes if status were crew, first or second (not third).
    """
    check_is_fitted(model, "tree_")
    read = EncodedCases.read(model, X)
    shares = model.predict_proba(X)
    votes = read.votes()
    changes = smallest_changes(read, votes)
    passed = read.passed()
    found = []
    for row, vote in enumerate(votes.tolist()):
        answer = model.classes_[vote]
        share = float(shares[row, vote])
        nodes = sorted(passed[row].tolist())  # numbered level by level: the root first
        sentences = [*_steps(read, row, nodes, cases), f"So the answer is {answer} ({percent(share)})."]
        change = changes[row]
        sentences.append(change.text if change else "No other values would give another answer.")
        plain = answer.item() if hasattr(answer, "item") else answer
        found.append(Explanation(row, plain, share, tuple(nodes), tuple(sentences), change))
    return Explanations(found)


def _steps(read: EncodedCases, row: int, nodes: list[int], cases: str) -> list[str]:
    """Return the path in sentences, up to where the case parts, if it does."""
    model, tree = read.model, read.model.tree_
    names = [str(label) for label in model.classes_]
    whole = _whole_path(tree.parent, nodes)

    def told(node: int) -> str:
        counts = tree.counts[node]
        if not counts.any():
            return "no training case"
        return (
            f"{Amounts.of(model, counts, cases).of_cases(float(counts.sum()))}, {classes_told(counts, names)}"
        )

    steps = [f"There are {told(0)}."]
    steps += [f"{_met(read, row, above, below)}: {told(below)}." for above, below in pairwise(whole)]
    last = whole[-1]
    if len(whole) < len(nodes):
        steps.append(_parting(read, last, set(nodes)))
    elif tree.n_children[last] > 0:
        column = int(tree.column[last])
        name, value = model.schema_.columns[column].name, read.value(row, column)
        reason = f"{name} is {'missing' if value is None else value}"
        steps.append(f"{reason}, which no training case was here, so it gets the answer of these.")
    return steps


def _whole_path(parent: NDArray[np.int32], nodes: list[int]) -> list[int]:
    """Return the nodes from the root to the first where the case goes down several branches, or its end."""
    path, inside = [0], set(nodes) - {0}
    while True:
        below = [node for node in inside if int(parent[node]) == path[-1]]
        if len(below) != 1:
            return path
        path.append(below[0])


def _met(read: EncodedCases, row: int, above: int, below: int) -> str:
    """Return what a case has that sends it from a node to its child."""
    model, tree = read.model, read.model.tree_
    index = int(tree.column[above])
    name, value = model.schema_.columns[index].name, read.value(row, index)
    if KINDS[tree.kind[above]] == "known":
        return f"{name} is {'missing' if value is None else 'known'}"
    branch = below - int(tree.first_child[above])
    if value is None:
        condition = branch_texts(model.schema_, tree, above, max_categories=4)[branch]
        return (
            f"{name} is missing" if condition.endswith("is missing") else f"{name} is missing, as {condition}"
        )
    if KINDS[tree.kind[above]] != "threshold":
        return f"{name} is {value}"
    limit = f"{'at most' if branch == 0 else 'more than'} {number_text(float(tree.threshold[above]))}"
    return f"{name} is {number_text(value)}, {limit}"


def _parting(read: EncodedCases, node: int, inside: set[int]) -> str:
    """Return in which parts a case goes on from a node, and in how many leaves it ends."""
    model, tree = read.model, read.model.tree_
    weights = model._answers.part_weights
    of_nodes = tree.counts.sum(axis=1) if weights is None else weights
    children = list(tree.children(node))
    total = float(of_nodes[children].sum())
    texts = branch_texts(model.schema_, tree, node, max_categories=4)
    parts = [
        f"{percent(float(of_nodes[child]) / total)} as if {text}"
        for child, text in zip(children, texts, strict=True)
        if child in inside
    ]
    parents = {int(tree.parent[below]) for below in inside if below > 0}
    ends = len(inside - parents)
    name = model.schema_.columns[int(tree.column[node])].name
    return f"{name} is missing, so it goes on in parts, {listed(parts)}, to {ends} leaves whose mean answers."
