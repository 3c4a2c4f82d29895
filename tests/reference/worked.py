"""Material for tests: the figures and data sets beside the checkout, and the papers' examples."""

from __future__ import annotations

import csv
import json
import math
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from . import criteria as c
from .splits import Array, Table

DATA = Path(os.environ.get("RAMIFY_DATA", Path(__file__).parents[3] / "shared" / "data"))
FIGURES = DATA.parent / "figures.json"
LN2 = math.log(2)


def figures() -> dict[str, Any]:
    """figures.json: numbers from an independent computation; skips the test without the file."""
    if not FIGURES.exists():
        pytest.skip(f"no figures at {FIGURES}; RAMIFY_DATA names the data folder beside the file")
    contents: dict[str, Any] = json.loads(FIGURES.read_text(encoding="utf-8"))
    return contents


@cache
def load(name: str) -> tuple[list[Array], list[str], list[int | None], Array, int]:
    """Columns, kinds, numbers of categories, classes, number of classes of one data set.

    Categories are coded in the order of datasets.json, classes in sorted order. Only for sets
    without missing values.
    """
    path = DATA / f"{name}.csv"
    if not path.exists():
        pytest.skip(f"no data at {path}; RAMIFY_DATA names the folder")
    described = json.loads((DATA / "datasets.json").read_text(encoding="utf-8"))
    attributes = described["datasets"][name]["attributes"]
    with path.open(newline="", encoding="utf-8") as file:
        columns = list(zip(*list(csv.reader(file))[1:], strict=True))
    X: list[Array] = []
    for attribute, cells in zip(attributes, columns[:-1], strict=True):
        if attribute["kind"] == "numeric":
            X.append(np.array(cells, dtype=float))
        else:
            X.append(np.array([attribute["values"].index(cell) for cell in cells]))
    kinds = [attribute["kind"] for attribute in attributes]
    sizes = [len(a["values"]) if a["kind"] == "nominal" else None for a in attributes]
    classes, y = np.unique(columns[-1], return_inverse=True)
    return X, kinds, sizes, y, len(classes)


# Tables of the lecture (classes yes, no) and of Berzal et al. 2003, Table 1
TABLES: dict[str, Table] = {
    name: np.array(rows, dtype=float)
    for name, rows in {
        "age": [[2, 3], [4, 0], [3, 2]],
        "income": [[2, 2], [4, 2], [3, 1]],
        "student": [[3, 4], [6, 1]],
        "credit_rating": [[6, 2], [3, 3]],
        "A1": [[90, 10, 0], [0, 85, 15]],
        "A2": [[90, 9, 0], [0, 84, 13], [0, 2, 2]],
        # The key of Table 1: each of the 200 cases alone, classes of 90, 95 and 15 cases.
        "Akey": np.eye(3)[np.repeat([0, 1, 2], [90, 95, 15])],
    }.items()
}

# Worked by hand: gain in bits, gain ratio, Gini index, gain at q = 0.5, gain ratio at
# q = 2, LM, D, d_2, e_2
WORKED: dict[str, list[float]] = {
    line.split()[0]: [float(word) for word in line.split()[1:]]
    for line in """
age .2467498 .1564276 .3428571 .2172929 .1753846 .1086553 .4285714 .9269841 .9046249
income .0292226 .0187726 .4404762 .0153622 .0286458 .0118419 .2857143 1.0817460 .9860989
student .1518355 .1518355 .3673469 .0844289 .1836735 .0848978 .4285714 .7673469 .8888889
credit_rating .0481270 .0488486 .4285714 .0254411 .0625000 .0256351 .2857143 .8857143 .9655172
A1 .7694061 .7694061 .2175000 .6936044 .6975000 .4998033 .7500000 .3069737 .4470848
A2 .7956173 .7095066 .2043955 .7110071 .6967450 .4867429 .7600000 .3208867 .4562954
""".strip().split("\n")
}


# Formulas as the papers print them, and what the names of figures.json mean


def divergence(table: Table) -> float:
    """sum_j p_j KL(row j || mixture), in nats: Jensen-Shannon divergence weighted by size."""
    p = table / table.sum()
    independent = np.outer(p.sum(axis=1), p.sum(axis=0))
    held = p > 0
    return float(np.sum(p[held] * np.log(p[held] / independent[held])))


def as_printed(table: Table, s: float, branch: Callable[[float, float], float]) -> float:
    """001's D' and GG' to the letter: branches without support are left out of the sum."""
    total = sum(branch(row.sum(), row.max()) for row in table if row.max() >= s)
    return float(total / table.sum())


def mpi_as_printed(table: Table) -> float:
    """001's MPI with p_k to the first power however many branches there are (erratum 4)."""
    held = table[table.sum(axis=1) > 0]
    sizes, p_class = held.sum(axis=1), held.sum(axis=0) / held.sum()
    products = np.prod(held / sizes[:, None], axis=0)
    return float(np.prod(sizes / held.sum()) * (1 - np.sum(products / p_class)))


