"""Models as files: JSON that can be read, checked and trusted without running anything."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from ramify._answers import check_cost_matrix, check_smoothing
from ramify._whole_file import write_whole
from ramify.dialects import Dialect, find_dialect
from ramify.estimator import TreeClassifier
from ramify.schema import Column, Schema
from ramify.tree import ARRAYS, Tree

__all__ = ["ModelFormatError", "load_model", "save_model"]

FORMAT = "ramify-model"
VERSION = 2

#: The type of each array of a tree in a file.
_TYPES: dict[str, type[np.generic]] = dict.fromkeys(
    (
        "threshold",
        "counts",
        "impurity",
        "score",
        "gain",
        "unknown",
        "runner_threshold",
        "runner_score",
        "runner_gain",
    ),
    np.float64,
) | {
    **dict.fromkeys(("kind", "search", "exact", "runner_kind"), np.uint8),
    **dict.fromkeys(("routes_begin", "n_rows", "runner_begin", "runner_routes_begin"), np.int64),
}

_Scalar = str | int | float | bool


class ModelFormatError(ValueError):
    """A file is not a model, or not one that this version reads; the text says where."""


def save_model(model: TreeClassifier, path: str | os.PathLike[str]) -> None:
    """Write a fitted model to a JSON file.

    The file is whole or not there: it is written beside its place and then moved there.

    Parameters
    ----------
    model : TreeClassifier
        Fitted, with parameters, classes and categories that are strings, numbers or booleans.
    path : str or path-like
        Where to write; an existing file is replaced.

    Raises
    ------
    ValueError
        If a parameter, class or category can't be written as JSON; the text names it.

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
    from ramify import __version__

    check_is_fitted(model, "tree_")
    model = model._plain()
    document = {
        "format": FORMAT,
        "version": VERSION,
        "ramify": __version__,
        "parameters": {name: _parameter(name, value) for name, value in model.get_params().items()},
        "schema": write_schema(model.schema_),
        "class_weight": model.class_weight_.tolist(),
        "tree": {name: values.tolist() for name, values in model.tree_.arrays().items()},
    }
    write_whole(Path(path), json.dumps(document, ensure_ascii=False, allow_nan=False).encode())


def load_model(path: str | os.PathLike[str]) -> TreeClassifier:
    """Read a model that `save_model` wrote.

    Nothing in the file is believed: types, sizes, ranges and the shape of the tree are checked, and no
    code is run.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    TreeClassifier
        Fitted.

    Raises
    ------
    ModelFormatError
        If the file is damaged, is no model, or has a version that this one does not read.
    OSError
        If the file can't be read.
    """
    try:
        document = json.loads(Path(path).read_bytes(), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ModelFormatError(f"{path}: not JSON ({error})") from None
    try:
        return _read_document(document)
    except ModelFormatError as error:
        raise ModelFormatError(f"{path}: {error}") from None


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _scalar(value: Any, what: str) -> _Scalar:
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (str, bool, int)) or (isinstance(value, float) and np.isfinite(value)):
        return value
    raise ValueError(
        f"{what} is {value!r} ({type(value).__name__}), which a model file can't hold; strings, numbers and "
        "booleans can be saved. Pickle can keep other models, for the same version of ramify only."
    )


def _parameter(name: str, value: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, dict):
        return {"items": [[_scalar(k, name), _scalar(v, name)] for k, v in value.items()]}
    if isinstance(value, Dialect):
        return {"dialect": asdict(value)}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_item(name, item) for item in value]
    return _scalar(value, f"the parameter {name}")


def _item(name: str, item: Any) -> Any:
    if item is None:
        return None
    if isinstance(item, (list, tuple, np.ndarray)):
        return [_scalar(value, f"an item of {name}") for value in item]
    return _scalar(item, f"an item of {name}")


def write_schema(schema: Schema) -> dict[str, Any]:
    """Return a schema as JSON holds it."""
    return {
        "named": schema.named,
        "columns": [_write_column(column) for column in schema.columns],
        "classes": _write_classes(schema.classes),
    }


def _write_column(column: Column) -> dict[str, Any]:
    if column.categories is None:
        return {"name": column.name, "kind": "numeric"}
    categories = [_scalar(value, f"a category of {column.name!r}") for value in column.categories]
    return {"name": column.name, "kind": "nominal", "categories": categories}


def _write_classes(classes: NDArray[Any]) -> dict[str, Any]:
    return {"dtype": classes.dtype.str, "values": [_scalar(value, "a class") for value in classes]}


def _need(condition: bool, where: str, what: str) -> None:
    if not condition:
        raise ModelFormatError(f"{where}: {what}")


def _field(document: Any, name: str, kind: type[Any], where: str) -> Any:
    _need(isinstance(document, dict), where, "an object is needed")
    _need(name in document, where, f"{name!r} is missing")
    value = document[name]
    right = isinstance(value, kind) and not (kind is int and isinstance(value, bool))
    _need(right, f"{where}.{name}", f"a {kind.__name__} is needed, found a {type(value).__name__}")
    return value


def _read_document(document: Any) -> TreeClassifier:
    _need(_field(document, "format", str, "file") == FORMAT, "file.format", f"must be {FORMAT!r}")
    version = _field(document, "version", int, "file")
    if version != VERSION:
        raise ModelFormatError(
            f"file.version: is {version}, but this version of ramify reads {VERSION}; "
            + ("upgrade ramify" if version > VERSION else "the version is unknown")
        )
    schema = read_schema(_field(document, "schema", dict, "file"))
    tree = read_tree(_field(document, "tree", dict, "file"), schema)
    model = _read_parameters(_field(document, "parameters", dict, "file"))
    try:  # what prediction depends on must be what fitting would accept
        find_dialect(model.dialect)
        check_smoothing(model.smoothing)
        check_cost_matrix(model.cost_matrix, schema.classes)
    except ValueError as error:
        raise ModelFormatError(f"file.parameters: {error}") from None
    model._set_fitted(schema, tree, _read_class_weight(document, len(schema.classes)))
    return model


