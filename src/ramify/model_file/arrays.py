"""The arrays of a tree, to JSON and back."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._consistency import problem_of_pools
from ramify.model_file.place import Place
from ramify.schema import Schema
from ramify.tree import ARRAYS, Tree

#: Up to it every whole number is a float64.
EXACT = 2**53

#: The type of each array of a tree in a file; int32 if it is not here.
_TYPES: dict[str, type[np.generic]] = {
    **dict.fromkeys(("threshold", "counts", "impurity", "score", "gain", "unknown"), np.float64),
    **dict.fromkeys(("runner_threshold", "runner_score", "runner_gain"), np.float64),
    **dict.fromkeys(("kind", "search", "exact", "runner_kind"), np.uint8),
    **dict.fromkeys(("routes_begin", "n_rows", "runner_begin", "runner_routes_begin"), np.int64),
}


def write_tree(tree: Tree) -> dict[str, Any]:
    """Return the arrays of a tree as JSON has them."""
    return {name: values.tolist() for name, values in tree.arrays().items()}


def read_tree(place: Place, schema: Schema) -> Tree:
    """Return the tree of a file, checked."""
    place.keys(ARRAYS)
    arrays = {name: _read(place.field(name), name, len(schema.classes)) for name in ARRAYS}
    problem = problem_of_pools(arrays)  # before the core walks them: pools that overlap could keep it busy
    place.need(not problem, problem)
    # A nominal column without a category has only unknown ones; to the core it is nominal all the same.
    n_categories = [
        max(1, n) if c.nominal else 0 for c, n in zip(schema.columns, schema.n_categories, strict=True)
    ]
    try:
        tree = Tree.from_arrays(arrays, len(schema.classes))
        tree.validate(n_categories)
    except ValueError as error:
        place.refuse(str(error))
    return tree


def _read(place: Place, name: str, n_classes: int) -> NDArray[Any]:
    kind = _TYPES.get(name, np.int32)
    if name != "counts":
        return read_numbers(place, kind)
    rows = []
    for row in place.items():
        row.need(
            row.is_a(list) and len(row.value) == n_classes, f"{n_classes} counts are needed, one a class"
        )
        rows.append(row.value)
    flat = Place([value for row in rows for value in row], place.path)
    return read_numbers(flat, kind).reshape(len(rows), n_classes)


def read_numbers(place: Place, kind: type[np.generic]) -> NDArray[Any]:
    """Return a list of finite numbers, or of whole ones, as an array of a type that holds them all."""
    values = place.need_a(list)
    real = kind is np.float64
    # All at once, since lists may be long; the place is looked for only if something is wrong.
    found = set(map(type, values))
    if not found <= ({int, float} if real else {int}):
        for item in place.items():
            item.need_a(*((int, float) if real else (int,)))
    if real and int in found:
        for item in place.items():
            exact = item.is_a(float) or -EXACT <= item.value <= EXACT
            item.need(exact, "a whole number of this size is not exact in float64")
    try:
        numbers = np.array(values, dtype=kind)
    except OverflowError:
        place.refuse(f"a number is out of the range of {kind.__name__}")
    if real and not np.isfinite(numbers).all():
        at = int(np.argmin(np.isfinite(numbers)))
        Place(None, f"{place.path}[{at}]").refuse("a number is out of the range of float64")
    return numbers
