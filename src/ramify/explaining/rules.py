"""The tree as if-then rules, one a leaf."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal, overload

import narwhals.stable.v2 as nw
from sklearn.utils.validation import check_is_fitted

from ramify._parameters import is_real, refuse
from ramify.explaining.amounts import Amounts, percent
from ramify.explaining.conditions import Condition, walk
from ramify.schema import Schema

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["Rule", "Rules", "rules", "wilson_interval"]


def wilson_interval(successes: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Return Wilson's score interval of a share; it stays inside 0 and 1, and is right for few trials too.

    Parameters
    ----------
    successes, trials : float
        Their numbers, or weights; of no trials the interval is from 0 to 1.
    level : float, default=0.95
        How often such an interval holds the true share.

    Examples
    --------
    >>> from ramify.explaining.rules import wilson_interval
    >>> [round(limit, 4) for limit in wilson_interval(8, 10)]
    [0.4902, 0.9433]
    """
    if trials <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + level / 2.0)
    share, spread = successes / trials, z * z / trials
    middle = (share + spread / 2.0) / (1.0 + spread)
    reach = z / (1.0 + spread) * math.sqrt(share * (1.0 - share) / trials + spread / (4.0 * trials))
    # At the ends the interval begins, or ends, with the share itself; rounding must not say otherwise.
    return min(max(0.0, middle - reach), share), max(min(1.0, middle + reach), share)


@dataclass(frozen=True)
class Rule:
    """One rule: the conditions of a leaf, its answer, and how well that holds in training.

    Attributes
    ----------
    node : int
        The leaf.
    conditions : tuple of Condition
        At most one a column; none if the tree is a single leaf.
    answer : hashable
        The class that cases of the rule get.
    support : float
        The training cases that meet the rule, by weight.
    confidence : float
        The share of them that are of the class; that of the node above for a rule without support.
    interval : tuple of float
        Wilson's interval of the confidence.
    n_rows : int
        The training rows that meet it, those counted too that do so in part only.
    text : str
        The rule in words.
    """

    node: int
    conditions: tuple[Condition, ...]
    answer: Any
    support: float
    confidence: float
    interval: tuple[float, float]
    n_rows: int
    text: str

    def __str__(self) -> str:
        return self.text


class Rules(Sequence[Rule]):
    """The rules of a tree, from its first leaf to its last; ``str`` of it is the text.

    Parameters
    ----------
    found : list of Rule
        The rules.
    schema : Schema
        The model's.
    level : float
        Of the intervals.
    """

    def __init__(self, found: list[Rule], schema: Schema, level: float) -> None:
        self._rules = tuple(found)
        self._schema = schema
        self.level = level

    @overload
    def __getitem__(self, place: int) -> Rule: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Rule, ...]: ...

    def __getitem__(self, place: int | slice) -> Rule | tuple[Rule, ...]:
        return self._rules[place]

    def __len__(self) -> int:
        return len(self._rules)

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Rules: {len(self)} rules>"

    @property
    def text(self) -> str:
        """All rules in words, one a line."""
        return "\n".join(rule.text for rule in self._rules)

    def to_frame(self, backend: Literal["pandas", "polars", "pyarrow"] = "pandas") -> Any:
        """Return the rules as a frame, a row for each.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default="pandas"
            The library whose frame it shall be; it must be installed.

        Returns
        -------
        frame
            Columns ``rule`` (the conditions in words), ``answer``, ``support``, ``confidence``, ``low`` and
            ``high`` (of the interval), ``n_rows``, ``n_conditions`` and ``node``.

        Examples
        --------
        >>> from ramify import TreeClassifier, datasets, rules
        >>> X, y = datasets.load("titanic", return_X_y=True)
        >>> frame = rules(TreeClassifier(max_depth=1).fit(X, y)).to_frame()
        >>> frame[["rule", "answer", "support"]]
                   rule answer  support
        0  sex = female    yes    470.0
        1    sex = male     no   1731.0
        """
        if backend not in ("pandas", "polars", "pyarrow"):
            raise refuse("backend", backend, "'pandas', 'polars' or 'pyarrow'")
        columns: dict[str, list[Any]] = {
            "rule": [_conditions_text(rule.conditions, self._schema) for rule in self._rules],
            "answer": [rule.answer for rule in self._rules],
            "support": [rule.support for rule in self._rules],
            "confidence": [rule.confidence for rule in self._rules],
            "low": [rule.interval[0] for rule in self._rules],
            "high": [rule.interval[1] for rule in self._rules],
            "n_rows": [rule.n_rows for rule in self._rules],
            "n_conditions": [len(rule.conditions) for rule in self._rules],
            "node": [rule.node for rule in self._rules],
        }
        return nw.from_dict(columns, backend=backend).to_native()


