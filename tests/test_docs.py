"""The examples in docstrings run, and what the README says is so."""

import doctest
import importlib
import importlib.util
import pkgutil
from pathlib import Path

import pytest

import ramify

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
    ("page", "least"), [("docs/q.md", 6), ("docs/compare.md", 6), ("docs/scale.md", 8), ("README.md", 5)]
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


@pytest.mark.slow
def test_the_comparison_in_the_docs_is_what_its_command_gives():
    def numbers(text):
        return [line for line in text.splitlines() if not line.startswith("Made by")]  # versions

    docs_compare = docs_script("compare")
    found, pictures = docs_compare.report()
    assert len(pictures) == 2
    assert numbers(docs_compare.PAGE.read_text(encoding="utf-8")) == numbers(docs_compare.page(found))
