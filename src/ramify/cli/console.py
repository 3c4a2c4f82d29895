"""What all commands share: where they write, and how they end."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.text import Text

console = Console()
errors = Console(stderr=True)

BAD_DATA = 1
BAD_USAGE = 2


def fail(message: str, code: int = BAD_DATA) -> typer.Exit:
    """Say on one line what is wrong, and return the exception that ends the command."""
    errors.print(Text(f"ramify: {message}", style="red"), soft_wrap=True)
    return typer.Exit(code)
