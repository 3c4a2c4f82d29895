"""Schemas that are kept in files, and cuts by sketches."""

import json
import pickle
import sys

import numpy as np
import polars as pl
import pytest

from ramify import TreeClassifier, sources
from ramify.sources import _files, _sketch
from source_samples import fit, parquet, rows, same, with_budget, write

datasketches = pytest.importorskip("datasketches")


@pytest.fixture
def stored(tmp_path):
    frame, y = rows(seed=11)
    (tmp_path / "data").mkdir()
    return write(tmp_path / "data", frame, y, 3), frame, y


def edges_in(path, column):
    document = json.loads(path.read_text())
    names = [entry["name"] for entry in document["schema"]["columns"]]
    return np.array(document["codings"][names.index(column)]["numbers"])


def test_the_rank_error_is_what_the_library_says():
    stated = datasketches.kll_doubles_sketch.get_normalized_rank_error(_sketch.K, False)
    assert pytest.approx(stated, rel=0.01) == _sketch.RANK_ERROR


@pytest.mark.parametrize("kind", ["normal", "heavy tail", "ties"])
def test_cuts_of_a_sketch_are_within_its_error(tmp_path, kind):
    rng = np.random.default_rng(0)
    n, bins = 60_000, 64
    x = {
        "normal": lambda: rng.normal(size=n),
        "heavy tail": lambda: rng.pareto(0.3, size=n),
        "ties": lambda: np.where(rng.random(n) < 0.5, 0.0, rng.normal(size=n)),
    }[kind]()
    frame = pl.DataFrame({"x": x, "target": (x > np.median(x)).astype(int)})
    source = sources.polars(
        frame.lazy(), target="target", batch_rows=9_999, quantiles="sketch", schema=tmp_path / "s.json"
    )
    fit(source, max_bins=bins, max_depth=1)
    edges = edges_in(tmp_path / "s.json", "x")
    # By definition a cut is behind the first number that reaches its share: so a share may lie anywhere among
    # equal numbers in front of it, up to the error.
    slack = 3 * _sketch.RANK_ERROR  # what is stated holds in 99 of 100 cases
    ordered, shares = np.sort(x), np.arange(1, bins) / bins
    last = np.searchsorted(ordered, edges, "right") / n + slack
    behind = ordered[np.maximum(((last - 2 * slack) * n).astype(int) - 1, 0)]
    first = np.searchsorted(ordered, behind, "left") / n
    right = (first[:, None] <= shares) & (shares <= last[:, None])
    assert right.any(axis=0).all()  # every share has its cut
    assert right.any(axis=1).all()  # every cut is that of a share


def test_sketches_of_few_rows_are_exact(stored, tmp_path):
    folder, frame, y = stored
    same(TreeClassifier(cuts="quantile", max_bins=16).fit(frame, y), fit(parquet(folder, quantiles="sketch")))


def test_a_number_behind_all_that_a_sketch_keeps_can_be_cut_off():
    sketch = _sketch.QuantileSketch()
    numbers = np.append(np.zeros(200_000), 5.0)
    sketch.count([(numbers.reshape(-1, 1), 0, False)], len(numbers), None)
    numbers, weights = pickle.loads(pickle.dumps(sketch)).points()
    assert numbers[-1] == 5.0 and numbers[0] == 0.0
    assert weights.sum() == 200_001


@pytest.mark.filterwarnings("default")
def test_one_schema_gives_one_tree_everywhere(stored, tmp_path, monkeypatch):
    pytest.importorskip("dask.dataframe")
    import dask
    import dask.dataframe as dd

    monkeypatch.setattr(_sketch, "K", 8)  # so small that chance has its way
    folder, frame, y = stored
    options = {"quantiles": "sketch", "schema": tmp_path / "codes.json"}
    model = fit(parquet(folder, **options))
    written = (tmp_path / "codes.json").read_bytes()
    whole = frame.with_columns(target=pl.Series(y.tolist()))
    for batch_rows in (31, 10_000):
        made = sources.parquet(folder, target="target", batch_rows=batch_rows, **options)
        same(model, fit(with_budget(made, 2000)))
    same(model, fit(sources.polars(whole.reverse().lazy(), target="target", schema=tmp_path / "codes.json")))
    parted = dd.from_pandas(whole.to_pandas(use_pyarrow_extension_array=True), npartitions=3)
    with dask.config.set(scheduler="threads"):
        same(model, fit(with_budget(sources.dask(parted, target="target", **options), 2000)))
        (tmp_path / "codes.json").unlink()
        again = fit(sources.dask(parted, target="target", **options))  # made by merging sketches
    same(again, fit(parquet(folder, **options)))
    assert (tmp_path / "codes.json").read_bytes() != written


