"""What growing a tree from files, Dask and Spark costs: ``python -m benchmarks.scale --rows 2000000``.

Rows are made in a folder of their own, which is removed in the end. Every measurement has a process of its
own, so that the peak of its memory is its own too.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

CHUNK = 500_000


def make_rows(folder: Path, rows: int, columns: int = 20, classes: int = 5) -> None:
    """Write noisy clusters in half of the columns, and noise in the others."""
    import pyarrow as pa
    from pyarrow import parquet

    centres = np.random.default_rng(0).normal(scale=1.5, size=(4 * classes, columns // 2))
    for number, begin in enumerate(range(0, rows, CHUNK)):
        rng = np.random.default_rng(number + 1)
        size = min(CHUNK, rows - begin)
        cluster = rng.integers(0, len(centres), size=size)
        X = rng.standard_normal((size, columns), dtype=np.float32)
        X[:, : columns // 2] += centres[cluster].astype(np.float32)
        y = np.where(rng.random(size) < 0.05, rng.integers(0, classes, size=size), cluster % classes)
        arrays = {f"x{i}": X[:, i] for i in range(columns)} | {"y": y.astype(np.int64)}
        parquet.write_table(pa.table(arrays), folder / f"{number:05}.parquet", row_group_size=131_072)


def read_rows(folder: Path, files: int | None = None) -> tuple[np.ndarray, np.ndarray]:
    from pyarrow import parquet

    found = sorted(folder.glob("*.parquet"))[:files]
    parts = [parquet.read_table(file) for file in found]
    names = parts[0].column_names[:-1]
    X = np.empty((sum(map(len, parts)), len(names)), dtype=np.float32)
    begin = 0
    for part in parts:
        for i, name in enumerate(names):
            X[begin : begin + len(part), i] = part[name].to_numpy()
        begin += len(part)
    return X, np.concatenate([part["y"].to_numpy() for part in parts])


def model_of(options: argparse.Namespace):
    from ramify import TreeClassifier

    depth = options.depth or None
    return TreeClassifier(cuts=options.cuts, max_depth=depth, n_jobs=options.jobs)


def measure(options: argparse.Namespace) -> dict[str, object]:
    """Fit in one way, and say what it took."""
    from ramify import sources

    folder = Path(options.folder)
    model = model_of(options)
    if options.way == "memory":
        X, y = read_rows(folder)
        start, cpu = time.perf_counter(), time.process_time()
        model.fit(X, y)
    elif options.way == "files":
        start, cpu = time.perf_counter(), time.process_time()
        model.fit(sources.parquet(folder, target="y", budget=options.budget))
    elif options.way == "dask":
        return measure_dask(options, folder, model)
    else:
        return measure_spark(options, folder, model)
    seconds, cpu = time.perf_counter() - start, time.process_time() - cpu
    return told(model, seconds, folder) | {"cpu_seconds": round(cpu, 2)}


def told(model, seconds: float, folder: Path) -> dict[str, object]:
    X, y = read_rows(folder, 1)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if model.schema_.named:
        import polars as pl

        X = pl.DataFrame(X, schema=model.schema_.names)
    tree = model.tree_
    digest = int(np.frombuffer(tree.threshold.tobytes(), dtype=np.uint64).sum())
    return {
        "seconds": round(seconds, 2),
        "peak_mib": round(peak),
        "nodes": tree.node_count,
        "accuracy": round(float((model.predict(X) == y).mean()), 4),
        "digest": digest,
    }


def measure_dask(options: argparse.Namespace, folder: Path, model) -> dict[str, object]:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from ramify import sources

    with (
        LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        frame = dd.read_parquet(folder)
        start = time.perf_counter()
        model.fit(sources.dask(frame, target="y", budget=options.budget))
        seconds = time.perf_counter() - start
    return told(model, seconds, folder)


def measure_spark(options: argparse.Namespace, folder: Path, model) -> dict[str, object]:
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import VectorAssembler
    from pyspark.sql import SparkSession

    from ramify import sources

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local[{options.workers}]")
        .config("spark.driver.memory", "6g")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "localhost")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", "100000")
        .getOrCreate()
    )
    frame = session.read.parquet(str(folder))
    frame.selectExpr("count(*)").collect()
    start = time.perf_counter()
    model.fit(sources.spark(frame, target="y", budget=options.budget))
    own = time.perf_counter() - start
    result = told(model, own, folder)
    names = [name for name in frame.columns if name != "y"]
    vectors = VectorAssembler(inputCols=names, outputCol="features").transform(frame).select("features", "y")
    start = time.perf_counter()
    theirs = DecisionTreeClassifier(
        labelCol="y", maxDepth=options.depth, maxBins=256, maxMemoryInMB=1024
    ).fit(vectors)
    result["spark_ml_seconds"] = round(time.perf_counter() - start, 2)
    first = session.read.parquet(str(sorted(folder.glob("*.parquet"))[0]))
    answers = theirs.transform(VectorAssembler(inputCols=names, outputCol="features").transform(first))
    result["spark_ml_accuracy"] = round(answers.selectExpr("avg(cast(prediction = y as int))").first()[0], 4)
    session.stop()
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cuts", default="quantile")
    parser.add_argument("--budget", default="256MiB")
    parser.add_argument("--ways", nargs="+", default=["memory", "files"])
    parser.add_argument("--folder", help=argparse.SUPPRESS)
    parser.add_argument("--way", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.way:
        print(json.dumps(measure(options)))
        return
    folder = Path(tempfile.mkdtemp(prefix="ramify-scale-"))
    try:
        make_rows(folder, options.rows)
        for way in options.ways:
            command = [sys.executable, "-m", "benchmarks.scale", "--way", way, "--folder", str(folder)]
            for name in ("rows", "depth", "jobs", "workers", "cuts", "budget"):
                command += [f"--{name}", str(getattr(options, name))]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            print(way, done.stdout.strip().splitlines()[-1], flush=True)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
