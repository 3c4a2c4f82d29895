"""`c45` against the program that it imitates: J48 of Weka 3.6, on its own files and on random ones."""

import re
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ramify
from ramify.tree import KINDS
from weka import (
    EXAMPLES,
    J48,
    Arff,
    Setting,
    UnsuitableError,
    describe,
    read_arff,
    run_j48,
    run_j48_on,
    why_no_weka,
    write_arff,
)

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(why_no_weka() is not None, reason=why_no_weka() or ""),
]

SETTINGS = tuple(
    Setting(min_samples_leaf, binary, pruned)
    for pruned, min_samples_leaf, binary in product((True, False), (2, 5), (False, True))
)
SEEDS = range(40)

# Runs that are known to differ, by "file options", and why. A run that differs and is not here fails.
KNOWN: dict[str, str] = {}

# The files of the package that are no task for J48, with the reader's reason.
UNSUITABLE = {
    "ReutersCorn-test.arff": "column 'Text' is of type string",
    "ReutersCorn-train.arff": "column 'Text' is of type string",
    "ReutersGrain-test.arff": "column 'Text' is of type string",
    "ReutersGrain-train.arff": "column 'Text' is of type string",
    "cpu.arff": "the class is a number",
    "cpu.with.vendor.arff": "the class is a number",
}


@cache
def examples() -> dict[Path, Arff]:
    """Every file of the package that J48 takes."""
    files, reasons = {}, {}
    for path in sorted(EXAMPLES.glob("*.arff")):
        try:
            files[path] = read_arff(path)
        except UnsuitableError as error:
            reasons[path.name] = str(error)
    assert reasons == UNSUITABLE
    return files


def random_table(seed: int) -> Arff:
    """Columns of all sorts, with ties, unknowns and values that no row has, and labels that follow some."""
    rng = np.random.default_rng(seed)
    rows, classes = int(rng.integers(20, 201)), int(rng.integers(2, 5))
    columns: dict[str, pd.Categorical | np.ndarray] = {}
    pull = rng.gumbel(scale=rng.choice([0.3, 1.0]), size=(rows, classes))
    for j in range(int(rng.integers(2, 7))):
        kind = rng.choice(["coarse", "fine", "close", "nominal", "wide"], p=[0.3, 0.15, 0.05, 0.4, 0.1])
        unknown = rng.random(rows) < rng.choice([0.0, 0.05, 0.3])
        if kind in ("nominal", "wide"):
            # A wide column may have more than 0.3 values a row, which C4.5 leaves out of its average gain.
            values = int(rng.integers(2, 6)) if kind == "nominal" else int(rng.integers(10, 40))
            codes = rng.integers(values, size=rows)
            pull += rng.normal(size=(values, classes))[codes] * rng.choice([0.0, 1.0])
            spare = int(rng.integers(0, 2))
            declared = [f"it's {j}.{value}" for value in rng.permutation(values + spare)]
            columns[f"nominal {j}"] = pd.Categorical.from_codes(np.where(unknown, -1, codes), declared)
        else:
            step, most = {"coarse": (0.5, 12), "fine": (0.01, 1000), "close": (4e-6, 9)}[kind]
            ranks = rng.integers(-most, most, size=rows)
            pull += np.outer(ranks / most, rng.normal(size=classes)) * rng.choice([0.0, 2.0])
            columns[f"number {j}"] = np.where(unknown, np.nan, np.round(ranks * step, 6))
    spare = int(rng.choice([0, 0, 0, 3]))  # the minimum of a numeric cut depends on the declared classes
    names = [f"class {k}" for k in rng.permutation(classes + spare)]
    y = pd.Categorical.from_codes(pull.argmax(axis=1), names)
    return Arff(pd.DataFrame(columns), y, [*columns, "class"])


@pytest.fixture(scope="module")
def random_files(tmp_path_factory: pytest.TempPathFactory) -> dict[Path, Arff]:
    """The random tables, written for Weka."""
    folder = tmp_path_factory.mktemp("arff")
    files = {}
    for seed in SEEDS:
        path = folder / f"seed{seed}.arff"
        files[path] = random_table(seed)
        write_arff(path, files[path].X, files[path].y)
    return files


def fit(arff: Arff, setting: Setting) -> "ramify.TreeClassifier":
    """The same tree by ramify."""
    model = ramify.c45(
        confidence=setting.confidence,
        min_samples_leaf=setting.min_samples_leaf,
        branching="binary" if setting.binary else "multiway",
        pruning="pessimistic" if setting.pruned else None,
        smoothing="laplace" if setting.laplace else None,
        dialect="c45" if setting.raising else replace(ramify.C45, raising=False),
    )
    return model.fit(arff.X, arff.y)


def difference(arff: Arff, model: "ramify.TreeClassifier", j48: J48) -> str:
    """How two trees differ in size and in what they say of their own rows; empty if they do not."""
    found = []
    if model.tree_.n_leaves != j48.leaves:
        found.append(f"{model.tree_.n_leaves} leaves, not {j48.leaves}")
    if model.tree_.node_count != j48.nodes:
        found.append(f"{model.tree_.node_count} nodes, not {j48.nodes}")
    expected = np.asarray(arff.y.categories, dtype=object)[j48.predictions]
    wrong = np.flatnonzero(np.asarray(model.predict(arff.X), dtype=object) != expected)
    if len(wrong):
        found.append(f"{len(wrong)} of {len(expected)} predictions, first that of row {wrong[0]}")
    return "; ".join(found)


