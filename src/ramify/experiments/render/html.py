"""Reports as one HTML file that needs nothing else: no network, no script."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from ramify.experiments.render.figure import svg_of
from ramify.experiments.render.numbers import (
    INTRODUCTION,
    SIGNS,
    TITLE,
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
from ramify.experiments.report import MARKS, Block, Cell, Figure, Listing, Report, Section, Steps, Table

_STYLE = """
:root { color-scheme: light dark; --back: #fff; --text: #1c2126; --faint: #5b6670; --line: #d5dbe0;
  --head: #f2f5f7; --exact: #0a6b3d; --inside: #0b5f8a; --differs: #9a4a00; --missing: #a8202d; }
@media (prefers-color-scheme: dark) { :root { --back: #14181c; --text: #e4e8eb; --faint: #a0abb5;
  --line: #38424b; --head: #1f262c; --exact: #5fd39a; --inside: #70bff0; --differs: #f0ab5f;
  --missing: #ff8a8f; } }
body { margin: 0 auto; padding: 1.5rem; max-width: 76rem; background: var(--back); color: var(--text);
  font: 16px/1.5 system-ui, sans-serif; }
p { max-width: 52rem; white-space: pre-line; }
nav ul { padding-left: 1.2rem; } nav li { margin: .15rem 0; }
a { color: inherit; }
h1 { line-height: 1.2; } h2 { margin-top: 2.4rem; border-bottom: 1px solid var(--line); }
.faint { color: var(--faint); font-size: .875rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
caption { text-align: left; font-weight: 600; padding: .4rem 0; }
@media (min-width: 50rem) { caption { white-space: nowrap; } }
th, td { padding: .3rem .6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; }
th { background: var(--head); font-weight: 600; }
th[scope=row], .left, td.left { text-align: left; } th[scope=row] { background: none; font-weight: 500; }
td small { display: block; } .grid td { white-space: nowrap; }
.se { color: var(--faint); font-size: .8125rem; }
.exact { color: var(--exact); } .inside { color: var(--inside); } .differs { color: var(--differs); }
.missing { color: var(--missing); }
.how { font-family: ui-monospace, monospace; font-size: .8125rem; }
figure { margin: 1rem 0; } figcaption { font-weight: 600; }
figure svg { max-width: 100%; height: auto; background: #fff; border: 1px solid var(--line);
  border-radius: 6px; }
.scroll + .scroll { margin-top: 1.2rem; } .word { white-space: nowrap; }
pre { overflow-x: auto; line-height: 1.35; }
.tally span { margin-right: 1rem; white-space: nowrap; }
"""


def html_of(reports: Sequence[Report]) -> str:
    """Return the document."""
    title = "ramify: " + ", ".join(report.study for report in reports)
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>",
    ]
    if len(reports) > 1:
        parts.append(f"<h1>{escape(TITLE)}</h1><p>{escape(INTRODUCTION)}</p>{_contents(reports)}")
    for report in reports:
        parts += _report(report, 1 if len(reports) == 1 else 2)
    return "\n".join([*parts, "</body></html>"]) + "\n"


def _contents(reports: Sequence[Report]) -> str:
    items = [
        f'<li><a href="#{report.study}">{escape(report.study)}: {escape(report.title)}</a> '
        f'<span class="faint">{escape(summary(report))}</span></li>'
        for report in reports
    ]
    return f"<nav><ul>{''.join(items)}</ul></nav>"


def _report(report: Report, level: int) -> list[str]:
    parts = [
        f'<h{level} id="{report.study}">{escape(report.study)}: {escape(report.title)}</h{level}>',
        f'<p class="faint">{escape(report.paper)}</p>',
    ]
    parts += [_tally(report)] if report.has_published() else []
    parts += [f"<p>{escape(report.words)}</p>"] if report.words else []
    if len(report.sections) > 1:
        items = [
            f'<li><a href="#{_anchor(report, section)}">{escape(section.title)}</a>'
            f"{_marks(report, section)}</li>"
            for section in report.sections
        ]
        parts.append(f"<nav><ul>{''.join(items)}</ul></nav>")
    for section in report.sections:
        parts.append(f'<h{level + 1} id="{_anchor(report, section)}">{escape(section.title)}</h{level + 1}>')
        parts += [f"<p>{escape(section.words)}</p>"] if section.words else []
        for number_, block in enumerate(section.blocks):
            parts += _block(block, f"{_anchor(report, section)}-{number_}")
    told = [f"{name} {value}" for name, value in sorted(report.settings.items())]
    made = [f"{name} {value}" for name, value in report.versions.items()]
    times = [f"{name} {seconds:.1f} s" for name, seconds in report.seconds.items()]
    parts.append(f'<p class="faint">{escape(legend(report))}</p>')
    parts.append(f'<p class="faint">{escape("; ".join([*told, f"seed {report.seed}", *made]))}</p>')
    parts += [f'<p class="faint times">Times: {escape(", ".join(times))}</p>'] if times else []
    return parts


def _marks(report: Report, section: Section) -> str:
    """Return the marks of a section: sums over a whole report mix tables of different kinds."""
    told = summary(section) if report.has_published() and any(section.counts().values()) else ""
    return f' <span class="faint">{escape(told)}</span>' if told else ""


def _anchor(report: Report, section: Section) -> str:
    return f"{report.study}-{report.sections.index(section) + 1}"


def _tally(report: Report) -> str:
    counts = report.counts()
    spans = [
        f'<span class="{_class(mark)}"><b>{counts[mark]:,}</b> {mark}</span>'
        for mark in MARKS
        if counts[mark]
    ]
    if report.errata():
        spans.append(f"<span><b>{report.errata():,}</b> errata named</span>")
    return f'<p class="tally">{"".join(spans)}</p>'


def _class(mark: str) -> str:
    return mark.replace(" ", "-")


def _block(block: Block, anchor: str) -> list[str]:
    words = [f"<p>{escape(block.words)}</p>"] if block.words else []
    if isinstance(block, Figure):
        caption = f"<figcaption>{escape(block.title)}</figcaption>"
        return [f"<figure>{caption}{_own_names(svg_of(block), anchor)}</figure>", *words]
    if isinstance(block, Listing):
        return [f"<h4>{escape(block.title)}</h4><pre>{escape(block.text)}</pre>", *words]
    drawn = _steps(block) if isinstance(block, Steps) else _grid(block)
    parts = [f'<div class="scroll">{drawn}</div>']
    if isinstance(block, Table):
        notes = [
            f"<li>{escape(label)}: {escape(remark(cell))}</li>"
            for label, cell in block.each()
            if remark(cell)
        ]
        parts += [f'<ul class="faint">{"".join(notes)}</ul>'] if notes else []
    return parts + words


def _own_names(svg: str, anchor: str) -> str:
    """Return a drawing whose names are its own: two drawings in one page may have used the same ones."""
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{anchor}-\1"', svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{anchor}-\1"', svg)
    return re.sub(r"url\(#([^)]+)\)", rf"url(#{anchor}-\1)", svg)


def _steps(block: Steps) -> str:
    headings = step_headings(block)
    right = ("published", "ours", "difference")
    head = "".join(f'<th scope="col"{"" if h in right else " class=left"}>{h}</th>' for h in headings)
    rows = []
    for step in block.steps:
        texts = step_texts(step)
        styles = {"how": "left how", "mark": f"left word {_class(step.cell.mark)}", "remark": "left"}
        told = {h: _ours(step.cell) if h == "ours" else escape(texts[h]) for h in headings[1:]}
        tds = (f'<td class="{styles.get(h, "word")}">{text}</td>' for h, text in told.items())
        rows.append(f'<tr><th scope="row">{escape(step.label)}</th>{"".join(tds)}</tr>')
    return (
        f"<table><caption>{escape(block.title)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _grid(block: Table) -> str:
    head = "".join(f'<th scope="col">{escape(column)}</th>' for column in block.columns)
    rows = []
    for label, cells in zip(block.rows, block.cells, strict=True):
        tds = "".join(_in_grid(cell) for cell in cells)
        rows.append(f'<tr><th scope="row">{escape(label)}</th>{tds}</tr>')
    return (
        f'<table class="grid"><caption>{escape(block.title)}</caption>'
        f'<thead><tr><th class="left">{escape(block.corner)}</th>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _in_grid(cell: Cell | None) -> str:
    if cell is None:
        return "<td></td>"
    title = f' title="{escape(remark(cell), quote=True)}"' if remark(cell) else ""
    if cell.mark == "ours only":
        return f"<td{title}>{_ours(cell)}</td>"
    if cell.mark == "exact":
        return f'<td{title} class="exact">{_ours(cell)} {SIGNS[cell.mark]}</td>'
    theirs = f"{number(cell.published, cell.digits)} {difference(cell)}".strip()
    return (
        f"<td{title}>{_ours(cell)}"
        f'<small class="{_class(cell.mark)}">{escape(theirs)} {SIGNS[cell.mark]}</small></td>'
    )


def _ours(cell: Cell) -> str:
    told = escape(ours(cell))
    return f'{told} <span class="se">{error(cell)}</span>' if cell.se is not None else told
