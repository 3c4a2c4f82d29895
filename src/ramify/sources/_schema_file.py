"""The file that keeps what the first passes over a source find, for other fits to use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ramify.sources._coded_schema import CodedSchema, read_coded_schema
from ramify.sources._json_file import JsonFile


class SchemaError(ValueError):
    """A schema file does not go with a fit, or is damaged; the text says so."""


_FILE = JsonFile("schema", "ramify-source-schema", 1, SchemaError)


def write(path: Path, estimator: Any, source: Any, coded: CodedSchema) -> None:
    """Write a schema.

    Raises
    ------
    OSError
        If it can't be written; nothing is there then.
    """
    made = {"of": _describe(estimator, source), "quantiles": source.quantiles}
    _FILE.write(path, made | coded.to_document())


def read(path: Path, estimator: Any, source: Any) -> CodedSchema | None:
    """Read a schema; None if there is none.

    Raises
    ------
    SchemaError
        If it was made for another fit, or is damaged. It is left as it is.
    """
    document = _FILE.read(path)
    if document is None:
        return None
    old, new = document["of"], _describe(estimator, source)
    told = [
        f"{name} is {old.get(name)} there and {new[name]} here" for name in new if old.get(name) != new[name]
    ]
    if told:
        raise SchemaError(
            f"schema={os.fspath(path)!r} was made for another fit: {'; '.join(told)}. Give another "
            "name, or delete it to have it made anew."
        )
    return read_coded_schema(document)


def _describe(estimator: Any, source: Any) -> dict[str, str]:
    """Return what a schema depends on, beside the rows."""
    weights = estimator.class_weight
    if isinstance(weights, dict):
        weights = dict(sorted(weights.items(), key=repr))
    nominal = estimator.categorical_features
    if nominal is not None and not isinstance(nominal, str):
        nominal = list(nominal)
    return {
        "target": repr(source.target),
        "weight": repr(source.weight),
        "max_bins": repr(int(estimator.max_bins)),
        "cuts": repr(estimator.cuts),
        "categorical_features": repr(nominal),
        "class_weight": repr(weights),
    }
