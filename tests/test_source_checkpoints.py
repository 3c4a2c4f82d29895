"""Fits that are cut short, and go on."""

import errno
import logging
import os
import re
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from ramify import TreeClassifier, sources
from ramify.sources import _files
from ramify.sources._spill import SpilledParts
from source_samples import fit, parquet, rows, same, with_budget, write


class StopError(Exception):
    pass


def stop_after(monkeypatch, passes):
    """Make the driver fail in the middle of a later pass."""
    run, done = SpilledParts.run, []

    def failing(self, task, n_jobs):
        if len(done) == passes:
            raise StopError
        done.append(1)
        return run(self, task, n_jobs)

    monkeypatch.setattr(SpilledParts, "run", failing)


@pytest.mark.parametrize("passes", [0, 1, 3])
@pytest.mark.parametrize("weighted", [False, True])
def test_a_fit_goes_on_from_its_checkpoint(tmp_path, monkeypatch, passes, weighted):
    frame, y = rows()
    weights = np.arange(len(y)) % 3 + 1.0 if weighted else None
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", frame, y, 2, weights)

    def source():
        weight = "weight" if weighted else None
        made = parquet(tmp_path / "data", checkpoint=tmp_path / "state", weight=weight)
        return with_budget(made, 3000)

    model = TreeClassifier(cuts="quantile", max_bins=16).fit(frame, y, weights)
    with monkeypatch.context() as patch:
        stop_after(patch, passes)
        with pytest.raises(StopError):
            fit(source())
    written = (tmp_path / "state").read_bytes()
    with monkeypatch.context() as patch:  # the passes for the schema are not made again
        patch.setattr("ramify.sources._fit._begin", None)
        same(model, fit(source()))
    assert (tmp_path / "state").read_bytes() != written
    same(model, fit(source()))  # a finished one too
    with pytest.raises(sources.CheckpointError, match="max_depth is another"):
        fit(source(), max_depth=3)
    (tmp_path / "state").write_bytes(written[:-5])
    with pytest.raises(sources.CheckpointError, match="is damaged"):
        fit(source())


def test_a_fit_that_goes_on_draws_the_same_columns(two, monkeypatch):
    folder, _ = two
    chance = {"max_features": 2, "random_state": np.random.RandomState(7)}
    frame = pl.concat(pl.read_parquet(folder / name) for name in ("a.parquet", "b.parquet"))
    memory = {"cuts": "quantile", "max_bins": 16, "max_features": 2, "random_state": np.random.RandomState(7)}
    model = TreeClassifier(**memory).fit(frame.drop("target"), frame["target"])
    with monkeypatch.context() as patch:
        stop_after(patch, 1)
        patch.setattr("ramify.sources._checkpoint.describe", lambda estimator, source: {})
        with pytest.raises(StopError):
            fit(with_budget(parquet(folder, checkpoint=folder / "state"), 1000), **chance)
    monkeypatch.setattr("ramify.sources._checkpoint.describe", lambda estimator, source: {})
    source = with_budget(parquet(folder, checkpoint=folder / "state"), 1000)
    same(model, fit(source, max_features=2, random_state=None))


def test_a_checkpoint_of_other_data_is_refused(two):
    folder, part = two
    fit(parquet(folder, checkpoint=folder / "state"))
    part[:50].write_parquet(folder / "b.parquet")
    with pytest.raises(sources.CheckpointError, match="data is another"):
        fit(parquet(folder, checkpoint=folder / "state"))


def test_a_full_disk_leaves_the_last_checkpoint(two, monkeypatch):
    folder, _ = two

    def full(descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr("ramify._whole_file.os.fsync", full)
        with pytest.raises(OSError, match=r"the checkpoint .*state' can't be written \(No space left"):
            fit(parquet(folder, checkpoint=folder / "state"))
    assert sorted(file.name for file in folder.iterdir()) == ["a.parquet", "b.parquet"]


def count_reads(monkeypatch):
    """Note every file that is read."""
    read, files = _files._READERS["parquet"], []

    def noting(file, batch_rows):
        files.append(file)
        return read(file, batch_rows)

    monkeypatch.setitem(_files._READERS, "parquet", noting)
    return files


def names(folder):
    return sorted(file.name for file in folder.iterdir())


@pytest.mark.parametrize("scratch", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_rows_are_not_read_again(tmp_path, monkeypatch, weighted, scratch):
    frame, y = rows()
    weights = np.arange(len(y)) % 3 + 1.0 if weighted else None
    (tmp_path / "data").mkdir()
    (tmp_path / "scratch").mkdir()
    write(tmp_path / "data", frame, y, 2, weights)

    def source():
        options = {"weight": "weight" if weighted else None, "checkpoint": tmp_path / "state"}
        options |= {"scratch": tmp_path / "scratch"} if scratch else {}
        return with_budget(parquet(tmp_path / "data", **options), 3000)

    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        with pytest.raises(StopError):
            fit(source())
    place = tmp_path / "scratch" if scratch else tmp_path
    assert (place / "state.rows").stat().st_size > 0
    files = count_reads(monkeypatch)
    same(TreeClassifier(cuts="quantile", max_bins=16).fit(frame, y, weights), fit(source()))
    assert files == []
    assert names(tmp_path) == ["data", "scratch", "state"]
    assert names(tmp_path / "scratch") == []


def test_the_rows_of_a_lazy_frame_are_not_collected_again(tmp_path, monkeypatch):
    frame, y = rows()
    lazy = frame.with_columns(target=pl.Series(y.tolist())).lazy()

    def source():
        made = sources.polars(lazy, target="target", batch_rows=100, checkpoint=tmp_path / "state")
        return with_budget(made, 3000)

    with monkeypatch.context() as patch:
        stop_after(patch, 2)
        with pytest.raises(StopError):
            fit(source())
    monkeypatch.setattr(_files.LazyParts, "__iter__", None)
    same(TreeClassifier(cuts="quantile", max_bins=16).fit(frame, y), fit(source()))
    assert names(tmp_path) == ["state"]


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-100])


