"""What the tests of a comparison say, and what they do not, in plain words."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from ramify.experiments.scoring import Measure
from ramify.experiments.significance import RankTests

if TYPE_CHECKING:
    from ramify._choice import Floats
    from ramify.experiments.comparison import Comparison

#: Data sets from which on the chi-square of Friedman's test may be relied on (Demsar 2006).
_MANY = 10

#: Pairs that are named before the rest is counted.
_NAMED = 6


def told(p: float) -> str:
    """Return p in words."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def answer(comparison: Comparison, measure: Measure) -> str:
    """Return what was found by one measure, in a sentence or two."""
    tests = comparison.tests(measure.name)
    n_data = len(tests.datasets)
    start = f"By {measure.name}: "
    if len(tests.models) < 2:
        return start + "there are no two models to compare."
    if tests.wilcoxon is None:
        if n_data == 0 or not tests.reasons["wilcoxon"].startswith("All"):
            return f"{start}no test across data sets. {tests.reasons['wilcoxon']}"
        return f"{start}{_one_line(tests.reasons['wilcoxon'])}"
    order = np.argsort(tests.ranks, kind="stable")
    best = tests.models[order[0]]
    ranked = f"{best} has the best mean rank ({tests.ranks[order[0]]:.2f} of {len(tests.models)})"
    if tests.friedman is None:
        p = float(tests.wilcoxon[0, 1])
        said = "the two differ" if p < tests.alpha else "no difference is shown"
        return f"{start}{said} across {n_data} data sets (Wilcoxon, {told(p)}); {ranked}."
    p = tests.friedman.f_pvalue
    if p >= tests.alpha:
        return f"{start}no difference is shown across {n_data} data sets (Friedman, {told(p)}); {ranked}."
    n_apart, n_pairs = len(_apart(tests, tests.wilcoxon)), _n_pairs(tests)
    which = f"{n_apart} of {n_pairs} pairs are told apart" if n_apart else "no single pair is told apart"
    which += " (Wilcoxon, adjusted by Holm)"
    return f"{start}the models differ across {n_data} data sets (Friedman, {told(p)}); {which}; {ranked}."


def _one_line(reason: str) -> str:
    return reason[0].lower() + reason[1:]


def explain_table(comparison: Comparison, measure: Measure, better: str, worse: str) -> str:
    """Return how to read the table of means."""
    plan, means = comparison.protocol, comparison.means(measure.name)
    tested = means.drop(columns=comparison.reference).loc[means[comparison.reference].notna()]
    chance = plan.alpha * int(tested.notna().to_numpy().sum())
    lines = [
        "±: the standard error of the mean, corrected for training rows that folds share (Nadeau and "
        "Bengio 2003).",
        f"{better} better, {worse} worse than {comparison.reference} on that data set by the corrected "
        f"t-test at {plan.alpha:g}, each cell by itself: about {chance:.1f} of the signs here would be "
        "expected by chance if no two models differed.",
    ]
    if len(comparison.models) > 2 and measure.name == comparison.measures[0].name:
        lines.append(
            "Whoever picks the best model by this table should expect less of it on new data: the highest of "
            "several means is partly luck."
        )
    return "\n".join(lines)


def explain_ranks(comparison: Comparison, measure: Measure) -> str:
    """Return what the tests across data sets say, before the tables."""
    tests = comparison.tests(measure.name)
    lines = _left_out(comparison, measure, tests)
    if tests.friedman is None:
        return "\n".join([*lines, *dict.fromkeys(tests.reasons.values())])
    friedman, n_data = tests.friedman, len(tests.datasets)
    lines.append(
        f"Friedman's test over {n_data} data sets: chi-square {friedman.statistic:.2f} with "
        f"{len(tests.models) - 1} degrees of freedom, {told(friedman.pvalue)}; as F by Iman and Davenport "
        f"{friedman.f_statistic:.2f}, {told(friedman.f_pvalue)}."
    )
    if friedman.f_pvalue < tests.alpha:
        lines.append(
            "If all models were equally good on such data sets, mean ranks so different would be rare: some "
            "differ. The test does not say which, nor whether the difference is large enough to matter."
        )
    else:
        lines.append(
            "Mean ranks so different are common among models that are equally good: no difference is shown. "
            "That does not prove them equal; few data sets hide even large differences."
        )
    if n_data <= _MANY:
        lines.append(
            f"With {n_data} data sets both are approximations; take p near {tests.alpha:g} for undecided."
        )
    return "\n".join(lines)


