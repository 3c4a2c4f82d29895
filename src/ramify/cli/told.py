"""What was found out about a table, told before anything is made of it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from ramify.cli.facts import print_facts
from ramify.export.text import printable
from ramify.tables.kinds import Kind
from ramify.tables.training import TrainingTable

#: Columns of a kind that are named; more are counted.
_NAMED = 12


def tell(table: TrainingTable, console: Console) -> None:
    """Say what the rows, the columns and the target of a table are taken for."""
    columns = f"{len(table.kinds):,} column{'' if len(table.kinds) == 1 else 's'}"
    head = Text.assemble(
        (printable(table.name), "bold"),
        f": {table.X.height:,} rows, {columns} to learn from, target ",
        (printable(table.target), "bold"),
    )
    if table.guessed:
        head.append(f" ({table.guessed}; --target names another)")
    console.print(head, soft_wrap=not console.is_terminal)
    print_facts(_facts(table), console)
    console.print()


def _facts(table: TrainingTable) -> Iterator[tuple[str, Text]]:
    for word in ("numeric", "nominal"):
        kinds = [kind for kind in table.kinds if kind.word == word]
        if kinds:
            yield f"  {word}", Text(printable(_listed([_name(kind) for kind in kinds])))
    left_out = [kind for kind in table.kinds if kind.values is None]
    if left_out:
        listed = _listed([f"{kind.name} ({kind.why})" for kind in left_out])
        yield "  left out", Text(printable(listed), style="yellow")
        if any("key" in kind.why for kind in left_out):
            yield "", Text("--nominal or --numeric takes a column in all the same")
    for note in table.notes:
        yield "  note", Text(printable(note), style="yellow")
    if table.doubts:
        yield "  warning", Text(printable(f"{table.doubts}; --ignore leaves columns out"), style="yellow")


def _name(kind: Kind) -> str:
    words = [f"{kind.n_categories:,}" if kind.n_categories else "", kind.why]
    inside = "; ".join(word for word in words if word)
    return f"{kind.name} ({inside})" if inside else kind.name


def _listed(names: list[str]) -> str:
    more = len(names) - _NAMED
    return ", ".join(names[:_NAMED]) + (f" and {more:,} more" if more > 0 else "")
