"""Trees as SQL: the query says in DuckDB, and in Postgres where it is there, what the model says."""

import csv
import os
import shutil
import subprocess
from io import StringIO
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import sqlglot
from sklearn.datasets import load_digits

from model_kinds import KINDS, array, people, unseen
from ramify import TreeClassifier, TreeClassifierCV, c45, export_sql
from ramify.export.sql.dialects import DIALECTS

#: Mixed classes have no type in SQL.
IN_SQL = [name for name in KINDS if name != "classes-mixed"]


def to_table(rows):
    """An Arrow table of rows to predict, with an `id`, as a database has it: of one type a column."""
    frame = (
        pd.DataFrame(rows, columns=[f"x{i}" for i in range(rows.shape[1])])
        if isinstance(rows, np.ndarray)
        else rows
    )
    columns = {"id": pa.array(range(len(frame)))}
    for name, column in frame.items():
        columns[name] = pa.array(
            [None if pd.isna(v) else getattr(v, "item", lambda v=v: v)() for v in column]
        )
    return pa.table(columns)


def run_duckdb(sql, table):
    connection = duckdb.connect()
    connection.register("data", table)
    found = connection.sql(sql).to_arrow_table()
    return found.sort_by("id")


def assert_same(found, model, rows):
    assert found.column("prediction").to_pylist() == model.predict(rows).tolist()
    probabilities = np.array([found.column(i).to_numpy() for i in range(2, found.num_columns)]).T
    np.testing.assert_array_equal(probabilities, model.predict_proba(rows))


@pytest.mark.parametrize("name", IN_SQL)
def test_duckdb_predicts_what_the_model_predicts(name):
    model, rows = KINDS[name]()
    sql = export_sql(model, dialect="duckdb", keep=["id"])
    assert_same(run_duckdb(sql, to_table(rows)), model, rows)


LARGE = {
    "fractional": {"missing": "fractional"},
    "fractional-multiway": {"missing": "fractional", "branching": "multiway"},
    "best_branch": {"missing": "best_branch"},
    "own_branch": {"missing": "own_branch", "branching": "multiway"},
    "weighted": {
        "class_weight": {0: 3.0},
        "smoothing": "laplace",
        "cost_matrix": [[0, 1, 5], [1, 0, 1], [2, 1, 0]],
    },
}


@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n in ("fractional", "own_branch") else pytest.mark.slow) for n in LARGE],
)
def test_a_hundred_thousand_rows_with_missing_and_unseen_values(name):
    X, y = people(2000, seed=1, gaps=0.15)
    model = TreeClassifier(min_samples_leaf=15, **LARGE[name]).fit(X, y)
    assert model.get_n_leaves() > 20
    rows = unseen(100_000, seed=2)
    assert_same(run_duckdb(export_sql(model, dialect="duckdb", keep=["id"]), to_table(rows)), model, rows)


@pytest.mark.slow
def test_c45_of_a_hundred_thousand_rows():
    X, y = people(2000, seed=1, gaps=0.15)
    model = c45().fit(X, y)
    rows = unseen(100_000, seed=3)
    assert_same(run_duckdb(export_sql(model, dialect="duckdb", keep=["id"]), to_table(rows)), model, rows)


def test_nan_is_missing_and_numbers_at_the_cut_go_left():
    X = np.array([[0.1], [0.2], [0.30000000000000004], [np.nan]])
    model = TreeClassifier(missing="own_branch").fit(X, ["a", "a", "b", "c"])
    cut = float(model.tree_.threshold[model.tree_.kind == 1][0])
    rows = np.array([[cut], [np.nextafter(cut, 9)], [np.nan], [1e308], [-0.0]])
    table = pa.table({"id": range(5), "x0": pa.array(rows[:, 0], from_pandas=False)})
    assert_same(run_duckdb(export_sql(model, dialect="duckdb", keep=["id"]), table), model, rows)


