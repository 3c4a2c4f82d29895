"""The dialects of SQL, and how they differ in what a query here needs."""

from __future__ import annotations

from dataclasses import dataclass

from ramify._parameters import check_choice


@dataclass(frozen=True)
class SqlDialect:
    """What a query must know of a system.

    Parameters
    ----------
    sqlglot : str
        Its name in sqlglot, which writes the text.
    nan : {"function", "value", "none"}
        How a NaN is told from a number: by a function, by comparison with the value ``'NaN'``, which equals
        itself, or not at all: standard SQL has no NaN.
    ordered_sums : {"", "aggregate", "list"}
        How a sum is taken in a given order, which decides about its last bit: not at all, by an ORDER BY in the
        SUM, or by way of a list.
    orders_windows : bool
        Whether rows can be numbered only in some order.
    casts_text : bool
        Whether texts are cast to text: it has enumerations, which know no other texts than their own.
    materialized : bool
        Whether to say that the steps are not to be merged. A system that puts the text of each step wherever
        its columns are used would do the same work many times.
    longest_name : int, optional
        Bytes of a column's name, beyond which it is cut.
    bad_in_names : str
        Characters that a column's name can't have.
    """

    sqlglot: str
    nan: str
    ordered_sums: str = ""
    orders_windows: bool = False
    casts_text: bool = False
    materialized: bool = False
    longest_name: int | None = None
    bad_in_names: str = ""


DIALECTS: dict[str, SqlDialect] = {
    "standard": SqlDialect("", nan="none"),
    "duckdb": SqlDialect("duckdb", nan="function", ordered_sums="list", casts_text=True),
    "postgres": SqlDialect(
        "postgres",
        nan="value",
        ordered_sums="aggregate",
        casts_text=True,
        materialized=True,
        longest_name=63,
    ),
    "bigquery": SqlDialect(
        "bigquery", nan="function", longest_name=300, bad_in_names='!"$()*,./;?@[\\]^`{}~'
    ),
    "snowflake": SqlDialect("snowflake", nan="value", orders_windows=True, longest_name=255),
    "spark": SqlDialect("spark", nan="function", orders_windows=True),
}


def find_sql_dialect(name: object) -> SqlDialect:
    """Return the dialect of that name, or raise a ValueError."""
    check_choice("dialect", name, tuple(DIALECTS))
    return DIALECTS[str(name)]
