"""The command line, as a user runs it: fit, show, explain, qpath and the lists."""

import io
import json
import random
import re

import polars as pl
import pytest
from rich.cells import cell_len
from rich.console import Console

from cli_runs import invoke, run
from explorer_pages import data_of
from people import as_frame, as_text
from ramify import TreeClassifier, datasets, export_text, list_criteria, load_model, rules
from ramify.cli.tree_view import print_tree
from ramify.tables.training import read_training

COMMANDS = ("fit", "show", "explain", "predict", "qpath", "compare", "reproduce", "criteria", "datasets")


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(as_text(), encoding="utf-8")
    return path


@pytest.fixture
def model(csv, tmp_path):
    path = tmp_path / "model.json"
    invoke("fit", csv, "--cv", 0, "--save", path)
    return path


def test_fit_a_named_data_set():
    out = run("fit", "titanic").stdout
    assert "titanic: 2,201 rows, 3 columns to learn from, target class\n" in out
    assert "nominal  status (4), age (2), sex (2)" in out
    assert "├─ sex = female                        ███▒▒▒▒▒▒▒▒▒    470    yes 73%" in out
    assert "... 2 nodes below" in out
    assert "78.9% ± 0.5% on rows not seen (10-fold cross-validation); 79.1% on the rows" in out
    assert "67.7% by always saying no" in out
    assert "25 nodes, 13 leaves, depth 5" in out
    assert "asking about sex first leaves 493 wrong instead of 711. Second came" in out
    assert "telling   sex 70%, status 27%, age 3%" in out


def test_fit_a_file_and_save_the_model(csv, tmp_path):
    out = invoke(
        *("fit", csv, "--criterion", "gain_ratio", "--q", 1.5, "--min-samples-leaf", 2, "--prune", "merge"),
        *("--missing", "best_branch", "--max-depth", 3, "--branching", "multiway", "--balanced"),
        *("--save", tmp_path / "m.json"),
    ).stdout
    assert "target kauf (the last column; --target names another)" in out
    assert "numeric  größe" in out and "nominal  farbe (3)" in out
    found = load_model(tmp_path / "m.json")
    table = read_training(str(csv))
    wanted = TreeClassifier(
        **{"criterion": "gain_ratio", "q": 1.5, "min_samples_leaf": 2, "pruning": "merge"},
        **{"missing": "best_branch", "max_depth": 3, "branching": "multiway", "class_weight": "balanced"},
    ).fit(table.X, table.y)
    assert export_text(found) == export_text(wanted)
    for name in ("criterion", "q", "min_samples_leaf", "pruning", "missing", "class_weight"):
        assert getattr(found, name) == getattr(wanted, name)


def test_all_forms_of_a_file_give_one_model(tmp_path):
    as_frame().write_parquet(tmp_path / "a.parquet")
    (tmp_path / "b.csv").write_bytes(as_text(";", ",").encode("utf-16"))
    trees = []
    for name in ("a.parquet", "b.csv"):
        invoke("fit", tmp_path / name, "--save", tmp_path / "m.json")
        trees.append(json.loads((tmp_path / "m.json").read_text())["tree"])
    assert trees[0] == trees[1]


def test_presets(csv, tmp_path):
    for preset, name, value in (("c45", "dialect", "c45"), ("cart", "ccp_alpha", "cv"), ("id3", "q", 1.0)):
        invoke("fit", csv, "--preset", preset, "--cv", 0, "--save", tmp_path / "m.json")
        assert getattr(load_model(tmp_path / "m.json"), name) == value
    invoke("fit", csv, "--preset", "c45", "--criterion", "gini", "--cv", 0, "--save", tmp_path / "m.json")
    assert load_model(tmp_path / "m.json").criterion == "gini"


def test_q_is_chosen_and_its_accuracy_is_honest(tmp_path):
    out = invoke("fit", "iris", "--q", "auto", "--cv", 3, "--save", tmp_path / "m.json").stdout
    assert "was the most accurate of 0.5, 1, 1.5, 2, 2.5, 3, 4, 6, 8" in out
    assert "(3-fold cross-validation)" in out
    assert f"{load_model(tmp_path / 'm.json').q:g} was the most" in out
    assert "not seen" not in invoke("fit", "iris", "--q", "auto", "--cv", 0).stdout


