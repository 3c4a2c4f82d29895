"""Write the speed sections of the README from recorded runs: ``python -m benchmarks.readme FILE...``.

There is a section about fits and one about paths over q, each between marks of its own. A section is
written if all of its suites are in the files, and stays as it is if they are not. A suite that is in
several files is taken from the last. No figure of these sections is typed by hand.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .real import SHAPES
from .recorded import Recorded, Who
from .tables import duration

README = Path(__file__).parent.parent / "README.md"


@dataclass(frozen=True)
class Section:
    """A part of the README that some suites are told in.

    ``packages`` are those that the suites compare with, by their names in the record and in the text.
    """

    name: str
    suites: tuple[str, ...]
    packages: dict[str, str]
    body: Callable[[Recorded], list[str]]

    @property
    def marks(self) -> tuple[str, str]:
        """What stands before and after it."""
        return (
            f"<!-- speed of {self.name}: written by python -m benchmarks.readme -->",
            f"<!-- end of speed of {self.name} -->",
        )

    def missing(self, record: Recorded) -> list[str]:
        """The suites that the record does not have."""
        return [suite for suite in self.suites if suite not in record.suites]

    def text(self, record: Recorded) -> str:
        """Return the section with its marks, from the record of all its suites."""
        begin, end = self.marks
        return "\n".join([begin, *self.body(record), "", _wrapped(self._machine(record)), end])

    def put(self, readme: str, record: Recorded) -> str:
        """Return a README with the section in its place."""
        begin, end = self.marks
        pattern = re.escape(begin) + ".*?" + re.escape(end)
        if not re.search(pattern, readme, re.DOTALL):
            raise LookupError(f"there is nothing between {begin} and {end}")
        text = self.text(record)
        return re.sub(pattern, lambda _: text, readme, count=1, flags=re.DOTALL)

    def _machine(self, record: Recorded) -> str:
        """Where and with what the suites were run; ratios of several machines do not belong together."""
        told = {self._told(record.machines[suite]) for suite in self.suites}
        if len(told) > 1:
            raise LookupError(f"the suites were run on different machines or versions: {' / '.join(told)}")
        return told.pop()

    def _told(self, machine: dict[str, Any]) -> str:
        cpu = machine["cpu"].replace("(R)", "").replace(" Processor", "")
        article = "an" if cpu[:1] in "AEIOU" else "a"
        versions = [f"{name} {machine['versions'][package]}" for package, name in self.packages.items()]
        return f"{machine['cores']} cores of {article} {cpu}; {', '.join(versions)}."


def ramify(threads: int, **settings: Any) -> Who:
    """The library itself among the contenders."""
    return {"family": "Ramify", "threads": threads} | settings


SKLEARN: Who = {"family": "Sklearn"}


def fits(record: Recorded) -> list[str]:
    """Return what is said of single fits."""
    head = "Whole fits from Python, 20 float32 columns, 5 classes, a minimum leaf of 5; times as fast as:"
    return [head, "", *_fit_rows(record), "", *map(_wrapped, _fit_texts(record))]


def _fit_rows(record: Recorded) -> list[str]:
    """Return the table of whole fits beside others."""
    rows = [
        "| | scikit-learn, ramify on 1 thread | scikit-learn, ramify on 2 | YDF CART, both on 2 |",
        "|---|---|---|---|",
    ]
    for name, label in (
        ("100,000 rows, whole tree", "100,000 x 20 float32, 5 classes; whole tree"),
        ("1,000,000 rows, whole tree", "1,000,000 x 20 float32, 5 classes; whole tree"),
        ("100,000 rows, depth 10", "100,000 x 20 float32, 5 classes; depth 10"),
    ):
        figures = [
            record.ratio("headline", label, ramify(threads), against)
            for threads, against in ((1, SKLEARN), (2, SKLEARN), (2, {"family": "Ydf"}))
        ]
        rows.append(f"| {name} | {' | '.join(figures)} |")
    return rows


def _fit_texts(record: Recorded) -> list[str]:
    """Return a point each on boosters, orders, small data and prediction, J48, and missing values."""
    booster = record.ratio("headline", "depth 10", ramify(2), {"family": "LightGBM"})
    orders = [0.5, 1.0, 1.7, 2.0, 3.3, 7.0]
    by_order = [record.ratio("q", "whole tree", ramify(1, q=q), SKLEARN) for q in orders]
    small = [record.ratio("small", f"{act}: iris", ramify(1), SKLEARN) for act in ("fit", "predict")]
    predict = record.ratio("predict", "predict", ramify(1), SKLEARN)
    j48 = [
        record.ratio("weka", f"{rows} x", {"family": "RamifyC45", "threads": 1}, {"family": "J48"})
        for rows in ("50,000", "200,000")
    ]
    gaps = {
        way: 1 / float(record.ratio("missing", "whole tree", _gaps(way), ramify(1, q=2.0)))
        for way in ("best_branch", "own_branch", "fractional")
    }
    orders_text = ", ".join(f"{q:g}" for q in orders)
    return [
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
    ]


def _gaps(way: str) -> Who:
    return {"family": "RamifyGaps", "threads": 1, "q": 2.0, "missing": way}


def paths(record: Recorded) -> list[str]:
    """Return what is said of trying every q."""
    head = (
        "Every order of a grid, by `q_path`: under 10 times 10 folds (nominal columns by subsets, which "
        "scikit-learn has as numbers), and grown on all rows alone; a minimum leaf of 5:"
    )
    return [_wrapped(head), "", *_path_rows(record), "", _wrapped(_path_memory(record))]


def _path_rows(record: Recorded) -> list[str]:
    """Return the table of what trying every q costs."""
    path, cross = {"family": "RamifyPath", "threads": 2}, {"family": "SklearnCrossVal", "threads": 1}
    cross_too = {"family": "SklearnCrossVal", "threads": 2}
    for name in SHAPES:  # data that were only made in their shape are not these data sets
        if not record.measured("path", f"path: {name}, ", path):
            raise LookupError(f"path: no case with the data set {name}")
    glass, total = record.median("path", "path: glass, ", path), record.total("path", path)
    rows = [
        "| all of q = 0.1, 0.2, ..., 10 | takes | against | times as fast |",
        "|---|---|---|---|",
        f"| glass, 10,000 trees, 2 threads | {duration(glass)} | `cross_val_score` of scikit-learn on 1 "
        f"thread, one q measured (in brackets: on 2) | {record.ratio('path', 'path: glass, ', path, cross)} "
        f"({record.ratio('path', 'path: glass, ', path, cross_too)}) |",
        f"| the eleven data sets of Wang and Xia, 110,000 trees, 2 threads | {duration(total)} | the same "
        f"on 1 thread, one q and one repeat measured | {record.total('path', cross) / total:.3g} |",
    ]
    for name, limit in (("depth 10", "depth 10"), ("whole trees", "whole tree")):
        for threads in (1, 2):
            trees = {"family": "RamifyTrees", "threads": threads}
            singles = {"family": "RamifyOneByOne", "threads": threads}
            case = f"path: 100,000 x 20 float32, 5 classes; {limit}"
            rows.append(
                f"| 100,000 rows, {name}, no folds, {threads} thread{'s' * (threads > 1)} "
                f"| {duration(record.median('path', case, trees))} | single fits of ramify "
                f"| {record.ratio('path', case, trees, singles)} |"
            )
    return rows


def _path_memory(record: Recorded) -> str:
    def times(limit: str, threads: int) -> str:
        trees = {"family": "RamifyTrees", "threads": threads}
        single = {"family": "RamifyFit", "threads": threads}
        case = f"memory: 100,000 x 20 float32, 5 classes; {limit}"
        return f"{record.compared('path', case, trees, single)['memory']:.2g}"

    return (
        f"- Growing all 100 orders at once on 100,000 rows takes {times('depth 10', 1)} times the memory of "
        f"a single fit at depth 10 and {times('whole tree', 1)} times for whole trees by one thread, "
        f"{times('depth 10', 2)} and {times('whole tree', 2)} times by two, the returned trees left out."
    )


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 115, subsequent_indent="  " if text.startswith("- ") else "")


SECTIONS = (
    Section(
        "fits",
        ("headline", "q", "small", "predict", "weka", "missing"),
        {"scikit-learn": "scikit-learn", "ydf": "YDF", "lightgbm": "LightGBM", "weka": "Weka"},
        fits,
    ),
    Section("paths", ("path",), {"scikit-learn": "scikit-learn"}, paths),
)


def main() -> None:
    """Put the sections that were measured in their places, and say which."""
    record = Recorded(sys.argv[1:])
    readme = README.read_text(encoding="utf-8")
    told = []
    for section in SECTIONS:
        missing = section.missing(record)
        if missing:
            told.append(f"left alone: speed of {section.name} (not in the files: {', '.join(missing)})")
            continue
        try:
            readme = section.put(readme, record)
        except LookupError as error:
            raise SystemExit(f"speed of {section.name}: {error}; nothing was written") from None
        told.append(f"written: speed of {section.name}")
    README.write_text(readme, encoding="utf-8")
    print("\n".join(told))


if __name__ == "__main__":
    main()
