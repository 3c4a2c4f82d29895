"""The questions: which contenders learn from which data, in suites that can be run alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .contenders import (
    Contender,
    LightGBM,
    Limits,
    Ramify,
    Sklearn,
    XGBoost,
    Ydf,
)
from .path import RamifyFit, RamifyOneByOne, RamifyPath, RamifyTrees, SklearnCrossVal
from .real import SHAPES, Real
from .variants import RamifyC45, RamifyGaps, RamifyPruning
from .weka import J48
from .workloads import Mixed, Nominal, Numeric, Small, Workload

WHOLE = Limits()
SHALLOW = Limits(max_depth=10)
C45_LIMITS = Limits(min_samples_leaf=2)
UNLIMITED = Limits(min_samples_leaf=1)
PREDICT_FIT_ROWS = 100_000


@dataclass(frozen=True)
class Case:
    """Contenders side by side on the same data.

    ``operation`` is "fit", "path" (many fits), "predict" or "memory". Every contender is compared with
    every one of ``references``. ``axis`` is the case's place in its suite's table of growth, None for no
    place. The cases of a suite that are ``summed`` have a table of totals.
    """

    workload: Workload
    contenders: tuple[Contender, ...]
    references: tuple[Contender, ...] = field(compare=False)
    limits: Limits = WHOLE
    operation: str = "fit"
    axis: str | None = field(default=None, compare=False)
    same_tree: bool = field(default=False, compare=False)
    summed: bool = field(default=False, compare=False)

    @property
    def label(self) -> str:
        """Operation, data and limits in words."""
        return f"{self.operation}: {self.workload.label}; {self.limits.label}"


@dataclass(frozen=True)
class Suite:
    """Cases that answer one question."""

    name: str
    title: str
    cases: tuple[Case, ...]


@dataclass(frozen=True)
class Scale:
    """How large the data is and how many threads "several threads" means."""

    quick: bool = False
    threads: int = 2

    def rows(self, full: int) -> int:
        """Rows to use where a full run uses ``full``."""
        return max(200, full // 50) if self.quick else full

    @property
    def exact(self) -> tuple[Contender, ...]:
        """The learners that search every cut: comparable on whole trees."""
        return (*dict.fromkeys((Ramify(1), Ramify(self.threads))), Sklearn(), Ydf(self.threads))

    @property
    def everyone(self) -> tuple[Contender, ...]:
        """The exact learners and the histogram boosters: comparable under a depth limit."""
        boosters = (LightGBM(self.threads), XGBoost(self.threads), XGBoost(self.threads, True))
        return (*self.exact, *boosters)

    def whole(self, workload: Workload, axis: str | None = None) -> Case:
        """Whole trees by the exact learners."""
        return Case(workload, self.exact, (Sklearn(), Ydf(self.threads)), axis=axis)

    def shallow(self, workload: Workload, axis: str | None = None) -> Case:
        """Trees of depth 10 by all."""
        references = (Sklearn(), Ydf(self.threads), LightGBM(self.threads), XGBoost(self.threads))
        return Case(workload, self.everyone, references, SHALLOW, axis=axis)


def _headline(scale: Scale) -> Suite:
    cases = [scale.whole(Numeric(n), f"{n:,}") for n in map(scale.rows, (100_000, 1_000_000))]
    cases.append(scale.shallow(Numeric(scale.rows(100_000))))
    return Suite("headline", "the whole fit beside the others", tuple(cases))


def _q(scale: Scale) -> Suite:
    orders = tuple(Ramify(1, q=q) for q in (0.5, 0.95, 1.0, 1.7, 2.0, 3.3, 7.0))
    case = Case(Numeric(scale.rows(100_000)), (*orders, Sklearn()), (Sklearn(), Ramify(1)))
    return Suite("q", "cost against the order of the entropy, one thread", (case,))


def _rows(scale: Scale) -> Suite:
    sizes = map(scale.rows, (10_000, 100_000, 1_000_000))
    cases = tuple(scale.whole(Numeric(n), f"{n:,}") for n in sizes)
    return Suite("rows", "cost against rows", cases)


def _classes(scale: Scale) -> Suite:
    rows = scale.rows(100_000)
    cases = tuple(scale.whole(Numeric(rows, classes=k), f"{k}") for k in (2, 5, 26))
    return Suite("classes", "cost against classes", cases)


def _columns(scale: Scale) -> Suite:
    rows = scale.rows(20_000)
    cases = tuple(scale.whole(Numeric(rows, columns=p), f"{p}") for p in (10, 100, 500))
    return Suite("columns", "cost against columns", cases)


def _distinct(scale: Scale) -> Suite:
    rows = scale.rows(100_000)
    cases = [scale.whole(Numeric(rows, distinct=v), f"{v}") for v in (2, 16, 256)]
    return Suite(
        "distinct",
        "few distinct values against many",
        (*cases, scale.whole(Numeric(rows), "as drawn")),
    )


def _nominal(scale: Scale) -> Suite:
    several, rows = scale.threads, scale.rows(100_000)
    contenders = (
        Ramify(1),
        Ramify(1, frame="polars"),
        Ramify(several),
        Sklearn(),
        Ydf(several),
        LightGBM(several),
        XGBoost(several, True),
    )
    references = (Sklearn(), Ydf(several), LightGBM(several))
    cases = [
        Case(Nominal(rows, levels, classes=k), contenders, references, SHALLOW, axis=f"{levels}/{k}")
        for levels, k in ((4, 5), (16, 5), (64, 5), (64, 2))
    ]
    return Suite("nominal", "nominal columns, by levels/classes", tuple(cases))


def _small(scale: Scale) -> Suite:
    cases = [
        Case(Small(name), (Ramify(1), Sklearn()), (Sklearn(),), operation=operation)
        for name in ("iris", "wine", "glass-like")
        for operation in ("fit", "predict")
    ]
    return Suite("small", "a few hundred rows, through the estimator", tuple(cases))


def _predict(scale: Scale) -> Suite:
    case = Case(
        Numeric(scale.rows(1_000_000)),
        scale.exact,
        (Sklearn(), Ydf(scale.threads)),
        operation="predict",
    )
    title = f"classes of many rows, by a tree grown on the first {PREDICT_FIT_ROWS:,}"
    return Suite("predict", title, (case,))


def _depth(scale: Scale) -> Suite:
    sizes = map(scale.rows, (100_000, 1_000_000))
    cases = tuple(scale.shallow(Numeric(n), f"{n:,}") for n in sizes)
    return Suite("depth", "ten levels, beside histogram boosters", cases)


def _memory(scale: Scale) -> Suite:
    several, workload = scale.threads, Numeric(scale.rows(1_000_000))
    whole = Case(workload, scale.exact, (), operation="memory")
    boosters = (Ramify(several), LightGBM(several), XGBoost(several), XGBoost(several, True))
    shallow = Case(workload, boosters, (), SHALLOW, operation="memory")
    return Suite("memory", "peak while fitting, on top of the input", (whole, shallow))


def _threads(scale: Scale) -> Suite:
    contenders = tuple(Ramify(n) for n in (1, 2, 4))
    cases = tuple(
        Case(Numeric(scale.rows(100_000)), contenders, (Ramify(1),), limits, same_tree=True)
        for limits in (WHOLE, SHALLOW)
    )
    return Suite("threads", "the same tree on any number of threads", cases)


def _weka(scale: Scale) -> Suite:
    contenders = (*dict.fromkeys((RamifyC45(1), RamifyC45(scale.threads))), J48())
    cases = tuple(
        Case(Mixed(n), contenders, (J48(),), C45_LIMITS, axis=f"{n:,}")
        for n in map(scale.rows, (50_000, 200_000))
    )
    return Suite("weka", "C4.5's own tree, beside J48", cases)


def _missing(scale: Scale) -> Suite:
    ways = ("best_branch", "own_branch", "fractional")
    cases = tuple(
        Case(
            Numeric(scale.rows(100_000)),
            (Ramify(1, q=q), *(RamifyGaps(1, q=q, missing=way) for way in ways)),
            (Ramify(1, q=q),),
            axis=f"q = {q:g}",
        )
        for q in (2.0, 1.0, 1.5)
    )
    return Suite("missing", "one cell in twenty missing, against the same data without gaps", cases)


def _pruning(scale: Scale) -> Suite:
    several = scale.threads
    contenders = (Ramify(several), RamifyPruning(several))
    case = Case(Numeric(scale.rows(1_000_000)), contenders, (Ramify(several),), UNLIMITED)
    return Suite("pruning", "pessimistic pruning of a full tree, against growing it", (case,))


def _path(scale: Scale) -> Suite:
    several = scale.threads
    orders, repeats = (10, 2) if scale.quick else (100, 10)
    paths = tuple(RamifyPath(n, orders=orders, repeats=repeats) for n in dict.fromkeys((1, several)))
    others = tuple(SklearnCrossVal(n, orders, repeats, repeats) for n in dict.fromkeys((1, several)))
    cases = [Case(Real("glass"), (*paths, *others), others, operation="path")]
    one = SklearnCrossVal(1, orders, repeats, 1)
    names = ("glass", "wine", "hayes") if scale.quick else SHAPES
    cases += [Case(Real(name), (paths[-1], one), (one,), operation="path", summed=True) for name in names]
    workload = Numeric(scale.rows(100_000))
    for limits in (SHALLOW, WHOLE):
        contenders = [
            kind(n, orders=orders)
            for n in dict.fromkeys((1, several))
            for kind in (RamifyTrees, RamifyOneByOne)
        ]
        singles = tuple(c for c in contenders if isinstance(c, RamifyOneByOne))
        cases.append(Case(workload, tuple(contenders), singles, limits, operation="path"))
    for limits in (SHALLOW, WHOLE):
        for n in dict.fromkeys((1, several)):
            pair = (RamifyTrees(n, orders=orders), RamifyFit(n))
            cases.append(Case(workload, pair, pair[1:], limits, operation="memory"))
    return Suite("path", "all orders at once, beside one after the other", tuple(cases))


BUILDERS: dict[str, Callable[[Scale], Suite]] = {
    "headline": _headline,
    "q": _q,
    "rows": _rows,
    "classes": _classes,
    "columns": _columns,
    "distinct": _distinct,
    "nominal": _nominal,
    "small": _small,
    "predict": _predict,
    "depth": _depth,
    "memory": _memory,
    "threads": _threads,
    "weka": _weka,
    "missing": _missing,
    "pruning": _pruning,
    "path": _path,
}