def test_a_tree_that_is_no_better_says_so(tmp_path):
    noise = "\n".join(f"{i * 37 % 11},{'ab'[(i * i + i // 3) % 2]}" for i in range(60))
    (tmp_path / "noise.csv").write_text(f"x,y\n{noise}\n")
    assert "the tree is not clearly better than that" in invoke("fit", tmp_path / "noise.csv").stdout
    rng = random.Random(0)
    rare = "\n".join(f"{rng.random()},{'aaaab'[rng.randrange(5)]}" for _ in range(300))
    (tmp_path / "rare.csv").write_text(f"x,y\n{rare}\n")
    assert "the tree does worse, --prune" in invoke("fit", tmp_path / "rare.csv").stdout


def test_trees_that_tell_nothing_say_so(tmp_path):
    same = "\n".join(f"{i % 3},{i // 30}" for i in range(60))
    (tmp_path / "same.csv").write_text(f"x,y\n{same}\n")
    out = invoke("fit", tmp_path / "same.csv").stdout
    assert "5 nodes, 3 leaves" in out and "no column; no question tells the classes apart" in out
    (tmp_path / "one.csv").write_text("x,y\n" + "\n".join(f"{i % 3},a" for i in range(60)))
    out = invoke("fit", tmp_path / "one.csv").stdout
    assert "1 node, 1 leaf, depth 0" in out and "no column; the tree is a single leaf" in out


def test_pages(csv, tmp_path):
    page = tmp_path / "tree.html"
    assert "to be opened in a browser" in invoke("fit", csv, "--html", page).stdout
    plain = page.read_text(encoding="utf-8")
    invoke("fit", csv, "--html", page, "--with-rows")
    assert plain.startswith("<!doctype html>") and len(page.read_text(encoding="utf-8")) > len(plain)


