"""Sources that are wrong."""

import errno
import os
import pickle

import numpy as np
import polars as pl
import pytest

from ramify import TreeClassifier, sources
from source_samples import fit, parquet, rows, same, with_budget, write


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (lambda part: part.drop("few"), r"b\.parquet: It lacks the columns \['few'\].*in .*a\.parquet"),
        (lambda part: part.with_columns(new=1), r"b\.parquet: It has the columns \['new'\]"),
        (
            lambda part: part.select(reversed(part.columns)),
            r"b\.parquet: It has the columns in another order",
        ),
        (
            lambda part: part.with_columns(pl.col("few").cast(str)),
            r"'few' is numeric in .*a\.parquet and nominal in .*b\.parquet",
        ),
        (
            lambda part: part.with_columns(kind=pl.lit(1.5)),
            r"'kind' is nominal in .*a\.parquet and numeric in",
        ),
        (lambda part: part.drop("target"), r"b\.parquet: There is no column 'target', the target"),
        (
            lambda part: part.with_columns(target=pl.lit(3)),
            r"b\.parquet: The target 'target' has labels of another",
        ),
        (lambda part: part.with_columns(target=None), r"b\.parquet: Input y contains NaN or None"),
        (lambda part: part.with_columns(many=pl.lit(float("inf"))), r"b\.parquet: .*infinity: column 'many'"),
        (lambda part: part.with_columns(many=pl.lit([1])), r"b\.parquet: Column 'many' has the dtype List"),
    ],
)
def test_a_part_that_does_not_fit_is_named(two, change, text):
    folder, part = two
    change(part).write_parquet(folder / "b.parquet")
    with pytest.raises(sources.SourceError, match=text):
        fit(parquet(folder))


def test_a_file_that_cannot_be_read_is_named(two):
    folder, _ = two
    (folder / "b.parquet").write_bytes(b"PAR1 no more")
    with pytest.raises(sources.SourceError, match=r"b\.parquet: "):
        fit(parquet(folder))
    (folder / "b.parquet").unlink()
    source = parquet(folder)
    (folder / "a.parquet").unlink()
    with pytest.raises(sources.SourceError, match=r"a\.parquet: "):
        fit(source)


def test_text_in_a_column_of_numbers_of_a_csv_file_is_named(tmp_path):
    (tmp_path / "a.csv").write_text("x,target\n1,a\n2,b\n")
    (tmp_path / "b.csv").write_text("x,target\none,a\ntwo,b\n")
    with pytest.raises(sources.SourceError, match=r"'x' is numeric in .*a\.csv and nominal in .*b\.csv"):
        fit(sources.csv(tmp_path, target="target"))


def test_an_empty_part_changes_nothing(two):
    folder, part = two
    model = fit(parquet(folder))
    part[:0].write_parquet(folder / "aa.parquet")
    same(model, fit(parquet(folder)))


def test_a_part_without_known_values_takes_the_kind_of_the_others(two):
    folder, part = two
    nothing = part.with_columns(many=None, kind=None)
    nothing.write_parquet(folder / "0.parquet")
    model = fit(parquet(folder), missing="own_branch")
    assert [column.nominal for column in model.schema_.columns] == [False, False, False, False, True, True]


def test_classes_and_categories_that_come_last(two):
    folder, part = two
    last = part[:20].with_columns(target=pl.lit("aaa"), kind=pl.lit("zz"))
    last.write_parquet(folder / "z.parquet")
    model = fit(parquet(folder))
    assert model.classes_[0] == "aaa"
    assert "zz" in model.schema_.columns[5].categories
    frame = pl.concat(pl.read_parquet(folder / name) for name in ("a.parquet", "b.parquet", "z.parquet"))
    memory = TreeClassifier(cuts="quantile", max_bins=16).fit(frame.drop("target"), frame["target"])
    same(memory, model)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"cuts": "exact"}, "Column 'many' has more than max_bins=16 distinct values"),
        ({"cuts": "gaussian"}, "cuts='gaussian' does not go with a source"),
        ({"dialect": "c45"}, "dialect='c45' does not go with a source"),
        ({"pruning": "reduced_error"}, "pruning='reduced_error' does not go with a source"),
        ({"ccp_alpha": "cv"}, "ccp_alpha='cv' does not go with a source"),
        ({"max_bins": 1}, "max_bins=1 is not accepted"),
        ({"class_weight": {"what": 2}}, "class_weight names the classes"),
        ({"split_order": ["what"]}, "split_order names the column 'what'"),
    ],
)
def test_parameters_that_do_not_go_with_a_source(two, parameters, text):
    with pytest.raises(ValueError, match=text):
        fit(parquet(two[0]), **parameters)


