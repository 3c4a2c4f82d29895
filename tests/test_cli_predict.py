"""`ramify predict`: the model's answers for any file, in batches, into files that are whole."""

import gzip
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import numpy as np
import polars as pl
import pytest

from cli_runs import command, invoke
from people import as_frame, as_text
from ramify import TreeClassifier, datasets, load_model, save_model


@pytest.fixture
def model(tmp_path):
    (tmp_path / "people.csv").write_text(as_text(), encoding="utf-8")
    invoke("fit", tmp_path / "people.csv", "--cv", 0, "--save", tmp_path / "model.json")
    return tmp_path / "model.json"


def answers(path):
    readers = {
        ".csv": pl.read_csv,
        ".parquet": pl.read_parquet,
        ".arrow": pl.read_ipc,
        ".jsonl": pl.read_ndjson,
    }
    return readers[path.suffix](path)


@pytest.mark.parametrize("name", ["new.csv", "new.parquet", "new.arrow", "new.jsonl"])
@pytest.mark.parametrize("form", ["csv", "utf-16", "gz", "parquet", "jsonl"])
def test_any_file_to_any_file(name, form, model, tmp_path):
    given = tmp_path / f"given.{form}"
    frame = as_frame().select("kauf", "farbe", "größe")  # another order, and a column that is not asked for
    if form in ("parquet", "jsonl"):
        frame.write_parquet(given) if form == "parquet" else frame.write_ndjson(given)
    else:
        text = frame.write_csv(separator=";").replace(".", ",")
        given.write_bytes(
            gzip.compress(text.encode()) if form == "gz" else text.encode(form.replace("csv", "utf-8"))
        )
    said = invoke("predict", model, given, "-o", tmp_path / name, "--proba").stderr
    assert "60 rows" in said
    found = answers(tmp_path / name)
    assert found.columns == ["kauf", "farbe", "größe", "prediction", "prediction_ja", "prediction_nein"]
    tree = load_model(model)
    X = as_frame().select("größe", "farbe")
    assert found["prediction"].to_list() == tree.predict(X).tolist()
    assert np.array_equal(found.select("prediction_ja", "prediction_nein").to_numpy(), tree.predict_proba(X))
    assert found["farbe"].to_list() == frame["farbe"].to_list()


@pytest.mark.parametrize("numbers", [False, True], ids=["texts", "numbers"])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_right_answers_are_counted_where_the_target_is_known(form, numbers, tmp_path):
    X, y = datasets.load("iris", return_X_y=True, backend="polars")
    codes = {name: place for place, name in enumerate(sorted(set(y)))}
    labels = pl.Series("kind", [codes[name] if numbers else name for name in y])
    rows = X.with_columns(labels)
    rows.write_csv(tmp_path / "all.csv")
    invoke("fit", tmp_path / "all.csv", "--max-depth", 1, "--cv", 0, "--save", tmp_path / "m.json")
    some = rows.with_columns(pl.when(pl.int_range(150) % 3 != 0).then("kind").alias("kind"))
    path = tmp_path / f"new.{form}"
    some.write_csv(path) if form == "csv" else some.write_parquet(path)
    said = invoke("predict", tmp_path / "m.json", path, "-o", tmp_path / "out.csv").stderr
    right = (load_model(tmp_path / "m.json").predict(X) == labels.to_numpy())[np.arange(150) % 3 != 0].sum()
    assert 60 < right < 70  # one of three kinds is never answered
    assert f"; {right}% right, {right} of 100 with a known kind" in said
    some.drop("kind").write_csv(path) if form == "csv" else some.drop("kind").write_parquet(path)
    assert "% right" not in invoke("predict", tmp_path / "m.json", path, "-o", tmp_path / "out.csv").stderr


def test_standard_input_to_standard_output(model):
    out = invoke("predict", model, "-", "--only", "--as", "answer", input=as_text()).stdout
    assert out.splitlines() == ["answer", *as_frame()["kauf"]]


