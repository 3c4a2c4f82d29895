"""Heart with nominal attributes, as its documentation has them: nearer to what Berzal and others print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ramify.experiments.estimate import over_folds
from ramify.experiments.journal import Unit
from ramify.experiments.report import Cell, Section, Table
from ramify.experiments.reproduce import _sets
from ramify.experiments.reproduce._berzal_trees import N_FOLDS, Folds, _evaluate, as_published

HEART = "heart-statlog"
#: Numbers in the file; the repository's description says that they are names of categories.
NOMINAL = ("chest", "resting_electrocardiographic_results", "thal")

_WORDS = (
    "In the file of Heart all attributes are numbers, and so they are above. The sizes that the paper prints "
    "can't be those of binary trees alone: such a tree has an odd number of nodes, so the mean of ten has an "
    "even last digit, and 87.5 and 98.7 have not. The repository's description calls chest pain, the "
    "electrocardiogram and thal nominal. With a branch for each of their values the sizes by Entropy and "
    "Gini come out, or within a few tenths of a node: the authors seem to have had it so."
)


def units(criteria: Sequence[str]) -> list[Unit]:
    """Return the units of the section."""
    return [("nominal", HEART, criterion) for criterion in criteria]


def run_unit(unit: Unit) -> Folds:
    """Grow, prune and test the trees of ("nominal", set, criterion), fold by fold."""
    import pandas as pd

    data = _sets.load(str(unit[1]))
    X = data.X.assign(**{name: pd.Categorical(data.X[name].astype(str)) for name in NOMINAL})
    folds = _sets.every_nth(len(data.y), N_FOLDS)
    return _evaluate(lambda: as_published(str(unit[2])), X, data.y, folds)


def kinds_section(
    values: dict[str, Any], tables: Sequence[tuple[str, str, str, int]], results: Mapping[Unit, Folds]
) -> Section:
    """Return the four rows of Heart again, from the trees of these units.

    Parameters
    ----------
    values : dict
        What the paper prints.
    tables : sequence of tuples
        Number of each table, what it holds, the key of a unit's result, and the decimals printed.
    results : mapping
        Of `units`.
    """
    criteria = values["criteria"]
    rows, labels = [], []
    for number, what, key, digits in tables:
        labels.append(f"Table {number}: {what}")
        row = []
        for printed, unit in zip(values[f"table_{number}"][HEART], units(criteria), strict=True):
            folds = results[unit][key]
            estimate = over_folds(folds, N_FOLDS)
            # Sizes as published are no estimates: they must come out as they are, or differ.
            spread = (estimate.se, estimate.freedom) if "accuracy" in key else (None, None)
            row.append(Cell(printed, float(np.mean(folds)), digits, *spread))
        rows.append(tuple(row))
    table = Table(
        "Heart, three attributes nominal", tuple(labels), tuple(criteria), tuple(rows), corner="row"
    )
    return Section("Heart with nominal attributes", (table,), _WORDS)