def test_a_schema_of_exact_quantiles_changes_nothing(tmp_path):
    frame, y = rows(missing=True, seed=6)
    weights = np.arange(len(y)) % 3 + 0.0
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", frame, y, 3, weights)
    parameters = {"missing": "own_branch", "class_weight": {"no": 2.0}}
    model = TreeClassifier(cuts="quantile", max_bins=16, **parameters).fit(frame, y, weights)
    for _ in range(2):
        source = parquet(tmp_path / "data", weight="weight", schema=tmp_path / "codes.json")
        same(model, fit(with_budget(source, 3000), **parameters))


def test_a_schema_saves_the_passes_for_quantiles(stored, tmp_path, monkeypatch):
    folder, _, _ = stored
    read, files = _files._READERS["parquet"], []

    def noting(file, batch_rows):
        files.append(file)
        return read(file, batch_rows)

    monkeypatch.setitem(_files._READERS, "parquet", noting)
    passes = []
    for options in ({}, {"quantiles": "sketch"}, {"schema": tmp_path / "s"}, {"schema": tmp_path / "s"}):
        files.clear()
        fit(parquet(folder, **options))
        passes.append(len(files) // 3)
    assert passes == [3, 2, 3, 2]


@pytest.mark.parametrize(
    ("options", "parameters", "text"),
    [
        ({}, {"max_bins": 32}, "max_bins is 16 there and 32 here"),
        ({}, {"cuts": "equal_width"}, "cuts is 'quantile' there and 'equal_width' here"),
        (
            {},
            {"categorical_features": ["few", "kind", "yes"]},
            "categorical_features is 'from_dtype' there and",
        ),
        ({}, {"class_weight": "balanced"}, "class_weight is None there and 'balanced' here"),
        ({"weight": "few"}, {}, "weight is None there and 'few' here"),
        ({"target": "kind"}, {}, "target is 'target' there and 'kind' here"),
    ],
)
def test_a_schema_for_another_fit_is_refused(stored, tmp_path, options, parameters, text):
    folder, _, _ = stored
    schema = tmp_path / "codes.json"
    fit(parquet(folder, schema=schema))
    written = schema.read_bytes()
    with pytest.raises(sources.SchemaError, match=f"was made for another fit: {text}"):
        fit(sources.parquet(folder, **({"target": "target", "schema": schema} | options)), **parameters)
    assert schema.read_bytes() == written


@pytest.mark.parametrize("content", [b"{", b"[1]", b"{}", b'{"checksum": 3}', "changed"])
def test_a_damaged_schema_is_refused(stored, tmp_path, content):
    folder, _, _ = stored
    schema = tmp_path / "codes.json"
    fit(parquet(folder, schema=schema))
    schema.write_bytes(schema.read_bytes().replace(b"16", b"17") if content == "changed" else content)
    with pytest.raises(sources.SchemaError, match=r"codes\.json' is damaged, or no schema; it was left"):
        fit(parquet(folder, schema=schema))
    fit(parquet(folder, checkpoint=tmp_path / "state"))
    with pytest.raises(sources.SchemaError, match="is no schema that this version reads"):
        fit(parquet(folder, schema=tmp_path / "state"))


def test_a_schema_goes_with_other_rows(stored, tmp_path):
    folder, _, _ = stored
    fit(parquet(folder, schema=tmp_path / "codes.json"))
    frame, y = rows(500, seed=12)
    few = frame.with_columns(target=pl.Series(y.tolist())).filter(pl.col("target") != "perhaps")
    model = fit(sources.polars(few.lazy(), target="target", schema=tmp_path / "codes.json"))
    assert model.classes_.tolist() == ["no", "perhaps", "yes"]
    assert model.tree_.counts[0].tolist() == [(y == "no").sum(), 0.0, (y == "yes").sum()]
    assert (model.predict(few.drop("target")) == few["target"].to_numpy()).mean() > 0.9
    assert set(model.tree_.threshold[model.tree_.column == 0].tolist()) <= set(
        edges_in(tmp_path / "codes.json", "many").tolist()
    )


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda part: part.with_columns(target=pl.lit("new")), r"The class 'new' is not in the schema '.*'"),
        (
            lambda part: part.with_columns(kind=pl.lit("zz")),
            r"The value 'zz' of column 'kind' in row 0 of this part is not in the schema",
        ),
        (
            lambda part: part.with_columns(few=pl.lit(-7.5)),
            r"The value -7\.5 of column 'few' in row 0 of this part is not in the schema",
        ),
        (
            lambda part: part.with_columns(many=pl.lit(None, dtype=pl.Float64)),
            r"The missing value of column 'many' in row 0 of this part is not in the schema",
        ),
        (lambda part: part.drop("few"), r"It lacks the columns \['few'\], which are in the schema"),
        (lambda part: part.with_columns(few=pl.lit("x")), r"Column 'few' is numeric for this model, but is"),
    ],
)
def test_what_a_schema_does_not_have_is_named(stored, tmp_path, change, text):
    folder, _, _ = stored
    fit(parquet(folder, schema=tmp_path / "codes.json"))
    change(pl.read_parquet(folder / "2.parquet")).write_parquet(folder / "2.parquet")
    with pytest.raises(sources.SourceError, match=rf"2\.parquet: {text}"):
        fit(parquet(folder, schema=tmp_path / "codes.json"), missing="own_branch")