@pytest.mark.parametrize("way", ["fractional", "best_branch"])
def test_what_the_model_refuses_is_null(way):
    X, y = people(gaps=0.1)
    model = TreeClassifier(max_depth=3, missing=way, handle_unknown="error").fit(X, y)
    rows = unseen()
    found = run_duckdb(export_sql(model, dialect="duckdb", keep=["id"]), to_table(rows))
    asked = {model.schema_.columns[i].name for i in model.tree_.column if i >= 0}
    refused = np.zeros(len(rows), dtype=bool)
    for column in model.schema_.columns:
        if column.nominal and column.name in asked:
            refused |= [not pd.isna(v) and v not in column.codes for v in rows[column.name]]
    assert 0 < refused.sum() < len(rows)
    nulls = np.array([value is None for value in found.column("prediction").to_pylist()])
    np.testing.assert_array_equal(nulls, refused)
    accepted = TreeClassifier(max_depth=3, missing=way).fit(X, y)
    kept = found.filter(pa.array(~refused))
    np.testing.assert_array_equal(kept.column("prediction").to_numpy(), accepted.predict(rows[~refused]))


def test_missing_values_that_are_an_error_are_null():
    X, y = people()
    model = TreeClassifier(max_depth=3, missing="error").fit(X, y)
    rows = unseen()
    found = run_duckdb(export_sql(model, dialect="duckdb", keep=["id"]), to_table(rows))
    asked = sorted({model.schema_.columns[i].name for i in model.tree_.column if i >= 0})
    refused = rows[asked].isna().any(axis=1).to_numpy()
    nulls = np.array([value is None for value in found.column("probability_0").to_pylist()])
    np.testing.assert_array_equal(nulls, refused)
    answers = np.array(found.column("prediction").to_pylist(), dtype=object)[~refused]
    whole = rows[~refused].fillna({name: X[name].iloc[0] for name in X}).infer_objects()
    assert answers.tolist() == model.predict(whole).tolist()


def test_complete_columns_need_no_parts():
    X, y = people(400)
    model = TreeClassifier(max_depth=5).fit(X, y)
    rows, _ = people(500, seed=9)
    long, short = (export_sql(model, dialect="duckdb", keep=["id"], not_null=flag) for flag in (False, True))
    assert len(short) < 0.6 * len(long)
    for sql in (long, short, export_sql(model, dialect="duckdb", keep=["id"], not_null=list(X))):
        assert_same(run_duckdb(sql, to_table(rows)), model, rows)


@pytest.mark.parametrize("not_null", [True, False])
@pytest.mark.parametrize("size", [1101, pytest.param(4001, marks=pytest.mark.slow)])
def test_very_deep_trees(size, not_null):
    """A chain deeper than Python's stack, and than the parsers of databases like."""
    X = np.arange(size + 0.0)[:, None]
    model = TreeClassifier("distance").fit(X, np.arange(size) % 2)
    assert model.get_depth() > 1000
    sql = export_sql(model, dialect="duckdb", keep=["id"], not_null=not_null)
    rows = X[::7] if not_null else np.append(X[::7], [[np.nan]], axis=0)
    assert_same(run_duckdb(sql, to_table(rows)), model, rows)


def test_many_classes_and_many_leaves():
    X, y = load_digits(return_X_y=True)
    model = TreeClassifier().fit(X, y)
    assert model.get_n_leaves() > 100
    rows = X.copy()
    rows[::5, model.tree_.column[0]] = np.nan
    rows[::3, 20:40] = np.nan
    assert_same(run_duckdb(export_sql(model, dialect="duckdb", keep=["id"]), to_table(rows)), model, rows)


