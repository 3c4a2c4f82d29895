"""Counts of cases in words: whole numbers as cases, anything else as weight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

#: Sums of weights that are this close to a whole number are meant to be one.
_ROUNDING = 1e-9


def is_whole(value: float) -> bool:
    """Whether a value is a whole number, rounding apart."""
    return abs(value - round(value)) <= _ROUNDING * max(1.0, abs(value))


def number(value: float, digits: int = 4) -> str:
    """Return a number for reading: 2,201 if it is whole, else to `digits` significant digits.

    Examples
    --------
    >>> from ramify.explaining.amounts import number
    >>> number(2201.0), number(0.123456), number(12345.678)
    ('2,201', '0.1235', '12,346')
    """
    if is_whole(value) and abs(value) < 1e15:
        return f"{round(value):,}"
    if 10 ** (digits - 1) <= abs(value) < 1e15:
        return f"{value:,.0f}"
    return f"{value:.{digits}g}"


def from_to(before: float, after: float, digits: int = 3) -> tuple[str, str]:
    """Return two numbers in as many digits as it takes to tell them apart.

    Examples
    --------
    >>> from ramify.explaining.amounts import from_to
    >>> from_to(0.497123, 0.497001)
    ('0.4971', '0.497')
    """
    while digits < 12:
        texts = number(before, digits), number(after, digits)
        if texts[0] != texts[1] or abs(before - after) <= _ROUNDING * max(1.0, abs(before)):
            break
        digits += 1
    return texts


def percent(share: float) -> str:
    """Return a share in percent, to one digit after the point where it is not whole.

    Examples
    --------
    >>> from ramify.explaining.amounts import percent
    >>> percent(0.5), percent(0.7766), percent(0.0001)
    ('50%', '77.7%', '0.01%')
    """
    value = 100.0 * share
    if is_whole(value):
        return f"{round(value)}%"
    text = f"{value:.1f}"
    if float(text) in (0.0, 100.0):  # what is not quite nothing, or not quite all, is shown as such
        text = f"{value:.1g}" if value < 50 else f"{value:.6g}"
    return f"{text}%"


def whole_percent(share: float) -> str:
    """Return a share in whole percents, where there is little room; `percent` is for sentences.

    What is not quite nothing, or not quite all, is shown as such.

    Examples
    --------
    >>> from ramify.explaining.amounts import whole_percent
    >>> whole_percent(0.7766), whole_percent(0.0001), whole_percent(0.9999)
    ('78%', '<1%', '>99%')
    """
    if 0 < share < 0.005:
        return "<1%"
    if 0.995 < share < 1:
        return ">99%"
    return f"{share:.0%}"


@dataclass(frozen=True)
class Amounts:
    """How the cases of a node are spoken of.

    Parameters
    ----------
    cases : str
        What a case is, in the plural: cases, passengers, mushrooms.
    weighted : bool
        Whether the counts are weights and not numbers of cases.
    """

    cases: str
    weighted: bool

    @classmethod
    def of(cls, model: TreeClassifier, counts: NDArray[np.float64], cases: str) -> Amounts:
        """Return the words for some counts of a model: class weights make weights of whole numbers too."""
        weighted = any(weight != 1.0 for weight in model.class_weight_.tolist())
        return cls(cases, weighted or not all(map(is_whole, counts.ravel().tolist())))

    def of_cases(self, weight: float) -> str:
        """Return an amount with its noun: 470 cases, 1 case, 475.9 cases (by weight)."""
        noun = self.cases.removesuffix("s") if weight == 1 else self.cases
        return f"{number(weight)} {noun}{' (by weight)' if self.weighted else ''}"


def listed(parts: list[str], last: str = "and") -> str:
    """Return parts as a list in a sentence.

    Examples
    --------
    >>> from ramify.explaining.amounts import listed
    >>> listed(["a", "b", "c"], "or")
    'a, b or c'
    """
    if len(parts) < 2:
        return "".join(parts)
    return f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def class_phrase(name: str) -> str:
    """Return a class to stand beside a number; one that is a number itself must not be read as one."""
    return f"of class {name}" if name[:1].isdigit() else name


def classes_told(counts: NDArray[np.float64], classes: list[str]) -> str:
    """Return class counts as a list in a sentence, the largest first; the rest is added up.

    Examples
    --------
    >>> import numpy as np
    >>> from ramify.explaining.amounts import classes_told
    >>> classes_told(np.array([20.0, 254.0]), ["no", "yes"])
    '254 yes and 20 no'
    """
    order = [int(k) for k in np.argsort(-counts, kind="stable") if counts[k] > 0]
    if len(order) == 1:
        return f"all {class_phrase(classes[order[0]])}"
    told = [f"{number(float(counts[k]))} {class_phrase(classes[k])}" for k in order[:3]]
    rest = float(counts[order[3:]].sum())
    return listed([*told, f"{number(rest)} others"] if rest > 0 else told)