def test_batches_are_read_as_the_whole_is(model, tmp_path, monkeypatch):
    """The first batch has no comma and no missing value; what is in the second must not depend on it."""
    monkeypatch.setattr("ramify.tables.scans._CELLS", 1)  # the smallest batches: 1,000 rows
    rows = ["1;rot"] * 1500 + ["9,5;grün", "?;blau", "4;violet", ";"] * 300
    (tmp_path / "new.csv").write_text("\n".join(["größe;farbe", *rows]), encoding="utf-8")
    invoke("predict", model, tmp_path / "new.csv", "-o", tmp_path / "out.parquet")
    found = pl.read_parquet(tmp_path / "out.parquet")
    X = pl.DataFrame(
        {
            "größe": [1.0] * 1500 + [9.5, None, 4.0, None] * 300,
            "farbe": ["rot"] * 1500 + ["grün", "blau", "violet", None] * 300,
        }
    )
    assert found["prediction"].to_list() == load_model(model).predict(X).tolist()


def test_categories_of_other_types(tmp_path):
    """Models made in Python may have booleans and numbers as categories; files have strings."""
    frame = pl.DataFrame({"b": [True, False] * 10, "n": [1, 2, 3, 4] * 5, "x": [i / 3 for i in range(20)]})
    y = [int(b) + n % 2 for b, n in zip(frame["b"], frame["n"], strict=True)]
    tree = TreeClassifier(categorical_features=["b", "n"]).fit(frame, y)
    save_model(tree, tmp_path / "m.json")
    frame.write_csv(tmp_path / "new.csv")
    invoke("predict", tmp_path / "m.json", tmp_path / "new.csv", "-o", tmp_path / "out.parquet")
    found = pl.read_parquet(tmp_path / "out.parquet")["prediction"]
    assert found.dtype == pl.Int64 and found.to_list() == y


def test_data_sets_by_name(tmp_path):
    invoke("fit", "vote", "--cv", 0, "--save", tmp_path / "m.json")
    out = invoke("predict", tmp_path / "m.json", "vote", "--only").stdout.splitlines()[1:]
    data = datasets.load("vote")
    assert out == load_model(tmp_path / "m.json").predict(data.X).tolist()


def test_dates_are_years_again(tmp_path):
    days = [f"20{i % 20:02}-05-{i % 27 + 1:02}" for i in range(60)]
    rows = "\n".join(f"{day},{'new' if day >= '2011' else 'old'}" for day in days)
    (tmp_path / "d.csv").write_text(f"when,y\n{rows}\n")
    invoke("fit", tmp_path / "d.csv", "--save", tmp_path / "m.json")
    out = invoke("predict", tmp_path / "m.json", tmp_path / "d.csv", "--only").stdout.splitlines()[1:]
    assert out == [row.split(",")[1] for row in rows.splitlines()]
    pl.DataFrame({"when": days}).with_columns(pl.col("when").str.to_date()).write_parquet(
        tmp_path / "d.parquet"
    )
    assert invoke("predict", tmp_path / "m.json", tmp_path / "d.parquet", "--only").stdout.split()[1:] == out


def test_a_file_without_rows(model, tmp_path):
    (tmp_path / "none.csv").write_text("farbe,größe\n", encoding="utf-8")
    invoke("predict", model, tmp_path / "none.csv", "-o", tmp_path / "out.parquet", "--proba")
    assert pl.read_parquet(tmp_path / "out.parquet").shape == (0, 5)


def test_notes_are_told(model, tmp_path):
    (tmp_path / "short.csv").write_text("farbe;größe\nrot;1\nblau\n", encoding="utf-8")
    said = invoke("predict", model, tmp_path / "short.csv", "-o", tmp_path / "out.csv").stderr
    assert "semicolons" in said and "1 line has fewer fields" in said


@pytest.mark.parametrize(
    ("content", "options", "code", "text"),
    [
        ("farbe,x\nrot,1\n", [], 1, "new.csv has no column 'größe'"),
        ("x,y\nrot,1\n", [], 1, "new.csv lacks 2 columns that the model asks about: größe, farbe"),
        ("farbe,größe\nrot,1\nrot,viel\n", [], 1, "has 'viel' in row 2; --null 'viel'"),
        ("farbe,größe\nrot,inf\n", [], 1, "infinity"),
        ("farbe,größe\nrot,1,2\n", [], 1, "line 2 has 3 fields"),
        ("", [], 1, "is empty"),
        ("farbe,größe,prediction\nrot,1,x\n", [], 2, "--as"),
        ("farbe,größe\nrot,1\n", ["-o", "out.xlsx"], 2, ".parquet"),
        ("farbe,größe\nrot,1\n", ["-o", "no/such/out.csv"], 1, "no folder"),
    ],
)
def test_errors_are_one_line_and_write_nothing(content, options, code, text, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "new.csv").write_text(content, encoding="utf-8")
    (tmp_path / "old.csv").write_text("as it was")
    done = invoke("predict", model, "new.csv", *(options or ["-o", "old.csv"]), code=code)
    assert text in done.stderr
    assert (tmp_path / "old.csv").read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "model.json",
        "new.csv",
        "old.csv",
        "people.csv",
    ]


