"""Write the tables of criteria into docs/criteria.md and the README, from the registry."""

from pathlib import Path

from ramify import list_criteria
from ramify.criteria import Criterion

PAGE = Path(__file__).with_suffix(".md")
README = Path(__file__).parents[1] / "README.md"


def whole_table() -> str:
    """Return all that is known of every criterion, in Markdown."""
    rows = [
        [f"`{info.name}`", _order(info), f"`{info.formula}`", info.meaning, info.origin]
        for info in list_criteria()
    ]
    return _table(["name", "q", "formula", "what it looks for", "origin"], rows)


def short_table() -> str:
    """Return what every criterion looks for, in Markdown."""
    rows = [[f"`{info.name}`", _order(info), info.meaning] for info in list_criteria()]
    return _table(["criterion", "q", "what it looks for"], rows)


def page() -> str:
    """Return docs/criteria.md with the table as the registry has it."""
    return _with(PAGE, "<!-- table -->", whole_table(), "<!-- end of table -->")


def readme() -> str:
    """Return the README with the table as the registry has it."""
    begin = "<!-- criteria: written by python docs/criteria.py -->"
    return _with(README, begin, short_table(), "<!-- end of criteria -->")


def _order(info: Criterion) -> str:
    return f"default {info.default_order:g}" if info.takes_order else "-"


def _table(titles: list[str], rows: list[list[str]]) -> str:
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _with(file: Path, begin: str, table: str, end: str) -> str:
    before, rest = file.read_text(encoding="utf-8").split(begin)
    return f"{before}{begin}\n{table}\n{end}{rest.split(end)[1]}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    README.write_text(readme(), encoding="utf-8")