def assert_same_probabilities(arff: Arff, model: "ramify.TreeClassifier", j48: J48) -> None:
    """A class that the model does not have because no row has it must be impossible to J48 too."""
    answers = dict(zip(model.classes_, model.predict_proba(arff.X).T, strict=True))
    none = np.zeros(len(arff.X))
    ours = np.column_stack([answers.get(name, none) for name in arff.y.categories])
    np.testing.assert_allclose(ours, j48.probabilities, rtol=0, atol=1e-6)


def differing(files: dict[Path, Arff], settings: tuple[Setting, ...]) -> tuple[dict[str, str], int]:
    """The runs in which ramify and J48 disagree, with how, and the number of all runs."""
    jobs = list(product(files, settings))
    found = {}
    for (path, setting), j48 in zip(jobs, run_j48_on(jobs), strict=True):
        text = difference(files[path], fit(files[path], setting), j48)
        if text:
            found[f"{path.stem} {setting.options}"] = text
    return found, len(jobs)


def check(found: dict[str, str], runs: int) -> None:
    """At least 95% agree, and every other run has its reason."""
    lines = [f"{run}: {how} ({KNOWN.get(run, 'NO REASON KNOWN')})" for run, how in found.items()]
    report = "\n".join([f"{len(found)} of {runs} runs differ", *lines])
    assert len(found) <= 0.05 * runs, report
    assert found.keys() <= KNOWN.keys(), report


def test_the_reader_sees_what_weka_sees(random_files):
    """Names, declared values in their order, and every cell: else nothing below compares like with like."""
    files = examples() | random_files
    for (path, arff), attributes in zip(files.items(), describe(files), strict=True):
        written = read_arff(path)
        pd.testing.assert_frame_equal(written.X, arff.X)
        for attribute, name, column in zip(
            attributes, arff.names, [*(arff.X[c] for c in arff.X), pd.Series(arff.y)], strict=True
        ):
            assert attribute["name"] == name, path
            cells = column.to_numpy()
            if attribute["declared"] is not None:
                assert list(column.cat.categories) == attribute["declared"], (path, name)
                cells = column.cat.codes.where(column.notna(), np.nan).to_numpy()
            np.testing.assert_array_equal(cells, attribute["values"], err_msg=f"{path} {name}")


def test_the_files_of_the_package():
    check(*differing(examples(), SETTINGS))


def test_random_tables(random_files):
    check(*differing(random_files, SETTINGS))


@pytest.mark.parametrize(
    "setting",
    [
        Setting(raising=False),
        Setting(raising=False, binary=True),
        Setting(confidence=0.1),
        Setting(confidence=0.1, binary=True),
        Setting(confidence=0.45),
        Setting(min_samples_leaf=1, confidence=0.5),
    ],
    ids=lambda setting: setting.options,
)
def test_other_ways_of_pruning(setting, random_files):
    files = {path: arff for path, arff in examples().items() if len(arff.X) <= 1500}
    check(*differing(files | random_files, (setting,)))


@pytest.mark.parametrize("laplace", [False, True])
def test_probabilities(laplace, random_files):
    """J48 votes by the raw probabilities even where it smoothes those that it tells."""
    files = {path: arff for path, arff in examples().items() if len(arff.X) <= 1500} | random_files
    settings = [Setting(binary=binary, laplace=laplace) for binary in (False, True)]
    jobs = list(product(files, settings))
    for (path, setting), j48 in zip(jobs, run_j48_on(jobs), strict=True):
        run, arff = f"{path.stem} {setting.options}", files[path]
        if run not in KNOWN:
            model = fit(arff, setting)
            assert not difference(arff, model, j48), run
            assert_same_probabilities(arff, model, j48)


def cuts_in_print(text: str) -> list[tuple[str, float]]:
    """The numeric cuts of a printed tree, by column and value."""
    found = re.finditer(r"^[| ]*(.+?) <= (-?[\d.E-]+)", text, re.MULTILINE)
    return sorted((cut[1], float(cut[2])) for cut in found)


def test_thresholds(random_files):
    """Each is a value of the file, the largest up to the middle: told only by the cuts, or by new rows."""
    files = {path: arff for path, arff in examples().items() if len(arff.X) <= 1500} | random_files
    jobs = list(product(files, [Setting(pruned=False), Setting()]))
    for (path, setting), j48 in zip(jobs, run_j48_on(jobs), strict=True):
        run, arff = f"{path.stem} {setting.options}", files[path]
        if run in KNOWN:
            continue
        tree = fit(arff, setting).tree_
        inner = np.flatnonzero(tree.kind == KINDS.index("threshold"))
        ours = sorted((arff.names[tree.column[node]], float(tree.threshold[node])) for node in inner)
        theirs = cuts_in_print(j48.text)
        assert [name for name, _ in ours] == [name for name, _ in theirs], run
        # J48 prints six decimals and, of values of the file that are no more than 1e-6 apart, takes the one
        # whose row comes first, where rows have no order to ramify.
        np.testing.assert_allclose(
            [cut for _, cut in ours], [cut for _, cut in theirs], rtol=0, atol=1.6e-6, err_msg=run
        )


def test_empty_leaves_count():
    """J48 counts a leaf for every declared value of a nominal column, whether any row has it or not."""
    path = EXAMPLES / "soybean.arff"
    setting = Setting()
    j48 = run_j48(path, setting)
    assert "(0.0)" in j48.text
    assert j48.leaves == sum(":" in line for line in j48.text.splitlines() if "=" in line)
    model = fit(read_arff(path), setting)
    assert model.tree_.n_empty == j48.text.count("(0.0)")
    assert model.tree_.n_leaves == j48.leaves
