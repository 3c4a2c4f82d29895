"""What a model is, in words for people and in a text by which a journal tells it from others."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import CodeType
from typing import Any

import numpy as np

from ramify.estimator import TreeClassifier


def described(model: Any) -> str:
    """Return a model as scikit-learn shows it, in one line, and without addresses in memory."""
    told = re.sub(r"<function (\S+) at 0x[0-9a-f]+>", r"\1", " ".join(repr(model).split()))
    return re.sub(r" at 0x[0-9a-f]+", "", told)


def identity(value: Any) -> str:
    """Return what a model or a parameter is, in a text that is the same in every process.

    Examples
    --------
    >>> from ramify import TreeClassifier
    >>> from ramify.experiments.identity import identity
    >>> identity(TreeClassifier(q=1.0)) == identity(TreeClassifier(q=1.0, n_jobs=2))
    True
    >>> identity(lambda table: table.min()) == identity(lambda table: table.max())
    False
    """
    for kind, told in _KINDS:
        if isinstance(value, kind) if isinstance(kind, type) else kind(value):
            return told(value)
    return repr(value)


def _of_model(model: Any) -> str:
    kind = type(model)
    parameters = model.get_params(deep=False)
    if isinstance(model, TreeClassifier):
        parameters.pop("n_jobs", None)  # no figure depends on it
    return f"{kind.__module__}.{kind.__qualname__}({identity(parameters)})"


def _of_mapping(value: Mapping[Any, Any]) -> str:
    items = (f"{key!r}: {identity(item)}" for key, item in sorted(value.items(), key=str))
    return "{" + ", ".join(items) + "}"


def _of_sequence(value: list[Any] | tuple[Any, ...]) -> str:
    return "[" + ", ".join(map(identity, value)) + "]"


def _of_function(function: Any) -> str:
    """Another body, default or captured value is another function; what its globals hold is not seen."""
    captured = [cell.cell_contents for cell in function.__closure__ or ()]
    given = [function.__defaults__, function.__kwdefaults__, captured]
    name = f"{function.__module__}.{function.__qualname__}"
    return f"{name} {identity(function.__code__)} {identity(given)}"


def _of_code(code: CodeType) -> str:
    """Names too: the same instructions call any function."""
    return f"{code.co_code.hex()} {code.co_names!r} {identity(code.co_consts)}"


def _is_model(value: Any) -> bool:
    return hasattr(value, "get_params") and not isinstance(value, type)


def _is_function(value: Any) -> bool:
    return hasattr(value, "__code__")


#: What is told apart by more than its `repr`, the first that fits: a type or a question, and the text of it.
_KINDS: tuple[tuple[type | Callable[[Any], bool], Callable[[Any], str]], ...] = (
    (_is_model, _of_model),
    (Mapping, _of_mapping),
    (list, _of_sequence),
    (tuple, _of_sequence),
    (np.ndarray, lambda array: identity(array.tolist())),
    (_is_function, _of_function),
    (CodeType, _of_code),
)