def rules(model: TreeClassifier, *, level: float = 0.95, cases: str = "cases") -> Rules:
    """Return the tree as if-then rules with their support, confidence and its interval.

    Each leaf is a rule. What its path asks of one column is merged into one condition, so no rule asks twice;
    the rules exclude each other, and a case gets the answer of the one that it meets, as by ``predict``.

    Parameters
    ----------
    model : TreeClassifier
        Fitted.
    level : float in (0, 1), default=0.95
        Of Wilson's intervals of the confidence. They say how far few cases can be trusted; that the tree was
        made to fit these very cases, no such interval can allow for.
    cases : str, default="cases"
        What a row of the data is, in the plural.

    Returns
    -------
    Rules
        A sequence of `Rule`; ``str`` of it is the text, ``to_frame()`` a frame.

    Notes
    -----
    A case with a missing value may meet no rule: it goes down several branches in parts, and its answer is a
    mean. So may one with a category that its node did not see in training. See `ramify.explain`.

    Examples
    --------
    >>> from ramify import TreeClassifier, datasets, rules
    >>> X, y = datasets.load("titanic", return_X_y=True)
    >>> print(rules(TreeClassifier(max_depth=2).fit(X, y)))
    if sex = female and status in {crew, first, second} then yes (92.7% of 274 cases, 95% interval 89.0% to
    95.2%)
    if sex = female and status = third then no (54.1% of 196 cases, 95% interval 47.1% to 60.9%)
    if sex = male and age = adult then no (79.7% of 1,667 cases, 95% interval 77.7% to 81.6%)
    if sex = male and age = child then no (54.7% of 64 cases, 95% interval 42.6% to 66.3%)
    """
    check_is_fitted(model, "tree_")
    if not is_real(level) or not 0.0 < level < 1.0:
        raise refuse("level", level, "a number in (0, 1)")
    found = [
        _rule(model, node, tuple(conditions.values()), level, cases)
        for node, conditions in walk(model)
        if model.tree_.n_children[node] == 0
    ]
    return Rules(found, model.schema_, level)


def _conditions_text(conditions: tuple[Condition, ...], schema: Schema) -> str:
    order = {column.name: column.categories or () for column in schema.columns}
    return " and ".join(condition.text(order[condition.column]) for condition in conditions)


def _rule(
    model: TreeClassifier, node: int, conditions: tuple[Condition, ...], level: float, cases: str
) -> Rule:
    counts, vote = model.tree_.counts[node], int(model._answers.votes[node])
    answer = model.classes_[vote]
    support, right = float(counts.sum()), float(counts[vote])
    if support > 0:
        confidence = right / support
        low, high = wilson_interval(right, support, level)
        amounts = Amounts.of(model, counts, cases)
        interval = f"{percent(level)} interval {percent(low)} to {percent(high)}"
        known = f"{percent(confidence)} of {amounts.of_cases(support)}, {interval}"
    else:
        above = model.tree_.counts[int(model.tree_.parent[node])]
        confidence, (low, high) = float(above[vote] / above.sum()), (0.0, 1.0)
        known = "no training case; the answer of the node above"
    condition = _conditions_text(conditions, model.schema_)
    start = f"if {condition} then {answer}" if condition else f"always {answer}"
    return Rule(
        node=node,
        conditions=conditions,
        answer=answer.item() if hasattr(answer, "item") else answer,
        support=support,
        confidence=confidence,
        interval=(low, high),
        n_rows=int(model.tree_.n_rows[node]),
        text=f"{start} ({known})",
    )
