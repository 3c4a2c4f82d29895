"""Unbalanced classes: the study that Hart left open, twice.

Two normal classes, as in his paper, in shares from one half to one in fifty. Where a stump cuts and what
its leaves say are two things, and are kept apart: the cut is judged by the share of each class on its
side, in the population; the vote by how much of the rare class the stump finds.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from ramify import TreeClassifier, measures
from ramify.experiments.journal import Journal, Unit
from ramify.experiments.report import Cell, Figure, Section, Series, Table
from ramify.experiments.reproduce.study import Options

#: Shares of the class with the smaller mean.
SHARES = (0.5, 0.3, 0.2, 0.1, 0.05, 0.02)
_N_CASES = 2000
_REPETITIONS = {False: 1000, True: 200}

#: What is grown: names in the report, and the settings of the tree.
SETTINGS: dict[str, dict[str, Any]] = {
    "gain, q = 1": {"criterion": "gain", "q": 1},
    "gain, q = 2": {"criterion": "gain", "q": 2},
    "Jensen-Shannon": {"criterion": "jensen_shannon", "q": 1},
    "Hellinger": {"criterion": "hellinger"},
    "gain, balanced": {"criterion": "gain", "q": 1, "class_weight": "balanced"},
}


def one_share(unit: Unit, classes: dict[str, dict[str, float]], seed: int) -> dict[str, list[list[float]]]:
    """Return for every setting, a repetition: the cut, its balanced accuracy, and the rare class found."""
    _, share, repetitions = unit
    random = np.random.default_rng([seed, 2, SHARES.index(float(share))])
    rare = round(float(share) * _N_CASES)
    y = np.repeat([0, 1], [_N_CASES - rare, rare])
    means = np.array([classes[f"class_{k}"]["mean"] for k in (0, 1)])
    sds = np.array([classes[f"class_{k}"]["sd"] for k in (0, 1)])
    results: dict[str, list[list[float]]] = {name: [] for name in SETTINGS}
    for _ in range(int(repetitions)):
        x = random.normal(means[y], sds[y])
        for name, setting in SETTINGS.items():
            model = TreeClassifier(max_depth=1, **setting).fit(x[:, None], y)
            cut = float(model.tree_.threshold[0])
            left = ndtr((cut - means) / sds)
            votes = model.predict([[cut - 1e-9], [cut + 1e-9]])
            found = float(left[1] * (votes[0] == 1) + (1 - left[1]) * (votes[1] == 1))
            results[name].append([cut, float((1 - left[0] + left[1]) / 2), found])
    return results


def _limit(setting: dict[str, Any], share: float, classes: dict[str, dict[str, float]]) -> float:
    """Return the cut that the criterion takes with endless data: the best of a fine grid."""
    grid = np.linspace(3.0, 15.0, 12001)
    left = np.stack(
        [ndtr((grid - classes[f"class_{k}"]["mean"]) / classes[f"class_{k}"]["sd"]) for k in (0, 1)], axis=1
    )
    weights = np.array([0.5, 0.5]) if "class_weight" in setting else np.array([1 - share, share])
    tables = np.stack([left * weights, (1 - left) * weights], axis=1)
    scores = measures.score(setting["criterion"], tables, setting.get("q"))
    return float(grid[np.argmax(scores)])


def unbalanced_section(options: Options, journal: Journal, classes: dict[str, Any]) -> Section:
    """Return the study's tables, figure and answer."""
    repetitions = _REPETITIONS[options.quick]
    units: list[Unit] = [("unbalanced", share, repetitions) for share in SHARES]
    normals = {name: classes[name] for name in ("class_0", "class_1")}
    work = partial(one_share, classes=normals, seed=options.seed)
    results = journal.run(units, work, jobs=options.jobs, progress=options.progress)
    values = {
        share: {name: np.array(rows) for name, rows in result.items()}
        for share, result in zip(SHARES, results, strict=True)
    }
    limits = {
        name: [_limit(setting, share, normals) for share in SHARES] for name, setting in SETTINGS.items()
    }
    rarest = {name: 100 * float(rows[:, 1].mean()) for name, rows in values[SHARES[-1]].items()}
    costs = [rarest["Jensen-Shannon"] - rarest[name] for name in ("gain, q = 1", "gain, q = 2")]
    cost = (
        f" At a share of {SHARES[-1]:g} the cut by gain has {costs[0]:.1f} points less than that by the "
        f"equally weighted divergence with q = 1, and {costs[1]:.1f} points less with q = 2."
    )
    tables = (
        _table(values, 0, "Where the stump cuts", 3, _CUT_WORDS, limits),
        _table(values, 1, "Balanced accuracy of the cut, %", 2, _SIDES_WORDS + cost),
        _table(values, 2, "Share of the rare class that the stump finds, %", 2, _VOTE_WORDS),
    )
    figure = Figure(
        "The cut with endless data",
        tuple(Series(name, SHARES, tuple(cuts)) for name, cuts in limits.items()),
        "share of the rare class",
        "cut",
    )
    same = all(
        bool(np.allclose(per["Jensen-Shannon"][:, 0], per["gain, balanced"][:, 0])) for per in values.values()
    )
    told = "the same cut in every repetition" if same else "not the same cut in every repetition"
    words = (
        "Are decision trees biased by unbalanced classes? The author's hunch was yes for conditional "
        f"entropy and no for the divergence; both are right. {repetitions} samples of {_N_CASES:,} "
        "cases for every share of the class with the smaller mean, one stump for each; ± is the "
        "standard error of the mean. Gain with balanced class weights and the equally weighted "
        f"divergence gave {told}."
    )
    return Section("Unbalanced classes (left open in the paper)", (*tables, figure), words)


_CUT_WORDS = (
    "'limit' is the cut with endless data, from the true distributions. There the cut of the gain "
    "moves as one class grows rare, that of Gini more so; those of the equally weighted divergence "
    "and of Hellinger's distance do not move at all, for they see the distribution within each class "
    "and not its size. In samples they grow less certain, and Hellinger's drifts a little where the "
    "rare class has few cases."
)
_SIDES_WORDS = (
    "The mean of the share of the rare class to the left of the cut and of the other to the right, in "
    "the population: what moving the cut costs if both classes matter alike."
)
_VOTE_WORDS = (
    "With the stump's own votes. However good the cut, a leaf says the class that has more cases in "
    "it, so a rare class is not found at all once it is outnumbered on both sides. Weights that "
    "balance the classes cure both the cut and the vote."
)


def _table(
    values: dict[float, dict[str, NDArray[np.float64]]],
    place: int,
    title: str,
    digits: int,
    words: str,
    limits: dict[str, list[float]] | None = None,
) -> Table:
    scale = 1.0 if place == 0 else 100.0
    columns, cells = [], []
    for name in SETTINGS:
        columns.append(name)
        column = []
        for share in SHARES:
            numbers = values[share][name][:, place] * scale
            se = float(numbers.std(ddof=1) / np.sqrt(len(numbers)))
            column.append(Cell(ours=float(numbers.mean()), digits=digits, se=se, freedom=len(numbers) - 1))
        cells.append(column)
        if limits is not None:
            columns.append("limit")
            cells.append([Cell(ours=limit, digits=digits) for limit in limits[name]])
    rows = tuple(f"{share:g}" for share in SHARES)
    return Table(title, rows, tuple(columns), tuple(zip(*cells, strict=True)), words, "share")
