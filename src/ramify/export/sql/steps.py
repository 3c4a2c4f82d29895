"""The steps of a query: each a SELECT of all columns of the step before and some new ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ramify.export.sql.dialects import SqlDialect
from ramify.export.sql.terms import need_sqlglot

if TYPE_CHECKING:
    from sqlglot import exp


class Steps:
    """Steps that build on each other, as common table expressions.

    Parameters
    ----------
    dialect : SqlDialect
        The system.
    prefix : str
        The names of the steps begin with it.
    first : exp.Select
        The first step: what is read from the table.
    """

    def __init__(self, dialect: SqlDialect, prefix: str, first: exp.Select) -> None:
        self._dialect, self._prefix = dialect, prefix
        self._n_columns = len(first.expressions)
        self._ctes: list[exp.CTE] = []
        self.last = ""
        self._append(f"{prefix}_input", first)

    def _append(self, name: str, select: exp.Expression) -> None:
        exp = need_sqlglot()
        alias = exp.TableAlias(this=exp.to_identifier(name))
        materialized = True if self._dialect.materialized else None
        self._ctes.append(exp.CTE(this=select, alias=alias, materialized=materialized))
        self.last = name

    def add(self, columns: dict[str, exp.Expression]) -> None:
        """Add a step with new columns, which may use those of all steps before but not each other."""
        exp = need_sqlglot()
        self._n_columns += len(columns)
        most = self._dialect.most_columns
        if most is not None and self._n_columns > most:
            raise ValueError(
                f"The query needs steps of more than {most} columns, which {self._dialect.sqlglot} does not allow: "
                "cases with missing values can end in too many nodes of this tree. Prune it, or say with not_null "
                "which columns are complete."
            )
        new = [exp.alias_(term, name) for name, term in columns.items()]
        select = exp.Select(expressions=[exp.Star(), *new]).from_(exp.to_identifier(self.last))
        self._append(f"{self._prefix}_step_{len(self._ctes)}", select)

    def add_table(self, name: str, columns: list[str], rows: list[tuple[exp.Expression, ...]]) -> str:
        """Add a table of literals beside the steps; return its name."""
        exp = need_sqlglot()
        tuples = [exp.Tuple(expressions=list(row)) for row in rows]
        alias = exp.TableAlias(
            this=exp.to_identifier(f"{self._prefix}_rows"), columns=[exp.to_identifier(c) for c in columns]
        )
        values = exp.Values(expressions=tuples, alias=alias)
        last = self.last
        select = exp.Select(expressions=[exp.column(c) for c in columns]).from_(values)
        self._append(f"{self._prefix}_{name}", select)
        made, self.last = self.last, last
        return made

    def query(self, select: exp.Select) -> exp.Select:
        """Return the whole query, which ends with this SELECT."""
        exp = need_sqlglot()
        select.set("with_" if "with_" in exp.Select.arg_types else "with", exp.With(expressions=self._ctes))
        return select
