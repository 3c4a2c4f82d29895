"""Where a model comes from: which version made it, when, and from which data."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime

from ramify import _core
from ramify._training import TrainingRows
from ramify.schema import Schema

__all__ = ["Provenance"]


@dataclass(frozen=True)
class Provenance:
    """Where a model comes from; what is not known is None.

    Attributes
    ----------
    ramify : str
        The version that fitted the model.
    fitted : str, optional
        When, in universal time: ``2031-05-27T10:04:12Z``.
    n_rows : int, optional
        Rows of the data that were given.
    fingerprint : str, optional
        Of X and y in memory: 32 hexadecimal digits, the same for the same rows in any order. Another value,
        row, column name, category, label or order of columns or categories makes another. It finds mistakes,
        not forgery.
    target : str, optional
        The column that y came from, if the model was fitted to a file or data set by ``ramify fit``.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> one = TreeClassifier().fit([[1.0], [2.0], [4.0]], ["a", "b", "b"])
    >>> other = TreeClassifier(q=1).fit([[4.0], [1.0], [2.0]], ["b", "a", "b"])
    >>> one.provenance_.n_rows
    3
    >>> one.provenance_.fingerprint == other.provenance_.fingerprint
    True
    """

    ramify: str
    fitted: str | None = None
    n_rows: int | None = None
    fingerprint: str | None = None
    target: str | None = None


def provenance_now(n_rows: int, fingerprint: str | None = None) -> Provenance:
    """Return the provenance of a model that is fitted now, to so many rows."""
    from ramify import __version__

    return Provenance(__version__, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"), n_rows, fingerprint)


def provenance_of(schema: Schema, rows: TrainingRows, n_jobs: int) -> Provenance:
    """Return the provenance of a model that is fitted now, to these rows."""
    sums = _core.fingerprint(rows.blocks, rows.numbers, n_jobs)
    columns = [(column.name, column.categories) for column in schema.columns]
    what = repr((columns, schema.classes.tolist(), len(rows.numbers), sums))
    digest = hashlib.sha256(what.encode("utf-8", "surrogatepass")).hexdigest()
    return provenance_now(len(rows.numbers), digest[:32])
