"""Studies: every published digit of the lecture and of Hart, and runs that give the same bytes."""

import importlib
import json
import os
import subprocess
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from ramify.cli import app
from ramify.experiments import JournalError, list_studies, render, reproduce
from ramify.experiments.render import FORMATS
from ramify.experiments.reproduce import unbalanced
from ramify.experiments.reproduce.published import published
from ramify.experiments.reproduce.registry import find_study


def cells(report):
    """All cells by block title and label; of labels that occur twice, the first."""
    found = {}
    for section in report.sections:
        for block in section.blocks:
            for label, cell in block.each():
                found.setdefault((block.title, label), cell)
    return found


@pytest.fixture(scope="module", autouse=True)
def few_repetitions():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(unbalanced, "_REPETITIONS", {True: 20, False: 40})
        yield


@pytest.fixture(scope="module")
def lecture():
    return reproduce("lecture")


@pytest.fixture(scope="module")
def hart():
    return reproduce("hart", quick=True)


def numbers_in(value):
    """Every number, at any depth."""
    if isinstance(value, dict):
        return [n for v in value.values() for n in numbers_in(v)]
    if isinstance(value, list):
        return [n for v in value for n in numbers_in(v)]
    return [value] if isinstance(value, int | float) else []


def test_every_study_has_what_its_paper_prints():
    for name in list_studies():
        values = published(name)
        assert set(values["paper"]) == {"authors", "title", "year"}
        assert numbers_in(values)
        study = find_study(name)
        assert study.name == name
        assert values["paper"]["title"].lower() in study.paper.lower()


def test_published_values_agree_with_each_other():
    said = published("lecture")["information_gain"]
    # The erratum: a difference of rounded numbers.
    assert said["gain"]["age"] == pytest.approx(said["info"] - said["info_age"])
    assert [sum(row[k] for row in said["age"]) for k in ("yes", "no")] == [said["yes"], said["no"]]
    ratio = published("lecture")["gain_ratio"]
    found = said["gain"]["income"] / ratio["split_info_income"]
    assert ratio["gain_ratio_income"] == pytest.approx(found, abs=5e-4)
    stump = published("hart")["stump"]
    assert stump["left"] + stump["right"] == pytest.approx(stump["conditional_entropy"], abs=1.5e-7)
    bins = published("hart")["bins"]
    edges = [bins["low"] + bins["width"] * (bins["optimal"] - 1 + k) for k in (0, 1)]
    assert bins["interval"] == f"[{edges[0]:g},{edges[1]:g})"


def test_the_lecture_comes_out_but_for_its_two_errors_of_rounding(lecture):
    wrong = {label for (_, label), cell in cells(lecture).items() if cell.mark == "differs"}
    assert wrong == {"Gain(age)", "Gain(student)"}
    assert lecture.counts() == {"exact": 21, "inside": 0, "differs": 2, "ours only": 21, "missing": 0}
    assert lecture.errata() == 2
    for label, right in (("Gain(age)", 0.2467498), ("Gain(student)", 0.1518355)):
        cell = cells(lecture)["Gains of the four attributes", label]
        assert cell.ours == pytest.approx(right, abs=1e-7)
        assert cell.erratum


def test_every_number_of_the_slides_is_in_the_report(lecture):
    said = published("lecture")
    shown = [cell.published for cell in cells(lecture).values() if isinstance(cell.published, float | int)]
    for place in ("information_gain", "gain_ratio", "gini"):
        for number in numbers_in(said[place]):
            whole = isinstance(number, int) and number != 0
            texts = [str(cell.published) for cell in cells(lecture).values()]
            assert any(str(number) in text for text in texts) if whole else number in shown


def test_what_the_lecture_says_in_words_is_so(lecture):
    found = cells(lecture)
    ratios = {
        label: cell.ours
        for (title, label), cell in found.items()
        if title.startswith("Gain ratio of every attribute") and label.startswith("GainRatio")
    }
    assert max(ratios, key=ratios.get) == "GainRatio(membership number)"
    assert max((r for r in ratios if "membership" not in r), key=ratios.get) == "GainRatio(age)"
    ginis = {label: c.ours for (title, label), c in found.items() if title.startswith("The best two-way")}
    assert ginis == pytest.approx(
        {
            "gini(age)": 0.357143,
            "gini(income)": 0.442857,
            "gini(student)": 0.367347,
            "gini(credit_rating)": 0.428571,
        },
        abs=1e-6,
    )
    assert found["Questions that the slides leave open", "H(4 balls, each 1 to 8)"].ours == pytest.approx(12)