NASTY = [
    "it's",
    'say "hi"',
    "back\\slash",
    "`tick`",
    "naïve 日本",
    "a;-- b",
    "%s {x} $1",
    "line\nbreak",
    "\\'",
]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_dialect_is_parsed_back_with_the_same_names_and_texts(dialect):
    X = pd.DataFrame({'col "q" `t`': NASTY * 4, "n": np.arange(36.0)})
    model = TreeClassifier(branching="multiway", missing="best_branch").fit(X, NASTY * 4)
    names = [f"p{i}" for i in range(len(NASTY))]
    sql = export_sql(model, dialect=dialect, table="s.t", keep=["my key"], probabilities=names)
    trees = sqlglot.parse(sql, dialect=DIALECTS[dialect].sqlglot or None)
    assert len(trees) == 1
    texts = {literal.this for literal in trees[0].find_all(sqlglot.exp.Literal) if literal.is_string}
    assert set(NASTY) <= texts
    columns = {found.name for found in trees[0].find_all(sqlglot.exp.Column)}
    assert {'col "q" `t`', "my key"} <= columns
    assert [alias.alias for alias in trees[0].selects] == ["my key", "prediction", *names]


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize(
    "name", ["weights", "c45", "missing-own-branch-multiway", "classes-bool", "one-node"]
)
def test_every_kind_is_sql_in_every_dialect(name, dialect):
    model, _ = KINDS[name]()
    sql = export_sql(model, dialect=dialect)
    system = DIALECTS[dialect].sqlglot or None
    again = sqlglot.parse_one(sql, dialect=system)
    assert sqlglot.parse_one(again.sql(dialect=system), dialect=system) == again
    written = again.sql(dialect=system, pretty=True)
    plain = [text.replace("DOUBLE PRECISION", "DOUBLE").split() for text in (written, sql)]
    assert plain[0] == plain[1]


def test_nasty_names_and_texts_in_duckdb():
    column = 'my "col" `x` ; é'
    X = pd.DataFrame({column: NASTY * 4, "v0": np.arange(36.0) % 7})
    model = TreeClassifier(branching="multiway").fit(X, NASTY * 4)
    rows = pd.DataFrame({column: [*NASTY, None, "unseen"], "v0": np.arange(11.0)})
    names = [f"p'{i}\"" for i in range(len(NASTY))]
    sql = export_sql(model, dialect="duckdb", keep=["id", "v0"], probabilities=names)
    found = run_duckdb(sql, to_table(rows)).drop_columns(["v0"])
    assert found.column_names == ["id", "prediction", *names]
    assert_same(found, model, rows)


def test_the_table_may_have_any_name():
    model = TreeClassifier().fit([[1.0], [2.0]], [0, 1])
    connection = duckdb.connect()
    connection.execute('CREATE SCHEMA s; CREATE TABLE s."ramify_input" AS SELECT 1.0 AS x0')
    for table in ('s."ramify_input"', "s.ramify_input"):
        assert connection.execute(export_sql(model, dialect="duckdb", table=table)).fetchall() == [
            (0, 1.0, 0.0)
        ]


def test_a_model_that_chose_its_order():
    X, y = array()
    model = TreeClassifierCV(qs=[1, 2], cv=2).fit(X, y)
    assert export_sql(model) == export_sql(model.best_estimator_)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"dialect": "mysql"}, "dialect='mysql' is not accepted; it must be one of 'standard', 'duckdb'"),
        ({"table": ""}, "table=''"),
        ({"table": "a; drop"}, "table='a; drop'"),
        ({"table": "(select 1)"}, "table="),
        ({"keep": "id"}, "keep='id' is not accepted"),
        ({"keep": ["Prediction"]}, "Two columns of the result would be named 'prediction'"),
        ({"probabilities": ["a"]}, "a list of 3 names, one a class"),
        ({"probabilities": ["a", "A", "b"]}, "would be named 'A'"),
        ({"not_null": ["q"]}, "not_null names the column 'q', but the columns are"),
        ({"not_null": "x0"}, "not_null='x0' is not accepted"),
        ({"prediction": "p" * 64, "dialect": "postgres"}, "is too long for postgres"),
        ({"prediction": "a.b", "dialect": "bigquery"}, r"has '\.', which bigquery does not allow"),
    ],
)
def test_bad_arguments(arguments, text):
    X, y = array()
    with pytest.raises(ValueError, match=text):
        export_sql(TreeClassifier(max_depth=2).fit(X, y), **arguments)


