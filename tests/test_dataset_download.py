"""Sets that are fetched: from a folder, from the cache, and from a server that misbehaves in every way."""

import csv
import hashlib
import pickle
import socket
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from data_folder import data_folder
from ramify.datasets import DownloadError, MissingDataset, _download, _fetched, load
from ramify.datasets._catalogue import records
from ramify.datasets._origin import rows_of

CANONICAL = b"size,colour,class\n1.50,red,good\n,blue,bad\n2.00,,good\n"
RECORD = {
    "columns": {"size": None, "colour": ["red", "blue"]},
    "target": "class",
    "classes": ["bad", "good"],
    "sha256": hashlib.sha256(CANONICAL).hexdigest(),
}
ARFF = b"""% about the set
@relation toy

@attribute 'name' string
@ATTRIBUTE Size real
@attribute "colour" {'red', blue}
@attribute outcome {bad,good}
@data
% a comment
'a, b', 1.50, 'red', good
c,?,blue,bad
d,2.00,?,good
"""
ROWS = b"1.50,red,good\n?,blue,bad\n2.00,?,good\n"


class Server(ThreadingHTTPServer):
    """A server whose answer the test sets: a status, a body, and a length that may be a lie."""

    def __init__(self):
        self.status, self.body, self.length, self.requests = 200, b"", None, []
        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self):
        return f"http://127.0.0.1:{self.server_port}/toy.arff"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.requests.append(self.path)
        self.send_response(self.server.status)
        length = len(self.server.body) if self.server.length is None else self.server.length
        self.send_header("Content-Length", str(length))
        self.end_headers()
        self.wfile.write(self.server.body)

    def log_message(self, *args):
        pass


@pytest.fixture
def server():
    with Server() as found:
        thread = Thread(target=found.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        found.shutdown()
        thread.join()


@pytest.fixture(autouse=True)
def cache(monkeypatch, tmp_path):
    monkeypatch.delenv("RAMIFY_DATA", raising=False)
    monkeypatch.setenv("RAMIFY_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    return tmp_path / "cache"


def fetch(server, download=True):
    return _fetched.content("toy", RECORD | {"address": server.address}, download)


@pytest.mark.parametrize("body", [ARFF, ROWS, b"1,2,class\n" + ROWS, ARFF.replace(b"\n", b"\r\n")])
def test_a_download_is_parsed_checked_and_kept(server, cache, body):
    server.body = body
    assert fetch(server) == CANONICAL
    assert (cache / "datasets" / "toy.csv").read_bytes() == CANONICAL
    assert fetch(server, download=False) == CANONICAL
    assert fetch(server) == CANONICAL
    assert len(server.requests) == 1


def test_nothing_is_downloaded_unless_asked_for(server):
    server.body = ARFF
    with pytest.raises(MissingDataset) as caught:
        fetch(server, download=False)
    assert server.requests == []
    text = str(caught.value)
    ways = "download=True", "ramify datasets --download toy", server.address
    for word in ("'toy'", "toy.csv", "RAMIFY_DATA", *ways):
        assert word in text
    assert isinstance(caught.value, LookupError)
    assert caught.value.dataset == "toy"
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.dataset, str(again)) == ("toy", text)


def test_the_folder_comes_before_the_cache(server, cache, monkeypatch, tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "toy.csv").write_bytes(CANONICAL.replace(b"\n", b"\r\n"))
    monkeypatch.setenv("RAMIFY_DATA", str(folder))
    (cache / "datasets").mkdir(parents=True)
    (cache / "datasets" / "toy.csv").write_bytes(b"not this one\n")
    assert fetch(server, download=False) == CANONICAL
    (folder / "toy.csv").write_bytes(CANONICAL.replace(b"red", b"blue"))
    with pytest.raises(ValueError, match=r"data.toy\.csv is not the one that is meant: the SHA-256"):
        fetch(server, download=False)
    assert server.requests == []


def nothing_was_kept(cache):
    return not (cache / "datasets").exists() or not list((cache / "datasets").iterdir())


def test_other_rows_are_refused_and_not_kept(server, cache):
    server.body = ARFF.replace(b"1.50", b"1.51")
    with pytest.raises(ValueError, match=f"{RECORD['sha256']} is wanted"):
        fetch(server)
    assert nothing_was_kept(cache)


def test_an_answer_that_is_cut_off_is_refused(server, cache):
    server.body, server.length = ARFF[:100], len(ARFF)
    with pytest.raises(DownloadError, match=rf"cut off after 100 of {len(ARFF)} bytes"):
        fetch(server)
    assert nothing_was_kept(cache)


def test_a_refusal_is_told(server):
    server.status = 404
    with pytest.raises(DownloadError, match=r"toy\.arff can't be downloaded: 404"):
        fetch(server)


def test_no_server_is_told():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}/x"
    with pytest.raises(DownloadError, match="can't be downloaded") as caught:
        _download.download_file(address)
    assert isinstance(caught.value, OSError)


