"""Trees down which a case with missing values goes in parts: first the part of it that ends in each node.

The part that ends in a node is the product of the shares of the branches on the way, and the answer is the sum of
the nodes' answers, each times its part. Products and sums are taken in the order in which prediction takes them,
so they are the same to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ramify._parts import branch_shares
from ramify.export.sql.dialects import SqlDialect
from ramify.export.sql.splits import Splits
from ramify.export.sql.steps import Steps
from ramify.export.sql.terms import any_of, as_double, case, column, is_null, need_sqlglot, number

if TYPE_CHECKING:
    from sqlglot import exp

    from ramify._answers import Answers

#: Levels of the tree whose shares a step multiplies, and terms that it adds up: parsers and databases recurse.
LEVELS = 8
TERMS = 40


class Parts:
    """The parts of a case, by one set of shares.

    Parameters
    ----------
    splits : Splits
        The splits.
    shares : ndarray
        The part of a case with a missing value that each node takes from its parent.
    dialect : SqlDialect
        The system.
    mark : str
        The names of the columns begin with it.
    """

    def __init__(
        self, splits: Splits, shares: NDArray[np.float64], dialect: SqlDialect, mark: str
    ) -> None:
        self._splits, self._tree = splits, splits.tree
        self._dialect = dialect
        self._shares, self._mark = shares, mark
        self._depth: list[int] = [0] * self._tree.node_count
        for node in range(1, self._tree.node_count):
            self._depth[node] = self._depth[int(self._tree.parent[node])] + 1

    def add(self, steps: Steps) -> None:
        """Add the steps that work out the part of a case that ends in each node."""
        steps.add(self._branches())
        deepest = max(self._depth)
        for top in range(0, deepest + 1, LEVELS):
            columns = {}
            for node, depth in enumerate(self._depth):
                inner = self._tree.n_children[node] > 0
                if inner and depth == top + LEVELS:
                    columns[self._passes(node)] = self._product(node, top)
                if top < depth <= top + LEVELS and not inner:
                    columns[self.ends(node)] = self._product(node, top)
                elif inner and top <= depth < top + LEVELS and self._may_end(node):
                    columns[self.ends(node)] = self._product(node, top, self._stays(node))
            if columns:
                steps.add(columns)

    def order(self) -> list[int]:
        """Return the nodes where parts may end, in the order in which prediction comes to them."""
        found, stack = [], [0]
        while stack:
            node = stack.pop()
            if self._tree.n_children[node] == 0 or self._may_end(node):
                found.append(node)
            stack.extend(self._tree.children(node))  # the last one is taken first
        return found

    def ends(self, node: int) -> str:
        """Return the column with the part of a case that ends in a node."""
        return f"{self._mark}end_{node}"

    def _passes(self, node: int) -> str:
        return f"{self._mark}at_{node}"

    def _takes(self, node: int) -> str:
        return f"{self._mark}part_{node}"

    def _stays(self, node: int) -> str:
        return f"{self._mark}stay_{node}"

    def _unshared(self, node: int) -> bool:
        """Whether a case should part in a node none of whose branches has a share: then it stays."""
        children = list(self._tree.children(node))
        return self._splits.parts(node) and not (self._shares[children] > 0).any()

    def _may_end(self, node: int) -> bool:
        return self._splits.may_stay(node) or self._unshared(node)

    def _branches(self) -> dict[str, exp.Expression]:
        """Return the share of a case that each branch takes: all, nothing, or its part of a missing value."""
        columns: dict[str, exp.Expression] = {}
        for node in np.flatnonzero(self._tree.n_children > 0).tolist():
            value = self._splits.value(node)
            tests = self._splits.tests(node)
            for test, child in zip(tests, self._tree.children(node), strict=True):
                missing = []
                if self._splits.parts(node):
                    missing = [(is_null(value), number(float(self._shares[child])))]
                taken = [] if test is None else [(test, number(1.0))]
                columns[self._takes(child)] = self._float(case([*missing, *taken], number(0.0)))
            if self._may_end(node):
                stays = [self._splits.stays(node), is_null(value) if self._unshared(node) else None]
                test = any_of([test for test in stays if test is not None])
                columns[self._stays(node)] = self._float(case([(test, number(1.0))], number(0.0)))
        return columns

    def _float(self, share: exp.Expression) -> exp.Expression:
        """Return a share as a float64: products of decimal numbers would be others."""
        return as_double(share, self._dialect) if self._dialect.decimal_literals else share

    def _product(self, node: int, top: int, last: str | None = None) -> exp.Expression:
        """Return the product of the shares from the node at the top of a step down to this one."""
        exp = need_sqlglot()
        names = [] if last is None else [last]
        while self._depth[node] > top:
            names.append(self._takes(node))
            node = int(self._tree.parent[node])
        if node > 0:
            names.append(self._passes(node))
        terms: list[Any] = [column(name) for name in reversed(names)]
        product = terms[0]
        for term in terms[1:]:
            product = exp.Mul(this=product, expression=term)
        return product


def add_sums(
    steps: Steps, parts: Parts, values: NDArray[np.float64], mark: str
) -> list[exp.Expression]:
    """Add the steps that sum up the nodes' shares of each class, times their parts; return the sums."""
    exp = need_sqlglot()
    order = parts.order()
    sums: list[exp.Expression | None] = [None] * values.shape[1]
    for start in range(0, len(order), TERMS):
        columns = {}
        for k in range(values.shape[1]):
            # What adds nothing is left out: a sum does not change by 0.
            for node in (n for n in order[start : start + TERMS] if values[n, k] != 0):
                share, end = float(values[node, k]), column(parts.ends(node))
                term = end if share == 1.0 else exp.Mul(this=end, expression=number(share))
                name = f"{mark}_{k}_{start // TERMS}"
                so_far = columns.get(name, sums[k])
                columns[name] = term if so_far is None else exp.Add(this=so_far, expression=term)
        if columns:
            steps.add(columns)
        for k in range(values.shape[1]):
            name = f"{mark}_{k}_{start // TERMS}"
            sums[k] = column(name) if name in columns else sums[k]
    return [number(0.0) if one is None else one for one in sums]


