"""The terms of a query: values, names, and the values of the model's columns."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from sqlglot import exp

from ramify.export.sql.dialects import SqlDialect
from ramify.schema import Column

#: Beyond it neighbouring integers are the same float64.
_EXACT = 2**53


def number(value: float) -> exp.Expression:
    """Return a float64 that the database reads as the very same: with an exponent it is no decimal number."""
    digits = repr(abs(float(value)))
    literal = exp.Literal.number(digits if "e" in digits else f"{digits}e0")
    return exp.Neg(this=literal) if value < 0 else literal


def value_of(value: Hashable, what: str) -> exp.Expression:
    """Return a class or category as a literal of its own type."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, bool):
        return exp.Boolean(this=value)
    if isinstance(value, str):
        return exp.Literal.string(value)
    if isinstance(value, int):
        literal = exp.Literal.number(str(abs(value)))
        return exp.Neg(this=literal) if value < 0 else literal
    if isinstance(value, float):
        return number(value)
    raise ValueError(
        f"{what} is {value!r} ({type(value).__name__}), which SQL can't hold; texts, numbers and booleans can be "
        "exported."
    )


def check_one_type(values: Iterable[Hashable], what: str) -> str:
    """Return the type that values have in SQL: "text", "boolean" or "number"; several are an error."""
    kinds = set()
    for value in values:
        plain = value.item() if isinstance(value, np.generic) else value
        boolean = isinstance(plain, bool)
        kinds.add("boolean" if boolean else "number" if isinstance(plain, (int, float)) else "text")
    if len(kinds) > 1:
        raise ValueError(
            f"{what} are of several types ({', '.join(sorted(kinds))}); a column in SQL has one."
        )
    return kinds.pop() if kinds else "text"


def name(text: str) -> exp.Identifier:
    """Return a name of the user's, quoted."""
    found: exp.Identifier = exp.to_identifier(text, quoted=True)
    return found


def column(text: str) -> exp.Column:
    """Return a column of the query's own."""
    found: exp.Column = exp.column(exp.to_identifier(text, quoted=False))
    return found


def as_double(term: exp.Expression, dialect: SqlDialect) -> exp.Expression:
    """Return a term as a float64."""
    kind = exp.DataType.build("double")
    if not dialect.sqlglot:  # sqlglot's own word is not the standard's
        kind = exp.DataType(this=exp.DataType.Type.USERDEFINED, kind="DOUBLE PRECISION")
    found: exp.Expression = exp.Cast(this=term, to=kind)
    return found


def input_value(of: Column, dialect: SqlDialect) -> exp.Expression:
    """Return the value of a column of the table, NULL where it is missing: a NaN is missing too."""
    given = exp.column(name(of.name))
    if of.categories is None:
        return _without_nan(as_double(given, dialect), dialect)
    kind = check_one_type(of.categories, f"the categories of {of.name!r}")
    if kind == "text":
        return exp.cast(given, "text") if dialect.casts_text else given
    small = all(abs(float(category)) <= _EXACT for category in of.categories if kind == "number")  # type: ignore[arg-type]
    if kind == "number" and small:
        return _without_nan(as_double(given, dialect), dialect)
    return given


def _without_nan(term: exp.Expression, dialect: SqlDialect) -> exp.Expression:
    if dialect.nan == "none":
        return term
    if dialect.nan == "value":
        return exp.Nullif(this=term, expression=as_double(exp.Literal.string("NaN"), dialect))
    case = exp.Case().when(exp.IsNan(this=term.copy()), exp.Null())
    return case.else_(term)


def is_in(value: exp.Expression, categories: Sequence[Hashable], what: str) -> exp.Expression:
    """Return the test whether a value is one of some categories."""
    literals = [value_of(category, f"a category of {what!r}") for category in categories]
    if len(literals) == 1:
        return exp.EQ(this=value, expression=literals[0])
    return exp.In(this=value, expressions=literals)


def any_of(tests: Sequence[exp.Expression]) -> exp.Expression:
    """Return the test whether one of some tests holds."""
    return tests[0] if len(tests) == 1 else exp.or_(*tests)


def case(branches: Sequence[tuple[exp.Expression, exp.Expression]], other: exp.Expression) -> exp.Expression:
    """Return a CASE; only `other` if there are no branches."""
    if not branches:
        return other
    found = exp.Case()
    for test, result in branches:
        found.append("ifs", exp.If(this=test, true=result))
    found.set("default", other)
    return found


def is_null(value: exp.Expression) -> exp.Expression:
    """Return the test whether a value is missing."""
    return exp.Is(this=value, expression=exp.Null())
