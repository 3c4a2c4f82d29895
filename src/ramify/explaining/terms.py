"""What a criterion saw in a split, in its own plain terms.

A criterion that has no words of its own here is told by the `meaning` that it declares, and its score; so a
new criterion needs no entry. Every number comes from `ramify.measures`, the one statement of each formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ramify import measures
from ramify.criteria import find_criterion
from ramify.explaining.amounts import Amounts, from_to, is_whole, listed, number, percent

Counts = NDArray[np.float64]

#: One yes-or-no question, in the unit of Shannon's entropy.
_BIT = float(np.log(2.0))

#: The words for orders other than 1 and 2, whose entropies have no everyday meaning.
_SCALE = "on the scale of order {q:g}, where 0 is one class alone"


@dataclass(frozen=True)
class Terms:
    """A split in the terms of its criterion.

    Parameters
    ----------
    words : str
        A sentence on this split, with its numbers.
    phrase : str
        What a split of this kind is worth, with ``{}`` for the amount: ``{} more right than wrong``.
    amount : callable
        From a score to that amount, for this split and for those that lost.
    """

    words: str
    phrase: str = "a score of {}"
    amount: Callable[[float], str] = number


@dataclass(frozen=True)
class CountedSplit:
    """What a criterion is a function of, and the names that go with it.

    Parameters
    ----------
    table : ndarray, shape (branches, classes)
        The class counts of the branches that hold cases.
    branches, classes : list of str
        Their names.
    q : float
        The order in use.
    support : float
        The weight that `min_support` asks for.
    amounts : Amounts
        How cases are spoken of.
    """

    table: Counts
    branches: list[str]
    classes: list[str]
    q: float
    support: float
    amounts: Amounts

    @property
    def weight(self) -> float:
        """All cases."""
        return float(self.table.sum())

    def score(self, criterion: str) -> float:
        """Return the score of the table under a criterion."""
        order = self.q if find_criterion(criterion).takes_order else None
        return float(measures.score(criterion, self.table, order, self.support))

    def entropies(self) -> tuple[float, float, float, float]:
        """Return the entropies of the classes, classes in a branch, branches, and branches in a class."""
        classes, branches = self.table.sum(axis=0), self.table.sum(axis=1)
        shares = branches / self.weight, classes / self.weight
        given_branch = float(shares[0] @ np.atleast_1d(measures.entropy(self.table, self.q)))
        given_class = float(shares[1] @ np.atleast_1d(measures.entropy(self.table.T, self.q)))
        of_classes = float(measures.entropy(classes, self.q))
        return of_classes, given_branch, float(measures.entropy(branches, self.q)), given_class


def terms_of(criterion: str | Callable[..., object], score: float, split: CountedSplit) -> Terms:
    """Return a split in the terms of a criterion.

    Parameters
    ----------
    criterion : str or callable
        A registered name, or a function of the user's own.
    score : float
        What the criterion gave the split; said as it is where there are no other words.
    split : CountedSplit
        The split.
    """
    if not isinstance(criterion, str):
        name = getattr(criterion, "__name__", type(criterion).__name__)
        named = "" if name == "<lambda>" else f", {name},"
        return Terms(f"Your own criterion{named} gives it a score of {number(score)}.")
    words = _WORDS.get(criterion)
    if words is not None:
        return words(split)
    meaning = find_criterion(criterion).meaning
    own = split.score(criterion)
    return Terms(
        f"The criterion {criterion} looks for {meaning}: a score of {number(own)}.",
    )


def _gain(split: CountedSplit) -> Terms:
    before = float(measures.entropy(split.table.sum(axis=0), split.q))
    after = before - split.score("gain")
    if split.q == 2:
        mixed = from_to(100.0 * before, 100.0 * after)
        return Terms(
            f"Draw two {split.amounts.cases} at random (the same one may come twice): they differ in class "
            f"{mixed[0]} times in 100; if both come from one branch, {mixed[1]} times.",
            "{} mixed pairs in 100 fewer",
            _hundred,
        )
    if split.q == 1:
        asked = from_to(before / _BIT, after / _BIT)
        return Terms(
            f"To find the class takes {asked[0]} yes-or-no questions on average; once the branch is known, "
            f"{asked[1]}.",
            "{} yes-or-no questions fewer",
            _bits,
        )
    scale, mixture = _SCALE.format(q=split.q), from_to(before, after, 4)
    return Terms(
        f"The mixture of the classes, {scale}, falls from {mixture[0]} to {mixture[1]} in the branches.",
        "a mixture that is {} lower",
    )


def _gain_ratio(split: CountedSplit) -> Terms:
    gain, ratio, branches = split.score("gain"), split.score("gain_ratio"), split.entropies()[2]
    words = (
        f"Knowing the branch saves {_bits(gain)} yes-or-no questions about the class, and takes "
        f"{_bits(branches)} to tell"
        if split.q == 1
        else f"It takes {number(gain)} off the mixture of the classes and makes {number(branches)} of "
        "branches, " + _SCALE.format(q=split.q)
    )
    return Terms(f"{words}: a ratio of {number(ratio)}.", "a ratio of {}")


def _lopez_de_mantaras(split: CountedSplit) -> Terms:
    shannon = CountedSplit(split.table, split.branches, split.classes, 1.0, split.support, split.amounts)
    share, gain = split.score("lopez_de_mantaras"), shannon.score("gain")
    joint = float(measures.entropy(split.table.ravel()))
    return Terms(
        f"To find both branch and class takes {_bits(joint)} yes-or-no questions on average; {_bits(gain)} "
        f"of these, {percent(share)}, need not be asked twice, because each tells of the other.",
        "{} in common",
        percent,
    )


def _distance(split: CountedSplit) -> Terms:
    _, classes, _, branches = split.entropies()
    score = split.score("distance")
    words = (
        f"Two {split.amounts.cases} of one branch differ in class {_hundred(classes)} times in 100, two of "
        f"one class differ in branch {_hundred(branches)} times"
        if split.q == 2
        else f"The branches leave {number(classes)} of the classes open and the classes {number(branches)} "
        "of the branches, " + _SCALE.format(q=split.q)
    )
    return Terms(
        f"{words}: together, branches and classes are {number(-score)} from being the same "
        "(0 is the same, less is better).",
        "a distance of {}",
        lambda other: number(-other),
    )


def _normalized_distance(split: CountedSplit) -> Terms:
    score = split.score("normalized_distance")
    return Terms(
        f"Branches and classes are {percent(-score)} of the largest distance apart that they could be (0% if "
        "the branches were the classes, 100% if they told nothing of each other).",
        "{} of the largest distance",
        lambda other: percent(-other),
    )


def _spread(split: CountedSplit) -> str:
    """How the two classes that part most spread over the branches."""
    present = np.flatnonzero(split.table.sum(axis=0) > 0)
    shares = split.table[:, present] / split.table[:, present].sum(axis=0)
    low, high = shares.argmin(axis=1), shares.argmax(axis=1)
    branch = int(np.argmax(shares.max(axis=1) - shares.min(axis=1)))
    first, second = int(high[branch]), int(low[branch])
    if first == second:
        return f"All {split.amounts.cases} are {split.classes[int(present[first])]}"
    return (
        f"Of all {split.classes[int(present[first])]}, {percent(float(shares[branch, first]))} go to "
        f"{split.branches[branch]}; of all {split.classes[int(present[second])]}, "
        f"{percent(float(shares[branch, second]))}"
    )


def _jensen_shannon(split: CountedSplit) -> Terms:
    score = split.score("jensen_shannon")
    said = f"{_bits(score)} bits" if split.q == 1 else number(score)
    return Terms(
        f"{_spread(split)}. Each class counting the same however rare it is, their spreads over the branches "
        f"differ by {said} (0 if all spread alike).",
        "a difference of {} bits" if split.q == 1 else "a difference of {}",
        _bits if split.q == 1 else number,
    )


def _hellinger(split: CountedSplit) -> Terms:
    score = split.score("hellinger")
    return Terms(
        f"{_spread(split)}. Over all pairs of classes, however rare, their spreads over the branches are on "
        f"average {number(score)} apart (0 if they spread alike, 1 if they share no branch).",
        "{} apart",
    )


def _right(split: CountedSplit) -> float:
    """Return how many cases are right when every supported branch answers with its most common class."""
    return split.score("purity") * split.weight


def _of_all(split: CountedSplit, amount: float, what: str) -> str:
    return f"{number(amount)} of {number(split.weight)} {what} ({percent(amount / split.weight)})"


def _amount(split: CountedSplit, share: float) -> str:
    """Return a share of the cases as a number of them; as it is where values are missing in some of them."""
    amount = share * split.weight
    return number(amount) if is_whole(amount) or split.amounts.weighted else percent(share)


def _answering(split: CountedSplit) -> str:
    limit = f", if it has at least {number(split.support)} of it" if split.support > 0 else ""
    return f"When every branch answers with its most common class{limit}"


def _purity(split: CountedSplit) -> Terms:
    return Terms(
        f"{_answering(split)}, {_of_all(split, _right(split), 'are right')}.",
        "{} right",
        lambda score: _amount(split, score),
    )


def _generalized_gini(split: CountedSplit) -> Terms:
    wrong = -split.score("generalized_gini") * split.weight
    return Terms(
        f"{_answering(split)}, {_of_all(split, wrong, 'are wrong')}.",
        "{} wrong",
        lambda score: _amount(split, -score),
    )


def _maxdif(split: CountedSplit) -> Terms:
    right, more = _right(split), split.score("maxdif") * split.weight
    return Terms(
        f"{_answering(split)}, {number(right)} are right and {number(split.weight - right)} wrong: "
        f"{number(more)} more right than wrong.",
        "{} more right than wrong",
        lambda score: _amount(split, score),
    )


def _maxdif_clipped(split: CountedSplit) -> Terms:
    more = split.score("maxdif_clipped") * split.weight
    return Terms(
        f"{_answering(split)}, the branches that are more often right than wrong have {number(more)} "
        "more right than wrong.",
        "{} more right than wrong",
        lambda score: _amount(split, score),
    )


def _purity_flat(split: CountedSplit) -> Terms:
    supported = int((split.table.max(axis=1) >= max(split.support, 1e-300)).sum())
    score = split.score("purity_flat")
    return Terms(
        f"{_answering(split)}, {_of_all(split, _right(split), 'are right')}; times {supported} branches that "
        f"have support, that is a score of {number(score)}.",
    )


def _mpi(split: CountedSplit) -> Terms:
    score = split.score("mpi")
    sizes = [percent(float(share)) for share in split.table.sum(axis=1)[:4] / split.weight]
    more = [f"{len(split.table) - 4:,} more"] if len(split.table) > 4 else []
    return Terms(
        f"{_spread(split)}, and the branches hold {listed([*sizes, *more])} of the {split.amounts.cases}: "
        f"a score of {number(score)} for branches that rarely share a class and are of balanced size.",
    )


def _twoing(split: CountedSplit) -> Terms:
    score = split.score("twoing")
    made = split.table / split.table.sum(axis=1, keepdims=True)
    differing = float(np.abs(made[0] - made[-1]).sum()) / 2
    sizes = [percent(float(share)) for share in split.table.sum(axis=1) / split.weight]
    return Terms(
        f"The branches hold {listed(sizes)} of the {split.amounts.cases}, and {percent(differing)} of one "
        f"branch would have to change class to be made up like the other: a score of {number(score)}.",
    )


def _hundred(share: float) -> str:
    return number(100.0 * share, 3)


def _bits(nats: float) -> str:
    return number(nats / _BIT, 3)


_WORDS: dict[str, Callable[[CountedSplit], Terms]] = {
    "gain": _gain,
    "gain_ratio": _gain_ratio,
    "lopez_de_mantaras": _lopez_de_mantaras,
    "distance": _distance,
    "normalized_distance": _normalized_distance,
    "jensen_shannon": _jensen_shannon,
    "hellinger": _hellinger,
    "purity": _purity,
    "generalized_gini": _generalized_gini,
    "maxdif": _maxdif,
    "maxdif_clipped": _maxdif_clipped,
    "purity_flat": _purity_flat,
    "mpi": _mpi,
    "twoing": _twoing,
}
