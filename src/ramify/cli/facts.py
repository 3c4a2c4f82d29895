"""Facts: a name and a few words on each line."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.table import Table
from rich.text import Text


def print_facts(facts: Iterable[tuple[str, Text | str]], console: Console) -> None:
    """Print facts, each below the other; a terminal wraps them in their column, a file gets whole lines."""
    rows = [(name, words if isinstance(words, Text) else Text(words)) for name, words in facts]
    if not rows:
        return
    width = max(len(name) for name, _ in rows)
    if not console.is_terminal:
        for name, words in rows:
            console.print(Text(f"{name:<{width}}  ").append_text(words), soft_wrap=True)
        return
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, words in rows:
        table.add_row(name, words)
    console.print(table)


def print_in_words(text: str, console: Console) -> None:
    """Print sentences, wrapped at words on a terminal."""
    console.print(Text(text), soft_wrap=not console.is_terminal)
