"""The file from which a fit goes on: schema and partial tree, written whole after every pass."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify._whole_file import write_whole
from ramify.schema import Schema
from ramify.tree import Tree

FORMAT = "ramify-checkpoint"
VERSION = 2

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

    schema: Schema
    codings: list[_core.Coding]
    population: Population
    rows: dict[str, Any] | None = None  # the identity of the file that keeps them as codes
    tree: _core.Tree | None = None
    open_nodes: list[int] | None = None


class CheckpointError(ValueError):
    """A checkpoint is of another fit, or damaged; the text says so."""


def describe(estimator: Any, source: Any) -> dict[str, str]:
    """Return what two fits must agree in for one to go on from the other's checkpoint."""
    parameters = estimator.get_params()
    told = {name: repr(value) for name, value in sorted(parameters.items()) if name not in _LEFT_OUT}
    data = json.dumps(source.description, sort_keys=True, default=str).encode()
    return told | {
        "target": repr(source.target),
        "weight": repr(source.weight),
        "data": hashlib.sha256(data).hexdigest(),
    }


def write(path: Path, what: dict[str, str], begun: Begun) -> None:
    """Write a checkpoint in the place of the last one.

    Raises
    ------
    OSError
        If it can't be written; the last one is still there then.
    """
    from ramify import __version__
    from ramify.model_file.arrays import write_tree
    from ramify.model_file.schema import write_schema

    document: dict[str, Any] = {
        "format": FORMAT,
        "version": VERSION,
        "ramify": __version__,
        "of": what,
        "schema": write_schema(begun.schema),
        "codings": [_write_coding(coding) for coding in begun.codings],
        "population": vars(begun.population),
        "rows": begun.rows,
        "tree": None,
        "open": begun.open_nodes,
    }
    if begun.tree is not None:
        document["tree"] = write_tree(Tree(begun.tree))
    content = json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    digest = hashlib.sha256(content).hexdigest().encode()
    try:
        write_whole(path, digest + b"\n" + content)
    except OSError as error:
        raise OSError(
            error.errno, f"the checkpoint {os.fspath(path)!r} can't be written ({error.strerror})"
        ) from error


def read(path: Path, what: dict[str, str]) -> Begun | None:
    """Read a checkpoint; None if there is none.

    Raises
    ------
    CheckpointError
        If it is of another fit, or damaged. It is left as it is.
    """
    if not path.exists() or path.stat().st_size == 0:
        return None
    digest, _, content = path.read_bytes().partition(b"\n")
    if digest != hashlib.sha256(content).hexdigest().encode():
        raise CheckpointError(
            f"checkpoint={os.fspath(path)!r} is damaged, or no checkpoint; it was left as it was."
        )
    document = json.loads(content)
    if document.get("format") != FORMAT or document.get("version") != VERSION:
        raise CheckpointError(f"checkpoint={os.fspath(path)!r} is no checkpoint that this version reads.")
    old = document["of"]
    told = [f"{name} is another" for name in sorted({*old, *what}) if old.get(name) != what.get(name)]
    if told:
        raise CheckpointError(
            f"checkpoint={os.fspath(path)!r} is of another fit: {'; '.join(told)}. It was left as it is; "
            "give another name, or delete it to start anew."
        )
    return _read(document)


def _read(document: dict[str, Any]) -> Begun:
    from ramify.model_file import VERSION as OF_MODELS
    from ramify.model_file.arrays import read_tree
    from ramify.model_file.place import Place
    from ramify.model_file.schema import read_schema

    whole = Place(document)
    schema = read_schema(whole.field("schema"), OF_MODELS)
    codings = [_read_coding(entry) for entry in document["codings"]]
    tree = None if document["tree"] is None else read_tree(whole.field("tree"), schema).core
    population = Population(**document["population"])
    return Begun(schema, codings, population, document["rows"], tree, document["open"])


def _write_coding(coding: _core.Coding) -> dict[str, Any]:
    kind = "nominal" if coding.nominal else ("edges" if len(coding.edges) else "values")
    numbers: NDArray[np.float64] = coding.edges if kind == "edges" else coding.values
    return {
        "kind": kind,
        "n_codes": coding.n_codes,
        "missing": coding.has_missing,
        "numbers": numbers.tolist(),
    }


def _read_coding(entry: dict[str, Any]) -> _core.Coding:
    numbers = np.array(entry["numbers"], dtype=np.float64)
    missing = bool(entry["missing"])
    if entry["kind"] == "nominal":
        return _core.Coding(int(entry["n_codes"]), has_missing=missing)
    if entry["kind"] == "edges" or entry["n_codes"] > len(numbers):
        return _core.Coding(edges=numbers, has_missing=missing)
    return _core.Coding(values=numbers, has_missing=missing)
