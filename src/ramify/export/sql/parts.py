"""Trees down which a case with missing values goes in parts.

The tree is a table here, one row a way to go on from a node, and a recursive query walks down it: where a value is
missing, down every branch with its share. The answer is the sum of the answers of the nodes where parts end, each
times its part. The text is as long as the tree is large, whatever its depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sqlglot import exp

from ramify._parts import branch_shares
from ramify.export.sql.dialects import SqlDialect
from ramify.export.sql.splits import Splits
from ramify.export.sql.steps import Steps
from ramify.export.sql.terms import as_double, case, column, is_in, is_null, number
from ramify.tree import KINDS

if TYPE_CHECKING:
    from ramify._answers import Answers


class PartedTree:
    """A tree that parts cases, as the steps of a query.

    Parameters
    ----------
    steps : Steps
        The query so far; its last step has the values ``v0``, ``v1``, ...
    splits : Splits
        The splits.
    answers : Answers
        What the nodes answer.
    dialect : SqlDialect
        The system.
    carried : list of str
        Columns of the last step to pass on.
    """

    def __init__(
        self, steps: Steps, splits: Splits, answers: Answers, dialect: SqlDialect, carried: list[str]
    ) -> None:
        self._steps, self._splits, self._tree = steps, splits, splits.tree
        # Rows are numbered, and all that must stay with them goes with the number: were a row's number worked
        # out a second time, to join by it, it might be another.
        self._carried = ["row_id", *carried]
        self._answers, self._dialect = answers, dialect
        self._shares = branch_shares(self._tree, answers.part_weights)
        self._vote_shares = branch_shares(self._tree)
        # Whether rows vote by the same parts and shares by which they answer.
        self._votes_apart = not np.array_equal(self._shares, self._vote_shares) or not np.array_equal(
            answers.shares, answers.vote_shares
        )

    def add(self) -> tuple[exp.Expression, list[exp.Expression]]:
        """Add all steps; return the number of the class that is voted for, and the shares of the classes."""
        steps, n_classes = self._steps, self._answers.shares.shape[1]
        order = exp.Order(expressions=[exp.Literal.number(1)]) if self._dialect.orders_windows else None
        codes = {f"n{place}": self._as_number(place) for place in self._splits.used}
        steps.add({"row_id": exp.Window(this=exp.RowNumber(), order=order)} | codes)
        self._put_walk()
        self._put_answers()
        steps.last = self._put_sums()
        shares: list[Any] = [column(f"share_{k}") for k in range(n_classes)]
        votes = [column(f"vote_{k}") for k in range(n_classes)] if self._votes_apart else shares
        worths = _worths(votes, self._answers.answering["costs"])
        return self._add_vote(worths), shares

    def _as_number(self, place: int) -> exp.Expression:
        """Return a value as a number: that of its category, -1 for an unseen one."""
        of, value = self._splits.schema.columns[place], column(f"v{place}")
        if of.categories is None:
            return value
        known = [
            (is_in(value.copy(), [category], of.name), number(float(code)))
            for code, category in enumerate(of.categories)
        ]
        return as_double(case([(is_null(value), exp.Null()), *known], number(-1.0)), self._dialect)

    def _asked(self, node: int) -> exp.Expression:
        """Return the number of the column that a node asks for, -1 in a leaf."""
        place = int(self._tree.column[node])
        return exp.Literal.number(place) if place >= 0 else exp.Neg(this=exp.Literal.number(1))

    def _ways(self) -> Iterator[tuple[exp.Expression, ...]]:
        """Yield the ways on: from, whether for a missing value, above, up to, to, what that asks, the parts."""
        for node in np.flatnonzero(self._tree.n_children > 0).tolist():
            first = int(self._tree.first_child[node])
            for child, missing, low, high in self._ranges(node):
                whole = not (missing and self._splits.parts(node))
                yield (
                    exp.Literal.number(node),
                    exp.Literal.number(int(missing)),
                    exp.Null() if low is None else number(low),
                    exp.Null() if high is None else number(high),
                    exp.Literal.number(first + child),
                    self._asked(first + child),
                    number(1.0 if whole else float(self._shares[first + child])),
                    number(1.0 if whole else float(self._vote_shares[first + child])),
                )

    def _ranges(self, node: int) -> Iterator[tuple[int, bool, float | None, float | None]]:
        """Yield the branches of a node with the numbers that take them: above the first, up to the second."""
        kind, route = KINDS[self._tree.kind[node]], int(self._tree.missing_route[node])
        if kind == "threshold":
            cut = float(self._tree.threshold[node])
            yield from ((0, False, None, cut), (1, False, cut, None))
        elif kind == "known":
            yield 0, False, None, None
        else:
            routes = self._tree.routes_of(node)
            edges = np.flatnonzero(np.diff(routes, prepend=-2, append=-2))
            for begin, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
                if routes[begin] >= 0:
                    yield int(routes[begin]), False, begin - 0.5, end - 0.5
        if self._splits.may_miss(node):
            first = int(self._tree.first_child[node])
            ways = [route] if route >= 0 else range(int(self._tree.n_children[node])) if route == -2 else []
            for child in ways:
                if route >= 0 or self._vote_shares[first + child] > 0:
                    yield child, True, None, None

    def _put_walk(self) -> None:
        """Put the ways, and the walk of all rows down them: a row of it for each part in each node it passes."""
        steps, used = self._steps, self._splits.used
        columns = [
            "start_node",
            "for_missing",
            "above",
            "up_to",
            "next_node",
            "next_asks",
            "takes",
            "vote_takes",
        ]
        ways = steps.put_table(
            "ways", columns, list(self._ways()), floats=("above", "up_to", "takes", "vote_takes")
        )
        numbers = [column(f"n{place}") for place in used]
        begin = [
            exp.alias_(exp.Literal.number(0), "node"),
            exp.alias_(column(f"n{int(self._tree.column[0])}"), "asked"),
            exp.alias_(as_double(number(1.0), self._dialect), "part"),
            exp.alias_(as_double(number(1.0), self._dialect), "vote_part"),
        ]
        carried = [column(name) for name in self._carried]
        start = exp.Select(expressions=[*carried, *numbers, *begin]).from_(exp.to_identifier(steps.last))
        asks = exp.Case(this=column("next_asks"))
        for place in used:
            asks.append("ifs", exp.If(this=exp.Literal.number(place), true=column(f"n{place}")))
        go_on = [
            column("next_node"),
            asks,
            exp.Mul(this=column("part"), expression=column("takes")),
            exp.Mul(this=column("vote_part"), expression=column("vote_takes")),
        ]
        terms = [*(term.copy() for term in [*carried, *numbers]), *go_on]
        further = exp.Select(expressions=terms).from_(exp.to_identifier(steps.name_of("walk")))
        further = further.join(exp.to_identifier(ways), on=_takes_way())
        steps.put("walk", exp.Union(this=start, expression=further, distinct=False), recursive=True)

    def _put_answers(self) -> None:
        """Put what the nodes answer, and in which order prediction comes to them."""
        order, stack = [], [0]
        while stack:
            order.append(stack.pop())
            stack.extend(self._tree.children(order[-1]))  # the last one is taken first
        kept = [node for node in order if self._splits.may_stay(node)]
        tables = {"answer": self._answers.shares}
        if self._votes_apart:
            tables["vote_answer"] = self._answers.vote_shares
        columns = [f"{mark}_{k}" for mark, shares in tables.items() for k in range(shares.shape[1])]
        rows = []
        for place, node in enumerate(kept):
            shares = [number(float(share)) for table in tables.values() for share in table[node]]
            rows.append((exp.Literal.number(node), exp.Literal.number(place), *shares))
        self._steps.put_table("answers", ["answers_node", "place", *columns], rows, floats=columns)

    def _put_sums(self) -> str:
        """Put the sums of the answers where parts of a row end, that is where there is no way on."""
        steps = self._steps
        terms = []
        for k in range(self._answers.shares.shape[1]):
            terms.append(exp.alias_(self._sum("part", f"answer_{k}"), f"share_{k}"))
            if self._votes_apart:
                terms.append(exp.alias_(self._sum("vote_part", f"vote_answer_{k}"), f"vote_{k}"))
        carried = [column(name) for name in self._carried]
        select = exp.Select(expressions=[*carried, *terms])
        select = select.from_(exp.to_identifier(steps.name_of("walk")))
        select = select.join(exp.to_identifier(steps.name_of("ways")), on=_takes_way(), join_type="left")
        there = exp.EQ(this=column("answers_node"), expression=column("node"))
        select = select.join(exp.to_identifier(steps.name_of("answers")), on=there)
        select = select.where(is_null(column("start_node"))).group_by(*(one.copy() for one in carried))
        return steps.put("sums", select)

    def _sum(self, part: str, answer: str) -> exp.Expression:
        """Return the sum over the parts of a row, in the order of prediction where the system can."""
        term = exp.Mul(this=column(part), expression=column(answer))
        if not self._dialect.ordered_sums:
            return exp.Sum(this=term)
        ordered = exp.Order(this=term, expressions=[exp.Ordered(this=column("place"), nulls_first=False)])
        if self._dialect.ordered_sums == "list":
            return exp.Anonymous(this="LIST_SUM", expressions=[exp.ArrayAgg(this=ordered)])
        return exp.Sum(this=ordered)

    def _add_vote(self, worths: Sequence[exp.Expression]) -> exp.Expression:
        """Add the steps that find the first class that no other surpasses by more than the tolerance."""
        self._steps.add({f"worth_{k}": worth for k, worth in enumerate(worths)})
        best: exp.Expression = column("worth_0")
        winner: exp.Expression = exp.Literal.number(0)
        for k in range(1, len(worths)):
            bar = exp.Add(this=best, expression=number(self._answers.answering["tolerance"]))
            better = exp.GT(this=column(f"worth_{k}"), expression=bar)
            columns = {
                f"best_{k}": case([(better, column(f"worth_{k}"))], best.copy()),
                f"class_{k}": case([(better.copy(), exp.Literal.number(k))], winner),
            }
            self._steps.add(columns)
            best, winner = column(f"best_{k}"), column(f"class_{k}")
        return winner


def _takes_way() -> exp.Expression:
    """Return the test whether a part of a row takes a way: its value is missing, or in the range."""
    here = exp.EQ(this=column("start_node"), expression=column("node"))

    def is_for(missing: int) -> exp.Expression:
        return exp.EQ(this=column("for_missing"), expression=exp.Literal.number(missing))

    above = exp.or_(is_null(column("above")), exp.GT(this=column("asked"), expression=column("above")))
    up_to = exp.or_(is_null(column("up_to")), exp.LTE(this=column("asked"), expression=column("up_to")))
    known = exp.and_(is_for(0), exp.not_(is_null(column("asked"))), above, up_to)
    missing = exp.and_(is_for(1), is_null(column("asked")))
    return exp.and_(here, exp.or_(known, missing))


def _worths(votes: Sequence[exp.Expression], costs: NDArray[np.float64] | None) -> list[exp.Expression]:
    """Return what each class is worth: its share, or the expected cost of predicting it, negative."""
    if costs is None:
        return [vote.copy() for vote in votes]
    unit = max(float(costs.max()), float(np.finfo(np.float64).tiny))  # as in prediction: costs have no unit
    worths: list[exp.Expression] = []
    for k in range(len(votes)):
        total: exp.Expression | None = None
        for vote, cost in zip(votes, (costs[:, k] / unit).tolist(), strict=True):
            if cost != 0:
                term = exp.Mul(this=vote.copy(), expression=number(cost))
                total = term if total is None else exp.Add(this=total, expression=term)
        worths.append(number(0.0) if total is None else exp.Neg(this=exp.Paren(this=total)))
    return worths
