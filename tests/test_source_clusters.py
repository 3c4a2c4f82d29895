"""Dask and Spark grow the tree of memory."""

import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import polars as pl
import pytest

from ramify import TreeClassifier, load_model, sources
from source_samples import rows, same, with_budget
from test_search import CRITERIA

PARAMETERS = {"cuts": "quantile", "max_bins": 24, "missing": "own_branch"}

#: Every criterion takes minutes; files have them all in the usual tests.
LONG = "RAMIFY_LONG" in os.environ


def frames(n=500, seed=1):
    frame, y = rows(n, seed, missing=True)
    weights = (np.arange(n) % 3).astype(float)
    whole = frame.with_columns(target=pl.Series(y.tolist()), weight=pl.Series(weights))
    return frame, y, weights, whole


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("partitions", [1, 3, 8])
@pytest.mark.parametrize("criterion", CRITERIA if LONG else ["gain", "gain_ratio", "twoing"])
def test_dask_grows_the_same_tree(partitions, criterion):
    pytest.importorskip("dask.dataframe")
    import dask
    import dask.dataframe as dd

    frame, y, weights, whole = frames()
    model = TreeClassifier(criterion, **PARAMETERS).fit(frame, y, weights)
    # As Arrow types: Dask makes strings of all Python objects, booleans with gaps among them.
    parted = dd.from_pandas(whole.to_pandas(use_pyarrow_extension_array=True), npartitions=partitions)
    with dask.config.set(scheduler="threads"):
        for budget in (4000, 2**28):
            source = with_budget(sources.dask(parted, target="target", weight="weight"), budget)
            same(model, TreeClassifier(criterion, **PARAMETERS).fit(source))


@pytest.mark.filterwarnings("default")
def test_a_checkpoint_of_other_rows_of_dask_is_refused(tmp_path, monkeypatch):
    pytest.importorskip("dask.dataframe")
    import dask
    import dask.dataframe as dd

    from ramify.sources import _growth

    def source(seed):
        whole = frames(seed=seed)[3].to_pandas(use_pyarrow_extension_array=True)
        given = sources.dask(dd.from_pandas(whole, npartitions=3), target="target", checkpoint=tmp_path / "c")
        return with_budget(given, 4000)

    class StoppedError(Exception):
        pass

    def stop(self, turn, parts):
        raise StoppedError

    with dask.config.set(scheduler="threads"):
        with monkeypatch.context() as patch:
            patch.setattr(_growth.Grower, "run", stop)
            with pytest.raises(StoppedError):
                TreeClassifier(**PARAMETERS).fit(source(1))
        with pytest.raises(sources.CheckpointError, match="data is another"):
            TreeClassifier(**PARAMETERS).fit(source(2))
        resumed = TreeClassifier(**PARAMETERS).fit(source(1))
    _, y, _, whole = frames(seed=1)
    same(resumed, TreeClassifier(**PARAMETERS).fit(whole.drop("target"), y))


@pytest.mark.filterwarnings("default")
def test_dask_frames_are_answered_lazily():
    pytest.importorskip("dask.dataframe")
    import dask
    import dask.dataframe as dd

    frame, y, _, _ = frames()
    model = TreeClassifier(**PARAMETERS).fit(frame, y)
    parted = dd.from_pandas(frame.to_pandas(use_pyarrow_extension_array=True), npartitions=3)
    answers, shares = model.predict(parted), model.predict_proba(parted)
    assert answers.npartitions == 3
    with dask.config.set(scheduler="threads"):
        assert answers.compute().tolist() == model.predict(frame).tolist()
        assert list(shares.columns) == ["no", "perhaps", "yes"]
        np.testing.assert_array_equal(shares.compute().to_numpy(), model.predict_proba(frame))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_killed_worker_of_dask_changes_nothing(tmp_path):
    pytest.importorskip("distributed")
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from ramify.sources import _growth

    frame, y, weights, whole = frames(3000)
    model = TreeClassifier(**PARAMETERS).fit(frame, y, weights)
    whole.write_parquet(tmp_path / "rows.parquet")
    parted = dd.read_parquet(tmp_path / "rows.parquet").repartition(npartitions=8)
    run, passes = _growth.Grower.run, []
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        victim = next(iter(client.run(os.getpid).values()))

        def killing(self, turn, parts):
            passes.append(turn)
            if len(passes) == 3:
                os.kill(victim, signal.SIGKILL)
            run(self, turn, parts)

        _growth.Grower.run = killing
        try:
            source = with_budget(sources.dask(parted, target="target", weight="weight"), 6000)
            other = TreeClassifier(**PARAMETERS).fit(source)
        finally:
            _growth.Grower.run = run
        assert victim not in client.run(os.getpid).values()
    assert len(passes) > 3
    same(model, other)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_dask_cluster_that_goes_away_is_told_of(tmp_path):
    pytest.importorskip("distributed")
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from ramify.sources import _growth

    _, _, _, whole = frames(2000)
    whole.write_parquet(tmp_path / "rows.parquet")
    parted = dd.read_parquet(tmp_path / "rows.parquet").repartition(npartitions=4)
    run = _growth.Grower.run
    cluster = LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None)
    client = Client(cluster)

    def leaving(self, turn, parts):
        cluster.close()
        run(self, turn, parts)

    _growth.Grower.run = leaving
    try:
        source = with_budget(sources.dask(parted, target="target", weight="weight"), 6000)
        with pytest.raises(sources.SourceError, match=r"Dask: the cluster went away"):
            TreeClassifier(**PARAMETERS).fit(source)
    finally:
        _growth.Grower.run = run
        client.close()


