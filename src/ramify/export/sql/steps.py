"""The steps of a query: common table expressions that build on each other."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from ramify.export.sql.dialects import SqlDialect
from ramify.export.sql.terms import as_double


class Steps:
    """Steps that build on each other.

    Parameters
    ----------
    dialect : SqlDialect
        The system.
    prefix : str
        The names of the steps begin with it.
    first : exp.Select
        The first step: what is read from the table.

    Attributes
    ----------
    last : str
        The step that the next one builds on.
    """

    def __init__(self, dialect: SqlDialect, prefix: str, first: exp.Select) -> None:
        self._dialect, self._prefix = dialect, prefix
        self._ctes: list[exp.CTE] = []
        self._recursive = False
        self._n_steps = 0
        self.last = self.put("input", first)

    def put(self, name: str, select: exp.Expression, recursive: bool = False) -> str:
        """Put a SELECT beside the steps; return its name."""
        alias = exp.TableAlias(this=exp.to_identifier(self.name_of(name)))
        materialized = True if self._dialect.materialized and not recursive else None
        self._ctes.append(exp.CTE(this=select, alias=alias, materialized=materialized))
        self._recursive |= recursive
        return self.name_of(name)

    def name_of(self, name: str) -> str:
        """Return the name that a step has in the query."""
        return f"{self._prefix}_{name}"

    def add(self, columns: dict[str, exp.Expression]) -> None:
        """Add a step: all columns of the last one, and new ones, which may not use each other."""
        new = [exp.alias_(term, name) for name, term in columns.items()]
        select = exp.Select(expressions=[exp.Star(), *new]).from_(exp.to_identifier(self.last))
        self._n_steps += 1
        self.last = self.put(f"step_{self._n_steps}", select)

    def put_table(
        self,
        name: str,
        columns: list[str],
        rows: list[tuple[exp.Expression, ...]],
        floats: Sequence[str] = (),
    ) -> str:
        """Put a table of literals beside the steps, some of its columns as float64; return its name."""
        tuples = [exp.Tuple(expressions=list(row)) for row in rows]
        alias = exp.TableAlias(
            this=exp.to_identifier(self.name_of("values")), columns=[exp.to_identifier(c) for c in columns]
        )
        values = exp.Values(expressions=tuples, alias=alias)
        terms = [
            exp.alias_(as_double(exp.column(c), self._dialect), c) if c in floats else exp.column(c)
            for c in columns
        ]
        return self.put(name, exp.Select(expressions=terms).from_(values))

    def query(self, select: exp.Select) -> exp.Select:
        """Return the whole query, which ends with this SELECT."""
        parts = exp.With(expressions=self._ctes, recursive=True if self._recursive else None)
        select.set("with_" if "with_" in exp.Select.arg_types else "with", parts)
        return select
