"""Groups of options: a dataclass each, which a command takes as one parameter."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, get_type_hints


def with_groups(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command in which each group is replaced by its options, for Typer to find.

    Parameters
    ----------
    command : callable
        All its parameters are keyword-only. One whose type is a dataclass is a group: every field is an
        option, with its default.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> import inspect
    >>> from ramify.cli.option_groups import with_groups
    >>> @dataclass(frozen=True)
    ... class Size:
    ...     height: int = 2
    ...     width: int = 3
    >>> @with_groups
    ... def area(*, name: str, size: Size) -> None:
    ...     print(name, size.height * size.width)
    >>> list(inspect.signature(area).parameters)
    ['name', 'height', 'width']
    >>> area(name="sheet", height=5, width=2)
    sheet 10
    """
    hints = get_type_hints(command, include_extras=True)
    named = inspect.signature(command).parameters
    groups = {name: hints[name] for name in named if is_dataclass(hints[name])}

    @functools.wraps(command)
    def run(**given: Any) -> None:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in fields(group)})
        command(**given)

    options = [
        option
        for name, parameter in named.items()
        for option in (
            _options_of(groups[name]) if name in groups else [parameter.replace(annotation=hints[name])]
        )
    ]
    run.__signature__ = inspect.Signature(options)  # type: ignore[attr-defined]
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run


def _options_of(group: Any) -> Iterator[inspect.Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        yield inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
        )
