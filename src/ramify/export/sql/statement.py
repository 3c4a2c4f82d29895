"""The statement: the steps of a tree put together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlglot import exp, parse
from sqlglot.errors import SqlglotError

from ramify.export.sql.dialects import SqlDialect
from ramify.export.sql.parts import PartedTree
from ramify.export.sql.splits import Splits
from ramify.export.sql.steps import Steps
from ramify.export.sql.terms import (
    any_of,
    case,
    check_one_type,
    column,
    input_value,
    is_in,
    is_null,
    name,
    number,
    value_of,
)
from ramify.export.sql.whole import add_end_nodes, end_nodes, may_part

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier


def statement(
    model: TreeClassifier,
    system: SqlDialect,
    table: str,
    keep: Sequence[str],
    names: list[str],
    complete: frozenset[int],
) -> str:
    """Return the text of the query; `names` are those of the prediction and of the probabilities, if any."""
    check_one_type(model.classes_.tolist(), "the classes")
    splits = Splits(model.tree_, model.schema_, complete)
    source = _source(table, system)
    prefix = "ramify"
    while source.name.casefold().startswith(prefix):
        prefix += "_"
    steps = Steps(system, prefix, _first(model, splits, system, source, keep))
    keys = [f"key_{i}" for i in range(len(keep))]
    if may_part(splits):
        select = _parted(model, splits, steps, system, names, keys)
    else:
        select = _whole(model, splits, steps, names)
    outputs = [exp.alias_(column(key), name(kept)) for key, kept in zip(keys, keep, strict=True)]
    select.set("expressions", outputs + select.expressions)
    return steps.query(select).sql(dialect=system.sqlglot or None, pretty=True)


def _source(table: object, system: SqlDialect) -> exp.Table:
    refusal = f"table={table!r} is not accepted; it must be the name of a table, quoted where SQL needs it."
    if not isinstance(table, str) or not table.strip():
        raise ValueError(refusal)
    try:
        statements = parse(f"SELECT 1 FROM {table}", dialect=system.sqlglot or None)
    except SqlglotError:
        raise ValueError(refusal) from None
    found = statements[0].find(exp.Table) if len(statements) == 1 and statements[0] is not None else None
    # The name and nothing else: no alias, no join, no second statement.
    if found is None or statements[0] != exp.select("1").from_(
        exp.table_(found.this, found.args.get("db"), found.args.get("catalog"))
    ):
        raise ValueError(refusal)
    return found.copy()


def _first(
    model: TreeClassifier, splits: Splits, system: SqlDialect, source: exp.Table, keep: Sequence[str]
) -> exp.Select:
    """Return what is read from the table: keys, and the values that the tree asks for."""
    columns = [exp.alias_(exp.column(name(text)), f"key_{i}") for i, text in enumerate(keep)]
    for place in splits.used:
        columns.append(exp.alias_(input_value(model.schema_.columns[place], system), f"v{place}"))
    select: exp.Select = exp.Select(expressions=columns or [exp.alias_(exp.Literal.number(0), "nothing")])
    return select.from_(source)


def _refused(model: TreeClassifier, splits: Splits) -> exp.Expression | None:
    """Return the test whether the model would refuse a row, None if it refuses none."""
    tests: list[exp.Expression] = []
    for place in splits.used:
        asked = model.schema_.columns[place]
        if model.missing == "error":
            tests.append(is_null(column(f"v{place}")))
        if model.handle_unknown == "error" and asked.categories:
            tests.append(exp.not_(is_in(column(f"v{place}"), asked.categories, asked.name)))
    return any_of(tests) if tests else None


def _whole(model: TreeClassifier, splits: Splits, steps: Steps, names: list[str]) -> exp.Select:
    node = add_end_nodes(steps, splits)
    refused = _refused(model, splits)
    if refused is not None:
        node = case([(refused, exp.Null())], node)
    answers, ends = model._answers, end_nodes(splits)
    shares = [f"share_{k}" for k in range(model.n_classes_)] if len(names) > 1 else []
    rows = []
    for end in ends:
        answer = value_of(model.classes_[answers.votes[end]], "a class")
        probabilities = [number(float(share)) for share in answers.shares[end][: len(shares)]]
        rows.append((exp.Literal.number(end), answer, *probabilities))
    table = steps.put_table("answers", ["node", "answer", *shares], rows, floats=shares)
    terms = [column("answer"), *(column(share) for share in shares)]
    outputs = [exp.alias_(term, name(text)) for term, text in zip(terms, names, strict=True)]
    select: exp.Select = exp.Select(expressions=outputs).from_(exp.to_identifier(steps.last))
    return select.join(
        exp.to_identifier(table), on=exp.EQ(this=column("node"), expression=node), join_type="left"
    )


def _parted(
    model: TreeClassifier, splits: Splits, steps: Steps, system: SqlDialect, names: list[str], keys: list[str]
) -> exp.Select:
    refused = _refused(model, splits)
    if refused is not None:
        steps.add({"refused": case([(refused, exp.Literal.number(1))], exp.Literal.number(0))})
        keys = [*keys, "refused"]
    winner, shares = PartedTree(steps, splits, model._answers, system, keys).add()
    answer = exp.Case(this=winner)
    for k, label in enumerate(model.classes_):
        answer.append("ifs", exp.If(this=exp.Literal.number(k), true=value_of(label, "a class")))
    # Parts may add up to a rounding more than 1, which prediction takes off as well.
    one = number(1.0)
    capped = [
        case([(exp.GT(this=share, expression=one.copy()), one.copy())], share.copy()) for share in shares
    ]
    outputs = []
    for term, text in zip([answer, *capped], names, strict=False):
        checked = term
        if refused is not None:
            test = exp.EQ(this=column("refused"), expression=exp.Literal.number(1))
            checked = case([(test, exp.Null())], term)
        outputs.append(exp.alias_(checked, name(text)))
    select: exp.Select = exp.Select(expressions=outputs).from_(exp.to_identifier(steps.last))
    return select
