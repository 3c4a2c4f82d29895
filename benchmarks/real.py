"""The eleven data sets on which q was first tuned, from a folder of CSV files or made in their shape."""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from .workloads import SEED, Data

#: RAMIFY_DATA, or the folder beside the checkout.
FOLDER = Path(os.environ.get("RAMIFY_DATA") or Path(__file__).resolve().parents[2] / "shared" / "data")


@dataclass(frozen=True)
class Shape:
    """What a data set looks like: rows, numeric columns, categories of nominal ones, and classes."""

    file: str
    rows: int
    numeric: int
    categories: tuple[int, ...]
    classes: int


#: By the names of Wang and Xia (2016), Table 1. Their size there is not told for all: Hayes is the training
#: part, Monks are the 432 cases of the second problem.
SHAPES = {
    "yeast": Shape("yeast", 1484, 8, (), 10),
    "glass": Shape("glass", 214, 9, (), 6),
    "vehicle": Shape("vehicle", 846, 18, (), 4),
    "wine": Shape("wine", 178, 13, (), 3),
    "haberman": Shape("haberman", 306, 3, (), 2),
    "car": Shape("car", 1728, 0, (4, 4, 4, 3, 3, 3), 4),
    "scale": Shape("balance-scale", 625, 4, (), 3),
    "hayes": Shape("hayes-roth-train", 132, 0, (3, 4, 4, 4), 3),
    "monks": Shape("monks-2-test", 432, 0, (3, 3, 2, 3, 4, 2), 2),
    "abalone": Shape("abalone", 4177, 7, (3,), 28),
    "cmc": Shape("cmc", 1473, 2, (4, 4, 2, 2, 4, 4, 2), 3),
}


@dataclass(frozen=True)
class Real:
    """One of the eleven, in shuffled rows; nominal columns are categories of a pandas frame."""

    name: str

    @property
    def there(self) -> bool:
        """Whether the folder has it."""
        return (FOLDER / f"{SHAPES[self.name].file}.csv").exists()

    @property
    def label(self) -> str:
        """Name and shape, and whether it is made."""
        shape = SHAPES[self.name]
        columns = shape.numeric + len(shape.categories)
        name = self.name if self.there else f"{self.name}-like (made)"
        return f"{name}, {shape.rows:,} x {columns}, {shape.classes} classes"

    def make(self) -> Data:
        """Read the file, or draw data of the same shape."""
        columns, labels = self._read() if self.there else self._draw()
        order = np.random.default_rng(SEED).permutation(len(labels))
        classes, y = np.unique(labels, return_inverse=True)
        return Data(_together(columns, order), y[order].astype(np.int64), len(classes))

    def _read(self) -> tuple[dict[str, Any], list[str]]:
        """Numbers as they are, nominal columns with the categories that are declared."""
        shape = SHAPES[self.name]
        described = json.loads((FOLDER / "datasets.json").read_text(encoding="utf-8"))
        attributes = described["datasets"][shape.file]["attributes"]
        with (FOLDER / f"{shape.file}.csv").open(newline="", encoding="utf-8") as file:
            cells = list(zip(*list(csv.reader(file))[1:], strict=True))
        columns: dict[str, Any] = {}
        for j, attribute in enumerate(attributes):
            if attribute["kind"] == "numeric":
                columns[f"x{j}"] = np.array(cells[j], dtype=np.float32)
            else:
                columns[f"x{j}"] = (list(map(attribute["values"].index, cells[j])), len(attribute["values"]))
        return columns, list(cells[-1])

    def _draw(self) -> tuple[dict[str, Any], Any]:
        """Normal and uniform columns; the class is the largest noisy sum of their effects."""
        shape = SHAPES[self.name]
        rng = np.random.default_rng(SEED)
        pull = rng.gumbel(size=(shape.rows, shape.classes))
        columns: dict[str, Any] = {}
        for j in range(shape.numeric):
            numbers = rng.normal(size=shape.rows).round(2)
            pull += np.outer(numbers, rng.normal(size=shape.classes))
            columns[f"x{j}"] = numbers.astype(np.float32)
        for j, n in enumerate(shape.categories):
            codes = rng.integers(n, size=shape.rows)
            pull += rng.normal(size=(n, shape.classes))[codes]
            columns[f"n{j}"] = (codes, n)
        return columns, pull.argmax(axis=1)


def _together(columns: dict[str, Any], order: Any) -> Any:
    """Return an array of numbers or, with (codes, categories) among the columns, a frame."""
    if not any(isinstance(column, tuple) for column in columns.values()):
        return np.ascontiguousarray(np.column_stack(list(columns.values()))[order])
    import pandas as pd

    frame = {}
    for name, column in columns.items():
        if isinstance(column, tuple):
            codes, n = column
            frame[name] = pd.Categorical.from_codes(np.asarray(codes)[order], [f"v{i}" for i in range(n)])
        else:
            frame[name] = column[order]
    return pd.DataFrame(frame)
