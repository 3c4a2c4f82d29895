"""Write the speed section of the README from recorded runs: ``python -m benchmarks.readme FILE...``.

A suite that is in several files is taken from the last. No figure of that section is typed by hand.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

from .tables import duration

README = Path(__file__).parent.parent / "README.md"
BEGIN, END = "<!-- speed: written by python -m benchmarks.readme -->", "<!-- end of speed -->"

Suites = dict[str, list[dict[str, Any]]]


class Record:
    """The cases of all suites, and what can be asked of them."""

    def __init__(self, files: list[str]) -> None:
        self.suites: Suites = {}
        self.totals: dict[str, list[dict[str, Any]]] = {}
        self.machines: list[dict[str, Any]] = []
        for file in files:
            document = json.loads(Path(file).read_text(encoding="utf-8"))
            self.machines.append(document["machine"])
            self.suites |= {suite["name"]: suite["cases"] for suite in document["suites"]}
            self.totals |= {suite["name"]: suite.get("totals", []) for suite in document["suites"]}

    def ratio(self, suite: str, label: str, who: dict[str, Any], against: dict[str, Any]) -> str:
        """How many times as fast one contender is as another in the case whose label holds a text."""
        return f"{self.compared(suite, label, who, against)['median']:.3g}"

    def compared(
        self, suite: str, label: str, who: dict[str, Any], against: dict[str, Any]
    ) -> dict[str, Any]:
        """All that is recorded of one contender beside another."""
        for measured in self.measured(suite, label, who):
            for compared in measured["times_as_fast"]:
                if against.items() <= compared["reference"].items():
                    found: dict[str, Any] = compared
                    return found
        raise LookupError(f"{suite}: no {who} against {against} in a case {label!r}")

    def measured(self, suite: str, label: str, who: dict[str, Any]) -> list[dict[str, Any]]:
        """The measurements of a contender in the cases whose labels hold a text."""
        cases = [case for case in self.suites[suite] if label in case["label"]]
        return [m for case in cases for m in case["measurements"] if who.items() <= m["contender"].items()]

    def median(self, suite: str, label: str, who: dict[str, Any]) -> float:
        """The median seconds of a contender in the first such case."""
        return float(self.measured(suite, label, who)[0]["median"])

    def total(self, suite: str, who: dict[str, Any]) -> float:
        """The sum of a contender's medians over the cases of a suite that belong together."""
        found = [t["seconds"] for t in self.totals[suite] if who.items() <= t["contender"].items()]
        return float(found[0])


def ramify(threads: int, **settings: Any) -> dict[str, Any]:
    """The library itself among the contenders."""
    return {"family": "Ramify", "threads": threads} | settings


def section(record: Record) -> str:
    """Return the text of the section."""
    sklearn, ydf = {"family": "Sklearn"}, {"family": "Ydf"}
    rows = []
    for name, label in (
        ("100,000 rows, whole tree", "100,000 x 20 float32, 5 classes; whole tree"),
        ("1,000,000 rows, whole tree", "1,000,000 x 20 float32, 5 classes; whole tree"),
        ("100,000 rows, depth 10", "100,000 x 20 float32, 5 classes; depth 10"),
    ):
        figures = [
            record.ratio("headline", label, ramify(threads), against)
            for threads, against in ((1, sklearn), (2, sklearn), (2, ydf))
        ]
        rows.append(f"| {name} | {' | '.join(figures)} |")
    booster = record.ratio("headline", "depth 10", ramify(2), {"family": "LightGBM"})
    orders = [0.5, 1.0, 1.7, 2.0, 3.3, 7.0]
    by_order = [record.ratio("q", "whole tree", ramify(1, q=q), sklearn) for q in orders]
    small = [record.ratio("small", f"{act}: iris", ramify(1), sklearn) for act in ("fit", "predict")]
    predict = record.ratio("predict", "predict", ramify(1), sklearn)
    j48 = [
        record.ratio("weka", f"{rows} x", {"family": "RamifyC45", "threads": 1}, {"family": "J48"})
        for rows in ("50,000", "200,000")
    ]
    gaps = {
        way: 1 / float(record.ratio("missing", "whole tree", _gaps(way), ramify(1, q=2.0)))
        for way in ("best_branch", "own_branch", "fractional")
    }
    orders_text = ", ".join(f"{q:g}" for q in orders)
    texts = [
        f"- At depth 10 and 100,000 rows it is {booster} times as fast as one round of LightGBM (five "
        "trees, 2 threads).",
        f"- Any order costs about the same: at 100,000 rows on one thread {', '.join(by_order)} times "
        f"as fast as scikit-learn's Gini for q = {orders_text} (the last with the deepest tree).",
        f"- On iris fit is {small[0]} and predict {small[1]} times as fast, and on 1,000,000 rows "
        f"prediction {predict} times.",
        f"- `c45()` on one thread is {j48[0]} times as fast as Weka's J48 at 50,000 rows with nominal "
        f"columns and missing values, and {j48[1]} times at 200,000; its start-up and reading are left out.",
        f"- With 5% of all cells missing a fit at q = 2 takes {gaps['best_branch']:.2g} times as long for "
        f"`best_branch`, {gaps['own_branch']:.2g} for `own_branch` and {gaps['fractional']:.2g} for "
        "`fractional`.",
        _path_memory(record),
    ]
    head = "Whole fits from Python, 20 float32 columns, 5 classes, a minimum leaf of 5; times as fast as:"
    table = [
        "| | scikit-learn, ramify on 1 thread | scikit-learn, ramify on 2 | YDF CART, both on 2 |",
        "|---|---|---|---|",
        *rows,
    ]
    orders_head = (
        "Every order of a grid, by `q_path`: under 10 times 10 folds (nominal columns by subsets, which "
        "scikit-learn has as numbers), and grown on all rows alone; a minimum leaf of 5:"
    )
    tables = [head, "", *table, "", _wrapped(orders_head), "", *_path_rows(record)]
    return "\n".join([*tables, "", *map(_wrapped, texts), "", _wrapped(_machine(record))])