def test_hart_comes_out_but_for_the_bin_that_was_typed_in(hart):
    found = cells(hart)
    wrong = [cell for cell in found.values() if cell.mark == "differs"]
    assert hart.counts()["differs"] == 2
    assert hart.errata() == 2
    assert all(cell.erratum for cell in wrong)
    assert hart.counts()["missing"] == hart.counts()["inside"] == 0
    stump = [cell for (title, _), cell in found.items() if title.startswith("The stump")]
    assert [cell.mark for cell in stump] == ["exact"] * 5
    assert sum(cell.digits == 7 for cell in stump) == 4


def test_harts_corrected_figures(hart):
    found = {k: c.ours for (t, k), c in cells(hart).items() if t.startswith("Gaussian")}
    binned = {k: c.ours for (t, k), c in cells(hart).items() if t.startswith("Binned")}
    assert binned["Jensen-Shannon divergence, corrected"] == pytest.approx(0.411324, abs=5e-7)
    assert binned["the same as the sum over the bins"] == pytest.approx(0.411324, abs=5e-7)
    assert binned["bin of the smallest JS_div, by the code"] == 18
    assert binned["bin of the smallest contribution between the means, corrected"] == 23
    assert binned["each bin is too low by p1 + p0"] == "below 1e-12"
    assert found["Jensen-Shannon divergence, corrected"] == pytest.approx(0.397987, abs=5e-7)
    assert found["smallest contribution between the means at"] == pytest.approx(8.625)
    assert found["cut of the largest divergence, Gaussian"] == pytest.approx(8.921, abs=5e-4)


def test_gain_is_a_jensen_shannon_divergence(hart):
    found = {label: c.ours for (t, label), c in cells(hart).items() if t.startswith("Largest differences")}
    assert [value for value in found.values() if isinstance(value, str)] == ["below 1e-12"] * 3
    assert found["equally weighted divergence and the gain itself"] > 0.1


def test_unbalanced_classes_move_the_cut_of_the_gain_alone(hart):
    table = next(b for b in hart.sections[-1].blocks if b.title == "Where the stump cuts")
    limits = np.array([[cell.ours for cell in row[1::2]] for row in table.cells])
    assert (np.diff(limits[:, :2], axis=0) < -0.01).all()  # gain with q = 1 and q = 2
    assert np.ptp(limits[:, 2:], axis=0) == pytest.approx([0, 0, 0], abs=1e-9)
    assert "the same cut in every repetition" in hart.sections[-1].words
    found = np.array([[cell.ours for cell in row[0::2]] for row in table.cells])
    errors = np.array([[cell.se for cell in row[0::2]] for row in table.cells])
    # Where both classes have many cases the samples agree with the limit.
    assert (np.abs(found - limits)[:3] < 5 * errors[:3]).all()


def test_one_share_depends_on_its_seed_alone():
    classes = {name: published("hart")[name] for name in ("class_0", "class_1")}
    unit = ("unbalanced", 0.2, 3)
    first = unbalanced.one_share(unit, classes, 5)
    assert first == unbalanced.one_share(unit, classes, 5)
    assert first != unbalanced.one_share(unit, classes, 6)
    assert first["gain, q = 1"] != first["gain, q = 2"]


def without_times(report, form):
    made = render(report, form)
    lines = [line for line in made.text.splitlines() if "Took" not in line and "imes:" not in line]
    if form == "json":
        content = json.loads(made.text)
        del content["seconds"]
        lines = [json.dumps(content)]
    return lines, made.files


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_apart_from_times(hart, tmp_path):
    again = reproduce("hart", quick=True, resume=tmp_path / "j.jsonl")
    taken_up = reproduce("hart", quick=True, resume=tmp_path / "j.jsonl")
    assert taken_up.seconds["units"] == again.seconds["units"]  # as measured when they were done
    for form in FORMATS:
        assert without_times(hart, form) == without_times(again, form)
    assert without_times(again, "json") == without_times(taken_up, "json")


def test_another_seed_gives_another_sample_and_the_same_published_values(hart):
    other = reproduce("hart", quick=True, seed=1)
    assert other.seed == 1
    assert other.sections[:3] == hart.sections[:3]  # R's own sample
    assert other.sections[4] != hart.sections[4]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"study": "lectur"}, "did you mean 'lecture'"),
        ({"study": "lecture", "seed": -1}, "seed=-1"),
        ({"study": "lecture", "seed": True}, "seed=True"),
        ({"study": "lecture", "jobs": 0}, "jobs=0"),
        ({"study": "lecture", "quick": "yes"}, "quick='yes'"),
        ({"study": "lecture", "fresh": 1}, "fresh=1"),
    ],
)
def test_bad_values_are_named(arguments, text):
    with pytest.raises(ValueError, match=text):
        reproduce(**arguments)


def test_a_journal_of_another_study_is_refused(tmp_path):
    reproduce("hart", quick=True, resume=tmp_path / "j.jsonl")
    with pytest.raises(JournalError, match="journal of the study 'hart', not of 'lecture'"):
        reproduce("lecture", resume=tmp_path / "j.jsonl")


