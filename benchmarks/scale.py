"""What growing a tree from files, Dask and Spark costs: ``python -m benchmarks.scale --rows 2000000``.

Rows are made in a folder of their own, removed in the end unless it was given. Every measurement has a
process of its own, so that the peak of its memory is its own too. The ways take turns, as often as
`--repeats` says, and the medians are shown.

memory    NumPy arrays that are in memory already, by the `cuts` given
exact     the same by exact cuts
files     a source of Parquet files
sketch    the same with quantiles="sketch"
kept      the same with a schema that an earlier fit has kept
dask      a source of a Dask frame, on a cluster of `--workers` processes with one thread each
spark     a source of a Spark frame, on `local[workers]`, and Spark ML's DecisionTreeClassifier with as many
          bins; they take turns in one session, whose Java is slow at first
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from .tables import Table, duration

CHUNK = 500_000
COLUMNS, CLASSES = 20, 5
TEST_ROWS = 500_000

Figures = dict[str, Any]
Measured = dict[str, list[Figures]]


def some_rows(number: int, size: int) -> tuple[np.ndarray, np.ndarray]:
    """Return noisy clusters in half of the columns, and noise in the others; one label in 20 is drawn."""
    centres = np.random.default_rng(0).normal(scale=1.5, size=(4 * CLASSES, COLUMNS // 2))
    rng = np.random.default_rng(number + 1)
    cluster = rng.integers(0, len(centres), size=size)
    X = rng.standard_normal((size, COLUMNS), dtype=np.float32)
    X[:, : COLUMNS // 2] += centres[cluster].astype(np.float32)
    y = np.where(rng.random(size) < 0.05, rng.integers(0, CLASSES, size=size), cluster % CLASSES)
    return X, y.astype(np.int64)


def make_rows(folder: Path, rows: int) -> None:
    """Write rows as Parquet files of half a million each."""
    import pyarrow as pa
    from pyarrow import parquet

    for number, begin in enumerate(range(0, rows, CHUNK)):
        X, y = some_rows(number, min(CHUNK, rows - begin))
        arrays = {f"x{i}": X[:, i] for i in range(COLUMNS)} | {"y": y}
        parquet.write_table(pa.table(arrays), folder / f"{number:05}.parquet", row_group_size=131_072)


def test_rows() -> tuple[np.ndarray, np.ndarray]:
    """Return rows that no file has."""
    return some_rows(10**6, TEST_ROWS)


def read_rows(folder: Path) -> tuple[np.ndarray, np.ndarray]:
    from pyarrow import parquet

    files = sorted(folder.glob("*.parquet"))
    sizes = [parquet.read_metadata(file).num_rows for file in files]
    X, y = np.empty((sum(sizes), COLUMNS), dtype=np.float32), np.empty(sum(sizes), dtype=np.int64)
    begin = 0
    for file, size in zip(files, sizes, strict=True):
        part = parquet.read_table(file)
        for i in range(COLUMNS):
            X[begin : begin + size, i] = part[f"x{i}"].to_numpy()
        y[begin : begin + size] = part["y"].to_numpy()
        begin += size
    return X, y


class Passes(logging.Handler):
    """What the log says of the passes of a fit, and when."""

    def __init__(self) -> None:
        super().__init__(logging.INFO)
        self.told: list[dict[str, Any]] = []
        self._last = time.perf_counter()
        log = logging.getLogger("ramify.sources")
        log.addHandler(self)
        log.setLevel(logging.INFO)

    def emit(self, record: logging.LogRecord) -> None:
        now = time.perf_counter()
        self.told.append({"seconds": round(now - self._last, 2), "what": record.getMessage()})
        self._last = now


def measure(options: argparse.Namespace) -> Measured:
    """Fit in one way, and say what it took."""
    if options.way == "spark":
        return measure_spark(options, Path(options.folder))
    return {options.way: [_WAYS[options.way](options, Path(options.folder))]}


def model_of(options: argparse.Namespace, cuts: str | None = None) -> Any:
    from ramify import TreeClassifier

    limits = {"max_bins": options.bins, "max_depth": options.depth or None}
    return TreeClassifier(cuts=cuts or options.cuts, n_jobs=options.jobs, **limits)


def timed(fit: Callable[[], Any]) -> tuple[Any, Figures]:
    passes = Passes()
    wall, processor = time.perf_counter(), time.process_time()
    model = fit()
    seconds, processor = time.perf_counter() - wall, time.process_time() - processor
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {"seconds": seconds, "processor": processor, "peak_mib": peak, "passes": passes.told}
    return model, figures


def told(model: Any, figures: Figures) -> Figures:
    """Add what the tree is: its size, its accuracy on other rows, and a digest of its thresholds."""
    import polars as pl

    X, y = test_rows()
    rows = pl.DataFrame(X, schema=model.schema_.names) if model.schema_.named else X
    tree = model.tree_
    digest = hashlib.sha256(tree.threshold.tobytes()).hexdigest()[:6]
    accuracy = float((model.predict(rows) == y).mean())
    return figures | {"nodes": tree.node_count, "accuracy": accuracy, "digest": digest}


def measure_memory(options: argparse.Namespace, folder: Path, cuts: str | None = None) -> Figures:
    X, y = read_rows(folder)
    model = model_of(options, cuts)
    return told(*timed(lambda: model.fit(X, y)))


def measure_exact(options: argparse.Namespace, folder: Path) -> Figures:
    return measure_memory(options, folder, "exact")


def measure_files(options: argparse.Namespace, folder: Path, **given: Any) -> Figures:
    from ramify import sources

    source = sources.parquet(folder, target="y", budget=options.budget, **given)
    model = model_of(options)
    return told(*timed(lambda: model.fit(source)))


def measure_sketch(options: argparse.Namespace, folder: Path) -> Figures:
    return measure_files(options, folder, quantiles="sketch")


def measure_kept(options: argparse.Namespace, folder: Path) -> Figures:
    with tempfile.TemporaryDirectory() as place:
        schema = Path(place) / "schema.json"
        measure_files(options, folder, schema=schema)
        return measure_files(options, folder, schema=schema)


def measure_dask(options: argparse.Namespace, folder: Path) -> Figures:
    import dask.dataframe as dd
    from distributed import Client, LocalCluster

    from ramify import sources

    with (
        LocalCluster(n_workers=options.workers, threads_per_worker=1, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        source = sources.dask(dd.read_parquet(folder), target="y", budget=options.budget)
        model = model_of(options)
        return told(*timed(lambda: model.fit(source)))


@contextmanager
def spark_frame(options: argparse.Namespace, folder: Path) -> Iterator[Any]:
    """Open a session and read the rows once, so that all that is compared begins alike."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(f"local[{options.workers}]")
        .config("spark.driver.memory", "6g")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "localhost")
        .getOrCreate()
    )
    session.sparkContext.setLogLevel("ERROR")
    frame = session.read.parquet(str(folder))
    frame.selectExpr("count(y)").collect()
    yield frame
    session.stop()


