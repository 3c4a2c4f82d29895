"""Reports as text, in tables that rich draws."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ramify.experiments.render.figure import sparkline
from ramify.experiments.render.numbers import (
    SIGNS,
    difference,
    error,
    legend,
    number,
    ours,
    remark,
    step_headings,
    step_texts,
    summary,
)
from ramify.experiments.report import Block, Cell, Figure, Listing, Mark, Report, Steps, Table

if TYPE_CHECKING:
    from rich import table as rich_table
    from rich.console import Console
    from rich.text import Text

#: Columns of a page of text, where nobody says otherwise.
_WIDTH = 120

_STYLES: dict[Mark, str] = {
    "exact": "green",
    "inside": "cyan",
    "differs": "yellow",
    "ours only": "",
    "missing": "red",
}


def text_of(reports: Sequence[Report]) -> str:
    """Return plain text."""
    from rich.console import Console

    file = io.StringIO()
    print_text(reports, Console(file=file, width=_WIDTH, color_system=None, highlight=False))
    return "\n".join(line.rstrip() for line in file.getvalue().splitlines()) + "\n"


def print_text(reports: Sequence[Report], console: Console) -> None:
    """Print on a console, in its width and with its colours."""
    from rich.rule import Rule
    from rich.text import Text

    for report in reports:
        console.print(Rule(Text(f"{report.study}: {report.title}"), style="bold"))
        console.print(Text(report.paper, style="italic"))
        if report.has_published():
            console.print(Text(f"\n{summary(report)}", style="bold"))
            # By section too: sums over a whole report mix tables of different kinds.
            for section in report.sections if len(report.sections) > 1 else ():
                if sum(section.counts().values()):
                    console.print(Text(f"  {section.title}: {summary(section)}", style="dim"))
        if report.words:
            console.print(Text(f"\n{report.words}"))
        for section in report.sections:
            console.print(Text(f"\n{section.title}\n{'-' * len(section.title)}", style="bold"))
            if section.words:
                console.print(Text(section.words))
            for block in section.blocks:
                console.print()
                _print_block(block, console)
        console.print(Text(f"\n{legend(report)}", style="dim"))
        told = [f"{name} {value}" for name, value in sorted(report.settings.items())]
        made = [f"{name} {value}" for name, value in report.versions.items()]
        console.print(Text("; ".join([*told, f"seed {report.seed}", *made]), style="dim"))
        times = [f"{name} {seconds:.1f} s" for name, seconds in report.seconds.items()]
        console.print(Text(f"times: {', '.join(times)}\n" if times else "", style="dim"))


def _print_block(block: Block, console: Console) -> None:
    from rich.text import Text

    if isinstance(block, Figure):
        _print_figure(block, console)
    elif isinstance(block, Listing):
        console.print(Text(f"{block.title}\n", style="bold"))
        console.print(Text(block.text), soft_wrap=True)
    else:
        _print_table(block, console)
    if block.words:
        console.print(Text(block.words))


def _print_figure(figure: Figure, console: Console) -> None:
    from rich.text import Text

    console.print(Text(figure.title, style="bold"))
    if figure.svg:
        console.print(Text("(a drawing: see the HTML report)", style="dim"))
    for series in figure.series:
        if series.y:
            reach = f"x {min(series.x):g} to {max(series.x):g}, y {min(series.y):.4g} to {max(series.y):.4g}"
            console.print(Text(f"  {series.name}: {reach}"))
            console.print(Text(f"  {sparkline(series)}"))
    for name, x in figure.verticals:
        console.print(Text(f"  {name}: {x:g}"))


def _print_table(block: Table | Steps, console: Console) -> None:
    from rich import box
    from rich import table as rich_table
    from rich.text import Text

    drawn = rich_table.Table(title=Text(block.title), title_justify="left", box=box.SIMPLE_HEAD)
    if isinstance(block, Steps):
        for heading in step_headings(block):
            right = heading in ("published", "ours", "difference")
            drawn.add_column(heading, justify="right" if right else "left", no_wrap=right, overflow="fold")
        for step in block.steps:
            texts = step_texts(step)
            style = _STYLES[step.cell.mark]
            drawn.add_row(*(Text(texts[h], style=style if h == "mark" else "") for h in step_headings(block)))
        console.print(drawn)
        return
    drawn.add_column(block.corner, max_width=70, overflow="fold")
    for heading in block.columns:
        drawn.add_column(heading, justify="right", no_wrap=not console.is_terminal)
    for label, row in zip(block.rows, block.cells, strict=True):
        drawn.add_row(Text(label), *(_in_grid(cell) for cell in row))
    _wide_enough(console, drawn).print(drawn)
    for label, cell in block.each():
        if remark(cell):
            console.print(Text(f"  {label}: {remark(cell)}"))


def _wide_enough(console: Console, table: rich_table.Table) -> Console:
    """Return a console for the whole table: a file has no edge, and folded numbers can't be read."""
    from rich.console import Console

    if console.is_terminal:
        return console
    boundless = Console(file=console.file, width=1000, color_system=None, highlight=False)
    needed = boundless.measure(table).maximum
    return (
        console
        if needed <= console.width
        else Console(file=console.file, width=needed, color_system=None, highlight=False)
    )


def _in_grid(cell: Cell | None) -> Text:
    """Return two lines: ours with its error; published, the difference and the mark. One if they agree."""
    from rich.text import Text

    if cell is None:
        return Text("")
    above = f"{ours(cell)} {error(cell)}".strip()
    if cell.mark == "ours only":
        return Text(above)
    if cell.mark == "exact":
        return Text(f"{above} {SIGNS[cell.mark]}", style=_STYLES[cell.mark])
    below = f"{number(cell.published, cell.digits)} {difference(cell)}".strip() + f" {SIGNS[cell.mark]}"
    return Text(above).append(f"\n{below}", style=_STYLES[cell.mark] or "dim")
