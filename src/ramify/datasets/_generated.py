"""The generated sets: data sets that a rule or a table of counts gives completely.

The rows come in the order in which the sets are usually distributed, because cross-validation
folds, and so published figures, depend on it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import product

import numpy as np

from ._entry import Entry
from ._table import NominalColumn, NumericColumn, Table

_BUYS_COMPUTER_ROWS = """
<=30     high    no   fair       no
<=30     high    no   excellent  no
31...40  high    no   fair       yes
>40      medium  no   fair       yes
>40      low     yes  fair       yes
>40      low     yes  excellent  no
31...40  low     yes  excellent  yes
<=30     medium  no   fair       no
<=30     low     yes  fair       yes
>40      medium  yes  fair       yes
<=30     medium  yes  excellent  yes
31...40  medium  no   excellent  yes
31...40  high    yes  fair       yes
>40      medium  no   excellent  no
"""


def _buys_computer(download: bool = False) -> Table:
    lines = _BUYS_COMPUTER_ROWS.strip().splitlines()
    age, income, student, credit_rating, bought = zip(*(line.split() for line in lines), strict=True)
    return Table(
        columns=(
            NominalColumn("age", age, ("<=30", "31...40", ">40")),
            NominalColumn("income", income, ("low", "medium", "high")),
            NominalColumn("student", student, ("no", "yes")),
            NominalColumn("credit_rating", credit_rating, ("fair", "excellent")),
        ),
        target="buys_computer",
        labels=bought,
        classes=("no", "yes"),
    )


# How many people of each status and age: males who survived and did not, females who survived and
# did not. There were no children in the crew.
_TITANIC_COUNTS = {
    ("first", "adult"): (57, 118, 140, 4),
    ("first", "child"): (5, 0, 1, 0),
    ("second", "adult"): (14, 154, 80, 13),
    ("second", "child"): (11, 0, 13, 0),
    ("third", "adult"): (75, 387, 76, 89),
    ("third", "child"): (13, 35, 14, 17),
    ("crew", "adult"): (192, 670, 20, 3),
}


def _titanic(download: bool = False) -> Table:
    kinds = list(product(("male", "female"), ("yes", "no")))
    rows = [
        (status, age, sex, survived)
        for (status, age), counts in _TITANIC_COUNTS.items()
        for (sex, survived), count in zip(kinds, counts, strict=True)
        for _ in range(count)
    ]
    status, age, sex, survived = zip(*rows, strict=True)
    return Table(
        # Alphabetical orders: the source declares none, it gives the values as plain strings.
        columns=(
            NominalColumn("status", status, ("crew", "first", "second", "third")),
            NominalColumn("age", age, ("adult", "child")),
            NominalColumn("sex", sex, ("female", "male")),
        ),
        target="class",
        labels=survived,
        classes=("no", "yes"),
    )


def _balance_scale(download: bool = False) -> Table:
    # Every combination of the four whole numbers from 1 to 5, the last one running fastest.
    left_weight, left_distance, right_weight, right_distance = (
        np.indices((5, 5, 5, 5), dtype=np.int64).reshape(4, -1) + 1
    )
    # -1, 0 or 1: the scale tips to the right, balances, tips to the left.
    tip = np.sign(left_weight * left_distance - right_weight * right_distance)
    return Table(
        columns=(
            NumericColumn("left-weight", left_weight),
            NumericColumn("left-distance", left_distance),
            NumericColumn("right-weight", right_weight),
            NumericColumn("right-distance", right_distance),
        ),
        target="class",
        labels=["RBL"[1 + t] for t in tip.tolist()],
        classes=("L", "B", "R"),
    )


_SQUARES = tuple(
    f"{row}-{column}-square" for row in ("top", "middle", "bottom") for column in ("left", "middle", "right")
)
# Rows, columns, diagonals of the squares 0 to 8.
_LINES = (
    *((i, i + 1, i + 2) for i in (0, 3, 6)),
    *((i, i + 3, i + 6) for i in (0, 1, 2)),
    (0, 4, 8),
    (2, 4, 6),
)


def _outcome(board: tuple[str, ...]) -> str | None:
    """Return who has won, "x" or "o", "draw", or None if no game with x first can end so."""
    ahead = board.count("x") - board.count("o")
    if ahead not in (0, 1):
        return None
    in_line = {board[a] for a, b, c in _LINES if board[a] == board[b] == board[c]} - {"b"}
    if not in_line:
        return None if "b" in board else "draw"
    # Only the last move can win: a line of the other player would have ended the game before it.
    last = "x" if ahead == 1 else "o"
    return last if in_line == {last} else None


def _tic_tac_toe(download: bool = False) -> Table:
    # The order of the source: won, lost, drawn; within each the squares in reading order, with x
    # before o before blank.
    boards: dict[str, list[tuple[str, ...]]] = {"x": [], "o": [], "draw": []}
    for board in product("xob", repeat=9):
        outcome = _outcome(board)
        if outcome is not None:
            boards[outcome].append(board)
    rows = boards["x"] + boards["o"] + boards["draw"]
    return Table(
        columns=tuple(
            NominalColumn(square, values, ("b", "o", "x"))
            for square, values in zip(_SQUARES, zip(*rows, strict=True), strict=True)
        ),
        target="class",
        labels=["positive"] * len(boards["x"]) + ["negative"] * (len(boards["o"]) + len(boards["draw"])),
        classes=("negative", "positive"),
    )


_MONKS_SIZES = {"a1": 3, "a2": 3, "a3": 2, "a4": 3, "a5": 4, "a6": 2}
Robot = tuple[int, ...]
_MONKS_RULES: dict[int, tuple[str, Callable[[Robot], bool]]] = {
    1: ("a1 = a2 or a5 = 1", lambda a: a[0] == a[1] or a[4] == 1),
    2: ("exactly two attributes have the value 1", lambda a: a.count(1) == 2),
    3: (
        "a5 = 3 and a4 = 1, or a5 is not 4 and a2 is not 3",
        lambda a: (a[4] == 3 and a[3] == 1) or (a[4] != 4 and a[1] != 3),
    ),
}


def _monks_test(problem: int, download: bool = False) -> Table:
    # Every robot, the last attribute running fastest.
    robots = list(product(*(range(1, size + 1) for size in _MONKS_SIZES.values())))
    rule = _MONKS_RULES[problem][1]
    return Table(
        columns=tuple(
            NominalColumn(name, [str(value) for value in values], tuple(map(str, range(1, size + 1))))
            for (name, size), values in zip(_MONKS_SIZES.items(), zip(*robots, strict=True), strict=True)
        ),
        target="class",
        labels=["1" if rule(robot) else "0" for robot in robots],
        classes=("0", "1"),
    )


def _monks_entry(problem: int) -> Entry:
    return Entry(
        name=f"monks-{problem}-test",
        description=(
            "All 432 robots that six attributes can describe; "
            f"the class is 1 where {_MONKS_RULES[problem][0]}."
        ),
        source=(
            "J. Wnek (1992), MONK's Problems, UCI Machine Learning Repository, "
            "https://archive.ics.uci.edu/dataset/70; generated by its rule"
        ),
        licence="CC BY 4.0, as published by the UCI Machine Learning Repository",
        read=partial(_monks_test, problem),
    )


GENERATED: tuple[Entry, ...] = (
    *(_monks_entry(problem) for problem in _MONKS_RULES),
    Entry(
        name="buys_computer",
        description=(
            "Fourteen customers of a shop, by age, income, student status and credit rating; "
            "the class is whether the customer buys a computer. The usual lecture example."
        ),
        source="J. Han, M. Kamber, J. Pei, Data Mining: Concepts and Techniques, section 8.2",
        licence="None stated; a teaching example of fourteen rows",
        read=_buys_computer,
    ),
    Entry(
        name="titanic",
        description=(
            "The 2201 people on board the Titanic, by travelling class or crew, age and sex; "
            "the class is whether the person survived."
        ),
        source=(
            "British Board of Trade inquiry (1912), counts as compiled by R. J. M. Dawson, "
            "The 'Unusual Episode' Data Revisited, Journal of Statistics Education 3 (1995), "
            "https://doi.org/10.1080/10691898.1995.11910499"
        ),
        licence="None needed: counts of historical facts",
        read=_titanic,
    ),
    Entry(
        name="balance-scale",
        description=(
            "All 625 ways to hang one of five weights at one of five distances on each arm of a "
            "scale; the class is whether it tips to the left (L), balances (B) or tips to the "
            "right (R)."
        ),
        source=(
            "R. Siegler (1976), Balance Scale, UCI Machine Learning Repository, "
            "https://doi.org/10.24432/C5488X; generated by its rule"
        ),
        licence="CC BY 4.0, as published by the UCI Machine Learning Repository",
        read=_balance_scale,
    ),
    Entry(
        name="tic-tac-toe",
        description=(
            "All 958 boards at the end of a game of tic-tac-toe in which x moved first (b is a "
            "blank square); the class is positive if x has won, negative if o has won or nobody."
        ),
        source=(
            "D. Aha (1991), Tic-Tac-Toe Endgame, UCI Machine Learning Repository, "
            "https://doi.org/10.24432/C5688J; generated by its rule"
        ),
        licence="CC BY 4.0, as published by the UCI Machine Learning Repository",
        read=_tic_tac_toe,
    ),
)