def measure_spark(options: argparse.Namespace, folder: Path) -> Measured:
    """Fit both by turns in one session, after a small fit of each has paid for what is done once."""
    from ramify import sources

    def own(rows: Any) -> Any:
        return model_of(options).fit(sources.spark(rows, target="y", budget=options.budget))

    measured: Measured = {"spark": [], "Spark ML": []}
    with spark_frame(options, folder) as frame:
        theirs, figures_of = spark_ml(options, frame)
        small = frame.limit(20_000)
        own(small)
        theirs(small)
        for _ in range(options.repeats):
            model, figures = timed(lambda: own(frame))
            measured["spark"].append(figures)
            their_model, figures = timed(lambda: theirs(frame))
            measured["Spark ML"].append(figures)
        # In the end, since the rows that they answer for would be in the way of the fits.
        answers = {"spark": told(model, {}), "Spark ML": figures_of(their_model, {})}
    for name, runs in measured.items():
        measured[name] = [run | answers[name] for run in runs]
    return measured


def spark_ml(options: argparse.Namespace, frame: Any) -> tuple[Callable[[Any], Any], Callable[..., Figures]]:
    """Return how Spark ML fits a frame, and what is told of it."""
    import pandas as pd
    from pyspark.ml.classification import DecisionTreeClassifier
    from pyspark.ml.feature import VectorAssembler

    names = [f"x{i}" for i in range(COLUMNS)]
    assembler = VectorAssembler(inputCols=names, outputCol="features")
    tree = DecisionTreeClassifier(
        labelCol="y", maxDepth=options.depth, maxBins=options.bins, maxMemoryInMB=1024
    )

    def fit(rows: Any) -> Any:
        return tree.fit(assembler.transform(rows).select("features", "y"))

    def figures_of(model: Any, figures: Figures) -> Figures:
        X, y = test_rows()
        others = frame.sparkSession.createDataFrame(pd.DataFrame(X, columns=names).assign(y=y))
        answers = model.transform(assembler.transform(others))
        accuracy = float(answers.selectExpr("avg(cast(prediction = y as int))").first()[0])
        return figures | {"nodes": model.numNodes, "accuracy": accuracy}

    return fit, figures_of