def test_show(model, tmp_path):
    tree = load_model(model)
    assert invoke("show", model, "--format", "text").stdout == export_text(tree) + "\n"
    assert invoke("show", model, "--format", "rules").stdout == rules(tree).text + "\n"
    assert invoke("show", model, "--format", "dot").stdout.startswith("digraph")
    assert invoke("show", model, "--format", "mermaid").stdout.startswith("flowchart")
    assert '"größe"' in invoke("show", model, "--format", "sql", "--dialect", "duckdb").stdout
    assert json.loads(invoke("show", model, "--format", "json").stdout)["classes"]
    assert "→ ja 100%" in invoke("show", model).stdout
    invoke("show", model, "-o", tmp_path / "tree.html")
    assert (tmp_path / "tree.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    invoke("show", model, "-o", tmp_path / "tree.mmd")
    assert (tmp_path / "tree.mmd").read_text(encoding="utf-8").startswith("flowchart")


def test_explain(model, csv):
    out = invoke("explain", model, csv, "--row", 2, "--row", 60).stdout
    assert out.startswith("Row 2 of people.csv\nThere are 60 training rows")
    assert "Row 60 of people.csv" in out
    answers = [line.split()[4] for line in out.splitlines() if line.startswith("So the answer is")]
    table = read_training(str(csv))
    assert answers == [table.y[1], table.y[59]]
    assert "It would be" in out


def test_explain_names_the_row_that_is_wrong(tmp_path):
    rows = [f"{i / 3},{i // 30}" for i in range(60)]
    (tmp_path / "good.csv").write_text("\n".join(["x,y", *rows]))
    invoke("fit", tmp_path / "good.csv", "--save", tmp_path / "m.json")
    (tmp_path / "bad.csv").write_text("\n".join(["x,y", *rows[:40], "oops,1"]))
    said = invoke(
        "explain", tmp_path / "m.json", tmp_path / "bad.csv", "--row", 3, "--row", 41, code=1
    ).stderr
    assert "has 'oops' in row 41;" in said


def test_qpath(csv, tmp_path):
    page, best, picture = tmp_path / "q.html", tmp_path / "best.json", tmp_path / "q.png"
    out = invoke(
        *("qpath", csv, "--q", "0.5,1,2", "--repeats", 1, "--cv", 3, "--nested", "--select", "one_se"),
        *("--save", best, "--html", page, "--plot", picture, "--resume", tmp_path / "run"),
    ).stdout
    assert "3 q from 0.5 to 2" in out and "(nested)" in out and "--nested" not in out
    assert load_model(best).q in (0.5, 1.0, 2.0)
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    shown = data_of(page.read_text(encoding="utf-8"))["path"]
    assert shown["qs"][shown["start"]] == load_model(best).q
    assert (tmp_path / "run").exists()


def test_qpath_says_once_what_all_orders_have(csv):
    out = invoke("qpath", csv, "--q", "0.5,1,2", "--repeats", 1, "--cv", 2, "--max-depth", 1).stdout
    assert re.search(r"^nodes +▁▁▁  3.0 for all$", out, re.MULTILINE)


def shops(path, values):
    """Write 300 rows with a column of so many different values, none of which says anything."""
    rng = random.Random(3)
    lines = [f"s{i % values},{rng.random():.3f},{rng.choice('ab')}" for i in range(300)]
    path.write_text("\n".join(["shop,size,class", *lines]) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(("values", "warned"), [(30, False), (49, False), (50, True), (120, True)])
def test_a_column_with_few_rows_of_each_value_is_named(values, warned, tmp_path):
    file = shops(tmp_path / "shops.csv", values)
    told = f"shop ({values} values in 300 rows) has few rows of each value"
    fitted = invoke("fit", file, "--cv", 0).stdout
    assert (
        f"warning  {told}: what a tree learns from that may hold for these rows only; --ignore" in fitted
    ) == warned
    assert "warning" not in invoke("fit", file, "--cv", 0, "--ignore", "shop").stdout
    plan = ("--folds", 2, "--repeats", 1, "--jobs", 1, "--resume", tmp_path / "run")
    compared = invoke("compare", f"{file}:class", "--max-depth", 2, *plan)
    assert (f"note: {file}: {told}" in compared.stderr) == warned


def test_criteria_lists_the_registry():
    out = invoke("criteria").stdout
    assert all(info.name in out for info in list_criteria())


def test_datasets_lists_the_data_sets():
    out = invoke("datasets").stdout
    assert all(name in out for name in datasets.list_datasets())


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["fit", "no-such.csv", "--target", "x"], 1, "no-such.csv"),
        (["fit", "titanik"], 1, "titanic"),
        (["fit", "{csv}", "--target", "kaufen"], 1, "did you mean 'kauf'?"),
        (["fit", "{csv}", "--nominal", "x"], 1, "--nominal"),
        (["fit", "titanic", "--q", "-1"], 2, "q=-1"),
        (["fit", "titanic", "--q", "car"], 2, "auto"),
        (["fit", "titanic", "--q", "auto", "--criterion", "twoing"], 2, "twoing"),
        (["fit", "titanic", "--criterion", "gini", "--q", "1"], 2, "q=1"),
        (["fit", "titanic", "--criterion", "giny"], 2, "gini"),
        (["fit", "titanic", "--prune", "yes"], 2, "pruning='yes'"),
        (["fit", "titanic", "--missing", "yes"], 2, "missing='yes'"),
        (["fit", "titanic", "--preset", "c5"], 2, "c45"),
        (["fit", "titanic", "--cv", "1"], 2, "--cv 1"),
        (["fit", "titanic", "--max-depth", "0"], 2, "max_depth=0"),
        (["fit", "titanic", "--max-depth", "x"], 2, "max-depth"),
        (["fit", "titanic", "--ccp-alpha", "x", "--prune", "cost_complexity"], 2, "ccp_alpha"),
        (["fit", "titanic", "--separator", "::"], 2, "--separator"),
        (["fit", "titanic", "--colour"], 2, "colour"),
        (["fit", "titanic", "--with-rows"], 2, "--html"),
        (["fit"], 2, "ramify fit --help"),
        (["fitt"], 2, "fit"),
        (["fit", "titanic", "--save", "/no/such/folder/m.json"], 1, "folder"),
        (["fit", "titanic", "--html", "."], 2, "folder"),
        (["show", "{csv}"], 1, "people.csv"),
        (["show", "nothing.json"], 1, "there is no model nothing.json"),
        (["predict", ".", "{csv}"], 1, "the model . can't be read"),
        (["show", "{model}", "--format", "pdf"], 2, "mermaid"),
        (["show", "{model}", "--format", "sql", "--depth", "2"], 2, "--depth"),
        (["show", "{model}", "--format", "sql", "--dialect", "x"], 2, "dialect"),
        (["show", "{model}", "--depth", "-1"], 2, "--depth"),
        (["show", "{model}", "-o", "{model}"], 2, "MODEL and --output are both"),
        (["fit", "titanic", "--show-depth", "-1"], 2, "--show-depth"),
        (["fit", "titanic", "--save", "x", "--html", "./x"], 2, "--save and --html are both x"),
        (["fit", "{csv}", "--save", "{csv}"], 2, "DATA and --save are both"),
        (["qpath", "iris", "--save", "x", "--resume", "x"], 2, "--save and --resume are both x"),
        (["explain", "{model}", "{csv}", "--row", "0"], 2, "the first row is 1"),
        (["explain", "{model}", "{csv}", "--row", "61"], 1, "has 60 rows"),
        (["explain", "{model}", "titanic"], 1, "größe, farbe"),
        (["qpath", "iris", "--q", "1,x"], 2, "--q 1,x"),
        (["qpath", "iris", "--q", "1,1"], 2, "--q 1,1 has 1 more than once; it must be different numbers"),
        (["qpath", "iris", "--q", "1,,2"], 2, "--q 1,,2 is not accepted"),
        (["qpath", "iris", "--q", "-1"], 2, "--q -1 has -1.0; it must be different numbers >= 0"),
        (["qpath", "iris", "--repeats", "0"], 2, "--repeats"),
        (["qpath", "iris", "--seed", "-1"], 2, "--seed"),
        (["qpath", "iris", "--criterion", "twoing"], 2, "twoing"),
        (["qpath", "iris", "--select", "best"], 2, "one_se"),
        (["qpath", "iris", "--plot", "q.gif"], 2, ".png"),
        (["datasets", "--download", "titanik"], 1, "titanic"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_errors_are_one_line(arguments, code, text, csv, model, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = invoke(*(a.format(csv=csv, model=model) for a in arguments), code=code)
    assert text in done.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_has_help_with_examples(name):
    out = invoke(name, "--help").stdout
    assert "Examples" in out and f"ramify {name}" in out.split("Examples")[1]


def test_help_and_version():
    out = invoke("--help").stdout
    assert all(name in out for name in COMMANDS)
    assert invoke("--version").stdout.startswith("ramify ")


@pytest.fixture(scope="module")
def long_names():
    table = pl.DataFrame(
        {
            "a column with a very long name that goes on and on": ["ä" * 30 + str(i % 7) for i in range(84)],
            "x": [i % 13 / 7 for i in range(84)],
        }
    )
    return TreeClassifier().fit(table, [f"a long class {i * i % 5}" for i in range(84)])


@pytest.mark.parametrize("width", [24, 40, 80, 120])
@pytest.mark.parametrize("colours", ["truecolor", None])
def test_a_tree_fits_its_terminal(width, colours, long_names):
    iris = datasets.load("iris", backend="polars")
    for model in (TreeClassifier().fit(iris.X, iris.y), long_names):
        screen = io.StringIO()
        print_tree(model, Console(file=screen, width=width, force_terminal=True, color_system=colours), 3)
        lines = re.sub(r"\x1b\[[0-9;]*m", "", screen.getvalue()).splitlines()
        assert len(lines) > 5
        assert max(cell_len(line) for line in lines) <= width


def test_a_bar_without_colours_has_shades(monkeypatch):
    iris = datasets.load("iris", backend="polars")
    model = TreeClassifier(max_depth=1).fit(iris.X, iris.y)
    monkeypatch.setenv("NO_COLOR", "1")
    screen = io.StringIO()
    print_tree(model, Console(file=screen, width=80, force_terminal=True), None)
    assert "████▒▒▒▒░░░░" in screen.getvalue()


def test_control_characters_are_not_obeyed(tmp_path):
    rows = "\n".join(f'"\x1b[31mred{i % 2}\nline",c{i % 2}\x07' for i in range(20))
    (tmp_path / "evil.csv").write_text(f"a\x1b[2J,y\x07\n{rows}\n")
    invoke("fit", tmp_path / "evil.csv", "--save", tmp_path / "m.json")
    for arguments in (
        ["fit", tmp_path / "evil.csv"],
        ["show", tmp_path / "m.json"],
        *(
            ["show", tmp_path / "m.json", "--format", form]
            for form in ("text", "rules", "dot", "mermaid", "json")
        ),
        ["explain", tmp_path / "m.json", tmp_path / "evil.csv"],
    ):
        out = invoke(*arguments).stdout
        assert "\x1b" not in out and "\x07" not in out
    said = invoke("fit", tmp_path / "evil.csv", "--target", "a", code=1).stderr
    assert "\x1b" not in said and "it has a\\x1b[2J, y" in said
