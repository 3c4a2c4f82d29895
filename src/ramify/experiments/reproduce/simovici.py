"""Simovici and Jaroszewicz, conditional entropy generalised: theorems, Table 1, Figure 1 and Section 4."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ramify.experiments.estimate import over_folds
from ramify.experiments.journal import Journal, Unit
from ramify.experiments.report import Cell, Figure, Report, Section, Series, Step, Steps, Table
from ramify.experiments.reproduce import _sets
from ramify.experiments.reproduce._at_hand import at_hand, words_on_missing
from ramify.experiments.reproduce._simovici_trees import N_FOLDS, run_unit
from ramify.experiments.reproduce.published import cited, published
from ramify.experiments.reproduce.study import Options, Study
from ramify.experiments.reproduce.theorems import check_theorems, in_short, theorem_section

TITLE = "Trees by distances between partitions, of any order, against C4.5"

#: Beside those of the paper's own figures; in a quick run these.
QUICK = ("glass", "heart-statlog", "iris", "vote", "wine")
FULL = (
    *("abalone", "australian", "balance-scale", "bupa", "car", "cmc", "glass", "haberman", "hayes-roth"),
    *("heart-statlog", "ionosphere", "iris", "monks-1", "monks-2", "monks-3", "mushroom", "nursery"),
    *("soybean", "splice", "tic-tac-toe", "titanic", "vehicle", "vote", "waveform", "waveform-40", "wine"),
    "yeast",
)

Result = dict[str, list[float]]
Results = Mapping[Unit, Result]

_PROTOCOL = (
    "J48, pruned at 0.25 with at least 2 cases in two branches, against the same with the attribute chosen "
    "by the normalised distance e of order beta and a numeric attribute's cut by the distance d, on known "
    "cases alone, without C4.5's gate and correction. Five stratified folds by Weka 3.2's shuffle with the "
    "seed 1. Accuracies are means over the folds, their digits cut off."
)
_BY_D = (
    "The text says that the attribute with the smallest d is chosen. Its figures are those of e: d itself "
    "is small for every attribute that is nearly constant, and gives other trees."
)


def _units(sets: Sequence[str], paper: Sequence[str], betas: Sequence[float]) -> list[Unit]:
    units: list[Unit] = []
    for name in sets:
        units.append((name, "J48", 1.0))
        units.extend((name, "e", beta) for beta in betas)
        if name in paper:
            units.extend((name, "d", beta) for beta in betas)
    return units


def _mean(results: Results, unit: Unit, key: str) -> float | None:
    found = results.get(unit)
    return None if found is None else float(np.mean(found[key]))


def _relative(results: Results, unit: Unit, key: str) -> float | None:
    """Return the size of a tree relative to that of J48, in percent."""
    size, base = _mean(results, unit, key), _mean(results, (unit[0], "J48", 1.0), key)
    return None if size is None or base is None else 100.0 * size / base


def _accuracies(values: dict[str, Any], results: Results, kind: str, title: str) -> Table:
    betas = values["betas"]
    columns = ("J48", *(f"beta = {beta:g}" for beta in betas))
    cells = []
    for name, printed in values["table_1"].items():
        units = [(name, "J48", 1.0), *((name, kind, beta) for beta in betas)]
        row = []
        for value, unit in zip(printed, units, strict=True):
            found = results.get(unit)
            if found is None:
                row.append(Cell(value, None, cut=True))
                continue
            estimate = over_folds(found["accuracy"], N_FOLDS)
            row.append(Cell(value, estimate.mean, 2, estimate.se, estimate.freedom, cut=True))
        cells.append(tuple(row))
    return Table(title, tuple(values["table_1"]), columns, tuple(cells), corner="data set")


def _claims(values: dict[str, Any], results: Results) -> Steps:
    steps = []
    for name, claim in values["section_4"].items():
        unit: Unit = (name, "e", float(claim["beta"]))
        for key, what in (("nodes", "size"), ("leaves", "leaves")):
            value = claim[what]
            digits = 0 if float(value).is_integer() else 1
            cell = Cell(value, _relative(results, unit, key), digits, cut=True)
            steps.append(Step(f"{name}, beta = {claim['beta']:g}: {what}, % of J48", cell))
    words = "The best and the worst case that the text names. The digits are cut off here too."
    return Steps("Section 4: sizes relative to J48", tuple(steps), words)


def _figure(values: dict[str, Any], results: Results, key: str, what: str) -> Figure:
    series = []
    for name in values["table_1"]:
        points = [(beta, _relative(results, (name, "e", beta), key)) for beta in values["betas"]]
        there = [(beta, value) for beta, value in points if value is not None]
        if there:
            x, y = zip(*there, strict=True)
            series.append(Series(name, x, y))
    return Figure(f"Figure 1: {what} relative to J48", tuple(series), "beta", f"{what}, % of J48")


def _every_set(
    title: str, sets: Sequence[str], betas: Sequence[float], cell: Callable[[Unit], Cell], words: str = ""
) -> Table:
    columns = tuple(f"beta = {beta:g}" for beta in betas)
    cells = tuple(tuple(cell((name, "e", beta)) for beta in betas) for name in sets)
    return Table(title, tuple(sets), columns, cells, words, "data set")


def _counts(sets: Sequence[str], betas: Sequence[float], results: Results) -> list[tuple[int, int]]:
    """Return for every order on how many sets trees are smaller than those of J48, and larger."""
    counts = []
    for beta in betas:
        ratios = [_relative(results, (name, "e", beta), "nodes") for name in sets]
        there = [ratio for ratio in ratios if ratio is not None]
        counts.append((sum(ratio < 100.0 for ratio in there), sum(ratio > 100.0 for ratio in there)))
    return counts


def _extremes(sets: Sequence[str], betas: Sequence[float], results: Results) -> str:
    """Return which sets have the smallest and the largest trees relative to J48."""
    ratios = {
        (name, beta): ratio
        for name in sets
        for beta in betas
        if (ratio := _relative(results, (name, "e", beta), "nodes")) is not None
    }
    told = [
        f"{name} with {ratios[name, beta]:.1f}% at beta = {beta:g}"
        for name, beta in (min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__))
    ]
    return f"The smallest size relative to J48 is that of {told[0]}, the largest that of {told[1]}."


def _all_sets(values: dict[str, Any], sets: Sequence[str], results: Results) -> Section:
    betas = values["betas"]

    def accuracy(unit: Unit) -> Cell:
        estimate = over_folds(results[unit]["accuracy"], N_FOLDS)
        return Cell(None, estimate.mean, 2, estimate.se, estimate.freedom)

    def gap(unit: Unit) -> Cell:
        pairs = zip(results[unit]["accuracy"], results[unit[0], "J48", 1.0]["accuracy"], strict=True)
        estimate = over_folds([mine - base for mine, base in pairs], N_FOLDS)
        return Cell(None, estimate.mean, 2, estimate.se, estimate.freedom)

    def relative(key: str) -> Callable[[Unit], Cell]:
        return lambda unit: Cell(None, _relative(results, unit, key), 1)

    counts = zip(betas, _counts(sets, betas, results), strict=True)
    told = "; ".join(f"beta = {beta:g}: {less} smaller, {more} larger" for beta, (less, more) in counts)
    words = (
        f"The paper: of {values['databases']} data sets trees are smaller for {values['smaller']} and larger "
        f"for {values['larger']}; it names neither the sets nor the beta. Here, of {len(sets)}: {told}. "
        f"{_extremes(sets, betas, results)}"
    )
    blocks = (
        _every_set("Accuracy", sets, betas, accuracy),
        _every_set("Accuracy less that of J48", sets, betas, gap, "On the same folds."),
        _every_set("Size, % of J48", sets, betas, relative("nodes")),
        _every_set("Leaves, % of J48", sets, betas, relative("leaves")),
    )
    return Section("Every data set at hand", blocks, words)


def _in_short(values: dict[str, Any], section: Section, sets: Sequence[str], results: Results) -> str:
    """Return what of the experiments comes out, what does not, and what can't be told."""
    table, claims = section.blocks[:2]
    parts, differing = [], []
    for block, name in ((table, "accuracies of Table 1"), (claims, "sizes of Section 4")):
        cells = [(label, cell) for label, cell in block.each() if cell.mark != "missing"]
        other = [(label, cell) for label, cell in cells if cell.mark != "exact"]
        parts.append(f"{len(cells) - len(other)} of the {len(cells)} {name}")
        differing += [f"{label}: {cell.ours:.2f}, printed {cell.published:.2f}" for label, cell in other]
    exact = f"Exact to the last digit are {' and '.join(parts)} that could be made."
    but = f" Not: {'; '.join(differing)}, of which nothing is known." if differing else ""
    counts = _counts(sets, values["betas"], results)
    less, more = (sorted(column) for column in zip(*counts, strict=True))
    return (
        f"{exact}{but} The claim that trees shrink on {values['smaller']} of {values['databases']} data sets "
        f"can't be checked, as these are not named; of the {len(sets)} at hand they shrink on {less[0]} to "
        f"{less[-1]} and grow on {more[0]} to {more[-1]}, as beta goes."
    )


