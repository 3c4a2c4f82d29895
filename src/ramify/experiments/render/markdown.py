"""Reports as Markdown, with their pictures in files of their own."""

from __future__ import annotations

from collections.abc import Sequence

from ramify.experiments.render.figure import svg_of
from ramify.experiments.render.numbers import (
    LEGEND,
    SIGNS,
    difference,
    error,
    number,
    ours,
    remark,
    step_headings,
    step_texts,
    summary,
)
from ramify.experiments.report import Block, Cell, Figure, Listing, Report, Steps, Table


def markdown_of(reports: Sequence[Report], stem: str) -> tuple[str, dict[str, bytes]]:
    """Return the document, and its pictures by their names."""
    files: dict[str, bytes] = {}
    parts: list[str] = []
    for report in reports:
        parts += [f"# {report.study}: {report.title}", f"*{report.paper}*", f"**{summary(report)}.**"]
        parts += [report.words] if report.words else []
        for section in report.sections:
            parts.append(f"## {section.title}")
            parts += [section.words] if section.words else []
            for block in section.blocks:
                parts += _block(block, report.study, stem, files)
        parts += [LEGEND, _made_by(report)]
    return "\n\n".join(parts) + "\n", files


def _made_by(report: Report) -> str:
    told = [f"{name} {value}" for name, value in sorted(report.settings.items())]
    made = [f"{name} {value}" for name, value in report.versions.items()]
    total = report.seconds.get("total")
    time = "" if total is None else f" Took {total:.0f} s."
    all_told = "; ".join([*told, f"seed {report.seed}", *made])
    return f"Made by `ramify reproduce {report.study}`: {all_told}.{time}"


def _block(block: Block, study: str, stem: str, files: dict[str, bytes]) -> list[str]:
    parts = [f"### {block.title}"]
    parts += [block.words] if block.words else []
    if isinstance(block, Figure):
        name = f"{stem}_files/{study}-{len(files) + 1}.svg"
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