def run(tmp_path, *arguments):
    return subprocess.run(
        [sys.executable, "-m", "ramify", "reproduce", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"RAMIFY_CACHE": str(tmp_path / "cache")},
        cwd=tmp_path,
    )


@pytest.mark.slow
def test_the_command_writes_files(tmp_path):
    done = run(tmp_path, "lecture", "--output", "r.md")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "wrote r.md\n")
    assert (tmp_path / "r.md").read_text().startswith("# lecture")


def test_the_command_writes_to_the_screen(tmp_path, monkeypatch):
    monkeypatch.setenv("RAMIFY_CACHE", str(tmp_path))
    done = CliRunner().invoke(app, ["reproduce", "lecture", "--format", "json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout)["reports"][0]["study"] == "lecture"
    done = CliRunner().invoke(app, ["reproduce", "lecture"])
    assert "21 exact, 2 differs" in done.stdout


@pytest.mark.parametrize("form", ["html", "markdown"])
def test_a_run_without_matplotlib_says_so_before_it_begins(tmp_path, monkeypatch, form):
    # By its module: `ramify.experiments.render` is the function of that name.
    figure = importlib.import_module("ramify.experiments.render.figure")
    monkeypatch.setattr(figure, "find_spec", lambda name: None)
    monkeypatch.setattr("ramify.cli.reproduce.run_study", None)  # it would be called in vain
    done = CliRunner().invoke(app, ["reproduce", "hart", "--format", form, "--output", str(tmp_path / "r")])
    assert done.exit_code == 1
    assert "need matplotlib: pip install" in done.stderr


def test_ctrl_c_says_how_to_go_on(tmp_path, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("ramify.cli.reproduce.run_study", interrupted)
    done = CliRunner().invoke(app, ["reproduce", "lecture", "--resume", str(tmp_path / "j.jsonl")])
    assert done.exit_code == 130
    assert "j.jsonl, and the same command goes on" in done.stderr


def test_a_journal_that_can_not_be_written_is_told_before_the_work(tmp_path, monkeypatch):
    # A file where a folder should be: nobody may write below it, not even the administrator.
    monkeypatch.setattr(unbalanced, "one_share", None)  # it would be called in vain
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("RAMIFY_CACHE", str(tmp_path / "file"))
    done = CliRunner().invoke(app, ["reproduce", "hart", "--quick", "--jobs", "1"])
    assert done.exit_code == 1
    assert "--resume: " in done.stderr
    assert "name another file" in done.stderr


@pytest.mark.slow
def test_all_in_one_page(tmp_path, monkeypatch):
    monkeypatch.setattr("ramify.cli.reproduce.list_studies", lambda: ("lecture", "hart"))
    command = ["reproduce", "all", "--quick", "--jobs", "1", "--resume", str(tmp_path / "state")]
    done = CliRunner().invoke(app, [*command, "--output", str(tmp_path / "all.html")])
    assert done.exit_code == 0
    page = (tmp_path / "all.html").read_text()
    assert all(f'<h2 id="{name}">' in page for name in ("lecture", "hart"))
    # The lecture takes no time, so it has nothing to keep.
    assert [path.name for path in (tmp_path / "state").iterdir()] == ["hart.jsonl"]
    done = CliRunner().invoke(app, [*command, "--output", str(tmp_path / "all.md")])
    lines = (tmp_path / "all.md").read_text().splitlines()
    assert lines[0] == "# The papers' numbers made again"
    assert [line for line in lines if line.startswith("# ")] == lines[:1]
    # The overview: how much of each section came out, and where to find it.
    assert "| lecture | [Information gain (ID3)](#lecture-2) | 11 |  | 2 |  |  |" in lines
    assert '<a id="lecture-2"></a>' in lines


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["lectur"], 2, "did you mean 'lecture'"),
        (["lecture", "--format", "pdf"], 2, "--format pdf"),
        (["lecture", "--format", "markdown"], 2, "needs --output"),
        (["lecture", "--output", "no/such/r.html"], 1, "there is no folder"),
        (["lecture", "--output", "."], 2, "is a folder; give the name of a file"),
        (["hart", "--quick", "--resume", "data.csv/j.jsonl"], 1, "data.csv/j.jsonl can't be read"),
        (["lecture", "--resume", "data.csv"], 1, "no journal of ramify"),
    ],
)
def test_errors_are_one_line(tmp_path, monkeypatch, arguments, code, text):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RAMIFY_CACHE", str(tmp_path))
    (tmp_path / "data.csv").write_text("a,b\n1,2\n")
    done = CliRunner().invoke(app, ["reproduce", *arguments])
    assert done.exit_code == code
    assert text in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
