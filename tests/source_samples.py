"""Rows for the tests of sources, and the comparison that they all make."""

from dataclasses import replace

import numpy as np
import polars as pl

from ramify import TreeClassifier, sources


def rows(n=700, seed=0, missing=False):
    """A frame with columns of every kind, and labels that depend on them."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, size=n)
    frame = pl.DataFrame(
        {
            "many": rng.normal(size=n) + y,
            "single": (rng.normal(size=n) - y).astype(np.float32),
            "few": (rng.integers(0, 9, size=n) + y).astype(float),
            "whole": rng.integers(-5, 400, size=n) + 30 * y,
            "yes": rng.random(n) < 0.2 + 0.2 * y,
            "kind": np.array(["b", "a", "c", "dd", "e"])[(rng.integers(0, 3, size=n) + y) % 5],
        }
    )
    if missing:
        holes = {name: rng.random(n) < 0.1 for name in ("many", "few", "kind", "yes")}
        frame = frame.with_columns(
            pl.when(pl.Series(hole)).then(None).otherwise(pl.col(name)).alias(name)
            for name, hole in holes.items()
        )
    return frame, np.array(["no", "perhaps", "yes"], dtype=object)[y]


def write(folder, frame, y, parts=1, weights=None):
    """Write a frame as Parquet files, in parts of different sizes."""
    frame = frame.with_columns(target=pl.Series(y.tolist()))
    if weights is not None:
        frame = frame.with_columns(weight=pl.Series(weights))
    cuts = np.linspace(0, 1, parts + 1) ** 2 * len(frame)
    for i, (begin, end) in enumerate(zip(cuts[:-1].astype(int), cuts[1:].astype(int), strict=True)):
        frame[begin:end].write_parquet(folder / f"{i}.parquet")
    return folder


def parquet(folder, **options):
    """Those files as a source, in small batches."""
    return sources.parquet(folder, target="target", batch_rows=100, **options)


def fit(source, **parameters):
    parameters = {"cuts": "quantile", "max_bins": 16} | parameters
    return TreeClassifier(**parameters).fit(source)


def with_budget(source, budget):
    """A budget too small to be asked for: so small data are counted in many passes."""
    return replace(source, budget=budget)


def same(a, b):
    for name, values in a.tree_.arrays().items():
        np.testing.assert_array_equal(values, b.tree_.arrays()[name], err_msg=name)
    assert a.classes_.tolist() == b.classes_.tolist()
    assert a.schema_.columns == b.schema_.columns


def check(folder, frame, y, weights=None, budgets=(1000, 30_000, 2**28), batch_rows=150, **parameters):
    """The tree of a source is the tree of memory, whatever the budget."""
    parameters = {"cuts": "quantile", "max_bins": 32, "missing": "own_branch"} | parameters
    model = TreeClassifier(**parameters).fit(frame, y, weights)
    column = None if weights is None else "weight"
    for budget in budgets:
        source = sources.parquet(folder, target="target", weight=column, batch_rows=batch_rows)
        same(model, TreeClassifier(**parameters).fit(with_budget(source, budget)))
    return model
