"""Models that a command reads."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ramify import TreeClassifier, load_model, save_model
from ramify.tables import DataError
from ramify.tables.errors import why_not


def save_fitted(model: TreeClassifier, target: str, path: Path) -> None:
    """Write a model with the column that it was fitted to, which `ramify predict` compares with."""
    model.provenance_ = replace(model.provenance_, target=target)
    save_model(model, path)


def read_model(path: Path) -> TreeClassifier:
    """Read a model that `ramify fit --save` or `save_model` wrote.

    Raises
    ------
    DataError
        If there is none, or it can't be read.
    ModelFormatError
        If the file is no model.
    """
    try:
        return load_model(path)
    except FileNotFoundError:
        raise DataError(f"there is no model {path}; `ramify fit DATA --save {path}` makes one.") from None
    except OSError as error:
        raise DataError(f"the model {path} can't be read: {why_not(error)}.") from None