def h_beta(shares: Table, beta: float, constant: float) -> float:
    """The entropy of Simovici and Jaroszewicz, to the letter, with any positive constant."""
    held = shares[shares > 0]
    if beta == 1:
        return float(-constant * np.sum(held * np.log2(held)))
    return constant * abs(1 - float(np.sum(held**beta)))


def class_given_branch(table: Table, q: float) -> float:
    """H_q(class given branch), out of the public functions: S_q of the parent less the gain."""
    return c.entropy(table.sum(axis=0) / table.sum(), q) - c.gain(table, q)


def branch_shares(table: Table) -> Table:
    return np.asarray(table.sum(axis=1) / table.sum())


# Functions of a table and of the argument that stands in braces, as in "K1{S:3}" (0 without one)
MEASURES: dict[str, Callable[[Table, float], float]] = {
    "info": lambda t, _: class_given_branch(t, 1) / LN2,
    "shannon_gain": lambda t, _: c.gain(t, 1) / LN2,
    "split_info": lambda t, _: c.entropy(branch_shares(t), 1) / LN2,
    "js_divergence": lambda t, _: divergence(t) / LN2,
    "gain_ratio": lambda t, _: c.gain_ratio(t),
    "gini_index": lambda t, _: class_given_branch(t, 2),
    "gini_gain": lambda t, _: c.gain(t),
    "lopez": lambda t, _: c.lopez_de_mantaras(t),
    "mpi": lambda t, fixed: c.mpi(t) if fixed else mpi_as_printed(t),
    "K": lambda t, _: c.purity(t),
    "K1": c.purity,
    "K2": c.purity_flat,
    "D": lambda t, _: c.maxdif(t),
    "D_clip": lambda t, _: c.maxdif_clipped(t),
    "D1": lambda t, s: as_printed(t, s, lambda size, top: 2 * top - size),
    "D1_fixed": c.maxdif,
    "GG": lambda t, _: -c.generalized_gini(t),
    "GG1": lambda t, s: as_printed(t, s, lambda size, top: size - top),
    "GG1_fixed": lambda t, s: -c.generalized_gini(t, s),
    "tsallis_gain": c.gain,
    "tsallis_gain_ratio": c.gain_ratio,
    "h_beta_cond": class_given_branch,
    "d_beta": lambda t, beta: -c.distance(t, beta),
    "e_beta": lambda t, beta: -c.normalized_distance(t, beta),
    "beta_gain_ratio": c.gain_ratio,
}


# Examples

BUYS_COLUMNS: dict[str, list[str]] = {
    "age": ["<=30", "31..40", ">40"],
    "income": ["high", "medium", "low"],
    "student": ["no", "yes"],
    "credit_rating": ["fair", "excellent"],
}
BUYS_ROWS = """
<=30 high no fair no, <=30 high no excellent no, 31..40 high no fair yes, >40 medium no fair yes,
>40 low yes fair yes, >40 low yes excellent no, 31..40 low yes excellent yes,
<=30 medium no fair no, <=30 low yes fair yes, >40 medium yes fair yes,
<=30 medium yes excellent yes, 31..40 medium no excellent yes, 31..40 high yes fair yes,
>40 medium no excellent no
"""


def buys_computer() -> tuple[list[Array], Array]:
    """The 14 rows of the lecture: codes in the order of BUYS_COLUMNS, classes 0 = no, 1 = yes."""
    cells = list(zip(*[row.split() for row in BUYS_ROWS.split(",")], strict=True))
    X = [
        np.array([values.index(cell) for cell in column])
        for values, column in zip(BUYS_COLUMNS.values(), cells[:-1], strict=True)
    ]
    return X, np.array([cell == "yes" for cell in cells[-1]], dtype=int)


def r_normals(seed: int, n: int) -> Array:
    """The first n of R's ``set.seed(seed); rnorm(n)``: Mersenne Twister, inversion."""
    words = [seed]
    for _ in range(50 + 625):
        words.append((69069 * words[-1] + 1) % 2**32)
    # R replaces the first of the 625 words by 624, the position: the key is the other 624.
    key = np.array(words[-624:], dtype=np.uint32)
    generator = np.random.MT19937()
    generator.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": 624}}
    uniform = generator.random_raw(2 * n) * 2.3283064365386963e-10
    big = 134217728  # two uniforms for each normal, since one has only 32 bits
    quantiles = (np.floor(big * uniform[::2]) + uniform[1::2]) / big
    # Wichura's AS 241, which is R's algorithm too.
    return np.array([NormalDist().inv_cdf(u) for u in quantiles])


def overlapping_normals() -> tuple[Array, Array]:
    """Overlapping normals: 1000 cases of class 0 around 10 and 1000 of class 1 around 7."""
    normals = r_normals(83, 2000)
    x = np.concatenate([10 + 2 * normals[:1000], 7 + 1.5 * normals[1000:]])
    return x, np.repeat([0, 1], 1000)


def partitions(n: int) -> list[list[int]]:
    """Every partition of n things, as the block number of each thing."""
    if n == 0:
        return [[]]
    return [[*p, b] for p in partitions(n - 1) for b in range(max(p, default=-1) + 2)]