@pytest.fixture(scope="module")
def spark():
    pytest.importorskip("pyspark", reason="Spark is not installed")
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        pytest.skip("Spark needs Java")
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master("local[2]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "localhost")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("partitions", [1, 3, 8])
@pytest.mark.parametrize("criterion", CRITERIA if LONG else ["gain"])
def test_spark_grows_the_same_tree(spark, tmp_path, partitions, criterion):
    frame, y, weights, whole = frames()
    model = TreeClassifier(criterion, **PARAMETERS).fit(frame, y, weights)
    whole.write_parquet(tmp_path / "rows.parquet")
    parted = spark.read.parquet(str(tmp_path / "rows.parquet")).repartition(partitions)
    for budget in (20_000, 2**28):
        source = with_budget(sources.spark(parted, target="target", weight="weight"), budget)
        same(model, TreeClassifier(criterion, **PARAMETERS).fit(source))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_spark_keeps_and_uses_schemas(spark, tmp_path):
    pytest.importorskip("datasketches")
    frame, y, _, whole = frames()
    whole = whole.drop("weight")
    whole.write_parquet(tmp_path / "rows.parquet")
    parted = spark.read.parquet(str(tmp_path / "rows.parquet")).repartition(3)
    options = {"target": "target", "quantiles": "sketch", "schema": tmp_path / "codes.json"}
    model = TreeClassifier(**PARAMETERS).fit(sources.spark(parted, **options))
    same(model, TreeClassifier(**PARAMETERS).fit(sources.parquet(tmp_path / "rows.parquet", **options)))
    same(model, TreeClassifier(**PARAMETERS).fit(sources.spark(parted.coalesce(1), **options)))
    # Of so few rows a sketch keeps all.
    same(model, TreeClassifier(**PARAMETERS).fit(frame, y))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_rows_of_spark_frames_are_drawn(spark):
    parted = spark.range(0, 1000, 1, 4).selectExpr("id", "id % 3 as target")
    source = sources.spark(parted, target="target")
    X, y, _ = source.sample(200)
    found = X["id"].to_numpy()
    assert len(set(found.tolist())) == 200 and np.array_equal(found % 3, y)
    assert found.tolist() == source.sample(200)[0]["id"].to_pylist()
    assert all(20 < np.count_nonzero(found // 250 == i) < 80 for i in range(4))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_spark_names_what_is_wrong(spark, tmp_path):
    frame = spark.createDataFrame([(1.0, "a"), (float("inf"), "b")], ["x", "target"])
    with pytest.raises(sources.SourceError, match=r"partition \d+: .*infinity: column 'x'"):
        TreeClassifier(**PARAMETERS).fit(sources.spark(frame, target="target"))
    with pytest.raises(sources.SourceError, match="There is no column 'what', the target"):
        TreeClassifier(**PARAMETERS).fit(sources.spark(frame, target="what"))
    with pytest.raises(sources.SourceError, match=r"The source has no rows"):
        TreeClassifier(**PARAMETERS).fit(sources.spark(frame.limit(0), target="target"))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_spark_frames_are_answered_lazily(spark, tmp_path):
    frame, y, _, whole = frames()
    model = TreeClassifier(**PARAMETERS).fit(frame, y)
    whole.write_parquet(tmp_path / "rows.parquet")
    parted = spark.read.parquet(str(tmp_path / "rows.parquet"))
    answers = model.predict(parted)
    assert answers.columns == [*parted.columns, "prediction"]
    assert [row.prediction for row in answers.collect()] == model.predict(frame).tolist()
    shares = [row.probability for row in model.predict_proba(parted).collect()]
    np.testing.assert_array_equal(shares, model.predict_proba(frame))


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_names_with_dots_and_numbers_with_gaps_come_through_spark(spark):
    names = ["a.b", "c`d", "n", "whole", "target"]
    listed = [
        (i / 7, float(-i), None if i % 5 == 0 else i, i % 4, "yes" if i % 9 < 4 else "no") for i in range(200)
    ]
    whole = pl.DataFrame(listed, schema=names, orient="row")
    model = TreeClassifier(**PARAMETERS).fit(whole.drop("target"), whole["target"].to_list())
    parted = spark.createDataFrame(listed, names).repartition(3)
    same(model, TreeClassifier(**PARAMETERS).fit(sources.spark(parted, target="target")))
    answers = model.predict(parted).orderBy("n").toPandas()
    assert answers.columns.tolist() == [*names, "prediction"]
    np.testing.assert_array_equal(
        answers["prediction"], model.predict(pl.from_pandas(answers).select(names[:-1]))
    )


_BY_CONNECT = """
import sys
from pyspark.sql import SparkSession
from ramify import TreeClassifier, save_model, sources

session = SparkSession.builder.remote("local[2]").getOrCreate()
frame = session.read.parquet(sys.argv[1]).repartition(3)
source = sources.spark(frame, target="target", weight="weight")
model = TreeClassifier(cuts="quantile", max_bins=24, missing="own_branch").fit(source)
save_model(model, sys.argv[2])
print("answers", model.predict(frame).count())
session.stop()
"""


@pytest.mark.slow
def test_spark_connect_grows_the_same_tree(spark, tmp_path):
    pytest.importorskip("grpc", reason="Spark Connect is not installed")
    frame, y, weights, whole = frames()
    whole.write_parquet(tmp_path / "rows.parquet")
    command = [
        sys.executable,
        "-c",
        _BY_CONNECT,
        str(tmp_path / "rows.parquet"),
        str(tmp_path / "model.json"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=240, check=False)
    assert "answers 500" in done.stdout, done.stderr
    same(TreeClassifier(**PARAMETERS).fit(frame, y, weights), load_model(tmp_path / "model.json"))
