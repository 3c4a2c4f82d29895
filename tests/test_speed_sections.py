"""The speed sections of the README: each is written from its own suites, the others stay as they are."""

import importlib
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MACHINE = {"cpu": "Zuse(R) Z3 Processor", "cores": 2, "versions": {"scikit-learn": "1.2.3"}}
LIMITS = ("depth 10", "whole tree")


@pytest.fixture
def readme(monkeypatch, tmp_path):
    """The module, with a README of its own to write to."""
    monkeypatch.syspath_prepend(str(ROOT))
    module = importlib.import_module("benchmarks.readme")
    monkeypatch.setattr(module, "README", tmp_path / "README.md")
    module.README.write_text((ROOT / "README.md").read_text(encoding="utf-8"), encoding="utf-8")
    return module


def write(readme, monkeypatch, *files):
    monkeypatch.setattr(sys, "argv", ["readme", *map(str, files)])
    readme.main()
    return readme.README.read_text(encoding="utf-8")


def measured(family, threads, seconds, against=None, times=1.0, memory=None):
    references = [{"reference": against, "median": times, "memory": memory}] if against else []
    contender = {"family": family, "threads": threads}
    return {"contender": contender, "median": seconds, "times_as_fast": references}


def path_record(folder, names, machine=MACHINE):
    cross = {"family": "SklearnCrossVal", "threads": 1}
    cross_by_two = {"family": "SklearnCrossVal", "threads": 2}
    cases = []
    for name in names:
        path = measured("RamifyPath", 2, 0.125, cross, 345.6)
        path["times_as_fast"] += measured("RamifyPath", 2, 0.125, cross_by_two, 210.9)["times_as_fast"]
        cases.append({"label": f"path: {name}, 1 x 1", "measurements": [path]})
    for limit in LIMITS:
        label = f"100,000 x 20 float32, 5 classes; {limit}, min leaf 5"
        pairs = [
            measured("RamifyTrees", n, 3.0 / n, {"family": "RamifyOneByOne", "threads": n}, 1.5 + n)
            for n in (1, 2)
        ]
        cases.append({"label": f"path: {label}", "measurements": pairs})
        for n in (1, 2):
            trees = measured("RamifyTrees", n, 3.0, {"family": "RamifyFit", "threads": n}, 1.0, 1.75 + n)
            cases.append({"label": f"memory: {label}", "measurements": [trees]})
    totals = [
        {"contender": {"family": "RamifyPath", "threads": 2}, "seconds": 40.0},
        {"contender": cross, "seconds": 500.0},
    ]
    record = {"machine": machine, "suites": [{"name": "path", "cases": cases, "totals": totals}]}
    file = folder / "path.json"
    file.write_text(json.dumps(record), encoding="utf-8")
    return file


def parts(readme, text):
    """The sections by their names, and the rest."""
    found = {}
    for section in readme.SECTIONS:
        begin, end = section.marks
        before, _, rest = text.partition(begin)
        found[section.name], _, after = rest.partition(end)
        text = before + after
    return found | {"rest": text}


def test_a_section_whose_suites_are_there_is_written_and_nothing_else(readme, monkeypatch, tmp_path, capsys):
    before = parts(readme, readme.README.read_text(encoding="utf-8"))
    after = parts(readme, write(readme, monkeypatch, path_record(tmp_path, readme.SHAPES)))
    assert after["rest"] == before["rest"]
    assert after["fits"] == before["fits"] and len(before["fits"]) > 500
    for text in (
        "| glass, 10,000 trees, 2 threads | 125 ms | `cross_val_score` of scikit-learn on 1 thread, one q "
        "measured (in brackets: on 2) | 346 (211) |",
        "| 40 s | the same on 1 thread, one q and one repeat measured | 12.5 |",
        "| 100,000 rows, whole trees, no folds, 2 threads | 1.5 s | single fits of ramify | 3.5 |",
        "takes 2.8 times the memory",
        "3.8 and 3.8 times by two",
        "2 cores of a Zuse Z3; scikit-learn 1.2.3.",
    ):
        assert text in after["paths"]
    told = capsys.readouterr().out
    assert "written: speed of paths" in told
    assert "left alone: speed of fits (not in the files: headline, q, small, predict, weka, missing)" in told


def test_data_that_were_made_are_not_told_as_the_data_sets(readme, monkeypatch, tmp_path):
    made = path_record(tmp_path, [f"{name}-like (made)" for name in readme.SHAPES])
    before = readme.README.read_text(encoding="utf-8")
    with pytest.raises(SystemExit, match=r"no case with the data set yeast; nothing was written"):
        write(readme, monkeypatch, made)
    assert readme.README.read_text(encoding="utf-8") == before


def test_suites_of_two_machines_make_no_section(readme, monkeypatch, tmp_path):
    file = path_record(tmp_path, readme.SHAPES)
    other = tmp_path / "other.json"
    machine = MACHINE | {"cores": 4}
    other.write_text(
        json.dumps({"machine": machine, "suites": [{"name": "q", "cases": []}]}), encoding="utf-8"
    )
    both = readme.Section("paths", ("path", "q"), {"scikit-learn": "scikit-learn"}, readme.paths)
    monkeypatch.setattr(readme, "SECTIONS", (both,))
    with pytest.raises(SystemExit, match="different machines or versions"):
        write(readme, monkeypatch, file, other)
