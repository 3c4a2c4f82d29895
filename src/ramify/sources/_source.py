"""A source: training rows that are elsewhere, with what fitting must know about them."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._parameters import check_choice, check_integer, is_integer, refuse, seed_of
from ramify.sources._parts import Parts
from ramify.sources._rows import RowReader
from ramify.sources._sample import draw

#: Bytes for the counts of nodes, and again for fetched rows.
BUDGET = "256MiB"

#: How the cuts of columns with many values are found.
QUANTILES = ("exact", "sketch")

_UNITS = {"": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "kB": 10**3, "MB": 10**6, "GB": 10**9}


@dataclass(frozen=True)
class Source:
    """Rows on disk or on a cluster, to be passed as ``X`` to `TreeClassifier.fit`.

    Made by `parquet`, `arrow`, `csv`, `polars`, `dask` and `spark` of this module.

    Attributes
    ----------
    target : str
        The column of the labels.
    weight : str or None
        The column of the weights.
    """

    parts: Parts
    target: str
    weight: str | None
    budget: int
    checkpoint: Path | None
    progress: bool | None
    quantiles: str = "exact"
    schema: Path | None = None
    description: dict[str, Any] = field(default_factory=dict)

    def sample(
        self, rows: int, random_state: Any = 0
    ) -> tuple[Any, NDArray[Any], NDArray[np.float64] | None]:
        """Draw rows at random, in one pass: each as likely as any other, and none twice.

        What needs all rows in memory, such as the choice of q, can be done on a sample. Of files and lazy
        frames the same rows are drawn whatever the batches; of a Dask or Spark frame they depend on its
        partitions.

        Parameters
        ----------
        rows : int
            How many; all if there are not as many.
        random_state : int, RandomState or None, default=0
            Which.

        Returns
        -------
        X : frame
            Their columns, in the order of the source: an Arrow table, for a polars or Dask frame one of
            polars or pandas.
        y : ndarray
            Their labels.
        sample_weight : ndarray or None
            Their weights, if the source has any.

        Examples
        --------
        >>> import polars as pl
        >>> from ramify import TreeClassifier, TreeClassifierCV, sources
        >>> frame = pl.LazyFrame({"age": range(1000), "ill": [age // 400 for age in range(1000)]})
        >>> source = sources.polars(frame, target="ill")
        >>> X, y, _ = source.sample(200)
        >>> X.shape
        (200, 1)
        >>> chosen = TreeClassifierCV(qs=[0.5, 1, 2], cv=5).fit(X, y).q_
        >>> model = TreeClassifier(q=chosen, cuts="quantile", max_bins=1000).fit(source)
        >>> model.get_n_leaves()
        3
        """
        wanted, seed = check_integer("rows", rows, 1), seed_of(random_state, True)
        return draw(self.parts, RowReader(self.target, self.weight), wanted, seed)

    def __repr__(self) -> str:
        kind = self.description.get("kind", "parts")
        return f"<ramify source: {kind}, target {self.target!r}>"

    def __len__(self) -> int:
        raise TypeError("The number of rows of a source is not known before they are read.")


def make_source(
    parts: Parts,
    target: object,
    weight: object,
    description: dict[str, Any],
    *,
    budget: object,
    checkpoint: object,
    progress: object,
    quantiles: object,
    schema: object,
) -> Source:
    """Check what all sources have in common."""
    if not isinstance(target, str):
        raise TypeError(f"target={target!r} is not accepted; it must be the name of the column to predict.")
    if weight is not None and not isinstance(weight, str):
        raise TypeError(f"weight={weight!r} is not accepted; it must be None or the name of a column.")
    if weight == target:
        raise ValueError(f"weight={weight!r} is the target too; they must be different columns.")
    if progress is not None and not isinstance(progress, bool):
        raise refuse("progress", progress, "None, True or False")
    check_choice("quantiles", quantiles, QUANTILES)
    return Source(
        parts,
        target,
        weight,
        _bytes(budget),
        _file("checkpoint", checkpoint),
        progress,
        str(quantiles),
        _file("schema", schema),
        description,
    )


def _bytes(budget: object) -> int:
    accepted = "a number of bytes, at least 1 MiB, or a text such as '256MiB' or '2GB'"
    if isinstance(budget, str):
        found = re.fullmatch(r"(\d+)\s*([kMGKi]*B|)", budget.strip())
        if found is None or found[2] not in _UNITS:
            raise refuse("budget", budget, accepted)
        budget = int(found[1]) * _UNITS[found[2]]
    if not is_integer(budget) or budget < 2**20:  # type: ignore[operator]
        raise refuse("budget", budget, accepted)
    return int(budget)  # type: ignore[call-overload, no-any-return]


def _file(option: str, name: object) -> Path | None:
    if name is None:
        return None
    if not isinstance(name, (str, os.PathLike)):
        raise TypeError(f"{option}={name!r} is not accepted; it must be None or the name of a file.")
    path = Path(name)
    if path.is_dir():
        raise IsADirectoryError(f"{option}={os.fspath(path)!r} is a folder; give the name of a file.")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(
            f"{option}={os.fspath(path)!r} can't be written: there is no folder {str(path.parent)!r}."
        )
    return path
