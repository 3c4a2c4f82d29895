"""Tables and figures of Wang and Xia's study, from the folds of its runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ramify.experiments.estimate import over_folds
from ramify.experiments.report import Cell, Figure, Section, Series, Step, Steps, Table
from ramify.experiments.reproduce._utcdt_runs import GRID, N_FOLDS, Result
from ramify.experiments.reproduce._utcdt_tests import Values

TREES = ("ID3", "CART", "C4.5", "Tsallis", "Tsallis ratio")

#: By set and algorithm: accuracy and nodes of each fold. "q" has the one value that is shown.
Found = dict[str, dict[str, Result]]


def joined(results: list[Result]) -> Result:
    """Return the folds of all repetitions together."""
    return {key: [value for result in results for value in result[key]] for key in results[0]}


def printed_rows(values: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Return Table 1 as printed, by set and column."""
    return {name: dict(zip(values["columns"], row, strict=True)) for name, row in values["table_1"].items()}


def means_of(found: Found) -> Values:
    """Return the means of all columns of trees, for the tests."""
    return {
        name: {
            f"{algorithm} {what}": float(np.mean(row[algorithm][what]))
            for algorithm in TREES
            for what in ("accuracy", "nodes")
        }
        for name, row in found.items()
    }


def _cell(printed: float, folds: list[float] | None, interval: bool) -> Cell:
    if folds is None:
        return Cell(printed, None, 1)
    estimate = over_folds(folds, N_FOLDS)
    if not interval:
        return Cell(printed, estimate.mean, 1)
    return Cell(printed, estimate.mean, 1, estimate.se, estimate.freedom)


def tables_of(protocol: str, values: dict[str, Any], found: Found) -> tuple[Table, Table]:
    """Return Table 1 in two parts: accuracies, and sizes of trees with q."""
    printed = printed_rows(values)
    names = tuple(found)
    # Sizes of trees as published are no estimates: they must come out as they are, or differ.
    interval = protocol != "as published"
    accuracies = tuple(
        tuple(
            _cell(
                printed[name][f"{algorithm} accuracy"], found[name].get(algorithm, {}).get("accuracy"), True
            )
            for algorithm in (*TREES, "SVM")
        )
        for name in names
    )
    sizes = tuple(
        (
            *(
                _cell(printed[name][f"{algorithm} nodes"], found[name][algorithm]["nodes"], interval)
                for algorithm in TREES
            ),
            Cell(printed[name]["q"], found[name]["q"]["value"], 1),
        )
        for name in names
    )
    return (
        Table(f"Table 1, {protocol}: accuracy", names, (*TREES, "SVM"), accuracies, corner="data set"),
        Table(f"Table 1, {protocol}: nodes and q", names, (*TREES, "q"), sizes, corner="data set"),
    )


def mean_curves(repetitions: list[Result]) -> tuple[Any, Any]:
    """Return the mean accuracy and size of every order."""
    accuracy = np.mean([result["every q"]["accuracy"] for result in repetitions], axis=0)
    nodes = np.mean([result["every q"]["nodes"] for result in repetitions], axis=0)
    return accuracy, nodes


def best_q(repetitions: list[Result]) -> float:
    """Return the q of the highest mean accuracy; among equals the smaller tree, then the smaller q."""
    accuracy, nodes = mean_curves(repetitions)
    best = np.flatnonzero(accuracy >= accuracy.max() - 1e-9)
    return float(GRID[best[np.argmin(nodes[best])]])


def figure_section(claims: Mapping[str, Any], repetitions: list[Result], words: str) -> Section:
    """Return Figure 1: accuracy and size of the trees of one set over q."""
    accuracy, nodes = mean_curves(repetitions)
    name = claims["set"]
    marks = tuple((f"paper: {key}", float(q)) for key, q in claims.items() if key != "set")
    gini = int(np.flatnonzero(GRID == 2.0)[0])

    def curve(part: str, what: str, unit: str, points: Any) -> Figure:
        series = Series(what, tuple(GRID.tolist()), tuple(points.tolist()))
        return Figure(f"Figure 1 ({part}): {what}, {name}", (series,), "q", unit, marks)

    highest, smallest = "q of the highest accuracy", "q of the smallest tree"
    steps = (
        Step(highest, Cell(claims[highest], float(GRID[np.argmax(accuracy)]), 1)),
        Step(smallest, Cell(claims[smallest], float(GRID[np.argmin(nodes)]), 1)),
        Step(
            "highest accuracy less that of the Gini index", Cell(None, float(accuracy.max() - accuracy[gini]))
        ),
        Step("smallest tree less that of the Gini index", Cell(None, float(nodes.min() - nodes[gini]), 1)),
    )
    told = "Curves as flat as these have their highest point wherever the folds put it."
    blocks = (
        curve("a", "accuracy", "accuracy, %", accuracy),
        curve("b", "nodes", "nodes", nodes),
        Steps("Figure 1: what the text reads off it", steps, told),
    )
    return Section("Figure 1", blocks, words)
