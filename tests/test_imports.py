"""Importing the package imports none of the libraries that it can do without."""

import json
import subprocess
import sys

import pytest

EXTRAS = (
    "pandas",
    "polars",
    "pyarrow",
    "matplotlib",
    "typer",
    "rich",
    "scipy.stats",
    "scikit_posthocs",
    "sqlglot",
    "datasketches",
)
#: scikit-learn itself imports scipy.stats, and pandas (which imports Arrow) where it is installed.
REQUIREMENTS = (
    "import numpy, narwhals.stable.v2, joblib, sklearn.base, sklearn.utils, sklearn.utils.multiclass"
)


def run(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def imported_by(statement):
    names = run(f"import json, sys\n{statement}\nprint(json.dumps(sorted(sys.modules)))")
    return set(EXTRAS) & set(names)


@pytest.mark.slow
def test_no_extra_is_imported_that_the_requirements_do_not_import():
    assert imported_by("import ramify") == imported_by(REQUIREMENTS)


@pytest.mark.slow
def test_experiments_are_not_imported_and_import_no_extra():
    names = run("import json, sys, ramify\nprint(json.dumps(sorted(sys.modules)))")
    assert "ramify.experiments" not in names
    assert imported_by("import ramify.experiments") == imported_by(REQUIREMENTS)


def test_no_extra_is_needed():
    # None in sys.modules makes every import of the name fail; scikit-learn can't do without scipy.stats.
    blocked = [name for name in EXTRAS if name != "scipy.stats"]
    answer = run(
        "import json, sys\n"
        f"sys.modules.update(dict.fromkeys({blocked!r}))\n"
        "import ramify\n"
        "model = ramify.TreeClassifier().fit([[1.0], [2.0], [3.0]], ['x', 'x', 'y'])\n"
        "print(json.dumps(model.predict([[1.0], [9.0]]).tolist()))"
    )
    assert answer == ["x", "y"]


@pytest.mark.slow
def test_fitting_a_frame_of_one_library_imports_no_other():
    code = "import ramify, polars\nramify.TreeClassifier().fit(polars.DataFrame({'a': [1, 2]}), [0, 1])"
    assert imported_by(code) == imported_by(REQUIREMENTS) | {"polars"}
