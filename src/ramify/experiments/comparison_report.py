"""A comparison as a report: tables, diagrams, and what they say and do not say in words."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from string import ascii_uppercase
from typing import TYPE_CHECKING

import numpy as np

from ramify.experiments.comparison_words import (
    answer,
    explain_pairs,
    explain_ranks,
    explain_table,
    failure_lines,
    subject_lines,
)
from ramify.experiments.diagram import diagram_svg
from ramify.experiments.fingerprint import versions
from ramify.experiments.report import Cell, Figure, Report, Section, Table
from ramify.experiments.scoring import Measure
from ramify.experiments.significance import RankTests

if TYPE_CHECKING:
    from ramify.experiments.comparison import Comparison

#: The signs of a score that is better or worse than that of the reference.
BETTER, WORSE = "✓", "✗"

_FAILED = "failed"


def comparison_report(comparison: Comparison, diagrams: bool = True) -> Report:
    """Return the report; diagrams need matplotlib, and are left out where it is not installed."""
    plan = comparison.protocol
    n_models, n_data = len(comparison.models), len(comparison.datasets)
    sections = [_section(comparison, measure, diagrams) for measure in comparison.measures]
    sections.append(Section("Models and data sets", words="\n".join(subject_lines(comparison))))
    if comparison.failures_:
        told = "\n".join(failure_lines(comparison))
        words = f"These have no scores; everything else went on without them.\n\n{told}"
        sections.append(Section("Failures", words=words))
    if comparison.notes_:
        sections.append(Section("Warnings", words="\n".join(f"- {note}" for note in comparison.notes_)))
    repeats = "" if plan.n_repeats == 1 else f"{plan.n_repeats} times "
    return Report(
        study="compare",
        title=f"{n_models} models on {n_data} data set{'s' if n_data > 1 else ''}",
        paper=(
            f"{plan.cv} folds by {plan.splitter}, the same for all models."
            if plan.splitter
            else f"{repeats}{plan.cv} stratified folds, the same for all models."
        ),
        sections=tuple(sections),
        words="\n".join(answer(comparison, measure) for measure in comparison.measures),
        settings={
            "folds": plan.cv,
            "repeats": plan.n_repeats,
            "alpha": plan.alpha,
            "reference": comparison.reference,
        },
        versions=versions(),
        seed=plan.seed,
        command="ramify compare",
    )


def _section(comparison: Comparison, measure: Measure, diagrams: bool) -> Section:
    tests = comparison.tests(measure.name)
    blocks: list[Table | Figure] = [_means(comparison, measure, tests)]
    if tests.nemenyi is not None and diagrams and _can_draw():
        title = f"Critical-difference diagram: {measure.name}"
        words = (
            "Mean ranks, the best at the left; a bar joins models that Nemenyi's test does not tell apart."
        )
        blocks.append(Figure(title, svg=diagram_svg(tests, title), words=words))
    if tests.wilcoxon is not None:
        blocks.append(_pairs(tests))
    return Section(
        f"{measure.title} ({measure.better} is better)", tuple(blocks), explain_ranks(comparison, measure)
    )


def _can_draw() -> bool:
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def _means(comparison: Comparison, measure: Measure, tests: RankTests) -> Table:
    """Return the mean of each model on each data set, set against the reference."""
    means = comparison.means(measure.name).to_numpy()
    errors = comparison.standard_errors(measure.name).to_numpy()
    rows = []
    signs: Counter[tuple[str, str]] = Counter()
    for i, dataset in enumerate(comparison.datasets):
        row = []
        for j, model in enumerate(comparison.models):
            flag = _flag(comparison, measure, model, dataset)
            signs[model, flag] += 1
            row.append(_cell(measure, float(means[i, j]), float(errors[i, j]), flag))
        rows.append(tuple(_named(comparison, dataset, measure, row)))
    labels = list(comparison.datasets)
    if len(labels) > 1:
        ranks = dict(zip(tests.models, tests.ranks.tolist(), strict=True))
        cells = [ranks.get(model, np.nan) for model in comparison.models]
        rows.append(tuple(Cell(ours="-" if np.isnan(rank) else rank, digits=2) for rank in cells))
        labels.append("mean rank")
        against = [
            "-"
            if model == comparison.reference or np.isnan(means[:, j]).all()
            else f"{signs[model, BETTER]} / {signs[model, WORSE]}"
            for j, model in enumerate(comparison.models)
        ]
        rows.append(tuple(Cell(ours=text) for text in against))
        labels.append(f"{BETTER} / {WORSE}")
    words = explain_table(comparison, measure, BETTER, WORSE)
    return Table(f"Mean {measure.title}", tuple(labels), comparison.models, tuple(rows), words, "data set")


def _cell(measure: Measure, mean: float, error: float, flag: str) -> Cell:
    if np.isnan(mean):
        return Cell(ours="-")
    shown = None if np.isnan(error) else error * measure.scale
    return Cell(ours=mean * measure.scale, se=shown, digits=measure.digits, flag=flag)


def _named(comparison: Comparison, dataset: str, measure: Measure, row: list[Cell]) -> list[Cell]:
    """Return a row where a model that failed is told from one that has no such measure."""
    failed = {failure.model for failure in comparison.failures_ if failure.dataset == dataset}
    return [
        Cell(ours=_FAILED) if model in failed else cell
        for model, cell in zip(comparison.models, row, strict=True)
    ]


def _flag(comparison: Comparison, measure: Measure, model: str, dataset: str) -> str:
    """Return the sign of a score that differs from the reference by the corrected t-test."""
    if model == comparison.reference:
        return ""
    test = comparison.paired(model, comparison.reference, dataset, measure.name)
    if not test.pvalue < comparison.protocol.alpha:
        return ""
    return BETTER if (test.difference > 0) == measure.higher_is_better else WORSE


def _pairs(tests: RankTests) -> Table:
    """Return p of each pair: Nemenyi above the diagonal, Wilcoxon with Holm below."""
    assert tests.wilcoxon is not None
    n_models = len(tests.models)
    order = np.argsort(tests.ranks, kind="stable")
    letters = [_letter(i) for i in range(n_models)]
    cells: list[list[Cell | None]] = [[None] * n_models for _ in range(n_models)]
    for i, j in combinations(range(n_models), 2):
        at = order[i], order[j]
        cells[j][i] = Cell(ours=_told(tests.wilcoxon[at]))
        if tests.nemenyi is not None:
            cells[i][j] = Cell(ours=_told(tests.nemenyi[at]))
    title = "p of each pair, best mean rank first: Wilcoxon with Holm's adjustment below the diagonal"
    if tests.nemenyi is not None:
        title += ", Nemenyi above"
    rows = tuple(f"{letter}  {tests.models[i]}" for letter, i in zip(letters, order, strict=True))
    return Table(title, rows, tuple(letters), tuple(map(tuple, cells)), explain_pairs(tests), "model")


def _letter(place: int) -> str:
    """Return A, B, ..., Z, AA, AB, ..."""
    above, place = divmod(place, len(ascii_uppercase))
    return (_letter(above - 1) if above else "") + ascii_uppercase[place]


def _told(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"{p:.3f}"