def change_a_byte(path):
    content = bytearray(path.read_bytes())
    content[100] ^= 1
    path.write_bytes(content)


def of_another_fit(path):
    content = bytearray(path.read_bytes())
    content[-60:-50] = b"7" * 10
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (cut_short, "bytes, not the"),
        (change_a_byte, "part 1 of .* is damaged"),
        (of_another_fit, "is of another fit, or damaged"),
        (lambda path: path.write_bytes(b""), "has 0 bytes"),
        (lambda path: path.unlink(), "No such file"),
    ],
)
def test_rows_that_cannot_be_used_are_encoded_again(two, monkeypatch, caplog, change, text):
    folder, _ = two
    model = fit(parquet(folder))

    def source():
        return with_budget(parquet(folder, checkpoint=folder / "state"), 1000)

    with monkeypatch.context() as patch:
        stop_after(patch, 1)
        with pytest.raises(StopError):
            fit(source())
    change(folder / "state.rows")
    files = count_reads(monkeypatch)
    with caplog.at_level(logging.WARNING, "ramify.sources"):
        same(model, fit(source()))
    assert [Path(file).name for file in files] == ["a.parquet", "b.parquet"]  # once each
    assert re.search(f"the rows are encoded once more: .*{text}", caplog.text)
    assert names(folder) == ["a.parquet", "b.parquet", "state"]


def test_a_file_of_somebody_else_is_left_alone(two):
    folder, _ = two
    (folder / "state.rows").write_text("my notes")
    with pytest.raises(FileExistsError, match=r"state\.rows' is in the way"):
        fit(parquet(folder, checkpoint=folder / "state"))
    assert (folder / "state.rows").read_text() == "my notes"


def test_what_a_killed_process_left_is_cleared_away(two):
    folder, _ = two
    (folder / "state.rows.part").write_bytes(b"half")
    fit(parquet(folder, checkpoint=folder / "state"))
    assert names(folder) == ["a.parquet", "b.parquet", "state"]


def test_a_full_disk_leaves_no_half_of_the_rows(two, monkeypatch):
    folder, _ = two
    write_all, written = SpilledParts._write, []

    def full(self, content):
        if len(written) == 2:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        written.append(1)
        write_all(self, content)

    with monkeypatch.context() as patch:
        patch.setattr(SpilledParts, "_write", full)
        with pytest.raises(OSError, match="No space left"):
            fit(parquet(folder, checkpoint=folder / "state"))
    assert names(folder) == ["a.parquet", "b.parquet", "state"]
    same(fit(parquet(folder)), fit(parquet(folder, checkpoint=folder / "state")))


@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_killed_process_goes_on(tmp_path, monkeypatch):
    frame, y = rows(4000, seed=4)
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", frame, y, 4)
    script = textwrap.dedent(
        """
        import sys, time
        from dataclasses import replace
        from ramify import TreeClassifier, sources
        from ramify.sources._growth import Grower
        run = Grower.run
        def slow(self, turn, parts):
            run(self, turn, parts)
            print("pass", flush=True)
            time.sleep(0.2)
        Grower.run = slow
        source = sources.parquet(sys.argv[1], target="target", checkpoint=sys.argv[2])
        TreeClassifier(cuts="quantile", max_bins=16).fit(replace(source, budget=6000))
        """
    )
    command = [sys.executable, "-c", script, str(tmp_path / "data"), str(tmp_path / "state")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for _ in range(3):
            assert process.stdout.readline() == "pass\n"
        time.sleep(0.05)
        process.send_signal(signal.SIGKILL)
    source = parquet(tmp_path / "data", checkpoint=tmp_path / "state")
    files = count_reads(monkeypatch)
    resumed = fit(with_budget(source, 6000))
    assert files == []  # its rows were kept
    same(TreeClassifier(cuts="quantile", max_bins=16).fit(frame, y), resumed)
    assert names(tmp_path) == ["data", "state"]
