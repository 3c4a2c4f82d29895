"""Files of many kinds become the same table, and what is wrong with a file is said in one sentence."""

import datetime
import gzip
import io
import os
import sys

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from people import ANSWERS, COLOURS, NAMES, SIZES, as_frame, as_text
from ramify.tables import DataError, Reading
from ramify.tables.containers import _zstd
from ramify.tables.kinds import Wishes, find_kind
from ramify.tables.layout import find_layout
from ramify.tables.scans import scan
from ramify.tables.sources import find_source
from ramify.tables.training import read_training
from ramify.tables.values import clean, numbers_of, years_of

zstd = _zstd("a test")

FORMS = {
    "plain.csv": as_text().encode(),
    "bom.csv": b"\xef\xbb\xbf" + as_text().encode(),
    "semicolons.csv": as_text(";", ",").encode(),
    "tabs.tsv": as_text("\t").encode(),
    "bars.txt": as_text("|").encode(),
    "no-suffix": as_text().encode(),
    "utf-16.csv": as_text().encode("utf-16"),
    "utf-16-le.csv": as_text().encode("utf-16-le"),
    "utf-16-be.csv": as_text().encode("utf-16-be"),
    "latin.csv": as_text().encode("latin-1"),
    "dos.csv": as_text(end="\r\n").encode(),
    "mac.csv": as_text(end="\r").encode(),
    "blanks.csv": as_text(", ").encode(),
    "blank-lines.csv": as_text().replace("\n", "\n\n").encode(),
    "no-end.csv": as_text().rstrip("\n").encode(),
    "quoted.csv": ("\n".join(",".join(f'"{f}"' for f in r.split(",")) for r in as_text().split())).encode(),
    "data.csv.gz": gzip.compress(as_text().encode()),
    "data.csv.zst": zstd.compress(as_text().encode()),
    "utf-16.csv.gz": gzip.compress(as_text().encode("utf-16")),
    "a[b]*.csv": as_text().encode(),
}


def table_of(tmp_path, content, name="data.csv", target=None, **said):
    wishes = Wishes(**{key: said.pop(key) for key in ("nominal", "numeric", "ignore") if key in said})
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_training(str(tmp_path / name), target, wishes, Reading(**said))


def kinds_of(table):
    return {kind.name: kind.word for kind in table.kinds}


def check_people(table):
    assert table.X.columns == list(NAMES[:2])
    assert table.X["größe"].to_list() == [round(size, 1) for size in SIZES]
    assert table.X["farbe"].to_list() == COLOURS
    assert table.y.tolist() == ANSWERS
    assert table.target == "kauf"


@pytest.mark.parametrize("name", FORMS)
def test_a_text_in_any_form_is_the_same_table(name, tmp_path):
    check_people(table_of(tmp_path, FORMS[name], name))


@pytest.mark.parametrize("suffix", ["parquet", "arrow", "jsonl", "csv"])
def test_a_typed_file_is_the_same_table(suffix, tmp_path):
    path = tmp_path / f"data.{suffix}"  # the bytes tell what it is: .csv holds Parquet here
    write = {"arrow": "write_ipc", "jsonl": "write_ndjson"}.get(suffix, "write_parquet")
    getattr(as_frame(), write)(path)
    check_people(read_training(str(path)))


