"""Dialects: the rules by which systems of the same idea differ."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["C45", "PLAIN", "Dialect"]


@dataclass(frozen=True)
class Dialect:
    """A bundle of rules; the defaults are the plain dialect.

    Parameters
    ----------
    by_columns : bool
        Judge columns one after the other, as C4.5 does: the split of each column is chosen by rules of
        its own, and then the column with the best score wins. Leaf minima are weights then, a node needs
        twice the minimum, and two branches of a nominal column are one category and all others. The
        plain way is to compare all splits of all columns by their scores. The rules that follow, up to
        `last_of_equal_cuts`, have an effect only with this one.
    cut_criterion : str
        The comparison of entropies by which the cut of a numeric column is chosen.
    cut_minimum : bool
        A cut needs ``max(m, min(25, a tenth of the known weight a class))`` on each side.
    mdl_correction : bool
        The gain of a numeric column loses ``log2(number of cuts) / weight of the node``.
    average_gain_gate : bool
        Only columns whose gain is at least the average compete.
    unknown_is_outcome : bool
        The split information counts missing values as one more branch.
    cut_at_value : bool
        A threshold is the largest value of the training data up to the midpoint.
    tie_tolerance : float
        A later candidate must be better by more than this.
    min_gap : float
        Neighbouring values closer than this are not parted.
    known_cases_only : bool
        A column is scored by its known cases alone, however few they are; otherwise its gain is worth
        their share of the node.
    last_of_equal_cuts : bool
        Of the cuts of a numeric column that are equally good the last is taken, not the first.
    available_gain_gate : bool
        Only columns whose gain is at least the mean over all columns that are left compete, with
        `by_columns` or without. A column that can not be split counts as 0; a nominal column that a
        multi-way split has used further up does not count. All columns are looked at, so it goes with
        neither `max_features` nor `split_order`.
    cuts_must_improve : bool
        A numeric column competes only if its cut scores more than one that leaves both sides with the
        class distribution of the node. With `by_columns` that is so for all columns anyway.
    merging : bool
        A split all of whose branches are leaves that vote like their node becomes a leaf, from the leaves
        up, after growing and before any pruning. Branches of a split that stays are not joined, unlike in
        ``ramify.prune(model, "merge")``.
    collapsing : bool
        A subtree that makes no fewer training errors than its root would is collapsed after growing,
        pruning or not.
    raising : bool
        Pessimistic pruning may put the largest branch of a node in the node's place.
    pruning_z : float, optional
        The quantile in pessimistic pruning, instead of that of the confidence.
    declared_classes : bool
        Classes of labels with declared categories keep the declared order, and those that do not occur
        count too. The plain way is to sort the classes that occur, as scikit-learn does.

    Examples
    --------
    C4.5 without subtree raising (J48's ``-S``):

    >>> from dataclasses import replace
    >>> from ramify import C45, c45
    >>> model = c45(dialect=replace(C45, raising=False))
    """

    by_columns: bool = False
    cut_criterion: str = "gain"
    cut_minimum: bool = False
    mdl_correction: bool = False
    average_gain_gate: bool = False
    unknown_is_outcome: bool = False
    cut_at_value: bool = False
    tie_tolerance: float = 0.0
    min_gap: float = 0.0
    known_cases_only: bool = False
    last_of_equal_cuts: bool = False
    available_gain_gate: bool = False
    cuts_must_improve: bool = False
    merging: bool = False
    collapsing: bool = False
    raising: bool = False
    pruning_z: float | None = None
    declared_classes: bool = False

    @property
    def changes_grown_trees(self) -> bool:
        """Whether a tree is made smaller after growing, pruning or not."""
        return self.collapsing or self.merging


#: All splits of all columns compete by their scores.
PLAIN = Dialect()

#: C4.5's own rules, as Weka 3.6's J48 has them.
C45 = Dialect(
    by_columns=True,
    cut_minimum=True,
    mdl_correction=True,
    average_gain_gate=True,
    unknown_is_outcome=True,
    cut_at_value=True,
    tie_tolerance=1e-6,
    min_gap=1e-5,
    collapsing=True,
    raising=True,
    declared_classes=True,
)

DIALECTS: dict[str, Dialect] = {"plain": PLAIN, "c45": C45}


def _check_rules(dialect: Dialect) -> None:
    """Check the types and ranges of a dialect's rules."""
    for field in fields(dialect):
        value, default = getattr(dialect, field.name), field.default
        if isinstance(default, bool):
            right, accepted = isinstance(value, bool), "True or False"
        elif field.name == "cut_criterion":
            continue  # checked with the criteria
        else:
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            right = (number and 0.0 <= value < math.inf) or (field.name == "pruning_z" and value is None)
            accepted = "a finite number >= 0" + (" or None" if field.name == "pruning_z" else "")
        if not right:
            raise ValueError(f"dialect.{field.name}={value!r} is not accepted; it must be {accepted}.")
    if dialect.average_gain_gate and dialect.available_gain_gate:
        raise ValueError(
            "dialect.average_gain_gate and dialect.available_gain_gate are two readings of one rule; "
            "set one of them."
        )


def find_dialect(given: Any) -> Dialect:
    """Return the dialect that a parameter names or is.

    Raises
    ------
    ValueError
        If it is neither a known name nor a Dialect, or one with rules out of range.
    """
    if isinstance(given, Dialect):
        _check_rules(given)
        return given
    if isinstance(given, str) and given in DIALECTS:
        return DIALECTS[given]
    names = ", ".join(map(repr, DIALECTS))
    raise ValueError(f"dialect={given!r} is not accepted; it must be one of {names}, or a ramify.Dialect.")