@contextmanager
def small_disk():
    """A limit for the size of files, which is met like a full disk."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("name", ["out.csv", "out.parquet", "out.arrow", "out.jsonl"])
def test_a_full_disk_leaves_the_old_file(name, model, tmp_path):
    values = np.random.default_rng(0).random(40_000)
    pl.DataFrame({"größe": values}).with_columns(farbe=pl.lit("rot")).write_parquet(tmp_path / "in.parquet")
    (tmp_path / name).write_text("as it was")
    with small_disk():
        done = invoke("predict", model, tmp_path / "in.parquet", "-o", tmp_path / name, code=1)
    assert f"{name} can't be written" in done.stderr
    assert (tmp_path / name).read_text() == "as it was"
    assert not [path for path in tmp_path.iterdir() if ".part" in path.name]


def test_a_full_disk_while_a_model_is_saved(model, tmp_path):
    rows = "\n".join(f"{i * 7919 % 10007},{i * i * 31 % 7}" for i in range(8000))
    before = model.read_bytes()
    (tmp_path / "noise.csv").write_text(f"x,y\n{rows}\n")
    with small_disk():
        done = invoke("fit", tmp_path / "noise.csv", "--cv", 0, "--save", model, code=1)
    assert "model.json can't be written: file too large; nothing was changed." in done.stderr
    assert model.read_bytes() == before


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGINT to send to one process")
def test_ctrl_c_leaves_the_old_file(model, tmp_path):
    big = tmp_path / "big.parquet"
    pl.DataFrame({"größe": np.arange(3_000_000) / 7.0}).with_columns(farbe=pl.lit("rot")).write_parquet(big)
    out = tmp_path / "out.csv"
    out.write_text("as it was")
    with subprocess.Popen(
        command("predict", model, big, "-o", out), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        end = time.monotonic() + 100
        while time.monotonic() < end and not any(
            ".part" in path.name and path.stat().st_size for path in tmp_path.iterdir()
        ):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=100)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert out.read_text() == "as it was"
    assert not [path for path in tmp_path.iterdir() if ".part" in path.name]


@pytest.mark.slow
def test_millions_of_rows_need_little_memory(tmp_path):
    """Four times the rows need far less than their size more, as the process itself tells."""
    pytest.importorskip("resource")
    rng = np.random.default_rng(0)
    n = 1_000_000
    columns = {f"x{i}": rng.normal(size=n) for i in range(12)}
    frame = pl.DataFrame(columns).with_columns(c=pl.Series(rng.choice(np.array(["a", "b", "c"]), n)))
    tree = TreeClassifier(max_depth=8).fit(frame.head(5000), (columns["x0"][:5000] > 0).astype(int))
    save_model(tree, tmp_path / "m.json")
    code = (
        "import resource\nfrom ramify.__main__ import main\n"
        "try:\n    main()\nexcept SystemExit as end:\n    assert not end.code, end.code\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    peaks = {}
    for times in (1, 4):
        pl.concat([frame] * times).write_parquet(tmp_path / "in.parquet", row_group_size=100_000)
        arguments = ["predict", tmp_path / "m.json", tmp_path / "in.parquet", "-o", tmp_path / "out.parquet"]
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=True
        )
        peaks[times] = int(done.stdout) / 1024
        found = pl.read_parquet(tmp_path / "out.parquet", columns=["prediction"])["prediction"].to_numpy()
        assert np.array_equal(found, np.tile(load_model(tmp_path / "m.json").predict(frame), times))
    size = frame.estimated_size() / 2**20
    assert peaks[1] < 700, peaks
    assert peaks[4] - peaks[1] < 3 * size / 2, (peaks, size)
