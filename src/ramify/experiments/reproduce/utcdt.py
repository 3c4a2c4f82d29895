"""Wang and Xia, one criterion for all trees by Tsallis entropy: Table 1, Figure 1 and the tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from ramify.experiments.journal import Journal, Unit
from ramify.experiments.report import Report, Section
from ramify.experiments.reproduce import _sets
from ramify.experiments.reproduce._utcdt_runs import (
    NOT_FOUND,
    SETS,
    SVM_COSTS,
    SVM_INNER_FOLDS,
    SVM_WIDTHS,
    Result,
    run_unit,
)
from ramify.experiments.reproduce._utcdt_tables import (
    TREES,
    Found,
    best_q,
    figure_section,
    joined,
    means_of,
    printed_rows,
    tables_of,
)
from ramify.experiments.reproduce._utcdt_tests import Values, count_claims, remaining_claims, tests_table
from ramify.experiments.reproduce.published import cited, published
from ramify.experiments.reproduce.study import Options, Study

TITLE = "The order q of the entropy chosen by data set, against ID3, CART, C4.5 and an SVM"

#: Repetitions of ten-fold cross-validation; the paper's are 10.
REPEATS = {True: 1, False: 10}
#: Sets whose support vector machine takes long; left out of a quick run.
SLOW_SVM = ("Abalone", "Cmc", "Yeast")

_PUBLISHED = (
    "Binary trees on numeric codes, ten consecutive runs of the file as folds, a smallest leaf that "
    "differs by data set ({leaves}), and the paper's own q; the column q has the one that is best here. "
    "With these the sizes of trees by Shannon's entropy and the Gini index come out, or nearly. For "
    "{unknown} and for the gain ratio no protocol was found that gives the printed figures; their smallest "
    "leaf is the 5 that the paper states."
)
_WHY_NOT = (
    "The smallest leaf was not the stated 5 but differs by data set: with those that were found, {near} of "
    "{sizes} sizes by Shannon's entropy and the Gini index come within 1% of the printed ones. The rest does "
    "not come out, as no protocol was found for {unknown} and for the gain ratio. q was chosen on the folds "
    "that are reported, so that its gain is flattered: nested cross-validation shows by how much."
)
_STATED = (
    "What the paper states: ten-fold cross-validation, {repeats}, shuffled and stratified; at least 5 "
    "cases in a leaf; for every data set the q with the best mean accuracy on these same folds, the gain "
    "ratio with the same q."
)
_NESTED = (
    "The same folds, but q is chosen for each of them by five-fold cross-validation on its training cases "
    "alone. This is what tuning q brings on new data; the q shown is the median of those chosen. The other "
    "columns are those of the table before."
)
_SVM = (
    "SVM: RBF kernel on standardised columns, categories one-hot; C of {costs} and gamma of {widths} over "
    "the number of columns by {inner}-fold cross-validation inside each training set; one repetition."
)


def _run_units(options: Options, journal: Journal, units: list[Unit]) -> dict[Unit, Result]:
    marks = {unit: _sets.fingerprint(SETS[str(unit[1])][0]) for unit in units}
    done = journal.run(units, run_unit, jobs=options.jobs, progress=options.progress, fingerprints=marks)
    return dict(zip(units, done, strict=True))


def _first_units(options: Options, paper_q: dict[str, float], seeds: range) -> list[Unit]:
    slow = SLOW_SVM if options.quick else ()
    units: list[Unit] = [("published", name, q) for name, q in paper_q.items()]
    units += [("stated", name, seed) for name in paper_q for seed in seeds]
    units += [
        ("svm", name, protocol, options.seed)
        for name in paper_q
        if name not in slow
        for protocol in ("published", "stated")
    ]
    return units


def _of_published(results: dict[Unit, Result]) -> Found:
    return {
        str(unit[1]): {name: result[name] for name in TREES} | {"q": {"value": result["best q"]}}
        for unit, result in results.items()
        if unit[0] == "published"
    }


def _of_stated(
    stated: dict[str, list[Result]], chosen: dict[str, list[Result]], best: dict[str, float]
) -> Found:
    found: Found = {}
    for name, repetitions in stated.items():
        row = {tree: joined([result[tree] for result in repetitions]) for tree in ("ID3", "CART")}
        for tree in ("C4.5", "Tsallis", "Tsallis ratio"):
            row[tree] = joined([result[tree] for result in chosen[name]])
        found[name] = row | {"q": {"value": best[name]}}
    return found


def _of_nested(of_stated: Found, stated: dict[str, list[Result]], chosen: dict[str, list[Result]]) -> Found:
    found: Found = {}
    for name, row in of_stated.items():
        nested = joined([result["nested"] for result in stated[name]])
        found[name] = row | {
            "Tsallis": nested,
            "Tsallis ratio": joined([result["nested ratio"] for result in chosen[name]]),
            "q": {"value": float(np.median(nested["q"]))},
        }
    return found


def _add_svm(found: Found, results: dict[Unit, Result], protocol: str) -> None:
    for unit, result in results.items():
        if unit[0] == "svm" and unit[2] == protocol:
            found[str(unit[1])]["SVM"] = result


def _run(options: Options, journal: Journal) -> Report:
    values = published("utcdt")
    paper_q = {name: row["q"] for name, row in printed_rows(values).items()}
    seeds = range(options.seed, options.seed + REPEATS[options.quick])
    results = _run_units(options, journal, _first_units(options, paper_q, seeds))
    stated = {name: [results["stated", name, seed] for seed in seeds] for name in paper_q}
    best = {name: best_q(stated[name]) for name in paper_q}
    second: dict[str, list[Unit]] = {
        name: [
            ("chosen", name, seed, best[name], " ".join(map(repr, result["nested"]["q"])))
            for seed, result in zip(seeds, stated[name], strict=True)
        ]
        for name in paper_q
    }
    done = _run_units(options, journal, [unit for units in second.values() for unit in units])
    chosen = {name: [done[unit] for unit in units] for name, units in second.items()}
    found = {"as published": _of_published(results), "as stated": _of_stated(stated, chosen, best)}
    found["nested"] = _of_nested(found["as stated"], stated, chosen)
    for protocol, of in (("as published", "published"), ("as stated", "stated"), ("nested", "stated")):
        _add_svm(found[protocol], results, of)
    settings: dict[str, str | int | float | bool] = {
        "repetitions of the cross-validation": REPEATS[options.quick],
        "SVM left out": ", ".join(SLOW_SVM if options.quick else ()) or "none",
    }
    tables: dict[str, Values] = {"printed": printed_rows(values)}
    tables |= {protocol: means_of(rows) for protocol, rows in found.items()}
    sections = _sections(values, found, stated, tables, f"{REPEATS[options.quick]} x 10 folds")
    words = _in_short(sections, count_claims(tables, float(values["level"])))
    return Report(STUDY.name, STUDY.title, STUDY.paper, sections, words, settings)


def _is_known(name: str, algorithm: str) -> bool:
    """Whether a protocol was found for the trees of a set by an algorithm."""
    return name not in NOT_FOUND and algorithm in ("ID3", "CART")


def _in_short(sections: tuple[Section, ...], claims: str) -> str:
    """Return how much of Table 1 comes out, and what is left of the claims."""
    parts = []
    for table in sections[0].blocks:
        marks = [cell.mark for _, cell in table.each() if cell.mark != "missing"]
        inside = f", {marks.count('inside')} more inside the interval of ours" if "inside" in marks else ""
        what = table.title.split(": ")[1]
        parts.append(f"{marks.count('exact')} of {len(marks)} cells exact{inside} ({what})")
    sizes = [cell for label, cell in sections[0].blocks[1].each() if _is_known(*label.split(", "))]
    near = sum(abs(cell.difference or 0.0) <= 0.01 * float(cell.published or 0.0) for cell in sizes)
    why_not = _WHY_NOT.format(near=near, sizes=len(sizes), unknown=", ".join(NOT_FOUND))
    return f"As published: {'; '.join(parts)}. {why_not} {claims}\n\n{sections[-1].words}"


def _sections(
    values: dict[str, Any],
    found: dict[str, Found],
    stated: dict[str, list[Result]],
    tables: dict[str, Values],
    repeats: str,
) -> tuple[Section, ...]:
    leaves = ", ".join(f"{name} {leaf}" for name, (_, leaf) in SETS.items() if name not in NOT_FOUND)
    as_published = _PUBLISHED.format(leaves=leaves, unknown=", ".join(NOT_FOUND))
    as_stated = _STATED.format(repeats=repeats)
    svm = _SVM.format(
        costs=", ".join(f"{c:g}" for c in SVM_COSTS),
        widths=", ".join(f"{w:g}" for w in SVM_WIDTHS),
        inner=SVM_INNER_FOLDS,
    )
    words = {"as published": f"{as_published} {svm}", "as stated": as_stated, "nested": _NESTED}
    level = float(values["level"])
    return (
        *(
            Section(f"Table 1 {protocol}", tables_of(protocol, values, rows), words[protocol])
            for protocol, rows in found.items()
        ),
        figure_section(values["figure_1"], stated["Glass"], as_stated),
        Section(
            "What remains of the claims",
            (tests_table("accuracy", tables, level), tests_table("nodes", tables, level)),
            remaining_claims(tables, level),
        ),
    )


STUDY = Study("utcdt", TITLE, cited("utcdt"), _run)
