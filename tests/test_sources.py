"""Trees from sources are the trees of memory, bit for bit."""

import pickle

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import feather

from ramify import TreeClassifier, _core, sources
from source_samples import check, rows, same, with_budget, write
from test_search import CRITERIA


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    frame, y = rows()
    return write(tmp_path_factory.mktemp("rows"), frame, y, parts=3), frame, y


@pytest.fixture(scope="module")
def with_holes(tmp_path_factory):
    frame, y = rows(missing=True, seed=5)
    return write(tmp_path_factory.mktemp("holes"), frame, y, parts=3), frame, y


@pytest.mark.parametrize("branching", ["binary", "multiway"])
@pytest.mark.parametrize("criterion", CRITERIA)
def test_every_criterion_grows_the_same_tree(stored, criterion, branching):
    model = check(
        *stored, criterion=criterion, branching=branching, budgets=(1000, 2**28), min_samples_leaf=3
    )
    assert model.get_depth() > 1


@pytest.mark.parametrize(
    "parameters",
    [
        {"max_depth": 3},
        {"q": 0.5, "min_samples_leaf": 5},
        {"q": 1.0, "min_impurity_decrease": 0.01},
        {"max_leaf_nodes": 7},
        {"max_leaf_nodes": 11, "branching": "multiway", "criterion": "gain_ratio"},
        {"max_features": 2, "random_state": 3},
        {"split_order": ["kind", None, "few"]},
        {"n_runner_ups": 2},
        {"min_support": 4},
        {"cuts": "equal_width"},
        {"max_bins": 500},
        {"max_bins": 2},
        {"criterion": lambda tables: -(tables.min(axis=2).sum(axis=1)), "max_depth": 4},
        {"n_jobs": 2},
        {"pruning": "pessimistic"},
        {"ccp_alpha": 0.01},
        {"pruning": "merge"},
        {"categorical_features": ["few", "kind"]},
        {"min_samples_split": 0.05, "min_samples_leaf": 0.02},
    ],
    ids=" ".join,
)
def test_every_parameter_has_its_way(stored, parameters):
    if "categorical_features" in parameters:
        _, frame, y = stored
        frame = frame.drop("yes")
        parameters = {"categorical_features": ["few", "kind"]}
        lazy = frame.with_columns(target=pl.Series(y.tolist())).lazy()
        model = TreeClassifier(cuts="quantile", **parameters).fit(frame, y)
        source = with_budget(sources.polars(lazy, target="target", batch_rows=99), 1000)
        return same(model, TreeClassifier(cuts="quantile", **parameters).fit(source))
    check(*stored, **parameters)
    return None


@pytest.mark.parametrize("branching", ["binary", "multiway"])
@pytest.mark.parametrize("missing", ["best_branch", "own_branch"])
@pytest.mark.parametrize("criterion", ["gain", "gain_ratio", "normalized_distance"])
def test_missing_values(with_holes, missing, branching, criterion):
    check(*with_holes, missing=missing, branching=branching, criterion=criterion, budgets=(1000, 2**28))


@pytest.mark.parametrize("missing", ["fractional", "error"])
def test_ways_with_missing_values_do_not_matter_where_none_is(stored, missing):
    check(*stored, missing=missing)


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio", "twoing"])
def test_whole_weights(tmp_path, criterion):
    frame, y = rows(missing=True, seed=2)
    weights = np.random.default_rng(0).integers(0, 4, size=len(y)).astype(float)
    check(write(tmp_path, frame, y, 3, weights), frame, y, weights, criterion=criterion)


def test_other_weights_agree_to_rounding(tmp_path):
    frame, y = rows(seed=3)
    weights = np.random.default_rng(0).random(len(y)) + 0.1
    write(tmp_path, frame, y, 3, weights)
    for class_weight in (None, "balanced", {"no": 2.5}):
        parameters = {"cuts": "quantile", "max_bins": 20, "max_depth": 5, "class_weight": class_weight}
        model = TreeClassifier(**parameters).fit(frame, y, weights)
        source = with_budget(sources.parquet(tmp_path, target="target", weight="weight", batch_rows=97), 1000)
        other = TreeClassifier(**parameters).fit(source)
        assert model.tree_.column.tolist() == other.tree_.column.tolist()
        np.testing.assert_allclose(model.tree_.threshold, other.tree_.threshold)
        np.testing.assert_allclose(model.tree_.counts, other.tree_.counts)
        np.testing.assert_allclose(model.class_weight_, other.class_weight_)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 1000),
    batch_rows=st.integers(1, 200),
    budget=st.integers(500, 20_000),
    max_bins=st.integers(2, 40),
    leaf=st.integers(1, 9),
)
def test_no_batches_and_no_budget_change_the_tree(seed, batch_rows, budget, max_bins, leaf):
    frame, y = rows(120, seed, missing=bool(seed % 2))
    parameters = {
        "cuts": "quantile",
        "max_bins": max_bins,
        "min_samples_leaf": leaf,
        "missing": "best_branch",
    }
    model = TreeClassifier(**parameters).fit(frame, y)
    lazy = frame.with_columns(target=pl.Series(y.tolist())).lazy()
    source = sources.polars(lazy, target="target", batch_rows=batch_rows)
    same(model, TreeClassifier(**parameters).fit(with_budget(source, budget)))


