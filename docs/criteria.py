"""Write the table of criteria into docs/criteria.md, from the registry."""

from pathlib import Path

from ramify import list_criteria

PAGE = Path(__file__).with_suffix(".md")
BEGIN, END = "<!-- table -->", "<!-- end of table -->"


def table() -> str:
    """Return the table in Markdown."""
    rows = ["| name | q | formula | what it looks for | origin |", "|---|---|---|---|---|"]
    for info in list_criteria():
        order = f"default {info.default_order:g}" if info.takes_order else "-"
        cells = [f"`{info.name}`", order, f"`{info.formula}`", info.meaning, info.origin]
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(rows)


def page() -> str:
    """Return the page with the table as the registry has it."""
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
