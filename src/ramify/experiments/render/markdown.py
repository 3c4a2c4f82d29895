"""Reports as Markdown, with their pictures in files of their own."""

from __future__ import annotations

from collections.abc import Sequence

from ramify.experiments.render.figure import svg_of
from ramify.experiments.render.numbers import (
    INTRODUCTION,
    LEGEND,
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


def markdown_of(reports: Sequence[Report], stem: str) -> tuple[str, dict[str, bytes]]:
    """Return the document, and its pictures by their names."""
    files: dict[str, bytes] = {}
    several = len(reports) > 1
    parts = [f"# {TITLE}", INTRODUCTION, _findings(reports), _overview(reports), LEGEND] if several else []
    for report in reports:
        parts += _report(report, stem, files, "#" * (2 if several else 1))
    return "\n\n".join(parts) + "\n", files


def _findings(reports: Sequence[Report]) -> str:
    """Return what was found in short: of each study the first paragraph of its words."""
    return "\n".join(f"- **{report.study}**: {_first(report.words)}" for report in reports)


def _first(words: str) -> str:
    return words.split("\n\n", maxsplit=1)[0]


def _overview(reports: Sequence[Report]) -> str:
    """Return all sections of all studies in one table, with how many cells have each mark."""
    lines = [
        "| " + " | ".join(["study", "section", *MARKS]) + " |",
        "|---|---|" + "--:|" * len(MARKS),
    ]
    for report in reports:
        for section in report.sections:
            counts = [f"{count:,}" if count else "" for count in section.counts().values()]
            title = f"[{_escape(section.title)}](#{_anchor(report, section)})"
            lines.append("| " + " | ".join([report.study, title, *counts]) + " |")
    return "\n".join(lines)


def _anchor(report: Report, section: Section) -> str:
    return f"{report.study}-{report.sections.index(section) + 1}"


def _report(report: Report, stem: str, files: dict[str, bytes], level: str) -> list[str]:
    parts = [f"{level} {report.study}: {report.title}", f"*{report.paper}*"]
    parts += [f"**{summary(report)}.**"] if report.has_published() else []
    parts += [report.words] if report.words else []
    for section in report.sections:
        if level != "#":  # a name of its own for the overview: headings of several studies may be alike
            parts.append(f'<a id="{_anchor(report, section)}"></a>')
        parts.append(f"{level}# {section.title}")
        parts += [section.words] if section.words else []
        for block in section.blocks:
            parts += _block(block, report.study, stem, files, f"{level}##")
    # In a document of several studies the legend stands once, above them.
    return [*parts, *([legend(report)] if level == "#" else []), _made_by(report)]


def _made_by(report: Report) -> str:
    told = [f"{name} {value}" for name, value in sorted(report.settings.items())]
    made = [f"{name} {value}" for name, value in report.versions.items()]
    total, units = report.seconds.get("total"), report.seconds.get("units", 0.0)
    time = "" if total is None else f" Took {total:.0f} s"
    # Those of units that an earlier run did are counted as they were measured then.
    time += f"; its parts {units:.0f} s, one process each, as measured when they were done." if units else "."
    all_told = "; ".join([*told, f"seed {report.seed}", *made])
    command = report.command or f"ramify reproduce {report.study}"
    return f"Made by `{command}`: {all_told}.{time}"


def _block(block: Block, study: str, stem: str, files: dict[str, bytes], level: str) -> list[str]:
    parts = [f"{level} {block.title}"]
    parts += [block.words] if block.words else []
    if isinstance(block, Figure):
        number_ = 1 + sum(name.startswith(f"{stem}_files/{study}-") for name in files)
        name = f"{stem}_files/{study}-{number_}.svg"
        files[name] = svg_of(block).encode()
        return [*parts, f"![{_escape(block.title)}]({name})"]
    if isinstance(block, Listing):
        return [*parts, f"```text\n{block.text}\n```"]
    if isinstance(block, Steps):
        return [*parts, _steps(block)]
    parts.append(_grid(block))
    notes = [f"- {_escape(label)}: {_escape(remark(cell))}" for label, cell in block.each() if remark(cell)]
    return [*parts, "\n".join(notes)] if notes else parts


def _steps(block: Steps) -> str:
    headings = step_headings(block)
    right = ("published", "ours", "difference")
    lines = [
        "| " + " | ".join(headings) + " |",
        "|" + "|".join("--:" if name in right else "---" for name in headings) + "|",
    ]
    for step in block.steps:
        texts = step_texts(step)
        lines.append("| " + " | ".join(_escape(texts[name]) for name in headings) + " |")
    return "\n".join(lines)


def _grid(block: Table) -> str:
    lines = [
        "| " + " | ".join(_escape(text) for text in (block.corner, *block.columns)) + " |",
        "|---|" + "--:|" * len(block.columns),
    ]
    for label, row in zip(block.rows, block.cells, strict=True):
        lines.append("| " + " | ".join([_escape(label), *(_in_grid(cell) for cell in row)]) + " |")
    return "\n".join(lines)


def _in_grid(cell: Cell | None) -> str:
    if cell is None:
        return ""
    mine = _escape(f"{ours(cell)} {error(cell)}".strip())
    if cell.mark == "ours only":
        return mine
    if cell.mark == "exact":
        return f"{mine} {SIGNS[cell.mark]}"
    theirs = f"{number(cell.published, cell.digits)} {difference(cell)}".strip()
    return f"{mine}<br>{_escape(theirs)} {SIGNS[cell.mark]}"


def _escape(text: str) -> str:
    for sign in ("\\", "|", "*", "_", "<", "["):
        text = text.replace(sign, f"\\{sign}" if sign != "<" else "&lt;")
    return text.replace("\n", "<br>")