_WAYS: dict[str, Callable[[argparse.Namespace, Path], Figures]] = {
    "memory": measure_memory,
    "exact": measure_exact,
    "files": measure_files,
    "sketch": measure_sketch,
    "kept": measure_kept,
    "dask": measure_dask,
}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.scale",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--rows", type=int, default=2_000_000)
    parser.add_argument("--depth", type=int, default=10, help="0: whole trees")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cuts", default="quantile")
    parser.add_argument("--bins", type=int, default=256)
    parser.add_argument("--budget", default="256MiB")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--passes", action="store_true", help="tell every pass")
    parser.add_argument("--ways", nargs="+", choices=[*_WAYS, "spark"], default=["memory", "files"])
    parser.add_argument("--folder", help="rows of an earlier run, or where to make and leave them")
    parser.add_argument("--way", help=argparse.SUPPRESS)
    return parser.parse_args()


def run_apart(options: argparse.Namespace, way: str, folder: Path) -> Measured:
    command = [sys.executable, "-m", "benchmarks.scale", "--way", way, "--folder", str(folder)]
    for name in ("rows", "depth", "jobs", "workers", "cuts", "bins", "budget", "repeats"):
        command += [f"--{name}", str(getattr(options, name))]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    found: Measured = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def show(options: argparse.Namespace, measured: Measured) -> None:
    heads = ["way", "median", "processor", "us a row", "peak", "nodes", "accuracy", "tree"]
    title = f"{options.rows:,} x {COLUMNS} float32, {CLASSES} classes; depth {options.depth or 'unlimited'}"
    table = Table(title, heads)
    for way, runs in measured.items():
        middle = {name: median(run[name] for run in runs) for name in ("seconds", "processor", "peak_mib")}
        table.rows.append(
            [
                way,
                duration(middle["seconds"]),
                duration(middle["processor"]),
                f"{middle['seconds'] / options.rows * 1e6:.2f}",
                f"{middle['peak_mib']:,.0f} MiB",
                f"{runs[0]['nodes']:,}",
                f"{runs[0]['accuracy']:.4f}",
                runs[0].get("digest", ""),
            ]
        )
        if len(runs) > 1:
            table.notes.append(f"{way}: " + ", ".join(f"{run['seconds']:.1f} s" for run in runs))
        if options.passes:
            table.notes += [f"{way}: {told['seconds']:8.2f} s  {told['what']}" for told in runs[0]["passes"]]
    table.notes.append(
        f"accuracy on {TEST_ROWS:,} other rows; processor and peak are those of the process that fits"
    )
    table.show()


def main() -> None:
    options = parse()
    if options.way:
        print(json.dumps(measure(options)))
        return
    folder = Path(options.folder or tempfile.mkdtemp(prefix="ramify-scale-"))
    try:
        if not any(folder.glob("*.parquet")):
            make_rows(folder, options.rows)
        measured: Measured = {}
        for turn in range(options.repeats):
            for way in options.ways:
                if way == "spark" and turn > 0:
                    continue  # it has had all its turns
                for name, runs in run_apart(options, way, folder).items():
                    measured.setdefault(name, []).extend(runs)
                    for run in runs:
                        print(f"  {name}: {run['seconds']:.1f} s", file=sys.stderr, flush=True)
        show(options, measured)
    finally:
        if options.folder is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