def test_a_silent_server_is_given_up(monkeypatch):
    monkeypatch.setattr(_download, "TIMEOUT", 0.2)
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        with pytest.raises(DownloadError, match="timed out"):
            _download.download_file(f"http://127.0.0.1:{silent.getsockname()[1]}/x")


def test_a_file_that_is_too_large_is_refused(server, monkeypatch):
    monkeypatch.setattr(_download, "_LARGEST", 50)
    server.body = ARFF
    with pytest.raises(DownloadError, match="larger than 50 bytes"):
        fetch(server)


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (b"\xff\xfe\x00", "no text"),
        (ARFF.replace(b"c,?,blue,bad", b"c,?,blue"), "row 2 of the file has 3 cells, 4 are wanted"),
        (ARFF.replace(b'"colour"', b'"shade"'), "no columns colour"),
        (b"<html>", "row 1 of the file has"),
    ],
)
def test_what_is_no_such_file_is_refused(body, text):
    with pytest.raises(ValueError, match=text):
        # a first line that is no case is left out, so that a page needs a second one
        rows_of(body + b"\n<p>" if body == b"<html>" else body, RECORD)


def as_origin(name, head, rows):
    """The text of a set in the format of its origin."""
    if name == "waveform":
        return "\n".join([",".join(map(str, range(21))) + ",class", *(",".join(row) for row in rows)])
    quoted = [[f"'{cell}'" if set(cell) & set(" <>") else cell or "?" for cell in row] for row in rows]
    names = [f"@attribute {column} {{x, y}}" for column in head[:-1]]
    if name == "splice":
        names.insert(0, "@attribute 'Instance_name' { ATRINS-DONOR-521}")
        quoted = [[f"NAME-{i}", *row] for i, row in enumerate(quoted)]
    lines = ["% about", f"@relation {name}", *names, "@attribute Class {x, y}", "@data"]
    return "\n".join([*lines, *(",".join(row) for row in quoted)]) + "\n"


@pytest.mark.parametrize("name", [name for name, record in records().items() if "address" in record])
def test_the_real_sets_come_from_the_formats_of_their_origins(name, server, monkeypatch):
    with (data_folder() / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    monkeypatch.delenv("RAMIFY_DATA", raising=False)
    server.body = as_origin(name, head, rows).encode()
    monkeypatch.setitem(records()[name], "address", server.address)
    with pytest.raises(MissingDataset):
        load(name)
    data = load(name, download=True, backend="polars")
    assert data.X.height == len(rows)
    assert data.y.tolist() == [row[-1] for row in rows]
    assert load(name, backend="polars").X.equals(data.X)
    assert len(server.requests) == 1


@pytest.mark.parametrize("wrong", ["yes", 1, None])
def test_download_must_be_a_bool(wrong):
    with pytest.raises(TypeError, match="download must be True or False"):
        load("titanic", download=wrong)


@pytest.mark.slow
def test_the_command_line_says_in_one_line_what_went_wrong(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "ramify", "fit", "splice"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("ramify: the data set 'splice' may not be shipped")
    assert done.stderr.count("\n") == 1
    done = subprocess.run(
        [sys.executable, "-m", "ramify", "datasets", "--download", "splyce"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "did you mean 'splice'?" in done.stderr
