"""`ramify predict` for folders, patterns and lists of files."""

import gzip

import polars as pl
import pytest

from cli_runs import invoke
from people import as_frame
from ramify import TreeClassifier, load_model, save_model


@pytest.fixture
def model(tmp_path):
    frame = as_frame()
    tree = TreeClassifier(max_depth=3).fit(frame.select("größe", "farbe"), frame["kauf"])
    save_model(tree, tmp_path / "model.json")
    return tmp_path / "model.json"


@pytest.fixture
def folder(tmp_path):
    """Three files whose names are not in the order in which they were written, one of them further down."""
    made = tmp_path / "rows"
    (made / "b").mkdir(parents=True)
    frame = as_frame()
    frame[40:].write_parquet(made / "c.parquet")
    frame[10:40].write_parquet(made / "b" / "10.parquet")
    frame[:10].write_parquet(made / "a.parquet")
    (made / "_SUCCESS").write_text("")
    (made / "notes.txt").write_text("no rows")
    return made


def check(model, out, frame=None):
    frame = as_frame() if frame is None else frame
    found = pl.read_parquet(out)
    assert found.columns == [*frame.columns, "prediction"]
    assert found.drop("prediction").equals(frame)
    assert found["prediction"].to_list() == load_model(model).predict(frame.select("größe", "farbe")).tolist()


def test_a_folder(model, folder, tmp_path):
    said = invoke("predict", model, folder, "-o", tmp_path / "out.parquet").stderr
    assert "60 rows" in said
    check(model, tmp_path / "out.parquet")


def test_a_pattern(model, folder, tmp_path):
    invoke("predict", model, folder / "**" / "*.parquet", "-o", tmp_path / "out.parquet")
    check(model, tmp_path / "out.parquet")
    invoke("predict", model, folder / "[ac].parquet", "-o", tmp_path / "out.parquet")
    check(model, tmp_path / "out.parquet", pl.concat([as_frame()[:10], as_frame()[40:]]))


def test_files_as_a_shell_lists_them(model, folder, tmp_path):
    files = [folder / "c.parquet", folder / "a.parquet", folder / "b"]
    invoke("predict", model, *files, "-o", tmp_path / "out.parquet")
    frame = as_frame()
    check(model, tmp_path / "out.parquet", pl.concat([frame[40:], frame[:10], frame[10:40]]))


def test_text_files_each_in_its_own_way(model, tmp_path):
    frame = as_frame()
    made = tmp_path / "rows"
    made.mkdir()
    frame[:20].write_csv(made / "1.csv")
    other = frame[20:].select(reversed(frame.columns))  # in another order, with decimal commas
    text = other.write_csv(separator=";").replace(".", ",")
    (made / "2.csv.gz").write_bytes(gzip.compress(text.encode()))
    done = invoke("predict", model, made, "--only")
    expected = load_model(model).predict(frame.select("größe", "farbe")).tolist()
    assert done.stdout.split() == ["prediction", *expected]
    said = invoke("predict", model, made, "-o", tmp_path / "out.csv").stderr
    assert "note: 2.csv.gz: fields are separated by semicolons" in said
    found = pl.read_csv(tmp_path / "out.csv")
    assert found.columns == [*frame.columns, "prediction"]
    assert found["prediction"].to_list() == expected


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda part: part.drop("farbe"), "c.parquet has no column 'farbe'"),
        (lambda part: part.with_columns(more=1), "c.parquet has a column 'more', unlike a.parquet; --only"),
        (lambda part: part.drop("kauf"), "c.parquet has no column 'kauf', unlike a.parquet; --only"),
        (
            lambda part: part.with_columns(pl.lit(3).alias("kauf")),
            "the column 'kauf' is Int32 in c.parquet and String in a.parquet; --only",
        ),
        (
            lambda part: part.with_columns(pl.lit("tall").alias("größe")),
            "the column 'größe' is String in c.parquet and Float64 in a.parquet; --only",
        ),
    ],
)
def test_files_that_do_not_go_together(model, folder, tmp_path, change, text):
    change(as_frame()[40:]).write_parquet(folder / "c.parquet")
    said = invoke("predict", model, folder, "-o", tmp_path / "out.parquet", code=1).stderr
    assert text in said
    assert not list(tmp_path.glob("out*"))
    if "--only" in text and "größe" not in text:
        out = invoke("predict", model, folder, "--only").stdout
        assert out.split()[1:] == load_model(model).predict(as_frame().select("größe", "farbe")).tolist()


def test_a_wrong_value_is_named_with_its_file_and_row(model, folder):
    wrong = as_frame()[40:].with_columns(pl.lit("tall").alias("größe"))
    wrong.write_parquet(folder / "c.parquet")
    said = invoke("predict", model, folder, "--only", code=1).stderr
    assert "c.parquet: the column 'größe' must be numeric" in said and "in row 1;" in said


def test_nothing_to_read(model, tmp_path):
    (tmp_path / "empty").mkdir()
    said = invoke("predict", model, tmp_path / "empty", code=1).stderr
    assert "empty has no file to read: none ends in .csv, .tsv" in said
    said = invoke("predict", model, tmp_path / "no-*.csv", code=1).stderr
    assert "no file has a name like" in said