def test_few_distinct_values_give_the_exact_tree():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 3, size=900)
    # Most rows have one value, so that quantiles alone would not tell the others apart.
    skewed = np.where(rng.random(900) < 0.9, 0, rng.integers(0, 50, size=900)) + 0.0
    frame = pl.DataFrame({"skewed": skewed, "even": rng.integers(0, 60, size=900) + y})
    exact = TreeClassifier().fit(frame, y)
    same(exact, TreeClassifier(cuts="quantile", max_bins=64).fit(frame, y))
    lazy = frame.with_columns(target=y).lazy()
    for cuts in ("exact", "quantile"):
        source = with_budget(sources.polars(lazy, target="target"), 2000)
        same(exact, TreeClassifier(cuts=cuts, max_bins=64).fit(source))


@pytest.mark.parametrize("cuts", ["quantile", "equal_width"])
def test_columns_that_cannot_be_cut(cuts):
    rng = np.random.default_rng(0)
    y = rng.integers(0, 2, size=60)
    last = np.append(
        np.arange(6.0), np.full(54, 9.0)
    )  # nearly all weight on the last value: no quantile cuts it
    frame = pl.DataFrame({"same": np.full(60, 3.5), "last": last, "good": y + rng.normal(size=60)})
    parameters = {"cuts": cuts, "max_bins": 4}
    source = sources.polars(frame.with_columns(target=y).lazy(), target="target", batch_rows=7)
    model = TreeClassifier(**parameters).fit(frame, y)
    same(model, TreeClassifier(**parameters).fit(with_budget(source, 500)))


@pytest.mark.parametrize("kind", ["arrow", "stream", "csv", "pattern", "list"])
def test_every_kind_of_file(tmp_path, kind):
    frame, y = rows(missing=True, seed=8)
    frame = frame.select("many", "few", "whole", "kind")
    whole = frame.with_columns(target=pl.Series(y.tolist()))
    half = len(y) // 2
    options = {"target": "target", "batch_rows": 100}
    for i, part in enumerate((whole[:half], whole[half:])):
        if kind == "arrow":
            feather.write_feather(part.to_arrow(), tmp_path / f"{i}.arrow")
        elif kind == "stream":
            table = part.to_arrow()
            with (
                pa.OSFile(str(tmp_path / f"{i}.arrow"), "wb") as file,
                pa.ipc.new_stream(file, table.schema) as out,
            ):
                out.write_table(table)
        elif kind == "csv":
            part.write_csv(tmp_path / f"{i}.csv")
        else:
            part.write_parquet(tmp_path / f"part-{i}.parquet")
    source = {
        "arrow": lambda: sources.arrow(tmp_path, **options),
        "stream": lambda: sources.arrow(tmp_path, **options),
        "csv": lambda: sources.csv(tmp_path, **options),
        "pattern": lambda: sources.parquet(tmp_path / "part-*.parquet", **options),
        "list": lambda: sources.parquet([tmp_path / f"part-{i}.parquet" for i in (0, 1)], **options),
    }[kind]()
    parameters = {"cuts": "quantile", "max_bins": 16, "missing": "best_branch"}
    same(
        TreeClassifier(**parameters).fit(frame, y),
        TreeClassifier(**parameters).fit(with_budget(source, 3000)),
    )


def test_sources_are_answered_batch_by_batch(stored):
    folder, frame, y = stored
    model = TreeClassifier(cuts="quantile").fit(frame, y)
    source = sources.parquet(folder, target="target", batch_rows=99)
    assert model.predict(source).tolist() == model.predict(frame).tolist()
    np.testing.assert_array_equal(model.predict_proba(source), model.predict_proba(frame))


def test_every_pass_shows_how_far_it_is(stored, capsys):
    folder, _, _ = stored
    source = with_budget(sources.parquet(folder, target="target", batch_rows=99, progress=True), 30_000)
    model = TreeClassifier(cuts="quantile").fit(source)
    model.predict(source)
    told = capsys.readouterr().err
    for what in ("reading", "making codes", "growing, pass", "predicting"):
        assert what in told
    assert "700/700 rows" in told


def test_a_file_that_cannot_be_read_is_told_of_by_its_name_whatever_is_shown(tmp_path, capsys):
    (tmp_path / "a.parquet").write_bytes(b"no Parquet")
    with pytest.raises(sources.SourceError, match=r"a\.parquet"):
        TreeClassifier(cuts="quantile").fit(sources.parquet(tmp_path, target="target", progress=True))