def test_parts_of_cases_are_refused(tmp_path):
    frame, y = rows(missing=True)
    write(tmp_path, frame, y)
    with pytest.raises(ValueError, match="Column 'many' has missing values, and missing='fractional'"):
        fit(parquet(tmp_path))
    with pytest.raises(ValueError, match=r"column 'many' has a missing value in row .*missing='error'"):
        fit(parquet(tmp_path), missing="error")


def test_labels_and_weights_come_with_the_source(two):
    source = parquet(two[0])
    with pytest.raises(ValueError, match="y was given with a source"):
        TreeClassifier(cuts="quantile").fit(source, [1, 2])
    with pytest.raises(ValueError, match="sample_weight was given with a source"):
        TreeClassifier(cuts="quantile").fit(source, sample_weight=[1, 2])


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"target": 3}, TypeError, "target=3 is not accepted"),
        ({"weight": "target"}, ValueError, "weight='target' is the target too"),
        ({"budget": "much"}, ValueError, "budget='much' is not accepted"),
        ({"budget": 5}, ValueError, "budget=5 is not accepted"),
        ({"checkpoint": "no/such/folder/x"}, FileNotFoundError, "there is no folder"),
        ({"checkpoint": "."}, IsADirectoryError, "is a folder"),
        ({"progress": "yes"}, ValueError, "progress='yes' is not accepted"),
        ({"batch_rows": 0}, ValueError, "batch_rows=0 is not accepted"),
        ({"scratch": "no/such"}, FileNotFoundError, "scratch='no/such' is no folder"),
    ],
)
def test_options_of_sources(two, options, kind, text):
    with pytest.raises(kind, match=text):
        sources.parquet(two[0], **({"target": "target"} | options))


def test_budgets_can_be_written_as_people_write_them(two):
    assert parquet(two[0], budget="2GB").budget == 2 * 10**9
    assert parquet(two[0], budget="3 MiB").budget == 3 * 2**20


def test_paths_that_lead_nowhere(tmp_path):
    with pytest.raises(FileNotFoundError, match="has no file that ends in"):
        sources.parquet(tmp_path, target="y")
    with pytest.raises(TypeError, match="path=3 is not accepted"):
        sources.parquet(3, target="y")
    with pytest.raises(TypeError, match="LazyFrame"):
        sources.polars(pl.DataFrame({"x": [1]}), target="x")


def test_all_weights_zero(tmp_path):
    frame, y = rows(50)
    write(tmp_path, frame, y, weights=np.zeros(50))
    with pytest.raises(ValueError, match="All weights are zero"):
        fit(sources.parquet(tmp_path, target="target", weight="weight"))


def test_a_full_disk_is_told_of_when_codes_are_kept(two, monkeypatch):
    def full(self, content):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    class Full:
        write = full

        def close(self):
            pass

    monkeypatch.setattr("ramify.sources._spill.tempfile.TemporaryFile", lambda **_: Full())
    with pytest.raises(OSError, match=r"the codes of the rows can't be kept in .* \(No space left"):
        fit(parquet(two[0]))


def test_data_that_change_between_passes_are_told_of(two):
    folder, part = two
    fit(with_budget(parquet(folder, checkpoint=folder / "state"), 3000))
    source = parquet(folder)
    encode = source.parts.encode

    def change(encoder, n_jobs, checkpoint):
        part.with_columns(few=pl.lit(-1.0)).write_parquet(folder / "b.parquet")
        return encode(encoder, n_jobs, checkpoint)

    source.parts.encode = change
    with pytest.raises(
        sources.SourceError, match=r"b\.parquet: The value .* of column 'few' in row 0 .* have changed"
    ):
        fit(source)


def test_what_is_sent_to_workers_survives_the_way():
    from ramify import _core

    coding = _core.Coding(edges=np.array([1.0, 2.5]), has_missing=True)
    back = pickle.loads(pickle.dumps(coding))
    assert back.edges.tolist() == [1.0, 2.5] and back.has_missing and back.n_codes == 3
    histogram = _core.KeyHistogram()
    numbers = np.array([[1.0], [-2.0], [np.nan], [1e300]])
    histogram.count([(numbers, 0, True)], 4, None)
    search, other = _core.QuantileSearch(2), _core.QuantileSearch(2)
    search.look(histogram)
    other.look(pickle.loads(pickle.dumps(histogram)))
    assert search.edges().tolist() == other.edges().tolist() == [0.5 + 5e299]
    with pytest.raises(ValueError, match=r"damaged|cut short"):
        _core.KeyHistogram.__new__(_core.KeyHistogram).__setstate__(pickle.dumps(histogram)[-100:])
