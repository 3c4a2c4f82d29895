"""Files are whole or not there, and what is no file is left in its place."""

import os
import stat
import sys
import threading

import polars as pl
import pytest

from ramify import TreeClassifier, save_model
from ramify._whole_file import write_whole
from ramify.tables import DataError
from ramify.tables.writing import write_batches

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and pipes are those of Unix")

FRAME = pl.DataFrame({"a": [1, 2]})


def write_rows(path):
    write_batches(iter([FRAME]), FRAME.schema, path)


def write_text(path):
    write_whole(path, b"a\n1\n2\n")


@pytest.mark.parametrize("write", [write_text, write_rows])
def test_a_link_stays_and_its_file_is_written(write, tmp_path):
    (tmp_path / "there").mkdir()
    kept, link = tmp_path / "there" / "kept.csv", tmp_path / "link.csv"
    kept.write_text("old")
    kept.chmod(0o600)
    link.symlink_to(kept)
    write(link)
    assert link.is_symlink() and kept.read_text() == "a\n1\n2\n"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600  # what was private stays so
    assert list((tmp_path / "there").iterdir()) == [kept]


@pytest.mark.parametrize("write", [write_text, write_rows])
def test_a_new_file_may_be_read_as_any_other(write, tmp_path):
    (tmp_path / "plain").touch()
    write(tmp_path / "new.csv")
    assert (tmp_path / "new.csv").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_pipe_is_written_to_and_stays_one(tmp_path):
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()), daemon=True)
    reader.start()
    save_model(TreeClassifier().fit([[0.0], [1.0]], [0, 1]), pipe)
    reader.join(20)
    assert pipe.is_fifo() and read[0].startswith(b"{")


def test_rows_need_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(DataError, match="a device or a pipe; name a file"):
        write_rows(tmp_path / "pipe.csv")
    assert (tmp_path / "pipe.csv").is_fifo()


def test_an_error_names_the_file_that_was_meant(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        write_text(tmp_path / "no" / "such.json")
    assert raised.value.filename == str(tmp_path / "no" / "such.json")
