"""The schema of a source, and how its columns become codes: what the first passes find, to JSON and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify import _core
from ramify.schema import Schema


@dataclass(frozen=True)
class CodedSchema:
    """Columns and classes, and the coding of every column."""

    schema: Schema
    codings: list[_core.Coding]

    def to_document(self) -> dict[str, Any]:
        """Return this as JSON has it."""
        from ramify.model_file.schema import write_schema

        return {
            "schema": write_schema(self.schema),
            "codings": [_write_coding(coding) for coding in self.codings],
        }


def read_coded_schema(document: dict[str, Any]) -> CodedSchema:
    """Return what `CodedSchema.to_document` gave; other members of the document do not matter."""
    from ramify.model_file import VERSION as OF_MODELS
    from ramify.model_file.place import Place
    from ramify.model_file.schema import read_schema

    schema = read_schema(Place(document).field("schema"), OF_MODELS)
    return CodedSchema(schema, [_read_coding(entry) for entry in document["codings"]])


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