def add_vote(
    steps: Steps, worths: Sequence[exp.Expression], tolerance: float, mark: str = "best"
) -> exp.Expression:
    """Add the steps that find the first class that no other surpasses by more than a tolerance."""
    exp = need_sqlglot()
    if len(worths) == 1:
        return exp.Literal.number(0)
    steps.add({f"worth_{k}": worth for k, worth in enumerate(worths)})
    best: exp.Expression = column("worth_0")
    winner: exp.Expression = exp.Literal.number(0)
    for k in range(1, len(worths)):
        bar = exp.Add(this=best, expression=number(tolerance))
        better = exp.GT(this=column(f"worth_{k}"), expression=bar)
        steps.add(
            {
                f"{mark}_{k}": case([(better, column(f"worth_{k}"))], best.copy()),
                f"class_{k}": case([(better.copy(), exp.Literal.number(k))], winner),
            }
        )
        best, winner = column(f"{mark}_{k}"), column(f"class_{k}")
    return winner


def worths_of(sums: Sequence[exp.Expression], costs: NDArray[np.float64] | None) -> list[exp.Expression]:
    """Return what each class is worth: its share, or the expected cost of predicting it, negative."""
    exp = need_sqlglot()
    if costs is None:
        return list(sums)
    unit = max(float(costs.max()), float(np.finfo(np.float64).tiny))
    worths = []
    for k in range(len(sums)):
        total: exp.Expression | None = None
        for share, cost in zip(sums, (costs[:, k] / unit).tolist(), strict=True):
            if cost != 0:
                term = exp.Mul(this=share.copy(), expression=number(cost))
                total = term if total is None else exp.Add(this=total, expression=term)
        worths.append(number(0.0) if total is None else exp.Neg(this=exp.Paren(this=total)))
    return worths


def add_parted_answers(
    steps: Steps, splits: Splits, answers: Answers, dialect: SqlDialect
) -> tuple[exp.Expression, list[exp.Expression]]:
    """Add all steps of a tree that parts cases; return the number of the class voted for, and the shares."""
    honest = branch_shares(splits.tree, answers.part_weights)
    voting = branch_shares(splits.tree)
    parts = Parts(splits, honest, dialect, "")
    parts.add(steps)
    shares = add_sums(steps, parts, answers.shares, "share")
    same_parts = np.array_equal(honest, voting)
    votes: Iterable[exp.Expression] = shares
    if not same_parts or not np.array_equal(answers.shares, answers.vote_shares):
        vote_parts = parts if same_parts else Parts(splits, voting, dialect, "vote_")
        if not same_parts:
            vote_parts.add(steps)
        votes = add_sums(steps, vote_parts, answers.vote_shares, "vote")
    worths = worths_of([vote.copy() for vote in votes], answers.answering["costs"])
    winner = add_vote(steps, worths, answers.answering["tolerance"])
    return winner, shares
