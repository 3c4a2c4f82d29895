"""The worked example of Berzal and others, Table 1: two attributes, a key, and seven measures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import measures
from ramify.experiments.report import Cell, Step, Steps, Table

Counts = NDArray[np.float64]
Measured = Callable[[Counts], float]


def _attributes(table: dict[str, Any]) -> dict[str, Counts]:
    first = np.array(table["A1"], dtype=np.float64)
    # A key has one branch a case; only the class totals matter, and both attributes have the same.
    key = np.repeat(np.eye(first.shape[1]), first.sum(axis=0).astype(int), axis=0)
    return {"A1": first, "A2": np.array(table["A2"], dtype=np.float64), "key": key}


def _printed(of_branch: Callable[[Counts], Counts], support: float) -> Measured:
    """Return the printed D' or GG': branches without support are left out of the sum."""

    def measured(counts: Counts) -> float:
        supported = counts.max(axis=1) >= support
        return float(of_branch(counts[supported]).sum() / counts.sum())

    return measured


def _named(criterion: str, support: float = 0.0, factor: float = 1.0) -> Measured:
    # Adding 0 makes 0 of a negative zero.
    return lambda counts: factor * float(measures.score(criterion, counts, min_support=support)) + 0.0


def worked_example(values: dict[str, Any]) -> tuple[Steps, Table]:
    """Return every figure of the example, and which attribute each measure picks.

    Parameters
    ----------
    values : dict
        The paper's "table_1".
    """
    attributes, support = _attributes(values), float(values["S"])
    # What is minimised is shown as the paper writes it, and picked by the smallest.
    ours: dict[str, tuple[Measured, bool, str]] = {
        "K": (_named("purity"), True, "sum of the largest counts / N"),
        "K'": (_named("purity", support), True, "the same over branches with support"),
        "K''": (_named("purity_flat", support), True, "K' times the number of branches with support"),
        "D": (_named("maxdif"), True, "sum of (largest count - others) / N, which is 2 K - 1"),
        "D'": (_named("maxdif", support), True, "a branch without support counts as wholly wrong"),
        "GG": (_named("generalized_gini", factor=-1.0), False, "misclassified / N, which is 1 - K"),
        "GG'": (
            _named("generalized_gini", support, -1.0),
            False,
            "a branch without support counts as wholly wrong",
        ),
    }
    printed: dict[str, tuple[Measured, bool, str]] = {
        "D' as printed": (_printed(lambda c: 2 * c.max(axis=1) - c.sum(axis=1), support), True, ""),
        "GG' as printed": (_printed(lambda c: c.sum(axis=1) - c.max(axis=1), support), False, ""),
    }
    steps, picks = [], []
    for name, (measured, high, how) in (ours | printed).items():
        scores = {attribute: measured(counts) for attribute, counts in attributes.items()}
        for attribute, score in scores.items():
            published = values.get(name, {}).get(attribute)
            steps.append(Step(f"{name}({attribute})", Cell(published, score, digits=3), how))
        best = (max if high else min)(scores.values())
        pick = next(attribute for attribute, score in scores.items() if score == best)
        wanted = values["wanted"] if "'" in name else None
        erratum = "" if wanted in (None, pick) else f"The formula as printed picks {pick}, not {wanted}."
        picks.append(Cell(wanted, pick, erratum=erratum))
    words = (
        "A key is an attribute with another value in each of the 200 cases. Support S = 3. An unsupported "
        "branch must not earn anything; the printed D' and GG' leave it out of the sum, which for GG', an "
        "impurity, is a perfect score."
    )
    table = Table(
        "Table 1: the attribute that each measure picks",
        tuple(ours | printed),
        ("picked",),
        tuple((cell,) for cell in picks),
        "The text wants A1 of every measure with a support.",
        "measure",
    )
    return Steps("Table 1: every figure of the worked example", tuple(steps), words), table
