"""Why a node asks what it asks, or why it is a leaf."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ramify._conditions import branch_texts
from ramify._parameters import check_criterion, check_split_order, check_support, is_integer
from ramify.explaining.amounts import Amounts, classes_told, listed, number
from ramify.explaining.conditions import conditions_of, path_to
from ramify.explaining.questions import question
from ramify.explaining.stopping import stopping_reason
from ramify.explaining.terms import CountedSplit, Terms, terms_of
from ramify.tree import KINDS, SEARCHES, RunnerUp

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["Why", "why"]

#: Scores this close, on the scale of the score or the impurity, are a tie; as the search has it.
_TIE = 1e-9

#: Paths up to this depth are told, deeper ones are too long for a sentence.
_TOLD_DEPTH = 6

#: What a way of searching means for the split that was found.
_SEARCHED = {
    "every cut": "No other cut of {name} does better; all were tried.",
    "every subset": "No other grouping of the categories of {name} does better; all were tried.",
    "order of shares": "No other grouping of the categories of {name} does better; enough were tried.",
    "heuristic": "Of the groupings of {name} many were tried, but not all; a better one may exist.",
}


@dataclass(frozen=True)
class Why:
    """Why a node is what it is; ``str`` of it is the text, one sentence a line.

    Attributes
    ----------
    node : int
        The node.
    sentences : tuple of str
        The text.
    runner_ups : tuple of RunnerUp
        The best splits of the columns that lost, best first; none in a leaf, or if the model keeps none.
    """

    node: int
    sentences: tuple[str, ...]
    runner_ups: tuple[RunnerUp, ...]

    def __str__(self) -> str:
        return "\n".join(self.sentences)


def why(model: TreeClassifier, node: int = 0, *, cases: str = "cases") -> Why:
    """Say why a node asks about this column with this cut, in counts; of a leaf, why it asks nothing.

    Parameters
    ----------
    model : TreeClassifier
        Fitted; with ``n_runner_ups=3`` or so the text also says which other columns lost, and by how much.
    node : int, default=0
        Its number, as in ``tree_``; 0 is the root.
    cases : str, default="cases"
        What a row of the data is, in the plural.

    Returns
    -------
    Why

    Raises
    ------
    NotFittedError
        If the model is not fitted.
    ValueError
        If there is no such node.

    Notes
    -----
    Right and wrong are counted on the training cases, by the answers that the model gives.

    Examples
    --------
    >>> from ramify import TreeClassifier, datasets, why
    >>> X, y = datasets.load("titanic", return_X_y=True)
    >>> print(why(TreeClassifier(n_runner_ups=1).fit(X, y), cases="passengers"))
    Of 2,201 passengers, asking about sex first leaves 493 wrong instead of 711.
    sex = female: 470 passengers, 344 yes and 126 no; sex = male: 1,731 passengers, 1,364 no and 367 yes.
    Draw two passengers at random (the same one may come twice): they differ in class 43.7 times in 100; if
    both come from one branch, 34.7 times.
    Second came the question whether status is crew or third, with 3.17 mixed pairs in 100 fewer instead of
    9.08.
    """
    check_is_fitted(model, "tree_")
    model = model._plain()
    if not is_integer(node) or not 0 <= node < model.tree_.node_count:
        raise ValueError(
            f"node={node!r} is not accepted; it must be a node from 0 to {model.tree_.node_count - 1}."
        )
    node = int(node)
    depth = len(path_to(model.tree_, node)) - 1
    if model.tree_.n_children[node] == 0:
        return Why(node, _of_leaf(model, node, depth, cases), ())
    return _of_split(model, node, depth, cases)


def _reaching(model: TreeClassifier, node: int, depth: int, amounts: Amounts) -> str:
    """``2,201 cases``, or ``the 470 cases with sex = female``; who comes a long way is not told apart."""
    said = amounts.of_cases(float(model.tree_.counts[node].sum()))
    if depth == 0:
        return said
    if depth > _TOLD_DEPTH:
        return f"the {said} here"
    order = {column.name: column.categories or () for column in model.schema_.columns}
    conditions = [
        condition.text(order[condition.column], max_categories=4) for condition in conditions_of(model, node)
    ]
    return f"the {said} with {listed(conditions)}"


def _of_leaf(model: TreeClassifier, node: int, depth: int, cases: str) -> tuple[str, ...]:
    counts = model.tree_.counts[node]
    answer = int(model._answers.votes[node])
    weight = float(counts.sum())
    if weight == 0:
        return (
            f"No training case got here, so the answer is that of the node above: {model.classes_[answer]}.",
        )
    amounts = Amounts.of(model, counts, cases)
    reached = _reaching(model, node, depth, amounts)
    if counts[answer] == weight:
        plural = "are all" if weight != 1 else "is"
        first = f"The answer is {model.classes_[answer]}: {reached} {plural} {model.classes_[answer]}."
    else:
        right, wrong = float(counts[answer]), weight - float(counts[answer])
        first = (
            f"The answer is {model.classes_[answer]}: so {_is_or_are(right)} {number(right)} of {reached}, "
            f"and {number(wrong)} {_is_or_are(wrong)} not."
        )
    sentences = [first]
    if counts[answer] < counts.max():
        other = model.classes_[int(counts.argmax())]
        sentences.append(f"There are more {other}, but {_swayed(model)} make another answer the better one.")
    sentences.append(stopping_reason(model, node, depth))
    return tuple(sentences)


def _is_or_are(amount: float) -> str:
    return "is" if number(amount) == "1" else "are"


def _swayed(model: TreeClassifier) -> str:
    """Return what can make a node answer otherwise than by its most common class."""
    causes = [
        words
        for value, words in ((model.cost_matrix, "the costs"), (model.smoothing, "the smoothing"))
        if value is not None
    ]
    return listed(causes) or "the rules of answering"


def _of_split(model: TreeClassifier, node: int, depth: int, cases: str) -> Why:
    tree, schema = model.tree_, model.schema_
    children = np.arange(tree.first_child[node], tree.first_child[node] + tree.n_children[node])
    table = tree.counts[children]
    amounts = Amounts.of(model, table, cases)
    names = branch_texts(schema, tree, node, max_categories=4)
    checked = check_criterion(model.criterion, model.q)
    held = np.flatnonzero(table.sum(axis=1) > 0)
    split = CountedSplit(
        table=table[held],
        branches=[names[branch] for branch in held],
        classes=[str(label) for label in model.classes_],
        q=checked.q,
        support=check_support(model.min_support, float(tree.counts[0].sum())),
        amounts=amounts,
    )
    own = checked.criterion if isinstance(checked.criterion, str) else model.criterion
    if len(held) > 1:
        terms = terms_of(own, float(tree.score[node]), split)
    else:
        terms = Terms("Pruning moved the question here, where all cases go down one branch.")
    runners = tuple(tree.runner_ups(node))
    sentences = [
        _headline(model, node, depth, children, amounts),
        _branches_told(split),
        terms.words,
        *_exceptions(model, node, depth, split, own),
        *_others(model, node, depth, runners, terms),
    ]
    return Why(node, tuple(sentences), runners)


def _headline(model: TreeClassifier, node: int, depth: int, children: np.ndarray, amounts: Amounts) -> str:
    tree, votes = model.tree_, model._answers.votes
    before = float(tree.counts[node].sum() - tree.counts[node, votes[node]])
    after = float(tree.counts[children].sum() - tree.counts[children, votes[children]].sum())
    kind = KINDS[tree.kind[node]]
    asked = question(
        model.schema_.columns[int(tree.column[node])], kind, float(tree.threshold[node]), tree.routes_of(node)
    )
    if depth == 0:
        asked = f"first {asked}" if asked.startswith("whether") else f"{asked} first"
    start = f"Of {_reaching(model, node, depth, amounts)}, asking {asked} leaves {number(after)} wrong"
    if math.isclose(before, after, rel_tol=1e-12, abs_tol=1e-9):
        return f"{start}, as many as without it."
    return f"{start} instead of {number(before)}."


def _branches_told(split: CountedSplit) -> str:
    """Return the branches with their class counts; of many, the largest."""
    weights = split.table.sum(axis=1)
    shown = sorted(np.argsort(-weights, kind="stable")[:4].tolist())
    told = [
        f"{split.branches[branch]}: {split.amounts.of_cases(float(weights[branch]))}, "
        f"{classes_told(split.table[branch], split.classes)}"
        for branch in shown
    ]
    hidden = len(weights) - len(shown)
    if hidden:
        told.append(f"and {hidden} smaller branch{'es' if hidden > 1 else ''}")
    return f"{'; '.join(told)}."


def _exceptions(
    model: TreeClassifier, node: int, depth: int, split: CountedSplit, criterion: object
) -> list[str]:
    """Return what makes this node an exception: missing values, orders, searches, other scores."""
    tree = model.tree_
    name = model.schema_.columns[int(tree.column[node])].name
    told = _cut_told(model, node, name)
    unknown = float(tree.unknown[node])
    if unknown > 0:
        told.append(_missing_told(model, node, name, unknown, split.amounts))
    score = float(tree.score[node])
    if (
        isinstance(criterion, str)
        and len(split.table) > 1
        and not math.isclose(split.score(criterion), score, rel_tol=1e-6, abs_tol=1e-9)
    ):
        told.append(_other_score(model, name, unknown, score))
    order = check_split_order(model.split_order, model.schema_.names, model.schema_.named)
    if depth < len(order) and order[depth] == tree.column[node]:
        told.append(f"split_order asks for {name} here, so no other column was compared with it.")
    return told


def _cut_told(model: TreeClassifier, node: int, name: str) -> list[str]:
    """Return why it is this cut, or this grouping, of the column; nothing where there is only one way."""
    tree = model.tree_
    kind = KINDS[tree.kind[node]]
    if kind == "subset" and int((tree.routes_of(node) >= 0).sum()) == 2:
        return []
    if kind not in ("threshold", "subset"):
        return []
    if model.dialect != "plain":
        return [f"How {name} is cut was chosen by the dialect's own rule."]
    if kind == "threshold" and model.cuts != "exact":
        return [f"{name} could be cut only where cuts={model.cuts!r} allows it."]
    return [_SEARCHED[SEARCHES[tree.search[node]]].format(name=name)]


def _missing_told(model: TreeClassifier, node: int, name: str, unknown: float, amounts: Amounts) -> str:
    route = int(model.tree_.missing_route[node])
    said = f"{name} is missing in {amounts.of_cases(unknown)}, which"
    if route == -2:
        return f"{said} go down every branch, in parts as large as the branches' shares of the others."
    if route == -1:
        return f"{said} stay here and get this node's answer."
    return f"{said} go to {branch_texts(model.schema_, model.tree_, node, max_categories=4)[route]}."


def _other_score(model: TreeClassifier, name: str, unknown: float, score: float) -> str:
    """Why the tree gave the split another score than the counts of its branches have now."""
    causes = []
    if unknown > 0:
        causes.append(f"it was judged by the cases where {name} is known, and is worth their share")
    if model.dialect != "plain":
        causes.append("the dialect has rules of its own for scores")
    if model.pruning is not None:
        causes.append("pruning moved it here from another place")
    reason = listed(causes, "or") or "so the rules of growing valued it"
    return f"When the tree was grown, its score was {number(score)}: {reason}."


def _others(
    model: TreeClassifier, node: int, depth: int, runners: tuple[RunnerUp, ...], terms: Terms
) -> list[str]:
    """Return the splits that lost, each with what it was worth and what the chosen one was."""
    order = check_split_order(model.split_order, model.schema_.names, model.schema_.named)
    if depth < len(order) and order[depth] == model.tree_.column[node]:
        return []
    if not runners:
        if model.n_runner_ups:
            return ["No other column could be asked about here."]
        return ["What the other columns would have done was not kept; fit with n_runner_ups=3 to see it."]
    own = float(model.tree_.score[node])
    scale = _TIE * max(abs(own), float(model.tree_.impurity[node]))
    told = []
    for place, runner in enumerate(runners):
        asked = question(model.schema_.columns[runner.column], runner.kind, runner.threshold, runner.routes)
        worth = terms.phrase.format(terms.amount(runner.score))
        said = f"{_ORDINALS[place] if place < len(_ORDINALS) else 'Then'} came the question {asked}"
        if abs(runner.score - own) <= scale:
            told.append(f"{said}, with just as much; among equals the first column is asked about.")
        elif runner.score > own:
            told.append(
                f"{said}, with {worth}: more, but its gain of {number(runner.gain)} was not admitted."
            )
        else:
            told.append(f"{said}, with {worth} instead of {terms.amount(own)}.")
    return told


_ORDINALS = ("Second", "Third", "Fourth")