def _run(options: Options, journal: Journal) -> Report:
    values = published("simovici")
    paper = [*values["table_1"], *(name for name in values["section_4"] if name not in values["table_1"])]
    found, missing = at_hand([*paper, *(QUICK if options.quick else FULL)])
    units = _units(found, paper, values["betas"])
    marks = {unit: _sets.fingerprint(str(unit[0])) for unit in units}
    done = journal.run(units, run_unit, jobs=options.jobs, progress=options.progress, fingerprints=marks)
    results: dict[Unit, Result] = dict(zip(units, done, strict=True))
    theorems = check_theorems()
    sections = (
        theorem_section(theorems),
        Section(
            "Table 1, Figure 1 and Section 4 as published",
            (
                _accuracies(values, results, "e", "Table 1: accuracy, pruned trees"),
                _claims(values, results),
                _figure(values, results, "nodes", "size"),
                _figure(values, results, "leaves", "leaves"),
            ),
            f"{_PROTOCOL} {words_on_missing(missing)}".strip(),
        ),
        Section(
            "The attribute by d, as the text says",
            (_accuracies(values, results, "d", "Table 1 by d"),),
            _BY_D,
        ),
        _all_sets(values, found, results),
    )
    words = f"{in_short(theorems)} {_in_short(values, sections[1], found, results)}"
    settings: dict[str, str | int | float | bool] = {"data sets": len(found), "folds": N_FOLDS}
    return Report(STUDY.name, STUDY.title, STUDY.paper, sections, words, settings)


STUDY = Study("simovici", TITLE, cited("simovici"), _run)
