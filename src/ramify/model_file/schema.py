"""The columns and classes of a model, to JSON and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify.model_file.parameters import plain
from ramify.model_file.place import Place, is_text
from ramify.schema import Column, Schema

#: The types of JSON that the classes of a dtype have, by its letter.
_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "b": (bool,),
    "i": (int,),
    "u": (int,),
    "f": (int, float),
    "U": (str,),
}
_WIDTHS = {"b": (1,), "i": (1, 2, 4, 8), "u": (1, 2, 4, 8), "f": (2, 4, 8)}


def write_schema(schema: Schema) -> dict[str, Any]:
    """Return a schema as JSON has it."""
    return {
        "named": schema.named,
        "columns": [_write_column(column) for column in schema.columns],
        "classes": _write_classes(schema.classes),
    }


def _write_column(column: Column) -> dict[str, Any]:
    if not is_text(column.name):
        raise ValueError(f"the column {column.name!r} has half a character in its name (a lone surrogate)")
    if column.categories is None:
        return {"name": column.name, "kind": "numeric"}
    categories = [plain(value, f"a category of {column.name!r}") for value in column.categories]
    return {"name": column.name, "kind": "nominal", "categories": categories}


def _write_classes(classes: NDArray[Any]) -> dict[str, Any]:
    values = [plain(value, "a class") for value in classes]
    dtype = classes.dtype.newbyteorder("<")
    if dtype.kind == "U":  # as wide as need be: arrays of labels are often wider
        dtype = np.dtype(f"<U{_width(values)}")
    return {"dtype": dtype.str, "values": values}


def _width(texts: list[Any]) -> int:
    return max(1, *(len(text) for text in texts), 1)


def read_schema(place: Place, version: int) -> Schema:
    """Return the schema of a file."""
    place.keys(("named", "columns", "classes"))
    named = place.field("named").need_a(bool)
    columns = tuple(_read_column(entry) for entry in place.field("columns").items())
    field = place.field("columns")
    field.need(bool(columns), "at least one column is needed")
    names = [column.name for column in columns]
    field.need(len(set(names)) == len(names), "two columns have the same name")
    field.need(
        named or names == [f"x{i}" for i in range(len(names))], "names must be x0, x1, ... without 'named'"
    )
    return Schema(columns, _read_classes(place.field("classes"), version), named)


def _read_column(place: Place) -> Column:
    kind = place.field("kind")
    kind.need(kind.value in ("numeric", "nominal"), "must be 'numeric' or 'nominal'")
    nominal = kind.value == "nominal"
    place.keys(("name", "kind", "categories") if nominal else ("name", "kind"))
    name = place.field("name").need_a(str)
    if not nominal:
        return Column(name)
    field = place.field("categories")
    categories = tuple(value.need_plain() for value in field.items())
    field.need(len(set(categories)) == len(categories), "categories must differ")
    return Column(name, categories)


def _read_classes(place: Place, version: int) -> NDArray[Any]:
    place.keys(("dtype", "values"))
    field = place.field("values")
    values = [value.need_plain() for value in field.items()]
    field.need(bool(values), "at least one class is needed")
    field.need(len(set(values)) == len(values), "classes must differ")
    dtype = _read_dtype(place.field("dtype"), values, version)
    if dtype == object:
        classes = np.empty(len(values), dtype=object)
        classes[:] = values
        return classes
    for value in field.items():
        value.need(type(value.value) in _JSON_TYPES[dtype.kind], f"does not fit the dtype {dtype.str!r}")
    try:
        with np.errstate(over="ignore"):
            classes = np.array(values, dtype=dtype)
    except (OverflowError, ValueError):
        field.refuse(f"values do not fit the dtype {dtype.str!r}")
    same = all(one == other for one, other in zip(classes.tolist(), values, strict=True))
    field.need(same, f"values do not fit the dtype {dtype.str!r}")
    return classes


def _read_dtype(place: Place, values: list[Any], version: int) -> np.dtype[Any]:
    """Return the type of the classes; no larger than they need, whatever the file says of it."""
    text = place.need_a(str)
    if text == "|O":
        return np.dtype(object)
    order, letter, width = text[:1], text[1:2], text[2:]
    right = (
        order in ("<", "|")
        and letter in _JSON_TYPES
        and width.isascii()
        and width.isdigit()
        and len(width) < 10
    )
    place.need(right, f"{text[:20]!r} is no type of classes")
    if letter != "U":
        found = int(width) in _WIDTHS[letter] and np.dtype(text).str == text
        place.need(found, f"{text!r} is no type of classes")
        return np.dtype(text)
    place.need(all(isinstance(value, str) for value in values), f"classes do not fit the dtype {text!r}")
    needed = _width(values)
    # Files of version 2 have the type of the training data, which may be wider.
    fits = int(width) == needed if version > 2 else int(width) >= needed
    place.need(fits, f"the longest class has {needed} characters, not {int(width)}")
    return np.dtype(f"<U{needed}")