def _path_rows(record: Record) -> list[str]:
    """Return the table of what trying every q costs."""
    path, cross = {"family": "RamifyPath", "threads": 2}, {"family": "SklearnCrossVal", "threads": 1}
    glass, total = record.median("path", "path: glass", path), record.total("path", path)
    rows = [
        f"| glass, 10,000 trees, 2 threads | {duration(glass)} | `cross_val_score` of scikit-learn, one q "
        f"measured | {record.ratio('path', 'path: glass', path, cross)} |",
        f"| the eleven data sets of Wang and Xia, 110,000 trees, 2 threads | {duration(total)} | the same, "
        f"one q and one repeat measured | {record.total('path', cross) / total:.3g} |",
    ]
    for name, label in (("depth 10", "classes; depth 10"), ("whole trees", "classes; whole tree")):
        for threads in (1, 2):
            trees = {"family": "RamifyTrees", "threads": threads}
            fits = {"family": "RamifyOneByOne", "threads": threads}
            case = f"path: 100,000 x 20 float32, 5 {label}"
            rows.append(
                f"| 100,000 rows, {name}, no folds, {threads} thread{'s' * (threads > 1)} "
                f"| {duration(record.median('path', case, trees))} | single fits of ramify "
                f"| {record.ratio('path', case, trees, fits)} |"
            )
    return ["| all of q = 0.1, 0.2, ..., 10 | takes | against | times as fast |", "|---|---|---|---|", *rows]


def _path_memory(record: Record) -> str:
    trees, fit = {"family": "RamifyTrees"}, {"family": "RamifyFit"}
    times = [
        record.compared("path", f"memory: 100,000 x 20 float32, 5 classes; {limit}", trees, fit)["memory"]
        for limit in ("depth 10", "whole tree")
    ]
    return (
        f"- Growing all 100 orders at once on 100,000 rows takes {times[0]:.2g} times the memory of a single "
        f"fit at depth 10 and {times[1]:.2g} times for whole trees, the returned trees left out."
    )


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 115, subsequent_indent="  " if text.startswith("- ") else "")


def _machine(record: Record) -> str:
    machine = record.machines[-1]
    versions = machine["versions"]
    cpu = machine["cpu"].replace("(R)", "").replace(" Processor", "")
    return (
        f"{machine['cores']} cores of an {cpu}; scikit-learn {versions['scikit-learn']}, "
        f"YDF {versions['ydf']}, LightGBM {versions['lightgbm']}, Weka {versions['weka']}."
    )


def _gaps(way: str) -> dict[str, Any]:
    return {"family": "RamifyGaps", "threads": 1, "q": 2.0, "missing": way}


def main() -> None:
    """Put the section in its place."""
    text = README.read_text(encoding="utf-8")
    body = f"{BEGIN}\n{section(Record(sys.argv[1:]))}\n{END}"
    pattern = re.escape(BEGIN) + ".*?" + re.escape(END)
    if not re.search(pattern, text, re.DOTALL):
        raise SystemExit(f"{README} has no section between {BEGIN} and {END}")
    README.write_text(re.sub(pattern, lambda _: body, text, flags=re.DOTALL), encoding="utf-8")


if __name__ == "__main__":
    main()
