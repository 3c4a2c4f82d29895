"""Trees as SQL queries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from ramify.export.sql.dialects import SqlDialect, find_sql_dialect

if TYPE_CHECKING:
    from ramify.estimator import TreeClassifier

__all__ = ["export_sql"]


def export_sql(
    model: TreeClassifier,
    *,
    dialect: str = "standard",
    table: str = "data",
    keep: Sequence[str] = (),
    prediction: str = "prediction",
    probabilities: bool | Sequence[str] = True,
    not_null: bool | Sequence[str] = False,
) -> str:
    """Return a SELECT that predicts for all rows of a table what the model predicts for them.

    Missing values (NULL and NaN) and unseen categories are treated as the model treats them. Where the model
    would raise an error (``missing="error"``, ``handle_unknown="error"``), because of a column that the tree
    asks for, prediction and probabilities are NULL. sqlglot must be installed: ``pip install 'ramify[sql]'``.

    Parameters
    ----------
    model : TreeClassifier
        Fitted. Its classes, and the categories of each column, must be texts, numbers or booleans, not mixed.
    dialect : {"standard", "duckdb", "postgres", "bigquery", "snowflake", "spark"}, default="standard"
        The system that the query is for. Standard SQL knows no NaN.
    table : str, default="data"
        The table, with a schema in front if need be: ``"sales.customers"``. It has columns of the names and
        types of the training data; only those are read that the tree asks for.
    keep : list of str, optional
        Columns of the table to pass on, such as a key. Rows come in any order, so without a key nothing says
        which answer belongs to which row.
    prediction : str, default="prediction"
        The name of the column with the predicted class.
    probabilities : bool or list of str, default=True
        Whether there are columns for the probabilities, or their names in the order of `classes_`. True is
        ``probability_`` and the class.
    not_null : bool or list of str, default=False
        The columns, or with True all, that have no missing value. The query is shorter and faster without
        them if the model sends cases down in parts (``missing="fractional"``).

    Returns
    -------
    str
        One statement, without a semicolon.

    Raises
    ------
    ValueError
        If an argument is not accepted, if classes or categories have no type in SQL, or if the system has no
        room for names or columns of the query; the text says which.
    ImportError
        If sqlglot is not installed.

    Notes
    -----
    The probabilities are those of ``predict_proba`` to the last bit where the database computes in float64
    without fusing operations, as DuckDB and Postgres do on x86-64.

    Examples
    --------
    >>> from ramify import TreeClassifier, export_sql
    >>> model = TreeClassifier().fit([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> print(export_sql(model, keep=["id"], not_null=True))
    WITH ramify_input AS (
      SELECT
        "id" AS key_0,
        CAST("x0" AS DOUBLE PRECISION) AS v0
      FROM data
    ), ramify_step_1 AS (
      SELECT
        *,
        CASE WHEN v0 <= 1.5e0 THEN 1 ELSE 2 END AS node_1
      FROM ramify_input
    ), ramify_answers AS (
      SELECT
        node,
        answer,
        CAST(share_0 AS DOUBLE PRECISION) AS share_0,
        CAST(share_1 AS DOUBLE PRECISION) AS share_1
      FROM (VALUES
        (1, 'a', 1.0e0, 0.0e0),
        (2, 'b', 0.0e0, 1.0e0)) AS ramify_values(node, answer, share_0, share_1)
    )
    SELECT
      key_0 AS "id",
      answer AS "prediction",
      share_0 AS "probability_a",
      share_1 AS "probability_b"
    FROM ramify_step_1
    LEFT JOIN ramify_answers
      ON node = node_1
    """
    check_is_fitted(model, "tree_")
    model = model._plain()
    system = find_sql_dialect(dialect)
    names = _output_names(model, system, keep, prediction, probabilities)
    complete = _complete_columns(model, not_null)
    try:
        from ramify.export.sql.statement import statement
    except ImportError as error:
        raise ImportError(f"export_sql needs sqlglot: pip install 'ramify[sql]' ({error}).") from None
    return statement(model, system, table, keep, names, complete)


def _complete_columns(model: TreeClassifier, not_null: bool | Sequence[str]) -> frozenset[int]:
    """Return the columns without missing values; all if they are an error to the model."""
    names = model.schema_.names
    if not_null is True or model.missing == "error":
        return frozenset(range(len(names)))
    if isinstance(not_null, str) or (not_null is not False and not isinstance(not_null, Sequence)):
        raise ValueError(
            f"not_null={not_null!r} is not accepted; it must be True, False or a list of columns."
        )
    listed = [] if not_null is False else list(not_null)
    for text in listed:
        if text not in names:
            raise ValueError(f"not_null names the column {text!r}, but the columns are {names}.")
    return frozenset(names.index(text) for text in listed)


def _output_names(
    model: TreeClassifier,
    system: SqlDialect,
    keep: Sequence[str],
    prediction: str,
    probabilities: bool | Sequence[str],
) -> list[str]:
    """Return the names of the columns of prediction and probabilities, all names checked."""
    if isinstance(keep, str):
        raise ValueError(f"keep={keep!r} is not accepted; it must be a list of columns.")
    if isinstance(probabilities, bool):
        listed = [f"probability_{label}" for label in model.classes_.tolist()] if probabilities else []
    else:
        listed = list(probabilities)
        if isinstance(probabilities, str) or len(listed) != model.n_classes_:
            raise ValueError(
                f"probabilities={probabilities!r} is not accepted; it must be True, False or a list of "
                f"{model.n_classes_} names, one a class."
            )
    seen: set[str] = set()
    for text in [*keep, prediction, *listed]:
        if not isinstance(text, str) or not text or "\0" in text:
            raise ValueError(f"{text!r} is no name of a column.")
        advice = "Give other names with prediction and probabilities."
        if text.casefold() in seen:  # most systems do not tell names apart by case
            raise ValueError(f"Two columns of the result would be named {text!r}. {advice}")
        seen.add(text.casefold())
    for text in [prediction, *listed]:
        if system.longest_name is not None and len(text.encode()) > system.longest_name:
            raise ValueError(f"The name {text!r} is too long for {system.sqlglot}. {advice}")
        bad = sorted(set(text) & set(system.bad_in_names))
        if bad:
            raise ValueError(
                f"The name {text!r} has {bad[0]!r}, which {system.sqlglot} does not allow. {advice}"
            )
    return [prediction, *listed]
