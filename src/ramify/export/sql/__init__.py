"""Trees as SQL: the predictions of a model, worked out where the data are."""

from ramify.export.sql.query import export_sql

__all__ = ["export_sql"]
