"""Training data beyond memory and beyond one machine: sources that go into ``fit`` in the place of X.

The same engine grows the same tree from rows on disk, or on a Dask or Spark cluster, as from rows in memory
with ``cuts="quantile"``. docs/scale.md says how, and what it costs.

Examples
--------
>>> import tempfile, pathlib
>>> import polars as pl
>>> from ramify import TreeClassifier, sources
>>> folder = pathlib.Path(tempfile.mkdtemp())
>>> frame = pl.DataFrame({"age": [20, 40, 60, 80], "ill": ["no", "no", "yes", "yes"]})
>>> frame.write_parquet(folder / "a.parquet")
>>> model = TreeClassifier(cuts="quantile").fit(sources.parquet(folder, target="ill"))
>>> model.predict(pl.DataFrame({"age": [30, 70]}))
array(['no', 'yes'], dtype=object)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ramify.sources._checkpoint import CheckpointError
from ramify.sources._errors import SourceError
from ramify.sources._files import BATCH_ROWS, FileParts, LazyParts, _need_arrow
from ramify.sources._schema_file import SchemaError
from ramify.sources._source import BUDGET, Source, make_source

if TYPE_CHECKING:
    import os
    from collections.abc import Sequence

    import polars as pl

    _Path = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

__all__ = [
    "CheckpointError",
    "SchemaError",
    "Source",
    "SourceError",
    "arrow",
    "csv",
    "dask",
    "parquet",
    "polars",
    "spark",
]


def _from_files(
    path: Any, file_format: str, target: Any, weight: Any, batch_rows: Any, scratch: Any, **options: Any
) -> Source:
    _need_arrow()
    parts = FileParts(path, file_format, batch_rows, scratch, options["progress"])
    description = {"kind": file_format, "files": parts.describe()}
    return make_source(parts, target, weight, description, **options)


def parquet(
    path: _Path,
    *,
    target: str,
    weight: str | None = None,
    budget: int | str = BUDGET,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    quantiles: str = "exact",
    schema: str | os.PathLike[str] | None = None,
    batch_rows: int = BATCH_ROWS,
    scratch: str | os.PathLike[str] | None = None,
) -> Source:
    """Return Parquet files as a source.

    Parameters
    ----------
    path : str, path-like or list of them
        A file, a folder (with all that is below it) or a pattern such as ``"data/2024-*.parquet"``.
    target : str
        The column to predict.
    weight : str, optional
        The column of weights; a weight of 2 is two copies of the row, 0 leaves it out.
    budget : int or str, default="256MiB"
        Memory for the counts of nodes, and as much again for rows that are fetched to finish nodes in
        memory. The tree does not depend on it.
    checkpoint : str or path-like, optional
        A file that is written after every pass. If it is there already, the fit goes on from it. The rows
        are kept as codes beside it, with ``.rows`` behind its name, until the fit is done.
    progress : bool, optional
        Whether to show a bar; None: for long runs on a terminal. Passes are also logged, as
        ``ramify.sources``.
    quantiles : {"exact", "sketch"}, default="exact"
        How a numeric column with more than `max_bins` distinct values is cut. ``"exact"``: at its exact
        quantiles, in one or two passes more. ``"sketch"``: at those of a KLL sketch, with no other pass;
        they depend on partitions and chance, so keep them with `schema`. Needs ``ramify[sketch]``.
    schema : str or path-like, optional
        A file for what the first passes find: columns, categories, classes and cuts. It is written if it
        is not there, and used if it is, also for other data: the same file gives the same tree for the
        same rows, from any source.
    batch_rows : int, default=131072
        Rows that are read at a time.
    scratch : str or path-like, optional
        The folder in which rows are kept as codes while the tree grows, about one byte a value; None is
        the folder of the checkpoint or, without one, the system's folder for temporary files.

    Returns
    -------
    Source
        To be passed to `TreeClassifier.fit`.

    Raises
    ------
    FileNotFoundError
        If there is no such file.

    Examples
    --------
    >>> from ramify import sources
    >>> sources.parquet("no/such/*.parquet", target="y")
    Traceback (most recent call last):
    ...
    FileNotFoundError: There is no file 'no/such/*.parquet', nor any that it is a pattern of.
    """
    options = {"budget": budget, "checkpoint": checkpoint, "progress": progress}
    options |= {"quantiles": quantiles, "schema": schema}
    return _from_files(path, "parquet", target, weight, batch_rows, scratch, **options)


def arrow(
    path: _Path,
    *,
    target: str,
    weight: str | None = None,
    budget: int | str = BUDGET,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    quantiles: str = "exact",
    schema: str | os.PathLike[str] | None = None,
    batch_rows: int = BATCH_ROWS,
    scratch: str | os.PathLike[str] | None = None,
) -> Source:
    """Return Arrow files (IPC, Feather) as a source; the parameters are those of `parquet`."""
    options = {"budget": budget, "checkpoint": checkpoint, "progress": progress}
    options |= {"quantiles": quantiles, "schema": schema}
    return _from_files(path, "arrow", target, weight, batch_rows, scratch, **options)


def csv(
    path: _Path,
    *,
    target: str,
    weight: str | None = None,
    budget: int | str = BUDGET,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    quantiles: str = "exact",
    schema: str | os.PathLike[str] | None = None,
    batch_rows: int = BATCH_ROWS,
    scratch: str | os.PathLike[str] | None = None,
) -> Source:
    """Return CSV files with a line of names as a source; the parameters are those of `parquet`.

    What the columns hold is told by the first 4 MiB of each file. Empty fields and ``NA``, ``N/A``, ``NaN``,
    ``null`` and ``?`` are missing values.
    """
    options = {"budget": budget, "checkpoint": checkpoint, "progress": progress}
    options |= {"quantiles": quantiles, "schema": schema}
    return _from_files(path, "csv", target, weight, batch_rows, scratch, **options)


def polars(
    frame: pl.LazyFrame,
    *,
    target: str,
    weight: str | None = None,
    budget: int | str = BUDGET,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    quantiles: str = "exact",
    schema: str | os.PathLike[str] | None = None,
    batch_rows: int = BATCH_ROWS,
    scratch: str | os.PathLike[str] | None = None,
) -> Source:
    """Return a polars LazyFrame as a source; the parameters are those of `parquet`.

    The frame is collected in batches, once for each pass over the data.

    Examples
    --------
    >>> import polars as pl
    >>> from ramify import TreeClassifier, sources
    >>> frame = pl.LazyFrame({"age": [20, 40, 60, 80], "ill": [0, 0, 1, 1]})
    >>> source = sources.polars(frame.filter(pl.col("age") > 10), target="ill")
    >>> TreeClassifier(cuts="quantile").fit(source).get_n_leaves()
    2
    """
    if not hasattr(frame, "collect_batches"):
        raise TypeError(
            f"frame is a {type(frame).__name__}; a polars LazyFrame (polars 1.34 or later) is needed."
        )
    parts = LazyParts(frame, batch_rows, scratch, progress)
    description = {"kind": "LazyFrame", "plan": frame.explain()}
    options = {"budget": budget, "checkpoint": checkpoint, "progress": progress}
    options |= {"quantiles": quantiles, "schema": schema}
    return make_source(parts, target, weight, description, **options)


def dask(
    frame: Any,
    *,
    target: str,
    weight: str | None = None,
    budget: int | str = BUDGET,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    quantiles: str = "exact",
    schema: str | os.PathLike[str] | None = None,
) -> Source:
    """Return a Dask frame as a source.

    Work is done where the partitions are: by the threads or processes of this machine, or by the workers of
    the cluster whose ``distributed.Client`` is open. A worker that dies changes nothing in the tree: what it
    had is made again.

    Parameters
    ----------
    frame : dask.dataframe.DataFrame
        The rows.
    target, weight, budget, checkpoint, progress, quantiles, schema
        As in `parquet`.

    Returns
    -------
    Source
        To be passed to `TreeClassifier.fit`.
    """
    from ramify.sources._dask import DaskParts

    if not hasattr(frame, "to_delayed") or not hasattr(frame, "columns"):
        raise TypeError(f"frame is a {type(frame).__name__}; a Dask DataFrame is needed.")
    parts = DaskParts(frame)
    description = {"kind": "Dask"} | (parts.describe() if checkpoint is not None else {})
    options = {"budget": budget, "checkpoint": checkpoint, "progress": progress}
    options |= {"quantiles": quantiles, "schema": schema}
    return make_source(parts, target, weight, description, **options)


def spark(
    frame: Any,
    *,
    target: str,
    weight: str | None = None,
    budget: int | str = BUDGET,
    checkpoint: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    quantiles: str = "exact",
    schema: str | os.PathLike[str] | None = None,
) -> Source:
    """Return a Spark frame as a source.

    Every pass is one Spark job over its partitions. ramify must be installed where the executors run.

    Parameters
    ----------
    frame : pyspark.sql.DataFrame
        The rows.
    target, weight, budget, checkpoint, progress, quantiles, schema
        As in `parquet`.

    Returns
    -------
    Source
        To be passed to `TreeClassifier.fit`.
    """
    from ramify.sources._spark import SparkParts

    if not hasattr(frame, "mapInArrow"):
        raise TypeError(f"frame is a {type(frame).__name__}; a Spark DataFrame is needed.")
    parts = SparkParts(frame)
    description = {"kind": "Spark"} | (parts.describe() if checkpoint is not None else {})
    options = {"budget": budget, "checkpoint": checkpoint, "progress": progress}
    options |= {"quantiles": quantiles, "schema": schema}
    return make_source(parts, target, weight, description, **options)