def _read_parameters(given: dict[str, Any]) -> TreeClassifier:
    known = TreeClassifier().get_params()
    for name in given:
        _need(name in known, "file.parameters", f"{name!r} is no parameter of TreeClassifier")
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name == "dialect" and isinstance(value, dict):
            values[name] = _read_dialect(value)
        elif isinstance(value, dict):
            items = _field(value, "items", list, f"file.parameters.{name}")
            pairs = all(isinstance(item, list) and len(item) == 2 for item in items)
            flat = pairs and all(not isinstance(x, (list, dict)) for item in items for x in item)
            _need(flat, f"file.parameters.{name}.items", "pairs of plain values are needed")
            values[name] = dict(items)
        else:
            values[name] = value
    return TreeClassifier(**values)


def _read_dialect(given: dict[str, Any]) -> Dialect:
    where = "file.parameters.dialect"
    rules = _field(given, "dialect", dict, where)
    defaults = asdict(Dialect())
    for name, value in rules.items():
        _need(name in defaults, where, f"{name!r} is no rule of a dialect")
        kinds: tuple[type, ...] = (type(defaults[name]),)
        if name == "pruning_z":
            kinds = (float, int, type(None))
        elif isinstance(defaults[name], float):
            kinds = (float, int)
        right = isinstance(value, kinds) and isinstance(value, bool) == isinstance(defaults[name], bool)
        _need(right, f"{where}.{name}", f"a {type(value).__name__} is not accepted")
    return Dialect(**rules)


def read_schema(given: dict[str, Any]) -> Schema:
    """Return the schema that JSON holds, checked."""
    columns = []
    for i, entry in enumerate(_field(given, "columns", list, "file.schema")):
        where = f"file.schema.columns[{i}]"
        name, kind = _field(entry, "name", str, where), _field(entry, "kind", str, where)
        _need(kind in ("numeric", "nominal"), f"{where}.kind", "must be 'numeric' or 'nominal'")
        categories = None
        if kind == "nominal":
            categories = tuple(_field(entry, "categories", list, where))
            plain = all(isinstance(value, (str, bool, int, float)) for value in categories)
            _need(plain, f"{where}.categories", "strings, numbers or booleans are needed")
            _need(len(set(categories)) == len(categories), f"{where}.categories", "must differ")
        columns.append(Column(name, categories))
    _need(bool(columns), "file.schema.columns", "at least one column is needed")
    return Schema(tuple(columns), _read_classes(given), _field(given, "named", bool, "file.schema"))


def _read_classes(given: dict[str, Any]) -> NDArray[Any]:
    where = "file.schema.classes"
    entry = _field(given, "classes", dict, "file.schema")
    values, dtype = _field(entry, "values", list, where), _field(entry, "dtype", str, where)
    plain = all(isinstance(value, (str, bool, int, float)) for value in values)
    _need(plain and bool(values), f"{where}.values", "strings, numbers or booleans are needed")
    if dtype == "|O":
        classes = np.empty(len(values), dtype=object)
        classes[:] = values
        return classes
    try:
        kind = np.dtype(dtype)
        _need(kind.kind in "iufbUS", f"{where}.dtype", f"{dtype!r} is no type of labels")
        classes = np.array(values, dtype=kind)
    except (TypeError, ValueError, OverflowError):
        raise ModelFormatError(f"{where}: values do not fit the dtype {dtype!r}") from None
    same = all(one == other for one, other in zip(classes.tolist(), values, strict=True))
    _need(same and len(set(values)) == len(values), where, f"values must differ and fit {dtype!r}")
    return classes


def _read_class_weight(document: Any, n_classes: int) -> NDArray[np.float64]:
    values = _field(document, "class_weight", list, "file")
    weights: NDArray[np.float64] = _read_array(values, np.float64, "file.class_weight")
    right = len(weights) == n_classes and bool(np.isfinite(weights).all()) and not (weights < 0).any()
    _need(right, "file.class_weight", f"{n_classes} finite numbers >= 0 are needed, one a class")
    return weights


def read_tree(given: dict[str, Any], schema: Schema) -> Tree:
    """Return the tree that JSON holds, checked."""
    arrays = {}
    for name in ARRAYS:
        values = _field(given, name, list, "file.tree")
        where = f"file.tree.{name}"
        if name == "counts":
            rows = all(isinstance(row, list) and len(row) == len(schema.classes) for row in values)
            _need(rows, where, f"rows of {len(schema.classes)} numbers are needed, one a class")
            values = [value for row in values for value in row]
        arrays[name] = _read_array(values, _TYPES.get(name, np.int32), where)
    try:
        tree = Tree.from_arrays(arrays, len(schema.classes))
        tree.validate(schema.n_categories)
    except ValueError as error:
        raise ModelFormatError(f"file.tree: {error}") from None
    return tree


def _read_array(values: list[Any], kind: type[np.generic], where: str) -> NDArray[Any]:
    wanted: tuple[type, ...] = (int, float) if kind is np.float64 else (int,)
    plain = all(isinstance(value, wanted) and not isinstance(value, bool) for value in values)
    _need(plain, where, f"a list of {'numbers' if float in wanted else 'integers'} is needed")
    try:
        return np.array(values, dtype=kind)
    except (OverflowError, ValueError):
        raise ModelFormatError(f"{where}: a number is out of range") from None
