"""Tables of text: drawn by rich on a terminal, plain and aligned anywhere else."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass, field


@dataclass
class Table:
    """A title, column heads, rows of text and notes under them; all but the first column right."""

    title: str
    heads: list[str]
    rows: list[list[str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left: int = 1

    def show(self) -> None:
        """Print the table in the way that suits the output."""
        if sys.stdout.isatty() and importlib.util.find_spec("rich") is not None:
            self._draw()
        else:
            sys.stdout.write(self.plain() + "\n\n")
        sys.stdout.flush()

    def plain(self) -> str:
        """Return the table as aligned text."""
        lines = [self.heads, *self.rows]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.heads))]
        text = [self.title, "-" * len(self.title)]
        for line in lines:
            cells = [
                cell.ljust(width) if i < self.left else cell.rjust(width)
                for i, (cell, width) in enumerate(zip(line, widths, strict=True))
            ]
            text.append("  ".join(cells).rstrip())
        return "\n".join([*text, *(f"  {note}" for note in self.notes)])

    def _draw(self) -> None:
        from rich import box
        from rich.console import Console
        from rich.table import Table as RichTable
        from rich.text import Text

        drawn = RichTable(title=Text(self.title), title_justify="left", box=box.SIMPLE_HEAD)
        for i, head in enumerate(self.heads):
            drawn.add_column(Text(head), justify="left" if i < self.left else "right")
        for row in self.rows:
            drawn.add_row(*map(Text, row))
        console = Console()
        console.print(drawn)
        for note in self.notes:
            console.print(Text(f"  {note}", style="dim"))


def duration(seconds: float) -> str:
    """Return seconds to three digits with a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}" if seconds < 1e3 * size else f"{seconds:.0f} s"
    return f"{seconds * 1e6:.3g} us"


def size(count: float) -> str:
    """Return bytes in MiB."""
    return f"{count / 2**20:,.1f} MiB"
