"""Numbers and marks in words, the same in every format."""

from __future__ import annotations

import math

from ramify.experiments.report import Cell, Mark, Report, Step, Steps, Value

#: A sign for every mark, for dense tables.
SIGNS: dict[Mark, str] = {"exact": "=", "inside": "~", "differs": "≠", "ours only": "+", "missing": "-"}

LEGEND = (
    "= the published digits exactly; ~ published value inside our 95% interval; ≠ differs; "
    "+ ours only, nothing published; - missing here; ± standard error."
)


def number(value: Value, digits: int, cut: bool = False) -> str:
    """Return a value with its decimals, rounded or cut off; a word as it is, None as a dash."""
    if value is None:
        return "-"
    if isinstance(value, str):
        return value
    if cut and math.isfinite(value):
        unit = 10**digits
        value = math.trunc(value * unit + math.copysign(1e-9, value)) / unit
    return f"{value:.{digits}f}"


def ours(cell: Cell) -> str:
    """Return our value, with one more decimal where the published digits would hide a difference."""
    if isinstance(cell.ours, float | int) and cell.mark == "differs":
        shown = number(cell.ours, cell.digits)
        if shown == number(cell.published, cell.digits) or abs(cell.difference or 1) < 10.0**-cell.digits:
            return number(cell.ours, cell.digits + 1)
    return number(cell.ours, cell.digits, cell.cut)


def difference(cell: Cell) -> str:
    """Return the signed difference, or nothing where the digits are the same or there is none."""
    if cell.difference is None or cell.mark == "exact":
        return ""
    digits = cell.digits + 1 if abs(cell.difference) < 10.0**-cell.digits else cell.digits
    return f"{cell.difference:+.{digits}f}"


def error(cell: Cell) -> str:
    """Return the standard error, or nothing."""
    return "" if cell.se is None else f"±{cell.se:.{max(cell.digits, 1)}f}"


def remark(cell: Cell) -> str:
    """Return the erratum and the note in one."""
    parts = [f"erratum: {cell.erratum}" if cell.erratum else "", cell.note]
    return "; ".join(part for part in parts if part)


def summary(report: Report) -> str:
    """Return how many cells have each mark, in words."""
    counts = report.counts()
    parts = [f"{count:,} {mark}" for mark, count in counts.items() if count]
    errata = report.errata()
    if errata:
        parts.append(f"{errata:,} errata named")
    return ", ".join(parts) or "no values"


def step_texts(step: Step) -> dict[str, str]:
    """Return what is shown of a step, by heading."""
    cell = step.cell
    return {
        "step": step.label,
        "how": step.how,
        "published": number(cell.published, cell.digits),
        "ours": f"{ours(cell)} {error(cell)}".strip(),
        "difference": difference(cell),
        "mark": cell.mark,
        "remark": remark(cell),
    }


def step_headings(block: Steps) -> list[str]:
    """Return the headings under which any step has something to show."""
    texts = [step_texts(step) for step in block.steps]
    always = ("step", "ours", "mark")
    return [name for name in texts[0] if name in always or any(text[name] not in ("", "-") for text in texts)]