def test_a_schema_with_missing_values_wants_a_way_with_them(tmp_path):
    frame, y = rows(missing=True)
    (tmp_path / "data").mkdir()
    write(tmp_path / "data", frame, y)
    fit(parquet(tmp_path / "data", schema=tmp_path / "s"), missing="own_branch")
    with pytest.raises(ValueError, match="Column 'many' has missing values, and missing='fractional'"):
        fit(parquet(tmp_path / "data", schema=tmp_path / "s"))


def test_a_fit_that_goes_on_keeps_its_schema(stored, tmp_path):
    folder, _, _ = stored
    options = {"checkpoint": tmp_path / "state", "quantiles": "sketch"}
    model = fit(parquet(folder, **options))
    same(model, fit(parquet(folder, schema=tmp_path / "s", **options)))  # written from the checkpoint
    same(model, fit(parquet(folder, schema=tmp_path / "s")))
    part = pl.read_parquet(folder / "2.parquet")
    fit(sources.polars(part.lazy(), target="target", schema=tmp_path / "other"))
    with pytest.raises(sources.SchemaError, match="is not the one that the fit of the checkpoint"):
        fit(parquet(folder, schema=tmp_path / "other", **options))
    with pytest.raises(sources.CheckpointError, match="quantiles is another"):
        fit(parquet(folder, checkpoint=tmp_path / "state"))


@pytest.mark.parametrize(
    ("options", "parameters", "text"),
    [
        ({"weight": "few"}, {}, "quantiles='sketch' counts every row once, and weight was given"),
        ({}, {"class_weight": "balanced"}, "quantiles='sketch' counts every row once, and class_weight was"),
        ({}, {"cuts": "equal_width"}, "goes with cuts='quantile' alone, and cuts='equal_width' was given"),
    ],
)
def test_what_does_not_go_with_sketches(stored, options, parameters, text):
    folder, _, _ = stored
    with pytest.raises(ValueError, match=text):
        fit(parquet(folder, quantiles="sketch", **options), **parameters)


def test_sketches_need_their_library(stored, tmp_path, monkeypatch):
    folder, _, _ = stored
    model = fit(parquet(folder, quantiles="sketch", schema=tmp_path / "s"))
    monkeypatch.setitem(sys.modules, "datasketches", None)
    with pytest.raises(ImportError, match=r'pip install "ramify\[sketch\]"'):
        fit(parquet(folder, quantiles="sketch"))
    same(model, fit(parquet(folder, quantiles="sketch", schema=tmp_path / "s")))  # nothing is sketched


def test_options_are_checked(stored, tmp_path):
    folder, _, _ = stored
    with pytest.raises(ValueError, match="quantiles='kll' is not accepted"):
        parquet(folder, quantiles="kll")
    with pytest.raises(FileNotFoundError, match="schema='no/such/x' can't be written"):
        parquet(folder, schema="no/such/x")