def test_what_has_no_type_in_sql():
    model, _ = KINDS["classes-mixed"]()
    with pytest.raises(ValueError, match="the classes are of several types"):
        export_sql(model)
    X = pd.DataFrame({"c": pd.Categorical([1, "a", 1, "a"])})
    with pytest.raises(ValueError, match="the categories of 'c' are of several types"):
        export_sql(TreeClassifier().fit(X, [0, 1, 0, 1]))
    y = np.empty(2, dtype=object)
    y[:] = [(1, 2), (3, 4)]
    with pytest.raises(ValueError, match="tuple"):
        export_sql(TreeClassifier().fit([[0.0], [1.0]], y))


# Postgres, where it is installed: a server of our own, in a folder of our own, reached by a socket in it.

POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), reverse=True)


def _as_server(command, folder):
    """Run a command as a user that Postgres accepts: it refuses to be root."""
    prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.getuid() == 0 else []
    subprocess.run([*prefix, *command], check=True, capture_output=True, cwd=folder, timeout=120)


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    if not POSTGRES or shutil.which("psql") is None:
        pytest.skip("Postgres is not installed")
    folder = Path("/tmp") / f"ramify-postgres-{os.getpid()}"  # a socket's path must be short
    folder.mkdir()
    if os.getuid() == 0:
        shutil.chown(folder, "postgres", "postgres")
    programs, data = POSTGRES[0].parent, folder / "data"
    try:
        _as_server(
            [programs / "initdb", "-D", data, "-A", "trust", "-U", "ramify", "-E", "UTF8", "--locale=C"],
            folder,
        )
        options = f"-c listen_addresses='' -c unix_socket_directories={folder} -c fsync=off"
        start = [programs / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start"]
        _as_server(start, folder)
    except (OSError, subprocess.SubprocessError) as error:
        shutil.rmtree(folder)
        pytest.skip(f"Postgres can't be started: {error}")
    yield folder
    _as_server([programs / "pg_ctl", "-D", data, "-m", "immediate", "stop"], folder)
    shutil.rmtree(folder)


def run_postgres(folder, sql, table):
    """Put a table into Postgres, run a query, and read the result; all by psql and CSV."""
    kinds = {pa.float64(): "float8", pa.int64(): "bigint", pa.string(): "text", pa.bool_(): "boolean"}
    fields = ", ".join('"{}" {}'.format(f.name.replace('"', '""'), kinds[f.type]) for f in table.schema)
    rows = StringIO()
    plain = [["\\N" if value is None else value for value in row.values()] for row in table.to_pylist()]
    csv.writer(rows, lineterminator="\n").writerows(plain)
    script = f"BEGIN;\nCREATE TABLE data ({fields});\nCOPY data FROM STDIN (FORMAT csv, NULL '\\N');\n"
    script += f"{rows.getvalue()}\\.\n"
    script += f"COPY ({sql}) TO STDOUT (FORMAT csv, HEADER);\nROLLBACK;\n"
    command = [
        "psql",
        "-h",
        str(folder),
        "-U",
        "ramify",
        "-d",
        "postgres",
        "-v",
        "ON_ERROR_STOP=1",
        "-q",
        "-f",
        "-",
    ]
    done = subprocess.run(command, input=script, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    found = pd.read_csv(StringIO(done.stdout), dtype=str, keep_default_na=False)
    return found.sort_values("id", key=lambda column: column.astype(int))


@pytest.mark.parametrize("name", [n for n in IN_SQL if n != "one-node"])
def test_postgres_predicts_what_the_model_predicts(name, postgres):
    model, rows = KINDS[name]()
    found = run_postgres(postgres, export_sql(model, dialect="postgres", keep=["id"]), to_table(rows))
    texts = {True: "t", False: "f"} if model.classes_.dtype == bool else {}
    wanted = [texts.get(value, value) for value in model.predict(rows).tolist()]
    if model.classes_.dtype.kind == "f":
        assert found["prediction"].astype(float).tolist() == wanted
    else:
        assert found["prediction"].tolist() == [str(value) for value in wanted]
    np.testing.assert_array_equal(found.iloc[:, 2:].astype(float).to_numpy(), model.predict_proba(rows))
