"""Examples below the help of a command."""

from __future__ import annotations

from collections.abc import Iterable

from rich.markup import escape


def epilog(examples: Iterable[tuple[str, str]]) -> str:
    """Return commands, each with what it does, as the help shows them: a paragraph each."""
    lines = [f"[bold]{escape(command)}[/]\n[dim]  {escape(words)}[/]" for command, words in examples]
    return "Examples\n\n" + "\n\n".join(lines)
