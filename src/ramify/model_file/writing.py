"""Models to files."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from ramify._answers import answering_of, check_cost_matrix
from ramify._whole_file import write_whole
from ramify.dialects import find_dialect
from ramify.estimator import TreeClassifier
from ramify.model_file.arrays import write_tree
from ramify.model_file.parameters import check_parameters, write_parameters
from ramify.model_file.place import is_text
from ramify.model_file.schema import write_schema
from ramify.provenance import Provenance

FORMAT = "ramify-model"
VERSION = 3


def save_model(model: TreeClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a JSON file, which `load_model` reads.

    The file is whole or not there: it is written beside its place and then moved there. A full disk or a
    crash leaves the old file as it was.

    Parameters
    ----------
    model : TreeClassifier
        Fitted, with parameters, classes and categories that are strings, numbers or booleans. A
        `TreeClassifierCV` is saved as the `TreeClassifier` that it chose, its `best_estimator_`. Of a
        criterion that is a Python function only the name is kept: the loaded model predicts, but can't be
        fitted again before it is given the function.
    path : str or path-like
        Where to write; an existing file is replaced.

    Raises
    ------
    ValueError
        If a parameter, class or category can't be written as JSON, or if a parameter was changed after fit
        to what does not go with the tree; the text names it.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from ramify import TreeClassifier, load_model, save_model
    >>> model = TreeClassifier().fit([[1.0], [2.0]], ["a", "b"])
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "model.json"
    >>> save_model(model, path)
    >>> load_model(path).predict([[1.2]])
    array(['a'], dtype='<U1')
    """
    check_is_fitted(model, "tree_")
    model = model._plain()
    document = to_document(model)
    write_whole(Path(path), json.dumps(document, ensure_ascii=False, allow_nan=False).encode())


def to_document(model: TreeClassifier) -> dict[str, Any]:
    """Return a fitted model as what JSON has: objects, lists and plain values."""
    from ramify import __version__

    try:
        check_parameters(model, model.schema_, model.tree_, model.class_weight_)
    except (TypeError, ValueError) as error:
        raise ValueError(f"The model can't be saved, a parameter was changed after fit: {error}") from None
    _check_answers(model)
    alpha = getattr(model, "ccp_alpha_", None)
    document = {
        "format": FORMAT,
        "version": VERSION,
        "ramify": __version__,
        "provenance": _write_provenance(model.provenance_),
        "parameters": write_parameters(model),
        "schema": write_schema(model.schema_),
        "class_weight": model.class_weight_.tolist(),
        "ccp_alpha": alpha,
        "tree": write_tree(model.tree_),
    }
    return document | {"checksum": checksum(document)}


def _write_provenance(provenance: Provenance) -> dict[str, Any]:
    """Return a provenance as JSON has it; what is younger than the format stands in it only if known."""
    written = asdict(provenance)
    if provenance.target is None:
        del written["target"]
    elif not is_text(provenance.target):
        raise ValueError(f"the target {provenance.target!r} has half a character (a lone surrogate)")
    return written


def _check_answers(model: TreeClassifier) -> None:
    """Refuse a model whose answers are not those of its parameters: they would change with the file."""
    costs = check_cost_matrix(model.cost_matrix, model.schema_.classes)
    wanted = answering_of(model.class_weight_, model.smoothing, costs, find_dialect(model.dialect))
    used = model._answers.answering
    names = {"smoothing": "smoothing", "costs": "cost_matrix", "voting": "dialect", "tolerance": "dialect"}
    for part, name in names.items():
        if not np.array_equal(wanted[part], used[part]):  # None and texts too
            raise ValueError(
                f"{name} was changed after fit, and the fitted model does not heed it; fit again "
                "before you save."
            )


def checksum(document: dict[str, Any]) -> str:
    """Return the SHA-256 of what a document says, without its own ``checksum``.

    It is that of the JSON text with sorted keys, no white space, and all characters beyond ASCII escaped;
    so white space and the order of keys may change in a file.
    """
    content = {name: value for name, value in document.items() if name != "checksum"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()