def test_standard_input(monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(FORMS["utf-16.csv.gz"])))
    check_people(read_training("-"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe(tmp_path):
    import threading

    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(FORMS["plain.csv"],))
    writer.start()
    check_people(read_training(str(tmp_path / "pipe")))
    writer.join()


def test_what_was_found_out_is_told(tmp_path):
    assert "semicolons" in table_of(tmp_path, FORMS["semicolons.csv"]).notes[0]
    assert "UTF-16" in table_of(tmp_path, FORMS["utf-16.csv"]).notes[0]
    assert "--encoding" in table_of(tmp_path, FORMS["latin.csv"]).notes[0]
    assert table_of(tmp_path, FORMS["latin.csv"], encoding="latin-1").notes == []
    assert table_of(tmp_path, FORMS["plain.csv"]).notes == []
    assert table_of(tmp_path, FORMS["semicolons.csv"]).kinds[0].why == "decimal commas"


def test_bytes_that_windows_1252_lacks(tmp_path):
    content = as_text().encode("latin-1").replace(b"blau", b"bl\x81u")
    assert "bl\x81u" in table_of(tmp_path, content).X["farbe"]


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", "is empty"),
        (b"\n\n \n", "is empty"),
        (b"\xef\xbb\xbf", "is empty"),
        (b"a,b,c\n", "has a header (a, b, c), but no rows"),
        (b"a\n1\n2\n", "a single column, 'a'"),
        (as_text().encode() + b"1,rot,ja,x\n", "line 62 has 4 fields, but there are 3 columns"),
        (as_text().encode() + b'"1,rot,ja\n', "a quotation mark in line 62"),
        (gzip.compress(as_text().encode())[:-30], "compressed and damaged"),
        (zstd.compress(as_text().encode())[:-9], "compressed and damaged"),
        (gzip.compress(gzip.compress(b"a,b\n1,2\n")), "compressed twice"),
        (b"PK\x03\x04rest", "zip archive or an Excel workbook"),
        (b"\x80\x04\x95", "pickle"),
        (b"PAR1 and no more", "can't be read"),
        (b"ARROW1 and no more", "can't be read"),
        (bytes(range(256)) * 9, "zero bytes"),
        (b'[{"a": 1, "b": 2}]', "JSON array"),
        (b'{"a": 1, "b": 2}\n{"a": \n', "can't be read"),
        (b"a,y\n1,\n2,\n", "'y' of data.csv has no value in any row"),
        (b"a,y\n" + b"".join(b"%d,%f\n" % (i, i / 7) for i in range(9)), "a tree needs classes"),
        (b"a,name\n" + b"".join(b"%d,n%d\n" % (i % 3, i) for i in range(99)), "which are no classes"),
        (b"a,y\n7,x\n7,y\n", "no column to learn from (a: the same value in all rows)"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_wrong_is_said_in_one_sentence(content, text, tmp_path):
    with pytest.raises(DataError) as caught:
        table_of(tmp_path, content)
    assert text in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "people.csv").write_text("a,b\n1,2\n")
    for name, text in {
        "poeple.csv": "did you mean people.csv?",
        "titanik": "did you mean the data set titanic?",
        "nothing-like-it": "`ramify datasets` lists",
        "no/such.csv": "there is no folder no",
        ".": "is a folder; name a file in it, such as people.csv",
        "x" * 5000: "can't be read",
    }.items():
        with pytest.raises(DataError) as caught:
            find_source(name)
        assert text in str(caught.value)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read anything")
def test_a_file_that_may_not_be_read(tmp_path):
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    (tmp_path / "secret.csv").chmod(0)
    with pytest.raises(DataError, match=r"secret.csv can't be read: permission denied"):
        read_training(str(tmp_path / "secret.csv"))


def test_permission_by_another_user(tmp_path):
    """Root may read anything, so another user is asked, in a process of its own."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        pytest.skip("only root may become another user")
    path = tmp_path / "secret.csv"
    path.write_text("a,b\n1,2\n")
    path.chmod(0)
    child = os.fork()
    if child == 0:
        code = 9
        try:
            for folder in (tmp_path, *tmp_path.parents):
                if folder.stat().st_uid == 0 and folder.is_relative_to("/tmp/pytest-of-root"):
                    folder.chmod(0o755)
            os.setuid(65534)
            read_training(str(path))
        except DataError as error:
            code = 0 if "permission denied" in str(error) else 8
        except BaseException:
            code = 7
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_a_thousand_columns(tmp_path):
    names = [f"c{i}" for i in range(1000)]
    rows = [",".join(str((i * j + i) % 7) for j in range(1000)) + f",{i % 2}" for i in range(1, 30)]
    table = table_of(tmp_path, "\n".join([",".join([*names, "y"]), *rows]))
    assert table.X.width + sum(kind.values is None for kind in table.kinds) == 1000
    with pytest.raises(DataError, match=r"c0, c1, .*and 991 more\.$"):
        table_of(tmp_path, "\n".join([",".join([*names, "y"]), *rows]), target="#")


def test_names_are_different(tmp_path):
    content = "a,a,,a_2,y\n" + "\n".join(f"{i % 3},{i % 4},{i % 5},{i % 2},{i % 2}" for i in range(40))
    table = table_of(tmp_path, content)
    assert table.X.columns == ["a", "a_3", "column_3", "a_2"]
    assert "several columns are called 'a'" in table.notes[0]


def test_a_line_of_numbers_is_no_header(tmp_path):
    content = as_text(header=False)
    assert "--no-header" in table_of(tmp_path, content).notes[0]
    table = table_of(tmp_path, content, header=False)
    assert table.X.columns == ["column_1", "column_2"] and table.X.height == 60 and table.notes == []


def test_quoted_line_breaks_are_kept(tmp_path):
    content = 'text,y\n"two\n\nlines",a\n"a ""word"", and a comma",b\n' * 1
    content += '"two\n\nlines",a\n"a ""word"", and a comma",b\n'
    table = table_of(tmp_path, content)
    assert table.X["text"].to_list() == ["two\n\nlines", 'a "word", and a comma'] * 2


def test_short_lines_are_told(tmp_path):
    table = table_of(tmp_path, as_text() + "1.5\n2.5,rot\n")
    assert "2 lines have fewer fields than there are columns (the first is line 62)" in table.notes[0]
    assert "2 rows have no kauf" in table.notes[1]


def test_missing_values_are_told(tmp_path):
    rows = [
        f"{'?' if i % 5 == 0 else i % 4},{'NA' if i % 6 == 0 else 'uv'[i % 2]},{i % 2}" for i in range(60)
    ]
    rows += ["-,,1", "-,w,0"]
    table = table_of(tmp_path, "\n".join(["a,b,y", *rows]), nulls=("-",))
    assert table.notes == [
        "'-' is taken as a missing value in a (2)",
        "'?' is taken as a missing value in a (12)",
        "'NA' is taken as a missing value in b (10)",
    ]
    assert kinds_of(table) == {"a": "numeric", "b": "nominal"}
    assert table.X["a"].null_count() == 14 and table.X["b"].null_count() == 11


def column(values, name="x"):
    return pl.Series(name, values)


@pytest.mark.parametrize(
    ("values", "name", "word", "why"),
    [
        ([f"{i}" for i in range(100, 160)], "x", "left out", "it counts the rows"),
        ([f"{7 * i * i}" for i in range(60)], "customerID", "left out", "by its name"),
        ([f"{7 * i * i}" for i in range(60)], "income", "numeric", ""),
        ([f"{i / 7}" for i in range(60)], "id", "numeric", ""),
        ([f"n{i}" for i in range(60)], "x", "left out", "each row has its own value"),
        ([f"n{i // 3 * 2 + i % 2}" for i in range(60)], "x", "left out", "40 different values in 60 rows"),
        ([f"n{i % 12}" for i in range(60)], "x", "nominal", ""),
        ([f"{i % 9:03}" for i in range(60)], "zip", "nominal", "leading zeros"),
        ([f"{2**60 + i % 3}" for i in range(60)], "x", "nominal", "more than 15 digits"),
        (["1,5", "2", "3.5"] * 9, "x", "numeric", "decimal commas"),
        ([f"2020-03-{i % 28 + 1:02}" for i in range(60)], "x", "numeric", "dates as years"),
        ([f"{i % 28 + 1:02}.03.2020" for i in range(60)], "x", "numeric", "dates as years"),
        ([f"2020/03/{i % 28 + 1:02}" for i in range(60)], "x", "numeric", "dates as years"),
        ([f"{i % 12 + 1}/{i % 12 + 1}/2020" for i in range(60)], "x", "nominal", ""),
        ([f"{i % 28 + 1:02}/03/2020" for i in range(60)], "x", "left out", "day or month may come first"),
        ([f"3-{i % 28 + 1}-20 8:30" for i in range(60)], "x", "left out", "day or month may come first"),
        ([f"{i % 28 + 1}/3/{i % 28}/5" for i in range(60)], "x", "nominal", ""),
        ([*(f"{i / 7:.3f}" for i in range(60)), "unknown"], "x", "left out", "98% of its values are numbers"),
        (["a"] * 9, "x", "left out", "the same value"),
        ([None] * 9, "x", "left out", "empty"),
        ([True, False, None] * 9, "x", "nominal", ""),
        ([[1], [2]] * 9, "x", "left out", "List"),
        ([datetime.date(2020, 1, 1), datetime.date(2021, 1, 1)], "x", "numeric", "dates as years"),
        ([datetime.time(1), datetime.time(2)], "x", "numeric", "times as hours"),
        ([datetime.timedelta(1), datetime.timedelta(2)], "x", "numeric", "durations as seconds"),
    ],
)
def test_kinds(values, name, word, why):
    series = pl.Series(name, values, dtype=pl.String if values[0] is None else None)
    kind = find_kind(series, True, ",", Wishes())
    assert kind.word == word and why in kind.why
    assert bool(kind.why) == bool(why)
    if word == "numeric":
        assert kind.values.dtype == pl.Float64


def test_strings_of_typed_files_are_strings():
    assert find_kind(column(["1", "2"] * 9), False, ".", Wishes()).word == "nominal"


def test_wishes_are_granted(tmp_path):
    rows = [f"{i},{i % 4},n{i},{i % 2},{i % 3}" for i in range(40)]
    content = "\n".join(["key,code,a name,useless,y", *rows])
    assert kinds_of(table_of(tmp_path, content)) == {
        "key": "left out",
        "code": "numeric",
        "a name": "left out",
        "useless": "numeric",
    }
    table = table_of(tmp_path, content, nominal=("code,a name",), numeric=("key",), ignore=("useless",))
    assert kinds_of(table) == {
        "key": "numeric",
        "code": "nominal",
        "a name": "nominal",
        "useless": "left out",
    }
    for wish, text in (
        ({"nominal": ("codes",)}, "--nominal: data.csv has no column 'codes'; did you mean 'code'?"),
        ({"nominal": ("code",), "ignore": ("code",)}, "more than one"),
        (
            {"numeric": ("a name",)},
            "'a name' must be numeric (--numeric), but has 'n0' in row 1; --null 'n0'",
        ),
    ):
        with pytest.raises(DataError) as caught:
            table_of(tmp_path, content, **wish)
        assert text in str(caught.value)


@pytest.mark.parametrize(
    ("header", "target", "why"),
    [
        ("a,b,c", "c", "the last column"),
        ("Class,b,c", "Class", "by its name"),
        ("label,target,c", "target", "by its name"),
    ],
)
def test_the_target_is_guessed_and_told(header, target, why, tmp_path):
    rows = [f"{i % 2},{i % 3},{i % 2}" for i in range(30)]
    table = table_of(tmp_path, "\n".join([header, *rows]))
    assert (table.target, table.guessed) == (target, why)


def test_labels_keep_their_type(tmp_path):
    for labels, expected in (
        (["0", "1"], [0, 1]),
        (["007", "7"], ["007", "7"]),
        (["1.0", "2"], ["1.0", "2"]),
    ):
        rows = [f"{i % 4},{labels[i % 2]}" for i in range(20)]
        assert sorted(set(table_of(tmp_path, "\n".join(["a,y", *rows])).y.tolist())) == expected
    pl.DataFrame({"a": [1, 2, 3], "y": [True, False, True]}).write_parquet(tmp_path / "b.parquet")
    assert read_training(str(tmp_path / "b.parquet")).y.tolist() == ["true", "false", "true"]


def test_data_sets_by_name():
    assert read_training("Hayes_Roth").name == "hayes-roth"
    table = read_training("titanic", None, Wishes(ignore=("age",)))
    assert table.X.columns == ["status", "sex"]
    with pytest.raises(DataError, match="'class', not 'sex'"):
        read_training("titanic", "sex")


@given(st.lists(st.floats(-1e15, 1e15), min_size=1))
def test_numbers_are_read_to_the_last_bit(values):
    texts = pl.Series([repr(value) for value in values])
    assert numbers_of(texts, ".").to_list() == values
    commas = pl.Series([repr(value).replace(".", ",") for value in values])
    assert numbers_of(commas, ",").to_list() == values


@given(st.lists(st.datetimes(datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31)), min_size=2))
def test_years_keep_the_order_of_dates(moments):
    moments.sort()
    years = years_of(pl.Series(moments, dtype=pl.Datetime("us"))).to_list()
    assert years == sorted(years)
    assert [int(year) for year in years] == [moment.year for moment in moments]
    texts = pl.Series([moment.isoformat(" ") for moment in moments])
    assert years_of(texts).to_list() == years


def test_a_date_in_words_is_a_part_of_its_year():
    texts = pl.Series(["2021-01-01", "2020-07-02T00:00", "2020-07-02 12:00:00Z", "02.07.2020", "soon", None])
    slashes = pl.Series(["2021/01/01", "2020/07/02T00:00", "2020/07/02 12:00:00Z", "02/07/2020"])
    half_a_day = 0.5 / 366
    assert years_of(texts).to_list() == [2021.0, 2020.5, 2020.5 + half_a_day, 2020.5, None, None]
    assert years_of(slashes).to_list() == [2021.0, 2020.5, 2020.5 + half_a_day, None]


def test_dates_that_may_be_two_are_no_numbers(tmp_path):
    content = "\n".join(["day,x,y", *(f"{i % 28 + 1:02}/03/2020,{i % 7},{i % 2}" for i in range(60))])
    with pytest.raises(
        DataError, match=r"'day' must be numeric .* write them as 2020-07-02 \('01/03/2020' in row 1"
    ):
        table_of(tmp_path, content, numeric=("day",))
    assert kinds_of(table_of(tmp_path, content, nominal=("day",))) == {"day": "nominal", "x": "numeric"}


def test_commas_between_thousands():
    texts = pl.Series(["1,234", "12,345,678.5", "1,5", "999"])
    assert numbers_of(texts, ".").to_list() == [1234.0, 12345678.5, None, 999.0]


@given(
    st.lists(st.lists(st.text("ab1.,;|\t \"'\nü", max_size=6), min_size=2, max_size=2), min_size=3),
    st.sampled_from([",", ";", "\t", "|"]),
)
def test_what_the_csv_module_writes_is_read_back(tmp_path_factory, rows, separator):
    import csv

    path = tmp_path_factory.mktemp("csv") / "data.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator, lineterminator="\n", quoting=csv.QUOTE_ALL)
        writer.writerows([["one", "two"], *rows])
    with scan(find_source(str(path)), Reading(separator=separator)) as found:
        read = found.read()
        batches = pl.concat(list(found.batches()))
    assert [[field or "" for field in row] for row in read.rows()] == rows  # an empty field is a null
    assert batches.equals(read)


def test_separators_are_found():
    for separator in (",", ";", "\t", "|"):
        assert find_layout(as_text(separator), "x", Reading(), True).separator == separator
    assert find_layout(as_text(";", ","), "x", Reading(), True).separator == ";"
    assert find_layout("a,b\n1;2,3\n4,5;6\n", "x", Reading(), True).separator == ","


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ({"separator": "::"}, "--separator '::' is not accepted"),
        ({"separator": ""}, "--separator '' is not accepted"),
        ({"decimal": "x"}, "--decimal 'x' is not accepted"),
    ],
)
def test_readings_are_checked(said, text):
    with pytest.raises(ValueError, match=text):
        Reading(**said)


def test_an_encoding_that_is_none(tmp_path):
    with pytest.raises(DataError, match="--encoding martian"):
        table_of(tmp_path, as_text(), encoding="martian")
    with pytest.raises(DataError, match="not in the encoding ascii"):
        table_of(tmp_path, as_text(), encoding="ascii")


def test_clean():
    frame = clean(pl.DataFrame({"a": [" x ", "?", "  ", None], "b": [1, 2, 3, 4]}), ["", "?"])
    assert frame["a"].to_list() == ["x", None, None, None] and frame["b"].to_list() == [1, 2, 3, 4]
