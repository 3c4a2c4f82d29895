"""The parameters of a model, to JSON and back."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ramify._answers import check_cost_matrix, check_smoothing
from ramify._encoding import choose_nominal
from ramify._labels import read_weights
from ramify._parameters import check_jobs, check_pruning, check_settings
from ramify._table import Mixed
from ramify.criteria import UnkeptCriterion, name_of_function
from ramify.dialects import Dialect, find_dialect
from ramify.estimator import TreeClassifier
from ramify.model_file.place import Place, is_plain
from ramify.schema import Schema
from ramify.tree import Tree

#: Parameters that files may lack because they are younger than the format, and the value that does what was
#: done before there were any.
YOUNGER: dict[str, Any] = {}
#: The same for the rules of a dialect; the default of a rule is that there is none.
YOUNGER_RULES: frozenset[str] = frozenset()

_PICKLE = "Pickle can keep other models, for the same version of ramify only."


def plain(value: Any, what: str) -> str | int | float | bool:
    """Return a value as JSON can hold it, or raise a ValueError that names it."""
    if isinstance(value, np.generic):
        value = value.item()
    if is_plain(value):
        return value  # type: ignore[no-any-return]
    raise ValueError(
        f"{what} is {value!r} ({type(value).__name__}), which a model file can't hold; strings, finite "
        f"numbers and booleans can be saved. {_PICKLE}"
    )


def write_parameters(model: TreeClassifier) -> dict[str, Any]:
    """Return the parameters as JSON has them."""
    return {name: _written(name, value) for name, value in model.get_params().items()}


def _written(name: str, value: Any) -> Any:
    if value is None:
        return None
    if name == "criterion" and callable(value):
        return {"function": name_of_function(value)}
    if isinstance(value, dict):
        return {
            "items": [
                [plain(k, f"a key of {name}"), plain(v, f"an item of {name}")] for k, v in value.items()
            ]
        }
    if isinstance(value, Dialect):
        return {"dialect": asdict(value)}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_item(name, item) for item in value]
    found = plain(value, f"the parameter {name}")
    return int(found) if isinstance(found, bool) else found  # a seed may be True; the file knows it as 1


def _item(name: str, item: Any) -> Any:
    if item is None:
        return None
    if isinstance(item, (list, tuple, np.ndarray)):
        return [plain(value, f"an item of {name}") for value in item]
    return plain(item, f"an item of {name}")


def read_parameters(place: Place) -> TreeClassifier:
    """Return a model with the parameters of a file, which are of the right types but not yet checked."""
    known = tuple(TreeClassifier().get_params())
    place.keys(tuple(name for name in known if name not in YOUNGER), known)
    return TreeClassifier(**(YOUNGER | {name: _read(name, place.field(name)) for name in place.value}))


def _read(name: str, place: Place) -> Any:
    if place.is_a(type(None)):
        return None
    if place.is_a(list):
        return [_read_item(item) for item in place.items()]
    if not place.is_a(dict):
        place.need(not place.is_a(bool), "a text or a number is needed")
        return place.need_plain()
    if name == "criterion":
        place.keys(("function",))
        return UnkeptCriterion(place.field("function").need_a(str))
    if name == "dialect":
        place.keys(("dialect",))
        return _read_dialect(place.field("dialect"))
    place.need(name == "class_weight", "an object is not accepted here")
    place.keys(("items",))
    pairs = {}
    for pair in place.field("items").items():
        pair.need(len(pair.need_a(list)) == 2, "a pair is needed: a class and its weight")
        key, value = (part.need_plain() for part in pair.items())
        pair.need(key not in pairs, "the class has a weight already")
        pairs[key] = value
    return pairs


def _read_item(place: Place) -> Any:
    if place.is_a(type(None)):
        return None
    return [item.need_plain() for item in place.items()] if place.is_a(list) else place.need_plain()


def _read_dialect(place: Place) -> Dialect:
    defaults = asdict(Dialect())
    place.keys(tuple(name for name in defaults if name not in YOUNGER_RULES), tuple(defaults))
    for name in place.value:
        default = defaults[name]
        kinds: tuple[type, ...] = (type(default),)
        if name == "pruning_z":
            kinds = (float, int, type(None))
        elif isinstance(default, float):
            kinds = (float, int)
        place.field(name).need_a(*kinds)
    return Dialect(**place.value)


def check_parameters(
    model: TreeClassifier, schema: Schema, tree: Tree, by_class: NDArray[np.float64]
) -> None:
    """Check that fitting would accept all parameters, for this schema and with these weights of the classes.

    Raises
    ------
    ValueError, TypeError
        If not; the text names the parameter, its value and what is accepted.
    """
    weight = float(tree.counts[0].sum())
    check_settings(model, int(tree.n_rows[0]), weight, schema.names, schema.named)
    check_pruning(model)
    check_smoothing(model.smoothing)
    check_cost_matrix(model.cost_matrix, schema.classes)
    check_jobs(model.n_jobs)
    find_dialect(model.dialect)
    chosen = model.categorical_features
    if not isinstance(chosen, str) or chosen != "from_dtype":
        choose_nominal(Mixed([], schema.names, 0, schema.named), chosen)
    _check_class_weight(model.class_weight, by_class, schema, tree)


def _check_class_weight(class_weight: Any, by_class: NDArray[np.float64], schema: Schema, tree: Tree) -> None:
    """Check that the weights in the counts are those asked for, and can be taken out again."""
    each_class = np.arange(len(schema.classes), dtype=np.uint32)
    _, asked = read_weights(None, class_weight, schema.classes, each_class)
    balanced = isinstance(class_weight, str)  # by counts that are not known any more
    if not balanced and not np.array_equal(asked, by_class):
        raise ValueError(
            f"class_weight={class_weight!r} is not what the tree was grown with: {by_class.tolist()}."
        )
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        cases = np.where(by_class > 0, tree.counts[0] / by_class, 0.0).sum()
    if not np.isfinite(cases):
        raise ValueError(f"class_weight={class_weight!r} with the weights {by_class.tolist()} is too small.")
