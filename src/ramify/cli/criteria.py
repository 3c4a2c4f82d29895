"""``ramify criteria``."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from ramify import list_criteria
from ramify.cli.console import console

EXAMPLES = (
    ("ramify criteria", "all of them"),
    ("ramify fit iris --criterion gain_ratio --q 1.5", "use one, with an order of the entropy"),
)


def criteria() -> None:
    """List the splitting criteria."""
    table = Table(title="Splitting criteria (higher is better)", title_justify="left", show_lines=True)
    for heading in ("name", "q", "formula, and what it looks for", "origin"):
        table.add_column(heading, overflow="fold", no_wrap=heading == "name")
    for info in list_criteria():
        order = f"{info.default_order:g}" if info.takes_order else "-"
        formula = Text.assemble((info.formula, "bold"), "\n", info.meaning)
        table.add_row(Text(info.name, style="bold cyan"), order, formula, Text(info.origin))
    console.print(table)
    console.print(
        "q: the default order, where one is taken. Also accepted: entropy and log_loss (gain, q = 1), "
        "gini (gain, q = 2), tsallis (gain)."
    )
