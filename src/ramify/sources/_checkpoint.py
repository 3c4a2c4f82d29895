"""The file from which a fit goes on: schema and partial tree, written whole after every pass."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ramify import _core
from ramify.sources._coded_schema import CodedSchema, read_coded_schema
from ramify.sources._json_file import JsonFile
from ramify.tree import Tree

#: Parameters that the tree does not depend on.
_LEFT_OUT = ("n_jobs", "handle_unknown", "smoothing", "cost_matrix", "pruning", "confidence", "ccp_alpha")


@dataclass(frozen=True)
class Population:
    """What the stop rules and scores must know of all rows."""

    rows: int
    totals: list[float]
    unit: bool
    whole: bool
    smallest: float
    class_weight: list[float]
    seed: int  # of the draws of columns


@dataclass(frozen=True)
class Begun:
    """A fit that was begun: all that its first passes found, and the tree as far as it has grown."""

    coded: CodedSchema
    population: Population
    rows: dict[str, Any] | None = None  # the identity of the file that keeps them as codes
    tree: _core.Tree | None = None
    open_nodes: list[int] | None = None


class CheckpointError(ValueError):
    """A checkpoint is of another fit, or damaged; the text says so."""


_FILE = JsonFile("checkpoint", "ramify-checkpoint", 2, CheckpointError)


def describe(estimator: Any, source: Any) -> dict[str, str]:
    """Return what two fits must agree in for one to go on from the other's checkpoint."""
    parameters = estimator.get_params()
    told = {name: repr(value) for name, value in sorted(parameters.items()) if name not in _LEFT_OUT}
    data = json.dumps(source.description, sort_keys=True, default=str).encode()
    return told | {
        "target": repr(source.target),
        "weight": repr(source.weight),
        "quantiles": repr(source.quantiles),
        "data": hashlib.sha256(data).hexdigest(),
    }


def write(path: Path, what: dict[str, str], begun: Begun) -> None:
    """Write a checkpoint in the place of the last one.

    Raises
    ------
    OSError
        If it can't be written; the last one is still there then.
    """
    from ramify.model_file.arrays import write_tree

    tree = None if begun.tree is None else write_tree(Tree(begun.tree))
    grown = {"rows": begun.rows, "tree": tree, "open": begun.open_nodes}
    document = {"of": what, "population": vars(begun.population)} | begun.coded.to_document() | grown
    _FILE.write(path, document)


def read(path: Path, what: dict[str, str]) -> Begun | None:
    """Read a checkpoint; None if there is none.

    Raises
    ------
    CheckpointError
        If it is of another fit, or damaged. It is left as it is.
    """
    document = _FILE.read(path)
    if document is None:
        return None
    old = document["of"]
    told = [f"{name} is another" for name in sorted({*old, *what}) if old.get(name) != what.get(name)]
    if told:
        raise CheckpointError(
            f"checkpoint={os.fspath(path)!r} is of another fit: {'; '.join(told)}. It was left as it is; "
            "give another name, or delete it to start anew."
        )
    return _read(document)


def _read(document: dict[str, Any]) -> Begun:
    from ramify.model_file.arrays import read_tree
    from ramify.model_file.place import Place

    coded, tree = read_coded_schema(document), None
    if document["tree"] is not None:
        tree = read_tree(Place(document).field("tree"), coded.schema).core
    population = Population(**document["population"])
    return Begun(coded, population, document["rows"], tree, document["open"])