def subject_lines(comparison: Comparison) -> list[str]:
    """Return what was compared, and on what."""
    models = zip(comparison.models, comparison.settings, strict=True)
    sizes = zip(comparison.datasets, comparison.sizes, strict=True)
    return [
        *(f"- {name}: {told}" for name, told in models),
        "- Rows x columns: "
        + ", ".join(f"{name} {rows} x {columns}" for name, (rows, columns) in sizes)
        + ".",
    ]


def failure_lines(comparison: Comparison) -> list[str]:
    """Return which models failed where and why; what kept all models from a data set is said once."""
    models: dict[tuple[str, str], list[str]] = {}
    for failure in comparison.failures_:
        models.setdefault((failure.dataset, failure.message), []).append(failure.model)
    every = len(comparison.models)
    return [
        f"- {'every model' if len(failed) == every else ', '.join(failed)} on {dataset}: {message}"
        for (dataset, message), failed in models.items()
    ]


def _left_out(comparison: Comparison, measure: Measure, tests: RankTests) -> list[str]:
    """Return which models and data sets the ranks and tests are without."""
    lines = []
    unranked = [model for model in comparison.models if model not in tests.models]
    baselines = [model for model in unranked if model in comparison.baselines]
    if baselines:
        lines.append(f"A baseline, so neither ranked nor tested across data sets: {', '.join(baselines)}.")
    without = [model for model in unranked if model not in baselines]
    if without:
        lines.append(f"No {measure.name} on any data set, so not ranked: {', '.join(without)}.")
    unused = [name for name in comparison.datasets if name not in tests.datasets]
    if unused and tests.models:
        lines.append(
            "Ranks and tests use only data sets where every ranked model has a score; left out: "
            f"{', '.join(unused)}."
        )
    return lines


def explain_pairs(tests: RankTests) -> str:
    """Return what the tests of pairs say."""
    assert tests.wilcoxon is not None
    lines = []
    pairs = _apart(tests, tests.wilcoxon)
    lines.append(
        "Wilcoxon's test looks at two models alone, and weighs data sets by the size of the difference: "
        f"{_list(pairs)}."
    )
    if tests.least_wilcoxon >= tests.alpha:
        lines.append(
            f"With {len(tests.datasets)} data sets and {_n_pairs(tests)} "
            f"{'pair' if _n_pairs(tests) == 1 else 'pairs'} its exact p is never below "
            f"{tests.least_wilcoxon:.3f}: no difference, however large, could be shown. More data sets or "
            "fewer models would help."
        )
    if tests.nemenyi is not None:
        lines.append(
            f"Nemenyi's test compares mean ranks, which must differ by {tests.critical_difference:.2f}; it "
            "is often the more cautious one, and depends on which other models are there: "
            f"{_list(_apart(tests, tests.nemenyi))}."
        )
        if tests.friedman is not None and tests.friedman.f_pvalue >= tests.alpha:
            lines.append("As Friedman's test shows no difference, pairs should not be read as if it did.")
    lines.append("Neither says how large a difference is: the table of means does.")
    return "\n".join(lines)


def _n_pairs(tests: RankTests) -> int:
    return len(tests.models) * (len(tests.models) - 1) // 2


def _apart(tests: RankTests, p: Floats) -> list[str]:
    """Return the pairs that a test tells apart, the better first."""
    order = np.argsort(tests.ranks, kind="stable").tolist()
    return [
        f"{tests.models[i]} before {tests.models[j]}"
        for i, j in combinations(order, 2)
        if p[i, j] < tests.alpha
    ]


def _list(pairs: list[str]) -> str:
    if not pairs:
        return "no pair is told apart"
    named = "; ".join(pairs[:_NAMED])
    return named if len(pairs) <= _NAMED else f"{named}; and {len(pairs) - _NAMED:,} more pairs"