def edges_by_definition(numbers, weights, bins):
    """Cuts half way between the first number that reaches a share of all weight and the next one."""
    values, places = np.unique(numbers, return_inverse=True)
    reached = np.cumsum(np.bincount(places, weights))
    edges = []
    for share in range(1, bins):
        first = int(np.argmax(reached >= reached[-1] * share / bins * (1 - 1e-12)))
        if first + 1 < len(values):
            low, high = values[first], values[first + 1]
            middle = low / 2 + high / 2
            edges.append(middle if middle < high else low)  # neighbours among floats have nothing between
    return sorted(set(edges))


numbers_of = st.lists(
    st.one_of(st.floats(-1e300, 1e300), st.floats(0.99, 1.0), st.integers(-3, 3).map(float)),
    min_size=1,
    max_size=200,
)


@settings(max_examples=150, deadline=None)
@given(numbers=numbers_of, bins=st.integers(2, 30), parts=st.integers(1, 5), finer=st.integers(0, 9))
def test_quantiles_are_exact_however_they_are_sought(numbers, bins, parts, finer):
    values = np.array(numbers)
    weights = (np.arange(len(values)) % 4 + 1).astype(float)

    def blocks(chosen):
        return [(np.ascontiguousarray(values[chosen]).reshape(-1, 1), 0, True)]

    def count(stretches):
        total = _core.KeyHistogram(stretches)
        for i in range(parts):
            chosen = np.arange(i, len(values), parts)
            one = _core.KeyHistogram(stretches)
            one.count(blocks(chosen), len(chosen), np.ascontiguousarray(weights[chosen]))
            total.add(pickle.loads(pickle.dumps(one)) if i % 2 else one)  # it is sent with fewer buckets
        return total

    search = _core.QuantileSearch(bins)
    search.look(count(None))
    for _ in range(finer):
        if search.open():
            search.look(count(search.open()))
    if search.open():
        found = _core.numbers_within(blocks(np.arange(len(values))), len(values), weights, search.open())
        order = np.argsort(found[0], kind="stable")
        search.settle(found[0][order], found[1][order])
    np.testing.assert_array_equal(search.edges(), edges_by_definition(values, weights, bins))


def growth(totals, codings, **parameters):
    from ramify._parameters import check_settings

    rows = int(sum(totals))
    model = TreeClassifier(cuts="quantile", **parameters)
    settings = check_settings(model, rows, float(rows), ["x"], True) | {"one_case": 1.0}
    return _core.CountedGrowth(settings, codings, totals, rows, True, True, 1.0)


@pytest.mark.parametrize("q", [0.5, 1.0, 2.0, 3.0])
def test_counts_beyond_32_bits(q):
    # Ten thousand million rows: the same split as of a ten-millionth of them.
    table = np.array([[5, 1], [4, 2], [1, 6], [0, 7]], dtype=np.int64)
    coding = _core.Coding(values=np.array([1.0, 2.0, 3.0, 4.0]))
    splits = []
    for copies in (1, 400_000_000):
        counts = table * copies
        grower = growth(counts.sum(axis=0).astype(float).tolist(), [coding], q=q, max_depth=1)
        lanes = counts if grower.unit else np.column_stack([counts, counts.sum(axis=1)])
        cells = lanes.astype(np.float64) if grower.real else lanes
        grower.split([0], [np.ascontiguousarray(cells).ravel()], 1)
        splits.append(grower.finished().arrays())
    small, large = splits
    assert small["threshold"].tolist() == large["threshold"].tolist()
    assert large["n_rows"].tolist() == (small["n_rows"] * 400_000_000).tolist()
    np.testing.assert_allclose(small["gain"], large["gain"], rtol=1e-12)


def test_rows_that_do_not_fit_their_codings_are_refused():
    coding = _core.Coding(values=np.array([1.0, 2.0]))
    frontier = growth([2.0, 2.0], [coding]).frontier([0])
    counts = np.zeros((1, 4), dtype=np.int64)
    classes = np.array([0, 1], dtype=np.uint32)
    with pytest.raises(ValueError, match="codes are those of their coding"):
        frontier.count([np.array([0, 2], dtype=np.uint8)], classes, None, [coding], 2, counts, 1)
    with pytest.raises(ValueError, match="classes lie"):
        frontier.count(
            [np.array([0, 1], dtype=np.uint8)], classes + np.uint32(1), None, [coding], 2, counts, 1
        )
    with pytest.raises(ValueError, match="slots x cells"):
        frontier.count(
            [np.array([0, 1], dtype=np.uint8)], classes, None, [coding], 2, counts[:, :3].copy(), 1
        )
