"""The examples in docstrings run, and what the README says is so."""

import doctest
import importlib
import importlib.util
import os
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ramify
from ramify.experiments import list_studies, render, reproduce

MODULES = ["ramify"] + [
    info.name
    for info in pkgutil.walk_packages(ramify.__path__, "ramify.")
    if not info.name.endswith(("_core", "__main__"))
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name):
    module = importlib.import_module(name)
    result = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert result.failed == 0


@pytest.mark.parametrize(
    ("page", "least"),
    [
        ("docs/q.md", 6),
        ("docs/compare.md", 6),
        ("docs/explain.md", 15),
        ("docs/explorer.md", 8),
        ("docs/export.md", 8),
        ("docs/model-format.md", 8),
        ("docs/scale.md", 8),
        ("README.md", 5),
    ],
)
def test_the_examples_of_a_page_run(page, least):
    text = (Path(__file__).parents[1] / page).read_text(encoding="utf-8").replace("```", "\n")
    test = doctest.DocTestParser().get_doctest(text, {}, page, None, None)
    assert len(test.examples) >= least
    assert (
        doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE).run(test).failed == 0
    )


def test_every_public_name_is_documented():
    for name in ramify.__all__:
        if name != "__version__":
            assert getattr(ramify, name).__doc__, name


def test_every_measure_has_a_running_example():
    finder = doctest.DocTestFinder()
    for info in ramify.list_criteria():
        function = getattr(ramify.measures, info.name)
        examples = [test for test in finder.find(function, info.name) if test.examples]
        assert examples
        for test in examples:
            assert doctest.DocTestRunner(verbose=False).run(test).failed == 0


def test_the_pictures_of_a_page_are_those_that_its_script_draws(tmp_path):
    """Their names, and that they are small; what is in them depends a little on the version of matplotlib."""
    script = docs_script("explain")
    drawn = {file.name for file in script.draw(tmp_path)}
    text = script.FOLDER.with_name("explain.md").read_text(encoding="utf-8")
    assert {file.name for file in script.FOLDER.iterdir()} == drawn
    assert all(f"](explain_files/{name})" in text for name in drawn)
    assert all(file.stat().st_size < 150_000 for file in script.FOLDER.iterdir())


def docs_script(name):
    """The script beside a page, as a module."""
    path = Path(__file__).parents[1] / "docs" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"docs_{name}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["criteria", "datasets"])
def test_the_table_of_a_page_is_the_registrys(name):
    module = docs_script(name)
    assert module.PAGE.read_text(encoding="utf-8") == module.page()


def test_the_readme_has_the_criteria_of_the_registry():
    module = docs_script("criteria")
    assert module.README.read_text(encoding="utf-8") == module.readme()


def test_the_page_of_the_command_line_is_what_its_commands_print():
    def untimed(text):
        return [line for line in text.splitlines() if not line.startswith("time  ")]

    module = docs_script("cli")
    printed = untimed(module.page())
    assert sum(line.startswith("$ ramify") for line in printed) == 8
    assert untimed(module.PAGE.read_text(encoding="utf-8")) == printed


def test_the_tree_of_the_readme_is_what_its_command_prints():
    readme = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
    shown = readme.split("```text\n")[1].split("```")[0]
    command = [sys.executable, "-m", "ramify", "fit", "titanic", "--max-depth", "2"]
    settings = os.environ | {"PYTHONIOENCODING": "utf-8", "COLUMNS": "200", "NO_COLOR": "1"}
    printed = subprocess.run(command, capture_output=True, encoding="utf-8", check=True, env=settings).stdout
    assert shown.split() == printed.partition("\ntime ")[0].split()


@pytest.mark.slow
@pytest.mark.skipif("RAMIFY_LONG" not in os.environ, reason="takes minutes; RAMIFY_LONG=1 runs it")
def test_the_comparison_in_the_docs_is_what_its_command_gives():
    def numbers(text):
        return [line for line in text.splitlines() if not line.startswith("Made by")]  # versions

    docs_compare = docs_script("compare")
    found, pictures = docs_compare.report()
    assert len(pictures) == 2
    assert numbers(docs_compare.PAGE.read_text(encoding="utf-8")) == numbers(docs_compare.page(found))


def test_the_page_of_the_papers_is_made_by_its_command():
    """Of every study, by the full run; the lecture, which takes no time, is checked line by line."""
    page = Path(__file__).parents[1] / "docs" / "replication.md"
    text = page.read_text(encoding="utf-8")
    lines = text.splitlines()
    for name in list_studies():
        (made,) = [line for line in lines if line.startswith(f"Made by `ramify reproduce {name}`")]
        assert "quick False" in made
        assert "seed 0" in made
    assert not re.search(r"[0-9] missing \|", text)  # nothing was left out for want of data
    pictures = re.findall(r"!\[[^]]*\]\(([^)]+)\)", text)
    assert len(pictures) == len(set(pictures)) > 8
    folder = page.with_name("replication_files")
    assert {path.name for path in folder.iterdir()} == {Path(name).name for name in pictures}
    lecture = reproduce("lecture")
    wanted = render([lecture, lecture], "markdown", stem="replication").text.split("## lecture")[1]
    for line in wanted.splitlines():
        assert line in text or line.startswith("Made by")  # versions and times
