"""Answers for rows that are elsewhere: part by part, and lazily where their engine is lazy."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.sources._errors import naming
from ramify.sources._files import BatchedParts
from ramify.sources._source import Source


def is_parted(X: Any) -> bool:
    """Whether X is a source, or a Dask or Spark frame."""
    return isinstance(X, Source) or _is_dask(X) or _is_spark(X)


def _is_dask(X: Any) -> bool:
    return type(X).__module__.partition(".")[0].startswith("dask") and hasattr(X, "map_partitions")


def _is_spark(X: Any) -> bool:
    return type(X).__module__.partition(".")[0] == "pyspark" and hasattr(X, "mapInArrow")


def answer(model: Any, method: str, X: Any) -> Any:
    """Return what a method of a model answers.

    An array for a source of files, made a batch at a time. A lazy Dask series or frame for a Dask frame. A
    lazy Spark frame, with the answers in one more column, for a Spark frame.
    """
    if _is_dask(X):
        return _answer_dask(model, method, X)
    if _is_spark(X):
        return _answer_spark(model, method, X)
    if not isinstance(X.parts, BatchedParts):
        raise TypeError(
            "X is a source of a cluster; pass the Dask or Spark frame itself to get lazy answers."
        )
    return np.concatenate(list(_answer_files(model, method, X)))


def _answer_files(model: Any, method: str, source: Source) -> Iterator[NDArray[Any]]:
    left_out = (source.target, source.weight)
    with source.parts.watched("predicting") as parts:  # type: ignore[attr-defined]
        for part in parts:
            names = [name for name in part.frame.columns if name not in left_out]
            if part.frame.shape[0] == 0:
                continue
            with naming(part.name):
                answers: NDArray[Any] = getattr(model, method)(part.frame.select(names).to_native())
            yield answers


def _frame_of(model: Any, method: str, frame: Any) -> Any:
    """Return the answers for a pandas frame as one."""
    import pandas as pd

    if method == "predict":
        answers = getattr(model, method)(frame) if len(frame) else model.classes_[:0]
        return pd.Series(answers, index=frame.index, name="prediction")
    shares = getattr(model, method)(frame) if len(frame) else np.empty((0, model.n_classes_))
    return pd.DataFrame(shares, index=frame.index, columns=[str(label) for label in model.classes_])


def _answer_partition(frame: Any, model: Any, method: str) -> Any:
    return _frame_of(model, method, frame)


def _answer_dask(model: Any, method: str, frame: Any) -> Any:
    meta = _frame_of(model, method, frame._meta)
    return frame.map_partitions(_answer_partition, model, method, meta=meta)


def _answer_spark(model: Any, method: str, frame: Any) -> Any:
    from pyspark.sql import types

    kinds = {"i": types.LongType, "u": types.LongType, "f": types.DoubleType, "b": types.BooleanType}
    kind = model.classes_.dtype.kind
    if method == "predict":
        name = "prediction"
        of: types.DataType = kinds.get(kind, types.StringType)()
    else:
        name, of = "probability", types.ArrayType(types.DoubleType())
    if name in frame.columns:
        raise ValueError(f"X has a column {name!r} already; rename it, since the answers are called so.")
    schema = types.StructType([*frame.schema.fields, types.StructField(name, of)])
    names, known = list(frame.columns), model.schema_.names

    def work(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow

        for batch in batches:
            if batch.num_rows == 0:
                continue
            table = pyarrow.Table.from_batches([batch]).rename_columns(names)
            answers = getattr(model, method)(table.select([n for n in table.column_names if n in known]))
            listed = answers.tolist()
            column = pyarrow.array(
                listed if kind in "iufb" or method != "predict" else [str(a) for a in listed]
            )
            yield from table.append_column(name, column).combine_chunks().to_batches()

    # Under names without dots, which Spark would take for fields of structures.
    return frame.toDF(*[f"c{place}" for place in range(len(names))]).mapInArrow(work, schema)
