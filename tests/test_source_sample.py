"""Rows of sources drawn at random."""

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from ramify import TreeClassifier, TreeClassifierCV, q_path, sources
from ramify.sources._parts import Part
from ramify.sources._rows import RowReader
from ramify.sources._sample import Draw
from source_samples import parquet, rows, write


def numbered(n=1000):
    return pl.DataFrame({"row": np.arange(n), "target": np.arange(n) % 3, "weight": np.arange(n) % 4 + 0.5})


def drawn(source, wanted, seed=0):
    X, y, weights = source.sample(wanted, random_state=seed)
    found = np.asarray(X["row"])
    assert np.array_equal(y, found % 3)
    if source.weight is not None:
        assert np.array_equal(weights, found % 4 + 0.5)
    return found


def lazy(frame, batch_rows=100):
    return sources.polars(frame.lazy(), target="target", weight="weight", batch_rows=batch_rows)


@pytest.mark.parametrize("wanted", [1, 10, 299])
def test_the_same_rows_whatever_the_batches(tmp_path, wanted):
    frame = numbered(300)
    expected = drawn(lazy(frame), wanted)
    assert len(expected) == wanted and (np.diff(expected) > 0).all()
    for i, (begin, end) in enumerate([(0, 10), (10, 200), (200, 200), (200, 300)]):
        frame[begin:end].write_parquet(tmp_path / f"{i}.parquet")
    for batch_rows in (1, 7, 5000):
        source = sources.parquet(tmp_path, target="target", weight="weight", batch_rows=batch_rows)
        assert drawn(source, wanted).tolist() == expected.tolist()
    assert wanted == 299 or drawn(lazy(frame), wanted, seed=1).tolist() != expected.tolist()


def test_every_row_and_every_pair_is_as_likely_as_any_other():
    n, wanted, draws = 40, 10, 400
    frame = numbered(n)
    batches = [Part(nw.from_native(frame[i : i + 13], eager_only=True), "") for i in range(0, n, 13)]
    taken = np.zeros((draws, n))
    for seed in range(draws):
        task = Draw(RowReader("target"), wanted, seed)
        total = task.start()
        for batch in batches:
            task.add(total, batch, 1)
        total.thin(wanted)
        taken[seed, total.frames[0]["row"].to_numpy()] = 1
    assert (taken.sum(axis=1) == wanted).all()
    together = taken.T @ taken / draws
    share = wanted / n
    assert np.abs(np.diag(together) - share).max() < 4.5 * np.sqrt(share * (1 - share) / draws)
    pairs = together[~np.eye(n, dtype=bool)]
    of_two = share * (wanted - 1) / (n - 1)
    assert np.abs(pairs - of_two).max() < 5 * np.sqrt(of_two / draws)


def test_all_rows_if_there_are_not_as_many():
    assert drawn(lazy(numbered(50)), 1000).tolist() == list(range(50))


@pytest.mark.filterwarnings("default")
def test_rows_of_dask_frames():
    pytest.importorskip("dask.dataframe")
    import dask
    import dask.dataframe as dd

    parted = dd.from_pandas(numbered().to_pandas(), npartitions=8)
    source = sources.dask(parted, target="target", weight="weight")
    with dask.config.set(scheduler="threads"):
        found = drawn(source, 300)
        assert found.tolist() == drawn(source, 300).tolist()
    assert len(set(found.tolist())) == 300
    assert all(10 < np.count_nonzero(found // 125 == i) < 70 for i in range(8))
    assert len({tuple(found[found // 125 == i] % 125) for i in range(8)}) == 8  # not the same ones of each


def test_a_sample_chooses_q_for_all_rows(tmp_path):
    frame, y = rows(missing=True, seed=9)
    source = parquet(write(tmp_path, frame, y, 3))
    X, labels, weights = source.sample(400)
    assert weights is None
    assert X.column_names == frame.columns
    path = q_path(X, labels, [0.5, 2.0], cv=3, n_repeats=1, missing="own_branch")
    model = TreeClassifierCV([0.5, 2.0], cv=3, missing="own_branch").fit(X, labels)
    assert path.best_q_ == model.q_
    TreeClassifier(q=model.q_, cuts="quantile", missing="own_branch").fit(source)


def test_sources_themselves_are_refused_where_all_rows_are_needed():
    source = lazy(numbered())
    for use in (q_path, TreeClassifierCV().fit, TreeClassifier().fit([[1.0], [2.0]], [0, 1]).apply):
        with pytest.raises(
            TypeError, match=r"X is a source.*q_path and TreeClassifierCV too.*sample\(rows\)"
        ):
            use(source)


def test_parts_that_differ_are_named(tmp_path):
    frame = numbered().drop("weight")
    frame[:500].write_parquet(tmp_path / "a.parquet")
    frame[500:].with_columns(more=1).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(sources.SourceError, match=r"b\.parquet: It has the columns \['more'\]"):
        parquet(tmp_path).sample(10)
    frame[500:].with_columns(row=pl.lit("x")).write_parquet(tmp_path / "b.parquet")
    with pytest.raises(sources.SourceError, match="types that do not go together"):
        parquet(tmp_path).sample(900)
    frame[500:].with_columns(row=None).write_parquet(tmp_path / "b.parquet")
    assert len(parquet(tmp_path).sample(900)[1]) == 900


def test_bad_samples(tmp_path):
    source = lazy(numbered())
    with pytest.raises(ValueError, match="rows=0 is not accepted"):
        source.sample(0)
    with pytest.raises(ValueError, match="random_state='x' is not accepted"):
        source.sample(5, random_state="x")
    with pytest.raises(sources.SourceError, match="The source has no rows"):
        lazy(numbered()[:0]).sample(5)
    with pytest.raises(sources.SourceError, match="There is no column 'what', the target"):
        sources.polars(numbered().lazy(), target="what").sample(5)
