"""Numbers and marks in words, the same in every format."""

from __future__ import annotations

import math

from ramify.experiments.report import Cell, Mark, Report, Section, Step, Steps, Value

#: A sign for every mark, for dense tables. What is ours only has none, as there is nothing to compare.
SIGNS: dict[Mark, str] = {"exact": "=", "inside": "~", "differs": "≠", "ours only": "", "missing": "missing"}

LEGEND = (
    "In tables: ours ± its standard error, and below it the published value, our difference from it and a "
    "sign. = (one line): the published digits exactly; ~ not these digits, but the published value lies in "
    "the 95% interval of ours; ≠ differs; missing: not computed in this run. No sign: nothing was published."
)


#: Of a document of several studies.
TITLE = "The papers' numbers made again"
INTRODUCTION = (
    "Every table, figure and worked number of the papers, computed anew by one command and set beside what "
    "was printed. Nothing is filled in by hand: what can't be computed stays empty, and it is said why. No "
    "paper gives its protocol in full. 'As published' is the one that comes nearest to the printed figures, "
    "as far as one was found; then the same is done as it should be."
)


def legend(report: Report) -> str:
    """Return what the signs mean; where nothing was published, only one is used."""
    return LEGEND if report.has_published() else "± standard error."


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
    sign = f"{cell.flag} " if cell.flag else ""
    if isinstance(cell.ours, float | int) and cell.mark == "differs":
        shown = number(cell.ours, cell.digits)
        if shown == number(cell.published, cell.digits) or abs(cell.difference or 1) < 10.0**-cell.digits:
            return sign + number(cell.ours, cell.digits + 1)
    return sign + number(cell.ours, cell.digits, cell.cut)


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


def summary(report: Report | Section) -> str:
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
